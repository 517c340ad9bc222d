"""The place on a surface that is closest to a point.

The walk goes down to the nearer child first and notes in `pending`, a bit for each level, where the other child may
still hold something closer. Going up is then a shift: to the lowest level with a pending bit, and over to the sibling
(after Áfra 2014, for a tree of two children stored without pointers).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from condyle._jit import kernel
from condyle.geometry.mesh.tree import SearchTree, following
from condyle.geometry.mesh.triangle import Vector, closest_on_triangle

Array = NDArray[np.float64]


@kernel
def closest_point(tree: SearchTree, point: Vector, hint: int) -> tuple[int, float, float, float]:
    """Face closest to `point` [m], u and v of the place on it, and the square of the distance [m^2].

    The place is corner 0 plus u times the way to corner 1 plus v times that to corner 2 of the face in the mesh.
    `hint` is the face from which to start, such as the last answer, or -1. It changes the time and, between faces
    equally close, which of them is named. For a point that is not finite the face is -1.
    """
    return closest_point_within(tree, point, np.inf, hint)


@kernel
def closest_point_within(
    tree: SearchTree, point: Vector, limit: float, hint: int
) -> tuple[int, float, float, float]:
    """The same within a distance of `limit` [m]; face -1 and an infinite square when there is none."""
    n_leaf = len(tree.boxes) // 2
    found, best_u, best_v, best = -1, 0.0, 0.0, limit * limit
    if 0 <= hint < len(tree.face):
        u, v, square = closest_on_triangle(tree.corners, tree.place[hint], point)
        if square <= best:
            found, best_u, best_v, best = tree.place[hint], u, v, square
    node, pending, here = 1, 0, box_square(tree.boxes, 1, point)
    while node > 0:
        if here <= best:
            if node < n_leaf:
                node *= 2
                here, far = box_square(tree.boxes, node, point), box_square(tree.boxes, node + 1, point)
                if far < here:
                    node, here, far = node + 1, far, here
                pending <<= 1
                if far <= best:
                    pending += 1
                continue
            for place in range(tree.begin[node - n_leaf], tree.begin[node - n_leaf + 1]):
                u, v, square = closest_on_triangle(tree.corners, place, point)
                if square < best or (found < 0 and square <= best):
                    found, best_u, best_v, best = place, u, v, square
        node, pending = following(node, pending)
        # What was left for later may have become too far by now.
        here = box_square(tree.boxes, node, point)
    if found < 0 or best == np.inf:
        return -1, 0.0, 0.0, np.inf
    return tree.face[found], best_u, best_v, best


@kernel
def place_on_face(tree: SearchTree, face: int, u: float, v: float) -> Vector:
    """The place (u, v) on a face of the mesh [m]."""
    place, w = tree.place[face], 1.0 - u - v
    return (
        w * tree.corners[place, 0] + u * tree.corners[place, 3] + v * tree.corners[place, 6],
        w * tree.corners[place, 1] + u * tree.corners[place, 4] + v * tree.corners[place, 7],
        w * tree.corners[place, 2] + u * tree.corners[place, 5] + v * tree.corners[place, 8],
    )


@kernel
def blended(faces: NDArray[np.int64], values: Array, face: int, u: float, v: float) -> Vector:
    """A vector field given at the vertices, (n_vertex, 3), at the place (u, v) on a face; normals get shorter by it."""
    i, j, k, w = faces[face, 0], faces[face, 1], faces[face, 2], 1.0 - u - v
    return (
        w * values[i, 0] + u * values[j, 0] + v * values[k, 0],
        w * values[i, 1] + u * values[j, 1] + v * values[k, 1],
        w * values[i, 2] + u * values[j, 2] + v * values[k, 2],
    )


@kernel
def box_square(boxes: Array, node: int, point: Vector) -> float:
    """Square of the distance from a point to a box [m^2], 0 inside it."""
    square = 0.0
    for axis in range(3):
        gap = max(boxes[node, axis] - point[axis], point[axis] - boxes[node, axis + 3], 0.0)
        square += gap * gap
    return square


@kernel
def fill_closest(tree: SearchTree, points: Array, hints: NDArray[np.int64], places: Array) -> None:
    """Closest places to many points [m], shape (n, 3): u, v and squared distance go to `places` (n, 3).

    `hints` (n,) are read and then hold the faces.
    """
    for k in range(len(points)):
        face, u, v, square = closest_point(tree, (points[k, 0], points[k, 1], points[k, 2]), hints[k])
        hints[k], places[k, 0], places[k, 1], places[k, 2] = face, u, v, square
