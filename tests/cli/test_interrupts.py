"""Ctrl-C waits for the next safe place, once."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from condyle.cli.interrupts import NOTICE, heard_interrupts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals differ")


def press() -> None:
    """Press Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


def test_nothing_pressed_nothing_raised() -> None:
    with heard_interrupts() as obey:
        obey()


def test_pressed_once_it_is_raised_where_it_is_obeyed(capfd: pytest.CaptureFixture[str]) -> None:
    with heard_interrupts() as obey:
        press()
        safe = True  # would not be reached, had it been raised at once
        with pytest.raises(KeyboardInterrupt):
            obey()
    assert safe
    assert capfd.readouterr().err == NOTICE.decode()


def test_pressed_twice_it_is_raised_at_once() -> None:
    with heard_interrupts():
        press()
        with pytest.raises(KeyboardInterrupt):
            press()


def test_afterwards_python_has_its_own_way_again() -> None:
    before = signal.getsignal(signal.SIGINT)
    with heard_interrupts():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
