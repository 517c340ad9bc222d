"""Which faces of one surface come near another: what a contact looks at closely."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from condyle._jit import kernel
from condyle.geometry.mesh.tree import SearchTree, following
from condyle.geometry.mesh.triangle import Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Rotation = tuple[float, float, float, float, float, float, float, float, float]


@kernel
def near_faces(
    tree: SearchTree, other: SearchTree, R_BA: Rotation, p_BA: Vector, margin: float, found: Indices
) -> int:
    """Write to `found` the faces of `tree` that may come within `margin` [m] of the surface of `other`, on either side.

    A contact asks with a margin no smaller than its depth.

    R_BA, p_BA : pose of the first surface, A, seen from the second, B; R_BA row by row: a place x [m] of A is at
        R_BA x + p_BA of B.

    Returns how many there are. Those beyond the length of `found` are counted and not written: make it longer and
    ask again. No face within the margin is left out; some that are farther, by about their own size, are named too:
    `closest_point_within` tells them apart.
    """
    n_leaf = len(tree.boxes) // 2
    count, node, pending = 0, 1, 0
    while node > 0:
        middle, half = posed_box(tree.boxes, node, R_BA, p_BA)
        if box_is_near(other, middle, half, margin):
            if node < n_leaf:
                node *= 2
                pending = 2 * pending + 1
                continue
            for place in range(tree.begin[node - n_leaf], tree.begin[node - n_leaf + 1]):
                if count < len(found):
                    found[count] = tree.face[place]
                count += 1
        node, pending = following(node, pending)
    return count


@kernel
def posed_box(boxes: Array, node: int, R: Rotation, p: Vector) -> tuple[Vector, Vector]:
    """Middle and half sides [m] of the upright box around a box that is turned and moved."""
    x, dx = (boxes[node, 3] + boxes[node, 0]) / 2.0, (boxes[node, 3] - boxes[node, 0]) / 2.0
    y, dy = (boxes[node, 4] + boxes[node, 1]) / 2.0, (boxes[node, 4] - boxes[node, 1]) / 2.0
    z, dz = (boxes[node, 5] + boxes[node, 2]) / 2.0, (boxes[node, 5] - boxes[node, 2]) / 2.0
    middle = (
        R[0] * x + R[1] * y + R[2] * z + p[0],
        R[3] * x + R[4] * y + R[5] * z + p[1],
        R[6] * x + R[7] * y + R[8] * z + p[2],
    )
    half = (
        abs(R[0]) * dx + abs(R[1]) * dy + abs(R[2]) * dz,
        abs(R[3]) * dx + abs(R[4]) * dy + abs(R[5]) * dz,
        abs(R[6]) * dx + abs(R[7]) * dy + abs(R[8]) * dz,
    )
    return middle, half


@kernel
def box_is_near(tree: SearchTree, middle: Vector, half: Vector, margin: float) -> bool:
    """Whether a box comes within `margin` of a box of the tree that is a leaf, or no larger than it is itself."""
    n_leaf = len(tree.boxes) // 2
    size = 2.0 * max(half[0], half[1], half[2])
    node, pending = 1, 0
    while node > 0:
        gap, extent = 0.0, 0.0
        for axis in range(3):
            low, high = tree.boxes[node, axis], tree.boxes[node, axis + 3]
            reach = half[axis] + margin
            gap = max(gap, low - middle[axis] - reach, middle[axis] - reach - high)
            extent = max(extent, high - low)
        if gap <= 0.0:
            if node >= n_leaf or extent <= size:
                return True
            node *= 2
            pending = 2 * pending + 1
            continue
        node, pending = following(node, pending)
    return False
