"""All faces of one surface that touch another: which they are, the depths of their vertices, the sum of their loads.

A walk down the surface's tree leaves out the boxes whose ball lies outside the other surface with all its points, so
the work grows with the faces in contact. What is remembered from one sweep to the next is what has to be wiped, and how
far boxes may move before they can touch, which saves looking and changes no result.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from condyle._jit import inlined_kernel, kernel
from condyle.contact.foundation.clear import is_clear
from condyle.contact.foundation.depth import Depth, closest_depth, ray_depth, row, unit
from condyle.contact.foundation.pressure import (
    AREA,
    CENTROID,
    CLOSEST,
    CUT,
    ELASTIC,
    ELASTIC_X,
    FORCE,
    LOAD,
    LOAD_X,
    MOMENT,
    POWER,
    RAY,
    Face,
    Foundation,
    Motion,
    add_cut,
    add_point,
)
from condyle.contact.foundation.surface import (
    CREASE,
    FACE_AREA,
    FACE_LOAD,
    FACE_PART,
    FACE_X,
    N_SEEN,
    N_TOUCHING,
    Array,
    Scratch,
    Surface,
)
from condyle.laws.foundation.choice import foundation_pressure
from condyle.math.space import Vector, crossed, dot, minus, plus, size, times, turned, turned_back

# A row of totals: force and moment about the origin on the integrated surface in its axes; integral of the pressure,
# and of pressure times place; area, peak pressure, depth; powers of elastic and of lost forces.
TOTAL_FORCE, TOTAL_MOMENT, TOTAL_LOAD, TOTAL_X, TOTAL_AREA, PEAK, DEEPEST, ELASTIC_POWER, LOSS = (
    0,
    3,
    6,
    7,
    10,
    11,
    12,
    13,
    14,
)
N_TOTAL = 15
# Cosine of the angle between the gradients at the ends of an edge up to which the depth is smooth there; beyond the one
# of a crease it is not at all.
BENT = math.cos(math.radians(25.0))
# What a sweep tells of borders, added up: the contact runs over that of the integrated surface, of the other.
OWN_BORDER, OTHER_BORDER = 1, 2


# What is known of nodes holds while the surface moves by this part of its size; NEAR : a node is not clear by that.
SLACK, NEAR = 0.01, -1.0


class Task(NamedTuple):
    """One surface to sweep over.

    surface, other : the integrated surface and the one that gives the depth.
    motion : of the integrated surface, seen from the other.
    totals : a row for the whole and one for each part, shape (1 + n_part, N_TOTAL).
    jacobian : force and moment by a small motion of the other surface, all in the axes and at the origin of the
        integrated one, shape (6, 6).
    """

    surface: Surface
    other: Surface
    motion: Motion
    foundation: Foundation
    scratch: Scratch
    totals: Array
    jacobian: Array


@kernel
def sweep(task: Task) -> int:
    """Fill totals, jacobian and the loads of the faces; returns what to tell of borders."""
    wipe(task.scratch, task.totals, task.jacobian)
    tree, balls, spare = task.surface.tree, task.surface.balls, task.scratch.spare
    n_leaf, margin = len(tree.boxes) // 2, task.surface.rise + task.other.rise
    # The depth of a leaf's first vertex tells as much as its ball and is needed anyway.
    n_asked = (
        n_leaf if task.foundation.sampling == CUT and task.foundation.direction == CLOSEST else 2 * n_leaf
    )
    slack = SLACK * balls[1, 3]
    moved = motion_since(task, slack)
    node, pending, hint, borders = 1, 0, -1, 0
    while True:
        clear = spare[node] >= moved
        if not clear and node < n_asked and not spare[node] < 0.0:
            centre = plus(turned(task.motion.R, row(balls, node)), task.motion.p)
            clear, hint = is_clear(task.other, centre, balls[node, 3] + margin + slack, hint)
            spare[node] = slack - moved if clear else NEAR
        if not clear:
            if node < n_leaf:
                node *= 2
                pending = 2 * pending + 1
                continue
            left = math.inf
            for place in range(tree.begin[node - n_leaf], tree.begin[node - n_leaf + 1]):
                face = tree.face[place]
                if task.foundation.sampling == CENTROID:
                    hint = add_centroid(task, face, hint)
                    left = NEAR
                else:
                    far = see_vertices(task, face, margin)
                    left = min(left, far)
                    if far <= 0.0:
                        borders |= add_face(task, face)
            if node >= n_asked:
                spare[node] = left - moved if left > 0.0 else NEAR
        if pending == 0:
            break
        while pending & 1 == 0:
            pending >>= 1
            node >>= 1
        pending -= 1
        node ^= 1
    return borders


@kernel
def motion_since(task: Task, slack: float) -> float:
    """By how much any place of the surface has moved at most, seen from the other, since what is known of its nodes
    was found [m]; when that is more than a slack, everything is found anew.
    """
    reference, balls, motion = task.scratch.reference, task.surface.balls, task.motion
    centre = row(balls, 1)
    now = plus(turned(motion.R, centre), motion.p)
    turn = 0.0
    for k in range(9):
        turn += (motion.R[k] - reference[k]) ** 2
    shift = minus(now, (reference[9], reference[10], reference[11]))
    moved = size(shift) + math.sqrt(turn) * balls[1, 3]
    if moved <= slack:
        return moved
    for k in range(9):
        reference[k] = motion.R[k]
    for k in range(3):
        reference[9 + k] = now[k]
    task.scratch.spare[:] = math.nan
    return 0.0


@kernel
def wipe(scratch: Scratch, totals: Array, jacobian: Array) -> None:
    """Make everything as if nothing had been seen."""
    for k in range(scratch.counts[N_SEEN]):
        scratch.nearest[scratch.seen[k]] = -1
    for k in range(scratch.counts[N_TOUCHING]):
        for column in range(scratch.face_load.shape[1]):
            scratch.face_load[scratch.touching[k], column] = 0.0
    scratch.counts[N_SEEN] = scratch.counts[N_TOUCHING] = 0
    totals[:, :] = 0.0
    jacobian[:, :] = 0.0


@inlined_kernel
def see_vertices(task: Task, face: int, margin: float) -> float:
    """Find the depths of a face's vertices, where not known yet.

    Returns by how much the face may move before it can touch [m]; where that is above zero only its first vertex is
    looked at. Each vertex is looked at as if it were the only one, so that it does not matter which were before.
    """
    scratch, surface, far = task.scratch, task.surface, NEAR
    for k in range(3):
        vertex = surface.faces[face, k]
        if scratch.nearest[vertex] < 0:
            place, normal = row(surface.vertices, vertex), row(surface.vertex_normals, vertex)
            depth, gradient, nearest, beyond = depth_at(
                task.other, task.motion, task.foundation, place, normal, -1
            )
            scratch.depth[vertex, 0] = depth
            scratch.depth[vertex, 1], scratch.depth[vertex, 2], scratch.depth[vertex, 3] = gradient
            scratch.depth[vertex, 4] = 1.0 if beyond else 0.0
            scratch.nearest[vertex] = max(nearest, 0)
            scratch.seen[scratch.counts[N_SEEN]] = vertex
            scratch.counts[N_SEEN] += 1
        if k == 0:
            far = room_before(task, face, margin)
            if far > 0.0:
                return far
    return far


@kernel
def room_before(task: Task, face: int, margin: float) -> float:
    """By how much a face may move before it can touch [m], from how far outside its first vertex is; below zero where
    that does not tell.
    """
    if task.foundation.direction != CLOSEST:
        return NEAR
    surface = task.surface
    origin = row(surface.vertices, surface.faces[face, 0])
    along = minus(row(surface.vertices, surface.faces[face, 1]), origin)
    across = minus(row(surface.vertices, surface.faces[face, 2]), origin)
    # Beyond a border the depth grows by up to sqrt(2) with the way.
    outside = -task.scratch.depth[surface.faces[face, 0], 0] / (1.0 + 0.5 * task.other.is_open)
    return outside - math.sqrt(max(dot(along, along), dot(across, across))) - margin


@kernel
def depth_at(
    other: Surface, motion: Motion, foundation: Foundation, place: Vector, normal: Vector, hint: int
) -> Depth:
    """Depth of a place of the integrated surface with this normal; the gradient in its axes."""
    point = plus(turned(motion.R, place), motion.p)
    if foundation.direction == RAY:
        inward = times(-1.0, turned(motion.R, normal))
        depth, gradient, face, beyond = ray_depth(other, point, inward, foundation.reach, hint)
    else:
        depth, gradient, face, beyond = closest_depth(other, point, hint)
    return depth, turned_back(motion.R, gradient), face, beyond


@inlined_kernel
def add_face(task: Task, k: int) -> int:
    """Add face `k`, cut where the contact ends; returns what to tell of borders."""
    surface, scratch, foundation = task.surface, task.scratch, task.foundation
    i, j, m = surface.faces[k, 0], surface.faces[k, 1], surface.faces[k, 2]
    depth, is_bent = scratch.depth, surface.smooth or task.other.smooth
    d0, d1, d2 = depth[i, 0], depth[j, 0], depth[m, 0]
    face = face_of(surface, depth, k)
    c0 = c1 = c2 = 0.0
    if is_bent:
        c0, c1, c2 = bulges(surface, face, k)
    e0, e1, e2 = 0.5 * (d0 + d1) + 0.25 * c0, 0.5 * (d1 + d2) + 0.25 * c1, 0.5 * (d2 + d0) + 0.25 * c2
    deepest = max(d0, d1, d2, e0, e1, e2)
    # What the quadratic has above its four triangles, on average.
    mean = (c0 + c1 + c2) / 48.0
    if deepest <= 0.0 and deepest + mean <= 0.0:
        return 0
    sums, jacobian, motion = scratch.sums, task.jacobian, task.motion
    sums[:] = 0.0
    a, b, c = (0.0, 0.0, d0 + mean), (1.0, 0.0, d1 + mean), (0.0, 1.0, d2 + mean)
    if is_bent:
        on_first, on_second, on_third = (0.5, 0.0, e0 + mean), (0.5, 0.5, e1 + mean), (0.0, 0.5, e2 + mean)
        add_cut(face, (a, on_first, on_third), foundation, motion, sums, jacobian)
        add_cut(face, (on_first, b, on_second), foundation, motion, sums, jacobian)
        add_cut(face, (on_third, on_second, c), foundation, motion, sums, jacobian)
        add_cut(face, (on_first, on_second, on_third), foundation, motion, sums, jacobian)
    else:
        add_cut(face, (a, b, c), foundation, motion, sums, jacobian)
    nearest = scratch.nearest[i if d0 >= max(d1, d2) else j if d1 >= d2 else m]
    add_totals(task, face, k, deepest, nearest)
    borders = 0
    if max(depth[i, 4], depth[j, 4], depth[m, 4]) > 0.0:
        borders |= OTHER_BORDER
    if surface.is_open:
        borders |= OWN_BORDER * runs_over(surface, k, (d0, d1, d2), (e0, e1, e2))
    return borders


@kernel
def face_of(surface: Surface, depth: Array, k: int) -> Face:
    """Face `k` with the gradients at its corners."""
    a, b, c = surface.faces[k, 0], surface.faces[k, 1], surface.faces[k, 2]
    origin, vector = row(surface.vertices, a), row(surface.face_vectors, k)
    along, across = minus(row(surface.vertices, b), origin), minus(row(surface.vertices, c), origin)
    first, second = (depth[a, 1], depth[a, 2], depth[a, 3]), (depth[b, 1], depth[b, 2], depth[b, 3])
    third = (depth[c, 1], depth[c, 2], depth[c, 3])
    return Face(origin, along, across, unit(vector), size(vector), first, second, third)


@kernel
def bulges(surface: Surface, face: Face, k: int) -> Vector:
    """Four times how much deeper the middle of each edge is than the mean of its ends [m].

    From the slopes of the depth along the smooth surface at both ends of an edge, so that it counts the bends of
    both surfaces.
    """
    normals = surface.corner_normals
    n0 = (normals[k, 0], normals[k, 1], normals[k, 2])
    n1 = (normals[k, 3], normals[k, 4], normals[k, 5])
    n2 = (normals[k, 6], normals[k, 7], normals[k, 8])
    if not surface.smooth:
        n0 = n1 = n2 = face.normal
    between = minus(face.across, face.along)
    return (
        bulge(face.along, n0, n1, face.first, face.second),
        bulge(between, n1, n2, face.second, face.third),
        bulge(times(-1.0, face.across), n2, n0, face.third, face.first),
    )


@kernel
def bulge(
    edge: Vector, normal: Vector, next_normal: Vector, gradient: Vector, next_gradient: Vector
) -> float:
    """The same of one edge, from normals and gradients at its ends.

    Over an edge or the border of the other surface the gradient turns at once and the depth has a kink: a bulge through
    it would press where nothing touches.
    """
    leaving = dot(gradient, edge) - dot(edge, normal) * dot(gradient, normal)
    arriving = dot(next_gradient, edge) - dot(edge, next_normal) * dot(next_gradient, next_normal)
    alike = dot(gradient, next_gradient) / (size(gradient) * size(next_gradient))
    return 0.5 * (leaving - arriving) * min(max((alike - CREASE) / (BENT - CREASE), 0.0), 1.0)


@kernel
def runs_over(surface: Surface, k: int, corners: Vector, middles: Vector) -> int:
    """Whether an edge of a face that lies at the border is in contact, by the depths at its ends and its middle."""
    first = surface.neighbours[k, 0] < 0 and max(corners[0], corners[1], middles[0]) > 0.0
    second = surface.neighbours[k, 1] < 0 and max(corners[1], corners[2], middles[1]) > 0.0
    third = surface.neighbours[k, 2] < 0 and max(corners[2], corners[0], middles[2]) > 0.0
    return int(first or second or third)


@inlined_kernel
def add_centroid(task: Task, k: int, hint: int) -> int:
    """Add face `k` with the depth at its centroid all over it; returns the face met."""
    surface, scratch, foundation, motion = task.surface, task.scratch, task.foundation, task.motion
    face = face_of(surface, scratch.depth, k)
    centroid = plus(face.origin, times(1.0 / 3.0, plus(face.along, face.across)))
    depth, gradient, hint, _ = depth_at(task.other, motion, foundation, centroid, face.normal, hint)
    if depth <= 0.0:
        return hint
    face = Face(face.origin, face.along, face.across, face.normal, face.area, gradient, gradient, gradient)
    scratch.sums[:] = 0.0
    scratch.sums[AREA] = face.area
    node = (1.0 / 3.0, 1.0 / 3.0, depth)
    add_point(face, node, face.area, foundation, motion, scratch.sums, task.jacobian)
    add_totals(task, face, k, depth, hint)
    return hint


@kernel
def add_totals(task: Task, face: Face, k: int, deepest: float, nearest: int) -> None:
    """Add face `k`, whose sums are done, to the whole and to its part."""
    sums, scratch, motion, totals = task.scratch.sums, task.scratch, task.motion, task.totals
    if sums[AREA] <= 0.0:
        return
    part = task.surface.part[k] if task.surface.n_part > 1 else task.other.part[nearest]
    note_face(scratch, k, part)
    peak = peak_pressure(task.foundation, deepest, sums)
    first = (sums[LOAD_X], sums[LOAD_X + 1], sums[LOAD_X + 2])
    friction = (sums[FORCE], sums[FORCE + 1], sums[FORCE + 2])
    force = minus(friction, times(sums[LOAD], face.normal))
    moment = minus((sums[MOMENT], sums[MOMENT + 1], sums[MOMENT + 2]), crossed(first, face.normal))
    # A rigid motion is affine: the power of the pressure follows from its sum and its first moment.
    elastic_first = (sums[ELASTIC_X], sums[ELASTIC_X + 1], sums[ELASTIC_X + 2])
    elastic = -dot(face.normal, plus(times(sums[ELASTIC], motion.v), crossed(motion.w, elastic_first)))
    normal = -dot(face.normal, plus(times(sums[LOAD], motion.v), crossed(motion.w, first)))
    for at in (0, 1 + part):
        for axis in range(3):
            totals[at, TOTAL_FORCE + axis] += force[axis]
            totals[at, TOTAL_MOMENT + axis] += moment[axis]
            totals[at, TOTAL_X + axis] += first[axis]
        totals[at, TOTAL_LOAD] += sums[LOAD]
        totals[at, TOTAL_AREA] += sums[AREA]
        totals[at, PEAK] = max(totals[at, PEAK], peak)
        totals[at, DEEPEST] = max(totals[at, DEEPEST], deepest)
        totals[at, ELASTIC_POWER] += elastic
        totals[at, LOSS] += elastic - normal - sums[POWER]


@kernel
def note_face(scratch: Scratch, k: int, part: int) -> None:
    """Write down pressure, area in contact, centre of pressure and part of face `k`."""
    sums, load = scratch.sums, scratch.sums[LOAD]
    scratch.face_load[k, FACE_LOAD], scratch.face_load[k, FACE_AREA] = load, sums[AREA]
    for axis in range(3):
        scratch.face_load[k, FACE_X + axis] = sums[LOAD_X + axis] / load if load > 0.0 else 0.0
    scratch.face_load[k, FACE_PART] = part
    scratch.touching[scratch.counts[N_TOUCHING]] = k
    scratch.counts[N_TOUCHING] += 1


@kernel
def peak_pressure(foundation: Foundation, deepest: float, sums: Array) -> float:
    """Pressure at the deepest place of a face [Pa], damped as at its middle."""
    pressure = foundation_pressure(foundation.law, deepest)
    if foundation.damping > 0.0 and sums[ELASTIC] > 0.0:
        pressure *= sums[LOAD] / sums[ELASTIC]
    return pressure
