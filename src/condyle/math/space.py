"""Vectors and rotations in space, on plain floats: a vector is a tuple of three, a rotation one of nine, row by row."""

from __future__ import annotations

import math
from typing import TypeAlias

from condyle._jit import kernel

Vector: TypeAlias = tuple[float, float, float]
Rotation: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]


@kernel
def dot(a: Vector, b: Vector) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def crossed(a: Vector, b: Vector) -> Vector:
    """The vector product a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def plus(a: Vector, b: Vector) -> Vector:
    """The sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def minus(a: Vector, b: Vector) -> Vector:
    """The difference a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def times(factor: float, a: Vector) -> Vector:
    """The vector times a number."""
    return factor * a[0], factor * a[1], factor * a[2]


@kernel
def size(a: Vector) -> float:
    """The length."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def turned(r: Rotation, a: Vector) -> Vector:
    """The vector turned by a rotation."""
    return (
        r[0] * a[0] + r[1] * a[1] + r[2] * a[2],
        r[3] * a[0] + r[4] * a[1] + r[5] * a[2],
        r[6] * a[0] + r[7] * a[1] + r[8] * a[2],
    )


@kernel
def turned_back(r: Rotation, a: Vector) -> Vector:
    """The vector turned the other way: the inverse of `turned`."""
    return (
        r[0] * a[0] + r[3] * a[1] + r[6] * a[2],
        r[1] * a[0] + r[4] * a[1] + r[7] * a[2],
        r[2] * a[0] + r[5] * a[1] + r[8] * a[2],
    )


@kernel
def rotation_of(e0: float, e1: float, e2: float, e3: float) -> Rotation:
    """Rotation of Euler parameters of any length but zero (Andersen 2017, nomenclature)."""
    s = 2.0 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    return (
        1.0 - s * (e2 * e2 + e3 * e3),
        s * (e1 * e2 - e0 * e3),
        s * (e1 * e3 + e0 * e2),
        s * (e1 * e2 + e0 * e3),
        1.0 - s * (e1 * e1 + e3 * e3),
        s * (e2 * e3 - e0 * e1),
        s * (e1 * e3 - e0 * e2),
        s * (e2 * e3 + e0 * e1),
        1.0 - s * (e1 * e1 + e2 * e2),
    )


@kernel
def parameters_after(e: tuple[float, float, float, float], turn: Vector) -> tuple[float, float, float, float]:
    """Euler parameters of length one of a body at `e` that turns on by a rotation vector in its own frame [rad]."""
    angle = size(turn)
    # The sine over its argument, by its series where that is small.
    half = 0.5 - angle * angle / 48.0 if angle < 1e-4 else math.sin(0.5 * angle) / angle
    c, (x, y, z) = math.cos(0.5 * angle), times(half, turn)
    length = math.sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3])
    return (
        (e[0] * c - e[1] * x - e[2] * y - e[3] * z) / length,
        (e[1] * c + e[0] * x + e[2] * z - e[3] * y) / length,
        (e[2] * c + e[0] * y + e[3] * x - e[1] * z) / length,
        (e[3] * c + e[0] * z + e[1] * y - e[2] * x) / length,
    )
