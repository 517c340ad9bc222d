"""Generalised-alpha in space: its order, its agreement with explicit methods, its steps, its slopes of foundations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import condyle
from condyle.analysis.coordinates import moved
from condyle.contact.foundation.slopes import add_foundation_slopes
from condyle.mechanics.space import FORCE, ROTATION, TORQUE
from condyle.testing import assert_order
from small_models import Section, run, tight
from space_models import SOFT, SpaceEvaluation, ball_on_plate, heavy_top, in_space

Array = NDArray[np.float64]
pytestmark = pytest.mark.compiled


def implicit(duration: float, step: float, **more: Any) -> Section:
    return run(duration, step=step, integrator="generalized-alpha", audit_tolerance=0.5, **more)


def test_the_order_on_the_heavy_top() -> None:
    """Its precession in closed form; the tip bears it; joints hold exactly."""

    def error(step: float) -> float:
        results = heavy_top(0.6, 3.0, implicit(0.6, step))
        tip = results.dataset["position"].values[:, 1]
        assert np.linalg.norm(tip, axis=1) == pytest.approx(0.3, abs=1e-9)
        return abs(float(results.dataset["measure_value"].sel(measure="precession")[-1]) - 1.8)

    steps = [2e-3, 1e-3, 5e-4]
    assert_order(steps, [error(step) for step in steps], 2)


def test_forces_of_joints_on_the_heavy_top() -> None:
    """The tip bears the weight, and what keeps the centre of mass on its circle."""

    def error(step: float) -> float:
        force = heavy_top(0.6, 3.0, implicit(0.3, step)).dataset["joint_force"].sel(joint="tip").values[-1]
        circle = 0.3 * math.sin(0.6) * 9.0
        return float(np.hypot(force[2] - 9.81, np.hypot(force[0], force[1]) - circle))

    steps = [2e-3, 1e-3, 5e-4]
    assert_order(steps, [error(step) for step in steps], 2)


def test_a_nodding_top_goes_as_an_explicit_method_has_it() -> None:
    one = heavy_top(0.6, 3.0, tight(0.5), faster=-8.0).dataset
    other = heavy_top(0.6, 3.0, implicit(0.5, 2e-4), faster=-8.0).dataset
    nutation = one["measure_value"].sel(measure="nutation").values
    assert np.ptp(nutation) > 0.05
    for name, within in (("position", 3e-4), ("orientation", 2e-3), ("joint_force", 0.05)):
        assert other[name].values == pytest.approx(one[name].values, abs=within), name


def test_steps_follow_the_tolerances() -> None:
    """A ball falls, which needs few steps, and bounces, which needs many; both runs end in one place."""
    fall = {"ball": {"velocity": [0.1, -0.5, 0.0]}}
    exact = float(
        condyle.simulate(ball_on_plate(tight(0.03), 0.005, **fall)).dataset["position"].values[-1, 1, 1]
    )
    errors, counts = [], []
    for tolerance in (1e-4, 1e-6):
        settings = implicit(
            0.03, 1e-4, step_control=True, relative_tolerance=tolerance, absolute_tolerance=1e-2 * tolerance
        )
        results = condyle.simulate(ball_on_plate(settings, 0.005, **fall))
        errors.append(abs(float(results.dataset["position"].values[-1, 1, 1]) - exact))
        counts.append(results.audit.steps)
    assert errors[1] < 0.1 * errors[0]
    assert errors[0] < 1e-3
    assert counts[1] > 2 * counts[0]


def pressed(damping: float, friction: Any, flat: bool) -> SpaceEvaluation:
    """Two free balls in each other."""
    body = {"mass": 0.5, "inertia": [2e-4, 3e-4, 2.5e-4]}
    surface = {"ball": {"radius": 0.02, "level": 3}, "smooth": not flat, "layer": SOFT}
    bodies = {
        "one": {**body, "position": [0.01, -0.02, 0.005], "orientation": {"axis": [1, 2, 3], "angle": 0.8}},
        "two": {**body, "position": [0.03, 0.009, 0.017], "orientation": {"axis": [2, -1, 1], "angle": -1.3}},
    }
    contact = {"kind": "foundation", "between": ["first", "second"], "damping": damping, "friction": friction}
    return SpaceEvaluation(
        in_space(
            bodies,
            run(1.0),
            surfaces={
                "first": {"body": "one", "at": [0.001, 0.002, -0.003], **surface},
                "second": {"body": "two", "at": [-0.002, 0.001, 0.001], **surface},
            },
            contacts={"touch": contact},
        )
    )


def forces(mechanical: SpaceEvaluation, q: Array, v: Array) -> Array:
    """Forces along all rates: force in global axes and moment in the body's own, of each body in turn."""
    work = mechanical.at(q, v).work
    rows = [mechanical.row(name) for name in ("one", "two")]
    return np.concatenate(
        [
            part
            for row in rows
            for part in (
                work[row, FORCE : FORCE + 3],
                work[row, TORQUE : TORQUE + 3] @ work[row, ROTATION : ROTATION + 9].reshape(3, 3),
            )
        ]
    )


FRICTION = {"kind": "coulomb", "coefficient": 0.2, "slow": 0.01, "fast": 0.1}


@pytest.mark.parametrize(
    ("damping", "friction"), [(0.0, None), (3.0, None), (3.0, FRICTION)], ids=["elastic", "damped", "rough"]
)
def test_slopes_of_foundations_are_those_of_the_forces(damping: float, friction: Any) -> None:
    """Differences over all twelve rates of two free bodies, whose rates change with their places as in a step."""
    mechanical = pressed(damping, friction, flat=False)
    model, (q, _) = mechanical.model, mechanical.start
    rest, to_velocity, n = np.zeros(12), 40.0, 12
    assert np.linalg.norm(forces(mechanical, q, rest)[:3]) > 1.0
    seen = mechanical.at(q, rest)
    found = np.zeros((n, n))
    add_foundation_slopes(model.arrays.space, model.arrays, seen.work, to_velocity, 1.0, found)
    expected = np.zeros((n, n))
    for k in range(n):
        step = np.zeros(n)
        step[k] = 1e-6
        ends = [
            forces(mechanical, moved(model, q, sign * step), sign * to_velocity * step) for sign in (1, -1)
        ]
        expected[:, k] = (ends[0] - ends[1]) / 2e-6
    # Turns are counted by the radius.
    scale = np.array([1.0, 1.0, 1.0, 0.02, 0.02, 0.02] * 2)
    difference = np.abs(found - expected) / np.outer(scale, scale)
    assert difference.max() < 5e-3 * (np.abs(expected) / np.outer(scale, scale)).max()
    assert not np.allclose(expected, expected.T, rtol=1e-3)
