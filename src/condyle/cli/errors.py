"""What the terminal says when something is wrong, and the exit status that goes with it."""

from __future__ import annotations

import errno
import sys
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from condyle.cli.interrupts import came_of_interrupt
from condyle.cli.output import say, show_json

if TYPE_CHECKING:
    from condyle.spec.errors import Problem

DONE, RUN_FAILED, WRONG_INPUT = 0, 1, 2
# Characters of an internal error's text; --debug shows all of it.
LONGEST_TOLD = 200

# Failures of the disk or the system: nothing that a change of the input would mend.
_NOT_THE_INPUT = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM}


class InputError(Exception):
    """Something a person gave that cannot be used; its text says what to give instead."""


class Settings:
    """What a command learned from its options and the error handler must know."""

    def __init__(self) -> None:
        self.debug = False
        self.json = False


class Commands(TyperGroup):
    """The commands behind one door: a user's mistake leaves as lines on stderr and status 2, never as a traceback."""

    def make_context(self, *given: Any, **named: Any) -> Any:
        """Read the options; Ctrl-C meanwhile is as good as any other."""
        try:
            return super().make_context(*given, **named)
        except KeyboardInterrupt:
            say("stopped")
            raise typer.Exit(RUN_FAILED) from None

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Run the command and turn what it raises into words and an exit status."""
        settings = ctx.ensure_object(Settings)
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say("stopped")
            raise typer.Exit(RUN_FAILED) from None
        except BrokenPipeError:
            raise
        except Exception as error:
            if came_of_interrupt(error):
                say("stopped")
                raise typer.Exit(RUN_FAILED) from None
            if settings.debug or _is_clicks_own(error):
                raise
            raise typer.Exit(_reported(error, settings)) from error


def _is_clicks_own(error: Exception) -> bool:
    """Usage errors and wanted exits, which Typer shows itself."""
    return isinstance(error, typer.Exit | typer.Abort) or type(error).__module__.startswith(
        ("typer.", "click.")
    )


def _reported(error: Exception, settings: Settings) -> int:
    """Say what is wrong, one problem a line, and return the exit status."""
    status, problems = _problems(error)
    if settings.json:
        show_json({"status": status, "problems": problems})
    for problem in problems:
        say(problem)
    return status


def _told(problem: Problem) -> str:
    """A problem as a line; the field that is called as this program is must not look like its name once more."""
    return f"field {problem}" if problem.path == "condyle" else str(problem)


def _problems(error: Exception) -> tuple[int, list[str]]:
    """Exit status and the lines to show."""
    from condyle.io import ExportError
    from condyle.results.store import ResultsFileError
    from condyle.spec.errors import SpecError

    if isinstance(error, SpecError):
        return WRONG_INPUT, [_told(problem) for problem in error.problems]
    if isinstance(error, InputError | ExportError | ResultsFileError):
        return WRONG_INPUT, [str(error)]
    if isinstance(error, OSError) and error.filename is not None:
        status = RUN_FAILED if error.errno in _NOT_THE_INPUT else WRONG_INPUT
        return status, [f"{error.filename}: {error.strerror}"]
    if isinstance(error, OSError) and error.errno in _NOT_THE_INPUT:
        return RUN_FAILED, [f"the output cannot be written: {error.strerror}"]
    told = shorten(f"{type(error).__name__}: {error}", LONGEST_TOLD, placeholder=" ...")
    again = " ".join(["condyle --debug", *sys.argv[1:]])
    return RUN_FAILED, [
        f"internal error, not your mistake: {told}. Please report it with what '{again}' shows."
    ]
