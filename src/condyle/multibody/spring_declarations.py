"""What a model file says about springs and dampers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import Field

from condyle.multibody.declarations import AttachmentSpec, BodyName, Given, MeasureName, unit_faults
from condyle.spec.declaration import Declaration, Fault
from condyle.spec.errors import shown
from condyle.spec.family import Family
from condyle.spec.quantity import (
    Angle,
    AngleOrLength,
    AngularDamping,
    AngularStiffness,
    AnyDamping,
    AnyStiffness,
    Damping,
    Force,
    Length,
    NonNegativeLength,
    Stiffness,
    Torque,
)
from condyle.spec.reference import Context


class _Stops(Declaration):
    """Where a spring meets a stop."""

    def faults(self, _context: Context) -> Iterator[Fault]:
        """A stop is somewhere, and the lower one is below the upper one."""
        least, most = getattr(self, "least", None), getattr(self, "most", None)
        if least is None and most is None:
            yield (), "expected least, most or both"
        if least is not None and most is not None and not least < most:
            yield ("most",), f"expected more than least, {least:g}; got {most:g}"


class LengthStopsSpec(_Stops):
    """Lengths beyond which a stop pushes back."""

    least: Length | None = Field(None, description="Length below which a stop pushes back [m].")
    most: Length | None = Field(None, description="Length above which a stop pulls back [m].")
    stiffness: Stiffness = Field(description="Stiffness of the stops [N/m], added to the spring's.")


class AngleStopsSpec(_Stops):
    """Angles beyond which a stop pushes back."""

    least: Angle | None = Field(None, description="Angle below which a stop pushes back [rad].")
    most: Angle | None = Field(None, description="Angle above which a stop pushes back [rad].")
    stiffness: AngularStiffness = Field(
        description="Stiffness of the stops [N m/rad], added to the spring's."
    )


class ForceTableSpec(Declaration):
    """Forces at elongations, joined smoothly without new extremes; straight on beyond the ends, as steep as there."""

    elongations: list[Length] = Field(
        min_length=2, max_length=10_000, description="Length less rest length [m], increasing."
    )
    forces: list[Force] = Field(min_length=2, max_length=10_000, description="Tensions there [N].")

    def faults(self, _context: Context) -> Iterator[Fault]:
        """Elongations increase, each has a force."""
        yield from table_faults("elongations", self.elongations, "forces", self.forces)


class TorqueTableSpec(Declaration):
    """Torques at angles, joined smoothly without new extremes; straight on beyond the ends, as steep as there."""

    angles: list[Angle] = Field(
        min_length=2, max_length=10_000, description="Angle less rest angle [rad], increasing."
    )
    torques: list[Torque] = Field(
        min_length=2, max_length=10_000, description="Torques there that turn the angle back [N m]."
    )

    def faults(self, _context: Context) -> Iterator[Fault]:
        """Angles increase, each has a torque."""
        yield from table_faults("angles", self.angles, "torques", self.torques)


def table_faults(first: str, arguments: list[float], second: str, values: list[float]) -> Iterator[Fault]:
    """Arguments increase, and each has a value."""
    if len(arguments) != len(values):
        yield (second,), f"expected as many as {first}, {len(arguments)}; got {len(values)}"
    for k, (before, after) in enumerate(pairwise(arguments)):
        if after <= before:
            yield (first, k + 1), f"{first} must increase; got {after:g} after {before:g}"
            return


class TranslationalSpringSpec(Declaration):
    """A spring and a damper between two points."""

    kind: Literal["translational"] = Field(
        "translational", description="Between two points, along the line that joins them."
    )
    origin: AttachmentSpec = Field(alias="from", description="One end.")
    target: AttachmentSpec = Field(alias="to", description="The other end.")
    stiffness: Stiffness | None = Field(None, description="Stiffness [N/m].")
    table: ForceTableSpec | None = Field(None, description="Tension over elongation, instead of stiffness.")
    damping: Damping = Field(0.0, description="Damping [N s/m].")
    rest_length: NonNegativeLength | None = Field(
        None, description="Length without force [m]; by default as the file places the ends."
    )
    stops: LengthStopsSpec | None = Field(None, description="Stops at lengths.")

    def faults(self, _context: Context) -> Iterator[Fault]:
        """A spring joins two bodies and does something."""
        if self.origin.body == self.target.body:
            yield ("to", "body"), f"both ends are on {shown(self.target.body)}; a spring joins two bodies"
        yield from _does_something(self)


class RotationalSpringSpec(Declaration):
    """A spring and a damper on the angle between two bodies."""

    kind: Literal["rotational"] = Field(description="On the angle between two bodies.")
    origin: BodyName = Field(alias="from", description="Body from which the angle counts.")
    target: BodyName = Field(alias="to", description="Body to which the angle counts.")
    stiffness: AngularStiffness | None = Field(None, description="Stiffness [N m/rad].")
    table: TorqueTableSpec | None = Field(None, description="Torque over angle, instead of stiffness.")
    damping: AngularDamping = Field(0.0, description="Damping [N m s/rad].")
    rest_angle: Angle | None = Field(
        None, description="Angle without torque [rad]; by default as the file places the bodies."
    )
    stops: AngleStopsSpec | None = Field(None, description="Stops at angles.")

    def faults(self, context: Context) -> Iterator[Fault]:
        """A spring joins two bodies and does something."""
        if context.dimensions == 3:
            yield ("kind",), "for the plane; in space take kind: measure with a rotation"
        if self.origin == self.target:
            yield ("to",), f"both bodies are {shown(self.target)}; a spring joins two"
        yield from _does_something(self)


class MeasureSpringSpec(Declaration):
    """A spring and a damper on a measure: an angle of a joint, a coordinate, a distance."""

    kind: Literal["measure"] = Field(description="On a measure, in spatial models.")
    measure: MeasureName = Field(description="Name of the measure.")
    stiffness: AnyStiffness | None = Field(
        None, description="Stiffness [N/m], or [N m/rad] where the measure is an angle."
    )
    damping: AnyDamping = Field(
        0.0, description="Damping [N s/m], or [N m s/rad] where the measure is an angle."
    )
    rest: AngleOrLength | None = Field(
        None, description="Value without force [m or rad]; by default as the file places the bodies."
    )

    @property
    def table(self) -> None:
        """A spring on a measure has no table."""

    @property
    def stops(self) -> None:
        """A spring on a measure has no stops."""

    def faults(self, context: Context) -> Iterator[Fault]:
        """Only models in space have measures that springs can act along."""
        if context.dimensions == 2:
            yield ("kind",), "for models in space; in the plane take translational or rotational"
        given: list[Given] = [
            (("stiffness",), self.stiffness),
            (("damping",), self.damping),
            (("rest",), self.rest),
        ]
        yield from unit_faults(self.measure, context, given)
        yield from _does_something(self)


def _does_something(spring: AnySpring) -> Iterator[Fault]:
    if spring.stiffness is not None and spring.table is not None:
        yield ("table",), "both stiffness and table are given; keep one"
    if spring.stiffness is None and spring.table is None and spring.damping == 0.0 and spring.stops is None:
        yield (), "a spring needs a stiffness, a table, a damping or stops"


AnySpring: TypeAlias = TranslationalSpringSpec | RotationalSpringSpec | MeasureSpringSpec
Spring: TypeAlias = Annotated[AnySpring, Family("a spring", get_args(AnySpring), "translational", bare=False)]
