"""The independent solutions hold what they promise before anything is measured against them."""

from __future__ import annotations

import cmath

import numpy as np
import pytest
from scipy.special import gamma

from reference import impact
from reference.knee import Solution, solve, switch_values
from reference.knee_rates import (
    from_hamilton,
    hamilton_rates,
    newton_rates,
    potential,
    potential_gradient,
    to_hamilton,
)
from reference.knee_tables import LIGAMENTS, Array, Knee

TIMES = np.linspace(0.0, 0.5, 501)
LANKARANI = 0.75 * (1 - 0.3**2)


@pytest.fixture(scope="session")
def knee50() -> Solution:
    return solve(Knee(), TIMES)


def states_apart(one: Solution, other: Solution) -> Array:
    """Largest difference of each state over the run: m, m, rad, m/s, m/s, rad/s, J."""
    return np.asarray(np.abs(one.states - other.states).max(axis=1))


KNEES = [
    Knee(),
    Knee(bearing_radius=0.06),
    Knee(hysteresis=LANKARANI, onset_speed=0.05),
    Knee(hysteresis=LANKARANI, onset_speed=0.05, bearing_radius=0.06, clamped=False),
    Knee(turn=0.7, mirrored=True),
]


@pytest.mark.parametrize("knee", KNEES, ids=["plane", "bearing", "hysteresis", "all", "elsewhere"])
def test_both_formulations_accelerate_alike(knee: Knee) -> None:
    rng, acting = np.random.default_rng(5), np.zeros(5, dtype=int)
    centre, angle = knee.start
    for _ in range(50):
        place = centre + complex(*rng.normal(scale=4e-3, size=2))
        pose = [place.real, place.imag, angle + rng.normal(scale=0.1)]
        state = np.array([*pose, *rng.normal(scale=0.3, size=3), 0.0])
        time, step = float(rng.uniform(0.0, 0.05)), 1e-6
        rate = newton_rates(knee, time, state)
        # Newton's rates, carried through the change of variables by a central difference along the flow
        carried = (to_hamilton(state + step * rate) - to_hamilton(state - step * rate)) / (2 * step)
        assert hamilton_rates(knee, time, to_hamilton(state)) == pytest.approx(carried, rel=1e-6, abs=1e-5)
        acting += switch_values(knee, state)[:5] > 0
    assert np.all(acting > 5), "some samples touch and stretch every ligament"


def test_the_complex_step_is_the_derivative() -> None:
    knee, place = Knee(bearing_radius=0.06), np.array([0.262, 0.025, 0.63])
    step = 1e-5
    for axis, slope in enumerate(potential_gradient(knee, *place)):
        way = step * np.eye(3)[axis]
        there = [potential(knee, *(place + k * way)).real for k in (-2, -1, 1, 2)]
        assert slope == pytest.approx(
            (there[0] - 8 * there[1] + 8 * there[2] - there[3]) / (12 * step), rel=1e-6
        )


def test_variables_change_there_and_back() -> None:
    state = np.random.default_rng(2).normal(size=(7, 4))
    assert from_hamilton(to_hamilton(state)) == pytest.approx(state, abs=1e-13)


def test_hamilton_and_newton_find_the_same_motion(knee50: Solution) -> None:
    other = solve(Knee(), TIMES, hamilton=True)
    assert np.all(states_apart(knee50, other)[:3] < 1e-11)
    assert np.abs(knee50.hertz_force - other.hertz_force).max() < 1e-6
    assert [(s.which, s.way) for s in knee50.switches] == [(s.which, s.way) for s in other.switches]


def test_an_implicit_integrator_finds_the_same_motion(knee50: Solution) -> None:
    other = solve(Knee(), TIMES[:201], method="Radau", tolerance=1e-9, max_step=1e-3)
    assert np.abs(knee50.states[:3, :201] - other.states[:3]).max() < 1e-10


def test_energy_balances(knee50: Solution) -> None:
    lossy = solve(Knee(hysteresis=LANKARANI), TIMES)
    for run in (knee50, lossy):
        assert np.abs(run.energy_error).max() < 1e-10
    assert lossy.states[6, -1] < knee50.states[6, -1] - 0.05


