"""Measures in space: numbers made of two bodies' poses, each with its rate, Jacobian and bias.

A coordinate of a point along a direction that is global or turns with the first body; the distance of two points; the
scalar product of an axis of each body; one of the three angles of a sequence of rotations. Every joint, driver, load
along a measure and curve in the report is made of these. The Jacobian is with respect to both bodies' velocity of the
centre of mass and angular velocity, all in global axes; the bias is the second rate that is there while no body
accelerates.
"""

from __future__ import annotations

import math

from condyle._jit import kernel
from condyle.math.space import Rotation, Vector, crossed, dot, minus, plus, times, turned
from condyle.mechanics.space import (
    PLACE,
    ROTATION,
    TURNING,
    held_point,
    nine,
    set_triple,
    triple,
)
from condyle.mechanics.system import MEASURES, Array, Model

COORDINATE, DISTANCE, PRODUCT, ANGLE_OF_SEQUENCE = 0, 1, 2, 3
# A measure's row, in `link`: what it measures, bodies, whether the direction turns with the first one; of a sequence
# of rotations its three axes (0 to 2) and which of the angles.
KIND, FIRST, SECOND, TURNS, AXIS_1, AXIS_2, AXIS_3, WHICH = 0, 1, 2, 3, 4, 5, 6, 7
# In `value`: places on the bodies [m]; unit direction or axis, of the first body, and axis of the second; frames on
# the bodies between which a sequence turns, each its rotation row by row, in place of these.
FIRST_AT, SECOND_AT, ALONG, OTHER = 0, 3, 6, 9
FIRST_TURN, SECOND_TURN = 12, 21
# Value of the declared measure where what is measured is zero, and whether it counts the other way.
OFFSET, SIGN = 30, 31
# In `work`: value, rate, bias; J; in `memory`: an angle at the accepted state, from which it goes on without jumps.
MEASURED, RATE, BIAS, J_FIRST, J_SECOND = 0, 1, 2, 3, 9
LAST = 0


@kernel
def fill_measures(model: Model, memory: Array, work: Array) -> None:
    """Evaluate every measure, from bodies that are where they are."""
    for row in range(model.layout[MEASURES], model.layout[MEASURES + 1]):
        kind = model.link[row, KIND]
        if kind == PRODUCT:
            fill_product(model, row, work)
        elif kind == ANGLE_OF_SEQUENCE:
            fill_angle(model, row, memory, work)
        else:
            fill_length(model, row, work)
        sign = model.value[row, SIGN]
        work[row, MEASURED] = model.value[row, OFFSET] + sign * work[row, MEASURED]
        if sign < 0.0:
            for column in range(RATE, J_SECOND + 6):
                work[row, column] = -work[row, column]


@kernel
def fill_length(model: Model, row: int, work: Array) -> None:
    """A coordinate or a distance."""
    i, j = model.link[row, FIRST], model.link[row, SECOND]
    (a, velocity_a), (b, velocity_b) = (
        held_point(work, i, triple(model.value, row, FIRST_AT)),
        held_point(work, j, triple(model.value, row, SECOND_AT)),
    )
    turn_i, turn_j = triple(work, i, TURNING), triple(work, j, TURNING)
    arm_i, arm_j = minus(a, triple(work, i, PLACE)), minus(b, triple(work, j, PLACE))
    apart, velocity = minus(b, a), minus(velocity_b, velocity_a)
    # Acceleration of one point seen from the other while no body accelerates.
    pull = minus(crossed(turn_j, crossed(turn_j, arm_j)), crossed(turn_i, crossed(turn_i, arm_i)))
    turning = (0.0, 0.0, 0.0)
    if model.link[row, KIND] == DISTANCE:
        length = math.sqrt(dot(apart, apart))
        u = times(1.0 / length, apart)
        value, rate = length, dot(u, velocity)
        bias = dot(u, pull) + (dot(velocity, velocity) - rate * rate) / length
    elif model.link[row, TURNS]:
        u = turned(nine(work, i, ROTATION), triple(model.value, row, ALONG))
        # The direction turns as well.
        turning = crossed(u, apart)
        value, rate = dot(u, apart), dot(u, velocity) + dot(turn_i, turning)
        swing = crossed(turn_i, u)
        bias = dot(u, pull) + 2.0 * dot(swing, velocity) + dot(crossed(turn_i, swing), apart)
    else:
        u = triple(model.value, row, ALONG)
        value, rate, bias = dot(u, apart), dot(u, velocity), dot(u, pull)
    work[row, MEASURED], work[row, RATE], work[row, BIAS] = value, rate, bias
    set_triple(work, row, J_FIRST, times(-1.0, u))
    set_triple(work, row, J_FIRST + 3, minus(turning, crossed(arm_i, u)))
    set_triple(work, row, J_SECOND, u)
    set_triple(work, row, J_SECOND + 3, crossed(arm_j, u))


@kernel
def set_turning(row: int, work: Array, along: Vector) -> None:
    """Write the Jacobian of a measure that grows as the second body turns about an axis against the first."""
    set_triple(work, row, J_FIRST, (0.0, 0.0, 0.0))
    set_triple(work, row, J_FIRST + 3, times(-1.0, along))
    set_triple(work, row, J_SECOND, (0.0, 0.0, 0.0))
    set_triple(work, row, J_SECOND + 3, along)


