"""Loads of contacts along named coordinates of a run, as labelled numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from condyle.analysis.coordinate_loads import CoordinateLoads
from condyle.mechanics.system import N_SPACE_WORK, Array
from condyle.model.compiled import compiled
from condyle.results.results import Results
from condyle.results.surfaces import contact_names, kept_patches

if TYPE_CHECKING:
    import xarray as xr


def coordinate_loads(results: Results, coordinates: Sequence[str]) -> xr.DataArray:
    """What the foundations of a run do along named coordinates, at its rows: (time, contact, coordinate) [N, N m].

    Parameters
    ----------
    results : of a model in space.
    coordinates : names of measures of the model that, with its joints, say where every body is, such as the six of a
        knee. Loads are conjugate to them: what a contact gives to the motion is the sum of loads times rates (m/s,
        rad/s). Contacts are those of the dataset, each as a whole and part by part.
    """
    asked = CoordinateLoads(compiled(results.spec), coordinates)
    states = _states(asked, results.dataset)
    found = np.array([asked.at(y) for y in states])
    return _labelled(asked, coordinates, found, ("N", "N m"), results.dataset["time"])


def coordinate_stiffness(results: Results, coordinates: Sequence[str], time: float = 0.0) -> xr.DataArray:
    """How these loads change along their own coordinates: (contact, coordinate) [N/m, N m/rad], Eq. 1 of Lin 2010.

    Entry k is dQ_k / dc_k, the other coordinates held, in the pose of the row next to `time` [s], at rest; it is
    negative where the contact pushes back. A direction with a far larger value than the others of its unit is a
    sensitive one.
    """
    asked = CoordinateLoads(compiled(results.spec), coordinates)
    row = results.dataset.sel(time=[time], method="nearest")
    found = asked.stiffness(_states(asked, row)[0])
    return _labelled(asked, coordinates, found[None], ("N/m", "N m/rad"), row["time"]).isel(time=0)


def _states(asked: CoordinateLoads, dataset: xr.Dataset) -> Array:
    """States of the model at rows of a dataset, shape (n, n_state)."""
    now = dataset.sel(body=asked.model.free_bodies)

    def side_by_side(*names: str) -> Array:
        parts = [now[name].transpose("time", "body", ...).values for name in names]
        return np.concatenate(parts, axis=2).reshape(now.sizes["time"], -1)

    places, rates = side_by_side("position", "orientation"), side_by_side("velocity", "angular_velocity")
    return np.hstack([places, rates, np.zeros((len(places), N_SPACE_WORK))])


def _labelled(
    asked: CoordinateLoads, coordinates: Sequence[str], found: Array, units: tuple[str, str], time: Any
) -> xr.DataArray:
    """Values of all patches as those of the contacts that have a name."""
    import xarray as xr

    return xr.DataArray(
        found[:, kept_patches(asked.model.surfaces)],
        dims=("time", "contact", "coordinate"),
        coords={
            "time": time,
            "contact": contact_names(asked.model),
            "coordinate": list(coordinates),
            "coordinate_unit": ("coordinate", [units[angle] for angle in asked.angles]),
        },
    )
