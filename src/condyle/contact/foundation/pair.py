"""Both surfaces of a contact together: what they do to the first body, and what its other outputs are.

Where both surfaces are integrated each counts by half, so that it doesn't matter which one is named first.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from condyle._jit import kernel
from condyle.contact.foundation.pressure import BOTH, FIRST, SECOND, Foundation, Motion
from condyle.contact.foundation.surface import Array, Scratch, Surface
from condyle.contact.foundation.sweep import (
    DEEPEST,
    ELASTIC_POWER,
    LOSS,
    OTHER_BORDER,
    OWN_BORDER,
    PEAK,
    TOTAL_AREA,
    TOTAL_FORCE,
    TOTAL_LOAD,
    TOTAL_MOMENT,
    TOTAL_X,
    Task,
    sweep,
)
from condyle.math.space import Vector, crossed, minus, plus, size, times, turned, turned_back

# A row of loads, in the first surface's axes: force on it and moment about its origin, centre of pressure, area, mean
# and peak pressure, greatest depth, powers of elastic and of lost forces, integral of the pressure.
(
    PAIR_FORCE,
    PAIR_MOMENT,
    PAIR_POINT,
    PAIR_AREA,
    PAIR_MEAN,
    PAIR_PEAK,
    PAIR_DEPTH,
    PAIR_ELASTIC,
    PAIR_LOSS,
    PAIR_LOAD,
) = (
    0,
    3,
    6,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
)
N_PAIR = 16
# What is told of borders, added up: the contact runs over that of the first surface, of the second.
FIRST_BORDER, SECOND_BORDER = 1, 2


class Outputs(NamedTuple):
    """What `fill_pair` writes; parts are those of the surface that has several.

    loads : a row for the whole and one for each part, shape (1 + n_part, N_PAIR).
    stiffness : force and moment on the first surface by a small motion of the second one, translation and turn, all
        in the first one's axes and at its origin, shape (6, 6) [N/m, N, N m/m, N m].
    totals, jacobian : work space of the same shapes, with N_TOTAL columns.
    """

    loads: Array
    stiffness: Array
    totals: Array
    jacobian: Array


@kernel
def fill_pair(
    first: Surface,
    second: Surface,
    motion: Motion,
    foundation: Foundation,
    first_scratch: Scratch,
    second_scratch: Scratch,
    outputs: Outputs,
) -> int:
    """Fill the outputs for the first surface at `motion` seen from the second; returns what to tell of borders."""
    outputs.loads[:, :] = 0.0
    outputs.stiffness[:, :] = 0.0
    if not is_finite(motion):
        outputs.loads[:, :] = outputs.stiffness[:, :] = np.nan
        return 0
    weight = 0.5 if foundation.integrated == BOTH else 1.0
    borders = 0
    for side in (FIRST, SECOND):
        if foundation.integrated != BOTH and foundation.integrated != side:
            continue
        surface, other, seen, scratch = first, second, motion, first_scratch
        if side == SECOND:
            surface, other, seen, scratch = second, first, reversed_motion(motion), second_scratch
        told = sweep(Task(surface, other, seen, foundation, scratch, outputs.totals, outputs.jacobian))
        if side == FIRST:
            borders |= told
            add_own(outputs, weight)
        else:
            borders |= (told & OWN_BORDER) * SECOND_BORDER + (told & OTHER_BORDER) // OTHER_BORDER
            add_reversed(outputs, motion, weight)
            if foundation.differentiated:
                add_reversed_stiffness(outputs, motion, weight)
    finish(outputs.loads)
    return borders


@kernel
def is_finite(motion: Motion) -> bool:
    """Whether all its numbers are; else no depth would be positive, and a lost run go on without contact."""
    total = 0.0
    for k in range(9):
        total += abs(motion.R[k])
    return math.isfinite(total + size(motion.p) + size(motion.v) + size(motion.w))


@kernel
def reversed_motion(motion: Motion) -> Motion:
    """The same motion seen from the other side."""
    R = motion.R
    back = (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8])
    w = times(-1.0, turned(R, motion.w))
    v = minus(times(-1.0, turned(R, motion.v)), crossed(w, motion.p))
    return Motion(back, times(-1.0, turned_back(R, motion.p)), v, w)


@kernel
def add_own(outputs: Outputs, weight: float) -> None:
    """Add totals of the first surface."""
    loads, totals = outputs.loads, outputs.totals
    for k in range(len(loads)):
        for axis in range(3):
            loads[k, PAIR_FORCE + axis] += weight * totals[k, TOTAL_FORCE + axis]
            loads[k, PAIR_MOMENT + axis] += weight * totals[k, TOTAL_MOMENT + axis]
            loads[k, PAIR_POINT + axis] += weight * totals[k, TOTAL_X + axis]
        add_scalars(outputs, k, weight)
    for j in range(6):
        for k in range(6):
            outputs.stiffness[j, k] += weight * outputs.jacobian[j, k]


@kernel
def add_scalars(outputs: Outputs, k: int, weight: float) -> None:
    """Add what looks the same from both sides."""
    loads, totals = outputs.loads, outputs.totals
    loads[k, PAIR_LOAD] += weight * totals[k, TOTAL_LOAD]
    loads[k, PAIR_AREA] += weight * totals[k, TOTAL_AREA]
    loads[k, PAIR_PEAK] = max(loads[k, PAIR_PEAK], totals[k, PEAK])
    loads[k, PAIR_DEPTH] = max(loads[k, PAIR_DEPTH], totals[k, DEEPEST])
    loads[k, PAIR_ELASTIC] += weight * totals[k, ELASTIC_POWER]
    loads[k, PAIR_LOSS] += weight * totals[k, LOSS]


@kernel
def add_reversed(outputs: Outputs, motion: Motion, weight: float) -> None:
    """Add totals of the second surface, as what they do to the first."""
    loads, totals = outputs.loads, outputs.totals
    for k in range(len(loads)):
        force, moment = at_first(
            motion, vector_at(totals, k, TOTAL_FORCE), vector_at(totals, k, TOTAL_MOMENT)
        )
        load = totals[k, TOTAL_LOAD]
        first_moment = minus(vector_at(totals, k, TOTAL_X), times(load, motion.p))
        point = turned_back(motion.R, first_moment)
        for axis in range(3):
            loads[k, PAIR_FORCE + axis] -= weight * force[axis]
            loads[k, PAIR_MOMENT + axis] -= weight * moment[axis]
            loads[k, PAIR_POINT + axis] += weight * point[axis]
        add_scalars(outputs, k, weight)


@kernel
def at_first(motion: Motion, force: Vector, moment: Vector) -> tuple[Vector, Vector]:
    """A force and its moment about the second origin, in the first axes and about the first origin."""
    moved = minus(moment, crossed(motion.p, force))
    return turned_back(motion.R, force), turned_back(motion.R, moved)


@kernel
def vector_at(table: Array, k: int, column: int) -> Vector:
    """Three columns of a row."""
    return table[k, column], table[k, column + 1], table[k, column + 2]


@kernel
def add_reversed_stiffness(outputs: Outputs, motion: Motion, weight: float) -> None:
    """Add the stiffness of the second surface, whose pressure goes with the second body when that moves."""
    totals, jacobian = outputs.totals, outputs.jacobian
    force, moment = at_first(motion, vector_at(totals, 0, TOTAL_FORCE), vector_at(totals, 0, TOTAL_MOMENT))
    origin = times(-1.0, turned_back(motion.R, motion.p))
    for column in range(6):
        shift, turn = unit_motion(column)
        # The same small motion as one of the first surface against the second, at the second origin.
        moved = times(-1.0, turned(motion.R, plus(shift, crossed(turn, origin))))
        turning = times(-1.0, turned(motion.R, turn))
        change, change_moment = at_first(
            motion, product(jacobian, 0, moved, turning), product(jacobian, 3, moved, turning)
        )
        change = plus(change, crossed(turn, force))
        change_moment = plus(change_moment, plus(crossed(turn, moment), crossed(shift, force)))
        for axis in range(3):
            outputs.stiffness[axis, column] -= weight * change[axis]
            outputs.stiffness[axis + 3, column] -= weight * change_moment[axis]


@kernel
def unit_motion(column: int) -> tuple[Vector, Vector]:
    """One of three translations and three turns."""
    axis = column % 3
    along = (1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)
    return (along, (0.0, 0.0, 0.0)) if column < 3 else ((0.0, 0.0, 0.0), along)


@kernel
def product(jacobian: Array, first_row: int, shift: Vector, turn: Vector) -> Vector:
    """Three rows of a 6 x 6 matrix times a small motion."""
    change = (0.0, 0.0, 0.0)
    for k in range(3):
        at_shift = (jacobian[first_row, k], jacobian[first_row + 1, k], jacobian[first_row + 2, k])
        at_turn = (jacobian[first_row, k + 3], jacobian[first_row + 1, k + 3], jacobian[first_row + 2, k + 3])
        change = plus(change, plus(times(shift[k], at_shift), times(turn[k], at_turn)))
    return change


@kernel
def finish(loads: Array) -> None:
    """Turn sums into means: centre of pressure and mean pressure; NaN and zero where nothing touches."""
    for k in range(len(loads)):
        load, area = loads[k, PAIR_LOAD], loads[k, PAIR_AREA]
        for axis in range(3):
            loads[k, PAIR_POINT + axis] = loads[k, PAIR_POINT + axis] / load if load > 0.0 else np.nan
        loads[k, PAIR_MEAN] = load / area if area > 0.0 else 0.0
