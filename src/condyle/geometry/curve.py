"""A plane curve as data, and the kernels that evaluate it.

A curve is a table of cubic pieces in one parameter `u`, in polar form (Machado 2010, Eqs. 1-8) or as two coordinate
functions, or an exact circle or line. The outward normal is the tangent turned clockwise (Machado 2010, Eqs. 18-19)
when `side` is +1 and counter-clockwise when it is -1: convex or hollow, closed or open, normals always point out of
the material.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from condyle._jit import kernel

POLAR, PLAIN, CIRCLE, LINE = 0, 1, 2, 3

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class PlaneCurve:
    """One outline in its body's frame.

    Parameters
    ----------
    form : POLAR, PLAIN, CIRCLE or LINE.
    breaks : parameter values between the pieces, increasing, shape (n_piece + 1,); polar and circle [rad], else [m].
    coefficients : ascending powers of (u - breaks[k]) [m], shape (n_piece, 8): s or x in [:4], y in [4:].
    closed : the parameter wraps around.
    side : +1 or -1, see the module.
    shape : CIRCLE: centre x, y and radius [m]; LINE: first point x, y [m] and unit direction x, y; others: how far
        the whole curve is shifted, x, y [m].
    """

    form: int
    breaks: Array
    coefficients: Array
    closed: bool
    side: float
    shape: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)


# Columns of `Curves.link`, `Curves.value`, `Curves.piece` and `Curves.sample`.
FORM, FIRST, LAST, CLOSED, FIRST_SAMPLE, LAST_SAMPLE = 0, 1, 2, 3, 4, 5
SIDE, SHAPE, START, END = 0, 1, 5, 6
BREAK, X, Y = 0, 1, 5
AT, PLACE_X, PLACE_Y, OUT_X, OUT_Y = 0, 1, 2, 3, 4


class Curves(NamedTuple):
    """All curves of a model, a row each: `link` (n, 6), `value` (n, 7), with their pieces and samples end to end.

    A row of `piece` (m, 9) holds the break it starts at and eight coefficients; a row for the last break closes each
    curve. A row of `sample` (k, 5) holds parameter, point and outward normal, for searches without a guess. Few
    arrays, because every array that goes into a kernel costs compile time and call time.
    """

    link: Integers
    value: Array
    piece: Array
    sample: Array


def curve_table(curves: list[PlaneCurve], samples: int = 128) -> Curves:
    """Curves joined into the blocks that kernels read, each with at least so many sample points."""
    parameters = [sample_parameters(curve, samples) for curve in curves]
    breaks = np.cumsum([0, *(len(curve.breaks) for curve in curves)])
    points = np.cumsum([0, *(len(parameter) for parameter in parameters)])
    index = [
        [c.form, breaks[k], breaks[k + 1] - 1, c.closed, points[k], points[k + 1] - 1]
        for k, c in enumerate(curves)
    ]
    value = [[c.side, *c.shape, c.breaks[0], c.breaks[-1]] for c in curves]
    pieces = [np.column_stack([c.breaks, np.vstack([c.coefficients, c.coefficients[-1:]])]) for c in curves]
    table = _frozen(
        np.array(index, dtype=np.int64).reshape(-1, 6),
        np.array(value, dtype=float).reshape(-1, 7),
        np.vstack(pieces) if pieces else np.zeros((0, 9)),
        np.zeros((0, 5)),
    )
    sample = np.full((points[-1], 5), np.nan)
    for k, parameter in enumerate(parameters):
        sample[points[k] : points[k + 1], AT] = parameter
        fill_samples(table, k, sample)
    return _frozen(table.link, table.value, table.piece, sample)


def _frozen(index: Integers, value: Array, piece: Array, sample: Array) -> Curves:
    """Read-only blocks: kernels are compiled once, for these."""
    for array in (index, value, piece, sample):
        array.setflags(write=False)
    return Curves(index, value, piece, sample)


@kernel
def wrapped_parameter(curves: Curves, c: int, u: float) -> float:
    """Parameter brought into the curve's range: modulo a turn when closed, clamped at the ends when open."""
    start, end = curves.value[c, START], curves.value[c, END]
    if start <= u <= end:
        return u
    if curves.link[c, CLOSED]:
        period = end - start
        return u - period * math.floor((u - start) / period)
    return min(max(u, start), end)


@kernel
def piece_row(curves: Curves, c: int, u: float) -> int:
    """Row of the piece that holds `u`: a guess as if breaks were uniform, then bisection where the guess fails."""
    low, high = curves.link[c, FIRST], curves.link[c, LAST] - 1
    start, end = curves.value[c, START], curves.value[c, END]
    k = low + int((u - start) / (end - start) * (high - low + 1))
    k = min(max(k, low), high)
    if curves.piece[k, BREAK] <= u <= curves.piece[k + 1, BREAK]:
        return k
    while low < high:
        k = (low + high) // 2
        if u > curves.piece[k + 1, BREAK]:
            low = k + 1
        else:
            high = k
    return low


