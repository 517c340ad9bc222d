"""What a model file says about contact laws and friction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from condyle.spec.declaration import Declaration, Fault
from condyle.spec.family import Family
from condyle.spec.quantity import (
    Damping,
    NonNegative,
    Positive,
    PositiveSpeed,
    Quantity,
    Restitution,
    Slowness,
    Stiffness,
    quantity_schema,
)
from condyle.spec.reference import Context


class _ContactStiffness:
    """A stiffness whose unit depends on the exponent that is declared with it."""

    def __call__(self, value: Any, info: ValidationInfo) -> float:
        exponent = info.data.get("exponent", 1.5)
        return Quantity("a stiffness", f"N/m^{exponent:g}", "8.5e5", above=0.0)(value)

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return quantity_schema(above=0.0)


ContactStiffness = Annotated[float, _ContactStiffness()]
Tension = Literal["clamp", "printed"]
_STIFFNESS = (
    "Stiffness K [N/m^exponent]; without it, from the materials and radii (Machado 2010, Eqs. 25-26)."
)
_EXPONENT = "Exponent of the depth [-]."
_TENSION = "What becomes of a force that would pull: clamp it at zero, or leave it as printed."


class HertzSpec(Declaration):
    """An elastic contact, K depth^exponent (Machado 2010, Eq. 24)."""

    kind: Literal["hertz"] = Field(description="Elastic; loses nothing.")
    exponent: Positive = Field(1.5, description=_EXPONENT)
    stiffness: ContactStiffness | None = Field(None, description=_STIFFNESS)


class DampedLawSpec(Declaration):
    """A contact that loses energy, K depth^exponent (1 + c rate/onset speed); the kind says how c is found."""

    kind: Literal[
        "lankarani-nikravesh",
        "hunt-crossley",
        "flores",
        "gonthier",
        "carvalho-martins",
        "hu-guo",
        "zhang-sharf",
    ] = Field(description="How the damping follows from the restitution; gonthier delivers what is asked.")
    exponent: Positive = Field(1.5, description=_EXPONENT)
    stiffness: ContactStiffness | None = Field(None, description=_STIFFNESS)
    restitution: Restitution | None = Field(
        None,
        description="Coefficient of restitution asked [-]; without it, the smaller of the materials', or 0.5.",
    )
    onset_floor: PositiveSpeed = Field(
        1e-3,
        description="Onset speed [m/s] below which the damping no longer grows, so that the force stays bounded.",
    )
    tension: Tension = Field("clamp", description=_TENSION)


class KelvinVoigtSpec(Declaration):
    """A linear spring and a damper."""

    kind: Literal["kelvin-voigt"] = Field(description="A linear spring and a damper.")
    stiffness: Stiffness = Field(description="Stiffness [N/m].")
    damping: Damping = Field(description="Damping [N s/m].")
    tension: Tension = Field("clamp", description=_TENSION)


AnyContactLaw: TypeAlias = HertzSpec | DampedLawSpec | KelvinVoigtSpec
ContactLaw: TypeAlias = Annotated[
    AnyContactLaw, Family("a contact law", (HertzSpec, DampedLawSpec, KelvinVoigtSpec), default="gonthier")
]


class CoulombSpec(Declaration):
    """Coulomb friction that fades out towards rest (Kasai 2024, Eq. 9)."""

    kind: Literal["coulomb"] = Field(description="Coulomb friction without stiction.")
    coefficient: NonNegative | None = Field(
        None, description="Coefficient of friction [-]; without it, the smaller of the materials'."
    )
    slow: PositiveSpeed = Field(1e-4, description="Sliding speed [m/s] below which there is no friction.")
    fast: PositiveSpeed = Field(1e-3, description="Sliding speed [m/s] above which friction is full.")

    def faults(self, _context: Context) -> Iterator[Fault]:
        """Friction fades in between two speeds."""
        if self.fast < self.slow:
            yield ("fast",), f"expected at least slow, {self.slow:g} m/s; got {self.fast:g}"


class BrownMcPheeSpec(Declaration):
    """Smooth friction with stiction (Brown 2016)."""

    kind: Literal["brown-mcphee"] = Field(description="Smooth friction with stiction.")
    static: NonNegative = Field(description="Coefficient at the transition speed [-].")
    dynamic: NonNegative = Field(description="Coefficient at higher speeds [-].")
    viscous: Slowness = Field(0.0, description="Growth with speed [s/m].")
    transition_speed: PositiveSpeed = Field(1e-3, description="Sliding speed [m/s] of the largest friction.")

    def faults(self, _context: Context) -> Iterator[Fault]:
        """Stiction is not below sliding friction."""
        if self.static < self.dynamic:
            yield ("static",), f"expected at least dynamic, {self.dynamic:g}; got {self.static:g}"


AnyFriction: TypeAlias = CoulombSpec | BrownMcPheeSpec
# The stiction law has no defaults, so only Coulomb's bare name is of use; the other's says what is missing.
Friction: TypeAlias = Annotated[AnyFriction, Family("a friction law", (CoulombSpec, BrownMcPheeSpec))]
