"""Declared joints and drivers as equations of constraint, a row each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from condyle.math.polynomial import block
from condyle.mechanics.system import COUPLINGS, EQUATIONS, Array, Integers
from condyle.model.declarations import ModelSpec
from condyle.model.placement import Placement, unit_vector
from condyle.model.pool import Pool
from condyle.model.spec import Spec
from condyle.model.tables import check_motion, motion_pieces, table_of
from condyle.multibody import constraints, equations
from condyle.multibody.declarations import AngleSpec, AttachmentSpec, CoordinateSpec, DistanceSpec
from condyle.multibody.equations import ANGLE_BETWEEN, COORDINATE, DISTANCE
from condyle.multibody.joint_declarations import (
    ConstantSpeedSpec,
    DriverSpec,
    HarmonicSpec,
    HoldSpec,
    Joint,
    PointOnLineSpec,
    PolynomialSpec,
    RevoluteSpec,
    RodSpec,
    TableMotionSpec,
    TranslationalSpec,
    WeldSpec,
)
from condyle.spec.errors import Problem, SpecError

GROUND = ""
Point = tuple[float, ...]


@dataclass(frozen=True)
class Equation:
    """One equation: a measure of two frames follows a motion.

    owner : the joint or driver it belongs to; what : what it keeps, in words.
    bodies : names, empty for the ground; places [m]; along : unit direction; turns : with the first body.
    breaks, terms : the motion as polynomial pieces; harmonic : mean, amplitude, pulsation, phase instead.
    period : after which the motion repeats [s], 0 for never.
    sign : of the declared measure against this one.
    """

    owner: str
    what: str
    measure: int
    bodies: tuple[str, str]
    places: tuple[Point, Point] = ((0.0, 0.0), (0.0, 0.0))
    along: Point = (1.0, 0.0)
    turns: bool = False
    breaks: Array | None = None
    terms: Array | None = None
    harmonic: tuple[float, float, float, float] | None = None
    period: float = 0.0
    sign: int = 1


def constant(equation: Equation, value: float) -> Equation:
    """The equation with a measure that stays at a value."""
    return replace(equation, breaks=np.zeros(1), terms=np.array([[value]]))


def model_equations(spec: Spec, placement: Placement) -> list[Equation]:
    """The equations of all joints, then of all drivers, in the order of the file."""
    model = spec.model
    found = [e for name, joint in model.joints.items() for e in _joint(name, joint, model, placement)]
    return found + [_driver(name, driver, spec, placement) for name, driver in model.drivers.items()]


def _joint(name: str, joint: Joint, model: ModelSpec, placement: Placement) -> list[Equation]:
    if isinstance(joint, HoldSpec):
        value = placement.measured(model.measures[joint.measure]) if joint.value is None else joint.value
        held = constant(Equation(name, joint.measure, COORDINATE, (GROUND, GROUND)), value)
        return [_as_measured(held, joint.measure, model)]
    between, places = _ends(joint.origin, joint.target)
    if isinstance(joint, RodSpec):
        length = placement.distance(joint.origin, joint.target) if joint.length is None else joint.length
        if not length > 0.0:
            message = (
                "missing; its points meet as the file places them, and a rod of no length has no direction"
            )
            raise SpecError([Problem(f"joints.{name}.length", message)])
        return [constant(Equation(name, "distance", DISTANCE, between, places), length)]
    if isinstance(joint, PointOnLineSpec | TranslationalSpec):
        x, y = unit_vector(joint.direction)
        across = Equation(name, "place across the line", COORDINATE, between, places, (-y, x), turns=True)
        found = [constant(across, 0.0)]
    else:
        point = Equation(name, "place along x", COORDINATE, between, places)
        found = [constant(point, 0.0), constant(replace(point, what="place along y", along=(0.0, 1.0)), 0.0)]
    if not isinstance(joint, RevoluteSpec | PointOnLineSpec):
        given = joint.angle if isinstance(joint, WeldSpec | TranslationalSpec) else None
        angle = placement.angle(*between) if given is None else given
        found.append(constant(Equation(name, "angle", ANGLE_BETWEEN, between), angle))
    return found


def _ends(first: AttachmentSpec, second: AttachmentSpec) -> tuple[tuple[str, str], tuple[Point, Point]]:
    return (first.body, second.body), (first.at, second.at)


def _driver(name: str, driver: DriverSpec, spec: Spec, placement: Placement) -> Equation:
    at_start = placement.measured(spec.model.measures[driver.measure])
    return _as_measured(motion_equation(name, driver, at_start, spec), driver.measure, spec.model)


def motion_equation(owner: str, driver: DriverSpec, at_start: float, spec: Spec) -> Equation:
    """The equation that a measure follows a motion; its measure and bodies are to be filled in."""
    motion = driver.motion
    equation = Equation(owner, driver.measure, COORDINATE, (GROUND, GROUND))
    if isinstance(motion, HarmonicSpec):
        # Sine and mean stand in the row; the pieces are not used.
        pulsation = 2.0 * np.pi * motion.frequency
        harmonic = (motion.mean, motion.amplitude, pulsation, motion.phase)
        return replace(equation, harmonic=harmonic, breaks=np.zeros(1), terms=np.zeros((1, 1)))
    if isinstance(motion, TableMotionSpec):
        place = f"drivers.{owner}.motion"
        times, values = table_of(motion, place, spec.folder, motion.unit)
        check_motion(times, values, motion, place, spec.model.run.duration)
        breaks, terms = motion_pieces(times, values, motion.repeat)
        return replace(equation, breaks=breaks, terms=terms, period=times[-1] if motion.repeat else 0.0)
    terms = np.array([_polynomial(motion, at_start)])
    return replace(equation, breaks=np.zeros(1), terms=terms)


def _polynomial(motion: ConstantSpeedSpec | PolynomialSpec, at_start: float) -> list[float]:
    """Coefficients in ascending powers of the time."""
    if isinstance(motion, PolynomialSpec):
        return list(motion.coefficients)
    return [at_start if motion.start is None else motion.start, motion.speed]


def _as_measured(equation: Equation, name: str, model: ModelSpec) -> Equation:
    """An equation on a declared measure; the measure's offset and sign are taken off the motion."""
    measure = model.measures[name]
    sign, offset = measure.sign, measure.offset
    if isinstance(measure, AngleSpec):
        found = replace(equation, measure=ANGLE_BETWEEN, bodies=(measure.origin, measure.target))
    elif isinstance(measure, DistanceSpec):
        bodies, places = _ends(measure.origin, measure.target)
        found = replace(equation, measure=DISTANCE, bodies=bodies, places=places)
    elif isinstance(measure, CoordinateSpec):
        along = (1.0, 0.0) if measure.axis == "x" else (0.0, 1.0)
        bodies = (measure.frame or GROUND, measure.of.body)
        places = ((0.0, 0.0), measure.of.at)
        turns = measure.frame is not None
        found = replace(equation, measure=COORDINATE, bodies=bodies, places=places, along=along, turns=turns)
    else:
        raise TypeError(measure.kind)
    if found.harmonic is not None:
        mean, amplitude, pulsation, phase = found.harmonic
        found = replace(found, harmonic=(sign * (mean - offset), sign * amplitude, pulsation, phase))
    if found.terms is not None:
        raw = sign * found.terms
        raw[:, 0] -= sign * offset
        found = replace(found, terms=raw)
    return replace(found, sign=sign)


