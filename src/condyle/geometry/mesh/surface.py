"""A surface of triangles and what follows from its corners."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from condyle.geometry.mesh import topology
from condyle.geometry.mesh.curvature import fitted_surface
from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.tree import SearchTree, search_tree

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
AnyArray = TypeVar("AnyArray", bound=NDArray[Any])


@dataclass(frozen=True, eq=False)
class SurfaceMesh:
    """Triangles whose corners run counter-clockwise seen from outside; all arrays are read-only.

    vertices : places [m], shape (n_vertex, 3).
    faces : the vertices of each triangle, counted from 0, shape (n_face, 3).
    part : which part of the surface each face belongs to, an index into `part_names`, shape (n_face,);
        one part when left out.
    part_names : what the parts are called, such as ("medial", "lateral").
    """

    vertices: Array
    faces: Indices
    part: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    part_names: tuple[str, ...] = ("",)

    def __post_init__(self) -> None:
        vertices = _frozen(_table(self.vertices, "vertices", np.float64))
        faces = _frozen(_table(self.faces, "faces", np.int64))
        part = np.zeros(len(faces), dtype=np.int64) if len(self.part) == 0 else self.part
        part = _frozen(np.array(part, dtype=np.int64))
        _check(vertices, faces, part, len(self.part_names))
        for name, value in (("vertices", vertices), ("faces", faces), ("part", part)):
            object.__setattr__(self, name, value)

    @property
    def n_vertex(self) -> int:
        """How many vertices there are."""
        return len(self.vertices)

    @property
    def n_face(self) -> int:
        """How many triangles there are."""
        return len(self.faces)

    @property
    def corners(self) -> Array:
        """Places of the three corners of each face [m], shape (n_face, 3, 3)."""
        return self.vertices[self.faces]

    @cached_property
    def face_vectors(self) -> Array:
        """Outward normals as long as the faces' areas [m^2], shape (n_face, 3)."""
        corners = self.corners
        return _frozen(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2.0)

    @cached_property
    def face_areas(self) -> Array:
        """Areas [m^2], shape (n_face,)."""
        return _frozen(np.linalg.norm(self.face_vectors, axis=1))

    @cached_property
    def face_normals(self) -> Array:
        """Outward unit normals, shape (n_face, 3); zero for a face without area."""
        return _frozen(unit_rows(self.face_vectors))

    @cached_property
    def face_centroids(self) -> Array:
        """Centroids [m], shape (n_face, 3)."""
        return _frozen(self.corners.mean(axis=1))

    @cached_property
    def vertex_normals(self) -> Array:
        """Unit normals of the faces around a vertex, weighted by their angles there, shape (n_vertex, 3).

        Unlike a mean weighted by areas it doesn't depend on how a flat patch is cut. Zero at an unused vertex.
        """
        weighted = corner_angles(self.corners)[:, :, None] * self.face_normals[:, None, :]
        index = self.faces.ravel()
        rows = [np.bincount(index, weighted[..., k].ravel(), self.n_vertex) for k in range(3)]
        return _frozen(unit_rows(np.column_stack(rows)))

    @cached_property
    def neighbours(self) -> Indices:
        """The face across the edge from corner k to corner k + 1, shape (n_face, 3); -1 at the border."""
        return _frozen(topology.neighbours(self.faces))

    @cached_property
    def is_closed(self) -> bool:
        """Whether there is no border and all faces agree on which side is outside."""
        return topology.is_closed(self.faces)

    @property
    def area(self) -> float:
        """Area of the whole surface [m^2]."""
        return float(self.face_areas.sum())

    @cached_property
    def volume(self) -> float:
        """Volume inside [m^3], negative when the surface is inside out; an error for an open surface."""
        if not self.is_closed:
            raise MeshError(
                "an open surface encloses no volume: close it, or ask checked_mesh(closed=True) where it is open"
            )
        # Seen from the middle of the box, so that a surface far from the origin loses no digits.
        offset = self.face_centroids - self.bounds.mean(axis=0)
        return float(np.einsum("ij,ij->", offset, self.face_vectors) / 3.0)

    @cached_property
    def bounds(self) -> Array:
        """Lowest and highest corner of the box around all vertices [m], shape (2, 3)."""
        return _frozen(np.array([self.vertices.min(axis=0), self.vertices.max(axis=0)]))

    @cached_property
    def _fit(self) -> tuple[Array, Array]:
        curvatures, normals = fitted_surface(self.vertices, self.faces, self.vertex_normals)
        return _frozen(curvatures), _frozen(normals)

    @property
    def smooth_normals(self) -> Array:
        """Unit normals of the smooth surface that the vertices lie on, of second order, shape (n_vertex, 3).

        Weighted means of the faces' normals are only of first order where vertices lie unevenly, or at a border.
        These take in two rings of faces and round off sharp edges.
        """
        return self._fit[1]

    @property
    def principal_curvatures(self) -> Array:
        """Larger and smaller curvature at each vertex [1/m], positive where convex, shape (n_vertex, 2)."""
        return self._fit[0]

    @property
    def mean_curvature(self) -> Array:
        """Mean of both principal curvatures at each vertex [1/m], shape (n_vertex,)."""
        return self.principal_curvatures.mean(axis=1)

    @cached_property
    def tree(self) -> SearchTree:
        """The boxes in which closest points, hits of rays and near faces are searched."""
        return search_tree(self.vertices, self.faces)

    def part_faces(self, name: str) -> Indices:
        """The faces of a part, by its name."""
        if name not in self.part_names:
            raise MeshError(f"no part {name!r}; the parts are {', '.join(map(repr, self.part_names))}")
        return np.flatnonzero(self.part == self.part_names.index(name))


def unit_rows(vectors: Array) -> Array:
    """Vectors made one long, shape (n, 3); a zero vector stays zero."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(length > 0.0, length, 1.0)


def corner_angles(corners: Array) -> Array:
    """Angles at the corners of triangles (n, 3, 3) [rad], shape (n, 3)."""
    forward = np.roll(corners, -1, axis=1) - corners
    backward = np.roll(corners, 1, axis=1) - corners
    # The arc tangent keeps its digits at angles near 0 and pi, where the arc cosine loses half of them.
    sine = np.linalg.norm(np.cross(forward, backward), axis=2)
    return np.arctan2(sine, np.einsum("ijk,ijk->ij", forward, backward))


def _frozen(array: AnyArray) -> AnyArray:
    array.flags.writeable = False
    return array


def _table(values: ArrayLike, what: str, kind: type) -> NDArray[Any]:
    """A copy of three columns in C order."""
    table: NDArray[Any] = np.array(values, dtype=kind, order="C")
    if table.ndim != 2 or table.shape[1] != 3:
        raise MeshError(f"{what} must have three columns, not the shape {table.shape}")
    return table


def _check(vertices: Array, faces: Indices, part: Indices, n_part: int) -> None:
    """Refuse what no later step could make sense of."""
    if len(faces) == 0:
        raise MeshError("a surface without faces", 0)
    bad = int((~np.isfinite(vertices).all(axis=1)).sum())
    if bad:
        raise MeshError(f"{bad} vertices are not finite numbers: export the surface again", bad)
    outside = int(((faces < 0) | (faces >= len(vertices))).any(axis=1).sum())
    if outside:
        raise MeshError(
            f"{outside} faces name vertices that are not there, 0 to {len(vertices) - 1} are", outside
        )
    if part.shape != (len(faces),) or part.min() < 0 or part.max() >= n_part:
        raise MeshError(f"part must name one of {n_part} parts for each of {len(faces)} faces")
