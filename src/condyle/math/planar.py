"""Vectors and rotations in the plane, on plain floats."""

from __future__ import annotations

from condyle._jit import kernel


@kernel
def rotated(cos: float, sin: float, x: float, y: float) -> tuple[float, float]:
    """Vector turned by the angle with the given cosine and sine (Machado 2010, Eq. 10)."""
    return cos * x - sin * y, sin * x + cos * y


@kernel
def unrotated(cos: float, sin: float, x: float, y: float) -> tuple[float, float]:
    """Vector turned back: the inverse of `rotated`."""
    return cos * x + sin * y, cos * y - sin * x


@kernel
def cross(ax: float, ay: float, bx: float, by: float) -> float:
    """The z component of a x b."""
    return ax * by - ay * bx
