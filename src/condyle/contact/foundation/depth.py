"""Depth of a point in a surface, and its gradient.

The depth is the signed distance to the surface, positive inside. On the flat faces its sign is that of the normal at
the closest place, where edges and vertices have the normal of the faces around them (Baerentzen 2005).

The smooth surface passes through the vertices at right angles to their normals. Above a face it is the parabolic
patch x(l) = sum l_i x_i + sum_{i<j} l_i l_j k_ij with k_ij = (t_i - t_j) / 2, where t_i is the edge from i to j
without its part along the normal at i (in the manner of Nagata 2005, whose k_ij is a quotient that fails where both
normals agree). The point's depth is that below the plane through the patch whose normal, interpolated from those of
the vertices, points at it.

Beyond the border of an open surface the depth below its continuation fades out at one to one, and a flag is raised.
"""

from __future__ import annotations

import math

from condyle._jit import kernel
from condyle.contact.foundation.surface import CREASE, Array, Surface
from condyle.geometry.mesh.closest import closest_point, place_on_face
from condyle.geometry.mesh.rays import ray_hit
from condyle.math.space import Vector, dot, minus, plus, size, times

# A barycentric coordinate below this is on the edge across.
_ON_EDGE = 1e-12
# Where on a face: inside, on the edge from corner k (INSIDE + 1 + k), on corner k (CORNER + k).
INSIDE, CORNER = 0, 4
# Depth [m], its gradient, the nearest face, and whether that is beyond a border.
Depth = tuple[float, Vector, int, bool]


@kernel
def row(table: Array, k: int) -> Vector:
    """Row k of a table of vectors."""
    return table[k, 0], table[k, 1], table[k, 2]


@kernel
def unit(a: Vector) -> Vector:
    """The vector made one long; a zero vector stays zero."""
    length = size(a)
    return times(1.0 / length, a) if length > 0.0 else a


@kernel
def feature_at(u: float, v: float) -> int:
    """Where on a face the place (u, v) is: INSIDE, on an edge or on a corner."""
    on_first, on_last, on_middle = v <= _ON_EDGE, u <= _ON_EDGE, 1.0 - u - v <= _ON_EDGE
    if on_first and on_last:
        return CORNER
    if on_first and on_middle:
        return CORNER + 1
    if on_last and on_middle:
        return CORNER + 2
    return 1 if on_first else 2 if on_middle else 3 if on_last else INSIDE


@kernel
def is_border(surface: Surface, face: int, feature: int) -> bool:
    """Whether an edge or corner lies on the border of an open surface."""
    if feature == INSIDE:
        return False
    if feature >= CORNER:
        return surface.border[surface.faces[face, feature - CORNER]] == 1
    return surface.neighbours[face, feature - 1] < 0


@kernel
def feature_normal(surface: Surface, face: int, feature: int) -> Vector:
    """Unit normal of a face; on an edge or a corner that of the faces around it."""
    if feature >= CORNER:
        return row(surface.vertex_normals, surface.faces[face, feature - CORNER])
    normal = unit(row(surface.face_vectors, face))
    if feature == INSIDE or surface.neighbours[face, feature - 1] < 0:
        return normal
    return unit(plus(normal, unit(row(surface.face_vectors, surface.neighbours[face, feature - 1]))))


@kernel
def bend(edge: Vector, normal: Vector, next_normal: Vector) -> Vector:
    """The vector k_ij of an edge between two normals: four times how far the middle bulges [m]."""
    leaving, arriving = 0.5 * dot(edge, normal), 0.5 * dot(edge, next_normal)
    return minus(times(arriving, next_normal), times(leaving, normal))


@kernel
def patch(surface: Surface, face: int, u: float, v: float) -> tuple[Vector, Vector]:
    """How far the surface is from the place (u, v) on a face [m], nothing if flat, and the smooth unit normal there."""
    corners, place = surface.tree.corners, surface.tree.place[face]
    first = (corners[place, 0], corners[place, 1], corners[place, 2])
    second = (corners[place, 3], corners[place, 4], corners[place, 5])
    third = (corners[place, 6], corners[place, 7], corners[place, 8])
    normals = surface.corner_normals
    n0 = (normals[face, 0], normals[face, 1], normals[face, 2])
    n1 = (normals[face, 3], normals[face, 4], normals[face, 5])
    n2 = (normals[face, 6], normals[face, 7], normals[face, 8])
    w = 1.0 - u - v
    normal = unit(plus(times(w, n0), plus(times(u, n1), times(v, n2))))
    if not surface.smooth:
        return (0.0, 0.0, 0.0), normal
    rise = times(w * u, bend(minus(second, first), n0, n1))
    rise = plus(rise, times(u * v, bend(minus(third, second), n1, n2)))
    rise = plus(rise, times(v * w, bend(minus(first, third), n2, n0)))
    return rise, normal


