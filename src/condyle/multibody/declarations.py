"""What a model file says about bodies, applied loads and measures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from condyle.spec.declaration import Declaration, Fault
from condyle.spec.errors import shown
from condyle.spec.family import Family
from condyle.spec.quantity import (
    Angle,
    AngularSpeed,
    Direction,
    DisplayUnit,
    Force,
    Inertia,
    Length,
    Mass,
    NonNegative,
    Number,
    Point,
    PositiveTime,
    Time,
    Torque,
    Velocity,
)
from condyle.spec.reference import Context, Reference
from condyle.spec.units import unit_factor

# A frame on a beam may stand wherever a body may.
BodyName = Annotated[str, Reference("body", "bodies", "frames")]
Polyline = Annotated[list[Point], Field(min_length=2, max_length=10_000)]


class BodySpec(Declaration):
    """A rigid body; its frame has its origin at the centre of mass."""

    fixed: bool = Field(default=False, strict=True, description="Whether the body stays where it is.")
    position: Point = Field(
        (0.0, 0.0), description="Centre of mass at the start [x, y], in m, in the global frame."
    )
    angle: Angle = Field(0.0, description="Angle of the body's frame at the start [rad], counter-clockwise.")
    velocity: Velocity = Field(
        (0.0, 0.0), description="Velocity of the centre of mass at the start [x, y], in m/s."
    )
    angular_velocity: AngularSpeed = Field(0.0, description="Angular velocity at the start [rad/s].")
    mass: Mass | None = Field(None, description="Mass [kg]; needed unless the body is fixed.")
    inertia: Inertia | None = Field(
        None,
        description="Moment of inertia about the centre of mass [kg m^2]; needed unless the body is fixed.",
    )
    drawing: list[Polyline] = Field(
        [],
        max_length=100,
        description="Lines of points [x, y] in the body's frame, in m; only for the picture.",
    )

    def faults(self, _context: Context) -> Iterator[Fault]:
        """A free body needs mass and inertia, a fixed one has no velocity."""
        if self.fixed:
            if self.velocity != (0.0, 0.0):
                yield ("velocity",), "a fixed body has no velocity"
            if self.angular_velocity != 0.0:
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
    at: Point = Field((0.0, 0.0), description="The point [x, y] in the body's frame, in m.")


class ConstantCourseSpec(Declaration):
    """The amplitude all the time."""

    kind: Literal["constant"] = Field(description="The amplitude from the first to the last instant.")


class DecayingSineSpec(Declaration):
    """A pulse exp(-decay (t/duration)^2) sin(pi t/duration), not cut off (Machado 2010, Eq. 30)."""

    kind: Literal["decaying-sine"] = Field(description="A sine pulse that dies away.")
    duration: PositiveTime = Field(description="Duration of the first half wave [s].")
    decay: NonNegative = Field(4.73, description="How fast it dies away [-].")


class TableSpec(Declaration):
    """Factors of the amplitude at instants; straight between them, held before the first and after the last."""

    kind: Literal["table"] = Field(description="Factors at instants, joined by straight lines.")
    times: list[Time] = Field(min_length=2, max_length=100_000, description="Instants [s], increasing.")
    values: list[Number] = Field(
        min_length=2, max_length=100_000, description="Factors of the amplitude at the instants [-]."
    )

    def faults(self, _context: Context) -> Iterator[Fault]:
        """Times increase (two at one instant make a jump), and each has a value."""
        if len(self.times) != len(self.values):
            yield ("values",), f"expected as many as times, {len(self.times)}; got {len(self.values)}"
        for k, (before, after) in enumerate(zip(self.times, self.times[1:], strict=False)):
            if after < before or (k > 0 and self.times[k - 1] == after):
                yield ("times", k + 1), f"times must increase; got {after:g} after {before:g}"
                return


Course: TypeAlias = Annotated[
    ConstantCourseSpec | DecayingSineSpec | TableSpec,
    Family("a time course", (ConstantCourseSpec, DecayingSineSpec, TableSpec)),
]
_CONSTANT = ConstantCourseSpec.model_construct(kind="constant")


class ForceSpec(Declaration):
    """A force on a point of a body."""

    kind: Literal["force"] = Field("force", description="A force, as against a torque.")
    body: BodyName = Field(description="Name of the body it acts on.")
    at: Point = Field((0.0, 0.0), description="Where it acts [x, y] in the body's frame, in m.")
    direction: Direction = Field(
        description="Direction [x, y] of a positive force; its length does not matter."
    )
    frame: Literal["body", "global"] = Field(
        "global", description="Whether the direction turns with the body."
    )
    amplitude: Force = Field(description="Amplitude [N].")
    course: Course = Field(_CONSTANT, description="How the force goes over time.")

    def faults(self, _context: Context) -> Iterator[Fault]:
        """A direction has a length."""
        if self.direction == (0.0, 0.0):
            yield ("direction",), "expected a direction such as [1, 0]; got [0, 0], which points nowhere"


class TorqueSpec(Declaration):
    """A torque on a body."""

    kind: Literal["torque"] = Field(description="A torque, positive counter-clockwise.")
    body: BodyName = Field(description="Name of the body it acts on.")
    amplitude: Torque = Field(description="Amplitude [N m].")
    course: Course = Field(_CONSTANT, description="How the torque goes over time.")


Load: TypeAlias = Annotated[
    ForceSpec | TorqueSpec, Family("a load", (ForceSpec, TorqueSpec), "force", bare=False)
]


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

    def faults(self, _context: Context) -> Iterator[Fault]:
        """An angle is between two bodies."""
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
    axis: Literal["x", "y"] = Field(description="Which coordinate.")
    frame: BodyName | None = Field(
        None, alias="in", description="Body in whose frame; without it, the global frame."
    )
    offset: Length = Field(0.0, description="Added to the coordinate [m].")
    sign: Literal[1, -1] = Field(1, description="1, or -1 to count the coordinate the other way.")
    unit: Annotated[str, DisplayUnit("m")] = Field("mm", description="Unit of the results, such as mm or m.")


MeasureSpec: TypeAlias = Annotated[
    AngleSpec | DistanceSpec | CoordinateSpec,
    Family("a measure", (AngleSpec, DistanceSpec, CoordinateSpec), bare=False),
]


def display_factor(measure: AngleSpec | DistanceSpec | CoordinateSpec) -> float:
    """What one SI unit (rad, m) is in the unit in which a measure is reported."""
    base = "rad" if isinstance(measure, AngleSpec) else "m"
    factor = unit_factor(base, measure.unit)
    return (
        1.0 if factor is None else float(factor)
    )  # None is impossible: the declaration has checked the unit
