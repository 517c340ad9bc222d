"""All foundation contacts of a model: surfaces and scratch as slices of a few long arrays, so that a model is data.

Rows of contacts stand in the model's tables, in the family PATCHES: one for each pair as a whole, and one for each of
its parts behind it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from condyle._jit import kernel
from condyle.contact.foundation.pair import (
    N_PAIR,
    PAIR_ELASTIC,
    PAIR_FORCE,
    PAIR_LOSS,
    PAIR_MOMENT,
    PAIR_POINT,
    Outputs,
    fill_pair,
)
from condyle.contact.foundation.pool import ScratchPool, SurfacePool, scratch_at, surface_at
from condyle.contact.foundation.pressure import Foundation, Motion
from condyle.laws.foundation.layers import Layers
from condyle.math.space import crossed, minus, plus, times, turned, turned_back
from condyle.mechanics.space import (
    FORCE,
    PLACE,
    ROTATION,
    TORQUE,
    TURNING,
    VELOCITY,
    add_triple,
    nine,
    set_triple,
    triple,
)
from condyle.mechanics.system import (
    DISSIPATION,
    PATCHES,
    STORED_POWER,
    TOTALS,
    Array,
    Model,
    add_power,
)

# A patch's row, in `link`: bodies; surfaces; the pair's number; rows of the pair, 0 for a part's row; the law and
# settings.
FIRST_BODY, SECOND_BODY, FIRST_SURFACE, SECOND_SURFACE, NUMBER, N_PATCH_ROW = 0, 1, 2, 3, 4, 5
LAW, FRICTION, INTEGRATED, DIRECTION, SAMPLING = 6, 7, 8, 9, 10
# In `value`: the law's numbers, damping, friction's numbers, reach.
MODULUS, THICKNESS, SECOND_MODULUS, SECOND_THICKNESS, DAMPING, FRICTION_A, REACH = 0, 1, 2, 3, 4, 5, 9
# In `work`: as a row of loads in `pair.py`, but in global axes, the moment about the first body's centre of mass; last
# what there is to tell of borders. In `memory`: when the contact first ran over a border [s].
BORDERS = N_PAIR
BORDER_AT = 0


class Space(NamedTuple):
    """What a model in space has beside its tables: surfaces, and scratch for the contacts between them.

    scratch : of both sides of every pair in turn; loads and totals : a row a patch; stiffness, jacobian : a block a
    pair, as in `Outputs`; slopes : what stiffness and damping make of it, for Newton's method, shape (n_pair, 6, 6).
    """

    surfaces: SurfacePool
    scratch: ScratchPool
    loads: Array
    totals: Array
    stiffness: Array
    jacobian: Array
    slopes: Array


@kernel
def foundation_at(model: Model, row: int, differentiated: int) -> Foundation:
    """The settings of a pair, with its slopes or without."""
    link, value = model.link, model.value
    law = Layers(
        link[row, LAW],
        value[row, MODULUS],
        value[row, THICKNESS],
        value[row, SECOND_MODULUS],
        value[row, SECOND_THICKNESS],
    )
    friction = (
        value[row, FRICTION_A],
        value[row, FRICTION_A + 1],
        value[row, FRICTION_A + 2],
        value[row, FRICTION_A + 3],
    )
    return Foundation(
        law,
        value[row, DAMPING],
        link[row, FRICTION],
        friction,
        link[row, INTEGRATED],
        link[row, DIRECTION],
        link[row, SAMPLING],
        value[row, REACH],
        differentiated,
    )


@kernel
def motion_between(work: Array, first: int, second: int) -> Motion:
    """Pose and twist of the first body seen from the second: places in the second's axes, the twist in the first's."""
    turn_1, turn_2 = nine(work, first, ROTATION), nine(work, second, ROTATION)
    x = turned_back(turn_2, (turn_1[0], turn_1[3], turn_1[6]))
    y = turned_back(turn_2, (turn_1[1], turn_1[4], turn_1[7]))
    z = turned_back(turn_2, (turn_1[2], turn_1[5], turn_1[8]))
    apart = minus(triple(work, first, PLACE), triple(work, second, PLACE))
    spin = triple(work, second, TURNING)
    velocity = minus(
        triple(work, first, VELOCITY), plus(triple(work, second, VELOCITY), crossed(spin, apart))
    )
    return Motion(
        (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]),
        turned_back(turn_2, apart),
        turned_back(turn_1, velocity),
        turned_back(turn_1, minus(triple(work, first, TURNING), spin)),
    )


@kernel
def accumulate_foundations(space: Space, model: Model, work: Array) -> None:
    """Press the bodies of every pair of surfaces apart where these overlap."""
    for row in range(model.layout[PATCHES], model.layout[PATCHES + 1]):
        if model.link[row, N_PATCH_ROW] > 0:
            first, second = model.link[row, FIRST_BODY], model.link[row, SECOND_BODY]
            look_at_pair(space, model, row, motion_between(work, first, second), 0, work)
            press_pair(model, row, work)


@kernel
def look_at_pair(
    space: Space, model: Model, row: int, motion: Motion, differentiated: int, work: Array
) -> None:
    """Find the outputs of one pair of surfaces in a pose; into its rows and those of its parts, in global axes."""
    link = model.link
    first, number, count = link[row, FIRST_BODY], link[row, NUMBER], link[row, N_PATCH_ROW]
    one, other = link[row, FIRST_SURFACE], link[row, SECOND_SURFACE]
    begin = row - model.layout[PATCHES]
    outputs = Outputs(
        space.loads[begin : begin + count],
        space.stiffness[number],
        space.totals[begin : begin + count],
        space.jacobian[number],
    )
    borders = fill_pair(
        surface_at(space.surfaces, one),
        surface_at(space.surfaces, other),
        motion,
        foundation_at(model, row, differentiated),
        scratch_at(space.scratch, 2 * number),
        scratch_at(space.scratch, 2 * number + 1),
        outputs,
    )
    turn, place = nine(work, first, ROTATION), triple(work, first, PLACE)
    for k in range(count):
        loads, at = outputs.loads, row + k
        for column in range(N_PAIR):
            work[at, column] = loads[k, column]
        set_triple(work, at, PAIR_FORCE, turned(turn, triple(loads, k, PAIR_FORCE)))
        set_triple(work, at, PAIR_MOMENT, turned(turn, triple(loads, k, PAIR_MOMENT)))
        set_triple(work, at, PAIR_POINT, plus(place, turned(turn, triple(loads, k, PAIR_POINT))))
        work[at, BORDERS] = borders


@kernel
def press_pair(model: Model, row: int, work: Array) -> None:
    """Apply what a pair of surfaces was found to do to its bodies."""
    first, second = model.link[row, FIRST_BODY], model.link[row, SECOND_BODY]
    force, moment = triple(work, row, PAIR_FORCE), triple(work, row, PAIR_MOMENT)
    add_triple(work, first, FORCE, force)
    add_triple(work, first, TORQUE, moment)
    arm = minus(triple(work, first, PLACE), triple(work, second, PLACE))
    add_triple(work, second, FORCE, times(-1.0, force))
    add_triple(work, second, TORQUE, times(-1.0, plus(moment, crossed(arm, force))))
    elastic, loss = work[row, PAIR_ELASTIC], work[row, PAIR_LOSS]
    add_power(work, elastic - loss)
    work[TOTALS, DISSIPATION] += loss
    work[TOTALS, STORED_POWER] -= elastic


@kernel
def keep_borders(model: Model, memory: Array, work: Array, now: float) -> None:
    """Remember when a contact first ran over the border of a surface."""
    for row in range(model.layout[PATCHES], model.layout[PATCHES + 1]):
        if work[row, BORDERS] > 0.0 and math.isnan(memory[row, BORDER_AT]):
            memory[row, BORDER_AT] = now
