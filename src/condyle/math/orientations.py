"""Orientations by the thousand, as results hold them, in NumPy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def rotation_matrices(parameters: Array) -> Array:
    """Rotation matrices, body to global, of Euler parameters e0..e3 along the last axis, shape (..., 3, 3)."""
    e = parameters / np.sqrt((parameters**2).sum(axis=-1, keepdims=True))
    scalar, axial = e[..., 0, None, None], e[..., 1:]
    cross = np.zeros((*e.shape[:-1], 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        cross[..., j, i], cross[..., i, j] = axial[..., k], -axial[..., k]
    return np.asarray(np.eye(3) + 2.0 * (scalar * cross + cross @ cross))


def rotation_vectors(matrices: Array) -> Array:
    """Rotation vectors [rad] of rotation matrices (n, 3, 3), angle times axis, shape (n, 3); angles from 0 to pi."""
    transposed = np.swapaxes(matrices, 1, 2)
    skew = 0.5 * (matrices - transposed)
    axial = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1)
    sine = np.linalg.norm(axial, axis=1)
    cosine = 0.5 * (np.trace(matrices, axis1=1, axis2=2) - 1.0)
    angle = np.arctan2(sine, cosine)
    # Near half a turn the sine says nothing of the axis; the symmetric part is 1 + (1 - cosine) (axis axis^T - 1).
    square = 0.5 * (matrices + transposed) - cosine[:, None, None] * np.eye(3)
    longest = np.argmax(np.diagonal(square, axis1=1, axis2=2), axis=1)
    column = np.take_along_axis(square, longest[:, None, None], axis=2)[..., 0]
    sense = np.where((column * axial).sum(axis=1) < 0.0, -1.0, 1.0)
    half = sense[:, None] * column / np.maximum(np.linalg.norm(column, axis=1, keepdims=True), 1e-300)
    axis = np.where((cosine < -0.5)[:, None], half, axial / np.maximum(sine, 1e-300)[:, None])
    return np.asarray(angle[:, None] * axis)
