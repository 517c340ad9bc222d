"""Beams in absolute nodal coordinates: forces of all their elements, and the solution with their mass matrix.

A node holds a place, a slope and, with shear, a section vector; x and y of each stand side by side, so the mass matrix
is the same banded one for x and y and constant (Shabana 1998). Its factor L D L^T is found once.
"""

from __future__ import annotations

from condyle._jit import inlined_kernel, kernel
from condyle.beams.cable import accumulate_cable
from condyle.beams.columns import (
    CABLE,
    FACTOR,
    FACTOR_WIDTH,
    FIRST,
    KIND,
    LOSS,
    N_PAIR,
    STRAIN_POWER,
    WEIGHT,
    WEIGHT_POWER,
)
from condyle.beams.shearable import accumulate_shearable
from condyle.mechanics.frames import spread_forces
from condyle.mechanics.system import (
    BEAMS,
    DISSIPATION,
    GRAVITY_X,
    GRAVITY_Y,
    N_COORDINATE,
    TOTALS,
    Array,
    Model,
    add_power,
)


@inlined_kernel
def fill_beam_forces(model: Model, states: Array, at: int, to: int, work: Array) -> None:
    """Write the generalised forces on all beams, those on the frames they carry included, into row `to`."""
    if model.layout[BEAMS] == model.layout[BEAMS + 1]:
        return
    for row in range(model.layout[BEAMS], model.layout[BEAMS + 1]):
        fill_weight(model, row, states, at, to, work)
        if model.link[row, KIND] == CABLE:
            accumulate_cable(model, row, states, at, to, work)
        else:
            accumulate_shearable(model, row, states, at, to, work)
        add_power(work, work[row, STRAIN_POWER])
        work[TOTALS, DISSIPATION] += work[row, LOSS]
    spread_forces(model, to, work, states)


@inlined_kernel
def fill_beam_rates(model: Model, to: int, states: Array) -> None:
    """Turn the generalised forces on all beams into v' = M^-1 Q in row `to`, as if nothing constrained them."""
    for row in range(model.layout[BEAMS], model.layout[BEAMS + 1]):
        solve_mass(model, row, to, states)


@kernel
def fill_weight(model: Model, row: int, states: Array, at: int, to: int, work: Array) -> None:
    """Begin the generalised forces of a beam with its weight."""
    n, first, block = model.layout[N_COORDINATE], model.link[row, FIRST], model.link[row, WEIGHT]
    gx, gy = model.value[TOTALS, GRAVITY_X], model.value[TOTALS, GRAVITY_Y]
    power = 0.0
    for k in range(model.link[row, N_PAIR]):
        v, weight = n + first + 2 * k, model.pool[block + k]
        states[to, v], states[to, v + 1] = weight * gx, weight * gy
        power += weight * (gx * states[at, v] + gy * states[at, v + 1])
    work[row, WEIGHT_POWER] = power
    add_power(work, power)


@kernel
def solve_mass(model: Model, row: int, to: int, states: Array) -> None:
    """Solve with a beam's mass matrix in place: generalised forces in row `to` of the states become accelerations.

    Forwards a row of the factor holds what lies left of its diagonal, backwards what lies below: the last few solved
    are kept at hand, so that nothing is read back.
    """
    v, block = model.layout[N_COORDINATE] + model.link[row, FIRST], model.link[row, FACTOR]
    pool, count = model.pool, model.link[row, N_PAIR]
    ax, ay, bx, by, cx, cy, dx, dy, ex, ey = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(count):
        p, k = block + FACTOR_WIDTH * i, v + 2 * i
        a, b, c, d, e = pool[p], pool[p + 1], pool[p + 2], pool[p + 3], pool[p + 4]
        x = states[to, k] - (e * ex + d * dx + c * cx + b * bx) - a * ax
        y = states[to, k + 1] - (e * ey + d * dy + c * cy + b * by) - a * ay
        states[to, k], states[to, k + 1] = x, y
        ax, ay, bx, by, cx, cy, dx, dy, ex, ey = x, y, ax, ay, bx, by, cx, cy, dx, dy
    ax, ay, bx, by, cx, cy, dx, dy, ex, ey = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(count - 1, -1, -1):
        p, k = block + FACTOR_WIDTH * i, v + 2 * i
        a, b, c, d, e = pool[p + 6], pool[p + 7], pool[p + 8], pool[p + 9], pool[p + 10]
        x = pool[p + 5] * states[to, k] - (e * ex + d * dx + c * cx + b * bx) - a * ax
        y = pool[p + 5] * states[to, k + 1] - (e * ey + d * dy + c * cy + b * by) - a * ay
        states[to, k], states[to, k + 1] = x, y
        ax, ay, bx, by, cx, cy, dx, dy, ex, ey = x, y, ax, ay, bx, by, cx, cy, dx, dy
