"""Springs with dampers: a law on the distance of two held points, or on the angle between two bodies.

Whatever a spring does (linear, tabulated, with stops) is a potential of its distance or angle, made of polynomial
pieces; its effort is the derivative, positive where it pulls the two together or the angle back.
"""

from __future__ import annotations

import math

from condyle._jit import inlined_kernel
from condyle.math.polynomial import piecewise
from condyle.mechanics.system import (
    ANGLE,
    DISSIPATION,
    MOMENT,
    SPRINGS,
    TOTALS,
    TURN,
    Array,
    Model,
    add_force,
    add_power,
    point_motion,
)

TRANSLATIONAL, ROTATIONAL = 0, 1

# A spring's row, in `link`: kind, bodies, the block of its potential in the pool, its pieces and their terms.
KIND, ORIGIN_BODY, INSERTION_BODY, POTENTIAL, N_PIECE, N_TERM = 0, 1, 2, 3, 4, 5
# In `value`: places on the bodies [m], damping [N s/m or N m s/rad].
ORIGIN_X, ORIGIN_Y, INSERTION_X, INSERTION_Y, DAMPING = 0, 1, 2, 3, 4
# In `work`: distance or angle, its rate, effort [N or N m], stored energy [J], loss [W], ends [m].
EXTENT, RATE, EFFORT, ENERGY, LOSS, FROM_X, FROM_Y, TO_X, TO_Y = 0, 1, 2, 3, 4, 5, 6, 7, 8


@inlined_kernel
def accumulate_springs(model: Model, work: Array) -> None:
    """Pull or push every pair of ends, or turn every pair of bodies, by the spring's potential and its damper."""
    for row in range(model.layout[SPRINGS], model.layout[SPRINGS + 1]):
        origin, insertion = model.link[row, ORIGIN_BODY], model.link[row, INSERTION_BODY]
        ax, ay, avx, avy = point_motion(work, origin, model.value[row, ORIGIN_X], model.value[row, ORIGIN_Y])
        bx, by, bvx, bvy = point_motion(
            work, insertion, model.value[row, INSERTION_X], model.value[row, INSERTION_Y]
        )
        ex, ey = 0.0, 0.0
        if model.link[row, KIND] == TRANSLATIONAL:
            dx, dy = bx - ax, by - ay
            extent = math.sqrt(dx * dx + dy * dy)
            # Ends that coincide leave the direction open.
            inverse = 1.0 / extent if extent > 0.0 else 0.0
            ex, ey = dx * inverse, dy * inverse
            rate = (bvx - avx) * ex + (bvy - avy) * ey
        else:
            extent = work[insertion, ANGLE] - work[origin, ANGLE]
            rate = work[insertion, TURN] - work[origin, TURN]
        effort = effort_of(model, row, extent, rate, work)
        if model.link[row, KIND] == TRANSLATIONAL:
            add_force(work, origin, ax, ay, effort * ex, effort * ey)
            add_force(work, insertion, bx, by, -effort * ex, -effort * ey)
        else:
            work[origin, MOMENT] += effort
            work[insertion, MOMENT] -= effort
        work[row, FROM_X], work[row, FROM_Y], work[row, TO_X], work[row, TO_Y] = ax, ay, bx, by


@inlined_kernel
def effort_of(model: Model, row: int, extent: float, rate: float, work: Array) -> float:
    """Effort [N or N m] of a spring of an extent that changes at a rate; what it stores and loses is written."""
    energy, elastic, _ = piecewise(
        model.pool, model.link[row, POTENTIAL], model.link[row, N_PIECE], model.link[row, N_TERM], extent
    )
    effort = elastic + model.value[row, DAMPING] * rate
    loss = (effort - elastic) * rate
    add_power(work, -effort * rate)
    work[TOTALS, DISSIPATION] += loss
    work[row, EXTENT], work[row, RATE], work[row, EFFORT] = extent, rate, effort
    work[row, ENERGY], work[row, LOSS] = energy, loss
    return effort
