"""What a model file says about beams and the frames they carry."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from condyle.spec.declaration import Declaration, Fault
from condyle.spec.orientation import OrientationSpec
from condyle.spec.quantity import (
    BY_DEFAULT,
    AngularSpeed,
    AnyPoint,
    BendingStiffness,
    Count,
    Delay,
    Density,
    ForcePerStrain,
    LineDensity,
    Part,
    Point,
    Poisson,
    PositiveLength,
    Stress,
    Velocity,
)
from condyle.spec.reference import Context, Reference

# Shear correction of a rectangle (Cowper 1966 gives 0.85 to 0.87 for usual Poisson's ratios).
SHEAR_CORRECTION = 5.0 / 6.0


def _one_place(here: Point, there: Point) -> bool:
    """Whether two points are one but for rounding: a line between them has no direction to speak of."""
    return math.dist(here, there) <= max(1e-30, 1e-12 * max(map(abs, (*here, *there))))


class SectionSpec(Declaration):
    """A rectangular section."""

    width: PositiveLength = Field(description="Width across the plane [m].")
    height: PositiveLength = Field(description="Height in the plane, in which the beam bends [m].")


class BeamSpec(Declaration):
    """A flexible beam in absolute nodal coordinates, at rest without stress in the shape it is given in."""

    kind: Literal["cable", "shear-deformable"] = Field(
        "cable", description="Element: cable (no shear), or shear-deformable."
    )
    start: Point | None = Field(None, alias="from", description="Where a straight beam begins [x, y], in m.")
    end: Point | None = Field(None, alias="to", description="Where a straight beam ends [x, y], in m.")
    points: list[Point] | None = Field(
        None,
        min_length=3,
        max_length=10_000,
        description="Points [x, y] of a curved beam in order, joined smoothly, in m; instead of from and to.",
    )
    elements: Count = Field(8, ge=1, le=4096, description="How many elements it is divided into.")
    section: SectionSpec | None = Field(None, description="Its section, from which the stiffnesses follow.")
    young: Stress | None = Field(None, description="Young's modulus [Pa].")
    poisson: Poisson = Field(0.3, description="Poisson's ratio [-], for the shear stiffness.")
    density: Density | None = Field(None, description="Density [kg/m^3].")
    axial_stiffness: ForcePerStrain | None = Field(None, description="EA [N], instead of section and young.")
    bending_stiffness: BendingStiffness | None = Field(
        None, description="EI [N m^2], instead of section and young."
    )
    shear_stiffness: ForcePerStrain | None = Field(
        None, description="k G A [N]; by default from section, young and poisson with k = 5/6."
    )
    mass_per_length: LineDensity | None = Field(
        None, description="Mass per length [kg/m], instead of section and density."
    )
    damping: Delay = Field(
        0.0, description="Kelvin-Voigt damping: the time by which stress lags behind strain [s]."
    )
    velocity: Velocity = Field((0.0, 0.0), description="Velocity of its beginning [x, y], in m/s.")
    angular_velocity: AngularSpeed = Field(
        0.0, description="Angular velocity at the start, about its beginning [rad/s]."
    )

    def faults(self, _context: Context) -> Iterator[Fault]:
        """A beam has a shape with a length, and its stiffnesses and mass are known."""
        straight = self.start is not None or self.end is not None
        if straight == (self.points is not None):
            yield (), "expected either from and to, or points"
        elif straight and (self.start is None or self.end is None):
            yield ("from" if self.start is None else "to",), "missing; a straight beam needs from and to"
        elif self.start is not None and self.end is not None and _one_place(self.start, self.end):
            yield ("to",), "the beam ends where it begins"
        for k, pair in enumerate(pairwise(self.points or ())):
            if _one_place(*pair):
                yield ("points", k + 1), "the same point as the one before"
        by_section = self.section is not None
        for field, other in (
            ("axial_stiffness", "young"),
            ("bending_stiffness", "young"),
            ("mass_per_length", "density"),
        ):
            if getattr(self, field) is None and (not by_section or getattr(self, other) is None):
                yield (field,), f"missing; give it, or section and {other}"
        if self.kind == "shear-deformable" and self.shear_stiffness is None and not self._has_material():
            yield ("shear_stiffness",), "missing; give it, or section and young"

    def _has_material(self) -> bool:
        return self.section is not None and self.young is not None

    @property
    def area(self) -> float:
        """Area of the section [m^2]; not a number where no section is given."""
        return math.nan if self.section is None else self.section.width * self.section.height

    @property
    def inertia_of_area(self) -> float:
        """Second moment of the section [m^4]; not a number where no section is given."""
        return math.nan if self.section is None else self.section.width * self.section.height**3 / 12.0

    @property
    def stiffness(self) -> tuple[float, float, float]:
        """EA [N], EI [N m^2] and kGA [N]; the last is infinite for a cable element."""
        young = self.young or math.nan
        axial, bending = young * self.area, young * self.inertia_of_area
        shear = SHEAR_CORRECTION * young / (2.0 * (1.0 + self.poisson)) * self.area
        return (
            self.axial_stiffness or axial,
            self.bending_stiffness or bending,
            math.inf if self.kind == "cable" else self.shear_stiffness or shear,
        )

    @property
    def line_density(self) -> float:
        """Mass per length [kg/m]."""
        return self.mass_per_length or (self.density or math.nan) * self.area


class FrameSpec(Declaration):
    """A place on a beam, or axes of their own on a body in space; it can hold whatever a body can."""

    beam: Annotated[str, Reference("beam", "beams")] | None = Field(None, description="Name of the beam.")
    along: Part | None = Field(None, description="Where on the beam: 0 is its beginning, 1 its end.")
    body: Annotated[str, Reference("body", "bodies")] | None = Field(
        None, description="In space: name of the body that carries the axes."
    )
    at: AnyPoint = Field(
        BY_DEFAULT,
        validate_default=True,
        description="In space: origin of the axes [x, y, z] in the body's frame, in m.",
    )
    orientation: OrientationSpec | None = Field(
        None, description="In space: how the axes are turned against the body's frame."
    )

    def faults(self, context: Context) -> Iterator[Fault]:
        """On a beam in the plane, on a body in space."""
        if context.dimensions == 3:
            if self.body is None:
                yield ("body",), "missing; in space a frame is on a body"
            if self.beam is not None or self.along is not None:
                yield ("beam",), "beams are of models in the plane; name a body"
            return
        for field in ("beam", "along"):
            if getattr(self, field) is None:
                yield (field,), "missing; a frame is at a place along a beam: {beam: rod, along: 0.5}"
        for field in ("body", "orientation"):
            if getattr(self, field) is not None:
                yield (field,), "for frames on bodies in space; set dimensions: 3"
