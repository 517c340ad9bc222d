"""Factors against their authors' own derivations, and the exact relation against other ways to solve it."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq

from condyle.laws.contact import CONTACT_LAWS, delivered
from condyle.laws.contact.restitution import (
    delivered_restitution,
    exact_factor,
    kelvin_voigt_damping_ratio,
    kelvin_voigt_restitution,
    lost_energy,
    lost_energy_fraction,
)

GRID = np.linspace(0.05, 0.95, 19)


def factor(name: str, restitution: float) -> float:
    function = CONTACT_LAWS[name].hysteresis_factor
    assert function is not None
    return function(restitution)


def restitution_by_bisection(c: float) -> float:
    """The closed form as it stands, x/c - ln(1 + c x)/c^2 at x = 1 and x = -e, solved by SciPy."""

    def form(x: float) -> float:
        return x / c - math.log1p(c * x) / c**2

    return float(
        brentq(lambda e: form(-e) - form(1.0), 1e-12, min(1.0, (1.0 - 1e-15) / c), xtol=1e-15, rtol=1e-14)
    )


@pytest.mark.parametrize("c", [0.05, 0.3, 0.75, 1.6, 4.0, 15.0])
def test_delivered_restitution_against_bisection(c: float) -> None:
    assert delivered_restitution(c) == pytest.approx(restitution_by_bisection(c), rel=1e-11)


@pytest.mark.parametrize(
    ("name", "gets", "digits"),
    [
        ("lankarani-nikravesh", 0.725241114010197, 1e-12),
        ("hunt-crossley", 0.6629622000015457, 1e-12),
        ("flores", 0.4704447793267396, 1e-12),
        ("gonthier", 0.5, 1e-14),
        ("carvalho-martins", 0.50, 3e-4),
    ],
)
def test_what_is_delivered_for_one_half(name: str, gets: float, digits: float) -> None:
    assert delivered(name, 0.5) == pytest.approx(gets, abs=digits)


def test_table_of_restitutions() -> None:
    data = Path(os.environ.get("CONDYLE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    path = data / "contact-laws" / "restitution.json"
    if not path.is_file():
        pytest.skip("no CONDYLE_DATA and no ../shared/data")
    table = json.loads(path.read_text(encoding="utf-8"))["table"]
    names = {
        "Hunt-Crossley 1975": "hunt-crossley",
        "Lankarani-Nikravesh 1990": "lankarani-nikravesh",
        "Flores 2011": "flores",
    }
    assert set(names) <= set(table)
    for title, name in names.items():
        assert len(table[title]) > 5
        for asked, row in table[title].items():
            assert factor(name, float(asked)) == pytest.approx(row["chi"], rel=1e-12)
            assert delivered(name, float(asked)) == pytest.approx(row["e_post"], rel=1e-10)


def damping_integral(power: float) -> float:
    """Integral of x^(3/2) sqrt(1 - x^power) over (0, 1): the damping's work on one way."""
    return quad(lambda x: x**1.5 * math.sqrt(max(1.0 - x**power, 0.0)), 0.0, 1.0)[0]


@pytest.mark.parametrize("e", GRID)
def test_lankarani_nikravesh_from_its_loop(e: float) -> None:
    # K D^(5/2) 2/5 = m v0^2 / 2 is stored, 2 c K D^(5/2) I is lost, and the loss is (1 - e^2) of the energy.
    assert factor("lankarani-nikravesh", e) == pytest.approx(
        (1.0 - e**2) * 0.4 / (2.0 * damping_integral(2.5)), rel=1e-8
    )


def factor_of_two_ways(e: float, integral: float) -> float:
    """Speed v0 on the way in and e v0 on the way out, with c from the energies of both ways.

    In units of K D^(5/2): the way in loses c I and stores 2/5, the way out loses e c I and gives back 2/5:
    1/e^2 = (2/5 + c I) / (2/5 - e c I).
    """
    return float(
        brentq(lambda c: (0.4 + c * integral) * e**2 - (0.4 - e * c * integral), 0.0, 1e3, rtol=1e-14)
    )


@pytest.mark.parametrize("e", GRID)
def test_hu_guo_and_flores_from_their_two_ways(e: float) -> None:
    assert factor("hu-guo", e) == pytest.approx(factor_of_two_ways(e, damping_integral(2.5)), rel=1e-8)
    # Flores and co-workers round the integral for a linear oscillator, 0.2497, to 1/4.
    assert damping_integral(2.0) == pytest.approx(0.25, abs=4e-4)
    assert factor("flores", e) == pytest.approx(factor_of_two_ways(e, 0.25), rel=1e-10)


