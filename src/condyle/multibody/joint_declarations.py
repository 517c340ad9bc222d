"""What a model file says about joints and drivers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from condyle.multibody.declarations import AttachmentSpec
from condyle.spec.declaration import Declaration, Fault
from condyle.spec.errors import shown
from condyle.spec.family import Family
from condyle.spec.quantity import (
    Angle,
    AngleOrLength,
    AnySpeed,
    Direction,
    Frequency,
    Measured,
    Number,
    PositiveLength,
    Time,
)
from condyle.spec.reference import Context, Reference

# Where a value stands, and the value.
Given: TypeAlias = tuple[tuple[str | int, ...], float | None]
MeasureName = Annotated[str, Reference("measure", "measures")]
_FROM = "The point, on the body whose frame counts."
_TO = "The point on the other body."
_ANGLE = "Angle from the first body's frame to the second's [rad]; by default as the file places them."
_DIRECTION = "Direction [x, y] in the first body's frame; its length does not matter."


class _TwoPoints(Declaration):
    """A joint between points of two bodies."""

    origin: AttachmentSpec = Field(alias="from", description=_FROM)
    target: AttachmentSpec = Field(alias="to", description=_TO)

    def faults(self, _context: Context) -> Iterator[Fault]:
        """A joint is between two bodies."""
        if self.origin.body == self.target.body:
            yield (
                ("to", "body"),
                f"both points are on {shown(self.target.body)}; a joint is between two bodies",
            )


class RevoluteSpec(_TwoPoints):
    """Two points stay together, the bodies turn about them (Kasai 2024, Eq. 13)."""

    kind: Literal["revolute"] = Field(description="Two points stay together.")


class WeldSpec(_TwoPoints):
    """Two points stay together, and the bodies turn as one."""

    kind: Literal["weld"] = Field(description="Two bodies move as one.")
    angle: Angle | None = Field(None, description=_ANGLE)


class _AlongLine(_TwoPoints):
    """A joint along a line of the first body."""

    direction: Direction = Field(description=_DIRECTION)

    def faults(self, context: Context) -> Iterator[Fault]:
        """A direction has a length."""
        yield from super().faults(context)
        if self.direction == (0.0, 0.0):
            yield ("direction",), "expected a direction such as [1, 0]; got [0, 0], which points nowhere"


class TranslationalSpec(_AlongLine):
    """A body slides along a line of another one and does not turn against it."""

    kind: Literal["translational"] = Field(description="Sliding along a line without turning.")
    angle: Angle | None = Field(None, description=_ANGLE)


class PointOnLineSpec(_AlongLine):
    """A point of a body slides along a line of another one."""

    kind: Literal["point-on-line"] = Field(description="A point that slides along a line.")


class RodSpec(_TwoPoints):
    """Two points stay at a distance, as if a rod without mass held them apart."""

    kind: Literal["distance"] = Field(description="Two points at a distance.")
    length: PositiveLength | None = Field(
        None, description="The distance [m]; by default as the file places the points."
    )


class HoldSpec(Declaration):
    """A measure keeps its value: an angle, a distance or a coordinate."""

    kind: Literal["hold"] = Field(description="A measure that does not change.")
    measure: MeasureName = Field(description="Name of the measure.")
    value: AngleOrLength | None = Field(
        None, description="Its value [rad or m]; by default as the file places the bodies."
    )

    def faults(self, context: Context) -> Iterator[Fault]:
        """The value fits the measure."""
        yield from unit_faults(self.measure, context, [(("value",), self.value)])


JOINTS = (RevoluteSpec, WeldSpec, TranslationalSpec, PointOnLineSpec, RodSpec, HoldSpec)
Joint: TypeAlias = Annotated[
    RevoluteSpec | WeldSpec | TranslationalSpec | PointOnLineSpec | RodSpec | HoldSpec,
    Family("a joint", JOINTS, bare=False),
]


class ConstantSpeedSpec(Declaration):
    """A value that changes at one speed (Kasai 2024, Eq. 14)."""

    kind: Literal["constant-speed"] = Field(description="The value changes at one speed.")
    speed: AnySpeed = Field(description="The speed [rad/s or m/s].")
    start: AngleOrLength | None = Field(
        None, description="Value at the start [rad or m]; by default as the file places the bodies."
    )


class HarmonicSpec(Declaration):
    """A value that goes to and fro: mean + amplitude sin(2 pi frequency t + phase)."""

    kind: Literal["harmonic"] = Field(description="The value goes to and fro.")
    amplitude: AngleOrLength = Field(description="Amplitude [rad or m].")
    frequency: Frequency = Field(description="Cycles in a second [Hz].")
    phase: Angle = Field(0.0, description="Phase at the start [rad].")
    mean: AngleOrLength = Field(0.0, description="Middle of the motion [rad or m].")


class PolynomialSpec(Declaration):
    """A polynomial of time."""

    kind: Literal["polynomial"] = Field(description="A polynomial of time.")
    coefficients: list[Number] = Field(
        min_length=1,
        max_length=20,
        description="Coefficients in ascending powers of the time in s, in SI units.",
    )


class TableMotionSpec(Declaration):
    """Values at instants, joined smoothly (a cubic spline, its rate and second rate continuous)."""

    kind: Literal["table"] = Field(description="Values at instants, joined smoothly.")
    times: list[Time] = Field(min_length=4, max_length=100_000, description="Instants [s], increasing.")
    values: list[AngleOrLength] = Field(
        min_length=4, max_length=100_000, description="Values at the instants [rad or m]."
    )

    def faults(self, _context: Context) -> Iterator[Fault]:
        """Times increase, each has a value; a driver cannot be in two places at one time."""
        if len(self.times) != len(self.values):
            yield ("values",), f"expected as many as times, {len(self.times)}; got {len(self.values)}"
        for k, (before, after) in enumerate(pairwise(self.times)):
            if after <= before:
                yield (
                    ("times", k + 1),
                    f"times must increase, since a driver cannot jump; got {after:g} after {before:g}",
                )
                return


MOTIONS = (ConstantSpeedSpec, HarmonicSpec, PolynomialSpec, TableMotionSpec)
Motion: TypeAlias = Annotated[
    ConstantSpeedSpec | HarmonicSpec | PolynomialSpec | TableMotionSpec,
    Family("a motion", MOTIONS, bare=False),
]


class DriverSpec(Declaration):
    """A measure that follows a motion, whatever effort that takes."""

    measure: MeasureName = Field(description="Name of the measure that is driven.")
    motion: Motion = Field(description="The motion it follows.")

    def faults(self, context: Context) -> Iterator[Fault]:
        """The values fit the measure."""
        fields = ("start", "speed", "amplitude", "mean")
        given: list[Given] = [(("motion", name), getattr(self.motion, name, None)) for name in fields]
        values = self.motion.values if isinstance(self.motion, TableMotionSpec) else []
        given += [(("motion", "values", k), value) for k, value in enumerate(values)]
        yield from unit_faults(self.measure, context, given)


def unit_faults(measure: str, context: Context, given: Iterable[Given]) -> Iterator[Fault]:
    """Values with a unit that does not fit what the measure measures."""
    kind = context.entry("measures", measure).get("kind")
    if kind not in ("angle", "distance", "coordinate"):
        return
    wanted = "rad" if kind == "angle" else "m"
    for place, value in given:
        unit = value.unit if isinstance(value, Measured) else ""
        if unit and unit.removesuffix("/s") != wanted:
            what = "an angle" if wanted == "rad" else "a length"
            yield place, f"measure {shown(measure)} is {what}; got a value in {unit}"
