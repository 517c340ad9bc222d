"""Where two curves face each other: the roots of the common-normal conditions, refined from a nearby guess.

A root is a pair of points whose outward normals are opposed and whose difference `d` lies along them (Machado 2010,
Eqs. 20-21). Only roots that are the closest pair of their neighbourhood, seen from one of the curves, count: with gap
g = d . n_j and curvatures k_i, k_j, positive for convex material, that is k_i + k_j + g k_i k_j > 0, and 1 + g k_i > 0
or 1 + g k_j > 0. So one of two curves may be rounder than it is pressed in, but not both. The far sides of two convex
bodies satisfy Eqs. 20-21 as well and fail this. Where a curve ends, its end point against the
other, smooth curve takes over, so that a gap stays continuous as a contact runs off an edge.

All places are in the frame of the second curve's body; `pose` = (x, y, cos, sin) is the first body's pose there.
"""

from __future__ import annotations

import math

from condyle._jit import kernel
from condyle.geometry.curve import CLOSED, END, SIDE, START, Curves, curve_point, wrapped_parameter
from condyle.math.planar import cross

# What kind of root was found. PARALLEL: the curves run side by side, so that no point is the contact.
NONE, SMOOTH, END_OF_FIRST, END_OF_SECOND, PARALLEL = 0, 1, 2, 3, 4

# A Newton step shorter than this part of the curves' size is the last one: convergence is quadratic, so what is
# left is of the order of its square.
LAST_STEP = 1e-6
MAX_ITERATIONS = 30
# Relative curvature [1/size] below which curves are parallel.
PARALLEL_CURVATURE = 1e-9

Pose = tuple[float, float, float, float]
# A point of a curve and its first and second derivative, as `curve_point` gives them.
Jet = tuple[float, float, float, float, float, float]
# mode, u_i, u_j, gap, normal x, y (out of the second curve), point on first x, y, on second x, y, curvatures
Root = tuple[int, float, float, float, float, float, float, float, float, float, float, float]


@kernel
def no_root() -> Root:
    """The root that is not there: apart by an infinite gap."""
    return NONE, 0.0, 0.0, math.inf, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0


@kernel
def placed_point(curves: Curves, c: int, u: float, pose: Pose) -> Jet:
    """`curve_point` carried into another frame."""
    x, y, dx, dy, ddx, ddy = curve_point(curves, c, u)
    px, py, cos, sin = pose
    return (
        px + cos * x - sin * y,
        py + sin * x + cos * y,
        cos * dx - sin * dy,
        sin * dx + cos * dy,
        cos * ddx - sin * ddy,
        sin * ddx + cos * ddy,
    )


@kernel
def facing_root(curves: Curves, ci: int, cj: int, pose: Pose, ui: float, uj: float, size: float) -> Root:
    """Newton's method on Machado 2010, Eqs. 20-21, with analytic Jacobian; steps are capped and stay on the curves."""
    pinned_first, pinned_second = 0, 0
    for _ in range(MAX_ITERATIONS):
        first, second = placed_point(curves, ci, ui, pose), curve_point(curves, cj, uj)
        x, y, tx, ty, ax, ay = first
        qx, qy, sx, sy, bx, by = second
        along, offset, j11, j12, j21, j22 = facing_equations(first, second)
        determinant = j11 * j22 - j12 * j21
        if determinant == 0.0:
            return parallel_or_none(curves, ci, cj, pose, ui, uj)
        du = (offset * j12 - along * j22) / determinant
        dv = (along * j21 - offset * j11) / determinant
        step = max(abs(du) * math.sqrt(tx * tx + ty * ty), abs(dv) * math.sqrt(sx * sx + sy * sy))
        if step < LAST_STEP * size:
            # The last step by Taylor's formula saves evaluating both curves once more.
            x, y = x + du * (tx + 0.5 * du * ax), y + du * (ty + 0.5 * du * ay)
            qx, qy = qx + dv * (sx + 0.5 * dv * bx), qy + dv * (sy + 0.5 * dv * by)
            first = (x, y, tx + du * ax, ty + du * ay, ax, ay)
            second = (qx, qy, sx + dv * bx, sy + dv * by, bx, by)
            ui, uj = wrapped_parameter(curves, ci, ui + du), wrapped_parameter(curves, cj, uj + dv)
            return checked_root(first, second, curves.value[ci, SIDE], curves.value[cj, SIDE], ui, uj, size)
        if not step < math.inf:
            return no_root()
        if step > 0.25 * size:
            shrink = 0.25 * size / step
            du, dv = du * shrink, dv * shrink
        next_i, next_j = wrapped_parameter(curves, ci, ui + du), wrapped_parameter(curves, cj, uj + dv)
        # Twice in a row beyond the same end: the contact sits on it.
        pinned_first = pinned_first + 1 if is_pinned(curves, ci, ui + du, next_i) else 0
        pinned_second = pinned_second + 1 if is_pinned(curves, cj, uj + dv, next_j) else 0
        ui, uj = next_i, next_j
        if pinned_second >= 2:
            return root_at_end_of_second(curves, ci, cj, pose, ui, uj, size)
        if pinned_first >= 2:
            return root_at_end_of_first(curves, ci, cj, pose, ui, uj, size)
    return no_root()


