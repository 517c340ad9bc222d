"""The command `condyle`: its commands in the order of a first visit."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from condyle import __version__
from condyle.cli import files, models, runs
from condyle.cli.errors import Commands, Settings

app = typer.Typer(
    name="condyle",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (
    models.models,
    models.show,
    models.new,
    models.check,
    runs.run,
    runs.wear,
    files.report,
    files.view,
    files.export,
    runs.reproduce,
    models.schema,
    models.version,
):
    app.command()(command)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"condyle {__version__}")
        raise typer.Exit


@app.callback()
def condyle(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an internal error.")] = False,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say which version this is."),
    ] = False,
) -> None:
    """Human joints as data: simulate a model, look at what it did.

    Start with `condyle run planar-knee`; then `condyle new planar-knee my-knee.yaml` gives you a copy to edit.

    Exit status: 0 done, 1 the run or its audit failed, 2 the input is wrong.
    """
    context.ensure_object(Settings).debug = debug


def start() -> None:
    """Run the terminal program. Characters that a terminal cannot show become question marks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app(prog_name="condyle")
