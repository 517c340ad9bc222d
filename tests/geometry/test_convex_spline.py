"""The shape-preserving spline: it bends as the data do, as little as that allows, and always arrives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.interpolate import CubicSpline
from scipy.optimize import nnls

from condyle.geometry import convex_dual
from condyle.geometry.convex_spline import convex_spline
from condyle.geometry.piecewise import Piecewise
from condyle.geometry.splines import interpolate
from geometry.piecewise_measures import (
    Array,
    bending_energy,
    from_bends,
    jumps,
    second_derivatives,
    steepest,
)

WIDTHS = st.floats(1e-2, 1.0)
BENDS = st.floats(-4.0, 0.0).map(lambda power: 10.0**power)


def data(count: int) -> st.SearchStrategy[tuple[Array, Array]]:
    """Bends of four decades, and widths of two for one interval more."""
    return st.tuples(hnp.arrays(float, count, elements=BENDS), hnp.arrays(float, count + 1, elements=WIDTHS))


def assert_interpolates(pieces: Piecewise, x: Array, y: Array, periodic: bool = False) -> None:
    slope = steepest(x, y)
    assert (np.diff(pieces.breaks) > 0.0).all()
    assert pieces.at(x[:-1]) == pytest.approx(y[:-1], abs=1e-15 * np.max(np.abs(y)))
    assert np.max(np.abs(jumps(pieces, 0, periodic)), initial=0.0) <= 1e-13 * np.max(np.abs(y))
    # Chords know their slopes to the rounding of y over their width, which counts where all of them are nearly flat.
    rounding = 8.0 * np.finfo(float).eps * np.max(np.abs(y)) / np.diff(x).min()
    assert np.max(np.abs(jumps(pieces, 1, periodic)), initial=0.0) <= 2e-12 * slope + rounding


@given(shape=data(7), slope=st.floats(-5.0, 5.0), sign=st.sampled_from([1.0, -1.0]))
def test_convex_data_have_a_convex_spline(shape: tuple[Array, Array], slope: float, sign: float) -> None:
    x, y = from_bends(sign * shape[0], shape[1], slope)
    pieces = convex_spline(x, y)
    assert_interpolates(pieces, x, y)
    # No sign of g'' is wrong, up to the round-off of its own coefficients; and g'' is continuous.
    largest = np.max(np.abs(second_derivatives(pieces)))
    assert (sign * second_derivatives(pieces) >= -1e-15 * largest).all()
    assert np.max(np.abs(jumps(pieces, 2))) <= 1e-9 * largest
    assert len(pieces.breaks) <= 2 * len(x)


@pytest.mark.parametrize(
    "slopes", [[0.0, 0.01, 0.03, 2.0, 2.05, 2.2], [-3.0, -2.9, -0.1, 0.0, 0.1, 3.0]], ids=["corner", "basin"]
)
def test_the_other_kinds_lose_convexity_where_this_one_keeps_it(slopes: list[float]) -> None:
    x = np.arange(7.0)
    y = np.concatenate([[0.0], np.cumsum(slopes)])
    lowest = {
        kind: second_derivatives(interpolate(x, y, kind)).min()
        for kind in ("cubic", "akima", "pchip", "shape-preserving")
    }
    assert lowest.pop("shape-preserving") >= 0.0
    assert max(lowest.values()) < -0.5


@given(shape=data(9), signs=hnp.arrays(float, 9, elements=st.sampled_from([-1.0, 1.0])))
def test_between_points_that_agree_the_spline_bends_like_them(
    shape: tuple[Array, Array], signs: Array
) -> None:
    x, y = from_bends(signs * shape[0], shape[1])
    pieces = convex_spline(x, y)
    assert_interpolates(pieces, x, y)
    labels = np.concatenate([signs[:1], signs, signs[-1:]])
    interval = np.searchsorted(x, pieces.breaks[:-1], side="right") - 1
    agree = labels[interval] == labels[interval + 1]
    second = labels[interval, None] * second_derivatives(pieces)
    assert agree.any() or len(pieces.breaks) == len(x)
    assert (second >= -1e-15 * np.max(np.abs(second)))[agree].all()


@given(widths=hnp.arrays(float, 12, elements=WIDTHS), bends=hnp.arrays(float, 12, elements=BENDS))
def test_where_every_bend_turns_the_other_way_it_is_the_natural_cubic(widths: Array, bends: Array) -> None:
    signs = np.where(np.arange(11) % 2 == 0, 1.0, -1.0)
    x, y = from_bends(signs * bends[:11], widths)
    pieces = convex_spline(x, y)
    # The inverse of the natural cubic's matrix has the signs of a chessboard: its moments take turns as the bends do,
    # also at the two ends, where the spline is held to the bend of the nearest point.
    natural = CubicSpline(x, y, bc_type="natural")
    assert (natural(x[1:-1], 2) * signs > 0.0).all()
    u = np.linspace(x[0], x[-1], 300)
    assert pieces.at(u) == pytest.approx(natural(u), abs=1e-11 * np.max(np.abs(y)))
    assert len(pieces.breaks) == len(x)


def test_where_the_natural_and_the_periodic_cubic_are_feasible_they_are_the_answer() -> None:
    x = np.linspace(0.0, 2.0, 21)
    y = np.exp(x)
    natural = CubicSpline(x, y, bc_type="natural")
    assert natural(x, 2).min() >= 0.0
    u = np.linspace(0.0, 2.0, 1001)
    assert convex_spline(x, y).at(u) == pytest.approx(natural(u), abs=1e-13)

    angle = np.linspace(0.0, 2.0 * np.pi, 41)
    radius = 1.0 + 0.2 * np.cos(2.0 * angle + 0.1)
    radius[-1] = radius[0]
    around = CubicSpline(angle, radius, bc_type="periodic")
    v = np.linspace(0.0, 2.0 * np.pi, 1001)
    assert convex_spline(angle, radius, periodic=True).at(v) == pytest.approx(around(v), abs=1e-13)


def cell_moments(x: Array, cells: int) -> tuple[Array, Array]:
    """Integrals of the inner hats over equal cells of each interval, shape (n - 1, n * cells), and cell widths."""
    edges = np.append((x[:-1, None] + np.diff(x)[:, None] * np.arange(cells) / cells).ravel(), x[-1])
    middle, width = (edges[1:] + edges[:-1]) / 2.0, np.diff(edges)
    hats = np.array([np.interp(middle, x, np.eye(len(x))[i]) for i in range(1, len(x) - 1)])
    return hats * width, width


def constant_in_cells(x: Array, y: Array, cells: int, weight: Array | float = 1.0) -> tuple[Array, Array]:
    """The convex interpolant of least weighted energy whose g'' is constant in each cell: g'' and cell widths.

    Found by non-negative least squares, with interpolation as heavily weighted equations.
    """
    moments, width = cell_moments(x, cells)
    bends = np.diff(np.diff(y) / np.diff(x))
    penalty = 1e6
    matrix = np.vstack([penalty * moments, np.diag(np.sqrt(weight * width))])
    values, _ = nnls(matrix, np.concatenate([penalty * bends, np.zeros(len(width))]), maxiter=100_000)
    assert moments @ values == pytest.approx(bends, rel=1e-5), "the cells are too coarse for these data"
    return np.asarray(values), width


def test_no_convex_interpolant_bends_less() -> None:
    rng = np.random.default_rng(3)
    for _ in range(4):
        uneven = np.array([0.1, 1.0, 0.2, 0.2, 2.0, 0.1])
        x, y = from_bends(uneven * rng.uniform(1.0, 2.0, 6), rng.uniform(0.3, 1.0, 7))
        pieces = convex_spline(x, y)
        energy = bending_energy(pieces)
        assert energy > 1.05 * bending_energy(interpolate_natural(x, y))  # the constraint is at work
        # The best of a family of competitors that gets denser comes down to it, and not below.
        excess = []
        for cells in (8, 16, 32):
            values, width = constant_in_cells(x, y, cells)
            excess.append(float(np.sum(values**2 * width)) / energy - 1.0)
        assert -1e-6 < excess[2] < excess[1] < excess[0]
        assert excess[2] < 5e-3


def interpolate_natural(x: Array, y: Array) -> Piecewise:
    spline = CubicSpline(x, y, bc_type="natural")
    return Piecewise(x, spline.c[::-1].T)


def test_any_step_towards_another_convex_interpolant_costs_energy() -> None:
    rng = np.random.default_rng(4)
    x, y = from_bends(np.array([0.1, 1.0, 0.15, 0.2, 2.0, 0.1]), rng.uniform(0.3, 1.0, 7))
    pieces = convex_spline(x, y)
    changes = []
    for _ in range(10):
        values, width = constant_in_cells(x, y, 16, rng.uniform(0.1, 10.0, 7 * 16))
        edges = np.append(x[0], x[0] + np.cumsum(width))
        # d/dt of the energy at g'' + t (q'' - g''), which must not be negative for any feasible q.
        slopes = np.diff(pieces.at(edges, 1))
        changes.append(float(np.sum(values * slopes)) / bending_energy(pieces) - 1.0)
    # It is zero only for competitors that are straight wherever the spline is.
    assert min(changes) > -1e-7
    assert max(changes) > 1e-3


@given(
    shape=data(7),
    signs=hnp.arrays(float, 7, elements=st.sampled_from([-1.0, 0.0, 1.0])),
    power=st.integers(-30, 30),
)
def test_units_do_not_matter(shape: tuple[Array, Array], signs: Array, power: int) -> None:
    x, y = from_bends(signs * shape[0], shape[1])
    pieces = convex_spline(x, y)
    # A power of four moves no bit of a mantissa, nor of its root: only an absolute number in the code could.
    factor = 4.0**power
    stretched = convex_spline(x, factor * y)
    assert (stretched.coefficients == factor * pieces.coefficients).all()
    widened = convex_spline(factor * x, y)
    assert (widened.breaks == factor * pieces.breaks).all()
    assert (widened.coefficients * factor ** np.arange(4) == pieces.coefficients).all()


@given(shape=data(7), signs=hnp.arrays(float, 7, elements=st.sampled_from([-1.0, 0.0, 1.0])))
def test_mirror_images_have_mirrored_splines(shape: tuple[Array, Array], signs: Array) -> None:
    x, y = from_bends(signs * shape[0], shape[1])
    u = np.linspace(x[0], x[-1], 200)
    here = convex_spline(x, y).at(u)
    assert convex_spline(x, -y).at(u) == pytest.approx(-here, abs=1e-15)
    scale = np.max(np.abs(y)) + steepest(x, y)
    assert convex_spline(-x[::-1], y[::-1]).at(-u) == pytest.approx(here, abs=1e-9 * scale + 1e-300)


def test_a_kink_between_lines_is_rounded_within_its_two_intervals() -> None:
    x = np.arange(-5.0, 6.0)
    pieces = convex_spline(x, np.abs(x))
    assert_interpolates(pieces, x, np.abs(x))
    u = np.linspace(-5.0, 5.0, 1001)
    assert (pieces.at(u, 2)[np.abs(u) > 1.0 + 1e-9] == 0.0).all()
    # No C1 function through these points is convex; the way round the kink is as short as it can be.
    assert second_derivatives(pieces).min() == pytest.approx(-2.0, abs=1e-12)


def test_lines_joined_by_an_arc_stay_straight() -> None:
    x = np.concatenate([np.linspace(-2.0, -1.0, 11), np.linspace(-0.9, 0.9, 19), np.linspace(1.0, 2.0, 11)])
    y = np.where(np.abs(x) <= 1.0, x**2 / 2.0, np.abs(x) - 0.5)
    pieces = convex_spline(x, y)
    assert_interpolates(pieces, x, y)
    assert second_derivatives(pieces).min() >= 0.0
    curved = second_derivatives(pieces).any(axis=1)
    # One interval beside the arc on either side bends with it.
    assert np.abs(pieces.breaks[:-1][curved]).max() <= 1.1 + 1e-12


@pytest.mark.parametrize("size", [1e-6, 1e-10, 1e-14, 1e-18, 0.0])
def test_nearly_collinear_data(size: float) -> None:
    rng = np.random.default_rng(5)
    x = np.linspace(0.0, 1.0, 50)
    y = 0.2 + 0.3 * x + size * rng.normal(size=50)
    pieces = convex_spline(x, y)
    assert_interpolates(pieces, x, y)
    assert np.max(
        np.abs(pieces.at(np.linspace(0.0, 1.0, 999)) - np.interp(np.linspace(0.0, 1.0, 999), x, y))
    ) < max(3.0 * size, 1e-15)


@pytest.mark.parametrize("small", [1e-3, 1e-6, 1e-9, 1e-12])
def test_a_bend_between_two_tiny_ones_is_turned_where_it_is_and_nowhere_else(small: float) -> None:
    x, y = from_bends(np.array([small, 1.0, small]), np.ones(4))
    pieces = convex_spline(x, y)
    assert_interpolates(pieces, x, y)
    second = second_derivatives(pieces)
    assert second.min() >= -1e-15 * second.max()
    # Convexity leaves a share of about 6 d_1 / d_2 of either interval for the turn.
    turning = np.diff(pieces.breaks)[second.max(axis=1) > 0.1]
    assert turning == pytest.approx(6.0 * small / (1.0 + 2.0 * small) * np.ones(2), rel=0.1)


def test_collinear_triples_leave_nothing_but_straight_pieces() -> None:
    # 0.1 + 0.3 x in floats bends by a few units in the last place at every point.
    x = np.arange(12.0)
    pieces = convex_spline(x, 0.1 + 0.3 * x)
    assert np.any(np.diff(np.diff(0.1 + 0.3 * x)) != 0.0)
    assert not pieces.coefficients[:, 2:].any()


@given(
    moments=hnp.arrays(float, 10, elements=st.floats(-1.0, 1.0)),
    widths=hnp.arrays(float, 11, elements=st.floats(-6.0, 0.0).map(lambda power: 10.0**power)),
    kinds=hnp.arrays(
        np.int64, 11, elements=st.sampled_from([convex_dual.UP, convex_dual.DOWN, convex_dual.FREE])
    ),
)
def test_newton_steps_are_well_conditioned_whatever_the_spacing(
    moments: Array, widths: Array, kinds: convex_dual.Kinds
) -> None:
    problem = convex_dual.DualProblem(widths, kinds, np.ones(10), periodic=False)
    state = convex_dual._state(problem, moments)
    matrix = np.diag(state.diagonal) + np.diag(state.beside, 1) + np.diag(state.beside, -1)
    active = state.diagonal > 1e-100
    scaled = (matrix / np.sqrt(np.outer(state.diagonal, state.diagonal) + 1e-300))[np.ix_(active, active)]
    if active.any():
        values = np.linalg.eigvalsh(scaled)
        assert values.min() >= 1.0 - np.sqrt(0.75) - 1e-12
        assert values.max() <= 1.0 + np.sqrt(0.75) + 1e-12


def test_the_dual_never_rises_however_long_the_step() -> None:
    rng = np.random.default_rng(8)
    halved = 0
    for _ in range(50):
        kinds: convex_dual.Kinds = rng.choice([convex_dual.UP, convex_dual.DOWN, convex_dual.FREE], 11)
        problem = convex_dual.DualProblem(
            rng.uniform(0.1, 1.0, 11), kinds, rng.normal(size=10), periodic=False
        )
        start = rng.normal(size=10)
        state = convex_dual._state(problem, start)
        step = -100.0 * state.gradient / state.diagonal.clip(0.1)
        reached, there = convex_dual._searched(problem, start, state, step)
        assert there.dual < state.dual
        assert (reached - start) @ step > 0.0
        halved += convex_dual._state(problem, start + step).dual > state.dual
    assert halved > 40


@pytest.mark.parametrize("periodic", [False, True])
def test_noisy_points_by_the_hundred(periodic: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0
    search = convex_dual._searched

    def counted(*arguments: object) -> object:
        nonlocal steps
        steps += 1
        return search(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(convex_dual, "_searched", counted)
    rng = np.random.default_rng(6)
    for scale in (1e-9, 1.0, 1e9):
        x = 2.0 * np.pi * np.sort(np.concatenate([[0.0, 1.0], rng.uniform(0.0, 1.0, 700)]))
        y = scale * (0.04 + 0.005 * np.cos(x) + 1e-4 * rng.uniform(-1.0, 1.0, len(x)))
        y[-1] = y[0]
        steps = 0
        pieces = convex_spline(x, y, periodic)
        # Each step costs a tenth of a millisecond at this size.
        assert steps < 40
        # Neighbours as near as a millionth: slopes are known to the round-off of y over that.
        close = np.finfo(float).eps * np.max(np.abs(y)) / np.diff(x).min()
        assert np.max(np.abs(jumps(pieces, 1, periodic))) < 20.0 * close + 1e-12 * steepest(x, y)
        assert pieces.at(x[:-1]) == pytest.approx(y[:-1], rel=1e-15)


@given(
    widths=hnp.arrays(float, 13, elements=st.floats(-6.0, 0.0).map(lambda power: 10.0**power)),
    bends=hnp.arrays(float, 12, elements=st.floats(-12.0, 0.0).map(lambda power: 10.0**power)),
    signs=hnp.arrays(float, 12, elements=st.sampled_from([-1.0, 0.0, 1.0])),
)
def test_wild_spacing_and_bends_of_twelve_decades(widths: Array, bends: Array, signs: Array) -> None:
    x, y = from_bends(signs * bends, widths)
    pieces = convex_spline(x, y)
    assert (np.diff(pieces.breaks) > 0.0).all()
    assert np.isfinite(pieces.coefficients).all()
    eps = np.finfo(float).eps
    bound = (
        1e3
        * eps
        * (steepest(x, y) + np.max(np.abs(y)) / widths.min() + steepest(x, y) * x[-1] / widths.min())
    )
    assert np.max(np.abs(jumps(pieces, 1)), initial=0.0) <= bound


@given(
    radii=hnp.arrays(float, 9, elements=st.floats(0.5, 1.5)),
    gaps=hnp.arrays(float, 9, elements=st.floats(0.1, 1.0)),
)
def test_periodic_data(radii: Array, gaps: Array) -> None:
    x = np.concatenate([[0.0], np.cumsum(gaps)])
    y = np.append(radii, radii[0])
    pieces = convex_spline(x, y, periodic=True)
    assert_interpolates(pieces, x, y, periodic=True)
    # Cut elsewhere, it is the same function.
    moved = convex_spline(np.append(x[4:-1], x[:5] + x[-1]), np.append(y[4:-1], y[:5]), periodic=True)
    u = np.linspace(x[4], x[-1], 200)[:-1]
    assert moved.at(u) == pytest.approx(pieces.at(u), abs=1e-11)


def test_three_closed_points() -> None:
    pieces = convex_spline(np.array([0.0, 2.0, 4.0, 6.0]), np.array([1.0, 2.0, 1.5, 1.0]), periodic=True)
    assert_interpolates(pieces, np.array([0.0, 2.0, 4.0, 6.0]), np.array([1.0, 2.0, 1.5, 1.0]), periodic=True)