@kernel
def cubic(piece: Array, k: int, column: int, w: float) -> tuple[float, float, float]:
    """Value, first and second derivative of one cubic piece (Machado 2010, Eqs. 1-6)."""
    a0, a1, a2, a3 = piece[k, column], piece[k, column + 1], piece[k, column + 2], piece[k, column + 3]
    return a0 + w * (a1 + w * (a2 + w * a3)), a1 + w * (2.0 * a2 + 3.0 * w * a3), 2.0 * a2 + 6.0 * w * a3


@kernel
def curve_point(curves: Curves, c: int, u: float) -> tuple[float, float, float, float, float, float]:
    """Point, first and second derivative with respect to `u`, as (x, y, x', y', x'', y'') in the body's frame.

    Polar form: x = s cos u, y = s sin u (Machado 2010, Eqs. 7-8). `u` must lie in the curve's range.
    """
    form, value = curves.link[c, FORM], curves.value
    x0, y0 = value[c, SHAPE], value[c, SHAPE + 1]
    if form == CIRCLE:
        radius = value[c, SHAPE + 2]
        x, y = radius * math.cos(u), radius * math.sin(u)
        return x0 + x, y0 + y, -y, x, -x, -y
    if form == LINE:
        tx, ty = value[c, SHAPE + 2], value[c, SHAPE + 3]
        return x0 + u * tx, y0 + u * ty, tx, ty, 0.0, 0.0
    k = piece_row(curves, c, u)
    w = u - curves.piece[k, BREAK]
    s, ds, dds = cubic(curves.piece, k, X, w)
    if form == PLAIN:
        y, dy, ddy = cubic(curves.piece, k, Y, w)
        return x0 + s, y0 + y, ds, dy, dds, ddy
    cos, sin = math.cos(u), math.sin(u)
    return (
        x0 + s * cos,  # Machado 2010, Eq. 7
        y0 + s * sin,  # Machado 2010, Eq. 8
        ds * cos - s * sin,  # Machado 2010, Eq. 16
        ds * sin + s * cos,
        (dds - s) * cos - 2.0 * ds * sin,
        (dds - s) * sin + 2.0 * ds * cos,
    )


@kernel
def curve_normal(curves: Curves, c: int, u: float) -> tuple[float, float, float]:
    """Outward unit normal and curvature [1/m] (positive where the material is convex) (Machado 2010, Eqs. 18-19)."""
    _, _, dx, dy, ddx, ddy = curve_point(curves, c, u)
    speed = math.sqrt(dx * dx + dy * dy)
    side = curves.value[c, SIDE]
    return side * dy / speed, -side * dx / speed, side * (dx * ddy - dy * ddx) / (speed * speed * speed)


@kernel
def fill_samples(curves: Curves, c: int, sample: Array) -> None:
    """Write points and outward normals at the parameters of a curve's samples."""
    for k in range(curves.link[c, FIRST_SAMPLE], curves.link[c, LAST_SAMPLE] + 1):
        x, y, _, _, _, _ = curve_point(curves, c, sample[k, AT])
        nx, ny, _ = curve_normal(curves, c, sample[k, AT])
        sample[k, PLACE_X], sample[k, PLACE_Y], sample[k, OUT_X], sample[k, OUT_Y] = x, y, nx, ny


def sample_parameters(curve: PlaneCurve, count: int) -> Array:
    """At least `count` parameters, evenly spaced inside every piece, both ends included, shape (n,)."""
    share = -(-count // (len(curve.breaks) - 1))
    inner = np.arange(share) / share
    return np.append(
        (curve.breaks[:-1, None] + inner * np.diff(curve.breaks)[:, None]).ravel(), curve.breaks[-1]
    )


def sampled(curve: PlaneCurve, count: int) -> Array:
    """Parameter, point and outward normal at `count` or more places along a curve, shape (n, 5)."""
    return curve_table([curve], count).sample


def circle_curve(centre: tuple[float, float], radius: float, hollow: bool = False) -> PlaneCurve:
    """Exact circle; `hollow` puts the material outside, as in a bearing."""
    breaks = np.array([-math.pi, math.pi])
    side = -1.0 if hollow else 1.0
    return PlaneCurve(CIRCLE, breaks, np.zeros((1, 8)), closed=True, side=side, shape=(*centre, radius, 0.0))


def line_curve(start: tuple[float, float], end: tuple[float, float], side: float) -> PlaneCurve:
    """Exact straight line from `start` to `end`."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    breaks = np.array([0.0, length])
    return PlaneCurve(
        LINE, breaks, np.zeros((1, 8)), closed=False, side=side, shape=(*start, dx / length, dy / length)
    )


def shifted(curve: PlaneCurve, dx: float, dy: float) -> PlaneCurve:
    """The same curve, moved by dx, dy [m] without turning."""
    x, y, third, fourth = curve.shape
    return replace(curve, shape=(x + dx, y + dy, third, fourth))
