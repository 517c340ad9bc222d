"""Surfaces of simple bodies at any density, for tests and models."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.operations import refined
from condyle.geometry.mesh.surface import SurfaceMesh, unit_rows

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_ICOSAHEDRON = np.array(
    [
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4],
        [11, 10, 2], [10, 7, 6], [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8],
        [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ]
)  # fmt: skip


def icosphere(radius: float, level: int = 3, centre: ArrayLike = (0.0, 0.0, 0.0)) -> SurfaceMesh:
    """A sphere [m] of 20 * 4**level nearly equal triangles with all vertices on it."""
    _positive(radius=radius)
    if not 0 <= level <= 9:
        raise MeshError(f"level = {level}: an icosphere has 20 * 4**level faces, with a level from 0 to 9")
    golden = (1.0 + math.sqrt(5.0)) / 2.0
    flat = [(sign, tall) for tall in (golden, -golden) for sign in (-1.0, 1.0)]
    vertices = (
        [(x, y, 0.0) for x, y in flat] + [(0.0, x, y) for x, y in flat] + [(y, 0.0, x) for x, y in flat]
    )
    mesh = SurfaceMesh(radius * unit_rows(np.array(vertices)), _ICOSAHEDRON)
    for _ in range(level):
        finer = refined(mesh)
        mesh = SurfaceMesh(radius * unit_rows(finer.vertices), finer.faces)
    return SurfaceMesh(mesh.vertices + np.asarray(centre, dtype=float), mesh.faces)


def uv_sphere(radius: float, n_around: int, n_down: int, centre: ArrayLike = (0.0, 0.0, 0.0)) -> SurfaceMesh:
    """A sphere [m] cut along meridians and parallels, with its poles on the y axis.

    2 n_around (n_down - 1) faces.
    """
    _positive(radius=radius)
    _at_least(3, n_around=n_around)
    _at_least(2, n_down=n_down)
    down = np.linspace(0.0, math.pi, n_down + 1)[1:-1]
    ring = _ring(n_around)
    sides = np.sin(down)[:, None, None] * ring + np.cos(down)[:, None, None] * np.array([0.0, 1.0, 0.0])
    poles = np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]])
    vertices = radius * np.concatenate([sides.reshape(-1, 3), poles])
    top = len(vertices) - 2
    faces = [
        _band(n_around, n_down - 2),
        _fan(n_around, 0, top),
        _fan(n_around, (n_down - 2) * n_around, top + 1),
    ]
    faces[2] = faces[2][:, ::-1]
    return SurfaceMesh(vertices + np.asarray(centre, dtype=float), np.concatenate(faces))


def cylinder(radius: float, length: float, n_around: int, n_along: int = 1) -> SurfaceMesh:
    """A closed cylinder [m] around the y axis, its middle at the origin. 2 n_around (n_along + 1) faces."""
    _positive(radius=radius, length=length)
    _at_least(3, n_around=n_around)
    _at_least(1, n_along=n_along)
    height = np.linspace(length / 2.0, -length / 2.0, n_along + 1)
    sides = radius * _ring(n_around) + height[:, None, None] * np.array([0.0, 1.0, 0.0])
    ends = np.array([[0.0, length / 2.0, 0.0], [0.0, -length / 2.0, 0.0]])
    vertices = np.concatenate([sides.reshape(-1, 3), ends])
    top = len(vertices) - 2
    faces = [
        _band(n_around, n_along),
        _fan(n_around, 0, top),
        _fan(n_around, n_along * n_around, top + 1)[:, ::-1],
    ]
    return SurfaceMesh(vertices, np.concatenate(faces))


def plate(width: float, depth: float, n_x: int, n_z: int) -> SurfaceMesh:
    """A flat open rectangle [m] in the plane y = 0 that faces +y, `width` along x, `depth` along z.

    2 n_x n_z faces.
    """
    _positive(width=width, depth=depth)
    _at_least(1, n_x=n_x, n_z=n_z)
    x, z = np.linspace(-width / 2.0, width / 2.0, n_x + 1), np.linspace(-depth / 2.0, depth / 2.0, n_z + 1)
    places = np.stack(np.broadcast_arrays(x[:, None], 0.0, z[None, :]), axis=-1)
    return grid(places)


def box(size: ArrayLike, n_side: int = 1) -> SurfaceMesh:
    """A closed block [m] around the origin with edges of the given lengths along x, y and z.

    12 n_side**2 faces.
    """
    x, y, z = (float(length) for length in np.asarray(size, dtype=float))
    _positive(x=x, y=y, z=z)
    _at_least(1, n_side=n_side)
    step = np.arange(n_side + 1)
    u, v = np.meshgrid(step, step, indexing="ij")
    low, high = np.zeros_like(u), np.full_like(u, n_side)
    sides = [(high, u, v), (v, high, u), (u, v, high), (low, v, u), (u, low, v), (v, u, low)]
    # Whole numbers until the six sides are one: corners that meet are then the same without a tolerance.
    places = np.concatenate([np.stack(side, axis=-1).reshape(-1, 3) for side in sides])
    faces = np.concatenate([k * u.size + grid_faces(n_side, n_side)[:, ::-1] for k in range(6)])
    corners, number = np.unique(places, axis=0, return_inverse=True)
    return SurfaceMesh((corners / n_side - 0.5) * np.array([x, y, z]), number.reshape(-1)[faces])


def grid(places: ArrayLike, part: int = 0) -> SurfaceMesh:
    """An open surface through a table of places [m], shape (n, m, 3), outward to (d/dm) x (d/dn)."""
    table = np.asarray(places, dtype=float)
    faces = grid_faces(table.shape[0] - 1, table.shape[1] - 1)
    return SurfaceMesh(table.reshape(-1, 3), faces, np.full(len(faces), part), ("",) * (part + 1))


def grid_faces(n_row: int, n_column: int) -> Indices:
    """Triangles between the (n_row + 1) (n_column + 1) places of a table, counted row by row; two to a cell."""
    corner = (np.arange(n_row)[:, None] * (n_column + 1) + np.arange(n_column)).ravel()
    across, down = corner + 1, corner + n_column + 1
    first = np.stack([corner, across, down], axis=1)
    second = np.stack([across, down + 1, down], axis=1)
    return np.stack([first, second], axis=1).reshape(-1, 3)


def _ring(n_around: int) -> Array:
    """Unit vectors around the y axis, shape (n_around, 3), from +z over +x."""
    angle = 2.0 * math.pi * np.arange(n_around) / n_around
    return np.stack([np.sin(angle), np.zeros(n_around), np.cos(angle)], axis=1)


def _band(n_around: int, n_down: int) -> Indices:
    """Triangles between rings of `n_around` places that follow each other downwards."""
    ring = np.arange(n_around)
    upper = (np.arange(n_down)[:, None] * n_around + ring).ravel()
    beside = (np.arange(n_down)[:, None] * n_around + (ring + 1) % n_around).ravel()
    first = np.stack([upper, upper + n_around, beside], axis=1)
    second = np.stack([beside, upper + n_around, beside + n_around], axis=1)
    return np.stack([first, second], axis=1).reshape(-1, 3)


def _fan(n_around: int, first: int, tip: int) -> Indices:
    """Triangles from a ring that begins at place `first` to a place above it."""
    ring = np.arange(n_around)
    return np.stack([first + ring, first + (ring + 1) % n_around, np.full(n_around, tip)], axis=1)


def _positive(**lengths: float) -> None:
    for name, length in lengths.items():
        if not (length > 0.0 and math.isfinite(length)):
            raise MeshError(f"{name} = {length}: must be a positive length in metres")


def _at_least(least: int, **counts: int) -> None:
    for name, count in counts.items():
        if count < least:
            raise MeshError(f"{name} = {count}: must be {least} or more")
