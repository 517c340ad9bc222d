"""Contact detection over time: roots are followed from step to step, and searched for anew when that may miss one.

A pair whose outlines are both convex has one root; it is followed by Newton's method alone. Any other pair follows
several and searches again once the bodies have moved by a small part of their size since the last search, a smaller
one while they touch, or when a root leaves its neighbourhood. Circles and lines are found in closed form.
"""

from __future__ import annotations

import math

import numpy as np

from condyle._jit import allocating_kernel, inlined_kernel, kernel
from condyle.contact.roots import (
    END_OF_FIRST,
    END_OF_SECOND,
    NONE,
    PARALLEL,
    SMOOTH,
    Pose,
    Root,
    facing_root,
    no_root,
    root_at_end_of_first,
    root_at_end_of_second,
)
from condyle.contact.search import MAX_ROOTS, all_roots, kept_root, parameter_distance
from condyle.geometry.curve import END, SHAPE, SIDE, Curves
from condyle.mechanics.system import COS, PX, PY, SIN, Array, Integers, Model

# How a pair is detected.
GENERAL, CIRCLE_CIRCLE, CIRCLE_LINE, LINE_CIRCLE = 0, 1, 2, 3
# A pair's row, in `link`: curves, bodies, its rows of roots and spots, how it is detected, whether it is convex.
CURVE_I, CURVE_J, BODY_I, BODY_J, FIRST_ROOT, N_ROOT, FIRST_SPOT, N_SPOT, METHOD, CONVEX = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
)
# Behind the columns of forces: whether the second curve is sampled more finely than the first.
SECOND_IS_FINER = 14
# In `value`: size of the smaller outline [m].
SIZE = 0
# In `work` and `memory`: searched yet, relative pose at the search [m, rad], and what to tell about it.
SEARCHED, AT_X, AT_Y, AT_ANGLE, REMARK = 0, 1, 2, 3, 4
# Remarks: nothing; two spots tie; curves touch side by side.
CLEAR, TIED, SIDE_BY_SIDE = 0.0, 1.0, 2.0
# A root's row, in `work` and `memory`, in the order of `Root`; then whose it is: row of the spot that stands for it,
# less than zero where that spot's overlap has a deeper root; the pair's row less than zero where it is not counted;
# zero where nobody's, and NEW until a state with it has been accepted.
MODE, U_FIRST, U_SECOND, GAP, NORMAL_X, NORMAL_Y = 0, 1, 2, 3, 4, 5
ROOT_I, ROOT_J, CURVATURE_I, CURVATURE_J, LABEL = 6, 8, 10, 11, 12
N_ROOT_COLUMN, N_SEARCH_COLUMN = 13, 5
NEW = -1.0
# Stands in a root's row for the mode of one that is not found any more where it was, until the search.
LOST = -1
# A pair that is not known to be convex searches again after moving by this part of its size, apart and touching.
SEARCH_STRIDE, TOUCHING_STRIDE = 0.01, 0.001
# Roots further off than the nearest by this part of the size cannot touch before the next search.
FOLLOWED_WITHIN = 0.1
# A root within this part of both parameters' ranges may be one that was seen before.
SAME_ROOT = 0.02


@inlined_kernel
def relative_pose(work: Array, bi: int, bj: int) -> Pose:
    """Pose of body `bi` in the frame of body `bj`."""
    dx, dy = work[bi, PX] - work[bj, PX], work[bi, PY] - work[bj, PY]
    ci, si, cj, sj = work[bi, COS], work[bi, SIN], work[bj, COS], work[bj, SIN]
    return cj * dx + sj * dy, cj * dy - sj * dx, ci * cj + si * sj, si * cj - ci * sj


@inlined_kernel
def followed_root(model: Model, p: int, pose: Pose, r: int, work: Array) -> Root:
    """Root `r` of a pair, refined from where it was seen last."""
    ci, cj = model.link[p, CURVE_I], model.link[p, CURVE_J]
    method = model.link[p, METHOD]
    if method != GENERAL:
        root = closed_form_root(model.curves, ci, cj, pose, method)
        if root[0] != NONE:
            return root
    mode, ui, uj, size = int(work[r, MODE]), work[r, U_FIRST], work[r, U_SECOND], model.value[p, SIZE]
    if mode == END_OF_FIRST:
        return root_at_end_of_first(model.curves, ci, cj, pose, ui, uj, size)
    if mode == END_OF_SECOND:
        return root_at_end_of_second(model.curves, ci, cj, pose, ui, uj, size)
    if mode == NONE or method != GENERAL:
        return no_root()
    return facing_root(model.curves, ci, cj, pose, ui, uj, size)


