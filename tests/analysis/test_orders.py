"""The order at which errors fall with the step: two-sided, over smooth motion, and through contact."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import condyle
from condyle.analysis.forward import forward
from condyle.analysis.trajectory import Trajectory
from condyle.mechanics.system import Array
from condyle.model.compiled import compiled
from condyle.model.spec import Spec
from condyle.results.simulation import results_of
from condyle.testing import assert_order
from small_models import ball_on_ground, elastic_pendulum, run, tight

FIXED = ("rk-gill", "rk4")


def trajectory(spec: Spec) -> Trajectory:
    """One run."""
    return forward(compiled(spec))


def motion(of: Trajectory) -> Array:
    """Positions and velocities at the rows, without the work integrals, shape (n_row, 6 n_free)."""
    return of.y[:, : 6 * len(of.model.free_bodies)]


@cache
def smooth_reference() -> Array:
    """The pendulum by a method of order 8 at tolerances near round-off."""
    found = trajectory(elastic_pendulum(tight(1.0, relative_tolerance=1e-13, absolute_tolerance=1e-15)))
    assert found.events == 0
    return motion(found)


@pytest.mark.parametrize("integrator", FIXED)
def test_order_over_smooth_motion(integrator: str) -> None:
    """Order 4 at the output rows, which lie between the steps: the cubic between them keeps it."""
    steps = [0.013, 0.0065, 0.00325, 0.001625]
    errors = []
    for step in steps:
        found = trajectory(elastic_pendulum(run(1.0, step, integrator)))
        errors.append(np.abs(motion(found) - smooth_reference()).max())
    assert_order(steps, errors, 4.0)


@pytest.mark.parametrize("integrator", ["dopri5", "dopri8", "radau"])
def test_adaptive_methods_agree(integrator: str) -> None:
    """Errors follow the tolerance."""
    for tolerance, bound in ((1e-6, 1e-4), (1e-9, 1e-7), (1e-12, 2e-10)):
        settings = run(
            1.0, 1e-3, integrator, relative_tolerance=tolerance, absolute_tolerance=0.01 * tolerance
        )
        found = trajectory(elastic_pendulum(settings))
        assert np.abs(motion(found) - smooth_reference()).max() < bound


@cache
def knee(step: float, integrator: str = "rk-gill") -> Trajectory:
    """The Hertz knee with its 28 changes of branch, 14 of them the contact's."""
    return trajectory(condyle.load("planar-knee").updated({"run.step": step, "run.integrator": integrator}))


@pytest.mark.compiled
@pytest.mark.parametrize("integrator", FIXED)
def test_order_of_the_knee(integrator: str) -> None:
    """Order 4 in the motion, through all its contacts and slackenings."""
    reference = motion(knee(5e-6))
    steps = [1.6e-4, 8e-5, 4e-5]
    errors = [np.abs(motion(knee(step, integrator)) - reference).max() for step in steps]
    assert_order(steps, errors, 4.0, tolerance=0.15)


@pytest.mark.compiled
@pytest.mark.parametrize("integrator", FIXED)
def test_energy_residual_of_the_knee(integrator: str) -> None:
    """Asked: 1e-10 at 1e-5 s, falling with order 4 above it. Measured: 7e-14, and order 5.

    The energy of an oscillation is kept one order better than its phase, in which the errors of order 4 are.
    Below 2e-5 s what is left is round-off and the first instants of each contact, where the force grows like d^1.5.
    """
    steps = [3.2e-4, 1.6e-4, 8e-5, 4e-5]
    residuals = [results_of(knee(step, integrator)).audit.relative_residual for step in steps]
    assert results_of(knee(1e-5, integrator)).audit.relative_residual < 1e-12
    assert_order(steps, residuals, 5.0)


@pytest.mark.compiled
@pytest.mark.parametrize(("kind", "damping"), [("clamp", 20.0), ("printed", 20.0)])
def test_a_force_that_jumps_keeps_the_order(kind: str, damping: float) -> None:
    """Kelvin-Voigt sets in with C v0 all at once and, as printed, stops the same way."""
    law = {"kind": "kelvin-voigt", "stiffness": 1e5, "damping": damping, "tension": kind}

    def motion_at_the_end(step: float) -> Array:
        found = trajectory(ball_on_ground(law, run(0.01, step), height=0.00123))
        assert found.events == (3 if kind == "clamp" else 2)
        return np.asarray(motion(found)[-1])

    steps = [1.6e-4, 8e-5, 4e-5, 2e-5]
    exact = motion_at_the_end(1e-6)
    assert_order(steps, [np.abs(motion_at_the_end(step) - exact).max() for step in steps], 4.0, tolerance=0.3)


@pytest.mark.compiled
def test_onset_at_speed_limits_a_hertz_contact() -> None:
    """The honest figure: where a Hertz contact begins at speed its force grows like t^1.5, and the errors of a
    fixed step fall no faster than h^2.5, unsteadily; at 1e-5 s a parting speed is right to 1e-8 of itself.
    """
    errors = {}
    for step in (4e-5, 1e-5, 2.5e-6):
        found = trajectory(
            ball_on_ground({"kind": "hertz", "stiffness": 1e6}, run(0.01, step), height=0.00123)
        )
        errors[step] = abs(motion(found)[-1, 4] - 1.0)
    assert errors[4e-5] < 3e-7
    assert errors[1e-5] < 1e-8
    assert errors[2.5e-6] < 3e-10
