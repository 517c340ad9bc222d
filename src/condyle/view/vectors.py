"""Vectors and orientations of a run by name."""

from __future__ import annotations

import numpy as np

from condyle.math.orientations import rotation_matrices
from condyle.view.columns import Array
from condyle.view.run import Run

AXES, QUATERNION = ("x", "y", "z"), ("e0", "e1", "e2", "e3")


def is_spatial(run: Run) -> bool:
    """Whether bodies have orientations in space."""
    return "orientation" in run.dataset


def keys(variable: str, *rest: str) -> list[tuple[str, ...]]:
    """Keys of the parts of a vector."""
    return [(variable, *rest, axis) for axis in AXES]


def turn_keys(body: str) -> list[tuple[str, ...]]:
    """Keys of the parts of a body's orientation."""
    return [("orientation", body, label) for label in QUATERNION]


def vector(run: Run, *key: str) -> Array:
    """A vector over time, shape (n_time, 3)."""
    return np.column_stack([run.values(*one) for one in keys(*key)])


def size(run: Run, *key: str) -> Array:
    """Magnitude of a vector over time, shape (n_time,)."""
    return np.asarray(np.sqrt((vector(run, *key) ** 2).sum(axis=1)))


def matrices(run: Run, body: str) -> Array:
    """Rotation matrices from a body's frame to the global one, shape (n_time, 3, 3)."""
    return rotation_matrices(np.column_stack([run.values(*key) for key in turn_keys(body)]))
