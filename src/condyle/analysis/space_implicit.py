"""The generalised-alpha step in space: what `implicit.py` does in the plane, on rotations.

The method of Bruels and Cardona 2010 on a Lie group: the unknown of a step is by how much each body moves and turns in
it, in its own frame, and places follow from the start of the step by a turn of that size. Newton's matrix has the
forces' slopes by differences, each rate nudged in turn, but for the foundations, whose slopes are known: looking at
two surfaces takes longer than all the rest.
"""

from __future__ import annotations

from condyle._jit import kernel
from condyle.analysis.dynamics import accumulate_forces_in_space
from condyle.analysis.march import DY_NEW, EVALUATIONS, Y_NEW, Run
from condyle.contact.foundation.pairs import Space, accumulate_foundations
from condyle.contact.foundation.slopes import add_foundation_slopes
from condyle.math.space import crossed, minus, parameters_after, turned, turned_back
from condyle.mechanics.space import (
    FORCE,
    INERTIA,
    MASS,
    N_BODY_COORDINATE,
    N_BODY_RATE,
    ROTATION,
    SPIN,
    TORQUE,
    nine,
    set_triple,
    triple,
)
from condyle.mechanics.system import (
    BODIES,
    EQUATIONS,
    N_COORDINATE,
    N_FREE,
    N_RATE,
    Array,
    Model,
)
from condyle.multibody.equations import EFFORT, FIRST_FRAME, SECOND_FRAME
from condyle.multibody.space_constraints import MEASURE_ROW, fill_space_equations, push_along
from condyle.multibody.space_measures import J_FIRST, J_SECOND
from condyle.solve.bordered import Bordered, clear_system, factor_system

# How far a body is nudged [m, rad].
NUDGE = 1e-7


@kernel
def place_moved(model: Model, states: Array, start: int, to: int, shift: Array) -> None:
    """Write the coordinates in row `start` of the states, moved along all rates by a shift, into row `to`."""
    for b in range(model.layout[N_FREE]):
        q, v = N_BODY_COORDINATE * b, N_BODY_RATE * b
        for k in range(3):
            states[to, q + k] = states[start, q + k] + shift[v + k]
        e = (states[start, q + 3], states[start, q + 4], states[start, q + 5], states[start, q + 6])
        e0, e1, e2, e3 = parameters_after(e, (shift[v + 3], shift[v + 4], shift[v + 5]))
        states[to, q + 3], states[to, q + 4], states[to, q + 5], states[to, q + 6] = e0, e1, e2, e3


@kernel
def fill_bare_forces(
    time: float, states: Array, at: int, to: int, model: Model, memory: Array, work: Array
) -> None:
    """Write all generalised forces but those of foundations, joints by their present efforts, into row `to`."""
    accumulate_forces_in_space(time, states, at, model, memory, work)
    fill_space_equations(model, time, work)
    for row in range(model.layout[EQUATIONS], model.layout[EQUATIONS + 1]):
        push_along(model, model.link[row, MEASURE_ROW], work[row, EFFORT], work)
    gather_space_forces(model, to, work, states)


@kernel
def fill_space_forces(
    space: Space, time: float, states: Array, to: int, model: Model, memory: Array, work: Array
) -> None:
    """Write all generalised forces at the trial into row `to`."""
    fill_bare_forces(time, states, Y_NEW, to, model, memory, work)
    accumulate_foundations(space, model, work)
    gather_space_forces(model, to, work, states)


@kernel
def gather_space_forces(model: Model, to: int, work: Array, states: Array) -> None:
    """Write the forces on all bodies, along their rates, into row `to` of the states."""
    first, n = model.layout[BODIES], model.layout[N_COORDINATE]
    for b in range(model.layout[N_FREE]):
        row, v = first + b, n + N_BODY_RATE * b
        spin = triple(work, row, SPIN)
        gyration = crossed(spin, turned(nine(model.value, row, INERTIA), spin))
        set_triple(states, to, v, triple(work, row, FORCE))
        moment = turned_back(nine(work, row, ROTATION), triple(work, row, TORQUE))
        set_triple(states, to, v + 3, minus(moment, gyration))


