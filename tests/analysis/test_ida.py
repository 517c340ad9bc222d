"""SUNDIALS' IDA on mechanisms, beams and contacts: its error against its tolerance, its joints, reactions, events."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import condyle
from condyle.analysis import adaptive
from condyle.results import Results
from condyle.spec.errors import SpecError
from mechanism_models import many_four_bars_model, parallelogram_model, simple_pendulum_model
from reference.mechanisms import (
    many_four_bars,
    pendulum,
    simple_pendulum,
    slider_crank,
    slider_crank_reactions,
    turning,
)
from small_models import Section, ball_on_ground, damped, model, run
from tests.analysis.test_closed_chains import BARS, ENGINE, centres, free_bodies, plane, steady

TOLERANCES = [1e-5, 1e-7, 1e-9]


def by_ida(tolerance: float, **more: Any) -> Section:
    """Changes that make a run one by IDA at a tolerance."""
    settings = {"integrator": "ida", "relative_tolerance": tolerance, "absolute_tolerance": 0.01 * tolerance}
    return {f"run.{name}": value for name, value in (settings | more).items()}


def ida(duration: float, tolerance: float, **more: Any) -> Section:
    """How to run a small model by IDA."""
    tolerances = {"relative_tolerance": tolerance, "absolute_tolerance": 0.01 * tolerance}
    return run(duration, 1e-3, "ida", **tolerances, **more)


def assert_falls(errors: list[float], tolerances: list[float], factor: float) -> None:
    """Errors are below a factor times the tolerance, and fall by at least a third of its digits."""
    assert all(error < factor * tolerance for error, tolerance in zip(errors, tolerances, strict=True)), (
        errors
    )
    assert errors[-1] < errors[0] * (tolerances[-1] / tolerances[0]) ** (1.0 / 3.0)
    assert errors[0] > 1e-2 * tolerances[0], "a tolerance that decides nothing"


def test_error_and_reaction_of_a_pendulum_follow_the_tolerance() -> None:
    """IFToMM A01 over some three swings, against elliptic functions; the rod's pull from the closed form."""
    places, pulls = [], []
    for tolerance in TOLERANCES:
        results = condyle.simulate(simple_pendulum_model(ida(5.0, tolerance, audit_tolerance=1e-3)))
        data = results.dataset
        angle, rate = simple_pendulum(data.time.values)
        direction = np.exp(1j * angle)
        places.append(np.abs(plane(data.position.sel(body="bob")) - direction).max())
        pull = rate**2 - 9.81 * np.sin(angle)
        pulls.append(np.abs(plane(data.joint_force.sel(joint="rod")) + pull * direction).max())
        assert results.audit.passed
        assert results.audit.constraint_drift < 10.0 * tolerance
        assert results.audit.relative_residual < 1e3 * tolerance
    assert_falls(places, TOLERANCES, 1e4)
    assert_falls(pulls, TOLERANCES, 1e6)
    assert pull.max() > 29.0


def test_a_driven_four_bar_moves_and_pushes_as_its_closed_form() -> None:
    """Motion, pin forces and torque of the motor."""
    errors = []
    for tolerance in TOLERANCES:
        changes = by_ida(tolerance, output_step=0.02, audit_tolerance=1e-3)
        results = condyle.simulate(condyle.load("four-bar").updated(changes))
        assert results.audit.passed
        data = results.dataset
        crank = steady(data.time.values)
        forces, torque = free_bodies(crank)
        off = [np.abs(plane(data.joint_force.sel(joint=pin)) - force).max() for pin, force in forces.items()]
        off.append(np.abs(data.driver_effort.sel(driver="motor") - torque).max())
        for name, (centre, _) in centres(crank).items():
            off.append(np.abs(plane(data.position.sel(body=name)) - centre.place).max())
        errors.append(float(max(off)))
    assert set(BARS) == {"crank", "coupler", "rocker"}
    assert errors[0] < 1e-2
    assert errors[-1] < 1e-6


