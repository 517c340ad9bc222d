"""Rigid bodies in space: what they read and write in their rows of a spatial model's tables, which are 32 wide.

A free body has seven coordinates, the place of its centre of mass and Euler parameters, and six rates, the velocity
of that centre in global axes and the angular velocity in the body's own (Andersen 2017, nomenclature). The length of
the Euler parameters does not matter; integration hardly changes it.
"""

from __future__ import annotations

from condyle._jit import inlined_kernel, kernel
from condyle.math.space import (
    Rotation,
    Vector,
    crossed,
    dot,
    minus,
    plus,
    rotation_of,
    times,
    turned,
    turned_back,
)
from condyle.mechanics.system import (
    BODIES,
    FRAMES,
    GRAVITY_X,
    GRAVITY_Y,
    N_COORDINATE,
    N_FREE,
    STORED,
    STORED_POWER,
    THROUGHPUT,
    TOTALS,
    Array,
    Model,
    add_power,
    fill_powers,
    first_work,
)

SPACE_WIDTH = 32
# A body's coordinates and rates.
N_BODY_COORDINATE, N_BODY_RATE = 7, 6
# In the row of totals, `value`, behind Baumgarte's: gravity along z [m/s^2].
GRAVITY_Z = 4
# A body's row, in `value`: mass [kg]; inertia tensor about the centre of mass in the body's frame [kg m^2], row by row,
# and its inverse.
MASS, INERTIA, INVERSE_INERTIA = 0, 1, 10
# In `work`: place [m]; rotation to global axes, row by row; velocity [m/s], angular velocity [rad/s], force [N] and
# moment about the centre of mass [N m] in global axes; angular velocity in the body's.
PLACE, ROTATION, VELOCITY, TURNING, FORCE, TORQUE, SPIN = 0, 3, 12, 15, 18, 21, 24
# Where elements between two points keep these: in `value` the places on the bodies [m], in `work` in the global frame.
ORIGIN, INSERTION = 10, 13
FROM, TO = 16, 19


@kernel
def triple(table: Array, row: int, column: int) -> Vector:
    """Three neighbours in a row."""
    return table[row, column], table[row, column + 1], table[row, column + 2]


@kernel
def set_triple(table: Array, row: int, column: int, a: Vector) -> None:
    """Write a vector into three neighbours in a row."""
    table[row, column], table[row, column + 1], table[row, column + 2] = a


@kernel
def add_triple(table: Array, row: int, column: int, a: Vector) -> None:
    """Add a vector to three neighbours in a row."""
    table[row, column] += a[0]
    table[row, column + 1] += a[1]
    table[row, column + 2] += a[2]


@kernel
def nine(table: Array, row: int, column: int) -> Rotation:
    """Nine neighbours in a row: a rotation or a tensor, row by row."""
    return (
        table[row, column],
        table[row, column + 1],
        table[row, column + 2],
        table[row, column + 3],
        table[row, column + 4],
        table[row, column + 5],
        table[row, column + 6],
        table[row, column + 7],
        table[row, column + 8],
    )


@inlined_kernel
def fill_bodies(model: Model, states: Array, at: int, work: Array) -> None:
    """Write the motion of the free bodies in row `at` of the states into the scratch; clear forces and powers."""
    first, n = model.layout[BODIES], model.layout[N_COORDINATE]
    for b in range(model.layout[N_FREE]):
        row, q, v = first + b, N_BODY_COORDINATE * b, n + N_BODY_RATE * b
        r = rotation_of(states[at, q + 3], states[at, q + 4], states[at, q + 5], states[at, q + 6])
        spin = triple(states, at, v + 3)
        set_triple(work, row, PLACE, triple(states, at, q))
        for k in range(9):
            work[row, ROTATION + k] = r[k]
        set_triple(work, row, VELOCITY, triple(states, at, v))
        set_triple(work, row, TURNING, turned(r, spin))
        set_triple(work, row, SPIN, spin)
    for row in range(first, model.layout[FRAMES]):
        for k in range(6):
            work[row, FORCE + k] = 0.0
    for k in range(STORED_POWER + 1):
        work[TOTALS, k] = 0.0


