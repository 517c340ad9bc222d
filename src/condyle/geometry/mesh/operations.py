"""Surfaces made of other surfaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.surface import SurfaceMesh, corner_angles
from condyle.geometry.mesh.topology import edge_runs, half_edges

Array = NDArray[np.float64]

# A face of which no more than this part is left while it is moved has turned over.
COLLAPSED = 1e-6


def refined(mesh: SurfaceMesh) -> SurfaceMesh:
    """Each face cut into four at the middles of its edges; the parts stay."""
    runs = edge_runs(mesh.faces)
    start, end = half_edges(mesh.faces)
    one = runs.order[runs.first]
    middles = (mesh.vertices[start[one]] + mesh.vertices[end[one]]) / 2.0
    number = np.empty(len(start), dtype=np.int64)
    number[runs.order] = mesh.n_vertex + np.repeat(np.arange(len(one)), runs.n_faces)
    a, b, c = mesh.faces.T
    a_b, b_c, c_a = number.reshape(-1, 3).T
    corners = [(a, a_b, c_a), (a_b, b, b_c), (c_a, b_c, c), (a_b, b_c, c_a)]
    faces = np.stack([np.stack(corner, axis=1) for corner in corners], axis=1).reshape(-1, 3)
    return SurfaceMesh(
        np.concatenate([mesh.vertices, middles]), faces, np.repeat(mesh.part, 4), mesh.part_names
    )


def joined(meshes: Sequence[SurfaceMesh]) -> SurfaceMesh:
    """Several surfaces as one, piece by piece; parts of the same name become one part."""
    names = tuple(dict.fromkeys(name for mesh in meshes for name in mesh.part_names))
    first = np.cumsum([0, *(mesh.n_vertex for mesh in meshes)])
    parts = [np.array([names.index(name) for name in mesh.part_names])[mesh.part] for mesh in meshes]
    return SurfaceMesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.faces + start for mesh, start in zip(meshes, first, strict=False)]),
        np.concatenate(parts),
        names,
    )


def transformed(mesh: SurfaceMesh, R: ArrayLike, p: ArrayLike) -> SurfaceMesh:
    """The surface turned and moved: each place x goes to R x + p, R orthogonal (3, 3), p [m].

    A mirror, whose determinant is -1, turns the faces over, so that outside stays outside.
    """
    turn, shift = np.asarray(R, dtype=float), np.asarray(p, dtype=float)
    if turn.shape != (3, 3) or not np.allclose(turn @ turn.T, np.eye(3), rtol=0.0, atol=1e-9):
        raise MeshError("R must be an orthogonal matrix of 3 x 3: rows of length 1 at right angles")
    faces = mesh.faces if np.linalg.det(turn) > 0.0 else mesh.faces[:, ::-1]
    return replace(mesh, vertices=mesh.vertices @ turn.T + shift, faces=faces)


def offset(mesh: SurfaceMesh, distance: float, smooth: bool = False) -> SurfaceMesh:
    """The surface moved outwards by `distance` [m], inwards when negative, along the normals of its vertices.

    Flat sides beside a vertex are moved by `distance` as exactly as one place for the vertex allows; `smooth` takes
    the normals of the smooth surface that the vertices lie on instead. Refused where faces would turn over, which
    is where the offset reaches the radius of curvature.
    """
    if smooth:
        steps = mesh.smooth_normals
    else:
        # A mean of normals is shorter than 1 where sides meet at an angle: along it a corner must go farther.
        share = np.einsum("ijk,ik->ij", mesh.vertex_normals[mesh.faces], mesh.face_normals)
        around = np.bincount(mesh.faces.ravel(), share.ravel() * _angles(mesh), mesh.n_vertex)
        total = np.bincount(mesh.faces.ravel(), _angles(mesh), mesh.n_vertex)
        steps = mesh.vertex_normals / np.clip(around / np.maximum(total, 1e-300), 0.2, None)[:, None]
    moved = replace(mesh, vertices=mesh.vertices + distance * steps)
    half = replace(mesh, vertices=mesh.vertices + 0.5 * distance * steps)
    turned = int((_least_on_the_way(mesh, half, moved) < COLLAPSED).sum())
    if turned:
        raise MeshError(
            f"offset by {distance:g} m turns {turned} faces over: take less, or smooth the surface", turned
        )
    return moved


def _least_on_the_way(mesh: SurfaceMesh, half: SurfaceMesh, moved: SurfaceMesh) -> Array:
    """The least part of each face that is left while it is moved, along its normal, below zero where it turns over.

    It is quadratic in the way. A ball moved inwards through its centre is inside out, though no face looks turned at
    the end.
    """
    start, middle, end = (
        np.einsum("ij,ij->i", part.face_vectors, mesh.face_vectors) for part in (mesh, half, moved)
    )
    bend = 2.0 * (start + end - 2.0 * middle)
    slope = end - start - bend
    at = np.clip(-slope / np.where(bend > 0.0, 2.0 * bend, np.inf), 0.0, 1.0)
    least = np.minimum(end, start + slope * at + bend * at**2)
    return np.asarray(np.where(start > 0.0, least / np.maximum(start, 1e-300), 1.0))


def worn_down(mesh: SurfaceMesh, depth: ArrayLike) -> SurfaceMesh:
    """The surface without what is worn away: vertices moved inwards by the depths of the faces around them.

    depth : of each face [m], shape (n_face,). A vertex takes the mean weighted by area, so that the volume is that of
    the faces, area times depth, to first order. Refused where faces would turn over.
    """
    lost = mesh.face_areas * np.asarray(depth, dtype=float)
    corners = mesh.faces.ravel()
    around = np.bincount(corners, np.repeat(mesh.face_areas, 3), mesh.n_vertex)
    inwards = np.bincount(corners, np.repeat(lost, 3), mesh.n_vertex) / np.where(around > 0.0, around, 1.0)
    moved = replace(mesh, vertices=mesh.vertices - inwards[:, None] * mesh.vertex_normals)
    turned = int((np.einsum("ij,ij->i", moved.face_vectors, mesh.face_vectors) < 0.0).sum())
    if turned:
        raise MeshError(
            f"wear of up to {inwards.max():.3g} m turns {turned} faces over: wear less at a time", turned
        )
    return moved


def decimated(mesh: SurfaceMesh, n_face: int) -> SurfaceMesh:
    """About `n_face` faces in place of more, those taken away where the surface is flattest; the parts are lost.

    By the quadric error of Garland 1997, in the library fast-simplification.
    """
    if n_face < 4:
        raise MeshError(f"n_face = {n_face}: must be 4 or more")
    if n_face >= mesh.n_face:
        return mesh
    import fast_simplification

    vertices, faces = fast_simplification.simplify(
        mesh.vertices.copy(),
        mesh.faces.astype(np.int32),
        target_count=n_face,  # it wants them writable
    )
    return SurfaceMesh(np.asarray(vertices, dtype=float), np.asarray(faces, dtype=np.int64))


def _angles(mesh: SurfaceMesh) -> Array:
    return corner_angles(mesh.corners).ravel()