@inlined_kernel
def fill_roots(model: Model, p: int, pose: Pose, work: Array) -> None:
    """Bring all followed roots of a pair up to date, by a global search where following is not enough."""
    first, count = model.link[p, FIRST_ROOT], model.link[p, N_ROOT]
    work[p, REMARK] = CLEAR
    convex = model.link[p, CONVEX] and work[first, MODE] == SMOOTH
    if model.link[p, METHOD] != GENERAL or convex:
        root = followed_root(model, p, pose, first, work)
        if root[0] != NONE:
            note_root(root, first, work)
            return
        if work[first, MODE] != NONE or has_moved(model, p, pose, SEARCH_STRIDE, work):
            work[first, MODE] = LOST
            search(model, p, pose, work)
        return
    stride, is_unsure = SEARCH_STRIDE, False
    for r in range(first, first + count):
        if work[r, MODE] == NONE:
            continue
        if work[r, GAP] < 0.0:
            stride = TOUCHING_STRIDE
        root = followed_root(model, p, pose, r, work)
        if root[0] == NONE:
            work[r, MODE], is_unsure = LOST, True
        else:
            is_unsure = is_unsure or is_shared(model, p, root, r, work)
            note_root(root, r, work)
    if is_unsure or has_moved(model, p, pose, stride, work):
        search(model, p, pose, work)


@inlined_kernel
def note_root(root: Root, r: int, work: Array) -> None:
    """Write a root into its row, where forces read it and the next refinement starts."""
    work[r, 0], work[r, 1], work[r, 2], work[r, 3] = root[0], root[1], root[2], root[3]
    work[r, 4], work[r, 5], work[r, 6], work[r, 7] = root[4], root[5], root[6], root[7]
    work[r, 8], work[r, 9], work[r, 10], work[r, 11] = root[8], root[9], root[10], root[11]


@inlined_kernel
def noted_root(r: int, work: Array) -> Root:
    """The root in a row; its mode is `LOST` where it has not been found again."""
    mode, ui, uj, gap, nx, ny = int(work[r, 0]), work[r, 1], work[r, 2], work[r, 3], work[r, 4], work[r, 5]
    return mode, ui, uj, gap, nx, ny, work[r, 6], work[r, 7], work[r, 8], work[r, 9], work[r, 10], work[r, 11]


@inlined_kernel
def has_moved(model: Model, p: int, pose: Pose, stride: float, work: Array) -> bool:
    """Whether a pair has moved by a part of its size since its last search: a root could have come up unseen."""
    if work[p, SEARCHED] == 0.0:
        return True
    turn = abs(math.atan2(pose[3], pose[2]) - work[p, AT_ANGLE])
    turn = min(turn, 2.0 * math.pi - turn)
    moved = math.hypot(pose[0] - work[p, AT_X], pose[1] - work[p, AT_Y]) + model.value[p, SIZE] * turn
    return moved > stride * model.value[p, SIZE]


@inlined_kernel
def is_shared(model: Model, p: int, root: Root, r: int, work: Array) -> bool:
    """Whether an earlier followed root of the pair has arrived at the same place."""
    for other in range(model.link[p, FIRST_ROOT], r):
        if work[other, MODE] == root[0] and apart(model, p, work, other, root[1], root[2]) < 1e-6:
            return True
    return False


@inlined_kernel
def apart(model: Model, p: int, work: Array, r: int, ui: float, uj: float) -> float:
    """How far a followed root is from these parameters, in parts of the curves' ranges."""
    ci, cj = model.link[p, CURVE_I], model.link[p, CURVE_J]
    along_i = parameter_distance(model.curves, ci, work[r, U_FIRST], ui)
    return max(along_i, parameter_distance(model.curves, cj, work[r, U_SECOND], uj))