@kernel
def fill_space_residual(model: Model, states: Array, force: int, border: Array, scale: float) -> None:
    """Write forces less mass times acceleration of all bodies, scaled."""
    first, n = model.layout[BODIES], model.layout[N_COORDINATE]
    for b in range(model.layout[N_FREE]):
        row, v = first + b, N_BODY_RATE * b
        turning = turned(nine(model.value, row, INERTIA), triple(states, DY_NEW, n + v + 3))
        for k in range(3):
            inertia = model.value[row, MASS] * states[DY_NEW, n + v + k]
            border[v + k] = scale * (states[force, n + v + k] - inertia)
            border[v + 3 + k] = scale * (states[force, n + v + 3 + k] - turning[k])


@kernel
def fill_space_system(
    space: Space,
    time: float,
    model: Model,
    memory: Array,
    work: Array,
    run: Run,
    system: Bordered,
    factors: tuple[int, int, int, float, float, float],
) -> bool:
    """Write and factor Newton's matrix at the trial.

    factors : rows of the states for the nudged state, its forces and those at the trial; by how much a rate and an
    acceleration change with a shift; by what equations of motion are scaled.
    """
    nudged, nudged_force, force, to_velocity, to_acceleration, scale = factors
    states, n, n_rate = run.states, model.layout[N_COORDINATE], model.layout[N_RATE]
    corner = system.corner
    clear_system(system)
    fill_bare_forces(time, states, Y_NEW, force, model, memory, work)
    add_space_jacobian(model, work, corner)
    for b in range(model.layout[N_FREE]):
        row, v = model.layout[BODIES] + b, N_BODY_RATE * b
        factor = scale * to_acceleration
        for j in range(3):
            corner[v + j, v + j] += factor * model.value[row, MASS]
            for k in range(3):
                corner[v + 3 + j, v + 3 + k] += factor * model.value[row, INERTIA + 3 * j + k]
    for k in range(n_rate):
        for i in range(n + n_rate):
            states[nudged, i] = states[Y_NEW, i]
        nudge(states, nudged, k)
        states[nudged, n + k] += to_velocity * NUDGE
        fill_bare_forces(time, states, nudged, nudged_force, model, memory, work)
        for i in range(n_rate):
            corner[i, k] -= scale * (states[nudged_force, n + i] - states[force, n + i]) / NUDGE
    fill_bare_forces(time, states, Y_NEW, force, model, memory, work)
    add_foundation_slopes(space, model, work, to_velocity, -scale, corner)
    fill_space_forces(space, time, states, force, model, memory, work)
    run.tally[EVALUATIONS] += 2
    return factor_system(system)


@kernel
def nudge(states: Array, at: int, k: int) -> None:
    """Move a state by the nudge along one rate."""
    b, part = k // N_BODY_RATE, k % N_BODY_RATE
    q = N_BODY_COORDINATE * b
    if part < 3:
        states[at, q + part] += NUDGE
        return
    turn = (NUDGE if part == 3 else 0.0, NUDGE if part == 4 else 0.0, NUDGE if part == 5 else 0.0)
    e = (states[at, q + 3], states[at, q + 4], states[at, q + 5], states[at, q + 6])
    e0, e1, e2, e3 = parameters_after(e, turn)
    states[at, q + 3], states[at, q + 4], states[at, q + 5], states[at, q + 6] = e0, e1, e2, e3


@kernel
def add_space_jacobian(model: Model, work: Array, corner: Array) -> None:
    """Add J below and -J^T beside the matrix of forces."""
    first, n_rate = model.layout[EQUATIONS], model.layout[N_RATE]
    for row in range(first, model.layout[EQUATIONS + 1]):
        measure, k = model.link[row, MEASURE_ROW], n_rate + row - first
        for side in range(2):
            body = model.link[row, FIRST_FRAME] if side == 0 else model.link[row, SECOND_FRAME]
            column = J_FIRST if side == 0 else J_SECOND
            b = body - model.layout[BODIES]
            if b >= model.layout[N_FREE]:
                continue
            along = triple(work, measure, column)
            turn = turned_back(nine(work, body, ROTATION), triple(work, measure, column + 3))
            for i in range(3):
                v = N_BODY_RATE * b + i
                corner[k, v] += along[i]
                corner[v, k] -= along[i]
                corner[k, v + 3] += turn[i]
                corner[v + 3, k] -= turn[i]