def test_hunt_crossley_is_the_first_term_of_the_exact_relation() -> None:
    # What is left over 1 - e is of second order: it falls with the square.
    left = [exact_factor(1.0 - x) - factor("hunt-crossley", 1.0 - x) for x in (0.04, 0.02, 0.01)]
    assert left[0] > 1e-3
    assert left[0] / left[1] == pytest.approx(4.0, rel=0.1)
    assert left[1] / left[2] == pytest.approx(4.0, rel=0.05)


def test_the_explicit_fit_is_close_from_one_third_up_and_not_below() -> None:
    for e in np.linspace(1.0 / 3.0, 1.0, 30):
        assert delivered("carvalho-martins", e) == pytest.approx(e, abs=3e-3)
    assert delivered("carvalho-martins", 0.1) > 0.125


@pytest.mark.parametrize("name", ["gonthier", "zhang-sharf"])
@pytest.mark.parametrize("e", [1e-9, 1e-3, *GRID, 0.999, 1.0 - 1e-9, 1.0])
def test_exact_laws_deliver_what_is_asked(name: str, e: float) -> None:
    assert delivered(name, e) == pytest.approx(e, rel=1e-12)


@pytest.mark.parametrize("e", GRID)
def test_exact_factor_solves_the_printed_relation(e: float) -> None:
    c = exact_factor(e)
    assert c > 1e-2
    assert (1.0 + c) == pytest.approx((1.0 - e * c) * math.exp(c * (1.0 + e)), rel=2e-6)
    # The approximation its authors offer in its place.
    assert delivered_restitution((1.0 - e**2) / e) == pytest.approx(e, abs=0.033)


@given(c=st.floats(0.0, 1e6))
@example(c=1e-157)
def test_delivered_and_exact_are_inverses(c: float) -> None:
    e = delivered_restitution(c)
    assert 0.0 < e <= 1.0
    assert e * c < 1.0 + 1e-12
    assert exact_factor(e) == pytest.approx(c, rel=1e-6, abs=4e-15)


def test_the_largest_factors_have_a_restitution_too() -> None:
    assert delivered_restitution(1.5e308) == pytest.approx(1.0 / 1.5e308, rel=1e-15)


def test_energy_lost() -> None:
    c = 0.75
    e = restitution_by_bisection(c)
    assert lost_energy_fraction(c) == pytest.approx(1.0 - e**2, rel=1e-12)
    assert lost_energy(c, 2.0, 3.0) == pytest.approx(9.0 * (1.0 - e**2), rel=1e-12)
    assert lost_energy(0.0, 2.0, 3.0) == 0.0


@pytest.mark.parametrize("wrong", [-1e-9, math.nan, math.inf])
def test_factor_outside_its_range_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="hysteresis factor"):
        delivered_restitution(wrong)


def test_kelvin_voigt_ratio_and_limits() -> None:
    assert kelvin_voigt_damping_ratio(400.0, 8.0, 0.25) == 0.4
    assert kelvin_voigt_restitution(0.0) == kelvin_voigt_restitution(0.0, "printed") == 1.0
    assert kelvin_voigt_restitution(1.0, "printed") == kelvin_voigt_restitution(2.0, "printed") == 0.0
    # The clamped form passes critical damping without a jump and keeps falling.
    assert kelvin_voigt_restitution(1.0) == math.exp(-2.0)
    for near in (1.0 - 1e-9, 1.0 + 1e-9):
        assert kelvin_voigt_restitution(near) == pytest.approx(math.exp(-2.0), rel=1e-8)
    ratios = np.linspace(0.0, 5.0, 101)
    assert (np.diff([kelvin_voigt_restitution(z) for z in ratios]) < 0.0).all()
    with pytest.raises(ValueError, match="damping ratio"):
        kelvin_voigt_restitution(-0.1)


@pytest.mark.parametrize("z", [0.05, 0.4, 0.9, 1.6])
def test_kelvin_voigt_from_the_linear_solution(z: float) -> None:
    # d'' + 2 z d' + d = 0, d(0) = 0, d'(0) = 1 by its two exponentials; the force is -d''.
    roots = np.roots([1.0, 2.0 * z, 1.0])
    weight = 1.0 / (roots[0] - roots[1])

    def derivative(order: int, t: float) -> float:
        return float(
            (
                weight * (roots[0] ** order * np.exp(roots[0] * t) - roots[1] ** order * np.exp(roots[1] * t))
            ).real
        )

    times = np.linspace(1e-3, 12.0, 20_000)
    force = np.array([-derivative(2, t) for t in times])
    first = int(np.argmax(force < 0.0))
    free = brentq(lambda t: derivative(2, t), times[first - 1], times[first], xtol=1e-14)
    assert kelvin_voigt_restitution(z) == pytest.approx(-derivative(1, free), rel=1e-10)
    if z < 1.0:
        parted = math.pi / math.sqrt(1.0 - z * z)
        assert abs(derivative(0, parted)) < 1e-12
        assert kelvin_voigt_restitution(z, "printed") == pytest.approx(-derivative(1, parted), rel=1e-10)
