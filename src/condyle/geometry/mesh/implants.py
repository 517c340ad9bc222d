"""The bearing surfaces of a cruciate-retaining knee replacement, from a few radii.

Axes of both components: x anterior, y superior, z to the right, so that lateral is +z in a right knee and -z in a left
one. Flexion turns the femoral component about +z as seen from the insert.

Femoral component. Each condyle is a tube: its sagittal profile, three arcs with a common tangent where they meet,
carries an arc of the coronal radius, square to the profile. Along the crest of a condyle the principal curvatures are
therefore those of the profile and of the coronal arc. A profile point is named by the angle of its normal from straight
down, positive forwards, so that it is the lowest one when the knee is flexed by minus that angle. The origin is the
centre of the posterior arcs, midway between the condyles.

Insert. The coronal profile, a dish for each condyle and between them a rounded eminence with common tangents, is turned
about an axis along z above the dishes. At the bottom of a dish the principal curvatures are those of the sagittal
and the coronal radius. The origin is at the height of the dishes' lowest points, midway between them.

The radii are the design variables of Sathasivam 1994. The default distal radius is that of natural femora (Koo 2007,
as taken by Machado 2010); the other defaults are ours, of the size of a common implant and of no maker's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.operations import joined
from condyle.geometry.mesh.shapes import grid_faces
from condyle.geometry.mesh.surface import SurfaceMesh

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

PARTS = ("medial", "lateral")
MAX_PLACES = 5_000_000


@dataclass(frozen=True)
class FemoralShape:
    """Measures of a femoral component: lengths in metres, angles in radians.

    spacing : from crest to crest of the condyles.
    width : of each condyle, across.
    transition : flexion at which the posterior arc takes over from the distal one.
    anterior_start : angle in front of straight down at which the anterior arc takes over.
    posterior_end, anterior_end : angles at which the surface ends behind and in front.
    """

    distal_radius: float = 0.040
    posterior_radius: float = 0.022
    anterior_radius: float = 0.030
    coronal_radius: float = 0.024
    spacing: float = 0.046
    width: float = 0.024
    transition: float = math.radians(20.0)
    anterior_start: float = math.radians(10.0)
    posterior_end: float = math.radians(120.0)
    anterior_end: float = math.radians(75.0)

    def __post_init__(self) -> None:
        _check_lengths(self)
        if not self.width < 2.0 * self.coronal_radius:
            raise MeshError(f"width = {self.width}: a condyle is narrower than twice its coronal radius")
        if not self.width < self.spacing:
            raise MeshError(f"width = {self.width}: condyles {self.spacing} apart would overlap")
        sagitta = self.coronal_radius * (1.0 - math.cos(self.half_angle))
        smallest = min(self.distal_radius, self.posterior_radius, self.anterior_radius)
        if sagitta >= smallest:
            raise MeshError(
                f"the condyles' sides rise {sagitta:.4g} m: a sagittal radius of {smallest} is too small"
            )
        angles = (-self.posterior_end, -self.transition, self.anterior_start, self.anterior_end)
        if not (np.diff(angles) > 0.0).all() or not max(self.posterior_end, self.anterior_end) < math.pi:
            raise MeshError(
                "the angles of the profile must rise from -posterior_end over -transition and anterior_start to "
                f"anterior_end, within half a turn to either side: {angles}"
            )

    @property
    def half_angle(self) -> float:
        """Angle from the crest to the side of a condyle [rad]."""
        return math.asin(self.width / 2.0 / self.coronal_radius)

    def profile(self, angle: ArrayLike) -> tuple[Array, Array]:
        """Places [m] and outward normals of the crest at angles [rad] of the normal, x and y, shape (n, 2) each."""
        theta = np.atleast_1d(np.asarray(angle, dtype=float))
        back, front = _downward(-self.transition), _downward(self.anterior_start)
        distal = (self.posterior_radius - self.distal_radius) * back
        anterior = distal + (self.distal_radius - self.anterior_radius) * front
        normal = np.stack([np.sin(theta), -np.cos(theta)], axis=-1)
        pieces = [theta < -self.transition, theta > self.anterior_start]
        radius = np.select(pieces, [self.posterior_radius, self.anterior_radius], self.distal_radius)
        centre = np.where(pieces[0][:, None], 0.0, np.where(pieces[1][:, None], anterior, distal))
        return centre + radius[:, None] * normal, normal

    def lowest(self, flexion: float) -> tuple[float, float]:
        """x and y [m], seen from the insert's axes, of the lowest crest point at a flexion [rad] about the origin.

        With its origin at minus these the component just touches the bottoms of an insert's dishes.
        """
        place, _ = self.profile(-flexion)
        (x, y), cos, sin = place[0], math.cos(flexion), math.sin(flexion)
        return float(cos * x - sin * y), float(sin * x + cos * y)


@dataclass(frozen=True)
class InsertShape:
    """Measures of a tibial insert [m].

    spacing : from bottom to bottom of the dishes.
    eminence_radius : of the rounded ridge between them.
    depth, width : of the whole insert, along x and z.
    thickness : under the bottoms of the dishes, where it is least.
    """

    sagittal_radius: float = 0.055
    coronal_radius: float = 0.030
    eminence_radius: float = 0.010
    spacing: float = 0.046
    depth: float = 0.048
    width: float = 0.072
    thickness: float = 0.010

    def __post_init__(self) -> None:
        _check_lengths(self)
        reach = max(self.width - self.spacing, self.spacing) / 2.0
        if self.width <= self.spacing or (self.width - self.spacing) / 2.0 >= self.coronal_radius:
            raise MeshError(
                f"width = {self.width}: must be more than the spacing, and less than it and twice the coronal radius"
            )
        if self.spacing / 2.0 >= self.coronal_radius + self.eminence_radius:
            raise MeshError(
                f"dishes {self.spacing} apart don't meet: a larger coronal or eminence radius is needed"
            )
        rise = float(self.coronal_profile(np.array([0.0, reach + self.spacing / 2.0])).max())
        if (
            math.hypot(self.depth / 2.0, rise) >= self.sagittal_radius
            or self.sagittal_radius - rise <= self.depth / 2.0
        ):
            raise MeshError(
                f"depth = {self.depth}: the sagittal radius of {self.sagittal_radius} doesn't reach so far"
            )

    @property
    def tangent(self) -> float:
        """Distance from the middle at which the eminence goes over into the dishes [m]."""
        return self.eminence_radius * self.spacing / 2.0 / (self.coronal_radius + self.eminence_radius)

    def coronal_profile(self, z: ArrayLike) -> Array:
        """Height over the dishes' bottoms [m] at x = 0 and some distances z [m] from the middle."""
        away = np.abs(np.asarray(z, dtype=float))
        both = self.coronal_radius + self.eminence_radius
        top = self.coronal_radius - math.sqrt(both**2 - self.spacing**2 / 4.0)
        offset = np.clip(np.abs(away - self.spacing / 2.0), None, self.coronal_radius)
        dish = self.coronal_radius - np.sqrt(self.coronal_radius**2 - offset**2)
        ridge = top + np.sqrt(np.maximum(self.eminence_radius**2 - away**2, 0.0))
        return np.where(away < self.tangent, ridge, dish)

    def height(self, x: ArrayLike, z: ArrayLike) -> Array:
        """Height of the bearing surface over the dishes' bottoms [m]."""
        radius = self.sagittal_radius - self.coronal_profile(z)
        return np.asarray(self.sagittal_radius - np.sqrt(radius**2 - np.asarray(x, dtype=float) ** 2))


