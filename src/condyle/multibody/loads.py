"""Applied loads: forces and torques with a course in time."""

from __future__ import annotations

import math

from condyle._jit import inlined_kernel, kernel
from condyle.laws.course.decaying_sine import decaying_sine
from condyle.laws.course.tabulated import tabulated
from condyle.math.polynomial import piecewise
from condyle.mechanics.system import (
    COS,
    LOAD_POWER,
    LOADS,
    MOMENT,
    SIN,
    TOTALS,
    TURN,
    Array,
    Model,
    add_force,
    add_power,
    point_motion,
)

CONSTANT, DECAYING_SINE, TABLE, SMOOTH = 0, 1, 2, 3

# A load's row, in `link`: body, course, whether the direction turns with the body, force or torque; its table, first
# and behind the last row, or its block in the pool and how many pieces that has.
BODY, COURSE, TURNS, IS_TORQUE, FIRST, LAST = 0, 1, 2, 3, 4, 5
# In `value`: place on the body [m], amplitude [N or N m], unit direction, duration [s] and decay of a pulse; after
# how long a table repeats [s], 0 for never.
PLACE_X, PLACE_Y, AMPLITUDE, DIRECTION_X, DIRECTION_Y, DURATION, DECAY, PERIOD = 0, 1, 2, 3, 4, 5, 6, 7
# Terms of the pieces of a smooth table.
N_TERM = 4
# In `work`: force [N], where it acts [m], torque [N m].
LOAD_X, LOAD_Y, AT_X, AT_Y, TORQUE = 0, 1, 2, 3, 4


@kernel
def load_magnitude(model: Model, row: int, time: float) -> float:
    """Magnitude of a load at a time [N or N m]."""
    amplitude = model.value[row, AMPLITUDE]
    course = model.link[row, COURSE]
    if course == DECAYING_SINE:
        return decaying_sine(amplitude, model.value[row, DURATION], model.value[row, DECAY], time)
    period = model.value[row, PERIOD]
    if period > 0.0:
        time -= period * math.floor(time / period)
    if course == SMOOTH:
        first, count = model.link[row, FIRST], model.link[row, LAST]
        return amplitude * piecewise(model.pool, first, count, N_TERM, time)[0]
    if course == TABLE:
        first, last = model.link[row, FIRST], model.link[row, LAST]
        return amplitude * tabulated(model.course[0, first:last], model.course[1, first:last], time)
    return amplitude


@inlined_kernel
def accumulate_loads(model: Model, time: float, work: Array) -> None:
    """Apply every load where it acts, turning with the body where it is declared so."""
    for row in range(model.layout[LOADS], model.layout[LOADS + 1]):
        body = model.link[row, BODY]
        x, y, vx, vy = point_motion(work, body, model.value[row, PLACE_X], model.value[row, PLACE_Y])
        magnitude = load_magnitude(model, row, time)
        fx, fy, torque = 0.0, 0.0, 0.0
        if model.link[row, IS_TORQUE]:
            torque = magnitude
            work[body, MOMENT] += torque
        else:
            ux, uy = model.value[row, DIRECTION_X], model.value[row, DIRECTION_Y]
            if model.link[row, TURNS]:
                cos, sin = work[body, COS], work[body, SIN]
                ux, uy = cos * ux - sin * uy, sin * ux + cos * uy
            fx, fy = magnitude * ux, magnitude * uy
            add_force(work, body, x, y, fx, fy)
        power = fx * vx + fy * vy + torque * work[body, TURN]
        add_power(work, power)
        work[TOTALS, LOAD_POWER] += power
        work[row, LOAD_X], work[row, LOAD_Y], work[row, AT_X], work[row, AT_Y] = fx, fy, x, y
        work[row, TORQUE] = torque