@allocating_kernel
def search(model: Model, p: int, pose: Pose, work: Array) -> None:
    """Find all roots of a pair afresh; those followed so far keep their rows, new ones take the free rows by depth."""
    first, count, size = model.link[p, FIRST_ROOT], model.link[p, N_ROOT], model.value[p, SIZE]
    found = np.empty((MAX_ROOTS, 4))
    n = all_roots_of_pair(model, p, pose, found)
    ci, cj = model.link[p, CURVE_I], model.link[p, CURVE_J]
    for r in range(first, first + count):
        # What is followed is there, seen by the search or not.
        n = kept_root(noted_root(r, work), n, size, found, model.curves, ci, cj)
    n = min(n, count)
    while n > 1 and found[n - 1, 3] > max(found[0, 3], 0.0) + FOLLOWED_WITHIN * size:
        n -= 1
    root_of, taken = np.full(count, -1), np.zeros(n, dtype=np.int64)
    keep_rows(model, p, found, root_of, taken, work)
    free = 0
    for r in range(first, first + count):
        k = root_of[r - first]
        if k < 0:
            # A row whose root is gone may take one that nobody follows yet: the deepest. Else it keeps the place.
            while free < n and taken[free]:
                free += 1
            work[r, MODE], work[r, GAP] = NONE, math.inf
            k, free = free, free + 1
            if k >= n:
                continue
            work[r, LABEL] = NEW
        for column in range(4):
            work[r, column] = found[k, column]
        note_root(followed_root(model, p, pose, r, work), r, work)
    work[p, SEARCHED], work[p, AT_X], work[p, AT_Y] = 1.0, pose[0], pose[1]
    work[p, AT_ANGLE] = math.atan2(pose[3], pose[2])


@kernel
def all_roots_of_pair(model: Model, p: int, pose: Pose, found: Array) -> int:
    """`all_roots`, looked for along the more finely sampled of the two curves."""
    ci, cj = model.link[p, CURVE_I], model.link[p, CURVE_J]
    turned = model.link[p, SECOND_IS_FINER] != 0
    if turned:
        x, y, cos, sin = pose
        ci, cj, pose = cj, ci, (-cos * x - sin * y, sin * x - cos * y, cos, -sin)
    n = all_roots(model.curves, ci, cj, pose, model.value[p, SIZE], found)
    for k in range(n if turned else 0):
        found[k, 1], found[k, 2] = found[k, 2], found[k, 1]
        if found[k, 0] == END_OF_FIRST or found[k, 0] == END_OF_SECOND:
            found[k, 0] = END_OF_FIRST + END_OF_SECOND - found[k, 0]
    return n


@kernel
def keep_rows(model: Model, p: int, found: Array, root_of: Integers, taken: Integers, work: Array) -> None:
    """Write which found root each row has followed so far: one to one, the nearest two first."""
    first = model.link[p, FIRST_ROOT]
    for _ in range(len(root_of)):
        least, at_row, at_root = SAME_ROOT, -1, -1
        for row in range(len(root_of)):
            if work[first + row, MODE] == NONE or root_of[row] >= 0:
                continue
            for k in range(len(taken)):
                distance = apart(model, p, work, first + row, found[k, 1], found[k, 2])
                if work[first + row, LABEL] > 0.0:
                    distance -= 1e-6  # where two have become one, the one that bears the force
                if taken[k] == 0 and distance < least:
                    least, at_row, at_root = distance, row, k
        if at_row < 0:
            return
        root_of[at_row], taken[at_root] = at_root, 1


# Closed forms leave a circle's parameter at zero: nothing reads it.
@inlined_kernel
def closed_form_root(curves: Curves, ci: int, cj: int, pose: Pose, method: int) -> Root:
    """The root of a pair of circles, or of a circle and a line where it lies between the line's ends."""
    if method == CIRCLE_LINE:
        return circle_on_line(curves, ci, cj, pose)
    if method == LINE_CIRCLE:
        return line_on_circle(curves, ci, cj, pose)
    return circle_on_circle(curves, ci, cj, pose)


@inlined_kernel
def placed_centre(curves: Curves, c: int, pose: Pose) -> tuple[float, float]:
    """Centre of a circle, or first point of a line, carried into the second body's frame."""
    px, py, cos, sin = pose
    x, y = curves.value[c, SHAPE], curves.value[c, SHAPE + 1]
    return px + cos * x - sin * y, py + sin * x + cos * y


