"""Measures, joints and drivers in space, as rows: every joint is a few measures that keep a value."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from condyle._jit import plain
from condyle.mechanics import space
from condyle.mechanics.system import MEASURES, Array, Integers
from condyle.model.joints import Equation, motion_equation
from condyle.model.space_placement import GROUND, Held, SpacePlacement
from condyle.model.spec import Spec
from condyle.multibody import space_measures
from condyle.multibody.declarations import (
    AnyMeasure,
    AttachmentSpec,
    CoordinateSpec,
    DistanceSpec,
    RotationSpec,
)
from condyle.multibody.joint_declarations import (
    AnyJoint,
    CylindricalSpec,
    HoldSpec,
    PlanarSpec,
    PointOnLineSpec,
    PointOnPlaneSpec,
    RevoluteSpec,
    RodSpec,
    SixDegreeSpec,
    SphericalSpec,
    TranslationalSpec,
    UniversalSpec,
    WeldSpec,
)
from condyle.multibody.space_measures import ANGLE_OF_SEQUENCE, COORDINATE, DISTANCE, PRODUCT
from condyle.spec.errors import Problem, SpecError

Three = tuple[float, float, float] | Array
_NOWHERE = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class SpaceMeasure:
    """One measure: what, of which two bodies, and what that takes (`multibody/space_measures.py`).

    offset, sign : of the declared value against the one that is measured.
    """

    kind: int
    bodies: tuple[str, str]
    places: tuple[Three, Three] = (_NOWHERE, _NOWHERE)
    along: Three = _NOWHERE
    other: Three = _NOWHERE
    turns: bool = False
    axes: tuple[int, int, int] = (0, 1, 2)
    which: int = 0
    frames: tuple[Array, Array] | None = None
    offset: float = 0.0
    sign: int = 1

    def at(self, placement: SpacePlacement) -> float:
        """Its value where the file places the bodies [m, rad or 1]."""
        (p, r), (q, s) = (placement.poses[name] for name in self.bodies)
        apart = q + s @ self.places[1] - p - r @ self.places[0]
        if self.kind == PRODUCT:
            raw = float((r @ self.along) @ (s @ self.other))
        elif self.kind == DISTANCE:
            raw = float(np.linalg.norm(apart))
        elif self.kind == ANGLE_OF_SEQUENCE and self.frames is not None:
            first, second = (
                plain(space.nine)((turn @ frame).reshape(1, 9), 0, 0)
                for turn, frame in zip((r, s), self.frames, strict=True)
            )
            raw = plain(space_measures.angles_between)(first, second, *self.axes)[self.which]
        else:
            raw = float((r @ self.along if self.turns else self.along) @ apart)
        return self.offset + self.sign * raw

    def fill(self, row: int, rows: dict[str, int], index: Integers, value: Array) -> None:
        """Fill its row."""
        index[row, space_measures.KIND], index[row, space_measures.TURNS] = self.kind, self.turns
        index[row, [space_measures.FIRST, space_measures.SECOND]] = [rows[name] for name in self.bodies]
        index[row, space_measures.AXIS_1 : space_measures.AXIS_3 + 1] = self.axes
        index[row, space_measures.WHICH] = self.which
        value[row, space_measures.FIRST_AT : space_measures.FIRST_AT + 3] = self.places[0]
        value[row, space_measures.SECOND_AT : space_measures.SECOND_AT + 3] = self.places[1]
        value[row, space_measures.ALONG : space_measures.ALONG + 3] = self.along
        value[row, space_measures.OTHER : space_measures.OTHER + 3] = self.other
        for column, frame in zip(
            (space_measures.FIRST_TURN, space_measures.SECOND_TURN), self.frames or (), strict=False
        ):
            value[row, column : column + 9] = frame.ravel()
        value[row, space_measures.OFFSET], value[row, space_measures.SIGN] = self.offset, self.sign


@dataclass(frozen=True)
class SpaceEquation:
    """A measure that follows a motion: the equation, and the row of its measure among all."""

    equation: Equation
    measure: int


def declared_measure(measure: AnyMeasure, placement: SpacePlacement) -> SpaceMeasure:
    """A measure as the file declares it."""
    if isinstance(measure, RotationSpec):
        first, second = placement.held(measure.origin), placement.held(measure.target)
        found = _angle(first, second, measure.sequence, measure.which - 1)
    elif isinstance(measure, DistanceSpec):
        found = _between(DISTANCE, placement, measure.origin, measure.target)
    elif isinstance(measure, CoordinateSpec):
        frame = placement.held(measure.frame or GROUND)
        target = placement.held(measure.of.body)
        along = frame.turn[:, "xyz".index(measure.axis)]
        found = SpaceMeasure(
            COORDINATE,
            (frame.body, target.body),
            (frame.at, target.point(measure.of.at)),
            along,
            turns=frame.body != GROUND,
        )
    else:
        raise TypeError(measure.kind)
    return replace(found, offset=measure.offset, sign=measure.sign)


def _between(
    kind: int, placement: SpacePlacement, first: AttachmentSpec, second: AttachmentSpec
) -> SpaceMeasure:
    one, two = placement.held(first.body), placement.held(second.body)
    return SpaceMeasure(kind, (one.body, two.body), (one.point(first.at), two.point(second.at)))


def _angle(first: Held, second: Held, sequence: str, which: int) -> SpaceMeasure:
    axes = tuple("xyz".index(letter) for letter in sequence)
    return SpaceMeasure(
        ANGLE_OF_SEQUENCE,
        (first.body, second.body),
        axes=(axes[0], axes[1], axes[2]),
        which=which,
        frames=(first.turn, second.turn),
    )


class SpaceMechanism:
    """All measures of a model and the equations of its joints and drivers, in the order of the file."""

    def __init__(self, spec: Spec, placement: SpacePlacement) -> None:
        model, self.placement = spec.model, placement
        self.names = list(model.measures)
        self.measures = [declared_measure(measure, placement) for measure in model.measures.values()]
        self.found: list[SpaceEquation] = []
        for name, joint in model.joints.items():
            self._add_joint(name, joint)
        for name, driver in model.drivers.items():
            number = self.names.index(driver.measure)
            at_start = self.measures[number].at(placement)
            equation = motion_equation(name, driver, at_start, spec)
            self.found.append(SpaceEquation(self._of(equation, number), number))

    def _of(self, equation: Equation, number: int) -> Equation:
        """An equation with the bodies of its measure."""
        measure = self.measures[number]
        return replace(equation, bodies=measure.bodies, measure=number)

    def _keep(self, owner: str, what: str, measure: SpaceMeasure, value: float | None) -> None:
        """Add a measure that keeps a value, by default the one it has where the file places the bodies."""
        kept = measure.at(self.placement) if value is None else value
        self.measures.append(measure)
        self._hold(owner, what, len(self.measures) - 1, kept)

    def _hold(self, owner: str, what: str, number: int, value: float) -> None:
        constant = Equation(owner, what, number, self.measures[number].bodies)
        equation = replace(constant, breaks=np.zeros(1), terms=np.array([[value]]))
        self.found.append(SpaceEquation(equation, number))

    def _add_joint(self, name: str, joint: AnyJoint) -> None:
        if isinstance(joint, HoldSpec):
            number = self.names.index(joint.measure)
            at_start = self.measures[number].at(self.placement)
            self._hold(name, joint.measure, number, at_start if joint.value is None else joint.value)
            return
        if isinstance(joint, RodSpec):
            self._add_rod(name, joint)
            return
        if isinstance(joint, SixDegreeSpec):
            self._add_six_degree(name, joint)
            return
        if isinstance(joint, RevoluteSpec | SphericalSpec | UniversalSpec | WeldSpec):
            point = replace(_between(COORDINATE, self.placement, joint.origin, joint.target), along=_NOWHERE)
            for axis, along in zip("xyz", np.eye(3), strict=True):
                self._keep(name, f"place along {axis}", replace(point, along=along), 0.0)
        else:
            self._add_sliding(name, joint)
        self._add_turning(name, joint)

    def _add_rod(self, name: str, joint: RodSpec) -> None:
        measure = _between(DISTANCE, self.placement, joint.origin, joint.target)
        length = measure.at(self.placement) if joint.length is None else joint.length
        if not length > 0.0:
            message = (
                "missing; its points meet as the file places them, and a rod of no length has no direction"
            )
            raise SpecError([Problem(f"joints.{name}.length", message)])
        self._keep(name, "distance", measure, length)

    def _add_six_degree(self, name: str, joint: SixDegreeSpec) -> None:
        first, second = self.placement.held(joint.origin.body), self.placement.held(joint.target.body)
        place = _between(COORDINATE, self.placement, joint.origin, joint.target)
        for coordinate in joint.held:
            if coordinate in "xyz":
                along = first.turn[:, "xyz".index(coordinate)]
                self._keep(name, f"place along {coordinate}", replace(place, along=along, turns=True), None)
            else:
                which = ("first", "second", "third").index(coordinate)
                self._keep(name, f"{coordinate} angle", _angle(first, second, joint.sequence, which), None)

    def _add_sliding(
        self,
        name: str,
        joint: CylindricalSpec | TranslationalSpec | PointOnLineSpec | PlanarSpec | PointOnPlaneSpec,
    ) -> None:
        """Keep a point on a line or plane of the first body."""
        first = self.placement.held(joint.origin.body)
        place = replace(_between(COORDINATE, self.placement, joint.origin, joint.target), turns=True)
        if isinstance(joint, PlanarSpec | PointOnPlaneSpec):
            along = first.direction(joint.normal)
            self._keep(name, "place off the plane", replace(place, along=along), 0.0)
            return
        line = joint.axis if isinstance(joint, CylindricalSpec) else joint.direction
        for across in _square_to(first.direction(line)):
            self._keep(name, "place across the line", replace(place, along=across), 0.0)

    def _add_turning(self, name: str, joint: AnyJoint) -> None:
        """Keep axes of the two bodies in line, or all of them."""
        if isinstance(
            joint, SphericalSpec | PointOnLineSpec | PointOnPlaneSpec | HoldSpec | RodSpec | SixDegreeSpec
        ):
            return
        first, second = self.placement.held(joint.origin.body), self.placement.held(joint.target.body)
        bodies = first.body, second.body
        if isinstance(joint, UniversalSpec):
            axes = first.direction(joint.axis), second.direction(joint.second_axis)
            square = SpaceMeasure(PRODUCT, bodies, along=axes[0], other=axes[1])
            self._keep(name, "square of its axes", square, 0.0)
            return
        # The same directions in the second body's frame, as the file places the bodies.
        to_second = self.placement.poses[second.body][1].T @ self.placement.poses[first.body][1]
        if isinstance(joint, WeldSpec | TranslationalSpec):
            axes3 = np.eye(3)
            pairs = [(axes3[k], axes3[k - 2]) for k in range(3)]
        else:
            line = joint.normal if isinstance(joint, PlanarSpec) else joint.axis or (0.0, 0.0, 1.0)
            axis = first.direction(line)
            pairs = [(across, axis) for across in _square_to(axis)]
        for along, other in pairs:
            square = SpaceMeasure(PRODUCT, bodies, along=along, other=to_second @ other)
            self._keep(name, "direction", square, 0.0)

    def fill_measures(self, rows: dict[str, int], layout: Integers, index: Integers, value: Array) -> None:
        """Fill the rows of all measures."""
        for row, measure in enumerate(self.measures, int(layout[MEASURES])):
            measure.fill(row, rows, index, value)

    def fill_memory(self, layout: Integers, memory: Array) -> None:
        """Write the values from which angles go on: whole turns count as the file places the bodies."""
        for row, measure in enumerate(self.measures, int(layout[MEASURES])):
            memory[row, space_measures.LAST] = measure.at(self.placement)

    @property
    def equations(self) -> list[Equation]:
        """The equations of all joints, then of all drivers."""
        return [found.equation for found in self.found]


def _square_to(axis: Array) -> tuple[Array, Array]:
    """Two unit vectors square to a unit vector and to each other."""
    least = np.eye(3)[int(np.abs(axis).argmin())]
    one = np.cross(axis, least)
    one /= np.linalg.norm(one)
    return one, np.cross(axis, one)
