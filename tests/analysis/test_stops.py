"""A run that cannot go on says when, where and why, keeps what it had, and is marked as incomplete."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import DOP853

import condyle
from condyle.analysis import adaptive, fixed
from condyle.analysis.assembly import projected
from condyle.model.compiled import compiled
from condyle.model.spec import Spec
from condyle.results import Results
from condyle.spec import quantity
from contact.pairs import bumpy
from small_models import ball_on_ground, circle, damped, disc, hertz, line, model, rod, run, tight


def assert_stopped(results: Results, *words: str) -> None:
    """Incomplete, not to be trusted, finite up to where it stopped, and its sentence has the words."""
    assert not results.complete
    assert not results.audit.passed
    assert not results.audit.finished
    for word in words:
        assert word in results.status, results.status
    time, position = results.dataset["time"].values, results.dataset["position"].values
    assert len(time) >= 1
    assert np.isfinite(position).all()
    if len(time) > 1:
        assert time[-1] == pytest.approx(stop_time(results), rel=1e-5)


def stop_time(results: Results) -> float:
    """The instant that the sentence names [s]."""
    found = re.search(r" at ([\d.e+-]+) s", results.status)
    assert found is not None
    return float(found[1])


def exploding(integrator: str, step: float = 1e-3) -> Spec:
    """A pulling contact force so stiff that a step of a millisecond amplifies its own error without bound."""
    law = {"kind": "kelvin-voigt", "stiffness": 1e12, "damping": 1e9, "tension": "printed"}
    settings = run(50.0, step, integrator, step_budget=10**6)
    return ball_on_ground(law, settings, -1e-3, (0.0, -1.0))


@pytest.mark.parametrize("integrator", ["rk-gill", "rk4"])
def test_numbers_that_stop_being_finite(integrator: str) -> None:
    found = condyle.simulate(exploding(integrator))
    assert_stopped(found, "stopped being finite at ", "contact 'touch' (law kelvin-voigt) on body 'ball'")
    assert "Try a smaller run.step, or run.integrator: adaptive." in found.status


@pytest.mark.parametrize("integrator", ["rk-gill", "dopri5", "dopri8", "radau"])
def test_a_start_that_is_not_finite_already(integrator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ligament of 1e308 m, which no file may have: the first rate is no number, and the one row kept is the start."""
    monkeypatch.setattr(quantity, "_LARGEST", math.inf)
    settings = run(0.1, 1e-3, integrator)
    spec = ball_on_ground(hertz(), settings, 0.1).updated(
        {
            "ligaments": {
                "band": {
                    "from": {"body": "ground", "at": [1e308, 1e308]},
                    "to": {"body": "ball"},
                    "rest_length": 0.1,
                    "law": {"kind": "quadratic", "stiffness": 1e6},
                }
            }
        }
    )
    found = condyle.simulate(spec)
    assert_stopped(found, "at 0 s", "ligament 'band' on body 'ball'")


def test_a_beam_alone_that_stops_being_finite() -> None:
    """No body moves: the sentence names the beam, and the load on it."""
    spec = model(
        {"post": {"fixed": True}},
        run(1.0, 2e-2),
        beams={"rod": rod(elements=4)},
        frames={"tip": {"beam": "rod", "along": 1.0}},
        forces={"pull": {"body": "tip", "direction": [0.0, 1.0], "amplitude": 1.0}},
    )
    assert_stopped(condyle.simulate(spec), "stopped being finite at ", "that of beam 'rod'")


@pytest.mark.parametrize("size", [1e160, 1e300, math.inf])
def test_joints_that_are_beyond_putting_together(size: float) -> None:
    """A state so far astray that its squares are no numbers raises nothing; one of no numbers comes back as none."""
    found = compiled(condyle.load("double-pendulum"))
    astray = np.full_like(found.start, size)
    drawn = projected(found, astray, found.memory.copy(), found.work.copy(), 0.0)
    assert np.isfinite(size) or np.isnan(drawn).all()


def test_stiffness_of_no_point_contact() -> None:
    """Radii taken at the contact: a hollow there flatter than its partner is no point contact; the run says so."""
    spec = model(
        {"base": {"fixed": True}, "ball": {**disc(), "position": [0.0, 0.051], "velocity": [0.0, -1.0]}},
        run(0.02, 1e-5),
        materials={"rubber": {"young": 5e6, "poisson": 0.45}},
        profiles={
            "skin": circle("ball", material="rubber"),
            "floor": {**line("base"), "material": "rubber"},
        },
        contacts={"touch": {"between": ["skin", "floor"], "law": "hertz", "radii": ["profile", -0.04]}},
    )
    found = condyle.simulate(spec)
    assert_stopped(found, "contact 'touch' (law hertz) on body 'ball'")
    assert 9e-4 < stop_time(found) < 1.1e-3


def cam(lobe: float, height: float, integrator: str) -> Spec:
    """A disc with five lobes, two of them down side by side, let down on a floor or pressed in from the start."""
    settings = run(0.02, 1e-5) if integrator == "rk-gill" else tight(0.02, integrator)
    outline = {"outline": {"points": bumpy(0.05, lobe, 5).tolist()}, "interpolation": "cubic"}
    bodies = {
        "base": {"fixed": True},
        "cam": {**disc(), "position": [0.0, height], "angle": -0.7 * np.pi, "velocity": [0.0, -1.0]},
    }
    return model(
        bodies,
        settings,
        profiles={"floor": line("base"), "cam": {"body": "cam", **outline}},
        contacts={"touch": {"between": ["cam", "floor"], "law": hertz(), "spots": 1}},
    )


