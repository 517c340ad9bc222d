"""A results dataset laid out flat: one column for every number that changes in time, with a name and a unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Column:
    """One series: `ligament_force.ACL` in N, or `position.tibia.x` in m; values of shape (n_time,)."""

    name: str
    unit: str
    values: Array


def columns(dataset: xr.Dataset) -> list[Column]:
    """Time, then every number that changes in time, in the order of the dataset."""
    return [Column("time", "s", np.asarray(dataset["time"].values, dtype=float)), *_series(dataset)]


def _series(dataset: xr.Dataset) -> Iterator[Column]:
    for name, variable in dataset.data_vars.items():
        if "time" not in variable.dims or variable.dtype.kind not in "fiub":
            continue
        if "face" in variable.dims:
            continue  # a field on a mesh is no matter of columns
        others = [str(dimension) for dimension in variable.dims if dimension != "time"]
        table = np.asarray(variable.transpose(*others, "time").values, dtype=float)
        unit = str(variable.attrs.get("units", ""))
        for place in np.ndindex(table.shape[:-1]):
            if _is_padding(dataset, others, place):
                continue
            labels = [_label(dataset, dimension, at) for dimension, at in zip(others, place, strict=True)]
            own_unit = _unit_by_label(dataset, str(name), place)
            yield Column(".".join([str(name), *labels]), own_unit or unit, table[place])


def _label(dataset: xr.Dataset, dimension: str, at: int) -> str:
    return str(dataset[dimension].values[at]) if dimension in dataset.coords else str(at)


def _is_padding(dataset: xr.Dataset, dimensions: list[str], place: tuple[int, ...]) -> bool:
    """Whether a station is there for a longer beam only."""
    if dimensions[:2] != ["beam", "station"] or "beam_arc" not in dataset:
        return False
    return bool(np.isnan(dataset["beam_arc"].transpose("beam", "station").values[place[:2]]))


# Variables whose labels have units of their own, by the coordinate that holds these, and what they are then called.
_UNITS_BY_LABEL: dict[str, tuple[str, dict[str, str]]] = {
    "measure_value": ("measure_unit", {}),
    "driver_effort": ("driver_unit", {}),
    "spring_extent": ("spring_unit", {}),
    "spring_effort": ("spring_unit", {"m": "N", "rad": "N m"}),
}


def _unit_by_label(dataset: xr.Dataset, name: str, place: tuple[int, ...]) -> str:
    """A label's own unit, such as a measure's: those of one dataset are angles as well as lengths; empty without."""
    coordinate, words = _UNITS_BY_LABEL.get(name, ("", {}))
    if coordinate not in dataset.variables:
        return ""
    unit = str(dataset[coordinate].values[place[0]])
    return words.get(unit, unit)


def labels(dataset: xr.Dataset, dimension: str) -> list[str]:
    """The labels along a dimension; none where the dataset does not have it."""
    return [str(label) for label in dataset[dimension].values] if dimension in dataset.coords else []
