"""Measures: numbers made of bodies and points, each with its rate through the Jacobian.

A distance, an angle or a coordinate is a function of the poses of two bodies. `measure` gives its value and its
Jacobian with respect to both bodies' (x, y, angle), which is what a constraint or a driver will need as well.
Arrays are batch-first: poses have shape (n, 3), values (n,), Jacobians (n, 2, 3).
"""

from __future__ import annotations

import numpy as np

from condyle.mechanics.system import Array


def placed(pose: Array, at: tuple[float, ...]) -> tuple[Array, Array]:
    """Global place of a body's point [m], shape (n, 2), and its derivative by the body's angle [m/rad], (n, 2)."""
    cos, sin = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    arm = np.stack([cos * at[0] - sin * at[1], sin * at[0] + cos * at[1]], axis=1)
    return pose[:, :2] + arm, np.stack([-arm[:, 1], arm[:, 0]], axis=1)


def angle_between(first: Array, second: Array) -> tuple[Array, Array]:
    """Angle from the first body's frame to the second's [rad], without jumps, and its Jacobian."""
    jacobian = np.zeros((len(first), 2, 3))
    jacobian[:, 0, 2], jacobian[:, 1, 2] = -1.0, 1.0
    return second[:, 2] - first[:, 2], jacobian


def distance_between(
    first: Array, at_first: tuple[float, ...], second: Array, at_second: tuple[float, ...]
) -> tuple[Array, Array]:
    """Distance of two points [m] and its Jacobian; zero where the points coincide and no direction exists."""
    (a, da), (b, db) = placed(first, at_first), placed(second, at_second)
    offset = b - a
    length = np.hypot(offset[:, 0], offset[:, 1])
    with np.errstate(invalid="ignore", divide="ignore"):
        direction = np.where(length[:, None] > 0.0, offset / length[:, None], 0.0)
    jacobian = np.zeros((len(first), 2, 3))
    jacobian[:, 0, :2], jacobian[:, 1, :2] = -direction, direction
    jacobian[:, 0, 2], jacobian[:, 1, 2] = -(direction * da).sum(axis=1), (direction * db).sum(axis=1)
    return length, jacobian


def coordinate_of(body: Array, at: tuple[float, ...], axis: int, frame: Array | None) -> tuple[Array, Array]:
    """One coordinate of a body's point [m], in the global frame or another body's, and its Jacobian.

    The Jacobian's first block is the frame's, zero for the global one; its second block is the body's.
    """
    place, turning = placed(body, at)
    jacobian = np.zeros((len(body), 2, 3))
    if frame is None:
        jacobian[:, 1, axis], jacobian[:, 1, 2] = 1.0, turning[:, axis]
        return place[:, axis], jacobian
    cos, sin = np.cos(frame[:, 2]), np.sin(frame[:, 2])
    along = np.stack([cos, sin] if axis == 0 else [-sin, cos], axis=1)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    offset = place - frame[:, :2]
    jacobian[:, 0, :2], jacobian[:, 0, 2] = -along, (across * offset).sum(axis=1)
    jacobian[:, 1, :2], jacobian[:, 1, 2] = along, (along * turning).sum(axis=1)
    return (along * offset).sum(axis=1), jacobian
