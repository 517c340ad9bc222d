"""Results as text tables: comma-separated values for spreadsheets, and OpenSim's storage format."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from condyle.io.columns import Column, columns

if TYPE_CHECKING:
    import xarray as xr


def write_csv(dataset: xr.Dataset, folder: Path) -> None:
    """Write `timeseries.csv`, a row for every output time; `outlines.csv`, the bones' outlines at rest; `beams.csv`.

    The last says where the stations of beams are, and there is none without beams.

    Headers name a column as the dataset does, with its unit: `ligament_force.ACL [N]`, `position.tibia.x [m]`.
    Numbers have as many digits as it takes to read back the same number; a missing one is an empty cell.
    """
    table = columns(dataset)
    heads = [f"{column.name} [{column.unit}]" if column.unit else column.name for column in table]
    with (folder / "timeseries.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(zip(*([_cell(value) for value in column.values] for column in table), strict=True))
    if "outline" in dataset:
        _write_outlines(dataset, folder / "outlines.csv")
    if "beam_arc" in dataset:
        _write_stations(dataset, folder / "beams.csv")


def _cell(value: float) -> str:
    return "" if math.isnan(value) else repr(float(value))


def _write_outlines(dataset: xr.Dataset, path: Path) -> None:
    """Write the points of every profile in its body's frame, one a row."""
    bodies = dataset["profile_body"].values if "profile_body" in dataset.variables else None
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["profile", "body", "x [m]", "y [m]", "z [m]"])
        for k, name in enumerate(dataset["profile"].values):
            points = dataset["outline"].transpose("profile", "vertex", "axis").values[k]
            body = "" if bodies is None else str(bodies[k])
            writer.writerows(
                [str(name), body, *map(_cell, point)] for point in points if np.isfinite(point).all()
            )


def _write_stations(dataset: xr.Dataset, path: Path) -> None:
    """Write the length along its beam of every station, one a row."""
    arcs = dataset["beam_arc"].transpose("beam", "station").values
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["beam", "station", "along [m]"])
        for name, row in zip(dataset["beam"].values, arcs, strict=True):
            stations = zip(dataset["station"].values, row, strict=True)
            writer.writerows([str(name), str(k), _cell(arc)] for k, arc in stations if np.isfinite(arc))


def write_sto(dataset: xr.Dataset, folder: Path) -> None:
    """Write `results.sto` as OpenSim reads it: time first, tabs between columns, angles in degrees, lengths in metres.

    The format has no place for units, so all but angles are in SI units and the header says `inDegrees=yes`. What
    varies along beams is left out: a storage file holds coordinates and forces, nothing over a length.
    """
    told = dataset.drop_vars([name for name, one in dataset.data_vars.items() if "station" in one.dims])
    table = [_in_opensim_units(column) for column in columns(told)]
    title = " ".join(str(dataset.attrs.get("title", "")).split()) or "results"
    count = len(table[0].values)
    head = [title, "version=1", f"nRows={count}", f"nColumns={len(table)}", "inDegrees=yes", "endheader"]
    names = ["_".join(column.name.split()) for column in table]
    with (folder / "results.sto").open("w", encoding="utf-8", newline="\n") as stream:
        stream.write("\n".join([*head, "\t".join(names)]) + "\n")
        for row in zip(*(column.values.tolist() for column in table), strict=True):
            stream.write("\t".join("NaN" if math.isnan(value) else repr(value) for value in row) + "\n")


# Units a dataset may show that are not those of a storage file, each with the factor to get there.
_OPENSIM_FACTORS = {
    "rad": 180.0 / math.pi,
    "rad/s": 180.0 / math.pi,
    "mm": 1e-3,
    "cm": 1e-2,
    "um": 1e-6,
    "µm": 1e-6,
}


def _in_opensim_units(column: Column) -> Column:
    return Column(column.name, column.unit, column.values * _OPENSIM_FACTORS.get(column.unit, 1.0))
