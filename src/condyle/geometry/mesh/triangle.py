"""One triangle: its closest point to a place, and a place on it from barycentric coordinates.

A place on a triangle is given by (u, v): corner 0 plus u times the way to corner 1 plus v times that to corner 2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from condyle._jit import kernel

Array = NDArray[np.float64]
Vector = tuple[float, float, float]

# Square of the sine between two edges below which the inside is not trusted alone, and the edges are tried too.
_SLIVER = 1e-8


@kernel
def dot(a: Vector, b: Vector) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vector, b: Vector) -> Vector:
    """Vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def difference(a: Vector, b: Vector) -> Vector:
    """Vector from b to a."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def corner(corners: Array, place: int, k: int) -> Vector:
    """Corner k of the face at a place of the tree's order [m]."""
    return corners[place, 3 * k], corners[place, 3 * k + 1], corners[place, 3 * k + 2]


@kernel
def closest_on_triangle(corners: Array, place: int, point: Vector) -> tuple[float, float, float]:
    """u, v of the place on a face closest to `point`, and the square of the distance [m^2].

    The foot of the perpendicular, where it lies inside, else the best of three edges. Right for slivers, and for
    triangles that are a line or a point, whose foot means nothing.
    """
    a = corner(corners, place, 0)
    b = difference(corner(corners, place, 1), a)
    c = difference(corner(corners, place, 2), a)
    p = difference(point, a)
    b_b, b_c, c_c, p_b, p_c = dot(b, b), dot(b, c), dot(c, c), dot(p, b), dot(p, c)
    best_u, best_v, best = 0.0, 0.0, np.inf
    # By cross products: scalar products alone would lose twice as many digits on a sliver.
    normal = cross(b, c)
    gram = dot(normal, normal)
    u, v = dot(cross(p, c), normal), dot(cross(b, p), normal)
    if u >= 0.0 and v >= 0.0 and u + v <= gram and gram > 0.0:
        best_u, best_v = u / gram, v / gram
        best = squared_distance(b, c, p, best_u, best_v)
        if gram > _SLIVER * b_b * c_c:
            return best_u, best_v, best
    # The edges from corner 0, then the one across: how far along each the closest place is, in its length.
    u = along(p_b, b_b)
    square = squared_distance(b, c, p, u, 0.0)
    if square < best:
        best_u, best_v, best = u, 0.0, square
    v = along(p_c, c_c)
    square = squared_distance(b, c, p, 0.0, v)
    if square < best:
        best_u, best_v, best = 0.0, v, square
    v = along(p_c - p_b + b_b - b_c, b_b - 2.0 * b_c + c_c)
    square = squared_distance(b, c, p, 1.0 - v, v)
    if square < best:
        best_u, best_v, best = 1.0 - v, v, square
    return best_u, best_v, best


@kernel
def along(product: float, square: float) -> float:
    """Their quotient held within [0, 1]; 0 on an edge without length."""
    if product <= 0.0 or square <= 0.0:
        return 0.0
    return min(product / square, 1.0)


@kernel
def squared_distance(b: Vector, c: Vector, p: Vector, u: float, v: float) -> float:
    """Square of the distance from u b + v c to p, from coordinates, which don't cancel near the surface."""
    dx, dy, dz = p[0] - u * b[0] - v * c[0], p[1] - u * b[1] - v * c[1], p[2] - u * b[2] - v * c[2]
    return dx * dx + dy * dy + dz * dz
