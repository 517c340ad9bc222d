"""Points become curves: one interpolant family, in polar form about the body's origin or as a plain curve.

Four kinds. `cubic` has continuous second derivatives; `akima`, `pchip` and `shape-preserving` only first ones
(the last one has continuous second derivatives inside stretches of strictly convex or concave data).
`shape-preserving` keeps convexity (`convex_spline`), `pchip` keeps monotonicity and knows nothing of
convexity.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import Akima1DInterpolator, CubicSpline, PchipInterpolator, PPoly

from condyle.geometry.checks import checked_points, extent
from condyle.geometry.convex_spline import convex_spline
from condyle.geometry.curve import PLAIN, POLAR, PlaneCurve, line_curve
from condyle.geometry.outline_error import OutlineError
from condyle.geometry.piecewise import Array, Piecewise, cubic_values, straight_piece
from condyle.geometry.polar import polar_coordinates

KINDS = ("cubic", "akima", "shape-preserving", "pchip")

# A curve parametrised by chord length that is slower than this has a cusp, and no normal there.
SLOWEST = 1e-3

# Akima's slope at a point needs two points on either side, pchip's one.
_WRAP = 3


def interpolate(parameter: ArrayLike, values: ArrayLike, kind: str, periodic: bool = False) -> Piecewise:
    """Cubic pieces through (parameter, values), both of shape (n + 1,), the parameter increasing.

    cubic: not-a-knot at open ends, periodic otherwise. akima: Akima1970, pchip: Fritsch1980, both as SciPy
    builds them, given wrapped points when periodic. shape-preserving: `convex_spline`. Two points make a
    straight line. When periodic, the last point is the first one a period later.
    """
    x, y = np.asarray(parameter, dtype=float), np.asarray(values, dtype=float)
    if kind not in KINDS:
        raise OutlineError(f"no interpolation {kind!r}; there are {', '.join(KINDS)}")
    if periodic and (len(x) < 4 or y[0] != y[-1]):
        raise OutlineError(
            "a periodic spline needs 3 different points, and the first value again as the last one"
        )
    if len(x) == 2:
        return straight_piece(x[0], x[1], y[0], y[1])
    if kind == "shape-preserving":
        return convex_spline(x, y, periodic)
    if kind == "cubic":
        return _ascending(CubicSpline(x, y, bc_type="periodic" if periodic else "not-a-knot"))
    method = Akima1DInterpolator if kind == "akima" else PchipInterpolator
    if not periodic:
        return _ascending(method(x, y))
    pieces = _ascending(method(*_wrapped(x, y)))
    return Piecewise(x, pieces.coefficients[_WRAP:-_WRAP])


def _ascending(polynomial: PPoly) -> Piecewise:
    return Piecewise(np.array(polynomial.x), np.ascontiguousarray(polynomial.c[::-1].T))


def _wrapped(x: Array, y: Array) -> tuple[Array, Array]:
    """One period with a few more points before and after it."""
    count = len(x) - 1
    index = np.arange(-_WRAP, count + 1 + _WRAP)
    turns = index // count
    # Inside the period the parameters stay as they are, to the bit.
    parameter = np.where(
        (turns == 0) | (index == count),
        x[np.clip(index, 0, count)],
        x[index % count] + turns * (x[-1] - x[0]),
    )
    return parameter, y[index % count]


def polar_curve(points: ArrayLike, kind: str, closed: bool, side: float = 1.0) -> PlaneCurve:
    """Outline s(theta) about the body's origin, theta increasing (Machado 2010, Eqs. 1-8).

    Points [m], shape (n, 2), in order and seen from the origin once around; two of them make an exact line.
    `side` is +1 for material on the origin's side, -1 for a bearing around it. A closed curve begins at its
    smallest angle in [-pi, pi), whichever point was listed first.

    The shape-preserving kind keeps the convexity of s(theta), as the paper has it, not that of the outline:
    see `convexity.outline_is_convex`.
    """
    outline = checked_points(points, closed)
    angle, radius = polar_coordinates(outline, closed)
    if len(outline) == 2:
        (x0, y0), (x1, y1) = outline.tolist()
        rising = x0 * y1 - y0 * x1 > 0.0
        return line_curve((x0, y0), (x1, y1), side) if rising else line_curve((x1, y1), (x0, y0), side)
    pieces = interpolate(angle, radius, kind, closed)
    _refuse_origin(pieces)
    coefficients = np.hstack([pieces.coefficients, np.zeros_like(pieces.coefficients)])
    return PlaneCurve(POLAR, pieces.breaks, coefficients, closed, side)


def _refuse_origin(pieces: Piecewise) -> None:
    """A spline through positive radii may still dip below zero between them."""
    _, c1, c2, c3 = pieces.coefficients.T
    width = np.diff(pieces.breaks)
    # Where s' = 0: both roots, without the cancellation of the school formula, clipped to the piece.
    with np.errstate(invalid="ignore", divide="ignore"):
        root = -(c2 + np.copysign(np.sqrt(np.maximum(c2 * c2 - 3.0 * c1 * c3, 0.0)), c2))
        places = np.stack([np.zeros_like(width), width, root / (3.0 * c3), c1 / root])
    places = np.clip(np.nan_to_num(places, nan=0.0, posinf=0.0, neginf=0.0), 0.0, width)
    lowest = cubic_values(pieces.coefficients, places).min(axis=0)
    if lowest.min() <= 0.0:
        where = math.degrees(pieces.breaks[int(np.argmin(lowest))])
        raise OutlineError(
            f"the spline runs through the body's origin near {where:.1f} deg: "
            "give more points there, or use form: plain"
        )


def plain_curve(points: ArrayLike, kind: str, closed: bool, side: float) -> PlaneCurve:
    """Outline (x(u), y(u)) in the order of the points [m], shape (n, 2), for flat or open ones.

    u is the cumulative chord length [m]. The shape-preserving kind is a function over the line from the first
    point to the last one (u runs along it), because convexity is a property of graphs; it is refused where the
    outline is none. Two points make an exact line.

    Akima and pchip are not linear in the values, so that splines of two coordinates depend on the axes. An open
    outline takes its axes from its own ends and turns with the body; a closed one takes the body's.
    """
    outline = checked_points(points, closed)
    if len(outline) == 2:
        (x0, y0), (x1, y1) = outline.tolist()
        return line_curve((x0, y0), (x1, y1), side)
    cos, sin = _axis(outline, closed)
    offset = outline - outline[0]
    along, across = offset @ (cos, sin), offset @ (-sin, cos)
    if kind == "shape-preserving":
        _refuse_no_graph(along, closed)
        across[-1] = 0.0
        height = interpolate(along, across, kind)
        position = np.zeros_like(height.coefficients)
        position[:, 0], position[:, 1] = height.breaks[:-1], 1.0
        pieces = Piecewise(height.breaks, position), height
    else:
        if closed:
            along, across = np.append(along, 0.0), np.append(across, 0.0)
        parameter = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(along), np.diff(across)))])
        pieces = interpolate(parameter, along, kind, closed), interpolate(parameter, across, kind, closed)
    a, b = pieces[0].coefficients, pieces[1].coefficients
    coefficients = np.hstack([cos * a - sin * b, sin * a + cos * b])
    coefficients[:, [0, 4]] += outline[0]
    curve = PlaneCurve(PLAIN, pieces[0].breaks, coefficients, closed, side)
    _refuse_cusps(curve, kind)
    return curve


def _axis(points: Array, closed: bool) -> tuple[float, float]:
    """Direction from the first point to the last, or the body's x where there is none."""
    chord = points[-1] - points[0]
    length = math.hypot(chord[0], chord[1])
    if closed or length <= 1e-6 * extent(points):
        return 1.0, 0.0
    return float(chord[0]) / length, float(chord[1]) / length


