"""What a model file in space says about surfaces of triangles and the elastic foundation between them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field

from condyle.contact.law_declarations import CoulombSpec, Friction
from condyle.spec.declaration import Declaration, Fault
from condyle.spec.errors import listed, shown
from condyle.spec.family import Family
from condyle.spec.files import relative_file
from condyle.spec.orientation import OrientationSpec
from condyle.spec.quantity import (
    BY_DEFAULT,
    Angle,
    AnyPoint,
    Count,
    Length,
    Poisson,
    Positive,
    PositiveLength,
    PositiveTime,
    PressureModulus,
    Slowness,
    Stress,
    WearFactor,
    told,
)
from condyle.spec.reference import Context, Reference

SurfaceName = Annotated[str, Reference("surface", "surfaces")]
MOST_FACES = 2_000_000
_EDGE = "Length of its triangles' edges, about [m]."


class BallSpec(Declaration):
    """A sphere of triangles whose corners lie on it."""

    radius: PositiveLength = Field(description="Radius [m].")
    level: Count = Field(4, ge=0, le=7, description="How fine: 20 times 4 to this power triangles.")
    hollow: bool = Field(
        default=False,
        strict=True,
        description="Whether it is the socket above a ball instead: the upper half (+y), the solid outside.",
    )


class PlateSpec(Declaration):
    """A flat rectangle that faces +y, in the plane y = 0."""

    width: PositiveLength = Field(description="Length along x [m].")
    depth: PositiveLength = Field(description="Length along z [m].")
    divisions: Annotated[tuple[Count, Count], Field(description="Squares along x and along z.")] = (32, 32)

    def faults(self, _context: Context) -> Iterator[Fault]:
        """There is something between the sides."""
        for k, count in enumerate(self.divisions):
            if not 1 <= count <= 1000:
                yield ("divisions", k), f"expected 1 to 1000; got {count}"


class BlockSpec(Declaration):
    """A closed block about the origin."""

    size: AnyPoint = Field(description="Lengths along x, y and z [m].")
    divisions: Count = Field(8, ge=1, le=200, description="Squares along each edge.")


class FemoralSpec(Declaration):
    """Both condyles of a knee replacement from a few radii; x anterior, y superior, z to the right."""

    distal_radius: PositiveLength = Field(0.040, description="Sagittal radius of the distal arc [m].")
    posterior_radius: PositiveLength = Field(0.022, description="Sagittal radius of the posterior arc [m].")
    anterior_radius: PositiveLength = Field(0.030, description="Sagittal radius of the anterior arc [m].")
    coronal_radius: PositiveLength = Field(0.024, description="Coronal radius of each condyle [m].")
    spacing: PositiveLength = Field(0.046, description="From crest to crest of the condyles [m].")
    width: PositiveLength = Field(0.024, description="Width of each condyle [m].")
    transition: Angle = Field(
        math.radians(20.0),
        description="Flexion at which the posterior arc takes over from the distal one [rad].",
    )
    anterior_start: Angle = Field(
        math.radians(10.0), description="Angle in front of straight down where the anterior arc begins [rad]."
    )
    posterior_end: Angle = Field(math.radians(120.0), description="Angle at which it ends behind [rad].")
    anterior_end: Angle = Field(math.radians(75.0), description="Angle at which it ends in front [rad].")
    edge: PositiveLength = Field(0.0015, description=_EDGE)
    side: Literal["right", "left"] = Field("right", description="Which knee; lateral is +z in a right one.")


class InsertSpec(Declaration):
    """The bearing surface of a tibial insert from a few radii; x anterior, y superior, z to the right."""

    sagittal_radius: PositiveLength = Field(0.055, description="Sagittal radius of the dishes [m].")
    coronal_radius: PositiveLength = Field(0.030, description="Coronal radius of the dishes [m].")
    eminence_radius: PositiveLength = Field(0.010, description="Radius of the ridge between them [m].")
    spacing: PositiveLength = Field(0.046, description="From bottom to bottom of the dishes [m].")
    depth: PositiveLength = Field(0.048, description="Length along x [m].")
    width: PositiveLength = Field(0.072, description="Length along z [m].")
    thickness: PositiveLength = Field(0.010, description="Under the bottoms of the dishes [m].")
    edge: PositiveLength = Field(0.0015, description=_EDGE)
    side: Literal["right", "left"] = Field("right", description="Which knee; lateral is +z in a right one.")
    solid: bool = Field(
        default=False, strict=True, description="Whether it has sides and a bottom, as for printing."
    )


class LayerSpec(Declaration):
    """An elastic layer on a surface that is rigid beneath."""

    thickness: PositiveLength = Field(description="Thickness of the layer [m].")
    material: Annotated[str, Reference("material", "materials")] | None = Field(
        None, description="Name of its material, instead of young and poisson."
    )
    young: Stress | None = Field(None, description="Young's modulus [Pa].")
    poisson: Poisson | None = Field(None, description="Poisson's ratio [-], below 0.5.")

    def faults(self, context: Context) -> Iterator[Fault]:
        """The elasticity is known once, and the layer can be compressed."""
        own = self.young is not None or self.poisson is not None
        if (self.material is not None) == own:
            yield (), "expected either a material, or young and poisson"
        elif own and (self.young is None or self.poisson is None):
            yield ("young" if self.young is None else "poisson",), "missing; a layer needs young and poisson"
        poisson = self.poisson
        if self.material is not None:
            poisson = context.entry("materials", self.material).get("poisson", 0.0)
        if isinstance(poisson, float) and poisson >= 0.5:
            place = "poisson" if self.poisson is not None else "material"
            yield (place,), "Poisson's ratio must be below 0.5: a layer that keeps its volume cannot give way"


class SurfaceSpec(Declaration):
    """A surface of triangles fixed to a body, outward where its triangles run counter-clockwise."""

    body: Annotated[str, Reference("body", "bodies", "frames")] = Field(
        description="Name of the body or frame that carries it."
    )
    file: Annotated[str, AfterValidator(relative_file)] | None = Field(
        None, max_length=200, description="STL, PLY, OBJ or VTP file beside the model file."
    )
    unit: Literal["m", "cm", "mm"] = Field("m", description="What the file counts in.")
    ball: BallSpec | None = Field(None, description="A sphere.")
    plate: PlateSpec | None = Field(None, description="A flat rectangle that faces +y.")
    block: BlockSpec | None = Field(None, description="A closed block.")
    femoral: FemoralSpec | None = Field(None, description="The condyles of a knee replacement.")
    insert: InsertSpec | None = Field(None, description="The insert of a knee replacement.")
    at: AnyPoint = Field(
        BY_DEFAULT,
        validate_default=True,
        description="Where its origin is in the body's frame [x, y, z], in m.",
    )
    orientation: OrientationSpec | None = Field(None, description="How it is turned in the body's frame.")
    offset: Length = Field(0.0, description="Moved outwards along its normals by this [m].")
    decimate: Count | None = Field(
        None, ge=4, le=MOST_FACES, description="Triangles to leave of a finer surface."
    )
    smooth: bool = Field(
        default=True,
        strict=True,
        description="Whether depths follow the smooth surface through its corners, or its flat triangles.",
    )
    closed: bool = Field(
        default=False, strict=True, description="Whether it must be closed; holes are then refused."
    )
    layer: LayerSpec | None = Field(None, description="An elastic layer on it; without one it is rigid.")

    @property
    def shape(self) -> str:
        """Which of the ways of giving it is used."""
        return self._given()[0]

    def _given(self) -> list[str]:
        shapes = ("file", "ball", "plate", "block", "femoral", "insert")
        return [shape for shape in shapes if getattr(self, shape) is not None]

    def faults(self, context: Context) -> Iterator[Fault]:
        """One shape, of space, and a file is there."""
        given = self._given()
        if len(given) != 1:
            got = listed(given, "and") if given else "none"
            yield (), f"expected one of file, ball, plate, block, femoral or insert; got {got}"
        if context.dimensions == 2:
            yield (), "surfaces are for models in space; set dimensions: 3"
        if self.file is not None and context.folder is not None:
            path = context.folder / self.file
            if not path.is_file():
                yield ("file",), f"no such file: {shown(str(path))}"
        if self.unit != "m" and self.file is None:
            yield ("unit",), "only a file has a unit of its own"


class LinearLayerSpec(Declaration):
    """Pressure in proportion to the depth over the thickness of the layers."""

    kind: Literal["linear"] = Field(description="Pressure in proportion to the depth over the thickness.")


class LogarithmicLayerSpec(Declaration):
    """Pressure that grows beyond all bounds as the layers are pressed to nothing (Blankevoort 1991)."""

    kind: Literal["logarithmic"] = Field(description="As linear for small depths, stiffer for large ones.")


class VolumeSpec(Declaration):
    """Pressure in proportion to the depth alone: force to the volume pressed in (Andersen 2017)."""

    kind: Literal["volume"] = Field(description="Force in proportion to the volume pressed in.")
    modulus: PressureModulus = Field(description="Pressure modulus [N/m^3], such as 10e9.")


FoundationLaw: TypeAlias = Annotated[
    LinearLayerSpec | LogarithmicLayerSpec | VolumeSpec,
    Family("a foundation law", (LinearLayerSpec, LogarithmicLayerSpec, VolumeSpec)),
]


class WearSpec(Declaration):
    """Archard's wear of the surfaces that carry the pressure (Lin 2010, 2.3.5)."""

    factor: WearFactor = Field(
        1e-16, description="Wear factor [m^3/N/m]; 1e-16 are the 1e-7 mm^3/N/m of polyethylene on metal."
    )
    cycles: Positive = Field(5e6, description="Cycles that the wear of one is scaled to [-].")
    period: PositiveTime | None = Field(
        None,
        description="Length of a cycle [s]; the last one of the run counts. By default the whole run is one.",
    )


