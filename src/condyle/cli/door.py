"""The way in and out of the terminal program: it opens at once, so that no moment of it ends in a traceback."""

from __future__ import annotations

import _thread
import contextlib
import os
import sys
import threading
from typing import Any

from condyle.cli.interrupts import came_of_interrupt

# Seconds after which a Ctrl-C that was lost is pressed once more.
LATER = 0.05


def main() -> None:
    """Run the terminal program; Ctrl-C ends it in one line at any time, also while it is still being imported."""
    sys.unraisablehook = _hear_again
    try:
        from condyle.cli.app import start

        start()
    except (Exception, KeyboardInterrupt) as error:
        if came_of_interrupt(error):
            _say("stopped")
        elif isinstance(error, OSError):
            # What prints help and usage is not ours.
            _say(f"the output cannot be written: {error.strerror}")
        else:
            raise
        sys.exit(1)
    finally:
        _close_output()


def _say(message: str) -> None:
    """One line on stderr, with no library's help."""
    with contextlib.suppress(OSError):
        os.write(2, f"condyle: {message}\n".encode())


def _hear_again(caught: Any) -> None:
    """A Ctrl-C that fell where Python cannot raise it, as in a callback of the compiler, comes again a little later."""
    if issubclass(caught.exc_type, KeyboardInterrupt):
        again = threading.Timer(LATER, _thread.interrupt_main)
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(caught)


def _close_output() -> None:
    """Give up what a full disk did not take, or Python would try once more at its end and say so in its own way."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, sys.stdout.fileno())
