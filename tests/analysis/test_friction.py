"""Friction in a run: a ball that slides until it rolls, a sledge that stops, against closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import condyle
from condyle.contact.forces import FRICTION_FORCE, NORMAL_FORCE
from condyle.mechanics.system import DISSIPATED, SPOTS
from condyle.model.spec import Spec
from evaluation import Evaluation
from small_models import Section, ball_on_ground, circle, disc, hertz, line, model, run, tight

MASS, RADIUS, STIFFNESS, GRAVITY, MU = 0.2, 0.05, 1e6, 9.81, 0.3
# At this depth [m] the ball rests on the floor.
DEPTH = (MASS * GRAVITY / STIFFNESS) ** (2.0 / 3.0)
# Friction acts half-way between the facing points.
ARM = RADIUS - 0.5 * DEPTH
INERTIA = 0.5 * MASS * RADIUS**2
COULOMB: Section = {"kind": "coulomb", "coefficient": MU, "slow": 1e-5, "fast": 1e-4}


def rolling(settings: Section, speed: float, spin: float = 0.0, friction: Any = COULOMB) -> Spec:
    """A ball that rests on the floor but for its speed along it [m/s] and its spin [rad/s]."""
    return ball_on_ground(hertz(STIFFNESS), settings, -DEPTH, (speed, 0.0), GRAVITY, spin, friction)


@pytest.mark.parametrize(("speed", "spin"), [(1.0, 0.0), (-0.8, 0.0), (0.0, 30.0), (0.5, -25.0)])
def test_a_ball_slides_until_it_rolls(speed: float, spin: float) -> None:
    """Friction mu m g against the sliding of the lowest point slows the ball and turns it, until that point rests."""
    slip = speed + spin * ARM
    way = math.copysign(1.0, slip)
    slowing = MU * GRAVITY * (1.0 + MASS * ARM**2 / INERTIA)
    stop = abs(slip) / slowing
    found = condyle.simulate(rolling(tight(1.2 * stop), speed, spin))
    data = found.dataset
    time = data["time"].values
    slides = time < 0.999 * stop
    ball = data.sel(body="ball")
    velocity, turning = ball["velocity"].sel(axis="x").values, ball["angular_velocity"].values
    assert np.abs(velocity - speed + way * MU * GRAVITY * time)[slides].max() < 1e-9
    assert np.abs(turning - spin + way * MU * MASS * GRAVITY * ARM / INERTIA * time)[slides].max() < 1e-7
    # Then it rolls, at a creep that friction fades out below.
    assert np.abs(velocity + turning * ARM)[time > 1.01 * stop].max() < 1e-4
    friction = data["contact_friction"].sel(contact="touch").values
    normal = data["contact_normal_force"].sel(contact="touch").values
    assert np.abs(friction + way * MU * MASS * GRAVITY)[slides].max() < 1e-7
    assert np.abs(normal - MASS * GRAVITY)[slides].max() < 1e-7
    lost = data["energy"].sel(kind="dissipated").values
    kinetic = 0.5 * MASS * velocity**2 + 0.5 * INERTIA * turning**2
    assert np.abs(lost + kinetic - kinetic[0]).max() < 1e-10
    assert lost[-1] == pytest.approx(0.5 * slip**2 / (1.0 / MASS + ARM**2 / INERTIA), rel=1e-6)
    assert found.audit.relative_residual < 1e-9


def test_a_sledge() -> None:
    """Brown and McPhee's law on a body that does not turn, since its inertia is huge: the speed dies away."""
    law: Section = {
        "kind": "brown-mcphee",
        "static": 0.5,
        "dynamic": 0.3,
        "viscous": 0.1,
        "transition_speed": 0.01,
    }
    heavy = rolling(tight(0.05), 1.0, friction=law).updated({"bodies.ball.inertia": 1e9})
    data = condyle.simulate(heavy).dataset
    time, speed = data["time"].values, data["velocity"].sel(body="ball", axis="x").values
    # Far above the transition speed: v' = -g (mu_d + mu_v v), but for what is left of the hill.
    expected = (1.0 + 3.0) * np.exp(-0.1 * GRAVITY * time) - 3.0
    assert np.abs(speed - expected).max() < 1e-5
    assert speed[-1] < 0.87


@pytest.mark.parametrize("floor_first", [False, True])
def test_both_bodies_feel_the_same_friction(floor_first: bool) -> None:
    """A ball on a plank that is free as well: forces and moments of the whole contact cancel, along and across."""
    bodies: Section = {
        "plank": {
            "mass": 0.7,
            "inertia": 0.04,
            "position": [0.1, -0.3],
            "angle": 0.4,
            "velocity": [0.2, 0.1],
        },
        "ball": {**disc(), "velocity": [1.0, -0.3], "angular_velocity": 5.0},
    }
    sides = ["floor", "skin"] if floor_first else ["skin", "floor"]
    spec = model(
        bodies,
        run(1.0),
        profiles={"skin": circle("ball"), "floor": line("plank", (-1.0, 0.2), (1.0, 0.2))},
        contacts={"touch": {"between": sides, "law": hertz(), "friction": COULOMB, "initial_gap": -1e-3}},
    )
    pressed = Evaluation(spec)
    q, v = pressed.start
    pressed.settle(q, v)
    seen = pressed.at(q, v)
    (spot,) = pressed.model.rows(SPOTS)
    normal, friction = seen.work[spot, [NORMAL_FORCE, FRICTION_FORCE]]
    assert normal == pytest.approx(1e6 * 1e-3**1.5, rel=1e-9)
    assert abs(friction) == pytest.approx(MU * normal, rel=1e-12)
    push = pressed.mass() @ seen.acceleration
    assert np.hypot(*push[:2]) == pytest.approx(math.hypot(normal, friction), rel=1e-12)
    assert np.abs(push[:2] + push[3:5]).max() < 1e-12 * normal
    moment = sum(q[k] * push[k + 1] - q[k + 1] * push[k] + push[k + 2] for k in (0, 3))
    assert abs(moment) < 1e-12 * normal
    # What friction takes is force times sliding speed, and takes it is.
    assert seen.powers[DISSIPATED] > 0.1
    assert v @ push == pytest.approx(-seen.powers[DISSIPATED] - normal * rate(pressed, q, v), rel=1e-6)


def rate(pressed: Evaluation, q: Any, v: Any) -> float:
    """Rate of the depth [m/s], by differences."""
    (spot,) = pressed.model.rows(SPOTS)
    ahead, behind = (pressed.at(q + s * 1e-6 * v).work[spot, 0] for s in (1.0, -1.0))
    return float((ahead - behind) / 2e-6)
