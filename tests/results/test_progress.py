"""The bar shows itself on a terminal, for work over a second, and nowhere else."""

from __future__ import annotations

import io
import sys
import time

import pytest

from condyle.results import progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def terminal_on_stderr(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal on stderr; called in the test itself, as pytest changes the stream after setting up."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    return stream


def test_silent_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress.bar("knee") as told:
        assert told is None
    assert stream.getvalue() == ""


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_on_stderr(monkeypatch)
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    with progress.bar("knee") as told:
        assert told is not None
        told(0.5)
    assert "knee" not in terminal.getvalue()


def test_long_work_shows_a_bar_with_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_on_stderr(monkeypatch)
    with progress.bar("knee") as told:
        assert told is not None
        for fraction in (0.1, 0.2, 0.4, 0.5):
            told(fraction)
            time.sleep(0.15)
    assert "knee" in terminal.getvalue()
    assert "50%" in terminal.getvalue()
    assert "0:00:0" in terminal.getvalue()


def test_work_that_fails_takes_the_bar_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_on_stderr(monkeypatch)

    def fail() -> None:
        with progress.bar("knee"):
            time.sleep(0.1)
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    shown = terminal.getvalue()
    time.sleep(0.3)
    assert terminal.getvalue() == shown