@inlined_kernel
def circle_on_line(curves: Curves, ci: int, cj: int, pose: Pose) -> Root:
    """A circle on the first body, a line on the second."""
    x, y = placed_centre(curves, ci, pose)
    radius, side_i, side_j = curves.value[ci, SHAPE + 2], curves.value[ci, SIDE], curves.value[cj, SIDE]
    ox, oy, tx, ty = (
        curves.value[cj, SHAPE],
        curves.value[cj, SHAPE + 1],
        curves.value[cj, SHAPE + 2],
        curves.value[cj, SHAPE + 3],
    )
    uj = (x - ox) * tx + (y - oy) * ty
    if side_i < 0.0 or uj < 0.0 or uj > curves.value[cj, END]:
        return no_root()
    nx, ny = side_j * ty, -side_j * tx
    height = (x - ox) * nx + (y - oy) * ny
    px, py = x - radius * nx, y - radius * ny
    qx, qy = x - height * nx, y - height * ny
    return SMOOTH, 0.0, uj, height - radius, nx, ny, px, py, qx, qy, 1.0 / radius, 0.0


@inlined_kernel
def line_on_circle(curves: Curves, ci: int, cj: int, pose: Pose) -> Root:
    """A line on the first body, a circle on the second: seen from the line, then turned round."""
    ox, oy = placed_centre(curves, ci, pose)
    tx = pose[2] * curves.value[ci, SHAPE + 2] - pose[3] * curves.value[ci, SHAPE + 3]
    ty = pose[3] * curves.value[ci, SHAPE + 2] + pose[2] * curves.value[ci, SHAPE + 3]
    x, y, radius = curves.value[cj, SHAPE], curves.value[cj, SHAPE + 1], curves.value[cj, SHAPE + 2]
    ui = (x - ox) * tx + (y - oy) * ty
    if curves.value[cj, SIDE] < 0.0 or ui < 0.0 or ui > curves.value[ci, END]:
        return no_root()
    mx, my = curves.value[ci, SIDE] * ty, -curves.value[ci, SIDE] * tx
    height = (x - ox) * mx + (y - oy) * my
    px, py = x - height * mx, y - height * my
    qx, qy = x - radius * mx, y - radius * my
    return SMOOTH, ui, 0.0, height - radius, -mx, -my, px, py, qx, qy, 0.0, 1.0 / radius


@inlined_kernel
def circle_on_circle(curves: Curves, ci: int, cj: int, pose: Pose) -> Root:
    """Two circles, one of which may be hollow: a journal in its bearing (Flores 2006)."""
    x, y = placed_centre(curves, ci, pose)
    ex, ey = x - curves.value[cj, SHAPE], y - curves.value[cj, SHAPE + 1]
    distance = math.sqrt(ex * ex + ey * ey)
    ri, rj = curves.value[ci, SHAPE + 2], curves.value[cj, SHAPE + 2]
    if (curves.value[ci, SIDE] < 0.0 and curves.value[cj, SIDE] < 0.0) or (
        distance == 0.0 and curves.value[ci, SIDE] * curves.value[cj, SIDE] > 0.0
    ):
        return no_root()
    # Concentric circles face each other all round; the direction is open, and free while they do not touch.
    wx, wy = (ex / distance, ey / distance) if distance > 0.0 else (1.0, 0.0)
    if curves.value[ci, SIDE] > 0.0 and curves.value[cj, SIDE] > 0.0:
        gap, nx, ny, out_i, out_j = distance - ri - rj, wx, wy, -1.0, 1.0
    elif curves.value[cj, SIDE] < 0.0:
        gap, nx, ny, out_i, out_j = rj - ri - distance, -wx, -wy, 1.0, 1.0
    else:
        gap, nx, ny, out_i, out_j = ri - rj - distance, -wx, -wy, -1.0, -1.0
    mode = PARALLEL if distance < 1e-12 * max(ri, rj) else SMOOTH
    px, py = x + out_i * ri * wx, y + out_i * ri * wy
    qx, qy = curves.value[cj, SHAPE] + out_j * rj * wx, curves.value[cj, SHAPE + 1] + out_j * rj * wy
    return (
        mode,
        0.0,
        0.0,
        gap,
        nx,
        ny,
        px,
        py,
        qx,
        qy,
        curves.value[ci, SIDE] / ri,
        curves.value[cj, SIDE] / rj,
    )