Shape = TypeVar("Shape", FemoralShape, InsertShape)


def scaled(shape: Shape, factor: float) -> Shape:
    """The shape in another size: all lengths times `factor`, angles as they are."""
    angles = ("transition", "anterior_start", "posterior_end", "anterior_end")
    return replace(
        shape, **{name: value * factor for name, value in vars(shape).items() if name not in angles}
    )


def femoral_component(
    shape: FemoralShape | None = None, edge: float = 0.001, side: str = "right"
) -> SurfaceMesh:
    """Both condyles as open surfaces with edges of about `edge` [m]; parts "medial" and "lateral"."""
    shape = shape or FemoralShape()
    stops = (-shape.posterior_end, -shape.transition, shape.anterior_start, shape.anterior_end)
    radii = (shape.posterior_radius, shape.distal_radius, shape.anterior_radius)
    angle = _divided(stops, [edge / radius for radius in radii])
    across = _divided((-shape.half_angle, 0.0, shape.half_angle), [edge / shape.coronal_radius] * 2)
    faces = _grid(len(angle), len(across))[:, ::-1]
    crest, normal = shape.profile(angle)
    # In the plane square to the profile: along its normal and along z.
    inward = shape.coronal_radius * (1.0 - np.cos(across))
    places = np.empty((len(angle), len(across), 3))
    places[..., :2] = crest[:, None] - inward[None, :, None] * normal[:, None]
    places[..., 2] = shape.coronal_radius * np.sin(across)
    lateral = _lateral_sign(side)
    condyles = []
    for number, sign in enumerate((-lateral, lateral)):
        moved = (places + np.array([0.0, 0.0, sign * shape.spacing / 2.0])).reshape(-1, 3)
        condyles.append(SurfaceMesh(moved, faces, np.full(len(faces), number), PARTS))
    return joined(condyles)


