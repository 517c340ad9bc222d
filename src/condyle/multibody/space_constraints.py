"""Equations of constraint in space: what `constraints.py` does in the plane, with measures in rows of their own.

The matrix of mobilities, its factor and the rows that say nothing new are those of the plane; the bodies' motion has
six rates instead of three.
"""

from __future__ import annotations

from condyle._jit import inlined_kernel, kernel
from condyle.math.space import Vector, dot, times, turned, turned_back
from condyle.mechanics.space import (
    FORCE,
    MASS,
    N_BODY_RATE,
    ROTATION,
    TORQUE,
    add_triple,
    nine,
    triple,
    turning_rate,
)
from condyle.mechanics.system import (
    BODIES,
    BORDER,
    COUPLINGS,
    DRIVER_POWER,
    EQUATIONS,
    N_COORDINATE,
    N_FREE,
    N_ROW,
    TOTALS,
    Array,
    Model,
    add_power,
)
from condyle.multibody.constraints import (
    COLUMN_EQUATION,
    COLUMN_FRAME,
    COLUMN_SIDE,
    ROW_EQUATION,
    ROW_FRAME,
    ROW_SIDE,
    chunk_of,
    factor_matrix,
    solve_matrix,
)
from condyle.multibody.equations import (
    EFFORT,
    FIRST_FRAME,
    MISS,
    MISS_DAMPING,
    MISS_RATE,
    MISS_STIFFNESS,
    SECOND_FRAME,
    TARGET,
    TARGET_RATE,
    WANTED,
    motion,
)
from condyle.multibody.space_measures import BIAS, FIRST, J_FIRST, J_SECOND, MEASURED, RATE, SECOND

# An equation's row, in `link`, in place of what it measures: the row of its measure.
MEASURE_ROW = 0


@inlined_kernel
def fill_space_equations(model: Model, time: float, work: Array) -> None:
    """Evaluate every equation of constraint at a time [s], from measures that are known."""
    damping, stiffness = model.value[TOTALS, MISS_DAMPING], model.value[TOTALS, MISS_STIFFNESS]
    for row in range(model.layout[EQUATIONS], model.layout[EQUATIONS + 1]):
        measure = model.link[row, MEASURE_ROW]
        target, target_rate, target_bend = motion(model, row, time)
        miss, miss_rate = work[measure, MEASURED] - target, work[measure, RATE] - target_rate
        work[row, MISS], work[row, MISS_RATE] = miss, miss_rate
        work[row, WANTED] = target_bend - work[measure, BIAS] - damping * miss_rate - stiffness * miss
        work[row, TARGET], work[row, TARGET_RATE] = target, target_rate


@kernel
def body_acceleration(model: Model, body: int, states: Array, to: int, work: Array) -> tuple[Vector, Vector]:
    """Acceleration and angular acceleration of a body in global axes, from v' in row `to` of the states."""
    b = body - model.layout[BODIES]
    if b >= model.layout[N_FREE]:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    v = model.layout[N_COORDINATE] + N_BODY_RATE * b
    return triple(states, to, v), turned(nine(work, body, ROTATION), triple(states, to, v + 3))


@kernel
def push_along(model: Model, measure: int, effort: float, work: Array) -> None:
    """Apply an effort along a measure to the forces on both of its bodies."""
    from_body, to_body = model.link[measure, FIRST], model.link[measure, SECOND]
    add_triple(work, from_body, FORCE, times(effort, triple(work, measure, J_FIRST)))
    add_triple(work, from_body, TORQUE, times(effort, triple(work, measure, J_FIRST + 3)))
    add_triple(work, to_body, FORCE, times(effort, triple(work, measure, J_SECOND)))
    add_triple(work, to_body, TORQUE, times(effort, triple(work, measure, J_SECOND + 3)))


@kernel
def accelerate(
    model: Model, body: int, effort: float, measure: int, side: int, states: Array, to: int, work: Array
) -> None:
    """Add what an effort along one side of a measure does to v' of a body, in row `to` of the states."""
    b = body - model.layout[BODIES]
    if b < model.layout[N_FREE]:
        v = model.layout[N_COORDINATE] + N_BODY_RATE * b
        add_triple(states, to, v, times(effort / model.value[body, MASS], triple(work, measure, side)))
        turn = turning_rate(model, work, body, triple(work, measure, side + 3))
        add_triple(states, to, v + 3, times(effort, turn))


@inlined_kernel
def constrain_in_space(model: Model, to: int, work: Array, states: Array) -> None:
    """Find the efforts of all equations and add what they do to v' in row `to` of the states."""
    first, end = model.layout[EQUATIONS], model.layout[EQUATIONS + 1]
    if end == first:
        return
    for row in range(first, end):
        measure = model.link[row, MEASURE_ROW]
        along_i, turn_i = body_acceleration(model, model.link[row, FIRST_FRAME], states, to, work)
        along_j, turn_j = body_acceleration(model, model.link[row, SECOND_FRAME], states, to, work)
        work[row, EFFORT] = (
            work[row, WANTED]
            - dot(triple(work, measure, J_FIRST), along_i)
            - dot(triple(work, measure, J_FIRST + 3), turn_i)
            - dot(triple(work, measure, J_SECOND), along_j)
            - dot(triple(work, measure, J_SECOND + 3), turn_j)
        )
    fill_space_matrix(model, work)
    factor_matrix(model, work)
    solve_matrix(model, EFFORT, work)
    for row in range(first, end):
        effort, measure = work[row, EFFORT], model.link[row, MEASURE_ROW]
        accelerate(model, model.link[row, FIRST_FRAME], effort, measure, J_FIRST, states, to, work)
        accelerate(model, model.link[row, SECOND_FRAME], effort, measure, J_SECOND, states, to, work)
        power = effort * work[row, TARGET_RATE]
        if power != 0.0:
            add_power(work, power)
            work[TOTALS, DRIVER_POWER] += power


@kernel
def fill_space_matrix(model: Model, work: Array) -> None:
    """Write the lower half of J M^-1 J^T: what an effort along one equation does to the measure of another."""
    base, chunk = model.layout[BORDER], chunk_of(model)
    for row in range(base, model.layout[N_ROW]):
        for column in range(16):
            work[row, column] = 0.0
    for row in range(model.layout[COUPLINGS], model.layout[COUPLINGS + 1]):
        r, s = model.link[row, ROW_EQUATION], model.link[row, COLUMN_EQUATION]
        body = model.link[row, ROW_FRAME]
        if model.link[row, COLUMN_FRAME] != body:
            continue
        a, b = model.link[r, MEASURE_ROW], model.link[s, MEASURE_ROW]
        side_a, side_b = model.link[row, ROW_SIDE], model.link[row, COLUMN_SIDE]
        turn_a = turned_back(nine(work, body, ROTATION), triple(work, a, side_a + 3))
        entry = dot(triple(work, a, side_a), triple(work, b, side_b)) / model.value[body, MASS]
        entry += dot(turn_a, turning_rate(model, work, body, triple(work, b, side_b + 3)))
        i, j = r - model.layout[EQUATIONS], s - model.layout[EQUATIONS]
        work[base + i * chunk + (j >> 4), j & 15] += entry
