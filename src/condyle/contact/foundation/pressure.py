"""Pressure on one triangle: integrated over the part of it that is in contact, cut where the depth is zero.

The depth is linear over a triangle given by its corners in the coordinates of a face. A face of the smooth surface is
four of them, with the depths of a quadratic at its corners and the middles of its edges; raised by the mean of what
the quadratic has above the four, which is the same for all, they give its mean exactly. The force is then a
continuous function of the nodal depths with bounded slopes, for nothing is switched: what is cut off has no pressure.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from condyle._jit import kernel
from condyle.contact.foundation.surface import Array
from condyle.laws.foundation.choice import foundation_pressure, foundation_stiffness
from condyle.laws.foundation.layers import LOGARITHMIC, Layers
from condyle.laws.friction.brown_mcphee import brown_mcphee_force
from condyle.laws.friction.coulomb import coulomb_force
from condyle.math.space import Rotation, Vector, crossed, dot, minus, plus, size, times

FRICTIONLESS, COULOMB, BROWN_MCPHEE = 0, 1, 2
# Which surface carries the pressure; how the depth is found; where on a face it is taken.
FIRST, SECOND, BOTH = 0, 1, 2
CLOSEST, RAY = 0, 1
CUT, CENTROID = 0, 1

# Places in a triangle and their weights: degree 2, and degree 5 (Dunavant 1985).
_A, _B = (6.0 - math.sqrt(15.0)) / 21.0, (6.0 + math.sqrt(15.0)) / 21.0
_P, _Q = (155.0 - math.sqrt(15.0)) / 1200.0, (155.0 + math.sqrt(15.0)) / 1200.0
POINTS = np.array(
    [
        [0.5, 0.5, 0.0, 1.0 / 3.0],
        [0.5, 0.0, 0.5, 1.0 / 3.0],
        [0.0, 0.5, 0.5, 1.0 / 3.0],
        [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 9.0 / 40.0],
        [1.0 - 2.0 * _A, _A, _A, _P],
        [_A, 1.0 - 2.0 * _A, _A, _P],
        [_A, _A, 1.0 - 2.0 * _A, _P],
        [1.0 - 2.0 * _B, _B, _B, _Q],
        [_B, 1.0 - 2.0 * _B, _B, _Q],
        [_B, _B, 1.0 - 2.0 * _B, _Q],
    ]
)

# What is summed over a face: pressure, and pressure times place; the same without damping; area; friction on the
# face and its moment about the origin, and its power.
LOAD, LOAD_X, ELASTIC, ELASTIC_X, AREA, FORCE, MOMENT, POWER = 0, 1, 4, 5, 8, 9, 12, 15


class Foundation(NamedTuple):
    """The settings of a contact.

    law : pressure over depth.
    damping : factor of the rate of approach [s/m]: p (1 + damping * rate), never below 0 (in the manner of
        Hunt 1975).
    friction, friction_values : FRICTIONLESS, COULOMB (coefficient, slow, fast) or BROWN_MCPHEE (static, dynamic,
        viscous, transition speed).
    integrated : which surface carries the pressure: FIRST, SECOND or BOTH with half weight.
    direction : depth to the CLOSEST place or along the RAY inward.
    sampling : CUT, or CENTROID for one depth to a face and no cut.
    reach : length of rays [m].
    differentiated : 1 to have the stiffness computed too.
    """

    law: Layers
    damping: float
    friction: int
    friction_values: tuple[float, float, float, float]
    integrated: int
    direction: int
    sampling: int
    reach: float
    differentiated: int


class Motion(NamedTuple):
    """Where one surface is seen from another, and how it moves.

    R, p : a place x [m] of the one is at R x + p in the other's axes.
    v, w : velocity of the one relative to the other at its own origin [m/s], and angular velocity [rad/s], both in
        its own axes.
    """

    R: Rotation
    p: Vector
    v: Vector
    w: Vector


class Face(NamedTuple):
    """A face of the integrated surface: corner 0 and the ways to 1 and 2 [m], unit normal, area [m^2], gradients.

    `first`, `second` and `third` are the gradients of the depth at the corners.
    """

    origin: Vector
    along: Vector
    across: Vector
    normal: Vector
    area: float
    first: Vector
    second: Vector
    third: Vector


# Coordinates on the face, towards corner 1 and towards corner 2, and depth [m].
Node = tuple[float, float, float]


@kernel
def add_cut(
    face: Face,
    nodes: tuple[Node, Node, Node],
    foundation: Foundation,
    motion: Motion,
    sums: Array,
    jacobian: Array,
) -> None:
    """Add the part of a triangle that is in contact."""
    a, b, c = nodes
    inside = int(a[2] > 0.0) + int(b[2] > 0.0) + int(c[2] > 0.0)
    if inside == 0:
        return
    if inside == 3:
        add_triangle(face, nodes, foundation, motion, sums, jacobian)
        return
    # Turned round until the first corner is the one inside, or the last the one outside.
    for _ in range(2):
        if (inside == 1 and a[2] > 0.0) or (inside == 2 and not c[2] > 0.0):
            break
        a, b, c = b, c, a
    if inside == 1:
        add_triangle(face, (a, crossing(a, b), crossing(a, c)), foundation, motion, sums, jacobian)
        return
    near_a, near_b = crossing(a, c), crossing(b, c)
    # Cut from the deeper corner, so that it doesn't matter which one comes first.
    if a[2] >= b[2]:
        add_triangle(face, (a, b, near_b), foundation, motion, sums, jacobian)
        add_triangle(face, (a, near_b, near_a), foundation, motion, sums, jacobian)
    else:
        add_triangle(face, (a, b, near_a), foundation, motion, sums, jacobian)
        add_triangle(face, (b, near_b, near_a), foundation, motion, sums, jacobian)


@kernel
def crossing(inside: Node, outside: Node) -> Node:
    """Where the depth is zero between two nodes."""
    part = inside[2] / (inside[2] - outside[2])
    return inside[0] + part * (outside[0] - inside[0]), inside[1] + part * (outside[1] - inside[1]), 0.0


@kernel
def add_triangle(
    face: Face,
    nodes: tuple[Node, Node, Node],
    foundation: Foundation,
    motion: Motion,
    sums: Array,
    jacobian: Array,
) -> None:
    """Add a triangle that is in contact as a whole: exact where pressure is linear, else to degree 5."""
    a, b, c = nodes
    area = face.area * abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
    is_linear = foundation.law.kind != LOGARITHMIC and foundation.damping == 0.0
    is_linear = is_linear and foundation.friction == FRICTIONLESS
    sums[AREA] += area
    for k in range(0 if is_linear else 3, 3 if is_linear else 10):
        u = POINTS[k, 0] * a[0] + POINTS[k, 1] * b[0] + POINTS[k, 2] * c[0]
        v = POINTS[k, 0] * a[1] + POINTS[k, 1] * b[1] + POINTS[k, 2] * c[1]
        depth = POINTS[k, 0] * a[2] + POINTS[k, 1] * b[2] + POINTS[k, 2] * c[2]
        add_point(face, (u, v, depth), POINTS[k, 3] * area, foundation, motion, sums, jacobian)


@kernel
def add_point(
    face: Face,
    node: Node,
    area: float,
    foundation: Foundation,
    motion: Motion,
    sums: Array,
    jacobian: Array,
) -> None:
    """Add the pressure and the friction of an area [m^2] around one point."""
    place = plus(face.origin, plus(times(node[0], face.along), times(node[1], face.across)))
    elastic = area * foundation_pressure(foundation.law, node[2])
    load, factor = elastic, 1.0
    if foundation.damping > 0.0 or foundation.friction != FRICTIONLESS:
        velocity = plus(motion.v, crossed(motion.w, place))
        rate = dot(velocity, face.normal)
        factor = max(1.0 + foundation.damping * rate, 0.0)
        load = elastic * factor
        if foundation.friction != FRICTIONLESS:
            add_friction(place, minus(velocity, times(rate, face.normal)), load, foundation, sums)
    sums[LOAD] += load
    sums[ELASTIC] += elastic
    for k in range(3):
        sums[LOAD_X + k] += load * place[k]
        sums[ELASTIC_X + k] += elastic * place[k]
    if foundation.differentiated:
        # On the cut itself the law's slope is that of the side in contact.
        slope = area * factor * foundation_stiffness(foundation.law, max(node[2], 1e-300))
        add_stiffness(face, node, place, slope, jacobian)


@kernel
def add_friction(place: Vector, slip: Vector, load: float, foundation: Foundation, sums: Array) -> None:
    """Add the friction under a normal force [N] against the slip [m/s] at a place."""
    speed = size(slip)
    if speed == 0.0:
        return
    a, b, c, d = foundation.friction_values
    if foundation.friction == COULOMB:
        friction = coulomb_force(load, a, b, c, speed)
    else:
        friction = brown_mcphee_force(load, a, b, c, d, speed)
    force = times(friction / speed, slip)
    moment = crossed(place, force)
    for k in range(3):
        sums[FORCE + k] += force[k]
        sums[MOMENT + k] += moment[k]
    sums[POWER] += friction * speed


@kernel
def add_stiffness(face: Face, node: Node, place: Vector, slope: float, jacobian: Array) -> None:
    """Add what a small motion of the other surface changes; `slope` is that of the force over the depth [N/m].

    The other surface moves by u and turns by r: the depth changes by -g . (u + r x place), with the gradient g.
    """
    gradient = plus(times(1.0 - node[0] - node[1], face.first), times(node[0], face.second))
    gradient = plus(gradient, times(node[1], face.third))
    arm, turn = crossed(place, face.normal), crossed(place, gradient)
    for j in range(3):
        for k in range(3):
            jacobian[j, k] += slope * face.normal[j] * gradient[k]
            jacobian[j, k + 3] += slope * face.normal[j] * turn[k]
            jacobian[j + 3, k] += slope * arm[j] * gradient[k]
            jacobian[j + 3, k + 3] += slope * arm[j] * turn[k]
