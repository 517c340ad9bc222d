"""The global search: all roots of a pair, from samples of both curves, without a guess."""

from __future__ import annotations

import math

import numpy as np

from condyle._jit import allocating_kernel, kernel
from condyle.contact.roots import (
    NONE,
    Pose,
    Root,
    facing_root,
    nearest_to_point,
    placed_point,
    root_at_end_of_first,
    root_at_end_of_second,
)
from condyle.geometry.curve import (
    AT,
    CLOSED,
    END,
    FIRST_SAMPLE,
    LAST_SAMPLE,
    OUT_X,
    OUT_Y,
    PLACE_X,
    PLACE_Y,
    START,
    Curves,
    curve_normal,
    curve_point,
    wrapped_parameter,
)
from condyle.mechanics.system import Array

# More roots than these are not told apart; they would be ripples of a noisy outline.
MAX_ROOTS = 16
# Distances below this part of the size are taken to the curve itself, and those below the second part at so many
# places for each sample: there even shallow dents must not hide the root between them.
NEAR_BY, TOUCHABLE, FINE = 0.1, 0.02, 4


@kernel
def fill_signed_distances(
    curves: Curves, ci: int, cj: int, pose: Pose, size: float, at: Array, distance: Array, foot: Array
) -> None:
    """Write, for each sample of the first curve, its signed distance to the second and the parameter nearest to it.

    Negative inside the second curve's material. Far off, that is to the nearest sample; near by, to the curve.
    """
    px, py, cos, sin = pose
    begin = curves.link[ci, FIRST_SAMPLE]
    begin_j, end_j = curves.link[cj, FIRST_SAMPLE], curves.link[cj, LAST_SAMPLE] + 1
    for k in range(begin, curves.link[ci, LAST_SAMPLE] + 1):
        lx, ly = curves.sample[k, PLACE_X], curves.sample[k, PLACE_Y]
        x, y = px + cos * lx - sin * ly, py + sin * lx + cos * ly
        best, best_m = math.inf, begin_j
        for m in range(begin_j, end_j):
            dx, dy = x - curves.sample[m, PLACE_X], y - curves.sample[m, PLACE_Y]
            square = dx * dx + dy * dy
            if square < best:
                best, best_m = square, m
        dx, dy = x - curves.sample[best_m, PLACE_X], y - curves.sample[best_m, PLACE_Y]
        above = dx * curves.sample[best_m, OUT_X] + dy * curves.sample[best_m, OUT_Y]
        row = FINE * (k - begin)
        at[row], foot[row] = curves.sample[k, AT], curves.sample[best_m, AT]
        distance[row] = math.copysign(math.sqrt(best), above)
        other = best_m + 1 if best_m + 1 < end_j else best_m - 1
        dx = curves.sample[other, PLACE_X] - curves.sample[best_m, PLACE_X]
        dy = curves.sample[other, PLACE_Y] - curves.sample[best_m, PLACE_Y]
        if best < (NEAR_BY * size) ** 2 + dx * dx + dy * dy:
            distance[row], foot[row] = signed_distance(curves, ci, cj, pose, at[row], foot[row], size)


@kernel
def fill_between(
    curves: Curves, ci: int, cj: int, pose: Pose, size: float, at: Array, distance: Array, foot: Array
) -> None:
    """Write the same between the samples: looked up where they may touch, elsewhere a straight line."""
    for k in range(0, len(at) - 1, FINE):
        touchable = min(distance[k], distance[k + FINE]) < TOUCHABLE * size
        for m in range(k + 1, k + FINE):
            share = (m - k) / FINE
            at[m], foot[m] = at[k] + share * (at[k + FINE] - at[k]), foot[k]
            distance[m] = distance[k] + share * (distance[k + FINE] - distance[k])
            if touchable:
                distance[m], foot[m] = signed_distance(curves, ci, cj, pose, at[m], foot[m - 1], size)


