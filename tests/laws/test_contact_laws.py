"""One contract for every law of normal contact, over the registry: a new law is tested by being listed."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from condyle._jit import plain
from condyle.laws.contact import CONTACT_LAWS, HYSTERESIS, KELVIN_VOIGT, ContactLaw, delivered
from condyle.laws.contact import hertz as elastic
from condyle.laws.contact import hysteresis as damped
from condyle.laws.contact import kelvin_voigt as linear
from condyle.laws.contact.restitution import (
    delivered_restitution,
    kelvin_voigt_damping_ratio,
    kelvin_voigt_restitution,
    lost_energy,
)
from condyle.testing import assert_balance, assert_gradient

STIFFNESS, LINEAR_STIFFNESS, DAMPING, MASS, FLOOR = 8.0e5, 3.0e4, 60.0, 0.8, 1e-3
EXPONENTS = (1.0, 1.5, 2.2, 2.0 / 3.0)
RESTITUTIONS = (0.1, 0.3, 0.5, 0.9, 1.0)


def over(laws: list[ContactLaw]) -> pytest.MarkDecorator:
    """Run a test once for each law."""
    return pytest.mark.parametrize("law", laws, ids=[law.name for law in laws])


LAWS = over(list(CONTACT_LAWS.values()))
WITH_RESTITUTION = over([law for law in CONTACT_LAWS.values() if law.kind == HYSTERESIS])
WITH_FACTOR = over([law for law in CONTACT_LAWS.values() if law.hysteresis_factor])


class Contact(NamedTuple):
    """A law with all its parameters set: functions of depth, rate and the rate at onset."""

    energy: Callable[[float], float]
    stiffness: Callable[[float], float]
    force: Callable[[float, float, float], float]
    power: Callable[[float, float, float], float]
    factor: float


def contact(law: ContactLaw, restitution: float = 0.5, exponent: float = 1.5) -> Contact:
    """Fill in the parameters; plain functions, for hypothesis and the integrator to call many times."""
    if law.kind == KELVIN_VOIGT:
        return Contact(
            energy=lambda d: plain(linear.kelvin_voigt_energy)(LINEAR_STIFFNESS, d),
            stiffness=lambda d: plain(linear.kelvin_voigt_stiffness)(LINEAR_STIFFNESS, d),
            force=lambda d, v, _: plain(linear.kelvin_voigt_force)(LINEAR_STIFFNESS, DAMPING, d, v),
            power=lambda d, v, _: plain(linear.kelvin_voigt_power)(LINEAR_STIFFNESS, DAMPING, d, v),
            factor=math.nan,
        )
    factor = law.hysteresis_factor(restitution) if law.hysteresis_factor else 0.0
    ratio = plain(damped.bounded_rate_ratio)
    force, power = plain(damped.hysteresis_force), plain(damped.hysteresis_power)
    return Contact(
        energy=lambda d: plain(elastic.hertz_energy)(STIFFNESS, exponent, d),
        stiffness=lambda d: plain(elastic.hertz_stiffness)(STIFFNESS, exponent, d),
        force=lambda d, v, v0: force(STIFFNESS, exponent, factor, d, ratio(v, v0, FLOOR)),
        power=lambda d, v, v0: power(STIFFNESS, exponent, factor, d, v, ratio(v, v0, FLOOR)),
        factor=factor,
    )


def test_registry_lists_each_law_under_its_name() -> None:
    assert list(CONTACT_LAWS) == [
        "hertz",
        "lankarani-nikravesh",
        "hunt-crossley",
        "flores",
        "gonthier",
        "carvalho-martins",
        "hu-guo",
        "zhang-sharf",
        "kelvin-voigt",
    ]
    for name, law in CONTACT_LAWS.items():
        assert law.name == name
        assert law.kind in (HYSTERESIS, KELVIN_VOIGT)
        assert law.title.endswith(".")


def test_the_registry_compiles_nothing() -> None:
    code = "import sys, condyle.laws.contact; sys.exit('numba' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


@LAWS
@pytest.mark.parametrize("depth", [0.0, -0.0, -1e-12, -1.0])
def test_nothing_acts_before_touch(law: ContactLaw, depth: float) -> None:
    for exponent in EXPONENTS:
        c = contact(law, exponent=exponent)
        for rate in (-2.0, 0.0, 2.0):
            numbers = (
                c.energy(depth),
                c.stiffness(depth),
                c.force(depth, rate, 0.1),
                c.power(depth, rate, 0.1),
            )
            assert numbers == (0.0, 0.0, 0.0, 0.0)


@LAWS
@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("depth", [1e-5, 1e-3, 0.2])
def test_at_rest_force_is_the_slope_of_energy_and_stiffness_of_force(
    law: ContactLaw, exponent: float, depth: float
) -> None:
    c = contact(law, exponent=exponent)
    assert_gradient(c.energy, lambda d: c.force(d, 0.0, 0.1), depth, step=0.1 * depth)
    if law.kind != KELVIN_VOIGT or exponent == 1.5:
        assert_gradient(lambda d: c.force(d, 0.0, 0.1), c.stiffness, depth, step=0.1 * depth)
    assert c.power(depth, 0.0, 0.1) == 0.0


@LAWS
@given(
    depth=st.floats(-1.0, 1.0),
    rate=st.floats(-1e3, 1e3),
    onset=st.floats(0.0, 1e3),
    restitution=st.floats(1e-3, 1.0),
    exponent=st.floats(0.5, 3.0),
)
def test_damping_never_feeds_energy(
    law: ContactLaw, depth: float, rate: float, onset: float, restitution: float, exponent: float
) -> None:
    c = contact(law, restitution, exponent)
    power = c.power(depth, rate, onset)
    assert math.isfinite(power)
    assert power <= 0.0
    # It is the force that does this work: total less elastic, times the rate.
    spread = c.force(depth, rate, onset) - c.force(depth, 0.0, onset)
    size = abs(rate) * (abs(c.force(depth, rate, onset)) + abs(c.force(depth, 0.0, onset)))
    assert power == pytest.approx(-spread * rate, rel=1e-9, abs=1e-15 * size + 1e-300)


@LAWS
def test_force_stays_bounded_as_the_onset_speed_tends_to_zero(law: ContactLaw) -> None:
    c = contact(law, 0.3)
    at_floor = c.force(1e-3, 0.02, FLOOR)
    for onset in (0.0, 1e-300, 1e-12, 0.5 * FLOOR):
        assert c.force(1e-3, 0.02, onset) == at_floor
    # Continuous at the floor, and as printed above it.
    assert c.force(1e-3, 0.02, FLOOR * (1.0 + 1e-9)) == pytest.approx(at_floor, rel=1e-8)
    if law.kind == HYSTERESIS:
        printed = STIFFNESS * 1e-3**1.5 * (1.0 + c.factor * 0.02 / 0.05)
        assert c.force(1e-3, 0.02, 0.05) == pytest.approx(printed, rel=1e-14)


def free_impact(c: Contact, speed: float, clamped: bool) -> tuple[float, float]:
    """Restitution and energy lost [J] of one impact, integrated to high accuracy in Python."""

    def rates(_: float, y: np.ndarray) -> list[float]:
        force = c.force(y[0], y[1], speed)
        return [y[1], -(max(force, 0.0) if clamped else force) / MASS, c.power(y[0], y[1], speed)]

    def parted(t: float, y: np.ndarray) -> float:
        return float(y[0]) if t > 0.0 else 1.0

    parted.terminal = True  # type: ignore[attr-defined]
    parted.direction = -1.0  # type: ignore[attr-defined]
    run = solve_ivp(
        rates,
        (0.0, 10.0),
        [0.0, speed, 0.0],
        method="DOP853",
        rtol=1e-12,
        atol=[1e-16, 1e-14, 1e-16],
        events=parted,
        first_step=1e-7,
    )
    assert run.status == 1, "the bodies did not part"
    assert run.y_events is not None
    end = run.y_events[0][0]
    return -float(end[1]) / speed, -float(end[2])


@WITH_RESTITUTION
@pytest.mark.parametrize("restitution", RESTITUTIONS)
def test_free_impact_delivers_and_loses_its_closed_form(law: ContactLaw, restitution: float) -> None:
    c = contact(law, restitution)
    speed = 0.3
    rebound, loss = free_impact(c, speed, clamped=False)
    assert rebound == pytest.approx(delivered(law.name, restitution), abs=2e-8)
    # In a free impact the force never pulls, so cutting a pull off changes nothing.
    assert free_impact(c, speed, clamped=True)[0] == pytest.approx(rebound, abs=2e-8)
    if c.factor == 0.0:
        assert rebound == pytest.approx(1.0, abs=1e-9)
        assert loss == 0.0
    else:
        expected = lost_energy(c.factor, MASS, speed)
        before, after = 0.5 * MASS * speed**2, 0.5 * MASS * (rebound * speed) ** 2
        assert loss == pytest.approx(expected, rel=1e-7)
        assert_balance({"before": before, "after": -after, "lost": -loss}, tolerance=1e-9)


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.2])
@pytest.mark.parametrize("speed", [0.01, 2.0])
def test_restitution_depends_on_neither_exponent_nor_speed(exponent: float, speed: float) -> None:
    rebound, _ = free_impact(contact(CONTACT_LAWS["flores"], 0.4, exponent), speed, clamped=False)
    assert rebound == pytest.approx(delivered("flores", 0.4), abs=5e-8)


@pytest.mark.parametrize("tension", ["clamp", "printed"])
def test_kelvin_voigt_delivers_its_closed_form(tension: str) -> None:
    ratio = kelvin_voigt_damping_ratio(LINEAR_STIFFNESS, DAMPING, MASS)
    assert 0.1 < ratio < 0.9
    rebound, loss = free_impact(contact(CONTACT_LAWS["kelvin-voigt"]), 0.3, clamped=tension == "clamp")
    assert rebound == pytest.approx(kelvin_voigt_restitution(ratio, tension), abs=1e-8)  # type: ignore[arg-type]
    if tension == "printed":
        assert loss == pytest.approx(0.5 * MASS * 0.3**2 * (1.0 - rebound**2), rel=1e-8)


def test_delivered_says_what_it_cannot_say() -> None:
    assert delivered("hertz", 0.5) == 1.0
    with pytest.raises(ValueError, match="takes no restitution"):
        delivered("kelvin-voigt", 0.5)
    with pytest.raises(KeyError):
        delivered("newton", 0.5)


@WITH_RESTITUTION
@pytest.mark.parametrize("wrong", [0.0, -0.1, 1.0 + 1e-12, math.nan, math.inf])
def test_restitution_outside_its_range_is_refused(law: ContactLaw, wrong: float) -> None:
    with pytest.raises(ValueError, match="coefficient of restitution"):
        delivered(law.name, wrong)


@WITH_FACTOR
def test_factor_falls_with_the_restitution_to_zero_at_one(law: ContactLaw) -> None:
    assert law.hysteresis_factor is not None
    factors = [law.hysteresis_factor(e) for e in np.linspace(0.05, 1.0, 40)]
    assert (np.diff(factors) < 0.0).all()
    assert factors[-1] == 0.0
    assert [delivered_restitution(f) for f in factors] == sorted(delivered_restitution(f) for f in factors)
