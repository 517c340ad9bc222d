"""Slow and plain answers, against which the search is judged, and surfaces that are hard on it."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from condyle.geometry.mesh.surface import SurfaceMesh

Array = NDArray[np.float64]


def surface(vertices: ArrayLike, faces: ArrayLike) -> SurfaceMesh:
    return SurfaceMesh(np.array(vertices, dtype=float), np.array(faces))


def distance_to_segment(point: Array, start: Array, end: Array) -> float:
    way = end - start
    length = float(way @ way)
    part = 0.0 if length == 0.0 else float(np.clip((point - start) @ way / length, 0.0, 1.0))
    return float(np.linalg.norm(start + part * way - point))


def distance_to_triangle(point: ArrayLike, corners: Array) -> float:
    """By least squares for the inside and all three edges: another way than the kernel's."""
    place = np.asarray(point, dtype=float)
    edges = [distance_to_segment(place, corners[k], corners[(k + 1) % 3]) for k in range(3)]
    sides = (corners[1:] - corners[0]).T
    parts, _, rank, _ = np.linalg.lstsq(sides, place - corners[0])
    if rank == 2 and parts.min() >= 0.0 and parts.sum() <= 1.0:
        edges.append(float(np.linalg.norm(corners[0] + sides @ parts - place)))
    return min(edges)


def distance(mesh: SurfaceMesh, point: ArrayLike) -> float:
    return min(distance_to_triangle(point, corners) for corners in mesh.corners)


def place_on(mesh: SurfaceMesh, face: int, u: float, v: float) -> Array:
    a, b, c = mesh.corners[face]
    return np.asarray((1.0 - u - v) * a + u * b + v * c)


def line_hits(mesh: SurfaceMesh, origin: Array, direction: Array) -> list[tuple[int, float]]:
    """Every face that a line passes with its distance, by solving for each; those within round-off of an edge too."""
    found = []
    for face, (a, b, c) in enumerate(mesh.corners):
        matrix = np.column_stack([b - a, c - a, -direction])
        if abs(np.linalg.det(matrix)) > 1e-14:
            u, v, along = np.linalg.solve(matrix, origin - a)
            if u >= -1e-9 and v >= -1e-9 and u + v <= 1.0 + 1e-9:
                found.append((face, float(along)))
    return found


@st.composite
def soups(draw: st.DrawFn) -> SurfaceMesh:
    """Loose triangles: ordinary ones, and on a coarse lattice, where many are lines, points, slivers or doubles."""
    count = draw(st.integers(1, 40))
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    if draw(st.booleans()):
        corners = random.integers(-2, 3, (count, 3, 3)).astype(float)
    else:
        corners = random.normal(size=(count, 3, 3))
    flat = draw(st.sampled_from([1.0, 1e-3, 1e-9, 0.0]))
    corners[..., draw(st.integers(0, 2))] *= flat
    return SurfaceMesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))
