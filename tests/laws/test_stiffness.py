"""Generalised stiffness from materials and radii."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condyle._jit import plain
from condyle.laws import stiffness as module

compliance, relative_curvature = plain(module.compliance), plain(module.relative_curvature)
generalised_stiffness = plain(module.generalised_stiffness)
SIGMA = compliance(5e6, 0.46)
COMPLIANCES = st.floats(1e-12, 1e-3)
RADII = st.floats(1e-4, 1e3)


def test_knee_of_the_paper() -> None:
    # Cartilage of 5 MPa and 0.46 on both sides, a condyle of 40 mm on a plane.
    assert pytest.approx(1.5768e-7, rel=1e-12) == SIGMA
    assert generalised_stiffness(SIGMA, SIGMA, 0.04, math.inf) == pytest.approx(8.45594e5, rel=1e-6)


@given(a=COMPLIANCES, b=COMPLIANCES, r=RADII, s=RADII)
def test_two_spheres_as_printed_and_whichever_comes_first(a: float, b: float, r: float, s: float) -> None:
    printed = 4.0 / (3.0 * (a + b)) * math.sqrt(r * s / (r + s))
    assert generalised_stiffness(a, b, r, s) == pytest.approx(printed, rel=1e-12)
    assert generalised_stiffness(b, a, s, r) == pytest.approx(printed, rel=1e-12)


@given(r=RADII)
def test_plane_is_the_limit_of_a_large_sphere(r: float) -> None:
    plane = generalised_stiffness(SIGMA, SIGMA, r, math.inf)
    assert plane == pytest.approx(4.0 * math.sqrt(r) / (6.0 * SIGMA), rel=1e-12)
    assert generalised_stiffness(SIGMA, SIGMA, r, 1e12 * r) == pytest.approx(plane, rel=1e-10)
    assert generalised_stiffness(SIGMA, SIGMA, r, -1e12 * r) == pytest.approx(plane, rel=1e-10)


def test_a_socket_that_fits_closer_is_stiffer() -> None:
    assert relative_curvature(0.02, -0.03) == pytest.approx(50.0 / 3.0)
    expected = 4.0 / (6.0 * SIGMA) * math.sqrt(0.06)
    assert generalised_stiffness(SIGMA, SIGMA, 0.02, -0.03) == pytest.approx(expected, rel=1e-12)
    assert generalised_stiffness(SIGMA, SIGMA, -0.03, 0.02) == pytest.approx(expected, rel=1e-12)
    assert expected > generalised_stiffness(SIGMA, SIGMA, 0.02, math.inf)


def test_a_rigid_side_adds_no_compliance() -> None:
    assert compliance(math.inf, 0.3) == 0.0
    soft, both = (generalised_stiffness(SIGMA, s, 0.04, math.inf) for s in (0.0, SIGMA))
    assert soft == pytest.approx(2.0 * both, rel=1e-12)


@pytest.mark.parametrize(
    ("radii", "why"),
    [
        ((math.inf, math.inf), "curvatures"),
        ((0.03, -0.03), "curvatures"),
        ((0.03, -0.02), "curvatures"),
        ((math.inf, -0.02), "curvatures"),
        ((math.nan, 0.02), "curvatures"),
        ((0.0, 0.02), "zero"),
        ((0.02, 0.0), "zero"),
    ],
)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_sides_without_a_point_of_contact_are_an_error(
    radii: tuple[float, float], why: str, compiled: bool
) -> None:
    function = module.generalised_stiffness if compiled else generalised_stiffness
    with pytest.raises(ValueError, match=why):
        function(SIGMA, SIGMA, *radii)


def test_two_rigid_sides_are_an_error() -> None:
    with pytest.raises(ValueError, match="compliant"):
        generalised_stiffness(0.0, 0.0, 0.02, 0.02)
