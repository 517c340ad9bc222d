"""A model, its scratch and its memory as tables in which every element owns one row.

Bodies, frames carried by beams, ligaments, springs, loads, contact pairs, their spots, switches, beams and equations
of constraint are elements. An element has the same row in four
tables: `Model.link` (integers: kinds and the rows it refers to), `Model.value` (SI parameters), `work` (what the
right-hand side finds, rewritten at every evaluation) and `memory` (what a run remembers, written at accepted steps
only). Families are contiguous; `Model.layout` tells where each begins. Columns are named beside the kernels that use
them. So few arrays, because each one that is passed to a kernel costs compile time and call time: a table per
element and purpose doubled the time to compile and tripled that of a step.

Ligaments, loads, contacts and constraints speak to bodies through `point_motion` and `add_force` alone, and a frame
on a beam has a row like a body's, so none knows what carries it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from condyle._jit import inlined_kernel, kernel
from condyle.geometry.curve import Curves

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

# Slots of `Model.layout`: first row of each family; the next slot tells where it ends.
TOTALS, BODIES, FRAMES, LIGAMENTS, SPRINGS, LOADS, PAIRS, ROOTS, SPOTS = 0, 1, 2, 3, 4, 5, 6, 7, 8
SWITCHES, BEAMS, MEASURES, PATCHES, EQUATIONS, COUPLINGS, BORDER, N_ROW = 9, 10, 11, 12, 13, 14, 15, 16
# Free bodies come first and move; fixed ones follow and keep their pose. Coordinates are those of the free bodies,
# then of the beams. Rates follow the coordinates in a state; in the plane there are as many.
N_FREE, N_COORDINATE, N_RATE = 17, 18, 19
N_LAYOUT = 20
WIDTH = 16

# Row of totals, in `value`: gravity [m/s^2]; in `work`: powers [W] gathered from all elements.
GRAVITY_X, GRAVITY_Y = 0, 1
LOAD_POWER, DRIVER_POWER, DISSIPATION, THROUGHPUT, NET_POWER, STORED_POWER = 0, 1, 2, 3, 4, 5
# A body's row, in `value`: mass [kg], inertia about the centre of mass [kg m^2].
MASS, INERTIA = 0, 1
# In `work`: position [m], cosine, sine and angle [rad]; velocity [m/s], turning [rad/s]; force [N], moment [N m].
PX, PY, COS, SIN, ANGLE, VX, VY, TURN, FX, FY, MOMENT = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
# A switch's row, in `link`: kind and owner; in `work`: value; in `memory`: side of zero, value at the accepted state.
SWITCH_KIND, OWNER = 0, 1
VALUE = 0
SIGN, ACCEPTED = 0, 1
GAP_SWITCH, PULL_SWITCH, SLACK_SWITCH, TOE_SWITCH, TEAR_SWITCH, LIMP_SWITCH, JUMP_SWITCH = 0, 1, 2, 3, 4, 5, 6

# A state holds the coordinates q, their rates v, then these work integrals [J].
LOAD_WORK, DRIVER_WORK, DISSIPATED, TURNED_OVER = 0, 1, 2, 3
N_WORK = 4
# In space one more: energy stored by pressures, which have no potential of one depth.
STORED, N_SPACE_WORK = 4, 5


class Model(NamedTuple):
    """Everything a right-hand side reads: `layout` (20,), `link` and `value` (n_row, 16), the outlines of bodies, the
    tabulated courses of loads end to end, `course` (2, n): time [s] and factor; and `pool` (n,), the numbers of which
    an element needs more than a row holds, each block where the element's `link` says.
    mechanism : None for a model without springs, beams, joints and drivers, else an empty array. It decides by its
    type what is compiled: a model that has none of them does not wait for their kernels.
    plane : None for a model in space, else an empty array; space : None for a model in the plane, else its surfaces
    (`Space` of `contact/foundation/pairs.py`). They decide by their types as well: the branch of a None is left out.
    """

    layout: Integers
    link: Integers
    value: Array
    curves: Curves
    course: Array
    pool: Array
    mechanism: Array | None
    plane: Array | None
    # Any: a named tuple of the contacts upstairs, whose type the kernels know.
    space: Any


@inlined_kernel
def fill_poses(model: Model, states: Array, at: int, work: Array) -> None:
    """Write the motion of the free bodies in row `at` of the states into the scratch; clear forces and powers."""
    first, n = model.layout[BODIES], model.layout[N_COORDINATE]
    for b in range(model.layout[N_FREE]):
        row, q, v = first + b, 3 * b, n + 3 * b
        angle = states[at, q + 2]
        work[row, PX], work[row, PY], work[row, ANGLE] = states[at, q], states[at, q + 1], angle
        work[row, COS], work[row, SIN] = math.cos(angle), math.sin(angle)
        work[row, VX], work[row, VY], work[row, TURN] = states[at, v], states[at, v + 1], states[at, v + 2]
    for row in range(first, model.layout[FRAMES + 1]):
        work[row, FX], work[row, FY], work[row, MOMENT] = 0.0, 0.0, 0.0
    for k in range(NET_POWER + 1):
        work[TOTALS, k] = 0.0


@inlined_kernel
def accumulate_gravity(model: Model, work: Array) -> None:
    """Add the weight of every free body."""
    gx, gy = model.value[TOTALS, GRAVITY_X], model.value[TOTALS, GRAVITY_Y]
    first = model.layout[BODIES]
    power = 0.0
    for row in range(first, first + model.layout[N_FREE]):
        mass = model.value[row, MASS]
        work[row, FX] += mass * gx
        work[row, FY] += mass * gy
        power += mass * (gx * work[row, VX] + gy * work[row, VY])
    add_power(work, power)


@kernel
def add_power(work: Array, power: float) -> None:
    """Enter the power an element gives to the bodies, for the scale of the energy audit."""
    work[TOTALS, THROUGHPUT] += abs(power)
    work[TOTALS, NET_POWER] += power


@kernel
def point_motion(work: Array, body: int, px: float, py: float) -> tuple[float, float, float, float]:
    """Position [m] and velocity [m/s] of a point held by a body (Machado 2010, Eqs. 9, 11)."""
    rx = work[body, COS] * px - work[body, SIN] * py
    ry = work[body, SIN] * px + work[body, COS] * py
    turn = work[body, TURN]
    return work[body, PX] + rx, work[body, PY] + ry, work[body, VX] - turn * ry, work[body, VY] + turn * rx


@kernel
def point_velocity(work: Array, body: int, x: float, y: float) -> tuple[float, float]:
    """Velocity [m/s] of the material point of a body that is now at the global place x, y [m]."""
    turn = work[body, TURN]
    return work[body, VX] - turn * (y - work[body, PY]), work[body, VY] + turn * (x - work[body, PX])


@kernel
def add_force(work: Array, body: int, x: float, y: float, fx: float, fy: float) -> None:
    """Add a force [N] that acts on a body at the global place x, y [m]."""
    work[body, FX] += fx
    work[body, FY] += fy
    work[body, MOMENT] += (x - work[body, PX]) * fy - (y - work[body, PY]) * fx


@inlined_kernel
def fill_free_rates(model: Model, to: int, work: Array, states: Array) -> None:
    """Write v' = M^-1 Q of the free bodies into row `to` of the states, as if nothing constrained them."""
    first, n = model.layout[BODIES], model.layout[N_COORDINATE]
    for b in range(model.layout[N_FREE]):
        row, v = first + b, n + 3 * b
        states[to, v] = work[row, FX] / model.value[row, MASS]
        states[to, v + 1] = work[row, FY] / model.value[row, MASS]
        states[to, v + 2] = work[row, MOMENT] / model.value[row, INERTIA]


@inlined_kernel
def fill_rates(model: Model, states: Array, at: int, to: int, work: Array) -> None:
    """Write q' = v and the powers that the work integrals gather into row `to` of the states."""
    n = model.layout[N_COORDINATE]
    for k in range(n):
        states[to, k] = states[at, n + k]
    fill_powers(model, to, work, states)


@kernel
def first_work(model: Model) -> int:
    """Where in a state the work integrals begin."""
    return model.layout[N_COORDINATE] + model.layout[N_RATE]


@kernel
def fill_powers(model: Model, to: int, work: Array, states: Array) -> None:
    """Write the powers that the work integrals gather into row `to` of the states."""
    first = first_work(model)
    states[to, first + LOAD_WORK] = work[TOTALS, LOAD_POWER]
    states[to, first + DRIVER_WORK] = work[TOTALS, DRIVER_POWER]
    states[to, first + DISSIPATED] = work[TOTALS, DISSIPATION]
    # What one element gives another takes, so half the sum of magnitudes is what changed hands.
    states[to, first + TURNED_OVER] = 0.5 * (work[TOTALS, THROUGHPUT] + abs(work[TOTALS, NET_POWER]))