@inlined_kernel
def accumulate_weight(model: Model, work: Array) -> None:
    """Add the weight of every free body."""
    value = model.value
    gravity = (value[TOTALS, GRAVITY_X], value[TOTALS, GRAVITY_Y], value[TOTALS, GRAVITY_Z])
    first = model.layout[BODIES]
    power = 0.0
    for row in range(first, first + model.layout[N_FREE]):
        add_triple(work, row, FORCE, times(value[row, MASS], gravity))
        power += value[row, MASS] * dot(gravity, triple(work, row, VELOCITY))
    add_power(work, power)


@kernel
def held_point(work: Array, body: int, at: Vector) -> tuple[Vector, Vector]:
    """Position [m] and velocity [m/s] of a point held by a body."""
    arm = turned(nine(work, body, ROTATION), at)
    velocity = plus(triple(work, body, VELOCITY), crossed(triple(work, body, TURNING), arm))
    return plus(triple(work, body, PLACE), arm), velocity


@kernel
def push_at(work: Array, body: int, point: Vector, force: Vector) -> None:
    """Add a force [N] that acts on a body at a global place [m]."""
    add_triple(work, body, FORCE, force)
    add_triple(work, body, TORQUE, crossed(minus(point, triple(work, body, PLACE)), force))


@kernel
def turning_rate(model: Model, work: Array, row: int, moment: Vector) -> Vector:
    """Angular acceleration in a body's frame [rad/s^2] by a moment in global axes [N m], without Euler's term."""
    return turned(nine(model.value, row, INVERSE_INERTIA), turned_back(nine(work, row, ROTATION), moment))


@inlined_kernel
def fill_body_rates(model: Model, to: int, work: Array, states: Array) -> None:
    """Write the accelerations of the free bodies into row `to` of the states, as if nothing constrained them."""
    first, n = model.layout[BODIES], model.layout[N_COORDINATE]
    for b in range(model.layout[N_FREE]):
        row, v = first + b, n + N_BODY_RATE * b
        spin = triple(work, row, SPIN)
        gyration = crossed(spin, turned(nine(model.value, row, INERTIA), spin))
        moment = minus(turned_back(nine(work, row, ROTATION), triple(work, row, TORQUE)), gyration)
        # Turning about one axis of the body gives to and takes from that about the others: the sum is nothing.
        for k in range(3):
            work[TOTALS, THROUGHPUT] += abs(gyration[k] * spin[k])
        set_triple(states, to, v, times(1.0 / model.value[row, MASS], triple(work, row, FORCE)))
        set_triple(states, to, v + 3, turned(nine(model.value, row, INVERSE_INERTIA), moment))


@inlined_kernel
def fill_space_rates(model: Model, states: Array, at: int, to: int, work: Array) -> None:
    """Write q' and the powers that the work integrals gather into row `to` of the states."""
    n = model.layout[N_COORDINATE]
    for b in range(model.layout[N_FREE]):
        q, v = N_BODY_COORDINATE * b, n + N_BODY_RATE * b
        set_triple(states, to, q, triple(states, at, v))
        e0, e1, e2, e3 = states[at, q + 3], states[at, q + 4], states[at, q + 5], states[at, q + 6]
        x, y, z = triple(states, at, v + 3)
        states[to, q + 3] = -0.5 * (e1 * x + e2 * y + e3 * z)
        states[to, q + 4] = 0.5 * (e0 * x + e2 * z - e3 * y)
        states[to, q + 5] = 0.5 * (e0 * y + e3 * x - e1 * z)
        states[to, q + 6] = 0.5 * (e0 * z + e1 * y - e2 * x)
    fill_powers(model, to, work, states)
    states[to, first_work(model) + STORED] = work[TOTALS, STORED_POWER]
