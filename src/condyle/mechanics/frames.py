"""Frames that something flexible carries: a place and a direction, linear in the coordinates of their carrier.

The place is sum w_k e_k and the direction sum d_k e_k over a block of coordinates e_k (x and y side by side), so the
frame's angle is that of its direction. A frame has the columns of a body in its row, and so everything that holds on to
a body holds on to a frame: a force on it becomes forces on the coordinates, and a constraint sees its mobility, which
is the acceleration of one frame by a force on another of the same carrier. Of that, all that depends on the carrier's
inertia is constant (w_i M^-1 w_j and the like) and found once.
"""

from __future__ import annotations

import math

from condyle._jit import inlined_kernel, kernel
from condyle.mechanics.system import (
    ANGLE,
    BODIES,
    COS,
    FRAMES,
    FX,
    FY,
    INERTIA,
    MASS,
    MOMENT,
    N_COORDINATE,
    N_FREE,
    PX,
    PY,
    SIN,
    TURN,
    VX,
    VY,
    Array,
    Model,
)

# A frame's row, in `link`: its carrier, its number there and how many frames that has, its first coordinate and the
# number of pairs it depends on; the carrier's first coordinate and its pairs; blocks of the pool: responses of the
# carrier to the frame, mobilities of the carrier's frames.
CARRIER, NUMBER, N_FRAME, FIRST, N_PAIR, CARRIER_FIRST, N_CARRIER, RESPONSE, MOBILITY = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
)
# In `value`: weights of the place, weights of the direction, how far the frame is turned from its direction [rad].
PLACE, DIRECTION, TURNED = 0, 6, 12
# In `work`, behind a body's columns: second rate of the angle while no coordinate accelerates [rad/s^2], gradient of
# the angle with respect to the direction.
BIAS, GRADIENT_X, GRADIENT_Y = 11, 12, 13
# In `memory`: the angle at the accepted state, from which it goes on without jumps [rad].
LAST_ANGLE = 0


@inlined_kernel
def fill_frames(model: Model, states: Array, at: int, memory: Array, work: Array) -> None:
    """Write the motion of all carried frames in row `at` of the states into the scratch."""
    n = model.layout[N_COORDINATE]
    for row in range(model.layout[FRAMES], model.layout[FRAMES + 1]):
        px, py, vx, vy, dx, dy, ux, uy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(model.link[row, N_PAIR]):
            q = model.link[row, FIRST] + 2 * k
            w, d = model.value[row, PLACE + k], model.value[row, DIRECTION + k]
            px, py = px + w * states[at, q], py + w * states[at, q + 1]
            vx, vy = vx + w * states[at, n + q], vy + w * states[at, n + q + 1]
            dx, dy = dx + d * states[at, q], dy + d * states[at, q + 1]
            ux, uy = ux + d * states[at, n + q], uy + d * states[at, n + q + 1]
        inverse = 1.0 / (dx * dx + dy * dy)
        turn = (dx * uy - dy * ux) * inverse
        angle = math.atan2(dy, dx) + model.value[row, TURNED]
        angle += 2.0 * math.pi * round((memory[row, LAST_ANGLE] - angle) / (2.0 * math.pi))
        work[row, PX], work[row, PY], work[row, VX], work[row, VY] = px, py, vx, vy
        work[row, ANGLE], work[row, COS], work[row, SIN] = angle, math.cos(angle), math.sin(angle)
        work[row, TURN], work[row, BIAS] = turn, -2.0 * turn * (dx * ux + dy * uy) * inverse
        work[row, GRADIENT_X], work[row, GRADIENT_Y] = -dy * inverse, dx * inverse


@inlined_kernel
def spread_forces(model: Model, to: int, work: Array, states: Array) -> None:
    """Add the forces on all carried frames to the generalised forces of their carriers, in row `to` of the states."""
    n = model.layout[N_COORDINATE]
    for row in range(model.layout[FRAMES], model.layout[FRAMES + 1]):
        fx, fy, moment = work[row, FX], work[row, FY], work[row, MOMENT]
        mx, my = moment * work[row, GRADIENT_X], moment * work[row, GRADIENT_Y]
        for k in range(model.link[row, N_PAIR]):
            q = n + model.link[row, FIRST] + 2 * k
            w, d = model.value[row, PLACE + k], model.value[row, DIRECTION + k]
            states[to, q] += w * fx + d * mx
            states[to, q + 1] += w * fy + d * my


@kernel
def frame_acceleration(
    model: Model, row: int, states: Array, to: int, work: Array
) -> tuple[float, float, float]:
    """Acceleration [m/s^2] and angular acceleration [rad/s^2] of a body or frame from v' in row `to` of the states;
    a frame's own bias is left out, as a body has none.
    """
    n = model.layout[N_COORDINATE]
    body = row - model.layout[BODIES]
    if body < model.layout[N_FREE]:
        v = n + 3 * body
        return states[to, v], states[to, v + 1], states[to, v + 2]
    ax, ay, dx, dy = 0.0, 0.0, 0.0, 0.0
    if row >= model.layout[FRAMES]:
        for k in range(model.link[row, N_PAIR]):
            q = n + model.link[row, FIRST] + 2 * k
            w, d = model.value[row, PLACE + k], model.value[row, DIRECTION + k]
            ax, ay = ax + w * states[to, q], ay + w * states[to, q + 1]
            dx, dy = dx + d * states[to, q], dy + d * states[to, q + 1]
        return ax, ay, work[row, GRADIENT_X] * dx + work[row, GRADIENT_Y] * dy
    return 0.0, 0.0, 0.0


