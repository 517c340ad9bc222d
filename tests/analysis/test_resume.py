"""A run that was interrupted and goes on is, to the bits, the run that was not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import condyle
from condyle.analysis import fixed
from condyle.analysis.forward import forward
from condyle.analysis.trajectory import State, Status, Trajectory
from condyle.model.compiled import compiled
from condyle.model.spec import Spec
from small_models import ball_on_ground, damped, run, tight

JUMPS = {"kind": "table", "times": [0.0, 0.05, 0.05, 1.0], "values": [0.0, 1.0, 0.2, 0.2]}


def bouncing(integrator: str) -> Spec:
    """A ball with everything that a run remembers: onsets, clamped pulls, a load that jumps, friction."""
    settings = run(0.2, 1e-4, integrator) if integrator in ("rk-gill", "rk4") else tight(0.2, integrator)
    friction = {"kind": "brown-mcphee", "static": 0.3, "dynamic": 0.2, "transition_speed": 0.01}
    spec = ball_on_ground(damped("gonthier", 0.9), settings, 0.003, (0.3, -0.5), 9.81, friction=friction)
    load = {"body": "ball", "direction": [0, -1], "amplitude": 10.0, "course": JUMPS}
    return spec.updated({"forces": {"draw": load}})


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is told every hundred steps, however quick they are."""
    monkeypatch.setattr(fixed, "PORTION", 0.0)


def interrupted(spec: Spec, after: float) -> Trajectory:
    """The run, stopped by Ctrl-C at the first word of progress past a part of it."""

    def told(part: float) -> None:
        if part > after:
            raise KeyboardInterrupt

    return forward(compiled(spec), told)


def joined(first: Trajectory, second: Trajectory, name: str) -> Any:
    """Rows of both runs as one; the row at which they meet once."""
    meets = second.time[0] == first.time[-1]
    return np.concatenate([getattr(first, name), getattr(second, name)[1 if meets else 0 :]])


def assert_same_end(found: State, whole: State) -> None:
    """Both ended in the same bits."""
    assert found.time == whole.time
    assert found.steps == whole.steps
    for name in ("y", "rate", "memory"):
        assert np.array_equal(getattr(found, name), getattr(whole, name), equal_nan=True), name


@pytest.mark.parametrize("integrator", ["rk-gill", "rk4"])
@pytest.mark.parametrize("after", [0.1, 0.3, 0.7])
def test_an_interrupted_run_goes_on_to_the_same_bits(integrator: str, after: float) -> None:
    spec = bouncing(integrator)
    whole, first = forward(compiled(spec)), interrupted(spec, after)
    assert first.status is Status.INTERRUPTED
    assert f"Interrupted at {first.final.time:.6g} s of 0.2 s; what was done is kept." == first.message
    assert 0.2 * after < first.final.time < 0.2
    rest = forward(compiled(spec), start=first.final)
    assert rest.status is Status.COMPLETE
    assert_same_end(rest.final, whole.final)
    assert whole.events > 6
    kept = np.isin(joined(first, rest, "time"), whole.time)
    assert kept.sum() == len(whole.time)
    assert np.array_equal(joined(first, rest, "y")[kept], whole.y)


@pytest.mark.parametrize("integrator", ["rk-gill", "rk4"])
def test_a_shorter_run_can_be_made_longer(integrator: str) -> None:
    """The longer run passes by just where the shorter one ended, at a load's jump or not."""
    spec = bouncing(integrator)
    whole = forward(compiled(spec))
    for duration in (0.05, 0.0733):
        short = forward(compiled(spec.updated({"run.duration": duration})))
        assert_same_end(forward(compiled(spec), start=short.final).final, whole.final)


@pytest.mark.parametrize("integrator", ["dopri5", "dopri8", "radau"])
def test_a_method_that_chooses_its_steps_goes_on_as_accurately(integrator: str) -> None:
    """It chooses others after a break: the same motion, to its tolerance."""
    spec = bouncing(integrator)
    whole, first = forward(compiled(spec)), interrupted(spec, 0.4)
    rest = forward(compiled(spec), start=first.final)
    # The last number, what changed hands, only scales the audit and is integrated as it comes.
    assert np.abs(rest.final.y - whole.final.y)[:-1].max() < 1e-9
    assert abs(rest.final.y[-1] / whole.final.y[-1] - 1.0) < 1e-4


@pytest.mark.compiled
def test_the_knee_goes_on_to_the_same_bits() -> None:
    spec = condyle.load("planar-knee", variant="lankarani")
    whole, first = forward(compiled(spec)), interrupted(spec, 0.8)
    assert first.status is Status.INTERRUPTED
    assert_same_end(forward(compiled(spec), start=first.final).final, whole.final)


def test_a_run_branches_and_leaves_its_state_as_it_was() -> None:
    """A state is never edited: two branches from one state see the same one."""
    spec = bouncing("rk-gill")
    first = interrupted(spec, 0.3)
    before = [getattr(first.final, name).copy() for name in ("y", "rate", "memory")]
    softer = spec.updated({"contacts.touch.law.stiffness": 1e5})
    ends = [forward(compiled(branch), start=first.final).final.y for branch in (spec, softer, spec)]
    assert np.array_equal(ends[0], ends[2])
    assert np.abs(ends[0] - ends[1]).max() > 1e-6
    for name, value in zip(("y", "rate", "memory"), before, strict=True):
        assert np.array_equal(getattr(first.final, name), value, equal_nan=True)
