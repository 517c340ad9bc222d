"""What a model file says about materials, profiles and contacts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from condyle.contact.law_declarations import (
    AnyContactLaw,
    ContactLaw,
    CoulombSpec,
    DampedLawSpec,
    Friction,
    HertzSpec,
    KelvinVoigtSpec,
)
from condyle.contact.outline_declarations import OutlineSpec
from condyle.contact.surface_declarations import FoundationSpec
from condyle.spec.declaration import Declaration, Fault
from condyle.spec.errors import shown
from condyle.spec.family import Family
from condyle.spec.quantity import (
    LENGTH,
    Count,
    Direction,
    Length,
    NonNegative,
    Poisson,
    Restitution,
    Stress,
    told,
)
from condyle.spec.reference import Context, Reference

ProfileName = Annotated[str, Reference("profile", "profiles")]
Interpolation = Literal["exact", "cubic", "akima", "shape-preserving", "pchip"]
Form = Literal["polar", "plain"]

DEFAULT_RESTITUTION = 0.5
# Shapes that need no interpolation.
EXACT = ("circle", "line", "point")


class MaterialSpec(Declaration):
    """What a surface is made of."""

    young: Stress = Field(description="Young's modulus [Pa].")
    poisson: Poisson = Field(description="Poisson's ratio [-], above -1 and at most 0.5.")
    restitution: Restitution | None = Field(
        None, description="Coefficient of restitution [-], above 0 and at most 1."
    )
    friction: NonNegative | None = Field(None, description="Coefficient of friction [-].")


class ProfileSpec(Declaration):
    """An outline fixed to a body, with the solid on one side of it."""

    body: Annotated[str, Reference("body", "bodies", "frames")] = Field(
        description="Name of the body, or of the frame on a beam, that carries it."
    )
    outline: OutlineSpec = Field(description="Its shape: one of circle, line, point, points, file or path.")
    interpolation: Interpolation | None = Field(
        None,
        description="How points are joined; exact circles and lines by default, shape-preserving otherwise.",
    )
    form: Form | None = Field(
        None,
        description="Polar about the body's origin, or plain x and y; by default plain for lines, else polar.",
    )
    closed: bool | None = Field(
        None, strict=True, description="Whether the outline goes round; by default found from its shape."
    )
    outward: Direction | None = Field(
        None, description="Direction [x, y] out of the solid; by default away from the body's origin."
    )
    material: Annotated[str, Reference("material", "materials")] | None = Field(
        None, description="Name of a material."
    )

    @property
    def effective_interpolation(self) -> Interpolation:
        """The interpolation, the default filled in."""
        default: Interpolation = "exact" if self.outline.shape in EXACT else "shape-preserving"
        return self.interpolation or default

    @property
    def effective_form(self) -> Form:
        """The form, the default filled in."""
        return self.form or ("plain" if self.outline.shape == "line" else "polar")

    def faults(self, _context: Context) -> Iterator[Fault]:
        """What does not go with the shape."""
        shape = self.outline.shape
        if self.interpolation == "exact" and shape not in EXACT:
            yield ("interpolation",), f"only a circle or a line can be exact; {shape} must be interpolated"
        if self.interpolation not in (None, "exact") and shape == "point":
            yield ("interpolation",), "a bare point has nothing to interpolate"
        if self.closed is True and shape == "line":
            yield ("closed",), "a line is not closed"
        if self.closed is False and shape in ("circle", "point"):
            yield ("closed",), f"a {shape} is closed; an arc is written as a path"
        if self.outward == (0.0, 0.0):
            yield ("outward",), "expected a direction such as [1, 0]; got [0, 0], which points nowhere"
        if self.outward is not None and shape in ("circle", "point"):
            yield (
                ("outward",),
                f"a {shape} needs no direction; its solid is inside, or outside if it is hollow",
            )


class _Radius:
    """A radius of curvature: a length (negative where the side is hollow), or a word."""

    def __call__(self, value: Any) -> float | str:
        if value in ("flat", "profile"):
            return str(value)
        try:
            number = LENGTH(value)
        except ValueError:
            number = 0.0
        if number == 0.0:
            words = (
                "a length in m that is not 0 (negative if hollow), such as 0.04 or '40 mm', flat or profile"
            )
            raise told(f"expected {words}; got {shown(value)}")
        return number

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"anyOf": [{"type": "number"}, {"type": "string"}]}


def _two(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise told(f"expected two, one for each side, in brackets and parted by a comma; got {shown(value)}")
    return value


Radius = Annotated[float | Literal["flat", "profile"], _Radius()]


class ContactSpec(Declaration):
    """Two profiles that may touch."""

    kind: Literal["profiles"] = Field("profiles", description="Two outlines in the plane.")
    between: Annotated[tuple[ProfileName, ProfileName], BeforeValidator(_two)] = Field(
        description="Names of two profiles on different bodies."
    )
    law: ContactLaw = Field(
        DampedLawSpec.model_construct(kind="gonthier"),
        description="Normal force over depth and rate: a law's name, or its kind and parameters.",
    )
    radii: Annotated[tuple[Radius, Radius], BeforeValidator(_two)] | None = Field(
        None,
        description="Radii of both sides for the stiffness: lengths in m (negative if hollow), flat, or profile "
        "for the curvature where they touch; by default from the shapes.",
    )
    initial_gap: Length | None = Field(
        None,
        description="Gap at the start [m], to which the second profile is moved along the contact's normal.",
    )
    friction: Friction | None = Field(None, description="A friction law; without it the contact is smooth.")
    spots: Count | None = Field(
        None,
        ge=1,
        le=4,
        description="At how many places at most the two touch at a time; places between which they do not part "
        "are one. By default 1 for convex profiles, else 2.",
    )

    def faults(self, context: Context) -> Iterator[Fault]:
        """What does not go with the two profiles."""
        if context.dimensions == 3:
            yield ("kind",), "profiles are of models in the plane; in space take kind: foundation"
        if self.between[0] == self.between[1]:
            yield ("between",), f"{shown(self.between[0])} cannot touch itself; name two profiles"
            return
        sides = [context.entry("profiles", name) for name in self.between]
        yield from _body_faults(sides)
        if all(_is(side, "line") for side in sides):
            yield ("between",), "two straight lines have no nearest point; one side must be curved"
        if all(_is(side, "point") for side in sides):
            yield ("between",), "two bare points never touch; give one a radius"
            return
        for side, other in (sides, sides[::-1]):
            if _is(side, "point") and not (_is(other, "line") or _is(other, "circle")):
                yield (
                    ("between",),
                    "a bare point touches circles and lines; give it a small circle for other outlines",
                )
            elif _is(side, "point") and self.law.stiffness is None:
                yield ("law",), "needs a stiffness; a bare point has no radius to find it from"
        if self.law.stiffness is None:
            yield from self._stiffness_faults(sides)
        if isinstance(self.friction, CoulombSpec) and self.friction.coefficient is None:
            yield from _friction_faults(sides, context)

    def effective_radii(self, first: ProfileSpec, second: ProfileSpec) -> tuple[Radius, Radius]:
        """The radii, defaults filled in from the shapes."""
        return self.radii or (_default_radius(first), _default_radius(second))

    def _stiffness_faults(self, sides: list[Mapping[str, Any]]) -> Iterator[Fault]:
        """Without a stiffness, materials and radii must give one (Machado 2010, Eqs. 25-26)."""
        bare = [
            name
            for name, side in zip(self.between, sides, strict=True)
            if side and side.get("material") is None
        ]
        if bare:
            names = " and ".join(shown(name) for name in bare)
            yield ("law",), f"needs a stiffness, or a material for {names} to find it from"
        curvatures = [_curvature(radius) for radius in self.radii or ()]
        if curvatures == [0.0, 0.0]:
            yield ("radii",), "two flat sides have no stiffness; give one a radius, or the law a stiffness"
        elif curvatures and sum(curvatures) <= 0.0:
            yield ("radii",), "a hollow side must have a larger radius than the side that lies in it"


AnyContact: TypeAlias = ContactSpec | FoundationSpec
Contact: TypeAlias = Annotated[
    AnyContact, Family("a contact", (ContactSpec, FoundationSpec), "profiles", bare=False)
]


def _curvature(radius: Radius) -> float:
    """Curvature [1/m], 0 where flat; not a number where it is known only at the contact."""
    if isinstance(radius, float):
        return 1.0 / radius
    return 0.0 if radius == "flat" else math.nan


def _body_faults(sides: list[Mapping[str, Any]]) -> Iterator[Fault]:
    first, second = (side.get("body") for side in sides)
    if isinstance(first, str) and first == second:
        yield ("between",), f"both profiles are on {shown(first)}; a contact needs two bodies"


def _friction_faults(sides: list[Mapping[str, Any]], context: Context) -> Iterator[Fault]:
    materials = [context.entry("materials", str(side.get("material"))) for side in sides if side]
    if any(material.get("friction") is None for material in materials):
        yield ("friction",), "needs a coefficient, or materials with friction on both sides"


def _is(side: Mapping[str, Any], shape: str) -> bool:
    outline = side.get("outline")
    return isinstance(outline, Mapping) and outline.get(shape) is not None


def _default_radius(profile: ProfileSpec) -> Radius:
    circle = profile.outline.circle
    if circle is not None:
        return -circle.radius if circle.hollow else circle.radius
    return "flat" if profile.outline.line is not None else "profile"


def asked_restitution(
    law: AnyContactLaw, first: MaterialSpec | None, second: MaterialSpec | None
) -> float | None:
    """The coefficient of restitution [-] that a law is asked for; None if it is asked for none.

    The law's own, else the smaller of the two materials', else 0.5.
    """
    if isinstance(law, HertzSpec | KelvinVoigtSpec):
        return None
    if law.restitution is not None:
        return law.restitution
    given = [m.restitution for m in (first, second) if m is not None and m.restitution is not None]
    return min(given, default=DEFAULT_RESTITUTION)


def friction_coefficient(law: CoulombSpec, first: MaterialSpec | None, second: MaterialSpec | None) -> float:
    """Coulomb's coefficient [-]: the law's own, else the smaller of the two materials'."""
    if law.coefficient is not None:
        return law.coefficient
    return min((m.friction for m in (first, second) if m is not None and m.friction is not None), default=0.0)
