"""Where a ray meets a surface, without slipping through between two faces.

The corners are seen from the ray's origin, along the axis nearest to its direction, and sheared so that the ray runs
along that axis. Whether it passes an edge is then the sign of one product of the edge's two corners, which is the
same number with the opposite sign in both faces of the edge, and 0 counts as inside for both (Woop 2013).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from condyle._jit import kernel
from condyle.geometry.mesh.tree import SearchTree, following
from condyle.geometry.mesh.triangle import Vector

Array = NDArray[np.float64]

# Boxes are widened by this part of the farthest distance in play: more than the round-off of the shear.
_SLACK = 1e-14


class Sheared(NamedTuple):
    """A ray, the order in which it takes the axes, its shear, and by how much boxes are widened [m]."""

    origin: Vector
    direction: Vector
    axes: tuple[int, int, int]
    shear: Vector
    slack: float


@kernel
def ray_hit(
    tree: SearchTree,
    origin: Vector,
    direction: Vector,
    reach: tuple[float, float],
    facing: int,
    hint: int,
) -> tuple[int, float, float, float, bool]:
    """The hit nearest to `origin` [m] of the line along `direction`: face, u, v, distance and whether from the front.

    reach : lowest and highest distance along the line, in lengths of `direction`: (0, d) for a ray, (-d, d) for a
        line in both senses. The hit of the smallest distance regardless of its sign is returned.
    facing : 1 for hits from the front only (against the face's outward normal), -1 from behind only, 0 for both.
    hint : the face to try first, such as the last answer, or -1.

    Without a hit the face is -1 and the distance infinite. A face seen edge-on is not hit, but its neighbours are.
    A direction that is zero or not finite hits nothing.
    """
    if not 0.0 < max(abs(direction[0]), abs(direction[1]), abs(direction[2])) < np.inf:
        return -1, 0.0, 0.0, np.inf, False
    ray = sheared(tree.boxes, origin, direction)
    n_leaf = len(tree.boxes) // 2
    found, best_u, best_v, best, front = -1, 0.0, 0.0, np.inf, False
    low, high = reach
    if 0 <= hint < len(tree.face):
        u, v, distance, sign = triangle_hit(tree.corners, tree.place[hint], ray)
        if low <= distance <= high and facing * sign >= 0:
            found, best_u, best_v, best, front = tree.place[hint], u, v, distance, sign > 0
            low, high = max(low, -abs(best)), min(high, abs(best))
    node, pending, here = 1, 0, box_distance(tree.boxes, 1, ray, low, high)
    while node > 0:
        if here < np.inf:
            if node < n_leaf:
                node *= 2
                here = box_distance(tree.boxes, node, ray, low, high)
                far = box_distance(tree.boxes, node + 1, ray, low, high)
                if far < here:
                    node, here, far = node + 1, far, here
                pending <<= 1
                if far < np.inf:
                    pending += 1
                continue
            for place in range(tree.begin[node - n_leaf], tree.begin[node - n_leaf + 1]):
                u, v, distance, sign = triangle_hit(tree.corners, place, ray)
                if low <= distance <= high and facing * sign >= 0 and abs(distance) < abs(best):
                    found, best_u, best_v, best, front = place, u, v, distance, sign > 0
                    low, high = max(low, -abs(best)), min(high, abs(best))
        node, pending = following(node, pending)
        here = box_distance(tree.boxes, node, ray, low, high)
    if found < 0:
        return -1, 0.0, 0.0, np.inf, False
    return tree.face[found], best_u, best_v, best, front


@kernel
def sheared(boxes: Array, origin: Vector, direction: Vector) -> Sheared:
    """The ray as its tests take it."""
    dx, dy, dz = direction
    steep = max(abs(dx), abs(dy), abs(dz))
    z = 0 if abs(dx) == steep else 1 if abs(dy) == steep else 2
    x, y = (z + 1) % 3, (z + 2) % 3
    if direction[z] < 0.0:
        x, y = y, x  # else the shear would turn the faces over
    farthest = 0.0
    for axis in range(3):
        from_low, from_high = abs(boxes[1, axis] - origin[axis]), abs(boxes[1, axis + 3] - origin[axis])
        farthest = max(farthest, from_low, from_high)
    shear = (direction[x] / direction[z], direction[y] / direction[z], 1.0 / direction[z])
    return Sheared(origin, direction, (x, y, z), shear, _SLACK * farthest)


@kernel
def box_distance(boxes: Array, node: int, ray: Sheared, low: float, high: float) -> float:
    """Smallest distance, regardless of its sign, at which the line is inside a box; infinite if it never is."""
    near, far = low, high
    for axis in range(3):
        first = boxes[node, axis] - ray.slack - ray.origin[axis]
        second = boxes[node, axis + 3] + ray.slack - ray.origin[axis]
        speed = ray.direction[axis]
        if speed == 0.0:
            if first > 0.0 or second < 0.0:
                return np.inf
            continue
        if speed < 0.0:
            first, second = second, first
        near, far = max(near, first / speed), min(far, second / speed)
    # Two roundings in each distance.
    if near - far > 4e-16 * (abs(near) + abs(far)):
        return np.inf
    return max(near, -far, 0.0)


@kernel
def triangle_hit(corners: Array, place: int, ray: Sheared) -> tuple[float, float, float, int]:
    """u, v, distance and +1 from the front or -1 from behind, for one face; the distance is infinite without a hit."""
    ax, ay, az = seen(corners, place, 0, ray)
    bx, by, bz = seen(corners, place, 3, ray)
    cx, cy, cz = seen(corners, place, 6, ray)
    # Twice the areas between the ray and each edge, across from corner 0, 1, 2.
    u, v, w = cx * by - cy * bx, ax * cy - ay * cx, bx * ay - by * ax
    total = u + v + w
    outside = (u < 0.0 or v < 0.0 or w < 0.0) and (u > 0.0 or v > 0.0 or w > 0.0)
    if outside or total == 0.0:
        return 0.0, 0.0, np.inf, 0
    distance = (u * az + v * bz + w * cz) / total
    return v / total, w / total, distance, 1 if total > 0.0 else -1


@kernel
def seen(corners: Array, place: int, first: int, ray: Sheared) -> Vector:
    """A corner seen from the ray's origin: two coordinates across the ray, and one along it in its own length."""
    x, y, z = ray.axes
    along = corners[place, first + z] - ray.origin[z]
    return (
        corners[place, first + x] - ray.origin[x] - ray.shear[0] * along,
        corners[place, first + y] - ray.origin[y] - ray.shear[1] * along,
        ray.shear[2] * along,
    )


@kernel
def fill_hits(
    tree: SearchTree,
    origins: Array,
    directions: Array,
    reach: tuple[float, float],
    facing: int,
    hints: NDArray[np.int64],
    places: Array,
) -> None:
    """Hits of many lines, (n, 3) each: u, v, distance and 1 from the front or 0 go to `places` (n, 4).

    `hints` (n,) are read and then hold the faces.
    """
    for k in range(len(origins)):
        origin = (origins[k, 0], origins[k, 1], origins[k, 2])
        direction = (directions[k, 0], directions[k, 1], directions[k, 2])
        face, u, v, distance, front = ray_hit(tree, origin, direction, reach, facing, hints[k])
        hints[k], places[k, 0], places[k, 1], places[k, 2] = face, u, v, distance
        places[k, 3] = 1.0 if front else 0.0