@kernel
def fill_product(model: Model, row: int, work: Array) -> None:
    """The scalar product of an axis of each body: the cosine of the angle between them."""
    i, j = model.link[row, FIRST], model.link[row, SECOND]
    turn_i, turn_j = triple(work, i, TURNING), triple(work, j, TURNING)
    a = turned(nine(work, i, ROTATION), triple(model.value, row, ALONG))
    b = turned(nine(work, j, ROTATION), triple(model.value, row, OTHER))
    across, turn = crossed(b, a), minus(turn_j, turn_i)
    rate_of_across = plus(crossed(crossed(turn_j, b), a), crossed(b, crossed(turn_i, a)))
    work[row, MEASURED], work[row, RATE] = dot(a, b), dot(across, turn)
    work[row, BIAS] = dot(rate_of_across, turn)
    set_turning(row, work, across)


@kernel
def after(a: Rotation, b: Rotation) -> Rotation:
    """The product of two rotations."""
    x = turned(a, (b[0], b[3], b[6]))
    y = turned(a, (b[1], b[4], b[7]))
    z = turned(a, (b[2], b[5], b[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@kernel
def column(r: Rotation, k: int) -> Vector:
    """An axis of a turned frame: a column of its rotation."""
    if k == 0:
        return r[0], r[3], r[6]
    if k == 1:
        return r[1], r[4], r[7]
    return r[2], r[5], r[8]


@kernel
def fill_angle(model: Model, row: int, memory: Array, work: Array) -> None:
    """One of the three angles of a sequence of rotations, each about an axis that the earlier ones have turned.

    The first axis stands in the first body's frame, the last one in the second's, the middle one floats square to
    both: Grood and Suntay's joint coordinates where all three differ (Grood 1983).
    """
    link, i, j = model.link, model.link[row, FIRST], model.link[row, SECOND]
    turn_i, turn_j = triple(work, i, TURNING), triple(work, j, TURNING)
    first = after(nine(work, i, ROTATION), nine(model.value, row, FIRST_TURN))
    second = after(nine(work, j, ROTATION), nine(model.value, row, SECOND_TURN))
    p, q, r = link[row, AXIS_1], link[row, AXIS_2], link[row, AXIS_3]
    angle_1, angle_2, angle_3 = angles_between(first, second, p, q, r)
    # The middle axis, turned about the first one.
    hand = handedness(p, q)
    middle = plus(
        times(math.cos(angle_1), column(first, q)),
        times(hand * math.sin(angle_1), column(first, 3 - p - q)),
    )
    a, b, c = column(first, p), middle, column(second, r)
    # Where the first and the last axis lie in line, an angle has no rate of its own: it is no number there.
    volume = dot(a, crossed(b, c))
    inverse = 1.0 / volume if volume != 0.0 else math.nan
    turn = minus(turn_j, turn_i)
    dual_1, dual_2, dual_3 = (
        times(inverse, crossed(b, c)),
        times(inverse, crossed(c, a)),
        times(inverse, crossed(a, b)),
    )
    rate_1, rate_2, rate_3 = dot(dual_1, turn), dot(dual_2, turn), dot(dual_3, turn)
    # How the axes turn: what is left of the second rates while no body accelerates.
    swing = plus(
        plus(
            times(rate_1, crossed(turn_i, a)),
            times(rate_2, crossed(plus(turn_i, times(rate_1, a)), b)),
        ),
        times(rate_3, crossed(turn_j, c)),
    )
    angle, rate, dual = angle_3, rate_3, dual_3
    if link[row, WHICH] == 0:
        angle, rate, dual = angle_1, rate_1, dual_1
    elif link[row, WHICH] == 1:
        angle, rate, dual = angle_2, rate_2, dual_2
    if link[row, WHICH] != 1:
        last = model.value[row, SIGN] * (memory[row, LAST] - model.value[row, OFFSET])
        angle += 2.0 * math.pi * round((last - angle) / (2.0 * math.pi))
    work[row, MEASURED], work[row, RATE], work[row, BIAS] = angle, rate, -dot(dual, swing)
    set_turning(row, work, dual)


@kernel
def handedness(p: int, q: int) -> float:
    """1 where two axes follow each other in the order x, y, z, x, else -1."""
    return 1.0 if (q - p) % 3 == 1 else -1.0


@kernel
def angles_between(first: Rotation, second: Rotation, p: int, q: int, r: int) -> tuple[float, float, float]:
    """The three angles of the sequence of axes p, q, r that take one frame to another [rad]."""
    hand, rest = handedness(p, q), 3 - p - q
    a, b, c = column(first, p), column(first, q), column(first, rest)
    x, y, z = column(second, p), column(second, q), column(second, rest)
    if r != p:  # three different axes
        middle = math.asin(min(max(hand * dot(a, z), -1.0), 1.0))
        return math.atan2(-hand * dot(b, z), dot(c, z)), middle, math.atan2(-hand * dot(a, y), dot(a, x))
    middle = math.acos(min(max(dot(a, x), -1.0), 1.0))
    return math.atan2(dot(b, x), -hand * dot(c, x)), middle, math.atan2(dot(a, y), hand * dot(a, z))


@kernel
def keep_angles(model: Model, memory: Array, work: Array) -> None:
    """Remember the angles of an accepted state."""
    for row in range(model.layout[MEASURES], model.layout[MEASURES + 1]):
        memory[row, LAST] = work[row, MEASURED]
