"""Beams in large motion: a soft pendulum against converged runs of another kind, and free flight."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from beam_models import beam, end_force, free_beam, held_beam
from condyle.analysis.forward import forward
from condyle.analysis.observe import beam_states
from condyle.analysis.trajectory import Trajectory
from condyle.mechanics.system import Array
from condyle.model.compiled import compiled
from condyle.results import Results
from condyle.results.simulation import results_of, simulate
from condyle.testing import assert_balance, assert_order
from reference.beams import PENDULUM_TIMES, PENDULUM_TIP, SOFT_PENDULUM, Beam
from small_models import Section, run

STEPS = {8: 2e-4, 16: 1e-4, 32: 5e-5, 64: 2.5e-5}


@cache
def swing(elements: int) -> Results:
    """The soft pendulum, released level."""
    settings = run(0.8, STEPS[elements], output_step=0.1)
    bar = beam(SOFT_PENDULUM, elements)
    return simulate(held_beam("revolute", bar, settings, gravity=[0.0, -9.81]))


def tip_errors(elements: int) -> Array:
    """How far the tip is from where it should be, at eight times [m]."""
    data = swing(elements).dataset
    np.testing.assert_allclose(data.time[1:], PENDULUM_TIMES)
    tip = data.measure_value.values[1:]
    return np.asarray(np.abs(tip[:, 0] + 1j * tip[:, 1] - PENDULUM_TIP))


@pytest.mark.parametrize(("elements", "bound"), [(8, 1e-3), (16, 1e-4), (32, 1e-5), (64, 2.5e-6)])
def test_the_soft_pendulum_swings_as_the_converged_one(elements: int, bound: float) -> None:
    """The reference is one polynomial of degree 60 along the whole beam, right to 1e-6 m."""
    assert tip_errors(elements).max() < bound
    assert swing(elements).audit.relative_residual < 1e-9
    assert swing(elements).audit.constraint_drift < 1e-9


def test_refinement_brings_the_soft_pendulum_home() -> None:
    """About order 4 on average over the times, as far as waves of many lengths allow."""
    counts = (8, 16, 32)
    errors = [float(np.sqrt(np.mean(tip_errors(count) ** 2))) for count in counts]
    assert_order([1.0 / count for count in counts], errors, 3.6, tolerance=0.5)


# --- free flight -------------------------------------------------------------------------------------------------

BAR = Beam(1.0, 0.05, 400.0, 0.3)
PUSH: Section = end_force(3.0, 0.6 + 0.8j) | {
    "course": {"kind": "table", "times": [0.0, 0.05, 0.1], "values": [0, 1, 0]}
}
IMPULSE = 0.15 * np.array([0.6, 0.8])


def flight(gravity: float, integrator: str = "rk-gill") -> Trajectory:
    """A beam thrown with a spin, and pushed at its tip for 0.1 s so that it bends."""
    thrown = beam(BAR, 6, velocity=[1.0, 2.0], angular_velocity=5.0)
    settings = run(1.0, 5e-5, integrator)
    return forward(compiled(free_beam(thrown, settings, forces={"push": PUSH}, gravity=[0.0, -gravity])))


def momenta(trajectory: Trajectory) -> tuple[Array, Array, Array]:
    """Momentum (n, 2), angular momentum about the origin (n,), first moment of mass (n, 2)."""
    ((mesh, places, rates),) = beam_states(trajectory.model, trajectory.y)
    moving = np.moveaxis(mesh.mass_times(np.moveaxis(rates, 1, 0)), 0, 1)
    spin = (places[..., 0] * moving[..., 1] - places[..., 1] * moving[..., 0]).sum(axis=1)
    return np.einsum("k,tka->ta", mesh.weight, rates), spin, np.einsum("k,tka->ta", mesh.weight, places)


@pytest.mark.parametrize("gravity", [0.0, 9.81])
def test_free_flight_keeps_momentum_spin_and_energy(gravity: float) -> None:
    """Momentum is what it was thrown with, the impulse and the weight's; spin about the centre stays after the push."""
    trajectory = flight(gravity)
    time = trajectory.time
    momentum, spin, moment = momenta(trajectory)
    centre = moment / 0.3
    start = 0.3 * np.array([1.0, 2.0 + 0.5 * 5.0])
    np.testing.assert_allclose(momentum[0], start, atol=1e-12)
    free = time > 0.1 + 1e-9
    wanted = start + IMPULSE + np.outer(time, [0.0, -0.3 * gravity])
    np.testing.assert_allclose(momentum[free], wanted[free], atol=1e-10)
    own = spin - (centre[:, 0] * momentum[:, 1] - centre[:, 1] * momentum[:, 0])
    np.testing.assert_allclose(own[0], 5.0 * 0.3 / 12, atol=1e-12)
    np.testing.assert_allclose(own[free], own[free][0], atol=1e-10)
    assert abs(own[-1] - own[0]) > 0.01
    results = results_of(trajectory)
    assert results.audit.relative_residual < 1e-8
    energy = results.dataset.energy
    stored = {kind: energy.sel(kind=kind).values[free] for kind in ("kinetic", "gravity", "beam")}
    change = {kind: values - values[0] for kind, values in stored.items()}
    assert_balance(change, tolerance=1e-7)
    assert np.ptp(stored["beam"]) > 0.01


def test_a_beam_in_flight_turns_at_its_own_pace() -> None:
    """Thrown without a push it stretches a little and stays straight: a spinning bar."""
    thrown = beam(BAR, 6, velocity=[1.0, 2.0], angular_velocity=5.0)
    data = simulate(free_beam(thrown, run(1.0, 1e-4))).dataset
    angle = data.measure_value.sel(measure="angle")
    np.testing.assert_allclose(angle, 5.0 * data.time, atol=0.03)
    assert np.abs(data.beam_curvature).max() < 0.01
    assert np.abs(data.beam_axial_strain).max() == pytest.approx(2 * 0.3 * 25.0 / (8 * 400.0), rel=0.1)