@kernel
def face_under(surface: Surface, face: int, u: float, v: float, target: Vector) -> tuple[int, float, float]:
    """The face that a target [m] close to the place (u, v) lies over, and where; the place itself on a sliver.

    Neighbours are gone to across the edge that the target is farthest beyond.
    """
    previous = -1
    for turn in range(8):
        corners, place = surface.tree.corners, surface.tree.place[face]
        first = (corners[place, 0], corners[place, 1], corners[place, 2])
        along = minus((corners[place, 3], corners[place, 4], corners[place, 5]), first)
        across = minus((corners[place, 6], corners[place, 7], corners[place, 8]), first)
        way = minus(target, first)
        along_along, along_across, across_across, way_along, way_across = (
            dot(along, along),
            dot(along, across),
            dot(across, across),
            dot(way, along),
            dot(way, across),
        )
        gram = along_along * across_across - along_across * along_across
        if gram <= 1e-8 * along_along * across_across:
            break
        u, v = (
            (across_across * way_along - along_across * way_across) / gram,
            (along_along * way_across - along_across * way_along) / gram,
        )
        least = min(u, v, 1.0 - u - v)
        if least >= 0.0:
            break
        beside = surface.neighbours[face, 2 if u == least else 0 if v == least else 1]
        # Beyond an edge from both of its faces the target is on the edge.
        if beside < 0 or beside == previous or turn == 7:
            break
        previous, face = face, beside
    u, v = max(u, 0.0), max(v, 0.0)
    return face, u / max(u + v, 1.0), v / max(u + v, 1.0)


@kernel
def flat_depth(surface: Surface, face: int, feature: int, away: Vector) -> tuple[float, Vector]:
    """Depth of a point `away` from its closest place [m], and the gradient."""
    normal = feature_normal(surface, face, feature)
    side, distance = dot(away, normal), size(away)
    if feature == INSIDE or distance < 1e-14:
        return -side, times(-1.0, normal)
    sign = 1.0 if side >= 0.0 else -1.0
    return -sign * distance, times(-sign / distance, away)


@kernel
def closest_depth(surface: Surface, point: Vector, hint: int) -> Depth:
    """Depth of a point [m] by the closest place on the surface."""
    face, u, v, square = closest_point(surface.tree, point, hint)
    foot = place_on_face(surface.tree, face, u, v)
    away, feature = minus(point, foot), feature_at(u, v)
    beyond = is_border(surface, face, feature)
    rise, touching = patch(surface, face, u, v)
    if beyond:
        # Against the border's face the way out of it is measured.
        normal = unit(row(surface.face_vectors, face))
        lateral = minus(away, times(dot(away, normal), normal))
        length = size(lateral)
        gradient = minus(times(-1.0, touching), unit(lateral))
        return dot(minus(rise, away), touching) - length, gradient, face, length > _ON_EDGE
    # Across a sharp edge there is no smooth surface.
    sharp = feature != INSIDE and abs(dot(away, touching)) < CREASE * math.sqrt(square)
    if sharp or not surface.smooth:
        depth, gradient = flat_depth(surface, face, feature, away)
        return depth, gradient if sharp else times(-1.0, touching), face, False
    # Two of Newton's steps towards the place whose normal points at the point. It does not jump where the closest
    # place on the flat faces does; after one step what is left of such a jump is a millionth of the force.
    for _ in range(2):
        height = minus(away, rise)
        step = minus(height, times(dot(height, touching), touching))
        if dot(step, step) <= 1e-12 * square:
            break
        face, u, v = face_under(surface, face, u, v, plus(foot, step))
        rise, touching = patch(surface, face, u, v)
        foot = place_on_face(surface.tree, face, u, v)
        away = minus(point, foot)
    return dot(minus(rise, away), touching), times(-1.0, touching), face, False


@kernel
def ray_depth(surface: Surface, point: Vector, inward: Vector, reach: float, hint: int) -> Depth:
    """Depth of a point [m] along a unit direction: where a ray leaves the surface, the first thing that it meets.

    Where it does not, less the distance to where it would have left it before the point; -`reach` where neither is
    within `reach`. Rays that graze the surface give gradients no longer than 10.
    """
    face, u, v, distance, front = ray_hit(surface.tree, point, inward, (0.0, reach), 0, hint)
    if face < 0 or front:
        face, u, v, distance, front = ray_hit(surface.tree, point, inward, (-reach, 0.0), -1, hint)
    if face < 0:
        return -reach, inward, hint, False
    rise, normal = patch(surface, face, u, v)
    distance += dot(rise, normal) / max(dot(normal, inward), 0.1)
    return distance, times(-1.0 / max(dot(normal, inward), 0.1), normal), face, False
