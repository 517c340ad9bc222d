"""Small models as data: each function gives one section, or a few entries of it, and `model` joins them into a spec.

JSON is YAML, so the declarations go in through the reader that model files go through.
"""

from __future__ import annotations

import json
import math
from typing import Any

from condyle.model.spec import Spec, parse

Section = dict[str, Any]
Pair = tuple[float, float]


def model(bodies: Section, run: Section, **sections: Any) -> Spec:
    """A model without gravity, unless a section says otherwise."""
    parts = {"condyle": 1, "title": "test", "gravity": [0.0, 0.0], "bodies": bodies, "run": run}
    return parse(json.dumps(parts | sections))


def run(duration: float, step: float = 1e-4, integrator: str = "rk-gill", **more: Any) -> Section:
    """How to run; by default the results have about a hundred rows."""
    return {
        "duration": duration,
        "step": step,
        "integrator": integrator,
        "output_step": duration / 100,
        **more,
    }


def tight(duration: float, integrator: str = "dopri8", **more: Any) -> Section:
    """A run by a method that chooses its steps, at tolerances near round-off."""
    return run(
        duration, integrator=integrator, **{"relative_tolerance": 1e-12, "absolute_tolerance": 1e-14, **more}
    )


def disc(radius: float = 0.05, mass: float = 0.2) -> Section:
    """Mass properties of a full disc."""
    return {"mass": mass, "inertia": 0.5 * mass * radius**2}


def circle(body: str, radius: float = 0.05, hollow: bool = False, **more: Any) -> Section:
    """A profile: a circle about the body's origin."""
    return {"body": body, "outline": {"circle": {"radius": radius, "hollow": hollow}}, **more}


def line(body: str, start: Pair = (-1.0, 0.0), end: Pair = (1.0, 0.0), outward: Pair = (0.0, 1.0)) -> Section:
    """A profile: a straight line."""
    return {"body": body, "outline": {"line": {"from": start, "to": end}}, "outward": outward}


def ball_on_ground(
    law: Any,
    settings: Section,
    height: float = 0.0,
    velocity: Pair = (0.0, -1.0),
    gravity: float = 0.0,
    spin: float = 0.0,
    friction: Any = None,
) -> Spec:
    """A disc of 0.2 kg and 50 mm with its lowest point at a height above a floor, thrown at it."""
    return model(
        {
            "ground": {"fixed": True},
            "ball": {
                **disc(),
                "position": [0.0, 0.05 + height],
                "velocity": velocity,
                "angular_velocity": spin,
            },
        },
        settings,
        gravity=[0.0, -gravity],
        profiles={"skin": circle("ball"), "floor": line("ground", (-20.0, 0.0), (20.0, 0.0))},
        contacts={"touch": {"between": ["skin", "floor"], "law": law, "friction": friction}},
    )


def hertz(stiffness: float = 1e6) -> Section:
    """The elastic law [N/m^1.5]."""
    return {"kind": "hertz", "stiffness": stiffness}


def damped(kind: str, restitution: float = 0.5, stiffness: float = 1e6, **more: Any) -> Section:
    """A law of the hysteresis family."""
    return {"kind": kind, "stiffness": stiffness, "restitution": restitution, **more}


def elastic_pendulum(settings: Section, **ligament: Any) -> Spec:
    """A bob on a band that stays taut: swings and stretches, with no change of branch."""
    return model(
        {
            "support": {"fixed": True},
            "bob": {"mass": 0.5, "inertia": 0.02, "position": [0.2, -0.32], "angular_velocity": 1.0},
        },
        settings,
        gravity=[0.0, -9.81],
        ligaments={
            "band": {
                "from": {"body": "support"},
                "to": {"body": "bob", "at": [0.01, 0.05]},
                "law": {"kind": "quadratic", "stiffness": 150.0},
                "rest_length": 0.12,
                **ligament,
            }
        },
    )


def rod(start: Pair = (0.0, 0.0), end: Pair = (1.0, 0.0), elements: int = 2, **more: Any) -> Section:
    """A soft straight beam: EA = 1 kN, EI = 0.5 N m^2, 0.6 kg/m."""
    return {"from": start, "to": end, "elements": elements, **SOFT, **more}


def bow(elements: int = 3, radius: float = 0.8, angle: float = 1.2, **more: Any) -> Section:
    """The same beam curved to an arc at rest, which begins at the origin along x."""
    turns = [angle * k / 40 for k in range(41)]
    points = [[radius * math.sin(t), radius * (1.0 - math.cos(t))] for t in turns]
    return {"points": points, "elements": elements, **SOFT, **more}


SOFT: Section = {"axial_stiffness": 1000.0, "bending_stiffness": 0.5, "mass_per_length": 0.6}


def held(body: str, x: float = 0.0, y: float = 0.0) -> Section:
    """A point of a body or frame."""
    return {"body": body, "at": [x, y]}