def tibial_insert(
    shape: InsertShape | None = None, edge: float = 0.001, side: str = "right", closed: bool = False
) -> SurfaceMesh:
    """The bearing surface of the insert with edges of about `edge` [m]; parts "medial" and "lateral".

    Closed, it is a solid with a flat bottom and upright sides, which are a third part, "body".
    """
    shape = shape or InsertShape()
    x = _divided((-shape.depth / 2.0, 0.0, shape.depth / 2.0), [edge] * 2)
    half, tangent = shape.width / 2.0, shape.tangent
    z = _divided((-half, -tangent, 0.0, tangent, half), [edge] * 4)
    faces = _grid(len(x), len(z))
    height = shape.height(x[:, None], z[None, :])
    top = np.stack(np.broadcast_arrays(x[:, None], height, z[None, :]), axis=-1).reshape(-1, 3)
    part = np.where(top[faces, 2].mean(axis=1) * _lateral_sign(side) > 0.0, 1, 0)
    if not closed:
        return SurfaceMesh(top, faces, part, PARTS)
    bottom = top.copy()
    bottom[:, 1] = -shape.thickness
    around = _border(len(x), len(z))
    following = np.roll(around, -1)
    sides = np.concatenate(
        [
            np.stack([around, around + len(top), following], axis=1),
            np.stack([following, around + len(top), following + len(top)], axis=1),
        ]
    )
    body = np.concatenate([faces[:, ::-1] + len(top), sides])
    return SurfaceMesh(
        np.concatenate([top, bottom]),
        np.concatenate([faces, body]),
        np.concatenate([part, np.full(len(body), 2)]),
        (*PARTS, "body"),
    )


def _grid(n_row: int, n_column: int) -> Indices:
    if n_row * n_column > MAX_PLACES:
        raise MeshError(f"{n_row} x {n_column} vertices, {MAX_PLACES} at most are made: take a longer edge")
    return grid_faces(n_row - 1, n_column - 1)


def _border(n_row: int, n_column: int) -> Indices:
    """Places of a table along its border, once around, so that faces made on its left face outwards."""
    table = np.arange(n_row * n_column).reshape(n_row, n_column)
    return np.concatenate([table[0, :-1], table[:-1, -1], table[-1, :0:-1], table[:0:-1, 0]])


def _divided(stops: tuple[float, ...], steps: list[float]) -> Array:
    """All stops, and between them equal steps of about the size asked for each piece."""
    if not min(steps) > 0.0:
        raise MeshError("edge must be a positive length in metres")
    pieces = [
        np.linspace(begin, end, max(1, round((end - begin) / step)), endpoint=False)
        for (begin, end), step in zip(pairwise(stops), steps, strict=True)
    ]
    return np.concatenate([*pieces, [stops[-1]]])


def _downward(angle: float) -> Array:
    """Unit vector at an angle from straight down, positive forwards."""
    return np.array([math.sin(angle), -math.cos(angle)])


def _lateral_sign(side: str) -> float:
    if side not in ("right", "left"):
        raise MeshError(f"side = {side!r}: a knee is the right or the left one")
    return 1.0 if side == "right" else -1.0


def _check_lengths(shape: FemoralShape | InsertShape) -> None:
    for name, value in vars(shape).items():
        if not (value > 0.0 and math.isfinite(value)):
            raise MeshError(f"{name} = {value}: must be positive")
