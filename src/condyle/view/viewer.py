"""The moving picture alone: one HTML file that fills the window."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from condyle.view.page import escaped, write_page
from condyle.view.picture import drawn_run, picture, picture_data

if TYPE_CHECKING:
    from condyle.results import Results

FILE_NAME = "view.html"


def viewer(results: Results, directory: str | PathLike[str]) -> Path:
    """Write DIR/view.html, whole or not at all, and return its path; makes the folder if need be."""
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    run, made = drawn_run(results), picture(results)
    there = results.dataset.sizes.get("time", 0)
    data = (picture_data(run) | {"columns": run.columns.thinned()}) if there else {"columns": [[]]}
    fields = {
        "title": escaped(results.spec.model.title),
        "warning": _warning(results),
        "picture": made.markup,
    }
    return write_page(folder / FILE_NAME, "view.html", made.scripts, fields, data, made.library)


def _warning(results: Results) -> str:
    """A loud box for a run that cannot be trusted, nothing for one that can."""
    summary = results.summary()
    if summary.complete and summary.audit.finished and summary.audit.passed:
        return ""
    return (
        '<div class="status bad" role="alert"><span class="mark" aria-hidden="true">!</span>'
        f"<p><strong>{escaped(summary.verdict)}</strong> <span>{escaped(summary.status)}</span></p></div>"
    )
