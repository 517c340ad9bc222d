"""The four interpolants: orders, exactness, continuity, seams."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.interpolate import CubicSpline

from condyle.geometry.outline_error import OutlineError
from condyle.geometry.piecewise import Piecewise
from condyle.geometry.splines import KINDS, interpolate
from condyle.testing import assert_order
from geometry.piecewise_measures import Array, jumps, steepest

COUNTS = (32, 64, 128, 256)


def wave(x: Array) -> Array:
    """A smooth closed outline's radius [m], with inflections and unequal lobes."""
    return np.asarray(0.04 + 0.008 * np.cos(x) + 0.002 * np.sin(2.0 * x + 0.3))


def even(count: int) -> Array:
    return np.linspace(0.0, 1.0, count + 1)


def uneven(count: int) -> Array:
    """Widths alternating between 2/3 and 4/3 of the mean, whatever the count: the worst case of Akima and pchip."""
    widths = np.where(np.arange(count) % 2 == 0, 2.0, 4.0) / 3.0 / count
    return np.concatenate([[0.0], np.cumsum(widths)])


def error(
    kind: str, grid: Array, function: Callable[[Array], Array], periodic: bool, part: tuple[float, float]
) -> float:
    values = function(grid)
    if periodic:
        values[-1] = values[0]
    span = grid[-1] - grid[0]
    u = np.linspace(grid[0] + part[0] * span, grid[0] + part[1] * span, 8001)
    return float(np.max(np.abs(interpolate(grid, values, kind, periodic).at(u) - function(u))))


# Cubic, not-a-knot: order 4. Akima and pchip estimate slopes to second order on an even grid, so their values are of
# third order; on an uneven grid their slopes are of first order only and the values of second. At an extremum pchip
# makes the slope of the nearest point zero, a first-order error everywhere. The shape-preserving spline is the natural
# cubic where that is free to be, of order 4 away from the ends and 2 at them.
@pytest.mark.parametrize(
    ("kind", "grid", "part", "order"),
    [
        ("cubic", even, (0.0, 1.0), 4.0),
        ("cubic", uneven, (0.0, 1.0), 4.0),
        ("akima", even, (0.0, 1.0), 3.0),
        ("akima", uneven, (0.2, 0.8), 2.0),
        ("pchip", even, (0.0, 1.0), 3.0),
        ("pchip", uneven, (0.2, 0.8), 2.0),
        ("shape-preserving", even, (0.35, 0.65), 4.0),
        ("shape-preserving", even, (0.0, 1.0), 2.0),
    ],
)
def test_order_on_a_convex_monotone_function(
    kind: str, grid: Callable[[int], Array], part: tuple[float, float], order: float
) -> None:
    errors = [error(kind, grid(count), np.exp, False, part) for count in COUNTS]
    assert_order([1.0 / count for count in COUNTS], errors, order)


@pytest.mark.parametrize(
    ("kind", "order", "tolerance"),
    [("cubic", 4.0, 0.15), ("shape-preserving", 4.0, 0.15), ("akima", 3.0, 0.2), ("pchip", 2.0, 0.2)],
)
def test_order_on_a_closed_outline(kind: str, order: float, tolerance: float) -> None:
    # Extrema fall differently between the points for each count; the worst of several starts is a smooth sequence.
    counts = (32, 64, 128, 256, 512)
    starts = np.linspace(0.0, 1.0, 9)[:-1]
    errors = [
        max(error(kind, 2.0 * np.pi * (even(n) + s / n), wave, True, (0.0, 1.0)) for s in starts)
        for n in counts
    ]
    assert_order([1.0 / n for n in counts], errors, order, tolerance=tolerance, scale=0.04)


def test_cubic_is_third_order_in_slope_and_second_in_second_derivative() -> None:
    u = np.linspace(0.0, 1.0, 8001)[1:-1]
    for derivative, order in ((1, 3.0), (2, 2.0)):
        errors = [
            np.max(np.abs(interpolate(even(n), np.exp(even(n)), "cubic").at(u, derivative) - np.exp(u)))
            for n in COUNTS
        ]
        assert_order([1.0 / n for n in COUNTS], errors, order)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("periodic", [False, True])
def test_points_are_met_and_first_derivatives_continuous(kind: str, periodic: bool) -> None:
    rng = np.random.default_rng(1)
    x = np.concatenate([[0.3], 0.3 + np.cumsum(rng.uniform(0.02, 0.3, 60))])
    y = wave(2.0 * np.pi * (x - x[0]) / (x[-1] - x[0])) + rng.uniform(-1e-4, 1e-4, 61)
    y[-1] = y[0]
    pieces = interpolate(x, y, kind, periodic)
    assert pieces.at(x[:-1]) == pytest.approx(y[:-1], abs=1e-17)
    assert pieces.breaks[0] == x[0]
    assert pieces.breaks[-1] == x[-1]
    assert np.max(np.abs(jumps(pieces, 0, periodic))) < 1e-16
    assert np.max(np.abs(jumps(pieces, 1, periodic))) < 1e-13 * steepest(x, y)


