"""Ctrl-C during a run, heard where it can be obeyed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

NOTICE = b"condyle: stopping at the next step; Ctrl-C again stops at once\n"


@contextmanager
def heard_interrupts() -> Iterator[Callable[[], None]]:
    """A function that raises KeyboardInterrupt if Ctrl-C was pressed since; a second Ctrl-C raises it by itself.

    Python would raise it wherever it is: also inside a callback of the compiler, which prints it as a traceback and
    goes on as if nothing had been pressed.
    """
    pressed = False

    def note(_signal: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        # Not `print`: the signal may have come in the middle of one.
        os.write(2, NOTICE)

    def obey() -> None:
        if pressed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield obey
    finally:
        signal.signal(signal.SIGINT, before)


def came_of_interrupt(error: BaseException | None) -> bool:
    """Whether an error came of a Ctrl-C; a library that is interrupted while it is imported says something else."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ if error.__suppress_context__ else error.__context__
    return error is not None
