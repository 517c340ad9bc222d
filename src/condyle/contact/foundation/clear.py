"""Whether a ball lies outside a surface with all its points: what a sweep asks of each box before it looks inside.

It is cheaper than the distance, which for a far point is nearly the same to many faces. A ball that touches no face is
on one side; on which, the first face tells that is met on the way to any other, by the side that it shows.
"""

from __future__ import annotations

from condyle._jit import kernel
from condyle.contact.foundation.surface import Surface
from condyle.geometry.mesh.closest import box_square, place_on_face
from condyle.geometry.mesh.rays import ray_hit
from condyle.geometry.mesh.triangle import closest_on_triangle
from condyle.math.space import Vector, minus


@kernel
def is_clear(surface: Surface, centre: Vector, radius: float, hint: int) -> tuple[bool, int]:
    """Whether a ball [m] lies outside the surface with all its points, and a face near it.

    `hint` is the last answer's face, -1 at first. Beyond the border of an open surface a ball counts as outside where
    its centre sees the surface from the front.
    """
    tree = surface.tree
    if hint >= 0 and closest_on_triangle(tree.corners, tree.place[hint], centre)[2] <= radius * radius:
        return False, hint
    face = touched_face(surface, centre, radius * radius)
    if face >= 0:
        return False, face
    aim = max(hint, 0)
    way = minus(place_on_face(tree, aim, 1.0 / 3.0, 1.0 / 3.0), centre)
    met, _, _, _, front = ray_hit(tree, centre, way, (0.0, 1.1), 0, aim)
    return met >= 0 and front, aim


@kernel
def touched_face(surface: Surface, centre: Vector, square: float) -> int:
    """Any face that a ball of this squared radius [m^2] touches, -1 for none.

    At the border the ball is taken half as large again: beyond it the depth grows by up to sqrt(2) with the way.
    """
    tree, rims, n_leaf = surface.tree, surface.rims, len(surface.tree.boxes) // 2
    boxes, wide = tree.boxes, 2.25 * square
    node, pending = 1, 0
    if box_square(boxes, node, centre) > (wide if rims[node] else square):
        return -1
    while True:
        if node < n_leaf:
            # Down to the nearer half first, where a face is found sooner.
            node *= 2
            near, far = box_square(boxes, node, centre), box_square(boxes, node + 1, centre)
            near_in, far_in = (
                near <= (wide if rims[node] else square),
                far <= (wide if rims[node + 1] else square),
            )
            if near_in or far_in:
                if not near_in or (far_in and far < near):
                    node += 1
                pending = 2 * pending + (1 if near_in and far_in else 0)
                continue
            node //= 2
        else:
            limit = wide if rims[node] else square
            for place in range(tree.begin[node - n_leaf], tree.begin[node - n_leaf + 1]):
                if closest_on_triangle(tree.corners, place, centre)[2] <= limit:
                    return tree.face[place]
        if pending == 0:
            return -1
        while pending & 1 == 0:
            pending >>= 1
            node >>= 1
        pending -= 1
        node ^= 1
