"""How the forces of foundations change as bodies move: what Newton's method on a model's rates needs of them.

The slopes of a pair are those of the force and moment on its first body by a small motion of the second, at the first
body's origin and in its axes (`pair.py`). A motion of the first is the opposite one of the second, with the force
carried along.
"""

from __future__ import annotations

from condyle._jit import kernel
from condyle.contact.foundation.pair import PAIR_FORCE, PAIR_MOMENT
from condyle.contact.foundation.pairs import (
    DAMPING,
    FIRST_BODY,
    FRICTION,
    N_PATCH_ROW,
    NUMBER,
    SECOND_BODY,
    Space,
    look_at_pair,
    motion_between,
)
from condyle.contact.foundation.pressure import FRICTIONLESS, Motion
from condyle.math.space import Vector, crossed, minus, plus, times, turned, turned_back
from condyle.mechanics.space import N_BODY_RATE, PLACE, ROTATION, nine, set_triple, triple
from condyle.mechanics.system import BODIES, N_FREE, PATCHES, Array, Model

# Relative velocities are nudged by this [m/s, rad/s].
NUDGE = 1e-7


@kernel
def add_foundation_slopes(
    space: Space, model: Model, work: Array, to_velocity: float, factor: float, matrix: Array
) -> None:
    """Add the slopes of the forces of all foundations along all rates, times a factor, to a matrix.

    to_velocity : by how much a rate changes with a motion [1/s], for what depends on rates.
    """
    for row in range(model.layout[PATCHES], model.layout[PATCHES + 1]):
        if model.link[row, N_PATCH_ROW] == 0:
            continue
        number = model.link[row, NUMBER]
        motion = motion_between(work, model.link[row, FIRST_BODY], model.link[row, SECOND_BODY])
        look_at_pair(space, model, row, motion, 1, work)
        for j in range(6):
            for k in range(6):
                space.slopes[number, j, k] = space.stiffness[number, j, k]
        if model.value[row, DAMPING] > 0.0 or model.link[row, FRICTION] != FRICTIONLESS:
            add_damping(space, model, row, motion, to_velocity, work)
        for side in range(2):
            add_columns(model, row, side, space.slopes[number], factor, work, matrix)


@kernel
def add_damping(
    space: Space, model: Model, row: int, motion: Motion, to_velocity: float, work: Array
) -> None:
    """Add what relative velocities change to the slopes of a pair, by differences."""
    slopes = space.slopes[model.link[row, NUMBER]]
    force, moment = triple(work, row, PAIR_FORCE), triple(work, row, PAIR_MOMENT)
    turn = nine(work, model.link[row, FIRST_BODY], ROTATION)
    for column in range(6):
        # The first surface's motion against the second is nudged; the second's is the opposite.
        v = plus(motion.v, along(column, NUDGE)) if column < 3 else motion.v
        w = motion.w if column < 3 else plus(motion.w, along(column - 3, NUDGE))
        look_at_pair(space, model, row, Motion(motion.R, motion.p, v, w), 0, work)
        pushed = turned_back(turn, minus(triple(work, row, PAIR_FORCE), force))
        swung = turned_back(turn, minus(triple(work, row, PAIR_MOMENT), moment))
        for k in range(3):
            slopes[k, column] -= to_velocity * pushed[k] / NUDGE
            slopes[k + 3, column] -= to_velocity * swung[k] / NUDGE
    set_triple(work, row, PAIR_FORCE, force)
    set_triple(work, row, PAIR_MOMENT, moment)


@kernel
def along(axis: int, length: float) -> Vector:
    """A vector along one axis."""
    return (length if axis == 0 else 0.0, length if axis == 1 else 0.0, length if axis == 2 else 0.0)


@kernel
def product(slopes: Array, first_row: int, shift: Vector, turn: Vector) -> Vector:
    """Three rows of the slopes times a small motion."""
    x, y, z = 0.0, 0.0, 0.0
    for k in range(3):
        x += slopes[first_row, k] * shift[k] + slopes[first_row, k + 3] * turn[k]
        y += slopes[first_row + 1, k] * shift[k] + slopes[first_row + 1, k + 3] * turn[k]
        z += slopes[first_row + 2, k] * shift[k] + slopes[first_row + 2, k + 3] * turn[k]
    return x, y, z


@kernel
def add_columns(
    model: Model, row: int, side: int, slopes: Array, factor: float, work: Array, matrix: Array
) -> None:
    """Add the columns of one body's rates: what its small motions change of the forces on both."""
    first, second = model.link[row, FIRST_BODY], model.link[row, SECOND_BODY]
    body = first if side == 0 else second
    b = body - model.layout[BODIES]
    if b >= model.layout[N_FREE]:
        return
    turn = nine(work, first, ROTATION)
    force, moment = triple(work, row, PAIR_FORCE), triple(work, row, PAIR_MOMENT)
    arm = minus(triple(work, first, PLACE), triple(work, second, PLACE))
    none = (0.0, 0.0, 0.0)
    for part in range(N_BODY_RATE):
        shift = along(part, 1.0) if part < 3 else none
        angle = turned(nine(work, body, ROTATION), along(part - 3, 1.0)) if part >= 3 else none
        # The motion of the second body seen from the first, at the first one's origin.
        seen = times(-1.0, shift) if side == 0 else plus(shift, crossed(angle, arm))
        seen_turn = times(-1.0, angle) if side == 0 else angle
        moved, twisted = turned_back(turn, seen), turned_back(turn, seen_turn)
        pushed = turned(turn, product(slopes, 0, moved, twisted))
        swung = turned(turn, product(slopes, 3, moved, twisted))
        opening = times(-1.0, shift)
        if side == 0:
            pushed = plus(pushed, crossed(angle, force))
            swung = plus(swung, crossed(angle, moment))
            opening = shift
        column = N_BODY_RATE * b + part
        own = angle if side == 0 else none
        add_to_rows(model, first, column, pushed, minus(swung, crossed(own, moment)), factor, work, matrix)
        # The opposite force on the second body, with its moment about that one's centre of mass.
        back = times(-1.0, plus(swung, plus(crossed(opening, force), crossed(arm, pushed))))
        own = angle if side == 1 else none
        whole = times(-1.0, plus(moment, crossed(arm, force)))
        add_to_rows(
            model, second, column, times(-1.0, pushed), minus(back, crossed(own, whole)), factor, work, matrix
        )


@kernel
def add_to_rows(
    model: Model,
    body: int,
    column: int,
    pushed: Vector,
    swung: Vector,
    factor: float,
    work: Array,
    matrix: Array,
) -> None:
    """Add a change of force and moment in global axes to the rows of a body's rates."""
    b = body - model.layout[BODIES]
    if b >= model.layout[N_FREE]:
        return
    own, v = turned_back(nine(work, body, ROTATION), swung), N_BODY_RATE * b
    for k in range(3):
        matrix[v + k, column] += factor * pushed[k]
        matrix[v + 3 + k, column] += factor * own[k]
