"""Wear over the last cycle of a run, by Archard's law, from what the contacts were at its rows (Lin 2010, 2.3.5)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from condyle._jit import kernel
from condyle.contact.foundation.pair import reversed_motion
from condyle.contact.foundation.pairs import (
    FIRST_BODY,
    FIRST_SURFACE,
    INTEGRATED,
    N_PATCH_ROW,
    NUMBER,
    SECOND_BODY,
    SECOND_SURFACE,
    Space,
    motion_between,
)
from condyle.contact.foundation.pool import scratch_at, surface_at
from condyle.contact.foundation.pressure import BOTH, FIRST, SECOND
from condyle.contact.foundation.wear import accumulate_face_wear, centre_wear
from condyle.mechanics.system import PATCHES, Array, Model
from condyle.model.compiled import CompiledModel

# A cycle that ends with the run may begin a row's round-off earlier [s].
ROUND_OFF = 1e-9


class Wear(NamedTuple):
    """What wears away in all cycles: depth of each face of each side of each pair [m], shape (n_side_face,), and volume
    of each patch [m^3], face by face and by the centre of pressure, shape (n_patch,).
    """

    depth: Array
    by_face: Array
    by_centre: Array


class WearGauge:
    """Adds up wear row by row."""

    def __init__(self, model: CompiledModel, times: Array) -> None:
        self.model = model
        n_patch = len(model.rows(PATCHES))
        faces = 0 if model.arrays.space is None else len(model.arrays.space.scratch.face_load)
        self._found = Wear(np.zeros(faces), np.zeros(n_patch), np.zeros(n_patch))
        self._weights = {}
        surfaces = model.surfaces
        for number, pair in enumerate(() if surfaces is None else surfaces.pairs):
            if pair.spec.wear is not None:
                period = pair.spec.wear.period or float(times[-1] - times[0])
                counted = times >= times[-1] - period - ROUND_OFF
                weights = pair.spec.wear.factor * pair.spec.wear.cycles * _trapezoid(times, counted)
                self._weights[number] = weights

    def look(self, k: int, work: Array) -> None:
        """Add what wears away around row `k`, at which the contacts have just been looked at."""
        arrays = self.model.arrays
        for row in self.model.rows(PATCHES):
            weights = self._weights.get(int(arrays.link[row, NUMBER]))
            if arrays.link[row, N_PATCH_ROW] > 0 and weights is not None and weights[k] > 0.0:
                add_wear(arrays.space, arrays, row, work, float(weights[k]), self._found)

    @property
    def wear(self) -> Wear | None:
        """What was found; None where no contact is asked for its wear."""
        return self._found if self._weights else None


def _trapezoid(times: Array, counted: NDArray[np.bool_]) -> Array:
    """Time that each row stands for [s], of those that count."""
    weights = np.zeros(len(times))
    steps = np.where(counted[:-1] & counted[1:], np.diff(times), 0.0)
    weights[:-1] += 0.5 * steps
    weights[1:] += 0.5 * steps
    return weights


@kernel
def add_wear(space: Space, model: Model, row: int, work: Array, weight: float, wear: Wear) -> None:
    """Add the wear of one pair; `weight` is factor times duration [m^3 s/(N m)]."""
    link = model.link
    number, begin = link[row, NUMBER], row - model.layout[PATCHES]
    count = link[row, N_PATCH_ROW]
    by_face = wear.by_face[begin : begin + count]
    motion = motion_between(work, link[row, FIRST_BODY], link[row, SECOND_BODY])
    both = link[row, INTEGRATED] == BOTH
    for side in range(2):
        if not both and link[row, INTEGRATED] != (FIRST if side == 0 else SECOND):
            continue
        surface = link[row, FIRST_SURFACE] if side == 0 else link[row, SECOND_SURFACE]
        scratch, seen = scratch_at(space.scratch, 2 * number + side), motion
        if side == 1:
            seen = reversed_motion(motion)
        first, last = (
            space.scratch.offset[2 * number + side, 2],
            space.scratch.offset[2 * number + side + 1, 2],
        )
        share = 0.5 * weight if both else weight
        accumulate_face_wear(
            surface_at(space.surfaces, surface), scratch, seen, share, 1.0, wear.depth[first:last], by_face
        )
    loads = space.loads[begin : begin + count]
    for k in range(count):
        wear.by_centre[begin + k] += centre_wear(loads, k, motion, weight, 1.0)