def _two(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise told(f"expected two, one for each side, in brackets and parted by a comma; got {shown(value)}")
    return value


class FoundationSpec(Declaration):
    """Two surfaces with elastic layers that press on each other (Bei 2004, Lin 2010)."""

    kind: Literal["foundation"] = Field(description="An elastic foundation between two surfaces in space.")
    between: Annotated[tuple[SurfaceName, SurfaceName], BeforeValidator(_two)] = Field(
        description="Names of two surfaces on different bodies."
    )
    law: FoundationLaw = Field(
        LinearLayerSpec.model_construct(kind="linear"),
        description="Pressure over depth: a law's name, or its kind and parameters.",
    )
    integrate: Literal["first", "second", "both"] | None = Field(
        None,
        description="Which surface's triangles carry the pressure; by default the one with the layer, else both "
        "with half weight, so that it does not matter which is named first.",
    )
    depth: Literal["closest", "ray"] = Field(
        "closest", description="Depth to the closest place of the other surface, or along the inward normal."
    )
    sampling: Literal["cut", "centroid"] = Field(
        "cut",
        description="Triangles cut at the border of the contact, or one depth for each (a common shortcut).",
    )
    reach: PositiveLength = Field(
        0.02, description="How far along a ray the other surface is looked for [m]."
    )
    damping: Slowness = Field(
        0.0, description="Damping [s/m]: the pressure grows by this times the rate of approach."
    )
    friction: Friction | None = Field(None, description="A friction law; without it the contact is smooth.")
    wear: WearSpec | None = Field(None, description="Wear of the surfaces; by default none is told.")

    def faults(self, context: Context) -> Iterator[Fault]:
        """What does not go with the two surfaces."""
        if self.between[0] == self.between[1]:
            yield ("between",), f"{shown(self.between[0])} cannot touch itself; name two surfaces"
            return
        sides = [context.entry("surfaces", name) for name in self.between]
        first, second = (_carrier(side, context) for side in sides)
        if isinstance(first, str) and first == second:
            yield ("between",), f"both surfaces are on {shown(first)}; a contact needs two bodies"
        layers = [side.get("layer") is not None for side in sides]
        if self.law.kind == "volume" and any(layers):
            yield ("law",), "the volume law knows no layers; leave them out, or take the law linear"
        elif self.law.kind != "volume" and not any(layers):
            yield ("law",), f"{self.law.kind} needs a layer on one of the surfaces, or take the law volume"
        if isinstance(self.friction, CoulombSpec) and self.friction.coefficient is None:
            yield ("friction", "coefficient"), "missing; surfaces have no coefficient of their own"


def _carrier(side: Mapping[str, Any], context: Context) -> object:
    """The body that a surface is on."""
    name = side.get("body")
    frame = context.entry("frames", name) if isinstance(name, str) else {}
    return frame.get("body", name)
