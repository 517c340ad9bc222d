"""Commands about results that are already there: report, view and export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from condyle.cli.options import JsonOption, OutOption, ResultsArgument
from condyle.cli.output import say, show_json
from condyle.cli.places import check_folder


def report(directory: ResultsArgument, out: OutOption = None, as_json: JsonOption = False) -> None:
    """Write the report of a run again: one HTML file that works offline.

    Example: `condyle report planar-knee-results`
    """
    from condyle.results import read_results
    from condyle.view import report as write_report

    page = write_report(read_results(directory), _beside(directory, out))
    if as_json:
        show_json({"report": str(page)})
    else:
        typer.echo(f"report   {page}")


def view(
    directory: ResultsArgument,
    out: OutOption = None,
    show: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the moving picture of a run: one HTML file that fills the window and works offline.

    Example: `condyle view planar-knee-results`
    """
    from condyle.results import read_results
    from condyle.view import viewer

    page = viewer(read_results(directory), _beside(directory, out))
    if as_json:
        show_json({"view": str(page)})
    else:
        typer.echo(f"view     {page}")
    if show and not _opened(page):
        say("no browser found; open the file in one")


def export(
    directory: ResultsArgument,
    to: Annotated[
        str,
        typer.Option(
            "--to", metavar="FORMAT", help="csv (tables), sto (OpenSim), vtk (ParaView) or vtu (surfaces)."
        ),
    ],
    out: OutOption = None,
    every: Annotated[
        int | None, typer.Option("--every", min=1, metavar="N", help="Every N-th output time only.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the results of a run for other programs.

    For example:

    - `condyle export planar-knee-results --to csv`
    - `condyle export planar-knee-results --to vtk --every 5`
    """
    from condyle.io import export as write_export
    from condyle.results import read_results

    written = write_export(read_results(directory), _beside(directory, out), to, every)
    if as_json:
        show_json({"files": [str(path) for path in written]})
        return
    shown = [path for path in written if path.parent.name != "frames"]
    for path in shown:
        typer.echo(f"wrote {path}")
    if len(shown) < len(written):
        typer.echo(f"wrote {len(written) - len(shown)} files in {written[0].parent}")


def _opened(page: Path) -> bool:
    """Whether a browser took the page."""
    import webbrowser

    return webbrowser.open(page.absolute().as_uri())


def _beside(directory: Path, out: Path | None) -> Path:
    """Where to write: where asked, else beside the results."""
    place = out or (directory if directory.is_dir() else directory.parent)
    check_folder(place)
    return place
