"""One contract for every friction law; a new law is one line in LAWS."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from condyle._jit import plain
from condyle.laws.friction import brown_mcphee, coulomb

brown_mcphee_force = plain(brown_mcphee.brown_mcphee_force)
coulomb_force = plain(coulomb.coulomb_force)


class Friction(NamedTuple):
    """A law with its parameters set, functions of normal force and speed, and its largest coefficient."""

    force: Callable[[float, float], float]
    power: Callable[[float, float], float]
    most: Callable[[float], float]


def bound(module: object, name: str, most: Callable[[float], float], *parameters: float) -> Friction:
    """Bind a law's ladder to its parameters."""
    force, power = (plain(getattr(module, f"{name}_{rung}")) for rung in ("force", "power"))
    return Friction(lambda n, v: force(n, *parameters, v), lambda n, v: power(n, *parameters, v), most)


LAWS = {
    "coulomb": bound(coulomb, "coulomb", lambda _: 0.45, 0.45, 1e-4, 1e-3),
    "coulomb with a jump": bound(coulomb, "coulomb", lambda _: 0.45, 0.45, 1e-3, 1e-3),
    "brown-mcphee": bound(brown_mcphee, "brown_mcphee", lambda _: 0.6, 0.6, 0.4, 0.0, 1e-3),
    "brown-mcphee with viscous growth": bound(
        brown_mcphee, "brown_mcphee", lambda v: 0.6 + 0.3 * abs(v), 0.6, 0.4, 0.3, 1e-3
    ),
}
EACH = pytest.mark.parametrize("law", LAWS.values(), ids=list(LAWS))
SPEEDS = st.floats(-1e2, 1e2) | st.floats(-5e-3, 5e-3)


@EACH
@given(normal=st.floats(-1e3, 1e3), speed=SPEEDS)
def test_friction_opposes_is_odd_and_never_feeds_energy(law: Friction, normal: float, speed: float) -> None:
    force = law.force(normal, speed)
    assert force * speed <= 0.0
    assert law.force(normal, -speed) == -force
    assert law.power(normal, speed) == force * speed
    assert abs(force) <= max(normal, 0.0) * law.most(speed) * 1.001


@EACH
def test_at_rest_and_without_pressure_nothing_acts(law: Friction) -> None:
    assert law.force(100.0, 0.0) == 0.0
    for speed in (-1.0, 1e-4, 3.0):
        assert law.force(0.0, speed) == 0.0
        assert law.force(-50.0, speed) == 0.0
    assert law.force(100.0, 1.0) < -10.0


@EACH
@given(normal=st.floats(0.0, 1e3), speed=SPEEDS)
def test_friction_is_proportional_to_pressure(law: Friction, normal: float, speed: float) -> None:
    assert law.force(normal, speed) == pytest.approx(normal * law.force(1.0, speed), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize(
    ("speed", "correction"), [(0.9e-4, 0.0), (1e-4, 0.0), (5.5e-4, 0.5), (1e-3, 1.0), (7.0, 1.0)]
)
def test_dynamic_correction_as_printed(speed: float, correction: float) -> None:
    assert coulomb_force(100.0, 0.45, 1e-4, 1e-3, speed) == pytest.approx(
        -45.0 * correction, rel=1e-12, abs=1e-15
    )
    assert coulomb_force(100.0, 0.45, 1e-4, 1e-3, -speed) == pytest.approx(
        45.0 * correction, rel=1e-12, abs=1e-15
    )


def test_correction_is_continuous() -> None:
    speeds = np.linspace(-2e-3, 2e-3, 4001)
    forces = np.array([coulomb_force(100.0, 0.45, 1e-4, 1e-3, v) for v in speeds])
    assert np.abs(np.diff(forces)).max() <= 1.001 * 45.0 * 1e-6 / 0.9e-3


def test_stiction_peaks_near_the_transition_speed_and_settles_at_the_dynamic_coefficient() -> None:
    def force(speed: float) -> float:
        return brown_mcphee_force(1.0, 0.6, 0.4, 0.0, 1e-3, speed)

    peak = minimize_scalar(force, bounds=(1e-5, 5e-3), method="bounded")
    assert -peak.fun == pytest.approx(0.6, rel=2e-3)
    assert peak.x == pytest.approx(1e-3, rel=0.05)
    assert force(1.0) == pytest.approx(-0.4, rel=1e-6)


@pytest.mark.parametrize("r", [0.2, 1.0, 2.5])
def test_brown_mcphee_as_printed(r: float) -> None:
    expected = 0.4 * math.tanh(4.0 * r) + 0.2 * r / (0.25 * r**2 + 0.75) ** 2
    assert brown_mcphee_force(10.0, 0.6, 0.4, 0.0, 1e-3, 1e-3 * r) == pytest.approx(
        -10.0 * expected, rel=1e-12
    )
    grown = brown_mcphee_force(10.0, 0.6, 0.4, 0.3, 2.0, 2.0 * r)
    assert grown == pytest.approx(-10.0 * (expected + 0.3 * 2.0 * r), rel=1e-12)


def test_extreme_speeds_stay_finite() -> None:
    for speed in (1e-300, 1e150):
        assert math.isfinite(brown_mcphee_force(10.0, 0.6, 0.4, 0.0, 1e-3, speed))
