"""Polar and plain curves of outlines: what they pass through, which way they face, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from condyle.geometry.convexity import curvature_samples, outline_is_convex
from condyle.geometry.curve import LINE, PLAIN, POLAR, PlaneCurve, circle_curve, line_curve, sampled
from condyle.geometry.outline import OutlineError, circle_points
from condyle.geometry.profile import outline_curve
from condyle.geometry.splines import KINDS, plain_curve, polar_curve
from geometry.piecewise_measures import Array

RADIUS = 0.04
CONDYLE = np.array(
    [[0.031, 0.012], [0.022, 0.03], [-0.004, 0.036], [-0.027, 0.019], [-0.03, -0.012], [0.0, -0.03]]
)
PLATEAU = np.array([[0.22, -0.03], [0.223, -0.015], [0.2245, 0.0], [0.2235, 0.018], [0.219, 0.035]])


def distance_to(points: Array, curve: PlaneCurve) -> Array:
    """Distance of each point to the nearest of many on the curve."""
    samples = sampled(curve, 40_000)[:, 1:]
    return np.array([np.min(np.hypot(*(samples[:, :2] - point).T)) for point in points])


@pytest.mark.parametrize("kind", KINDS)
def test_a_circle_about_its_own_centre_is_exact_in_polar_form(kind: str) -> None:
    curve = polar_curve(circle_points(RADIUS, samples=24), kind, closed=True)
    assert curve.form == POLAR
    samples = sampled(curve, 720)[:, 1:]
    assert np.hypot(samples[:, 0], samples[:, 1]) == pytest.approx(RADIUS, rel=1e-14)
    assert samples[:, 2:] * RADIUS == pytest.approx(samples[:, :2], abs=1e-13)
    _, curvature = curvature_samples(curve)
    assert curvature == pytest.approx(1.0 / RADIUS, rel=1e-9)
    assert outline_is_convex(curve)


@pytest.mark.parametrize("kind", KINDS)
def test_an_off_centre_circle_with_a_tenth_of_a_millimetre_of_noise(kind: str) -> None:
    # What the paper's comparison of splines needs to show anything: not even in polar form is this one exact.
    rng = np.random.default_rng(7)
    centre = np.array([0.006, -0.009])
    clean = circle_points(RADIUS, (centre[0], centre[1]), samples=72)
    noisy = clean + 1e-4 * rng.uniform(-1.0, 1.0, clean.shape)
    for points, between in ((clean, 2e-5), (noisy, 2e-4)):
        curve = outline_curve(points, kind)
        assert curve.closed
        assert curve.side == 1.0
        assert np.max(distance_to(points, curve)) < 1e-5
        samples = sampled(curve, 3000)[:, 1:]
        offset = samples[:, :2] - centre
        assert np.max(np.abs(np.hypot(*offset.T) - RADIUS)) < between
        assert np.min(np.sum(offset * samples[:, 2:], axis=1)) > 0.99 * RADIUS
        # Noise of 0.1 mm on points 3.5 mm apart makes dents, in s(theta) as in the points: no spline removes them.
        assert outline_is_convex(curve) == (points is clean)


@pytest.mark.parametrize("kind", KINDS)
@given(
    radii=hnp.arrays(float, 9, elements=st.floats(0.03, 0.05)), shift=st.integers(0, 8), reverse=st.booleans()
)
def test_where_the_list_begins_and_which_way_it_goes_does_not_matter(
    kind: str, radii: Array, shift: int, reverse: bool
) -> None:
    angle = 2.0 * np.pi * (np.arange(9) + 0.3 * np.sin(np.arange(9.0))) / 9
    points = np.stack([radii * np.cos(angle), radii * np.sin(angle)], axis=1)
    relabelled = np.roll(points[::-1] if reverse else points, shift, axis=0)
    one, other = polar_curve(points, kind, closed=True), polar_curve(relabelled, kind, closed=True)
    assert (one.breaks == other.breaks).all()
    assert (one.coefficients == other.coefficients).all()
    assert -np.pi <= one.breaks[0] < one.breaks[-1] == pytest.approx(one.breaks[0] + 2.0 * np.pi)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["polar", "plain"])
@pytest.mark.parametrize("turn", [0.4, 2.0, 3.1, -1.7])
def test_turning_the_body_turns_the_curve(kind: str, form: str, turn: float) -> None:
    cos, sin = np.cos(turn), np.sin(turn)
    matrix = np.array([[cos, -sin], [sin, cos]])
    here, there = (outline_curve(p, kind, form, closed=False) for p in (PLATEAU, PLATEAU @ matrix.T))
    samples, turned = sampled(here, 500)[:, 1:], sampled(there, 500)[:, 1:]
    if kind == "shape-preserving" and form == "plain":
        assert len(samples) == len(turned)
    assert turned[:, :2] == pytest.approx(samples[:, :2] @ matrix.T, abs=1e-13)
    assert turned[:, 2:] == pytest.approx(samples[:, 2:] @ matrix.T, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["polar", "plain"])
def test_points_are_met_and_normals_are_continuous_unit_vectors_outwards(kind: str, form: str) -> None:
    cases = (
        [(PLATEAU, False)]
        if (form, kind) == ("plain", "shape-preserving")
        else [(PLATEAU, False), (CONDYLE, True)]
    )
    for points, closed in cases:
        for ordered in (points, points[::-1]):
            curve = outline_curve(ordered, kind, form, closed=closed)
            ends = np.concatenate([curve.breaks[:-1], curve.breaks[-1:]])
            assert (np.diff(ends) > 0.0).all()
            assert np.max(distance_to(points, curve)) < 2e-6
            samples = sampled(curve, 4000)[:, 1:]
            normals = samples[:, 2:]
            assert np.hypot(*normals.T) == pytest.approx(1.0, abs=1e-14)
            # C1: the direction of the normal turns little from sample to sample, over breaks and over the seam.
            following = np.roll(normals, -1, axis=0) if closed else normals[1:]
            assert np.min(np.sum(normals[: len(following)] * following, axis=1)) > 0.999
            assert (np.sum(normals * samples[:, :2], axis=1) > 0.0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_two_points_are_an_exact_line_in_either_form(kind: str) -> None:
    ends = np.array([[0.2255, 0.03], [0.2255, -0.04]])
    for form in ("polar", "plain"):
        for points in (ends, ends[::-1]):
            curve = outline_curve(points, kind, form)
            assert curve.form == LINE
            samples = sampled(curve, 50)[:, 1:]
            assert samples[:, 0] == pytest.approx(0.2255, abs=1e-17)
            assert samples[:, 2:] == pytest.approx(np.array([[1.0, 0.0]] * len(samples)), abs=1e-15)
            assert type(curve.shape[0]) is float


@pytest.mark.parametrize("kind", KINDS)
def test_flat_points_are_flat(kind: str) -> None:
    points = np.stack([np.full(9, 0.2255590813), np.linspace(-0.04, 0.04, 9) ** 3 / 0.0016], axis=1)
    curve = plain_curve(points, kind, closed=False, side=1.0)
    samples = sampled(curve, 400)[:, 1:]
    assert samples[:, 0] == pytest.approx(0.2255590813, abs=1e-16)
    assert samples[:, 1].min() == pytest.approx(-0.04, abs=1e-17)
    assert samples[:, 1].max() == pytest.approx(0.04, abs=1e-17)


@pytest.mark.parametrize("kind", ["cubic", "akima", "pchip"])
def test_where_a_closed_plain_list_begins_does_not_matter(kind: str) -> None:
    one, other = (plain_curve(np.roll(CONDYLE, k, axis=0), kind, closed=True, side=1.0) for k in (0, 2))
    assert np.max(distance_to(sampled(one, 60)[:, 1:3], other)) < 1e-5


def test_shape_preserving_graph_is_convex_where_its_points_are() -> None:
    # A flat stretch, a sharp bend, a flat stretch, tilted: every other kind makes it wavy.
    height = -0.01 * np.cumsum([0.0, 0.0, 0.01, 0.03, 2.0, 2.05, 2.2])
    tilt = np.array([[0.8, 0.6], [-0.6, 0.8]])
    points = np.stack([0.01 * np.arange(7.0), height], axis=1) @ tilt + np.array([0.1, 0.2])
    for ordered in (points, points[::-1]):
        curves = {kind: outline_curve(ordered, kind, "plain", outward=(-0.6, 0.8)) for kind in KINDS}
        assert [kind for kind, curve in curves.items() if outline_is_convex(curve)] == ["shape-preserving"]


def test_outward_direction_and_hollow() -> None:
    away = outline_curve(PLATEAU, form="plain")
    assert np.all(sampled(away, 50)[:, 3] > 0.0)
    for form in ("plain", "polar"):
        for ordered in (PLATEAU, PLATEAU[::-1]):
            towards = outline_curve(ordered, form=form, outward=(-1.0, 0.0))
            assert np.all(sampled(towards, 50)[:, 3] < 0.0)
        assert np.all(sampled(outline_curve(PLATEAU, form=form, hollow=True), 50)[:, 3] < 0.0)
    bearing = sampled(outline_curve(CONDYLE, hollow=True), 50)[:, 1:]
    assert np.all(np.sum(bearing[:, :2] * bearing[:, 2:], axis=1) < 0.0)
    # Outwards towards the origin turns a convex plateau into a trough.
    assert outline_is_convex(outline_curve(PLATEAU, form="plain"))
    assert not outline_is_convex(outline_curve(PLATEAU, form="plain", outward=(-1.0, 0.0)))


def test_closed_is_guessed_from_the_angles() -> None:
    assert outline_curve(CONDYLE).closed
    assert outline_curve(np.vstack([CONDYLE, CONDYLE[:1]])).closed
    assert not outline_curve(CONDYLE[:-2]).closed
    assert not outline_curve(PLATEAU).closed
    assert not outline_curve(CONDYLE, "cubic", "plain").closed
    assert outline_curve(CONDYLE, "cubic", "plain", closed=True).closed


def test_plain_curves_go_where_polar_ones_cannot() -> None:
    # A hook: seen from the origin its angle turns back.
    hook = np.array([[0.0, 0.01], [0.01, 0.02], [0.02, 0.018], [0.022, 0.01], [0.015, 0.009]])
    with pytest.raises(OutlineError, match="use form: plain"):
        outline_curve(hook, "cubic", "polar")
    with pytest.raises(OutlineError, match="use interpolation: cubic or akima, or form: polar"):
        outline_curve(hook, "shape-preserving", "plain")
    for kind in ("cubic", "akima", "pchip"):
        curve = outline_curve(hook, kind, "plain", outward=(0.0, 1.0))
        assert curve.form == PLAIN
        assert np.max(distance_to(hook, curve)) < 1e-6


@pytest.mark.parametrize(
    ("points", "closed", "message", "index"),
    [
        (
            [[1, 0], [0, 1], [-1, 0.1], [-0.9, 0.5]],
            False,
            r"points\[3\] is at 150.945 deg .* after 174.289 deg",
            3,
        ),
        ([[1, 0], [0, 1], [0, 2]], False, r"points\[2\] is at 90.000 deg", 2),
        ([[1, 0.1], [2, 0], [2, 1]], True, "origin lies outside the closed outline", None),
        ([[1, 0], [0, 0], [0, 1]], False, r"points\[1\] is the body's origin", 1),
        ([[1, 0], [0.5, 0.5], [-1, 0]], False, None, None),
        ([[1, 0], [-1, 0], [0, -1]], False, "half a turn", 1),
    ],
)
def test_polar_form_names_the_point_that_has_none(
    points: list[list[float]], closed: bool, message: str | None, index: int | None
) -> None:
    if message is None:
        assert not polar_curve(points, "cubic", closed).closed
        return
    with pytest.raises(OutlineError, match=message) as caught:
        polar_curve(points, "cubic", closed)
    assert caught.value.index == index
    assert "form: plain" in str(caught.value)


def test_an_open_polar_outline_must_not_go_all_the_way_round() -> None:
    angle = np.linspace(0.0, 2.2 * np.pi, 30)
    spiral = np.stack([(1.0 + angle) * np.cos(angle), (1.0 + angle) * np.sin(angle)], axis=1)
    with pytest.raises(OutlineError, match=r"goes 1\.10 times around"):
        polar_curve(spiral, "cubic", closed=False)
    assert polar_curve(spiral[:25], "cubic", closed=False).breaks[-1] > np.pi


def test_a_spline_that_dips_through_the_origin_is_refused() -> None:
    angle = np.deg2rad([-40.0, -20.0, 0.0, 20.0, 40.0])
    radius = np.array([1.0, 0.5, 0.02, 0.02, 0.02])
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    with pytest.raises(OutlineError, match=r"runs through the body's origin near .* deg"):
        polar_curve(points, "cubic", closed=False)
    assert polar_curve(points, "pchip", closed=False).form == POLAR


def test_a_cusp_is_refused() -> None:
    # At the corner of a square aligned with the axes pchip stops both coordinates at once.
    square = np.array([[0, 0], [1, 0], [2, 0], [2, 1], [2, 2], [1, 2], [0, 2], [0, 1]]) * 0.01
    with pytest.raises(OutlineError, match=r"the pchip spline has a cusp near points\[[0246]\]"):
        plain_curve(square, "pchip", closed=True, side=1.0)
    assert plain_curve(square, "cubic", closed=True, side=1.0).form == PLAIN


def test_refused_words() -> None:
    with pytest.raises(OutlineError, match="no form 'round'; there are polar and plain"):
        outline_curve(CONDYLE, form="round")
    with pytest.raises(OutlineError, match="closed plain outline has no shape-preserving spline"):
        outline_curve(CONDYLE, form="plain", closed=True)
    with pytest.raises(OutlineError, match="no interpolation 'linear'"):
        outline_curve(CONDYLE, "linear")


def test_curvature_against_closed_forms() -> None:
    semi = np.array([0.03, 0.02])
    angle = np.linspace(0.0, 2.0 * np.pi, 400, endpoint=False)
    ellipse = np.stack([semi[0] * np.cos(angle), semi[1] * np.sin(angle)], axis=1)
    for form in ("polar", "plain"):
        curve = outline_curve(ellipse, "cubic", form, closed=True)
        parameter, curvature = curvature_samples(curve, 5)
        # At its ends: a/b^2 and b/a^2.
        assert curvature.max() == pytest.approx(semi[0] / semi[1] ** 2, rel=1e-3)
        assert curvature.min() == pytest.approx(semi[1] / semi[0] ** 2, rel=1e-3)
        assert parameter[0, 0] == curve.breaks[0]
        assert parameter[-1, -1] == pytest.approx(curve.breaks[-1], rel=1e-15)
    for hollow, sign in ((False, 1.0), (True, -1.0)):
        circle = circle_curve((0.1, 0.0), RADIUS, hollow)
        assert curvature_samples(circle)[1] == pytest.approx(sign / RADIUS)
        assert outline_is_convex(circle) is not hollow
    flat = line_curve((0.0, 0.0), (0.0, 1.0), 1.0)
    assert not curvature_samples(flat)[1].any()
    assert outline_is_convex(flat)


def test_convexity_of_the_outline_is_not_that_of_the_radius() -> None:
    # The dented circle s = 1 + a cos 3 theta: s is concave over half of the turn for any a, while the outline is
    # convex as long as (1 - a)(1 - 10 a), the least of s^2 + 2 s'^2 - s s'', is not negative.
    for dent, convex in ((0.099, True), (0.101, False)):
        angle = np.linspace(0.0, 2.0 * np.pi, 240, endpoint=False)
        radius = 0.04 * (1.0 + dent * np.cos(3.0 * angle))
        curve = outline_curve(np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1), "cubic")
        assert outline_is_convex(curve) is convex