@allocating_kernel
def all_roots(curves: Curves, ci: int, cj: int, pose: Pose, size: float, found: Array) -> int:
    """Write all roots of a pair, least gap first, as rows (mode, u_i, u_j, gap) of `found`; returns how many."""
    begin = curves.link[ci, FIRST_SAMPLE]
    count = FINE * (curves.link[ci, LAST_SAMPLE] - begin) + 1
    at, distance, foot = np.empty(count), np.empty(count), np.empty(count)
    fill_signed_distances(curves, ci, cj, pose, size, at, distance, foot)
    fill_between(curves, ci, cj, pose, size, at, distance, foot)
    n = 0
    for k in range(count):
        before = distance[k - 1] if k > 0 else (distance[count - 2] if curves.link[ci, CLOSED] else math.inf)
        after = distance[k + 1] if k < count - 1 else (distance[1] if curves.link[ci, CLOSED] else math.inf)
        if distance[k] <= before and distance[k] <= after:
            ui, uj = at[k], foot[k]
            root = facing_root(curves, ci, cj, pose, ui, uj, size)
            if root[0] == NONE:
                width = at[min(k + 1, count - 1)] - at[max(k - 1, 0)]
                ui, uj = sharper_guess(curves, ci, cj, pose, ui, uj, width, size)
                root = facing_root(curves, ci, cj, pose, ui, uj, size)
            n = kept_root(root, n, size, found, curves, ci, cj)
    if curves.link[cj, CLOSED] == 0:
        for m in (curves.link[cj, FIRST_SAMPLE], curves.link[cj, LAST_SAMPLE]):
            ex, ey = curves.sample[m, PLACE_X], curves.sample[m, PLACE_Y]
            ui = curves.sample[nearest_sample(curves, ci, pose, ex, ey), AT]
            uj = curves.sample[m, AT]
            n = kept_root(
                root_at_end_of_second(curves, ci, cj, pose, ui, uj, size), n, size, found, curves, ci, cj
            )
    if curves.link[ci, CLOSED] == 0:
        for k in (0, count - 1):
            ui, uj = at[k], foot[k]
            n = kept_root(
                root_at_end_of_first(curves, ci, cj, pose, ui, uj, size), n, size, found, curves, ci, cj
            )
    return n


@kernel
def sharper_guess(
    curves: Curves, ci: int, cj: int, pose: Pose, ui: float, uj: float, width: float, size: float
) -> tuple[float, float]:
    """Parameters of the least signed distance about a sample, by golden section.

    Where curvatures jump, or differ so little that the least is shallow, Newton's method needs a start this good.
    """
    low, high = ui - width, ui + width
    for _ in range(20):
        span = 0.618 * (high - low)
        left, at_left = signed_distance(
            curves, ci, cj, pose, wrapped_parameter(curves, ci, high - span), uj, size
        )
        right, at_right = signed_distance(
            curves, ci, cj, pose, wrapped_parameter(curves, ci, low + span), uj, size
        )
        if left < right:
            high, uj = low + span, at_left
        else:
            low, uj = high - span, at_right
    return wrapped_parameter(curves, ci, 0.5 * (low + high)), uj


@kernel
def signed_distance(
    curves: Curves, ci: int, cj: int, pose: Pose, ui: float, uj: float, size: float
) -> tuple[float, float]:
    """Distance of a point of the first curve from the second [m], negative in its material; the foot's parameter."""
    x, y, _, _, _, _ = placed_point(curves, ci, ui, pose)
    _, foot = nearest_to_point(curves, cj, (0.0, 0.0, 1.0, 0.0), x, y, uj, size)
    qx, qy, _, _, _, _ = curve_point(curves, cj, foot)
    nx, ny, _ = curve_normal(curves, cj, foot)
    return math.copysign(math.hypot(x - qx, y - qy), (x - qx) * nx + (y - qy) * ny), foot


@kernel
def nearest_sample(curves: Curves, c: int, pose: Pose, ex: float, ey: float) -> int:
    """Row of the placed curve's sample nearest to a point."""
    px, py, cos, sin = pose
    best, best_k = math.inf, curves.link[c, FIRST_SAMPLE]
    for k in range(curves.link[c, FIRST_SAMPLE], curves.link[c, LAST_SAMPLE] + 1):
        lx, ly = curves.sample[k, PLACE_X], curves.sample[k, PLACE_Y]
        dx, dy = px + cos * lx - sin * ly - ex, py + sin * lx + cos * ly - ey
        if dx * dx + dy * dy < best:
            best, best_k = dx * dx + dy * dy, k
    return best_k


@kernel
def kept_root(root: Root, n: int, size: float, found: Array, curves: Curves, ci: int, cj: int) -> int:
    """Enter a root into the sorted list unless it is none or already there; returns the new count."""
    mode, ui, uj, gap = root[0], root[1], root[2], root[3]
    if mode <= NONE:
        return n
    for k in range(n):
        near_i = parameter_distance(curves, ci, found[k, 1], ui)
        near_j = parameter_distance(curves, cj, found[k, 2], uj)
        if found[k, 0] == mode and near_i < 1e-6 and near_j < 1e-6 and abs(found[k, 3] - gap) < 1e-9 * size:
            return n
    place = min(n, MAX_ROOTS - 1)
    if n == MAX_ROOTS and gap >= found[place, 3]:
        return n
    while place > 0 and found[place - 1, 3] > gap:
        for column in range(4):
            found[place, column] = found[place - 1, column]
        place -= 1
    found[place, 0], found[place, 1], found[place, 2], found[place, 3] = mode, ui, uj, gap
    return min(n + 1, MAX_ROOTS)


@kernel
def parameter_distance(curves: Curves, c: int, u: float, v: float) -> float:
    """Distance of two parameters in parts of the curve's range, around the seam of a closed one."""
    part = abs(u - v) / (curves.value[c, END] - curves.value[c, START])
    return min(part, 1.0 - part) if curves.link[c, CLOSED] else part
