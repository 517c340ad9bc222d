"""Declared surfaces and the foundations between them as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from condyle.contact.foundation import pairs, pressure
from condyle.contact.foundation.pair import N_PAIR
from condyle.contact.foundation.pairs import Space
from condyle.contact.foundation.pool import scratch_pool, surface_pool
from condyle.contact.foundation.surface import surface_of
from condyle.contact.foundation.sweep import N_TOTAL
from condyle.contact.law_declarations import AnyFriction, CoulombSpec
from condyle.contact.surface_declarations import FoundationSpec, SurfaceSpec, VolumeSpec
from condyle.geometry.mesh.files import read_mesh
from condyle.geometry.mesh.implants import (
    FemoralShape,
    InsertShape,
    femoral_component,
    tibial_insert,
)
from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.operations import decimated, offset, transformed
from condyle.geometry.mesh.repair import checked_mesh
from condyle.geometry.mesh.shapes import box, icosphere, plate
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.laws.foundation.layers import (
    LINEAR,
    LOGARITHMIC,
    Layers,
    confined_modulus,
    layers_in_series,
    volume_law,
)
from condyle.mechanics.system import PATCHES, Array, Integers
from condyle.model.declarations import ModelSpec
from condyle.model.space_placement import SpacePlacement, matrix_of
from condyle.model.spec import Spec
from condyle.model.tables import NO_FOLDER
from condyle.spec.errors import Problem, SpecError

# What follows the name of the row that a contact without parts has for them; no part is called so.
WITHOUT_PARTS = "/"
_INTEGRATED = {"first": pressure.FIRST, "second": pressure.SECOND, "both": pressure.BOTH}


@dataclass(frozen=True)
class PairOfSurfaces:
    """One foundation: its declaration, the numbers of its surfaces, and the names of its rows."""

    name: str
    spec: FoundationSpec
    surfaces: tuple[int, int]
    bodies: tuple[str, str]
    integrated: int
    patch_names: list[str]

    @property
    def sides(self) -> tuple[int, ...]:
        """Which sides carry pressure: 0, 1 or both."""
        return (0, 1) if self.integrated == pressure.BOTH else (self.integrated,)


class SpaceSurfaces:
    """All surfaces of a model, in their bodies' frames, and the foundations between them.

    meshes : by name; notes : sentences about what was mended.
    """

    def __init__(self, spec: Spec, placement: SpacePlacement) -> None:
        model = spec.model
        self.meshes: dict[str, SurfaceMesh] = {}
        self.notes: list[str] = []
        self.bodies = {name: placement.held(surface.body).body for name, surface in model.surfaces.items()}
        problems = []
        for name, surface in model.surfaces.items():
            try:
                made = checked_mesh(_shape(surface, spec.folder), surface.file or name, surface.closed)
                self.meshes[name] = _placed(made.mesh, surface, placement)
            except MeshError as error:
                problems.append(Problem(f"surfaces.{name}", str(error)))
                continue
            self.notes += [f"surface '{name}': {note}" for note in made.notes]
            size = float(np.ptp(self.meshes[name].bounds, axis=0).max())
            if surface.layer is not None and surface.layer.thickness > size:
                self.notes.append(
                    f"surface '{name}': its layer of {1e3 * surface.layer.thickness:.4g} mm is thicker than the "
                    f"surface is long, {1e3 * size:.4g} mm; is a unit missing?"
                )
        if problems:
            raise SpecError(problems)
        self.kernels = [surface_of(self.meshes[name], smooth=s.smooth) for name, s in model.surfaces.items()]
        self.names = list(model.surfaces)
        self.pairs = [self._pair(name, spec, model) for name, spec in model.foundations.items()]

    @property
    def n_patch(self) -> int:
        """Rows of all pairs and their parts."""
        return sum(len(pair.patch_names) for pair in self.pairs)

    @property
    def n_pressure(self) -> int:
        """Numbers that a row of results has for faces: of all surfaces, and of both sides of every pair."""
        faces = [len(surface.faces) for surface in self.kernels]
        return sum(faces) + sum(faces[number] for pair in self.pairs for number in pair.surfaces)

    @property
    def patch_names(self) -> list[str]:
        """Names of the rows: a contact's own, then contact/part."""
        return [name for pair in self.pairs for name in pair.patch_names]

    def pair_rows(self, rows: range) -> list[int]:
        """The row of each pair as a whole, of those of all patches."""
        counts = [len(pair.patch_names) for pair in self.pairs]
        return [rows.start + sum(counts[:k]) for k in range(len(counts))]

    def scale(self, pair: PairOfSurfaces, model: ModelSpec) -> float:
        """What a depth is measured by [m]: the thickness of the pair's layers, or a tenth of the smaller surface."""
        layers = [model.surfaces[name].layer for name in pair.spec.between]
        thickness = sum(layer.thickness for layer in layers if layer is not None)
        sizes = [float(np.ptp(self.meshes[name].bounds, axis=0).max()) for name in pair.spec.between]
        return thickness or 0.1 * min(sizes)

    def _pair(self, name: str, spec: FoundationSpec, model: ModelSpec) -> PairOfSurfaces:
        numbers = self.names.index(spec.between[0]), self.names.index(spec.between[1])
        layered = [model.surfaces[side].layer is not None for side in spec.between]
        one = "first" if layered == [True, False] else "second" if layered == [False, True] else "both"
        integrated = _INTEGRATED[spec.integrate or one]
        meshes = [self.meshes[side] for side in spec.between]
        # Parts are those of the surface that has several, the integrated one's first (`contact/foundation/sweep.py`).
        order = meshes if integrated != pressure.SECOND else meshes[::-1]
        parts = next((mesh.part_names for mesh in order if len(mesh.part_names) > 1), ())
        most = max(len(mesh.part_names) for mesh in meshes)
        several = [mesh.part_names for mesh in meshes if len(mesh.part_names) > 1]
        if len(several) == 2 and _side(model, spec.between[0]) != _side(model, spec.between[1]):
            message = "one is of a left knee, the other of a right one: medial would be pressed on by lateral"
            raise SpecError([Problem(f"contacts.{name}.between", message)])
        names = [name, *(f"{name}/{part}" for part in parts)]
        names += [f"{name}/part-{k}" for k in range(len(names), most + 1)] if most > 1 else []
        # Without parts the whole has a row of its own all the same.
        names += [f"{name}{WITHOUT_PARTS}"] if most == 1 else []
        bodies = self.bodies[spec.between[0]], self.bodies[spec.between[1]]
        return PairOfSurfaces(name, spec, numbers, bodies, integrated, names)

    def space(self) -> Space:
        """The arrays of all surfaces, and scratch for all contacts."""
        # A model without surfaces has one that nothing touches, so that its arrays have a form.
        none = [] if self.kernels else [surface_of(plate(1.0, 1.0, 1, 1))]
        sides = [self.kernels[number] for pair in self.pairs for number in pair.surfaces]
        n_pair = len(self.pairs)
        return Space(
            surfaces=surface_pool([*self.kernels, *none]),
            scratch=scratch_pool(sides or [*self.kernels, *none][:1]),
            loads=np.zeros((self.n_patch, N_PAIR)),
            totals=np.zeros((self.n_patch, N_TOTAL)),
            stiffness=np.zeros((n_pair, 6, 6)),
            jacobian=np.zeros((n_pair, 6, 6)),
            slopes=np.zeros((n_pair, 6, 6)),
        )


