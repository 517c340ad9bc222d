"""What a model file says about bodies, applied loads and measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias, get_args

import numpy as np
from pydantic import AfterValidator, Field

from condyle.spec.declaration import Declaration, Fault, Text
from condyle.spec.errors import shown
from condyle.spec.family import Family
from condyle.spec.files import relative_file
from condyle.spec.orientation import AnyInertia, OrientationSpec, Sequence3
from condyle.spec.quantity import (
    BY_DEFAULT,
    Angle,
    AnyDirection,
    AnyPoint,
    AnySpin,
    AnyVelocity,
    DisplayUnit,
    Effort,
    Force,
    Length,
    Mass,
    Measured,
    NonNegative,
    Number,
    Point,
    PositiveTime,
    Time,
    Torque,
)
from condyle.spec.reference import Context, Reference
from condyle.spec.units import unit_factor

# A frame on a beam may stand wherever a body may.
BodyName = Annotated[str, Reference("body", "bodies", "frames")]
MeasureName = Annotated[str, Reference("measure", "measures")]
Polyline = Annotated[list[Point], Field(min_length=2, max_length=10_000)]
# Where a value stands, and the value.
Given: TypeAlias = tuple[tuple[str | int, ...], float | None]
# What values along a measure may be counted in.
_OF_ANGLES = ("rad", "rad/s", "N m", "N m/rad", "N m s/rad")
_OF_LENGTHS = ("m", "m/s", "N", "N/m", "N s/m")


class BodySpec(Declaration):
    """A rigid body; its frame has its origin at the centre of mass."""

    fixed: bool = Field(default=False, strict=True, description="Whether the body stays where it is.")
    position: AnyPoint = Field(
        BY_DEFAULT,
        validate_default=True,
        description="Centre of mass at the start [x, y] or [x, y, z], in m, in the global frame.",
    )
    angle: Angle = Field(
        0.0, description="In the plane: angle of the body's frame at the start [rad], counter-clockwise."
    )
    orientation: OrientationSpec | None = Field(
        None, description="In space: how the body's frame is turned at the start against the global one."
    )
    velocity: AnyVelocity = Field(
        BY_DEFAULT,
        validate_default=True,
        description="Velocity of the centre of mass at the start, in m/s, in the global frame.",
    )
    angular_velocity: AnySpin = Field(
        0.0,
        validate_default=True,
        description="Angular velocity at the start [rad/s]; in space [x, y, z] in the body's frame.",
    )
    mass: Mass | None = Field(None, description="Mass [kg]; needed unless the body is fixed.")
    inertia: AnyInertia | None = Field(
        None,
        description="Moment of inertia about the centre of mass [kg m^2], in space three of them or a tensor, in "
        "the body's frame; needed unless the body is fixed.",
    )
    drawing: list[Polyline] = Field(
        [],
        max_length=100,
        description="Lines of points [x, y] in the body's frame, in m; only for the picture.",
    )

    def faults(self, context: Context) -> Iterator[Fault]:
        """A free body needs mass and inertia, a fixed one has no velocity."""
        if context.dimensions == 3:
            if "angle" in self.model_fields_set:
                yield ("angle",), "a body in space has an orientation; write orientation: {axis: , angle: }"
        elif self.orientation is not None:
            yield ("orientation",), "a body in the plane has an angle; for space set dimensions: 3"
        if self.fixed:
            if any(self.velocity):
                yield ("velocity",), "a fixed body has no velocity"
            if np.any(self.angular_velocity):
                yield ("angular_velocity",), "a fixed body has no angular velocity"
            return
        if self.mass is None:
            yield ("mass",), "missing; a body that is not fixed needs a mass in kg, such as 3.75 or '3.75 kg'"
        if self.inertia is None:
            yield (
                ("inertia",),
                "missing; a body that is not fixed needs a moment of inertia in kg m^2, such as 0.165",
            )


class AttachmentSpec(Declaration):
    """A point of a body."""

    body: BodyName = Field(description="Name of the body.")
    at: AnyPoint = Field(
        BY_DEFAULT,
        validate_default=True,
        description="The point [x, y] or [x, y, z] in the body's frame, in m.",
    )


class ConstantCourseSpec(Declaration):
    """The amplitude all the time."""

    kind: Literal["constant"] = Field(description="The amplitude from the first to the last instant.")


class DecayingSineSpec(Declaration):
    """A pulse exp(-decay (t/duration)^2) sin(pi t/duration), not cut off (Machado 2010, Eq. 30)."""

    kind: Literal["decaying-sine"] = Field(description="A sine pulse that dies away.")
    duration: PositiveTime = Field(description="Duration of the first half wave [s].")
    decay: NonNegative = Field(4.73, description="How fast it dies away [-].")


class TableFields(Declaration):
    """Values at instants, written out or in columns of a CSV file."""

    file: Annotated[str, AfterValidator(relative_file)] | None = Field(
        None,
        max_length=200,
        description="CSV file beside the model file with a head of names, instead of values.",
    )
    column: Text | None = Field(None, description="Name of the file's column of values.")
    time_column: Text | None = Field(
        None, description="Name of the file's column of instants [s]; by default its first."
    )
    repeat: bool = Field(
        default=False, strict=True, description="Whether it begins again at its end, cycle by cycle."
    )

    def table_faults(self, times: list[float] | None, values: list[float] | None) -> Iterator[Fault]:
        """Either a file with a column, or times and values."""
        written = times is not None or values is not None
        if written == (self.file is not None):
            yield (), "expected either times and values, or a file and the column of it"
        elif self.file is not None and self.column is None:
            yield ("column",), "missing; name the column of the file"
        elif written and (times is None or values is None):
            yield ("times" if times is None else "values",), "missing; a table has times and values"
        elif self.repeat and times and times[0] != 0.0:
            yield ("times", 0), f"a table that repeats begins at 0 s; got {times[0]:g}"


class TableSpec(TableFields):
    """Factors of the amplitude at instants; held before the first and after the last."""

    kind: Literal["table"] = Field(description="Factors at instants, joined by straight lines or smoothly.")
    times: list[Time] | None = Field(
        None, min_length=2, max_length=100_000, description="Instants [s], increasing."
    )
    values: list[Number] | None = Field(
        None, min_length=2, max_length=100_000, description="Factors of the amplitude at the instants [-]."
    )
    smooth: bool = Field(
        default=False,
        strict=True,
        description="Whether they are joined smoothly, without new extremes, instead of by straight lines.",
    )

    def faults(self, _context: Context) -> Iterator[Fault]:
        """Times increase (two at one instant make a jump), and each has a value."""
        yield from self.table_faults(self.times, self.values)
        times, values = self.times or [], self.values or []
        if self.times is not None and self.values is not None and len(times) != len(values):
            yield ("values",), f"expected as many as times, {len(times)}; got {len(values)}"
        for k, (before, after) in enumerate(pairwise(times)):
            jumps_twice = k > 0 and times[k - 1] == after
            if after < before or jumps_twice or (self.smooth and after == before):
                yield ("times", k + 1), f"times must increase; got {after:g} after {before:g}"
                return


AnyCourse: TypeAlias = ConstantCourseSpec | DecayingSineSpec | TableSpec
Course: TypeAlias = Annotated[AnyCourse, Family("a time course", get_args(AnyCourse))]
_CONSTANT = ConstantCourseSpec.model_construct(kind="constant")


class ForceSpec(Declaration):
    """A force on a point of a body."""

    kind: Literal["force"] = Field("force", description="A force, as against a torque.")
    body: BodyName = Field(description="Name of the body it acts on.")
    at: AnyPoint = Field(
        BY_DEFAULT,
        validate_default=True,
        description="Where it acts [x, y] or [x, y, z] in the body's frame, in m.",
    )
    direction: AnyDirection = Field(description="Direction of a positive force; its length does not matter.")
    frame: Literal["body", "global"] = Field(
        "global", description="Whether the direction turns with the body."
    )
    amplitude: Force = Field(description="Amplitude [N].")
    course: Course = Field(_CONSTANT, description="How the force goes over time.")

    def faults(self, _context: Context) -> Iterator[Fault]:
        """A direction has a length."""
        yield from direction_faults(self.direction)


class TorqueSpec(Declaration):
    """A torque on a body."""

    kind: Literal["torque"] = Field(description="A torque, in the plane positive counter-clockwise.")
    body: BodyName = Field(description="Name of the body it acts on.")
    direction: AnyDirection | None = Field(
        None, description="In space: axis [x, y, z] of a positive torque; its length does not matter."
    )
    frame: Literal["body", "global"] = Field(
        "global", description="In space: whether the axis turns with the body."
    )
    amplitude: Torque = Field(description="Amplitude [N m].")
    course: Course = Field(_CONSTANT, description="How the torque goes over time.")

    def faults(self, context: Context) -> Iterator[Fault]:
        """A torque in space has an axis."""
        if context.dimensions == 3 and self.direction is None:
            yield ("direction",), "missing; a torque in space needs its axis, such as [0, 0, 1]"
        if context.dimensions == 2 and self.direction is not None:
            yield ("direction",), "a torque in the plane has no axis; for space set dimensions: 3"
        if self.direction is not None:
            yield from direction_faults(self.direction)


class EffortSpec(Declaration):
    """A force or torque along a measure: it does work as the measure grows, and on nothing else."""

    kind: Literal["effort"] = Field(description="A generalised force along a measure, in spatial models.")
    measure: MeasureName = Field(description="Name of the measure that a positive effort makes grow.")
    amplitude: Effort = Field(description="Amplitude [N], or [N m] where the measure is an angle.")
    course: Course = Field(_CONSTANT, description="How the effort goes over time.")

    def faults(self, context: Context) -> Iterator[Fault]:
        """Only models in space have measures that loads can act along."""
        if context.dimensions == 2:
            yield ("kind",), "for models in space; in the plane give a force or a torque"
        yield from unit_faults(self.measure, context, [(("amplitude",), self.amplitude)])


def unit_faults(measure: str, context: Context, given: Iterable[Given]) -> Iterator[Fault]:
    """Values with a unit that does not fit what the measure measures."""
    kind = context.entry("measures", measure).get("kind")
    if kind not in ("angle", "rotation", "distance", "coordinate"):
        return
    turns = kind in ("angle", "rotation")
    for place, value in given:
        unit = value.unit if isinstance(value, Measured) else ""
        if unit and unit not in (_OF_ANGLES if turns else _OF_LENGTHS):
            what = "an angle" if turns else "a length"
            yield place, f"measure {shown(measure)} is {what}; got a value in {unit}"


def direction_faults(direction: tuple[float, ...]) -> Iterator[Fault]:
    """A direction has a length."""
    if not any(direction):
        one = [1, 0, 0][: len(direction)]
        none = [0, 0, 0][: len(direction)]
        yield ("direction",), f"expected a direction such as {one}; got {none}, which points nowhere"


LOADS = (ForceSpec, TorqueSpec, EffortSpec)
Load: TypeAlias = Annotated[ForceSpec | TorqueSpec | EffortSpec, Family("a load", LOADS, "force", bare=False)]


class AngleSpec(Declaration):
    """The angle from one body's frame to another's."""

    kind: Literal["angle"] = Field(description="The angle between two bodies.")
    origin: BodyName = Field(alias="from", description="Body whose angle is taken off.")
    target: BodyName = Field(alias="to", description="Body whose angle is measured.")
    offset: Angle = Field(0.0, description="Added to the angle [rad].")
    sign: Literal[1, -1] = Field(1, description="1, or -1 to count the angle the other way.")
    unit: Annotated[str, DisplayUnit("rad")] = Field(
        "deg", description="Unit of the results, such as deg or rad."
    )

    def faults(self, context: Context) -> Iterator[Fault]:
        """An angle is between two bodies, in the plane."""
        if context.dimensions == 3:
            yield ("kind",), "for the plane; in space take kind: rotation with a sequence"
        if self.origin == self.target:
            yield ("to",), f"both bodies are {shown(self.target)}; the angle is between two"


class DistanceSpec(Declaration):
    """The distance between two points."""

    kind: Literal["distance"] = Field(description="The distance between two points.")
    origin: AttachmentSpec = Field(alias="from", description="One point.")
    target: AttachmentSpec = Field(alias="to", description="The other point.")
    offset: Length = Field(0.0, description="Added to the distance [m].")
    sign: Literal[1, -1] = Field(1, description="1, or -1 to count the distance backwards.")
    unit: Annotated[str, DisplayUnit("m")] = Field("mm", description="Unit of the results, such as mm or m.")


class CoordinateSpec(Declaration):
    """One coordinate of a point, in the global frame or a body's."""

    kind: Literal["coordinate"] = Field(description="One coordinate of a point.")
    of: AttachmentSpec = Field(description="The point.")
    axis: Literal["x", "y", "z"] = Field(description="Which coordinate; z in space only.")
    frame: BodyName | None = Field(
        None, alias="in", description="Body in whose frame; without it, the global frame."
    )
    offset: Length = Field(0.0, description="Added to the coordinate [m].")
    sign: Literal[1, -1] = Field(1, description="1, or -1 to count the coordinate the other way.")
    unit: Annotated[str, DisplayUnit("m")] = Field("mm", description="Unit of the results, such as mm or m.")

    def faults(self, context: Context) -> Iterator[Fault]:
        """The plane has two axes."""
        if context.dimensions == 2 and self.axis == "z":
            yield ("axis",), "expected x or y; for z set dimensions: 3"


