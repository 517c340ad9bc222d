"""What a model file says about joints and drivers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import Field

from condyle.multibody.declarations import (
    AttachmentSpec,
    Given,
    MeasureName,
    TableFields,
    direction_faults,
    unit_faults,
)
from condyle.spec.declaration import Declaration, Fault
from condyle.spec.errors import shown
from condyle.spec.family import Family
from condyle.spec.orientation import Sequence3
from condyle.spec.quantity import (
    Angle,
    AngleOrLength,
    AnyDirection,
    AnySpeed,
    Frequency,
    Measured,
    Number,
    PositiveLength,
    Time,
)
from condyle.spec.reference import Context

_FROM = "The point, on the body whose frame counts."
_TO = "The point on the other body."
_ANGLE = "In the plane: angle from the first body's frame to the second's [rad]; by default as the file places them."
_DIRECTION = "Direction [x, y] or [x, y, z] in the first body's frame; its length does not matter."
_AXIS = "In space: axis [x, y, z] in the first body's frame; in the second it lies where the file places the bodies."
# Names of the coordinates of a six-degree joint: places along the first frame's axes, then the three angles in turn.
COORDINATES = ("x", "y", "z", "first", "second", "third")


class _TwoPoints(Declaration):
    """A joint between points of two bodies."""

    origin: AttachmentSpec = Field(alias="from", description=_FROM)
    target: AttachmentSpec = Field(alias="to", description=_TO)

    def faults(self, context: Context) -> Iterator[Fault]:
        """A joint is between two bodies; its axis is there where the model has space for one."""
        if self.origin.body == self.target.body:
            yield (
                ("to", "body"),
                f"both points are on {shown(self.target.body)}; a joint is between two bodies",
            )
        for field in ("axis", "normal", "second_axis"):
            given = getattr(self, field, None)
            if given is not None and not any(given):
                yield (field,), "expected a direction such as [0, 0, 1]; got one that points nowhere"
        if context.dimensions == 3 and getattr(self, "angle", None) is not None:
            yield ("angle",), "for the plane; in space bodies stay turned as the file places them"


class _InSpace(_TwoPoints):
    """A joint that needs space."""

    def faults(self, context: Context) -> Iterator[Fault]:
        """The plane has no room for it."""
        yield from super().faults(context)
        if context.dimensions == 2:
            yield ("kind",), "for models in space; set dimensions: 3"


class RevoluteSpec(_TwoPoints):
    """Two points stay together, the bodies turn about them (Kasai 2024, Eq. 13), in space about an axis."""

    kind: Literal["revolute"] = Field(description="Two points stay together; a hinge.")
    axis: AnyDirection | None = Field(None, description=_AXIS)

    def faults(self, context: Context) -> Iterator[Fault]:
        """A hinge in space has an axis, one in the plane does not."""
        yield from super().faults(context)
        if context.dimensions == 3 and self.axis is None:
            yield ("axis",), "missing; a hinge in space needs its axis in the first body's frame: [0, 0, 1]"
        if context.dimensions == 2 and self.axis is not None:
            yield ("axis",), "a hinge in the plane has no axis; for space set dimensions: 3"


class SphericalSpec(_InSpace):
    """Two points stay together, the bodies turn as they like."""

    kind: Literal["spherical"] = Field(description="Two points stay together, in space: a ball joint.")


class UniversalSpec(_InSpace):
    """Two points stay together, and an axis of each body stays square to one of the other (Cardan's joint)."""

    kind: Literal["universal"] = Field(description="A Cardan joint: two axes that stay square to each other.")
    axis: AnyDirection = Field(description="Axis [x, y, z] in the first body's frame.")
    second_axis: AnyDirection = Field(description="Axis [x, y, z] in the second body's frame.")


class CylindricalSpec(_InSpace):
    """A body slides along an axis of another one and turns about it."""

    kind: Literal["cylindrical"] = Field(description="Sliding along an axis and turning about it.")
    axis: AnyDirection = Field(description=_AXIS)


class PlanarSpec(_InSpace):
    """A face of one body slides on a face of the other and turns there."""

    kind: Literal["planar"] = Field(description="Sliding on a plane and turning in it.")
    normal: AnyDirection = Field(description="Normal of the plane [x, y, z] in the first body's frame.")


class PointOnPlaneSpec(_InSpace):
    """A point of one body slides on a plane of the other (Andersen 2017, the point-on-plane jaw joint)."""

    kind: Literal["point-on-plane"] = Field(description="A point that slides on a plane.")
    normal: AnyDirection = Field(description="Normal of the plane [x, y, z] in the first body's frame.")


class SixDegreeSpec(_InSpace):
    """Six coordinates between two bodies, of which some may be held: places along the first frame's axes, and three
    angles of a sequence. Measures of the same form drive, load and show them.
    """

    kind: Literal["six-degree"] = Field(description="Six named coordinates, any of which may be held.")
    sequence: Sequence3 = Field(
        "zxy", description="Axes of the three angles, one after the other (zxy: flexion about z first)."
    )
    held: list[Literal["x", "y", "z", "first", "second", "third"]] = Field(
        [],
        max_length=6,
        description="Coordinates that keep their value: places x, y, z and the first, second, third angle.",
    )

    def faults(self, context: Context) -> Iterator[Fault]:
        """A coordinate is held once."""
        yield from super().faults(context)
        if len(set(self.held)) < len(self.held):
            yield ("held",), "names a coordinate twice"


class WeldSpec(_TwoPoints):
    """Two points stay together, and the bodies turn as one."""

    kind: Literal["weld"] = Field(description="Two bodies move as one.")
    angle: Angle | None = Field(None, description=_ANGLE)


class _AlongLine(_TwoPoints):
    """A joint along a line of the first body."""

    direction: AnyDirection = Field(description=_DIRECTION)

    def faults(self, context: Context) -> Iterator[Fault]:
        """A direction has a length."""
        yield from super().faults(context)
        yield from direction_faults(self.direction)


class TranslationalSpec(_AlongLine):
    """A body slides along a line of another one and does not turn against it."""

    kind: Literal["translational", "prismatic"] = Field(description="Sliding along a line without turning.")
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


AnyJoint: TypeAlias = (
    RevoluteSpec
    | WeldSpec
    | TranslationalSpec
    | PointOnLineSpec
    | RodSpec
    | HoldSpec
    | SphericalSpec
    | UniversalSpec
    | CylindricalSpec
    | PlanarSpec
    | PointOnPlaneSpec
    | SixDegreeSpec
)
Joint: TypeAlias = Annotated[AnyJoint, Family("a joint", get_args(AnyJoint), bare=False)]


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


class TableMotionSpec(TableFields):
    """Values at instants, joined smoothly (a cubic spline, its rate and second rate continuous)."""

    kind: Literal["table"] = Field(
        description="Values at instants, joined smoothly by a cubic spline, which may go a little beyond them."
    )
    times: list[Time] | None = Field(
        None, min_length=4, max_length=100_000, description="Instants [s], increasing."
    )
    values: list[AngleOrLength] | None = Field(
        None, min_length=4, max_length=100_000, description="Values at the instants [rad or m]."
    )
    unit: Literal["rad", "deg", "m", "mm"] | None = Field(
        None, description="Unit of the file's column; rad or m by default."
    )

    def faults(self, _context: Context) -> Iterator[Fault]:
        """Times increase, each has a value; a driver cannot be in two places at one time."""
        yield from self.table_faults(self.times, self.values)
        times, values = self.times or [], self.values or []
        if self.times is not None and self.values is not None and len(times) != len(values):
            yield ("values",), f"expected as many as times, {len(times)}; got {len(values)}"
        if self.unit is not None and self.file is None:
            yield ("unit",), "only a file needs it; write the unit with the values"
        if self.repeat and values and values[0] != values[-1]:
            yield (
                ("values", len(values) - 1),
                (f"a motion that repeats ends where it began, at {values[0]:g}; got {values[-1]:g}"),
            )
        for k, (before, after) in enumerate(pairwise(times)):
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


def _one(unit: str | None) -> Measured:
    """One of a unit that is an angle or a length; of none, a bare number."""
    found = Measured(1.0)
    found.unit = {None: "", "deg": "rad", "mm": "m"}.get(unit, unit or "")
    return found


class DriverSpec(Declaration):
    """A measure that follows a motion, whatever effort that takes."""

    measure: MeasureName = Field(description="Name of the measure that is driven.")
    motion: Motion = Field(description="The motion it follows.")

    def faults(self, context: Context) -> Iterator[Fault]:
        """The values fit the measure."""
        fields = ("start", "speed", "amplitude", "mean")
        given: list[Given] = [(("motion", name), getattr(self.motion, name, None)) for name in fields]
        if isinstance(self.motion, TableMotionSpec):
            given += [(("motion", "values", k), value) for k, value in enumerate(self.motion.values or [])]
            given.append((("motion", "unit"), _one(self.motion.unit)))
        yield from unit_faults(self.measure, context, given)
