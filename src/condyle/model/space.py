"""Bodies, ligaments, springs and loads of a model in space as rows."""

from __future__ import annotations

import numpy as np

from condyle.mechanics import space
from condyle.mechanics.space import INSERTION, ORIGIN
from condyle.mechanics.system import EQUATIONS, LOADS, MEASURES, SPRINGS, Array, Integers
from condyle.model.declarations import ModelSpec
from condyle.model.joints import Equation
from condyle.model.loads import Courses
from condyle.model.pool import Pool
from condyle.model.space_measures import SpaceMechanism
from condyle.model.space_placement import SpacePlacement, matrix_of, parameters_of
from condyle.model.spec import Spec
from condyle.model.springs import fill_potential
from condyle.multibody import ligaments, loads, springs
from condyle.multibody.declarations import AttachmentSpec, EffortSpec, ForceSpec
from condyle.multibody.ligament_declarations import Strand
from condyle.multibody.space_constraints import MEASURE_ROW
from condyle.multibody.space_elements import (
    IS_EFFORT,
    IS_FORCE,
    IS_TORQUE,
    LOAD_ALONG,
    LOAD_AT,
    LOAD_KIND,
    LOAD_MEASURE,
    SPRING_MEASURE,
)
from condyle.multibody.spring_declarations import MeasureSpringSpec, TranslationalSpringSpec


def fill_space_bodies(model: ModelSpec, rows: dict[str, int], value: Array) -> None:
    """Fill the rows of all bodies; a fixed body's mass moves nothing."""
    for name, body in model.bodies.items():
        row = rows[name]
        value[row, space.MASS] = body.mass or 0.0
        if body.inertia is not None:
            tensor = np.array(body.inertia, dtype=float)
            value[row, space.INERTIA : space.INERTIA + 9] = tensor.ravel()
            value[row, space.INVERSE_INERTIA : space.INVERSE_INERTIA + 9] = np.linalg.inv(tensor).ravel()


def fill_space_poses(placement: SpacePlacement, rows: dict[str, int], work: Array) -> None:
    """Write where all bodies are at the start; fixed ones stay there."""
    for name, row in rows.items():
        place, turn = placement.poses[name]
        work[row, space.PLACE : space.PLACE + 3] = place
        work[row, space.ROTATION : space.ROTATION + 9] = turn.ravel()


def space_start(model: ModelSpec, free: list[str]) -> Array:
    """Coordinates and rates at the start, shape (13 n_free,)."""
    bodies = [model.bodies[name] for name in free]
    places = [[*body.position, *parameters_of(matrix_of(body.orientation))] for body in bodies]
    rates = [np.concatenate([body.velocity, np.atleast_1d(body.angular_velocity)]) for body in bodies]
    return np.concatenate([np.ravel(places), np.ravel(rates)])


def _fill_ends(
    row: int,
    ends: tuple[AttachmentSpec, AttachmentSpec],
    columns: tuple[int, int],
    placement: SpacePlacement,
    rows: dict[str, int],
    index: Integers,
    value: Array,
) -> None:
    """Fill the bodies and places of an element's two ends."""
    for end, column, place in zip(ends, columns, (ORIGIN, INSERTION), strict=True):
        held = placement.held(end.body)
        index[row, column] = rows[held.body]
        value[row, place : place + 3] = held.point(end.at)


def fill_space_strands(
    strands: dict[str, Strand],
    placement: SpacePlacement,
    rows: dict[str, int],
    first: int,
    index: Integers,
    value: Array,
) -> None:
    """Fill the ends, damping and limits of all ligaments."""
    columns = ligaments.ORIGIN_BODY, ligaments.INSERTION_BODY
    for row, strand in enumerate(strands.values(), first):
        _fill_ends(row, (strand.origin, strand.insertion), columns, placement, rows, index, value)


def fill_space_springs(
    model: ModelSpec,
    mechanism: SpaceMechanism,
    rows: dict[str, int],
    layout: Integers,
    index: Integers,
    value: Array,
    pool: Pool,
) -> None:
    """Fill the rows of all springs."""
    placement = mechanism.placement
    columns = springs.ORIGIN_BODY, springs.INSERTION_BODY
    for row, spring in enumerate(model.springs.values(), int(layout[SPRINGS])):
        value[row, springs.DAMPING] = spring.damping
        if isinstance(spring, TranslationalSpringSpec):
            index[row, springs.KIND] = springs.TRANSLATIONAL
            ends = spring.origin, spring.target
            _fill_ends(row, ends, columns, placement, rows, index, value)
            at_start, rest = placement.distance(*ends), spring.rest_length
        elif isinstance(spring, MeasureSpringSpec):
            number = mechanism.names.index(spring.measure)
            index[row, springs.KIND] = springs.ROTATIONAL
            index[row, SPRING_MEASURE] = int(layout[MEASURES]) + number
            at_start, rest = mechanism.measures[number].at(placement), spring.rest
        else:
            raise TypeError(spring.kind)
        fill_potential(row, spring, at_start if rest is None else rest, index, pool)


def fill_measure_rows(found: list[Equation], layout: Integers, index: Integers) -> None:
    """Say which row has the measure of each equation."""
    for row, equation in enumerate(found, int(layout[EQUATIONS])):
        index[row, MEASURE_ROW] = int(layout[MEASURES]) + equation.measure


def fill_space_loads(
    spec: Spec,
    mechanism: SpaceMechanism,
    rows: dict[str, int],
    layout: Integers,
    index: Integers,
    value: Array,
    pool: Pool,
) -> Courses:
    """Fill the rows of all loads; returns their courses."""
    courses = Courses(pool, spec)
    for row, (name, load) in enumerate(spec.model.forces.items(), int(layout[LOADS])):
        value[row, loads.AMPLITUDE] = load.amplitude
        if isinstance(load, EffortSpec):
            index[row, LOAD_KIND] = IS_EFFORT
            index[row, LOAD_MEASURE] = int(layout[MEASURES]) + mechanism.names.index(load.measure)
        else:
            held = mechanism.placement.held(load.body)
            index[row, loads.BODY] = rows[held.body]
            index[row, LOAD_KIND] = IS_FORCE if isinstance(load, ForceSpec) else IS_TORQUE
            index[row, loads.TURNS] = load.frame == "body"
            direction = load.direction or (0.0, 0.0, 1.0)
            turns = load.frame == "body"
            axes = held if turns else mechanism.placement.held("")
            value[row, LOAD_ALONG : LOAD_ALONG + 3] = axes.direction(direction)
            at = load.at if isinstance(load, ForceSpec) else (0.0, 0.0, 0.0)
            value[row, LOAD_AT : LOAD_AT + 3] = held.point(at)
        courses.fill(row, name, load.course, index, value)
    return courses
