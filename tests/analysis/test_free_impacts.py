"""Free impacts, no gravity: what comes back, what is lost and what the audit says, against closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import condyle
from condyle.laws.contact import CONTACT_LAWS, HYSTERESIS
from condyle.laws.contact.restitution import (
    delivered_restitution,
    kelvin_voigt_damping_ratio,
    kelvin_voigt_restitution,
    lost_energy,
)
from condyle.results import Results
from reference.impact import delivered_restitution as by_first_integral
from reference.impact import free_impact
from small_models import Section, ball_on_ground, damped, hertz, run, tight

MASS, SPEED = 0.2, 1.0
FAMILY = [law.name for law in CONTACT_LAWS.values() if law.kind == HYSTERESIS and law.name != "hertz"]


def impact(law: Section, integrator: str = "dopri8", **more: Any) -> Results:
    """The ball thrown at the floor from a small height."""
    settings = run(0.012, 1e-5) if integrator == "rk-gill" else tight(0.012, integrator, **more)
    return condyle.simulate(ball_on_ground(law, settings, height=0.00123))


def rebound(results: Results) -> float:
    """Upward speed of the ball at the end [m/s]."""
    assert results.complete
    return float(results.dataset["velocity"].sel(body="ball", axis="y")[-1])


def lost(results: Results) -> float:
    """Energy dissipated in all [J]."""
    return float(results.dataset["energy"].sel(kind="dissipated")[-1])


@pytest.mark.parametrize("asked", [0.3, 0.8])
@pytest.mark.parametrize("kind", FAMILY)
def test_the_hysteresis_family(kind: str, asked: float) -> None:
    """Restitution delivered and energy lost, to 1e-10; the pull is never reached, so both tensions are one."""
    factor = CONTACT_LAWS[kind].hysteresis_factor
    assert factor is not None
    # The force sets in like t^1.5, which the error estimate of order 8 sees too late at a tolerance of 1e-12.
    tolerances: Section = {"relative_tolerance": 1e-13, "absolute_tolerance": 1e-15}
    clamped, printed = (impact(damped(kind, asked, tension=t), **tolerances) for t in ("clamp", "printed"))
    expected = delivered_restitution(factor(asked))
    assert abs(expected - by_first_integral(factor(asked))) < 1e-12
    assert abs(rebound(clamped) - expected) < 1e-10
    assert abs(lost(clamped) - lost_energy(factor(asked), MASS, SPEED)) < 2e-11
    assert np.array_equal(clamped.dataset["position"], printed.dataset["position"])
    assert clamped.audit.clamped_time == {"touch": 0.0}
    assert clamped.audit.relative_residual < 1e-10


@pytest.mark.parametrize("integrator", ["rk-gill", "dopri5", "radau"])
def test_lankarani_nikravesh_by_every_method(integrator: str) -> None:
    """Asked 0.3, it gives back 0.684; peak depth and force as an independent quadrature has them."""
    found, factor = impact(damped("lankarani-nikravesh", 0.3), integrator), 0.75 * (1.0 - 0.09)
    expected = free_impact(MASS, SPEED, 1e6, factor)
    assert abs(expected.restitution - 0.684) < 1e-3
    assert abs(rebound(found) - expected.restitution) < 1e-8
    assert abs(lost(found) - expected.loss) < 1e-9
    # Peaks are the largest of the steps.
    assert -1e-12 <= expected.depth - found.audit.deepest_penetration["touch"] < 1e-3 * expected.depth
    assert abs(float(found.dataset["peak_contact_force"][0]) - expected.force) < 1e-3 * expected.force


def test_hertz_loses_nothing() -> None:
    """All comes back."""
    found = impact(hertz())
    assert abs(rebound(found) - SPEED) < 3e-10
    assert lost(found) == 0.0


@pytest.mark.parametrize("integrator", ["rk-gill", "dopri8", "radau"])
@pytest.mark.parametrize("tension", ["clamp", "printed"])
@pytest.mark.parametrize("damping", [20.0, 200.0])
def test_kelvin_voigt(damping: float, tension: Any, integrator: str) -> None:
    """Restitution and loss; the pull that was cut off lasts C/K, and its work is that of the printed force."""
    stiffness = 1e5
    law = {"kind": "kelvin-voigt", "stiffness": stiffness, "damping": damping, "tension": tension}
    found = impact(law, integrator)
    ratio = kelvin_voigt_damping_ratio(stiffness, damping, MASS)
    expected = kelvin_voigt_restitution(ratio, tension)
    assert abs(rebound(found) - expected) < 1e-9
    assert abs(lost(found) - 0.5 * MASS * SPEED**2 * (1.0 - expected**2)) < 1e-8
    assert found.audit.relative_residual < 1e-9
    if tension == "printed":
        assert found.audit.clamped_time == {"touch": 0.0}
        return
    # From the instant the force is zero, K d = -C d', the ball flies on at its speed v: C/K long, over d = C v/K.
    assert abs(found.audit.clamped_time["touch"] - damping / stiffness) < 1e-9
    work = 0.5 * damping**2 * expected**2 / stiffness
    assert abs(found.audit.clamped_work["touch"] - work) < 1e-5 * work


def test_a_pull_under_another_force() -> None:
    """The ball is drawn off faster than the law lets it part: clamped time and work against a quadrature of the rows.

    As printed the same contact pulls; it ends later and loses more.
    """
    course = {"kind": "table", "times": [0.0, 0.0035, 0.0035, 1.0], "values": [0.0, 0.0, 1.0, 1.0]}
    forces = {"draw": {"body": "ball", "direction": [0, 1], "amplitude": 3000.0, "course": course}}
    found = {}
    for tension in ("clamp", "printed"):
        spec = ball_on_ground(damped("gonthier", 0.5, tension=tension), run(0.0045, 1e-6, output_step=1e-6))
        spec = spec.updated({"forces": forces})
        found[tension] = condyle.simulate(spec)
    clamped, printed = found["clamp"], found["printed"]
    contact = clamped.dataset.sel(contact="touch")
    depth, rate = contact["contact_depth"].values, contact["contact_rate"].values
    factor = CONTACT_LAWS["gonthier"].hysteresis_factor
    assert factor is not None
    force = 1e6 * np.maximum(depth, 0.0) ** 1.5 * (1.0 + factor(0.5) * rate)
    pulls = force < 0.0
    time = clamped.dataset["time"].values
    assert clamped.audit.clamped_time["touch"] > 1e-5
    assert abs(clamped.audit.clamped_time["touch"] - np.count_nonzero(pulls) * 1e-6) < 2e-6
    work = np.trapezoid(np.where(pulls, -force * -rate, 0.0) * -1.0, time)
    assert math.isclose(clamped.audit.clamped_work["touch"], abs(work), rel_tol=1e-3)
    assert (contact["contact_normal_force"].values >= 0.0).all()
    assert printed.dataset["contact_normal_force"].values.min() < -10.0
    assert lost(printed) > lost(clamped)
    assert max(clamped.audit.relative_residual, printed.audit.relative_residual) < 1e-9