@kernel
def angle_bias(model: Model, row: int, work: Array) -> float:
    """Second rate of a body's or frame's angle while no coordinate accelerates [rad/s^2]."""
    return work[row, BIAS] if row >= model.layout[FRAMES] else 0.0


@kernel
def mobility(
    model: Model, i: int, j: int, work: Array, ai: tuple[float, float, float], aj: tuple[float, float, float]
) -> float:
    """a_i A_ij a_j: what the generalised force `aj` on body or frame `j` does to the motion along `ai` of `i`."""
    frames, first = model.layout[FRAMES], model.layout[BODIES]
    if i < frames or j < frames:
        if i != j or i - first >= model.layout[N_FREE]:
            return 0.0
        return (ai[0] * aj[0] + ai[1] * aj[1]) / model.value[i, MASS] + ai[2] * aj[2] / model.value[
            i, INERTIA
        ]
    if model.link[i, CARRIER] != model.link[j, CARRIER]:
        return 0.0
    entry = model.link[i, MOBILITY] + 4 * (
        model.link[i, NUMBER] * model.link[i, N_FRAME] + model.link[j, NUMBER]
    )
    pool = model.pool
    gix, giy = work[i, GRADIENT_X] * ai[2], work[i, GRADIENT_Y] * ai[2]
    gjx, gjy = work[j, GRADIENT_X] * aj[2], work[j, GRADIENT_Y] * aj[2]
    return (
        pool[entry] * (ai[0] * aj[0] + ai[1] * aj[1])
        + pool[entry + 1] * (ai[0] * gjx + ai[1] * gjy)
        + pool[entry + 2] * (gix * aj[0] + giy * aj[1])
        + pool[entry + 3] * (gix * gjx + giy * gjy)
    )


@kernel
def clear_pushes(model: Model, work: Array) -> None:
    """Forget the forces on carried frames, which have been spread already, to gather those of constraints."""
    for row in range(model.layout[FRAMES], model.layout[FRAMES + 1]):
        work[row, FX], work[row, FY], work[row, MOMENT] = 0.0, 0.0, 0.0


@kernel
def push(
    model: Model,
    row: int,
    effort: float,
    along: tuple[float, float, float],
    work: Array,
    states: Array,
    to: int,
) -> None:
    """Apply an effort along a direction of a body's or frame's motion: a body's v' changes at once, in row `to` of the
    states, a frame gathers.
    """
    body = row - model.layout[BODIES]
    if body < model.layout[N_FREE]:
        v = model.layout[N_COORDINATE] + 3 * body
        states[to, v] += effort * along[0] / model.value[row, MASS]
        states[to, v + 1] += effort * along[1] / model.value[row, MASS]
        states[to, v + 2] += effort * along[2] / model.value[row, INERTIA]
    elif row >= model.layout[FRAMES]:
        work[row, FX] += effort * along[0]
        work[row, FY] += effort * along[1]
        work[row, MOMENT] += effort * along[2]


@kernel
def accelerate_carriers(model: Model, work: Array, states: Array, to: int) -> None:
    """Add what the gathered forces on carried frames do to v' of their carriers, in row `to` of the states."""
    n, pool = model.layout[N_COORDINATE], model.pool
    for row in range(model.layout[FRAMES], model.layout[FRAMES + 1]):
        fx, fy, moment = work[row, FX], work[row, FY], work[row, MOMENT]
        mx, my = moment * work[row, GRADIENT_X], moment * work[row, GRADIENT_Y]
        count, block = model.link[row, N_CARRIER], model.link[row, RESPONSE]
        v = n + model.link[row, CARRIER_FIRST]
        for k in range(count):
            w, d = pool[block + k], pool[block + count + k]
            states[to, v + 2 * k] += w * fx + d * mx
            states[to, v + 2 * k + 1] += w * fy + d * my


@kernel
def spread_gradient(
    model: Model, row: int, work: Array, source: int, column: int, beams: Array, bodies: Array
) -> None:
    """Add a gradient with respect to a body's or frame's place and angle, which stands in row `source` of the scratch
    from `column` on, to one with respect to the coordinates of beams and of bodies.
    """
    x, y, turn = work[source, column], work[source, column + 1], work[source, column + 2]
    body = row - model.layout[BODIES]
    if body < model.layout[N_FREE]:
        bodies[3 * body] += x
        bodies[3 * body + 1] += y
        bodies[3 * body + 2] += turn
    elif row >= model.layout[FRAMES]:
        first = model.link[row, FIRST] - 3 * model.layout[N_FREE]
        for k in range(model.link[row, N_PAIR]):
            w, d = model.value[row, PLACE + k], model.value[row, DIRECTION + k]
            beams[first + 2 * k] += w * x + d * turn * work[row, GRADIENT_X]
            beams[first + 2 * k + 1] += w * y + d * turn * work[row, GRADIENT_Y]