def test_where_it_happens_does_not_matter(knee50: Solution) -> None:
    away = Knee(turn=2.1, mirrored=True)
    moved = solve(away, TIMES)
    assert np.abs(knee50.centre.conj() * cmath.exp(2.1j) - moved.centre).max() < 1e-11
    assert np.abs(-knee50.states[2] + 2.1 - moved.states[2]).max() < 1e-11


def test_a_flatter_bearing_is_nearer_to_the_plane(knee50: Solution) -> None:
    times = TIMES[:101]
    apart = [
        np.abs(solve(Knee(bearing_radius=radius), times).states - knee50.states[:, :101])[0].max()
        for radius in (5.0, 50.0)
    ]
    assert 8 < apart[0] / apart[1] < 12
    assert apart[1] < 1e-6


def test_what_the_reference_says(knee50: Solution) -> None:
    """The figures quoted elsewhere, so that a change of the reference cannot go unnoticed."""
    assert knee50.knee.plateau == pytest.approx(0.2255590813, abs=1e-10)
    assert knee50.knee.contact_stiffness == pytest.approx(8.45594e5, rel=1e-6)
    assert knee50.flexion.min() == pytest.approx(3.9533, abs=1e-4)
    assert knee50.depth.max() == pytest.approx(8.5276e-3, abs=1e-7)
    forces = dict(zip(LIGAMENTS, knee50.ligament_force.max(axis=1), strict=True))
    assert forces == pytest.approx({"MCL": 44.86, "LCL": 126.73, "ACL": 343.44, "PCL": 528.89}, abs=0.01)
    assert len(knee50.episodes) == 4


@pytest.mark.parametrize("name", impact.HYSTERESIS)
@pytest.mark.parametrize("asked", [0.3, 0.5, 0.9])
def test_impact_by_quadrature_and_by_integration(name: str, asked: float) -> None:
    chi, gravity, speed = impact.HYSTERESIS[name](asked), 1e-9, 1.7
    ours = impact.free_impact(1.0, speed, 1e6, chi)
    height = speed**2 / (2 * gravity)
    bounce = impact.bouncing_ball(height, 1.1 * speed / gravity, 1.0, 1e6, chi, gravity)[0]
    assert bounce.rebound / bounce.approach == pytest.approx(ours.restitution, abs=1e-10)
    assert bounce.depth == pytest.approx(ours.depth, rel=1e-10)


def test_delivered_restitution() -> None:
    """Asked 0.5: the hysteresis factors of the literature deliver what is said of them."""
    delivered = {
        name: impact.delivered_restitution(factor(0.5)) for name, factor in impact.HYSTERESIS.items()
    }
    expected = {
        "lankarani-nikravesh": 0.725241114,
        "hunt-crossley": 0.662962200,
        "carvalho-martins": 0.500173688,
    }
    assert {name: delivered[name] for name in expected} == pytest.approx(expected, abs=1e-9)
    assert delivered["exact"] == pytest.approx(0.5, abs=1e-12)


def test_hertz_impact_in_closed_form() -> None:
    """t = 2.9432751... d / v0 with the integral of dx / sqrt(1 - x^(5/2)), d = (5 m v0^2 / (4 K))^(2/5)."""
    ours = impact.free_impact(2.0, 0.8, 3e5)
    assert ours.depth == pytest.approx((1.25 * 2.0 * 0.8**2 / 3e5) ** 0.4, rel=1e-12)
    assert ours.force == pytest.approx(3e5 * ours.depth**1.5, rel=1e-10)
    closed = 2 * np.sqrt(np.pi) * gamma(1.4) / gamma(0.9) * ours.depth / 0.8
    assert ours.duration == pytest.approx(closed, rel=1e-9)
    assert impact.hertz_contact_time(0.8, 2.0, 3e5) == pytest.approx(closed, rel=1e-9)


def test_a_ball_without_loss_comes_back() -> None:
    bounces = impact.bouncing_ball(0.25, 3.0, 1.0, 1e6)
    assert len(bounces) > 5
    for bounce in bounces:
        assert bounce.rebound == pytest.approx(bounce.approach, rel=1e-11)
        contact = impact.hertz_contact_time(bounce.approach, 1.0, 1e6, 9.81)
        assert bounce.end - bounce.begin == pytest.approx(contact, rel=1e-9)
    middle = (bounces[0].end + bounces[1].begin) / 2
    assert impact.gap_in_flight(0.25, bounces, middle) == pytest.approx(0.25, rel=1e-10)