@kernel
def facing_equations(first: Jet, second: Jet) -> tuple[float, float, float, float, float, float]:
    """What must vanish where two points face each other: t_i x t_j and d . t_i [m^2]; then its Jacobian by u_i, u_j."""
    x, y, tx, ty, ax, ay = first
    qx, qy, sx, sy, bx, by = second
    dx, dy = x - qx, y - qy  # Machado 2010, Eq. 14
    along = cross(tx, ty, sx, sy)  # Machado 2010, Eq. 20
    offset = dx * tx + dy * ty  # Machado 2010, Eq. 21
    j11, j12 = cross(ax, ay, sx, sy), cross(tx, ty, bx, by)
    j21, j22 = tx * tx + ty * ty + dx * ax + dy * ay, -(sx * tx + sy * ty)
    return along, offset, j11, j12, j21, j22


@kernel
def is_pinned(curves: Curves, c: int, asked: float, got: float) -> bool:
    """Whether a parameter was held back by the end of an open curve."""
    return curves.link[c, CLOSED] == 0 and asked != got


@kernel
def parallel_or_none(curves: Curves, ci: int, cj: int, pose: Pose, ui: float, uj: float) -> Root:
    """A vanishing Jacobian: curves side by side where they face each other at the guess, else nothing."""
    first, second = placed_point(curves, ci, ui, pose), curve_point(curves, cj, uj)
    x, y, tx, ty, _, _ = first
    qx, qy, sx, sy, _, _ = second
    length_i, length_j = math.sqrt(tx * tx + ty * ty), math.sqrt(sx * sx + sy * sy)
    if abs(cross(tx, ty, sx, sy)) > 1e-9 * length_i * length_j:
        return no_root()
    nx, ny = curves.value[cj, SIDE] * sy / length_j, -curves.value[cj, SIDE] * sx / length_j
    mx, my = curves.value[ci, SIDE] * ty / length_i, -curves.value[ci, SIDE] * tx / length_i
    if nx * mx + ny * my > 0.0:
        return no_root()
    gap = (x - qx) * nx + (y - qy) * ny
    return PARALLEL, ui, uj, gap, nx, ny, x, y, qx, qy, 0.0, 0.0


@kernel
def checked_root(
    first: Jet,
    second: Jet,
    side_i: float,
    side_j: float,
    ui: float,
    uj: float,
    size: float,
) -> Root:
    """The root at two facing points, or none where they are not the closest pair of their neighbourhood."""
    x, y, tx, ty, ax, ay = first
    qx, qy, sx, sy, bx, by = second
    length_i, length_j = math.sqrt(tx * tx + ty * ty), math.sqrt(sx * sx + sy * sy)
    mx, my = side_i * ty / length_i, -side_i * tx / length_i  # Machado 2010, Eq. 18
    nx, ny = side_j * sy / length_j, -side_j * sx / length_j  # Machado 2010, Eq. 19
    gap = (x - qx) * nx + (y - qy) * ny  # Machado 2010, Eq. 23
    ki = side_i * cross(tx, ty, ax, ay) / (length_i * length_i * length_i)
    kj = side_j * cross(sx, sy, bx, by) / (length_j * length_j * length_j)
    approach = ki + kj + gap * ki * kj
    if mx * nx + my * ny >= 0.0 or (1.0 + gap * ki <= 0.0 and 1.0 + gap * kj <= 0.0):
        return no_root()
    if abs(approach) * size < PARALLEL_CURVATURE:
        return PARALLEL, ui, uj, gap, nx, ny, x, y, qx, qy, ki, kj
    if approach < 0.0:
        return no_root()
    return SMOOTH, ui, uj, gap, nx, ny, x, y, qx, qy, ki, kj


