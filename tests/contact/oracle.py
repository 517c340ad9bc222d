"""Least signed gap of two outlines by brute force: dense samples of both, then ever finer ones about the best.

It shares nothing with the detection but the tables of spline coefficients: no Newton, no normals' equations.
Curves are arrays of complex points. A gap is the distance of a point of the first curve from the second, negative
inside the second's material; its least value over all points of the first curve is what a contact's gap is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from condyle.geometry.curve import CIRCLE, LINE, POLAR, PlaneCurve

Array = NDArray[np.float64]
Plane = NDArray[np.complex128]


@dataclass(frozen=True)
class Found:
    """Least gap [m], unit normal out of the second curve, and the two facing points, in the second body's frame."""

    gap: float
    normal: complex
    first: complex
    second: complex


def points_and_normals(curve: PlaneCurve, u: Array) -> tuple[Plane, Plane]:
    """Points and outward unit normals at parameters, in the body's frame, shape (n,) each."""
    x0, y0, third, fourth = curve.shape
    turn: Plane = np.exp(1j * u)
    if curve.form == CIRCLE:
        return x0 + 1j * y0 + third * turn, curve.side * turn
    if curve.form == LINE:
        along = (third + 1j * fourth) * np.ones_like(turn)
        return x0 + 1j * y0 + u * along, -1j * curve.side * along
    k = np.clip(np.searchsorted(curve.breaks, u, side="right") - 1, 0, len(curve.coefficients) - 1)
    powers = (u - curve.breaks[k])[:, None] ** np.arange(4)
    slopes = np.arange(1, 4) * powers[:, :3]
    table = curve.coefficients[k]
    first, d_first = (powers * table[:, :4]).sum(1), (slopes * table[:, 1:4]).sum(1)
    if curve.form == POLAR:
        place, tangent = first * turn, (d_first + 1j * first) * turn
    else:
        place = first + 1j * (powers * table[:, 4:]).sum(1)
        tangent = d_first + 1j * (slopes * table[:, 5:8]).sum(1)
    return x0 + 1j * y0 + place, -1j * curve.side * tangent / np.abs(tangent)


def _gaps(points: Plane, second: Plane, side: float, ends: bool) -> tuple[Array, NDArray[np.int64]]:
    """Signed distance of each point to the polyline through samples of the second curve, and the nearest segment.

    Infinite for points that are nearest to an end of the polyline, if it has ends.
    """
    chord = np.diff(second)
    offset = points[:, None] - second[None, :-1]
    share = np.clip((offset * np.conj(chord)).real / np.abs(chord) ** 2, 0.0, 1.0)
    offset -= share * chord
    distance = np.abs(offset)
    nearest = distance.argmin(axis=1)
    rows = np.arange(len(points))
    above = side * (offset[rows, nearest] * np.conj(-1j * chord[nearest])).real
    gaps = np.copysign(distance[rows, nearest], above)
    if ends:
        foot = nearest + share[rows, nearest]
        gaps[(foot == 0.0) | (foot == len(chord))] = np.inf
    return gaps, nearest


def _window(curve: PlaneCurve, middle: float, half: float, count: int) -> Array:
    """Parameters about a middle: round the seam of a closed curve, up to the ends of an open one."""
    u = np.linspace(middle - half, middle + half, count)
    start, end = curve.breaks[0], curve.breaks[-1]
    if curve.closed:
        return np.asarray(start + np.mod(u - start, end - start))
    return np.linspace(max(u[0], start), min(u[-1], end), count)


def least_gap(first: PlaneCurve, second: PlaneCurve, place: complex, angle: float, count: int = 500) -> Found:
    """The least gap with the first curve's body at a place [m] and an angle [rad] in the second's frame."""
    turn = np.exp(1j * angle)
    u, v = (np.linspace(c.breaks[0], c.breaks[-1], count) for c in (first, second))
    points = points_and_normals(first, u)[0]
    on_second = points_and_normals(second, v)[0]
    gaps, nearest = _gaps(place + turn * points, on_second, second.side, not second.closed)
    # Samples within the error of the first look may all hide the least.
    spacing = max(np.abs(np.diff(points)).max(), np.abs(np.diff(on_second)).max())
    lowest = (gaps <= np.roll(gaps, 1)) & (gaps <= np.roll(gaps, -1)) & (gaps <= gaps.min() + spacing)
    lowest[gaps.argmin()] = True
    half = (2.0 * (u[1] - u[0]), 2.0 * (v[1] - v[0]))
    starts = [(u[k], v[nearest[k]]) for k in np.flatnonzero(lowest)]
    return min((_refined(first, second, place, turn, at, half) for at in starts), key=lambda found: found.gap)


def _refined(
    first: PlaneCurve,
    second: PlaneCurve,
    place: complex,
    turn: complex,
    at: tuple[float, float],
    half: tuple[float, float],
) -> Found:
    """The least gap about a pair of parameters, on samples that close in on it."""
    for _ in range(9):
        u, v = _window(first, at[0], half[0], 61), _window(second, at[1], half[1], 121)
        points = place + turn * points_and_normals(first, u)[0]
        on_second, normals = points_and_normals(second, v)
        gaps, nearest = _gaps(points, on_second, second.side, ends=True)
        k = int(gaps.argmin())
        at, half = (u[k], v[nearest[k]]), (half[0] / 5.0, half[1] / 5.0)
    return Found(float(gaps[k]), complex(normals[nearest[k]]), points[k], on_second[nearest[k]])
