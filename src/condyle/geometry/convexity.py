"""Curvature along an outline, and whether the outline is convex as a body."""

from __future__ import annotations

import numpy as np

from condyle.geometry.curve import CIRCLE, LINE, POLAR, PlaneCurve
from condyle.geometry.piecewise import Array, cubic_values


def curvature_samples(curve: PlaneCurve, per_piece: int = 17) -> tuple[Array, Array]:
    """Parameters and curvature [1/m], positive where convex, each of shape (n_piece, per_piece).

    Evenly spaced in every piece with both its ends, so that at a break where the curvature jumps both values
    are there. Polar: (s^2 + 2 s'^2 - s s'') / (s^2 + s'^2)^(3/2); plain: (x' y'' - y' x'') / (x'^2 +
    y'^2)^(3/2); times the side.
    """
    offset = np.diff(curve.breaks)[:, None] * np.linspace(0.0, 1.0, per_piece)
    parameter = curve.breaks[:-1, None] + offset
    if curve.form in (CIRCLE, LINE):
        radius = curve.shape[2] if curve.form == CIRCLE else np.inf
        value = 1.0 / radius if radius > 0.0 else np.inf
        return parameter, np.full(parameter.shape, curve.side * value)
    first = [cubic_values(curve.coefficients[:, None, :4], offset, order) for order in range(3)]
    if curve.form == POLAR:
        s, ds, dds = first
        return parameter, curve.side * (s * s + 2.0 * ds * ds - s * dds) / np.hypot(s, ds) ** 3
    second = [cubic_values(curve.coefficients[:, None, 4:], offset, order) for order in range(3)]
    turning = first[1] * second[2] - second[1] * first[2]
    return parameter, curve.side * turning / np.hypot(first[1], second[1]) ** 3


def outline_is_convex(curve: PlaneCurve, tolerance: float = 1e-6) -> bool:
    """Whether no sampled curvature is negative beyond `tolerance` divided by the outline's size.

    This is convexity of the body, which a convex or concave s(theta) neither needs nor gives (Machado 2010,
    Section 3: the straight line between two points of the outline stays inside). Corners cannot occur: every
    spline is C1.
    """
    _, curvature = curvature_samples(curve)
    if curve.form == CIRCLE:
        return curve.side > 0.0
    return bool(np.min(curvature) * _size(curve) >= -tolerance)


def _size(curve: PlaneCurve) -> float:
    """Diagonal of the box around the breaks [m], or the length of a line."""
    if curve.form == LINE:
        return float(curve.breaks[-1])
    width = np.diff(curve.breaks)
    first = np.append(curve.coefficients[:, 0], cubic_values(curve.coefficients[-1, :4], width[-1]))
    if curve.form == POLAR:
        x, y = first * np.cos(curve.breaks), first * np.sin(curve.breaks)
    else:
        x, y = first, np.append(curve.coefficients[:, 4], cubic_values(curve.coefficients[-1, 4:], width[-1]))
    return float(np.hypot(np.ptp(x), np.ptp(y)))