@dataclass(frozen=True)
class Coupling:
    """Two equations that hold on to one body or beam: numbers, the later one first, and a side of each."""

    equations: tuple[int, int]
    sides: tuple[int, int]


def couplings(found: list[Equation], model: ModelSpec) -> list[Coupling]:
    """All pairs of sides that the motion of one body or beam connects."""

    def carrier(name: str) -> str:
        """What moves with a body's or frame's name; empty for what does not move."""
        if name in model.frames:
            return f"beams.{model.frames[name].beam}"
        return "" if name == GROUND or model.bodies[name].fixed else f"bodies.{name}"

    held: dict[str, list[tuple[int, int]]] = {}
    coupled = []
    for number, equation in enumerate(found):
        for side in (0, 1):
            if name := carrier(equation.bodies[side]):
                held.setdefault(name, []).append((number, side))
    for sides in held.values():
        coupled += [Coupling((r, s), (i, j)) for r, i in sides for s, j in sides if s <= r]
    return coupled


def fill_couplings(
    coupled: list[Coupling],
    found: list[Equation],
    rows: dict[str, int],
    layout: Integers,
    index: Integers,
    columns: tuple[int, int] = (equations.J_FIRST, equations.J_SECOND),
) -> None:
    """Fill the rows of all couplings, and where each equation's row of the matrix begins.

    columns : where the Jacobians of both sides stand.
    """
    first = int(layout[EQUATIONS])
    for number in range(len(found)):
        index[first + number, equations.START] = number
    for row, coupling in enumerate(coupled, int(layout[COUPLINGS])):
        r, s = coupling.equations
        i, j = coupling.sides
        index[row, constraints.ROW_EQUATION], index[row, constraints.COLUMN_EQUATION] = first + r, first + s
        index[row, constraints.ROW_SIDE], index[row, constraints.COLUMN_SIDE] = columns[i], columns[j]
        index[row, constraints.ROW_FRAME] = rows[found[r].bodies[i]]
        index[row, constraints.COLUMN_FRAME] = rows[found[s].bodies[j]]
        index[first + r, equations.START] = min(index[first + r, equations.START], s)


def fill_equations(
    found: list[Equation], rows: dict[str, int], layout: Integers, index: Integers, value: Array, pool: Pool
) -> None:
    """Fill the rows of all equations."""
    for row, equation in enumerate(found, int(layout[EQUATIONS])):
        index[row, equations.MEASURE] = equation.measure
        index[row, equations.FIRST_FRAME] = rows[equation.bodies[0]]
        index[row, equations.SECOND_FRAME] = rows[equation.bodies[1]]
        index[row, equations.TURNS] = equation.turns
        value[row, equations.FIRST_X : equations.FIRST_Y + 1] = equation.places[0]
        value[row, equations.SECOND_X : equations.SECOND_Y + 1] = equation.places[1]
        value[row, equations.ALONG_X : equations.ALONG_Y + 1] = equation.along
        value[row, equations.PERIOD] = equation.period
        index[row, equations.MOTION] = equations.PIECEWISE
        if equation.harmonic is not None:
            index[row, equations.MOTION] = equations.HARMONIC
            value[row, equations.MEAN : equations.PHASE + 1] = equation.harmonic
        elif equation.terms is not None and equation.breaks is not None:
            index[row, equations.BLOCK] = pool.add(block(equation.breaks, equation.terms))
            index[row, equations.N_PIECE], index[row, equations.N_TERM] = equation.terms.shape
