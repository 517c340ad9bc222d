"""Ligaments, springs and loads in space: their laws are those of the plane, their ends have three coordinates."""

from __future__ import annotations

import math

from condyle._jit import inlined_kernel, kernel
from condyle.math.space import Vector, dot, minus, times, turned
from condyle.mechanics.space import (
    FROM,
    INSERTION,
    ORIGIN,
    ROTATION,
    TO,
    TORQUE,
    TURNING,
    add_triple,
    held_point,
    nine,
    push_at,
    set_triple,
    triple,
)
from condyle.mechanics.system import (
    LIGAMENTS,
    LOAD_POWER,
    LOADS,
    SPRINGS,
    TOTALS,
    Array,
    Model,
    add_power,
)
from condyle.multibody import ligaments, springs
from condyle.multibody.ligaments import tension_of
from condyle.multibody.loads import BODY, TURNS, load_magnitude
from condyle.multibody.space_constraints import push_along
from condyle.multibody.space_measures import MEASURED, RATE
from condyle.multibody.springs import ROTATIONAL, effort_of

# A spring's row, in `link`, where it acts along a measure: the measure's row.
SPRING_MEASURE = 6
# A load's row, in `link`: force, torque, or effort along a measure, and the measure's row; in `value` behind the
# columns of the plane, place and direction; in `work` force and torque [N, N m] in global axes and where it acts [m].
LOAD_KIND, LOAD_MEASURE = 3, 6
IS_FORCE, IS_TORQUE, IS_EFFORT = 0, 1, 2
LOAD_AT, LOAD_ALONG = 10, 13
LOAD_FORCE, LOAD_POINT, LOAD_TORQUE = 16, 19, 22


@kernel
def line_between(
    model: Model, row: int, origin: int, insertion: int, work: Array
) -> tuple[float, float, Vector]:
    """Length [m], rate [m/s] and direction of the line between the two ends of an element, whose places are written."""
    a, velocity_a = held_point(work, origin, triple(model.value, row, ORIGIN))
    b, velocity_b = held_point(work, insertion, triple(model.value, row, INSERTION))
    apart = minus(b, a)
    length = math.sqrt(dot(apart, apart))
    # Ends that coincide leave the direction open.
    u = times(1.0 / length if length > 0.0 else 0.0, apart)
    set_triple(work, row, FROM, a)
    set_triple(work, row, TO, b)
    return length, dot(minus(velocity_b, velocity_a), u), u


@kernel
def pull_together(row: int, origin: int, insertion: int, pull: Vector, work: Array) -> None:
    """Apply a force [N] to the first end of an element and its opposite to the second."""
    push_at(work, origin, triple(work, row, FROM), pull)
    push_at(work, insertion, triple(work, row, TO), times(-1.0, pull))


@inlined_kernel
def accumulate_space_ligaments(model: Model, memory: Array, work: Array) -> None:
    """Pull every pair of attachments together by the bundle's law."""
    for row in range(model.layout[LIGAMENTS], model.layout[LIGAMENTS + 1]):
        origin, insertion = model.link[row, ligaments.ORIGIN_BODY], model.link[row, ligaments.INSERTION_BODY]
        length, rate, u = line_between(model, row, origin, insertion, work)
        tension = tension_of(model, row, length, rate, memory, work)
        pull_together(row, origin, insertion, times(tension, u), work)


@inlined_kernel
def accumulate_space_springs(model: Model, work: Array) -> None:
    """Pull or push every pair of ends by the spring's potential and its damper, or along a measure."""
    for row in range(model.layout[SPRINGS], model.layout[SPRINGS + 1]):
        if model.link[row, springs.KIND] == ROTATIONAL:
            measure = model.link[row, SPRING_MEASURE]
            effort = effort_of(model, row, work[measure, MEASURED], work[measure, RATE], work)
            push_along(model, measure, -effort, work)
        else:
            origin, insertion = model.link[row, springs.ORIGIN_BODY], model.link[row, springs.INSERTION_BODY]
            length, rate, u = line_between(model, row, origin, insertion, work)
            effort = effort_of(model, row, length, rate, work)
            pull_together(row, origin, insertion, times(effort, u), work)


@inlined_kernel
def accumulate_space_loads(model: Model, time: float, work: Array) -> None:
    """Apply every load where it acts, turning with the body where it is declared so, or along its measure."""
    for row in range(model.layout[LOADS], model.layout[LOADS + 1]):
        magnitude, kind = load_magnitude(model, row, time), model.link[row, LOAD_KIND]
        if kind == IS_EFFORT:
            measure = model.link[row, LOAD_MEASURE]
            push_along(model, measure, magnitude, work)
            power = magnitude * work[measure, RATE]
            work[row, LOAD_FORCE] = magnitude
        else:
            power = accumulate_held_load(model, row, kind, magnitude, work)
        add_power(work, power)
        work[TOTALS, LOAD_POWER] += power


@kernel
def accumulate_held_load(model: Model, row: int, kind: int, magnitude: float, work: Array) -> float:
    """Apply a force or torque to its body; returns its power [W]."""
    body = model.link[row, BODY]
    point, velocity = held_point(work, body, triple(model.value, row, LOAD_AT))
    along = triple(model.value, row, LOAD_ALONG)
    if model.link[row, TURNS]:
        along = turned(nine(work, body, ROTATION), along)
    load, none = times(magnitude, along), (0.0, 0.0, 0.0)
    set_triple(work, row, LOAD_POINT, point)
    if kind == IS_TORQUE:
        add_triple(work, body, TORQUE, load)
        set_triple(work, row, LOAD_FORCE, none)
        set_triple(work, row, LOAD_TORQUE, load)
        return dot(load, triple(work, body, TURNING))
    push_at(work, body, point, load)
    set_triple(work, row, LOAD_FORCE, load)
    set_triple(work, row, LOAD_TORQUE, none)
    return dot(load, velocity)
