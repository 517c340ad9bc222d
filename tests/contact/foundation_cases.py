"""Surfaces, poses and references that the tests of the elastic foundation share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

from condyle.contact.foundation.load import FoundationSettings, foundation_of, motion_of, outputs_for
from condyle.contact.foundation.pair import fill_pair
from condyle.contact.foundation.surface import Surface, scratch_for
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.laws.foundation.layers import volume_law

Array = NDArray[np.float64]
MODULUS = 1e9
LAW = volume_law(MODULUS)
RADIUS = 0.02


def turn(*vector: float) -> Array:
    """The matrix of a rotation vector [rad]."""
    return np.asarray(Rotation.from_rotvec(vector).as_matrix())


def random_turn(rng: np.random.Generator) -> Array:
    """A rotation, all equally likely."""
    return np.asarray(Rotation.random(rng=rng).as_matrix())


def evaluator(
    first: Surface, second: Surface, settings: FoundationSettings
) -> Callable[[ArrayLike, ArrayLike], tuple[Array, Array]]:
    """A quick way to many poses: from the pose to the net row of loads and the stiffness."""
    scratches, outputs = (scratch_for(first), scratch_for(second)), outputs_for(first, second)
    foundation = foundation_of(settings)

    def evaluated(rotation: ArrayLike, position: ArrayLike) -> tuple[Array, Array]:
        fill_pair(first, second, motion_of(rotation, position), foundation, *scratches, outputs)
        return outputs.loads[0].copy(), outputs.stiffness.copy()

    return evaluated


def moved(mesh: SurfaceMesh, rotation: Array, position: ArrayLike) -> SurfaceMesh:
    """The same surface in other axes: its place x is at R x + p."""
    return SurfaceMesh(
        mesh.vertices @ rotation.T + np.asarray(position), mesh.faces, mesh.part, mesh.part_names
    )


def renumbered(mesh: SurfaceMesh, rng: np.random.Generator) -> SurfaceMesh:
    """The same surface with vertices and faces in another order, and faces that begin at another corner."""
    order, faces = rng.permutation(mesh.n_vertex), rng.permutation(mesh.n_face)
    place = np.argsort(order)
    start = rng.integers(0, 3, mesh.n_face)[:, None]
    corners = np.take_along_axis(place[mesh.faces[faces]], (np.arange(3) + start) % 3, axis=1)
    return SurfaceMesh(mesh.vertices[order], corners, mesh.part[faces], mesh.part_names)


def below_plane(mesh: SurfaceMesh, rotation: Array, position: ArrayLike) -> tuple[float, Array, float]:
    """Volume, its first moment, and the area of a closed polyhedron's part with y < 0, in the turned axes.

    Tetrahedra from a point of the plane to the faces cut there: the cut itself adds nothing.
    """
    volume, first, area = 0.0, np.zeros(3), 0.0
    apex = np.array([position[0], 0.0, position[2]])  # type: ignore[index]
    for corners in mesh.corners @ rotation.T + np.asarray(position):
        cut: list[Array] = []
        for one, two in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            if one[1] < 0.0:
                cut.append(one)
            if (one[1] < 0.0) != (two[1] < 0.0):
                cut.append(one + (two - one) * one[1] / (one[1] - two[1]))
        for k in range(1, len(cut) - 1):
            a, b, c = cut[0], cut[k], cut[k + 1]
            part = float(np.dot(np.cross(a - apex, b - apex), c - apex)) / 6.0
            volume += part
            first += part * (a + b + c + apex) / 4.0
            area += float(np.linalg.norm(np.cross(b - a, c - a))) / 2.0
    return volume, first, area
