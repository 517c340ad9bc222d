"""Equations of constraint: a measure of two frames equals a number, or follows a motion.

Three measures make every planar joint and driver: a coordinate of one frame's point along a direction that is global
or turns with another frame, the angle between two frames, the distance of two points. Each gives its value, its
rate, its Jacobian with respect to both frames' (x, y, angle), and its bias: the second rate that is there while no
coordinate accelerates (Kasai 2024, Eq. 1: gamma is the motion's second rate less the bias).
"""

from __future__ import annotations

import math

from condyle._jit import inlined_kernel, kernel
from condyle.laws.motion.harmonic import harmonic
from condyle.math.polynomial import piecewise
from condyle.mechanics.frames import angle_bias
from condyle.mechanics.system import (
    ANGLE,
    COS,
    EQUATIONS,
    PX,
    PY,
    SIN,
    TOTALS,
    TURN,
    Array,
    Model,
    point_motion,
)

COORDINATE, ANGLE_BETWEEN, DISTANCE = 0, 1, 2
PIECEWISE, HARMONIC = 0, 1

# An equation's row, in `link`: measure, frames, whether the direction turns with the first one, motion, its block in
# the pool, pieces and terms; number of the first equation that it is coupled with.
MEASURE, FIRST_FRAME, SECOND_FRAME, TURNS, MOTION, BLOCK, N_PIECE, N_TERM, START = 0, 1, 2, 3, 4, 5, 6, 7, 8
# In `value`: places on the frames [m], unit direction; mean, amplitude, pulsation and phase of a harmonic motion;
# after how long a motion repeats [s], 0 for never.
FIRST_X, FIRST_Y, SECOND_X, SECOND_Y, ALONG_X, ALONG_Y, MEAN, AMPLITUDE, PULSATION, PHASE, PERIOD = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
)
# In `work`: by how much the measure misses its motion, and the rate of that; what J a must be; J; the effort that
# sees to it [N or N m], positive where it makes the measure grow; the motion and its rate; whether it says nothing
# that earlier equations do not say, and what part of it is new (a squared sine, small near a singular pose).
MISS, MISS_RATE, WANTED, J_FIRST, J_SECOND, EFFORT, TARGET, TARGET_RATE, IDLE, NEWS = (
    0,
    1,
    2,
    3,
    6,
    9,
    10,
    11,
    12,
    13,
)
# In `memory`: largest miss [m or rad] and rate of it so far, when it was idle or nearly so first [s].
LARGEST_MISS, LARGEST_RATE, IDLE_SINCE = 0, 1, 2
# An equation of which no larger part is new is in a singular pose or close to one.
NEARLY_IDLE = 1e-3
# In the row of totals, `value`: Baumgarte's 2 alpha [1/s] and beta^2 [1/s^2].
MISS_DAMPING, MISS_STIFFNESS = 2, 3


@inlined_kernel
def fill_equations(model: Model, time: float, work: Array) -> None:
    """Evaluate every equation of constraint at a time [s], from frames that are where they are."""
    damping, stiffness = model.value[TOTALS, MISS_DAMPING], model.value[TOTALS, MISS_STIFFNESS]
    for row in range(model.layout[EQUATIONS], model.layout[EQUATIONS + 1]):
        value, rate, bias = measured(model, row, work)
        target, target_rate, target_bend = motion(model, row, time)
        miss, miss_rate = value - target, rate - target_rate
        work[row, MISS], work[row, MISS_RATE] = miss, miss_rate
        # Baumgarte 1972: what misses its motion is drawn back to it.
        work[row, WANTED] = target_bend - bias - damping * miss_rate - stiffness * miss
        work[row, TARGET], work[row, TARGET_RATE] = target, target_rate


@kernel
def motion(model: Model, row: int, time: float) -> tuple[float, float, float]:
    """What an equation's measure must be at a time [s], with its first and second rate."""
    if model.link[row, MOTION] == HARMONIC:
        value = model.value
        return harmonic(
            value[row, MEAN], value[row, AMPLITUDE], value[row, PULSATION], value[row, PHASE], time
        )
    period = model.value[row, PERIOD]
    if period > 0.0:
        time -= period * math.floor(time / period)
    return piecewise(
        model.pool, model.link[row, BLOCK], model.link[row, N_PIECE], model.link[row, N_TERM], time
    )


@kernel
def measured(model: Model, row: int, work: Array) -> tuple[float, float, float]:
    """Value, rate and bias of an equation's measure; its Jacobian goes into the scratch."""
    i, j = model.link[row, FIRST_FRAME], model.link[row, SECOND_FRAME]
    turn_i, turn_j = work[i, TURN], work[j, TURN]
    bias_i, bias_j = angle_bias(model, i, work), angle_bias(model, j, work)
    if model.link[row, MEASURE] == ANGLE_BETWEEN:
        set_jacobian(row, work, 0.0, 0.0, -1.0, 1.0)
        return work[j, ANGLE] - work[i, ANGLE], turn_j - turn_i, bias_j - bias_i
    value = model.value
    ax, ay, avx, avy = point_motion(work, i, value[row, FIRST_X], value[row, FIRST_Y])
    bx, by, bvx, bvy = point_motion(work, j, value[row, SECOND_X], value[row, SECOND_Y])
    rix, riy, rjx, rjy = ax - work[i, PX], ay - work[i, PY], bx - work[j, PX], by - work[j, PY]
    # From the first point to the second: where, how fast, and with what acceleration while no coordinate has one.
    dx, dy, vx, vy = bx - ax, by - ay, bvx - avx, bvy - avy
    cx = -turn_j * turn_j * rjx - bias_j * rjy + turn_i * turn_i * rix + bias_i * riy
    cy = -turn_j * turn_j * rjy + bias_j * rjx + turn_i * turn_i * riy - bias_i * rix
    if model.link[row, MEASURE] == DISTANCE:
        length = math.sqrt(dx * dx + dy * dy)
        ex, ey = dx / length, dy / length
        set_jacobian(row, work, ex, ey, -(ey * rix - ex * riy), ey * rjx - ex * rjy)
        rate = ex * vx + ey * vy
        return length, rate, ex * cx + ey * cy + (vx * vx + vy * vy - rate * rate) / length
    ux, uy, turn, bend = value[row, ALONG_X], value[row, ALONG_Y], 0.0, 0.0
    if model.link[row, TURNS]:
        cos, sin = work[i, COS], work[i, SIN]
        ux, uy, turn, bend = cos * ux - sin * uy, sin * ux + cos * uy, turn_i, bias_i
    along, across = ux * dx + uy * dy, ux * dy - uy * dx
    # The direction turns as well: across is how fast the coordinate changes with its angle.
    turning = across if model.link[row, TURNS] else 0.0
    set_jacobian(row, work, ux, uy, turning - (uy * rix - ux * riy), uy * rjx - ux * rjy)
    rate = ux * vx + uy * vy + turn * across
    bias = ux * cx + uy * cy + 2.0 * turn * (ux * vy - uy * vx) - turn * turn * along + bend * across
    return along, rate, bias


@kernel
def set_jacobian(row: int, work: Array, ux: float, uy: float, first: float, second: float) -> None:
    """Write the Jacobian of a measure that grows as the second point moves along u and the first one back."""
    work[row, J_FIRST], work[row, J_FIRST + 1], work[row, J_FIRST + 2] = -ux, -uy, first
    work[row, J_SECOND], work[row, J_SECOND + 1], work[row, J_SECOND + 2] = ux, uy, second