@pytest.mark.parametrize("integrator", ["rk-gill", "dopri8"])
@pytest.mark.parametrize("height", [0.05, 0.0475])
def test_two_spots_as_deep_as_each_other(height: float, integrator: str) -> None:
    """With a dent of 4 mm between them: one spot cannot be told, two can."""
    spec = cam(0.006, height, integrator)
    found = condyle.simulate(spec)
    assert_stopped(found, "Contact 'touch' is equally deep at two spots", "contacts.touch.spots: 2")
    counted = condyle.simulate(spec.updated({"contacts.touch.spots": 2}))
    assert counted.complete
    force = counted.dataset["contact_normal_force"].values
    assert force.max() > 10.0
    assert np.abs(force[:, 0] - force[:, 1]).max() < 1e-6 * force.max()


@pytest.mark.parametrize("integrator", ["rk-gill", "dopri8"])
@pytest.mark.parametrize("height", [0.05, 0.047])
def test_two_roots_of_one_overlap_as_deep_as_each_other(height: float, integrator: str) -> None:
    """With a dent that fills at the first touch they are one contact, whose place cannot be told either way."""
    spec = cam(0.002, height, integrator)
    assert_stopped(condyle.simulate(spec), "Contact 'touch' is equally deep at two spots")
    counted = condyle.simulate(spec.updated({"contacts.touch.spots": 2}))
    assert_stopped(counted, "equally deep at two spots", "the outlines overlap all the way between them")


def test_outlines_side_by_side() -> None:
    """A body with a straight side set down flat: no point is the contact."""
    square = {"start": [-0.03, -0.03], "pieces": [{"line": {"to": [0.03, -0.03]}}], "samples": 9}
    spec = model(
        {
            "base": {"fixed": True},
            "block": {**disc(), "position": [0.0, 0.031], "velocity": [0.0, -1.0]},
        },
        run(0.02, 1e-5),
        profiles={
            "floor": line("base"),
            "sole": {
                "body": "block",
                "outline": {"path": square},
                "form": "plain",
                "outward": [0.0, -1.0],
                "interpolation": "cubic",
            },
        },
        contacts={"touch": {"between": ["sole", "floor"], "law": hertz()}},
    )
    assert_stopped(condyle.simulate(spec), "touch side by side at ", "round one of them a little")


def test_a_beam_that_is_all_there_is() -> None:
    """Nothing but a beam that is stretched, and no free body: the sentence still names what pushed."""
    spec = model(
        {"wall": {"fixed": True}},
        run(0.05, 1e-3),
        beams={
            "bar": {
                "from": [0.0, 0.0],
                "to": [1.0, 0.0],
                "elements": 4,
                "axial_stiffness": 1e6,
                "bending_stiffness": 1.0,
                "mass_per_length": 1.0,
                "angular_velocity": 1.0,
            }
        },
    )
    found = condyle.simulate(spec)
    assert_stopped(found, "stopped being finite at ", "the strongest force was that of beam 'bar'. Try")
    with_body = spec.updated({"bodies.stone": {"mass": 1.0, "inertia": 1.0}, "gravity": [0.0, -9.81]})
    assert_stopped(condyle.simulate(with_body), "that of beam 'bar'. Try")


@pytest.mark.parametrize("integrator", ["dopri5", "dopri8"])
def test_more_steps_than_the_budget(integrator: str) -> None:
    spec = ball_on_ground(hertz(), run(1.0, 1e-3, integrator, step_budget=30), 0.05, gravity=9.81)
    found = condyle.simulate(spec)
    assert_stopped(found, "more steps than run.step_budget allows", "raise the budget")
    assert 30 <= found.audit.steps <= 32


def test_a_step_that_collapses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver gives up half-way; the sentence has its reason and what to try."""

    class GivesUp(DOP853):
        """Refuses all steps past 5 ms."""

        def step(self) -> str | None:
            if self.t <= 0.005:
                return super().step()
            self.status = "failed"
            return "Step too small."

    monkeypatch.setitem(adaptive.SOLVERS, "dopri8", GivesUp)
    found = condyle.simulate(ball_on_ground(damped("gonthier"), tight(0.02), 0.001, gravity=9.81))
    assert_stopped(found, "The step collapsed at 0.005", "(Step too small)", "Try run.integrator: stiff.")


@pytest.mark.parametrize("integrator", ["rk-gill", "dopri8"])
def test_chatter_is_taken_whole_and_noted(integrator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no change of branch allowed inside a step every one is forced through, counted, and told."""
    monkeypatch.setattr(fixed, "MAX_EVENTS", -1)
    monkeypatch.setattr(adaptive, "MAX_EVENTS", -1)
    found = condyle.simulate(ball_on_ground(hertz(), run(0.02, 1e-5, integrator), 0.001, gravity=9.81))
    assert found.complete
    assert any("chattered in 2 steps, which were taken whole" in note for note in found.audit.notes)
    assert 0.0 < found.audit.relative_residual < 1e-3


def test_an_interrupted_run_is_kept_as_far_as_it_went() -> None:
    def told(part: float) -> None:
        if part > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(condyle.Interrupted) as stop:
        condyle.simulate(ball_on_ground(hertz(), tight(1.0), 0.05, gravity=9.81), progress=told)
    assert isinstance(stop.value, KeyboardInterrupt)
    found = stop.value.results
    assert not found.complete
    assert not found.audit.passed
    assert found.status.startswith("Interrupted at 0.3")
    assert 0.3 < found.dataset["time"].values[-1] < 0.5


@pytest.mark.parametrize("given", ["planar-knee", Path("knee.yaml"), None])
def test_what_is_no_spec_brings_the_call_that_makes_one(given: object) -> None:
    named = repr(str(given)) if given is not None else "name_or_path"
    with pytest.raises(TypeError, match=re.escape(f"condyle.simulate(condyle.load({named}))")):
        condyle.simulate(given)  # type: ignore[arg-type]