@kernel
def nearest_to_point(
    curves: Curves, c: int, pose: Pose, ex: float, ey: float, u: float, size: float
) -> tuple[bool, float]:
    """Parameter of the point of a placed curve nearest to a fixed point, by Newton's method from a guess."""
    pinned = 0
    for _ in range(MAX_ITERATIONS):
        x, y, tx, ty, ax, ay = placed_point(curves, c, u, pose)
        dx, dy = x - ex, y - ey
        speed2 = tx * tx + ty * ty
        slope = speed2 + dx * ax + dy * ay
        # Away from a minimum a gradient step of the same scale still leads down.
        du = -(dx * tx + dy * ty) / (slope if slope > 0.1 * speed2 else speed2)
        step = abs(du) * math.sqrt(speed2)
        if step < 1e-13 * size:
            return True, u
        if not step < math.inf:
            return False, u
        if step > 0.25 * size:
            du *= 0.25 * size / step
        moved = wrapped_parameter(curves, c, u + du)
        pinned = pinned + 1 if is_pinned(curves, c, u + du, moved) else 0
        u = moved
        if pinned >= 2:
            return False, u
    return False, u


@kernel
def root_at_end_of_second(
    curves: Curves, ci: int, cj: int, pose: Pose, ui: float, uj: float, size: float
) -> Root:
    """An end point of the second curve against the smooth first curve; the first curve's normal is the contact's."""
    ex, ey, sx, sy, _, _ = curve_point(curves, cj, uj)
    found, ui = nearest_to_point(curves, ci, pose, ex, ey, ui, size)
    if not found:
        return no_root()
    x, y, tx, ty, ax, ay = placed_point(curves, ci, ui, pose)
    length = math.sqrt(tx * tx + ty * ty)
    side = curves.value[ci, SIDE]
    nx, ny = -side * ty / length, side * tx / length
    gap = (x - ex) * nx + (y - ey) * ny
    ki = side * cross(tx, ty, ax, ay) / (length * length * length)
    if not end_is_exposed(curves, cj, uj, nx, ny, sx, sy) or 1.0 + gap * ki <= 0.0:
        return no_root()
    return END_OF_SECOND, ui, uj, gap, nx, ny, x, y, ex, ey, ki, 0.0


@kernel
def root_at_end_of_first(
    curves: Curves, ci: int, cj: int, pose: Pose, ui: float, uj: float, size: float
) -> Root:
    """An end point of the first curve against the smooth second curve."""
    ex, ey, tx, ty, _, _ = placed_point(curves, ci, ui, pose)
    found, uj = nearest_to_point(curves, cj, (0.0, 0.0, 1.0, 0.0), ex, ey, uj, size)
    if not found:
        return no_root()
    qx, qy, sx, sy, bx, by = curve_point(curves, cj, uj)
    length = math.sqrt(sx * sx + sy * sy)
    side = curves.value[cj, SIDE]
    nx, ny = side * sy / length, -side * sx / length
    gap = (ex - qx) * nx + (ey - qy) * ny
    kj = side * cross(sx, sy, bx, by) / (length * length * length)
    if not end_is_exposed(curves, ci, ui, -nx, -ny, tx, ty) or 1.0 + gap * kj <= 0.0:
        return no_root()
    return END_OF_FIRST, ui, uj, gap, nx, ny, ex, ey, qx, qy, 0.0, kj


@kernel
def end_is_exposed(curves: Curves, c: int, u: float, nx: float, ny: float, tx: float, ty: float) -> bool:
    """Whether direction n leaves the material at a curve's end: between its outward normal and its outward tangent."""
    start, end = curves.value[c, START], curves.value[c, END]
    outward = 1.0 if end - u < u - start else -1.0
    beyond = outward * (nx * tx + ny * ty)
    above = curves.value[c, SIDE] * (nx * ty - ny * tx)
    return beyond >= 0.0 and above >= 0.0
