"""Generalised-alpha on mechanisms and beams: its order, its joints, its reactions, its events, its own steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import condyle
from condyle.model.spec import Spec
from condyle.results import Results
from condyle.testing import assert_order

STEPS = [4e-3, 2e-3, 1e-3]


def swung(**more: Any) -> Spec:
    """The double pendulum for a while, by generalised-alpha unless told otherwise."""
    settings = {
        "duration": 0.8,
        "output_step": 0.04,
        "integrator": "generalized-alpha",
        "audit_tolerance": 0.5,
    }
    changes = {f"run.{name}": value for name, value in (settings | more).items()}
    return condyle.load("double-pendulum").updated(changes)


def angles(results: Results) -> np.ndarray:
    return np.asarray(results.dataset["angle"].sel(body=["upper", "lower"]).values)


@pytest.fixture(scope="module")
def reference() -> Results:
    return condyle.simulate(swung(integrator="rk-gill", step=1e-4))


@pytest.mark.parametrize("radius", [0.0, 0.8, 1.0])
def test_the_order_is_two(reference: Results, radius: float) -> None:
    errors = []
    for step in STEPS:
        found = condyle.simulate(swung(step=step, spectral_radius=radius, newton_tolerance=1e-12))
        errors.append(float(np.abs(angles(found) - angles(reference)).max()))
    assert_order(STEPS, errors, 2.0)


def test_joints_stay_closed_and_pull_as_they_do_by_another_method(reference: Results) -> None:
    errors = []
    for step in STEPS:
        found = condyle.simulate(swung(step=step, newton_tolerance=1e-12))
        assert found.audit.constraint_drift < 1e-11
        # The first rows still feel how the method begins.
        difference = (found.dataset["joint_force"] - reference.dataset["joint_force"]).isel(
            time=slice(2, None)
        )
        errors.append(float(np.abs(difference).max()))
    assert float(np.abs(reference.dataset["joint_force"]).max()) > 20.0
    assert_order(STEPS, errors, 2.0, tolerance=0.3)


def test_energy_that_is_missing_falls_with_the_square_of_the_step() -> None:
    residuals = [
        abs(condyle.simulate(swung(step=h, newton_tolerance=1e-12)).audit.energy_residual) for h in STEPS
    ]
    assert_order(STEPS, residuals, 2.0, tolerance=0.5)


def test_a_driver_is_followed_and_its_effort_found() -> None:
    """The four-bar: what drives it by generalised-alpha is what inverse dynamics says."""
    base = condyle.load("four-bar").updated({"run.duration": 1.0, "run.audit_tolerance": 0.5})
    inverse = condyle.simulate(base.updated({"run.analysis": "inverse"})).dataset
    found = condyle.simulate(base.updated({"run.integrator": "generalized-alpha", "run.step": 5e-4})).dataset
    assert float(np.abs(inverse["angle"] - found["angle"]).max()) < 1e-9
    size = float(np.abs(inverse["driver_effort"]).max())
    assert size > 0.5
    assert float(np.abs(inverse["driver_effort"] - found["driver_effort"]).max()) < 2e-3 * size


def test_a_contact_begins_when_it_does() -> None:
    """The ball: first touch and height after the bounce."""
    base = condyle.load("bouncing-ball", "lossless").updated(
        {"run.duration": 0.5, "run.audit_tolerance": 0.5}
    )
    errors = []
    steps = [4e-5, 2e-5, 1e-5]
    expected = condyle.simulate(base.updated({"run.step": 5e-6})).dataset["position"]
    for step in steps:
        found = condyle.simulate(base.updated({"run.integrator": "generalized-alpha", "run.step": step}))
        assert found.audit.events == 2
        errors.append(float(np.abs(found.dataset["position"] - expected).max()))
    assert errors[-1] < 1e-4
    assert errors[-1] < 0.5 * errors[0]


def test_steps_of_its_own_choice_meet_the_tolerance(reference: Results) -> None:
    errors, counts = [], []
    for tolerance in (1e-5, 1e-7):
        spec = swung(
            step=1e-4, step_control=True, relative_tolerance=tolerance, absolute_tolerance=0.1 * tolerance
        )
        found = condyle.simulate(spec)
        errors.append(float(np.abs(angles(found) - angles(reference)).max()))
        counts.append(found.audit.steps)
    assert counts[0] < 8000
    assert counts[0] < counts[1]
    assert errors[0] < 2e-2
    assert errors[1] < 0.1 * errors[0]


@pytest.mark.parametrize("kind", ["cable", "shear-deformable"])
def test_beams_bend_as_they_do_by_another_method(kind: str) -> None:
    """A soft pendulum, at a step ten times what the explicit method bears."""
    base = condyle.load("flexible-pendulum").updated(
        {
            "beams.bar.kind": kind,
            "beams.bar.elements": 4,
            "run.duration": 0.4,
            "run.output_step": 0.02,
            "run.audit_tolerance": 0.5,
        }
    )
    explicit = condyle.simulate(base.updated({"run.step": 2e-5})).dataset["beam_position"]
    errors = []
    for step in (1e-3, 5e-4):
        changes = {"run.integrator": "generalized-alpha", "run.step": step}
        found = condyle.simulate(base.updated(changes)).dataset["beam_position"]
        errors.append(float(np.abs(found - explicit).max()))
    assert errors[0] < 5e-3
    assert errors[1] < 0.4 * errors[0]