@pytest.mark.parametrize("variant", ["rigid", "flexible", "flexible-spring"])
def test_slider_cranks_strike_as_by_another_method(variant: str) -> None:
    """The first blow: peak force and slider against Runge-Kutta-Gill, whose own error is far below."""
    base = condyle.load("slider-crank", variant).updated({"run.duration": 1.4, "run.output_step": 5e-3})
    expected = condyle.simulate(base).dataset
    found = condyle.simulate(base.updated(by_ida(1e-7, audit_tolerance=1e-4)))
    assert found.audit.passed
    assert found.audit.events >= 1
    peak = float(expected["peak_contact_force"][0])
    assert float(found.dataset["peak_contact_force"][0]) == pytest.approx(peak, rel=1e-2)
    slider = {"body": "slider", "axis": "x"}
    difference = found.dataset.position.sel(slider) - expected.position.sel(slider)
    assert np.abs(difference).max() < 1e-4
    assert found.audit.constraint_drift < 1e-7
    assert peak > 1.0


def test_reactions_of_the_rigid_slider_crank_carry_the_blow() -> None:
    """Pin and torque from free bodies, with the contact force of the run on the slider."""
    changes = by_ida(1e-8, duration=1.4, output_step=0.01)
    data = condyle.simulate(condyle.load("slider-crank", "rigid").updated(changes)).dataset
    crank = turning(-np.pi / 2 + 0.4 * np.pi * data.time.values, 0.4 * np.pi)
    motion = slider_crank(0.1, 0.4, crank.angle, crank.rate)
    np.testing.assert_allclose(data.position.sel(body="slider", axis="x") - 0.05, motion.place, atol=1e-7)
    force = data.contact_normal_force.sel(contact="impact").values
    loads = slider_crank_reactions(ENGINE, crank, 9.81, -force)
    np.testing.assert_allclose(plane(data.joint_force.sel(joint="B")), loads.at_B, atol=1e-3)
    np.testing.assert_allclose(data.driver_effort.sel(driver="motor"), loads.torque, atol=1e-4)
    assert force.max() > 150.0


@pytest.mark.parametrize("asked", [0.3, 0.8])
def test_a_free_impact_gives_back_what_the_law_is_asked_for(asked: float) -> None:
    """Without weight the restitution of `gonthier` is exact."""
    settings = ida(0.012, 1e-9)
    results = condyle.simulate(ball_on_ground(damped("gonthier", asked), settings, height=0.00123))
    speed = float(results.dataset["velocity"].sel(body="ball", axis="y")[-1])
    assert results.audit.passed
    assert results.audit.events == 2
    assert speed == pytest.approx(asked, abs=1e-5)


def test_a_ball_bounces_again_and_again() -> None:
    """Onsets are located: as high as by another method, after three bounces."""
    spec = ball_on_ground(damped("gonthier", 0.8), ida(0.5, 1e-8), 0.05, (0.0, 0.0), 9.81)
    results = condyle.simulate(spec)
    other = condyle.simulate(spec.updated({"run.integrator": "dopri8"}))
    assert results.audit.events == other.audit.events >= 6
    difference = results.dataset["position"] - other.dataset["position"]
    assert float(np.abs(difference).max()) < 1e-5


def test_beams_converge_to_what_another_method_finds() -> None:
    """The soft pendulum: waves that steps cannot follow die out, the swing comes out."""
    settings = {"run.duration": 0.4, "run.output_step": 0.02, "run.audit_tolerance": 0.5}
    base = condyle.load("flexible-pendulum").updated(settings | {"beams.bar.elements": 4})
    explicit = condyle.simulate(base.updated({"run.step": 2e-5})).dataset["beam_position"]
    errors = []
    for tolerance in (1e-4, 1e-6, 1e-8):
        results = condyle.simulate(base.updated(by_ida(tolerance)))
        errors.append(float(np.abs(results.dataset["beam_position"] - explicit).max()))
        assert results.audit.steps < 30_000
    assert errors[0] < 2e-2
    assert errors[1] < 0.3 * errors[0]
    assert errors[2] < 0.3 * errors[1]


