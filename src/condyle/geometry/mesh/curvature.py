"""Curvature and normal of a smooth surface of triangles, by a parabola fitted around each vertex.

In axes at the vertex with z along its normal, the vertices within two edges are fitted by
z = d x + e y + (a x^2 + 2 b x y + c y^2) / 2 in least squares (Cazals 2005). Its first and second
fundamental forms at the vertex give the curvatures, and its slopes d and e a better normal. The normal's error is of
second order in the edges' length (Cazals 2005), that of the curvatures too where the vertices lie evenly, else
of first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

# Vertices fitted at a time: keeps the work arrays at some tens of megabytes.
_CHUNK = 20_000
# Relative to the diagonal: decides nothing but what too few neighbours leave open.
_RIDGE = 1e-11


def fitted_surface(vertices: Array, faces: Indices, normals: Array) -> tuple[Array, Array]:
    """Larger and smaller curvature [1/m], positive where convex, (n_vertex, 2), and unit normals (n_vertex, 3).

    `normals` are those to start from, (n_vertex, 3).
    """
    around = _two_rings(len(vertices), faces)
    curvatures, fitted = np.zeros((len(vertices), 2)), np.array(normals)
    for first in range(0, len(vertices), _CHUNK):
        chosen = np.arange(first, min(first + _CHUNK, len(vertices)))
        curvatures[chosen], fitted[chosen] = _fitted(vertices, normals, around, chosen)
    return curvatures, fitted


def _two_rings(n_vertex: int, faces: Indices) -> csr_array:
    """Which vertices lie within two edges of which, as a sparse matrix."""
    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    one = np.ones(len(start), dtype=np.int32)
    near = csr_array((one, (start, end)), shape=(n_vertex, n_vertex))
    near = near + near.T
    return csr_array(near + near @ near)


def _fitted(vertices: Array, normals: Array, around: csr_array, chosen: Indices) -> tuple[Array, Array]:
    """Curvatures (n, 2) and normals (n, 3) at the `chosen` vertices."""
    first, last = around.indptr[chosen[0]], around.indptr[chosen[-1] + 1]
    count = np.diff(around.indptr[chosen[0] : chosen[-1] + 2])
    row = np.repeat(np.arange(len(chosen)), count)
    offset = vertices[around.indices[first:last]] - vertices[chosen][row]
    axes = _tangent_axes(normals[chosen])
    x, y, z = (np.einsum("ij,ij->i", offset, axis[row]) for axis in axes)
    # Lengths in units of the distance to the farthest neighbour, so that the ridge means the same everywhere.
    size = np.zeros(len(chosen))
    np.maximum.at(size, row, np.linalg.norm(offset, axis=1))
    size[size == 0.0] = 1.0
    x, y, z = x / size[row], y / size[row], z / size[row]
    terms = np.stack([x * x / 2.0, x * y, y * y / 2.0, x, y], axis=1)
    matrix, right = np.zeros((len(chosen), 5, 5)), np.zeros((len(chosen), 5))
    for j in range(5):
        right[:, j] = np.bincount(row, terms[:, j] * z, len(chosen))
        for k in range(5):
            matrix[:, j, k] = np.bincount(row, terms[:, j] * terms[:, k], len(chosen))
    trace = np.trace(matrix, axis1=1, axis2=2)
    matrix += np.eye(5) * (_RIDGE * np.maximum(trace, 1.0))[:, None, None]
    a, b, c, d, e = np.linalg.solve(matrix, right[..., None])[..., 0].T
    leaning = axes[2] - d[:, None] * axes[0] - e[:, None] * axes[1]
    length = np.maximum(np.linalg.norm(leaning, axis=1, keepdims=True), 1e-300)
    return _principal(a, b, c, d, e) / size[:, None], leaning / length


def _tangent_axes(normals: Array) -> tuple[Array, Array, Array]:
    """Two unit vectors at right angles to each normal, and the normal, shape (n, 3) each."""
    least = np.eye(3)[np.argmin(np.abs(normals), axis=1)]
    x_axis = np.cross(least, normals)
    x_axis /= np.maximum(np.linalg.norm(x_axis, axis=1, keepdims=True), 1e-300)
    return x_axis, np.cross(normals, x_axis), normals


def _principal(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """Eigenvalues of the shape operator of the parabola, the larger first, shape (n, 2)."""
    first = 1.0 + d * d, d * e, 1.0 + e * e
    area = first[0] * first[2] - first[1] ** 2
    # The normal is +z and the surface falls away from it where convex: hence the minus.
    gauss = (a * c - b * b) / area**2
    mean = -(first[0] * c - 2.0 * first[1] * b + first[2] * a) / (2.0 * area**1.5)
    spread = np.sqrt(np.maximum(mean * mean - gauss, 0.0))
    return np.stack([mean + spread, mean - spread], axis=1)
