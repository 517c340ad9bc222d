"""Results written for other programs, in a format that fits them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from condyle.io.surfaces import write_vtu
from condyle.io.tables import write_csv, write_sto
from condyle.io.vtk import write_vtk
from condyle.results.files import filling
from condyle.spec.errors import did_you_mean

if TYPE_CHECKING:
    import xarray as xr

    from condyle.results import Results


class ExportError(ValueError):
    """A format that does not exist here or does not fit the results."""


@dataclass(frozen=True)
class Format:
    """A format by what it is good for, the dimensions a dataset must have for it, and its writer."""

    about: str
    needs: tuple[str, ...]
    write: Callable[[xr.Dataset, Path], None]


FORMATS = {
    "csv": Format("tables for spreadsheets and plotting", ("time",), write_csv),
    "sto": Format("storage file for OpenSim", ("time",), write_sto),
    "vtk": Format(
        "moving outlines, surfaces, ligaments, beams, springs and forces for ParaView",
        ("time", "body"),
        write_vtk,
    ),
    "vtu": Format(
        "moving surfaces with the pressure on their faces for ParaView", ("time", "body", "face"), write_vtu
    ),
}

FRAME_LIMIT = 1000
_IN_FRAMES = ("vtk", "vtu")

# Formats that people ask for, with the reason why these results cannot be written so.
_ELSEWHERE = {
    "vtu": "vtu holds fields on meshes, which these results do not have",
    "osim": "osim holds a model, not results",
    "mot": "mot is an older form of sto",
    "vtp": "vtp is what vtk writes",
    "pvd": "pvd is what vtk writes",
}


def export(
    results: Results, directory: str | os.PathLike[str], to: str, every: int | None = None
) -> list[Path]:
    """Write results in another format into a folder and say which files were written.

    Parameters
    ----------
    to : csv, sto, vtk or, of spatial results, vtu.
    every : take every n-th output time only; for vtk and vtu, without it, so many that there are at most 1000 frames.
    """
    form = _fitting(results.dataset, to)
    if every is not None and every < 1:
        raise ExportError(f"every must be 1 or more, not {every}")
    target = Path(directory)
    with filling(target, durable=False) as part:
        form.write(_thinned(results.dataset, to, every), part)
        written = sorted(path.relative_to(part) for path in part.rglob("*") if path.is_file())
    _remove_old_frames(target, set(written))
    return [target / path for path in written]


def fitting_formats(dataset: xr.Dataset) -> list[str]:
    """Names of the formats that fit a dataset."""
    return [name for name, form in FORMATS.items() if all(need in dataset.dims for need in form.needs)]


def _thinned(dataset: xr.Dataset, to: str, every: int | None) -> xr.Dataset:
    """Every n-th output time; unless told otherwise all of them, for ParaView at most FRAME_LIMIT of them."""
    bound = max(1, -(-dataset.sizes["time"] // FRAME_LIMIT)) if to in _IN_FRAMES else 1
    return dataset.isel(time=slice(None, None, bound if every is None else every))


def _fitting(dataset: xr.Dataset, to: str) -> Format:
    fit = fitting_formats(dataset)
    if to in fit:
        return FORMATS[to]
    reason = _ELSEWHERE.get(to) or (
        f"no format {to!r}" if to not in FORMATS else f"{to} does not fit these results"
    )
    guess = "" if to in _ELSEWHERE else did_you_mean(to, fit)
    raise ExportError(f"{reason}{guess}; formats that fit: {', '.join(fit) or 'none'}")


def _remove_old_frames(folder: Path, written: set[Path]) -> None:
    """Frames of a longer export that stood here before are no part of this one."""
    for suffix in {path.suffix for path in written} & {".vtp", ".vtu"}:
        for path in (folder / "frames").glob(f"*_[0-9][0-9][0-9][0-9][0-9]{suffix}"):
            if path.relative_to(folder) not in written:
                path.unlink()