def _side(model: ModelSpec, name: str) -> str:
    """Of which knee a surface is; empty where it has no side."""
    surface = model.surfaces[name]
    made = surface.femoral or surface.insert
    return made.side if made is not None else ""


def _shape(surface: SurfaceSpec, folder: Path | None) -> SurfaceMesh:
    """The surface as its shape or file gives it, in its own axes."""
    if surface.file is not None:
        if folder is None:
            raise MeshError(NO_FOLDER.format(surface.file))
        return read_mesh(folder / surface.file, surface.unit)
    if surface.ball is not None:
        mesh = icosphere(surface.ball.radius, surface.ball.level)
        return _socket(mesh) if surface.ball.hollow else mesh
    if surface.plate is not None:
        return plate(surface.plate.width, surface.plate.depth, *surface.plate.divisions)
    if surface.block is not None:
        return box(surface.block.size, surface.block.divisions)
    if surface.femoral is not None:
        given = dict(surface.femoral)
        edge, side = given.pop("edge"), given.pop("side")
        return femoral_component(FemoralShape(**given), edge, side)
    if surface.insert is not None:
        given = dict(surface.insert)
        edge, side, solid = given.pop("edge"), given.pop("side"), given.pop("solid")
        return tibial_insert(InsertShape(**given), edge, side, solid)
    raise TypeError(surface.shape)


