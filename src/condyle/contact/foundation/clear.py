"""Whether a ball lies outside a surface with all its points: what a sweep asks of each box before it looks inside.

It is cheaper than the distance, which for a far point is nearly the same to many faces. A ball that touches no face is
on one side; on which, the first face tells that is met on the way to any other, by the side that it shows.
"""

from __future__ import annotations

from condyle._jit import kernel
from condyle.contact.foundation.surface import Surface
from condyle.geometry.mesh.closest import box_square, place_on_face
from condyle.geometry.mesh.rays import ray_hit
from condyle.geometry.mesh.tree import SearchTree
from condyle.geometry.mesh.triangle import closest_on_triangle
from condyle.math.space import Vector, minus


@kernel
def is_clear(surface: Surface, centre: Vector, radius: float, hint: int) -> tuple[bool, int]:
    """Whether a ball [m] lies outside the surface with all its points, and a face near it.

    `hint` is the last answer's face, -1 at first. Beyond the border of an open surface a ball counts as outside where
    its centre sees the surface from the front.
    """
    radius *= 1.0 + 0.5 * surface.is_open  # the depth grows by up to sqrt(2) with the way beyond a border
    tree = surface.tree
    if hint >= 0 and closest_on_triangle(tree.corners, tree.place[hint], centre)[2] <= radius * radius:
        return False, hint
    face = touched_face(tree, centre, radius)
    if face >= 0:
        return False, face
    aim = max(hint, 0)
    way = minus(place_on_face(tree, aim, 1.0 / 3.0, 1.0 / 3.0), centre)
    met, _, _, _, front = ray_hit(tree, centre, way, (0.0, 1.1), 0, aim)
    return met >= 0 and front, aim


@kernel
def touched_face(tree: SearchTree, centre: Vector, radius: float) -> int:
    """Any face that a ball touches, -1 for none."""
    n_leaf, square = len(tree.boxes) // 2, radius * radius
    node, pending = 1, 0
    while True:
        if box_square(tree.boxes, node, centre) <= square:
            if node < n_leaf:
                node *= 2
                pending = 2 * pending + 1
                continue
            for place in range(tree.begin[node - n_leaf], tree.begin[node - n_leaf + 1]):
                if closest_on_triangle(tree.corners, place, centre)[2] <= square:
                    return tree.face[place]
        if pending == 0:
            return -1
        while pending & 1 == 0:
            pending >>= 1
            node >>= 1
        pending -= 1
        node ^= 1