def _refuse_no_graph(along: Array, closed: bool) -> None:
    """The shape-preserving spline needs points that advance along the line between the ends."""
    remedy = "use interpolation: cubic or akima, or form: polar"
    if closed:
        raise OutlineError(f"a closed plain outline has no shape-preserving spline: {remedy}")
    back = np.diff(along) <= 1e-9 * np.ptp(along)
    if back.any():
        index = int(np.argmax(back)) + 1
        raise OutlineError(
            f"points[{index}] does not lie ahead of points[{index - 1}] along the line from the first point to "
            f"the last, which the shape-preserving spline of a plain outline needs: {remedy}",
            index,
        )


def _refuse_cusps(curve: PlaneCurve, kind: str) -> None:
    """Interpolating x and y apart can stop both at once, at a sharp corner (pchip does)."""
    offset = np.linspace(0.0, 1.0, 17)[:, None] * np.diff(curve.breaks)
    speed = np.hypot(
        cubic_values(curve.coefficients[:, :4], offset, 1), cubic_values(curve.coefficients[:, 4:], offset, 1)
    )
    slowest = np.unravel_index(np.argmin(speed), speed.shape)
    if speed[slowest] < SLOWEST:
        index = int(slowest[1] + (slowest[0] > 8))
        raise OutlineError(
            f"the {kind} spline has a cusp near points[{index}]: use another interpolation, or give more "
            "points at the corner",
            index,
        )
