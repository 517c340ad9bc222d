"""What a model file says about ligaments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from condyle.multibody.declarations import AttachmentSpec
from condyle.spec.declaration import Declaration, Fault, Name
from condyle.spec.errors import shown
from condyle.spec.family import Family
from condyle.spec.quantity import (
    Damping,
    NonNegative,
    PositiveForce,
    PositiveLength,
    PositiveStrain,
    QuadraticStiffness,
    Strain,
    StrainStiffness,
)
from condyle.spec.reference import Context


class QuadraticLigamentSpec(Declaration):
    """Tension k (l - l0)^2 when stretched (Machado 2010, Eqs. 28-29)."""

    kind: Literal["quadratic"] = Field(description="Tension grows with the square of the elongation.")
    stiffness: QuadraticStiffness = Field(description="Stiffness k [N/m^2].")


class ToeLinearLigamentSpec(Declaration):
    """A quadratic toe up to twice `linear_strain`, linear beyond (Andersen 2017, Eq. 15)."""

    kind: Literal["toe-linear"] = Field(
        description="A soft toe, then tension grows in proportion to the strain."
    )
    stiffness: StrainStiffness = Field(description="Stiffness of the linear part [N per unit of strain].")
    linear_strain: NonNegative = Field(
        0.03, description="Half the strain at which the linear part begins [-]."
    )


LigamentLaw: TypeAlias = Annotated[
    QuadraticLigamentSpec | ToeLinearLigamentSpec,
    Family("a ligament law", (QuadraticLigamentSpec, ToeLinearLigamentSpec)),
]


class BundleSpec(Declaration):
    """What a ligament, or one of its bundles, may say; a bundle takes from its ligament what it does not say."""

    origin: AttachmentSpec | None = Field(None, alias="from", description="Where the ligament begins.")
    insertion: AttachmentSpec | None = Field(None, alias="to", description="Where the ligament ends.")
    law: LigamentLaw | None = Field(None, description="Tension over length: a law with its stiffness.")
    rest_length: PositiveLength | None = Field(
        None, description="Length below which it is slack [m]; by default its length at the start."
    )
    reference_strain: Strain | None = Field(
        None,
        description="Strain at the start [-], from which the rest length follows; instead of rest_length.",
    )
    damping: Damping = Field(0.0, description="Damping while taut [N s/m].")
    allowed_strain: PositiveStrain | None = Field(None, description="Strain beyond which it is reported [-].")
    allowed_force: PositiveForce | None = Field(None, description="Force beyond which it is reported [N].")
    breaks: bool = Field(
        default=False,
        strict=True,
        description="Whether it breaks past its allowed strain or force; otherwise it is only reported.",
    )

    def faults(self, _context: Context) -> Iterator[Fault]:
        """A rest length is said in one way."""
        if self.rest_length is not None and self.reference_strain is not None:
            yield ("reference_strain",), "both rest_length and reference_strain are given; keep one"


@dataclass(frozen=True)
class Strand:
    """One line of fibres, complete: what is simulated. A ligament is one strand or, with bundles, several."""

    origin: AttachmentSpec
    insertion: AttachmentSpec
    law: QuadraticLigamentSpec | ToeLinearLigamentSpec
    rest_length: float | None
    reference_strain: float | None
    damping: float
    allowed_strain: float | None
    allowed_force: float | None
    breaks: bool


class LigamentSpec(BundleSpec):
    """A ligament: one strand, or several bundles that share what the ligament says."""

    bundles: dict[Name, BundleSpec] = Field(
        {},
        max_length=100,
        description="Bundles by name; each may say anything of the ligament's own differently.",
    )

    def faults(self, context: Context) -> Iterator[Fault]:
        """Every strand must have two ends on different bodies, and a law."""
        yield from super().faults(context)
        for place, part in self._parts():
            yield from ((place + fault_place, message) for fault_place, message in _strand_faults(part))

    def strands(self, name: str) -> dict[str, Strand]:
        """Complete strands: under the ligament's name, or `ligament/bundle` where it has bundles."""
        names = [f"{name}/{bundle}" for bundle in self.bundles] or [name]
        return {strand: Strand(**part) for strand, (_, part) in zip(names, self._parts(), strict=True)}

    def _parts(self) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
        """Where each strand is declared, and its fields by name, the ligament's own filled in."""
        own = {field: getattr(self, field) for field in BundleSpec.model_fields}
        if not self.bundles:
            return [((), own)]
        return [(("bundles", name), _overlaid(own, bundle)) for name, bundle in self.bundles.items()]


def _overlaid(own: dict[str, Any], bundle: BundleSpec) -> dict[str, Any]:
    """The ligament's fields with a bundle's in their place."""
    said = {field: getattr(bundle, field) for field in bundle.model_fields_set}
    # One way of giving the rest length pushes out the other.
    if "rest_length" in said:
        said.setdefault("reference_strain", None)
    if "reference_strain" in said:
        said.setdefault("rest_length", None)
    return own | said


def _strand_faults(part: dict[str, Any]) -> Iterator[Fault]:
    for field, name in (("origin", "from"), ("insertion", "to"), ("law", "law")):
        if part[field] is None:
            yield (name,), "missing; a ligament needs from, to and law"
    if part["breaks"] and part["allowed_strain"] is None and part["allowed_force"] is None:
        yield ("breaks",), "a ligament that breaks needs allowed_strain or allowed_force"
    if part["origin"] is None or part["insertion"] is None:
        return
    first, second = part["origin"].body, part["insertion"].body
    if first == second:
        yield ("to", "body"), f"both ends are on {shown(first)}; a ligament joins two bodies"