@pytest.mark.parametrize("periodic", [False, True])
def test_second_derivatives_are_continuous_for_cubic_only(periodic: bool) -> None:
    x = 2.0 * np.pi * uneven(40)
    y = wave(x) + 1e-4 * np.cos(9.0 * x)
    y[-1] = y[0]
    kinks = {kind: np.max(np.abs(jumps(interpolate(x, y, kind, periodic), 2, periodic))) for kind in KINDS}
    assert kinks["cubic"] < 1e-12
    assert min(kinks[kind] for kind in KINDS if kind != "cubic") > 1e-3


@pytest.mark.parametrize("kind", KINDS)
def test_the_seam_is_like_any_other_point(kind: str) -> None:
    # The same closed data cut open at another point is the same function.
    angle = 2.0 * np.pi * uneven(24)
    radius = wave(angle)
    radius[-1] = radius[0]
    moved = np.append(angle[7:-1], angle[:8] + 2.0 * np.pi)
    one = interpolate(angle, radius, kind, periodic=True)
    other = interpolate(moved, np.append(radius[7:-1], radius[:8]), kind, periodic=True)
    u = np.linspace(angle[7], 2.0 * np.pi, 500)
    assert other.at(u) == pytest.approx(one.at(u), abs=1e-15)
    v = np.linspace(0.0, angle[7], 300)[:-1]
    assert other.at(v + 2.0 * np.pi) == pytest.approx(one.at(v), abs=1e-15)


@pytest.mark.parametrize("kind", KINDS)
@given(
    slope=st.integers(-1000, 1000).map(lambda count: count / 97.0),
    start=st.floats(-10.0, 10.0),
    widths=hnp.arrays(float, 8, elements=st.floats(0.01, 1.0)),
)
def test_lines_are_reproduced(kind: str, slope: float, start: float, widths: Array) -> None:
    x = np.cumsum(widths)
    values = start + slope * x
    pieces = interpolate(x, values, kind)
    u = np.linspace(x[0], x[-1], 101)
    # Each value is rounded. A cubic's slope answers to that as its cardinal splines say, steeply where a wide interval
    # is among narrow ones; the other kinds take theirs from chords, at the ends from up to five of them.
    rounding = 2.0 * np.finfo(float).eps * (abs(start) + abs(slope) * x[-1])
    cardinal = np.abs(CubicSpline(x, np.eye(len(x)))(u, 1)).sum(axis=1).max()
    slope_error = rounding * max(10.0 / np.diff(x).min(), cardinal if kind == "cubic" else 0.0)
    assert pieces.at(u) == pytest.approx(start + slope * u, abs=rounding + slope_error * np.diff(x).max())
    assert pieces.at(u, 1) == pytest.approx(slope, abs=slope_error)


@pytest.mark.parametrize("kind", KINDS)
def test_two_points_are_a_line_and_three_a_curve(kind: str) -> None:
    line = interpolate([1.0, 3.0], [2.0, -2.0], kind)
    assert line.coefficients.tolist() == [[2.0, -2.0, 0.0, 0.0]]
    curve = interpolate([0.0, 1.0, 2.0], [0.0, 1.0, 0.0], kind)
    assert curve.at([0.0, 1.0, 2.0]) == pytest.approx([0.0, 1.0, 0.0], abs=1e-15)
    # Bent, the same to the left and right, and above the two chords.
    assert curve.at([0.3, 0.5]) == pytest.approx(curve.at([1.7, 1.5]), abs=1e-15)
    assert (curve.at([0.3, 0.5]) > [0.3, 0.5]).all()
    closed = interpolate([0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 1.5, 1.0], kind, periodic=True)
    assert np.max(np.abs(jumps(closed, 1, periodic=True))) < 1e-14


@pytest.mark.parametrize("derivative", [1, 2, 3])
def test_derivatives_against_differences(derivative: int) -> None:
    rng = np.random.default_rng(2)
    pieces = Piecewise(np.array([0.0, 0.7, 1.0]), rng.normal(size=(2, 4)))
    u, step = np.array([0.1, 0.4, 0.75, 0.9]), 1e-5
    difference = (pieces.at(u + step, derivative - 1) - pieces.at(u - step, derivative - 1)) / (2.0 * step)
    assert pieces.at(u, derivative) == pytest.approx(difference, abs=1e-8)
    assert np.min(np.abs(difference)) > 1e-2


def test_at_a_break_the_piece_to_the_right_answers_and_at_the_end_the_last() -> None:
    pieces = Piecewise(np.array([0.0, 1.0, 2.0]), np.array([[0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 3.0, 0.0]]))
    assert pieces.at([0.0, 1.0, 2.0], 2).tolist() == [0.0, 6.0, 6.0]
    assert pieces.at([0.0, 1.0, 2.0]).tolist() == [0.0, 1.0, 5.0]


def test_refusals() -> None:
    with pytest.raises(OutlineError, match=r"no interpolation 'bezier'; there are cubic, akima"):
        interpolate([0.0, 1.0], [0.0, 1.0], "bezier")
    for kind in KINDS:
        with pytest.raises(OutlineError, match="first value again"):
            interpolate([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], kind, periodic=True)
