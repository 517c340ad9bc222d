"""Applied loads: forces at points in both frames, torques and courses, against closed forms."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest

import condyle
from condyle.mechanics.system import LOAD_WORK
from evaluation import Evaluation
from small_models import Section, model, run, tight

MASS, INERTIA = 0.8, 0.05
AT = 0.12 - 0.07j
DIRECTION = (3.0, -4.0)


def loaded(forces: Section, settings: Section | None = None, **body: object) -> Section:
    """One free body under loads."""
    bodies: Section = {"bob": {"mass": MASS, "inertia": INERTIA, **body}}
    return {"bodies": bodies, "run": settings or run(1.0), "forces": forces}


@pytest.mark.parametrize("frame", ["global", "body"])
@pytest.mark.parametrize("angle", [0.0, 0.9, -2.3])
def test_a_force_at_a_point(angle: float, frame: str) -> None:
    """Acceleration and turning of the body, and the power at the moving point where it acts."""
    load: Section = {
        "body": "bob",
        "at": [AT.real, AT.imag],
        "direction": DIRECTION,
        "amplitude": 2.5,
        "frame": frame,
    }
    bob = Evaluation(model(**loaded({"push": load})))
    q, v = np.array([0.3, 0.4, angle]), np.array([0.5, -0.2, 1.3])
    turn = cmath.exp(1j * angle)
    push = 2.5 * complex(*DIRECTION) / 5.0 * (turn if frame == "body" else 1.0)
    arm = turn * AT
    moment = (arm.conjugate() * push).imag
    seen = bob.at(q, v)
    expected = [push.real / MASS, push.imag / MASS, moment / INERTIA]
    assert seen.acceleration == pytest.approx(expected, rel=1e-13)
    speed = complex(v[0], v[1]) + 1j * v[2] * arm
    assert seen.powers[LOAD_WORK] == pytest.approx((push.conjugate() * speed).real, rel=1e-13)


def test_a_torque_turns_and_works() -> None:
    """A constant torque: angle torque t^2 / 2 I, work torque times angle; the mass stays where it is."""
    spec = model(**loaded({"turn": {"kind": "torque", "body": "bob", "amplitude": 0.3}}, tight(0.8)))
    found = condyle.simulate(spec).dataset
    time, angle = found["time"].values, found["angle"].sel(body="bob").values
    assert np.abs(angle - 0.5 * 0.3 / INERTIA * time**2).max() < 1e-10
    assert np.abs(found["energy"].sel(kind="load_work").values - 0.3 * angle).max() < 1e-11
    assert (found["load_torque"].values == 0.3).all()
    assert (found["position"].values == 0.0).all()


def test_a_thrust_that_turns_with_the_body() -> None:
    """A force through the centre of a spinning body: the velocity goes round, and so does the body."""
    load: Section = {"body": "bob", "direction": [0.0, 1.0], "amplitude": 2.0, "frame": "body"}
    found = condyle.simulate(model(**loaded({"push": load}, tight(1.0), angular_velocity=5.0))).dataset
    time = found["time"].values
    velocity = found["velocity"].sel(body="bob", axis=["x", "y"]).values @ [1.0, 1j]
    expected = 1j * 2.0 / MASS * (np.exp(5j * time) - 1.0) / 5j
    assert np.abs(velocity - expected).max() < 1e-10
    work = found["energy"].sel(kind="load_work").values
    assert np.abs(work - 0.5 * MASS * np.abs(expected) ** 2).max() < 1e-10


@pytest.mark.parametrize("integrator", ["rk-gill", "dopri8"])
def test_a_load_by_a_table(integrator: str) -> None:
    """Straight between its instants, with a jump; held before the first and after the last: velocity by areas."""
    times, values = [0.1, 0.3, 0.3, 0.5], [1.0, 3.0, -2.0, 0.5]
    load: Section = {
        "body": "bob",
        "direction": [1.0, 0.0],
        "amplitude": 4.0,
        "course": {"kind": "table", "times": times, "values": values},
    }
    settings = run(0.7, 1e-3, integrator) if integrator == "rk-gill" else tight(0.7)
    found = condyle.simulate(model(**loaded({"push": load}, settings))).dataset

    def area(time: float) -> float:
        total = min(time, 0.1) * 1.0
        if time > 0.1:
            u = min(time, 0.3) - 0.1
            total += u + 5.0 * u**2
        if time > 0.3:
            u = min(time, 0.5) - 0.3
            total += -2.0 * u + 6.25 * u**2
        return total + max(time - 0.5, 0.0) * 0.5

    velocity = found["velocity"].sel(body="bob", axis="x").values
    expected = 4.0 / MASS * np.array([area(t) for t in found["time"].values])
    assert np.abs(velocity - expected).max() < 1e-10
    # At the jump itself either side may be shown.
    time = found["time"].values
    apart = np.abs(time - 0.3) > 1e-9
    shown = found["load"].sel(force="push", axis="x").values
    factor = np.where(
        time < 0.3, np.interp(time, [0.1, 0.3], [1.0, 3.0]), np.interp(time, [0.3, 0.5], [-2.0, 0.5])
    )
    assert np.abs(shown - 4.0 * factor)[apart].max() < 1e-12


def test_a_pulse() -> None:
    """A exp(-b (t/d)^2) sin(pi t/d), on a point off the centre: the moment goes with the force."""
    load: Section = {
        "body": "bob",
        "at": [0.0, 0.2],
        "direction": [-1.0, 0.0],
        "amplitude": 40.0,
        "course": {"kind": "decaying-sine", "duration": 0.02, "decay": 3.0},
    }
    bob = Evaluation(model(**loaded({"kick": load})))
    for time in (0.003, 0.01, 0.027):
        part = time / 0.02
        force = -40.0 * math.exp(-3.0 * part**2) * math.sin(math.pi * part)
        found = bob.at(np.zeros(3), time=time).acceleration
        assert found == pytest.approx([force / MASS, 0.0, -0.2 * force / INERTIA], rel=1e-12, abs=1e-12)