def _socket(ball: SurfaceMesh) -> SurfaceMesh:
    """The upper half of a ball's surface from inside."""
    upper = ball.faces[ball.face_centroids[:, 1] > 0.0][:, ::-1]
    used, faces = np.unique(upper, return_inverse=True)
    return SurfaceMesh(ball.vertices[used], faces.reshape(-1, 3))


def _placed(mesh: SurfaceMesh, surface: SurfaceSpec, placement: SpacePlacement) -> SurfaceMesh:
    """The surface in its body's frame, thinned and moved outwards where that is asked for."""
    if surface.decimate is not None:
        mesh = decimated(mesh, surface.decimate)
    if surface.offset != 0.0:
        mesh = offset(mesh, surface.offset)
    held = placement.held(surface.body)
    return transformed(mesh, held.turn @ matrix_of(surface.orientation), held.point(surface.at))


def fill_patches(
    surfaces: SpaceSurfaces,
    model: ModelSpec,
    rows: dict[str, int],
    layout: Integers,
    index: Integers,
    value: Array,
) -> None:
    """Fill the rows of all foundations and their parts."""
    row = int(layout[PATCHES])
    for number, pair in enumerate(surfaces.pairs):
        index[row : row + len(pair.patch_names), pairs.N_PATCH_ROW] = 0
        index[row, pairs.NUMBER], index[row, pairs.N_PATCH_ROW] = number, len(pair.patch_names)
        index[row, [pairs.FIRST_BODY, pairs.SECOND_BODY]] = [rows[name] for name in pair.bodies]
        index[row, [pairs.FIRST_SURFACE, pairs.SECOND_SURFACE]] = pair.surfaces
        index[row, pairs.INTEGRATED] = pair.integrated
        index[row, pairs.DIRECTION] = pressure.RAY if pair.spec.depth == "ray" else pressure.CLOSEST
        index[row, pairs.SAMPLING] = pressure.CENTROID if pair.spec.sampling == "centroid" else pressure.CUT
        value[row, pairs.DAMPING], value[row, pairs.REACH] = pair.spec.damping, pair.spec.reach
        law = layers_of(pair.spec, model)
        index[row, pairs.LAW] = law.kind
        value[row, pairs.MODULUS : pairs.SECOND_THICKNESS + 1] = law[1:]
        _fill_friction(pair.spec.friction, row, index, value)
        row += len(pair.patch_names)


def _fill_friction(friction: AnyFriction | None, row: int, index: Integers, value: Array) -> None:
    index[row, pairs.FRICTION] = pressure.FRICTIONLESS
    if isinstance(friction, CoulombSpec):
        index[row, pairs.FRICTION] = pressure.COULOMB
        numbers = (friction.coefficient or 0.0, friction.slow, friction.fast, 0.0)
        value[row, pairs.FRICTION_A : pairs.FRICTION_A + 4] = numbers
    elif friction is not None:
        index[row, pairs.FRICTION] = pressure.BROWN_MCPHEE
        numbers = (friction.static, friction.dynamic, friction.viscous, friction.transition_speed)
        value[row, pairs.FRICTION_A : pairs.FRICTION_A + 4] = numbers


def layers_of(spec: FoundationSpec, model: ModelSpec) -> Layers:
    """The law of a foundation with the layers of its surfaces, in series where both have one."""
    if isinstance(spec.law, VolumeSpec):
        return volume_law(spec.law.modulus)
    layers = []
    for name in spec.between:
        layer = model.surfaces[name].layer
        if layer is None:
            continue
        if layer.material is not None:
            material = model.materials[layer.material]
            young, poisson = material.young, material.poisson
        else:
            young, poisson = layer.young or 0.0, layer.poisson or 0.0
        layers.append((confined_modulus(young, poisson), layer.thickness))
    return layers_in_series(LINEAR if spec.law.kind == "linear" else LOGARITHMIC, layers)