def test_a_redundant_joint_changes_nothing() -> None:
    """Three parallel cranks: what the third says others say already, so its multiplier is not asked for."""
    results = condyle.simulate(parallelogram_model(3, 4.0, ida(0.6, 1e-9)))
    assert results.audit.passed
    angle = pendulum(9.81 * 5.5 / 5.0, np.array([np.pi / 2, -1.0]), results.dataset.time.values)[0]
    np.testing.assert_allclose(results.dataset.angle.sel(body="crank2"), angle, atol=1e-6)
    assert any("kept by other joints already" in note for note in results.audit.notes)


def test_a_singular_pose_stops_it_and_is_told() -> None:
    """IFToMM A02 with level cranks: up to there it moves as it should, and the sentence says who goes on."""
    results = condyle.simulate(many_four_bars_model(1, ida(3.0, 1e-8)))
    angle = many_four_bars(1, results.dataset.time.values)[0]
    found = np.exp(1j * results.dataset.angle.sel(body="crank0").values)
    np.testing.assert_allclose(found, np.exp(1j * angle), atol=1e-5)
    assert not results.complete
    assert "The step collapsed at 0.7" in results.status
    assert "Its joints came to a singular pose; run.integrator: rk-gill goes through most." in results.status
    assert results.audit.constraint_drift < 1e-8


def test_a_run_that_is_interrupted_keeps_what_it_has() -> None:
    def told(part: float) -> None:
        if part > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(condyle.Interrupted) as stop:
        condyle.simulate(condyle.load("double-pendulum").updated(by_ida(1e-6)), progress=told)
    found: Results = stop.value.results
    assert found.status.startswith("Interrupted at ")
    assert 0.0 < found.dataset["time"].values[-1] < 5.0


def test_an_interrupt_within_a_step_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while IDA asks for a residual comes out on this side of it."""
    calls = 0
    original = adaptive.Stepper.rate

    def rate(self: adaptive.Stepper, time: float, y: np.ndarray) -> np.ndarray:
        nonlocal calls
        calls += 1
        if calls == 500:
            raise KeyboardInterrupt
        return original(self, time, y)

    monkeypatch.setattr(adaptive.Stepper, "rate", rate)
    with pytest.raises(condyle.Interrupted):
        condyle.simulate(condyle.load("double-pendulum").updated(by_ida(1e-8)))


def test_more_steps_than_the_budget() -> None:
    results = condyle.simulate(condyle.load("double-pendulum").updated(by_ida(1e-8, step_budget=30)))
    assert not results.complete
    assert "more steps than run.step_budget allows" in results.status
    assert 30 <= results.audit.steps <= 32


def test_a_solver_that_gives_up_is_told_without_a_word_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """A pull that is not finite once the bob has risen: a sentence, and nothing on standard output."""
    course = {"kind": "table", "times": [0.0, 0.02, 0.0200001, 1.0], "values": [0.0, 0.0, 1.0, 1.0]}
    pull = {"body": "bob", "direction": [0, 1], "amplitude": 1e60, "course": course}
    bodies: Section = {"ground": {"fixed": True}, "bob": {"mass": 1e-3, "inertia": 1e-3}}
    results = condyle.simulate(model(bodies, ida(0.1, 1e-6), forces={"pull": pull}))
    assert not results.complete
    assert "at 0.02" in results.status
    assert "force 'pull' on body 'bob'" in results.status
    assert capsys.readouterr().out == ""


def test_without_its_package_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sksundae", None)
    monkeypatch.setitem(sys.modules, "sksundae.ida", None)
    with pytest.raises(
        SpecError, match=r"run.integrator: ida needs the package scikit-sundae.*condyle\[sundials\]"
    ):
        condyle.simulate(condyle.load("double-pendulum").updated(by_ida(1e-6)))


def test_the_package_is_loaded_only_when_it_is_used() -> None:
    code = "import sys, condyle; condyle.load('pendulum'); import condyle.analysis.adaptive; "
    code += "sys.exit('sksundae' in sys.modules)"
    environment = {"PYTHONPATH": "src"}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