class RotationSpec(Declaration):
    """One of the three angles by which one frame is turned against another, in space."""

    kind: Literal["rotation"] = Field(description="One of the three angles between two bodies in space.")
    origin: BodyName = Field(alias="from", description="Body or frame from which the angles count.")
    target: BodyName = Field(alias="to", description="Body or frame to which the angles count.")
    sequence: Sequence3 = Field(
        description="Axes about which one turns after the other, from the first frame to the second: the first "
        "axis is the first frame's, the last the second's, the middle one floats (Grood-Suntay angles)."
    )
    which: Literal[1, 2, 3] = Field(description="Which of the three angles.")
    offset: Angle = Field(0.0, description="Added to the angle [rad].")
    sign: Literal[1, -1] = Field(1, description="1, or -1 to count the angle the other way.")
    unit: Annotated[str, DisplayUnit("rad")] = Field(
        "deg", description="Unit of the results, such as deg or rad."
    )

    def faults(self, context: Context) -> Iterator[Fault]:
        """Angles of a sequence are of space, and between two bodies."""
        if context.dimensions == 2:
            yield ("kind",), "for models in space; in the plane take kind: angle"
        if self.origin == self.target:
            yield ("to",), f"both are {shown(self.target)}; the angle is between two"


AnyMeasure: TypeAlias = AngleSpec | DistanceSpec | CoordinateSpec | RotationSpec
MeasureSpec: TypeAlias = Annotated[AnyMeasure, Family("a measure", get_args(AnyMeasure), bare=False)]


def is_angle(measure: AnyMeasure) -> bool:
    """Whether a measure is an angle; if not, it is a length."""
    return isinstance(measure, AngleSpec | RotationSpec)


def display_factor(measure: AnyMeasure) -> float:
    """What one SI unit (rad, m) is in the unit in which a measure is reported."""
    base = "rad" if is_angle(measure) else "m"
    factor = unit_factor(base, measure.unit)
    return (
        1.0 if factor is None else float(factor)
    )  # None is impossible: the declaration has checked the unit
