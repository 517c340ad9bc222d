"""Efforts that keep the equations of constraint: the lower half of Kasai 2024, Eq. 3, solved on its own.

With a = v' + M^-1 J^T e and J a = gamma, the efforts e solve (J M^-1 J^T) e = gamma - J v', where v' is the free motion
without constraints. The matrix is small, one row an equation, whatever bodies and beams stand behind it: it is made of
mobilities of frames, where two equations hold on to one body or beam. It stands in rows of the scratch, 16 wide: row i
of the matrix begins `chunk` rows behind row i - 1, and what lies left of its first entry stays zero. What an equation
says that earlier ones say already leaves a pivot of zero; such an equation is idle, at a singular pose as well, and
bears no effort.
"""

from __future__ import annotations

import math

from condyle._jit import inlined_kernel, kernel
from condyle.mechanics.frames import (
    accelerate_carriers,
    clear_pushes,
    frame_acceleration,
    mobility,
    push,
)
from condyle.mechanics.system import (
    BORDER,
    COUPLINGS,
    DRIVER_POWER,
    EQUATIONS,
    N_ROW,
    TOTALS,
    Array,
    Model,
    add_power,
)
from condyle.multibody.equations import (
    EFFORT,
    FIRST_FRAME,
    IDLE,
    J_FIRST,
    J_SECOND,
    NEWS,
    SECOND_FRAME,
    START,
    TARGET_RATE,
    WANTED,
)

# A coupling's row, in `link`: two equations, the later one first, and a side and frame of each.
ROW_EQUATION, COLUMN_EQUATION, ROW_SIDE, COLUMN_SIDE, ROW_FRAME, COLUMN_FRAME = 0, 1, 2, 3, 4, 5
# A pivot below this part of its diagonal is round-off: the square of the sine of an angle of 1e-5.
NO_PIVOT = 1e-10


@inlined_kernel
def constrain(model: Model, to: int, work: Array, states: Array) -> None:
    """Find the efforts of all equations and add what they do to v' in row `to` of the states."""
    first, end = model.layout[EQUATIONS], model.layout[EQUATIONS + 1]
    if end == first:
        return
    for row in range(first, end):
        i, j = model.link[row, FIRST_FRAME], model.link[row, SECOND_FRAME]
        ai, aj = (
            frame_acceleration(model, i, states, to, work),
            frame_acceleration(model, j, states, to, work),
        )
        ji, jj = triple(work, row, J_FIRST), triple(work, row, J_SECOND)
        work[row, EFFORT] = (
            work[row, WANTED]
            - (ji[0] * ai[0] + ji[1] * ai[1] + ji[2] * ai[2])
            - (jj[0] * aj[0] + jj[1] * aj[1] + jj[2] * aj[2])
        )
    fill_matrix(model, work)
    factor_matrix(model, work)
    solve_matrix(model, EFFORT, work)
    clear_pushes(model, work)
    for row in range(first, end):
        effort = work[row, EFFORT]
        push(model, model.link[row, FIRST_FRAME], effort, triple(work, row, J_FIRST), work, states, to)
        push(model, model.link[row, SECOND_FRAME], effort, triple(work, row, J_SECOND), work, states, to)
        power = effort * work[row, TARGET_RATE]
        if power != 0.0:
            add_power(work, power)
            work[TOTALS, DRIVER_POWER] += power
    accelerate_carriers(model, work, states, to)


@kernel
def triple(work: Array, row: int, column: int) -> tuple[float, float, float]:
    """Three neighbours in a row."""
    return work[row, column], work[row, column + 1], work[row, column + 2]


@kernel
def fill_matrix(model: Model, work: Array) -> None:
    """Write the lower half of J M^-1 J^T: what an effort along one equation does to the measure of another."""
    base, chunk = model.layout[BORDER], chunk_of(model)
    for row in range(base, model.layout[N_ROW]):
        for column in range(16):
            work[row, column] = 0.0
    for row in range(model.layout[COUPLINGS], model.layout[COUPLINGS + 1]):
        r, s = model.link[row, ROW_EQUATION], model.link[row, COLUMN_EQUATION]
        entry = mobility(
            model,
            model.link[row, ROW_FRAME],
            model.link[row, COLUMN_FRAME],
            work,
            triple(work, r, model.link[row, ROW_SIDE]),
            triple(work, s, model.link[row, COLUMN_SIDE]),
        )
        i, j = r - model.layout[EQUATIONS], s - model.layout[EQUATIONS]
        work[base + i * chunk + (j >> 4), j & 15] += entry


@kernel
def chunk_of(model: Model) -> int:
    """Rows of the scratch that a row of the matrix takes."""
    return (model.layout[EQUATIONS + 1] - model.layout[EQUATIONS] + 15) >> 4


@kernel
def factor_matrix(model: Model, work: Array) -> None:
    """Turn the matrix into its Cholesky factor; equations that say nothing new get a pivot of zero."""
    first, base, chunk = model.layout[EQUATIONS], model.layout[BORDER], chunk_of(model)
    for i in range(model.layout[EQUATIONS + 1] - first):
        own, start = base + i * chunk, model.link[first + i, START]
        for j in range(start, i + 1):
            total = work[own + (j >> 4), j & 15]
            whole, other = total, base + j * chunk
            for k in range(max(start, model.link[first + j, START]), j):
                total -= work[own + (k >> 4), k & 15] * work[other + (k >> 4), k & 15]
            if j < i:
                # The pivot's inverse stands in its place: zero where there is none.
                entry = total * work[other + (j >> 4), j & 15]
            else:
                idle = not total > NO_PIVOT * whole
                entry = 0.0 if idle else 1.0 / math.sqrt(total)
                work[first + i, IDLE] = 1.0 if idle else 0.0
                work[first + i, NEWS] = 0.0 if idle else total / whole
            work[own + (j >> 4), j & 15] = entry


@kernel
def solve_matrix(model: Model, column: int, work: Array) -> None:
    """Solve with the factor for the right-hand sides that stand in a column of the equations' rows, in place."""
    first, base, chunk = model.layout[EQUATIONS], model.layout[BORDER], chunk_of(model)
    count = model.layout[EQUATIONS + 1] - first
    for i in range(count):
        own, total = base + i * chunk, work[first + i, column]
        for k in range(model.link[first + i, START], i):
            total -= work[own + (k >> 4), k & 15] * work[first + k, column]
        work[first + i, column] = total * work[own + (i >> 4), i & 15]
    for i in range(count - 1, -1, -1):
        own = base + i * chunk
        value = work[first + i, column] * work[own + (i >> 4), i & 15]
        work[first + i, column] = value
        for k in range(model.link[first + i, START], i):
            work[first + k, column] -= work[own + (k >> 4), k & 15] * value
