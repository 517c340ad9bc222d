"""Small models in space for tests."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import condyle
from condyle.analysis.coordinates import moved
from condyle.model.spec import Spec
from evaluation import Evaluation, Seen
from small_models import Section, model, run

Array = NDArray[np.float64]

BODIES: Section = {
    "ground": {
        "fixed": True,
        "position": [0.1, -0.2, 0.3],
        "orientation": {"sequence": "xyz", "angles": [0.3, -0.2, 0.5]},
    },
    "a": {
        "mass": 0.7,
        "inertia": [[0.02, 0.003, -0.001], [0.003, 0.03, 0.002], [-0.001, 0.002, 0.025]],
        "position": [0.3, 0.2, -0.1],
        "orientation": {"sequence": "zyx", "angles": [0.5, 0.4, -0.3]},
    },
    "b": {
        "mass": 1.3,
        "inertia": [0.05, 0.06, 0.04],
        "position": [-0.2, 0.5, 0.4],
        "orientation": {"sequence": "yxz", "angles": [-0.6, 0.7, 0.2]},
    },
}


GROUND: Section = {"ground": {"fixed": True}}


def in_space(bodies: Section, settings: Section, gravity: Any = (0.0, 0.0, 0.0), **sections: Section) -> Spec:
    """A model in space."""
    return model(bodies, settings, dimensions=3, gravity=list(gravity), **sections)


class SpaceEvaluation(Evaluation):
    """The right-hand side of a model in space at states of one's own choosing."""

    def moved(self, q: Array, change: Array) -> Array:
        """Coordinates moved along rates."""
        return moved(self.model, q, change)

    def on_path(self, q: Array, v: Array, a: Array, time: float) -> Seen:
        """On a path that begins at q with rates v, which change by a."""
        return self.at(self.moved(q, v * time + 0.5 * a * time**2), v + a * time)


def short(duration: float = 1.0, **settings: Any) -> Section:
    """Settings of a run."""
    return run(duration, **settings)


def heavy_top(nutation: float, precession: float, settings: Section, faster: float = 0.0) -> Any:
    """Lagrange's top on its tip, with the spin that keeps it at its angle while it precesses, or another [rad/s]."""
    mass, arm, across, along, weight = 1.0, 0.3, 0.02, 0.01, 9.81
    about = across + mass * arm**2
    # Steady precession: m g l = (C (spin + p cos) - A p cos) p, A about the tip.
    spin = (mass * weight * arm / precession + (about - along) * precession * math.cos(nutation)) / along
    turn = Rotation.from_euler("X", nutation)
    own = turn.inv().apply([0.0, 0.0, precession]) + np.array([0.0, 0.0, spin + faster])
    place = turn.apply([0.0, 0.0, arm])
    bodies = GROUND | {
        "top": {
            "mass": mass,
            "inertia": [across, across, along],
            "position": place.tolist(),
            "orientation": {"axis": [1, 0, 0], "angle": nutation},
            "velocity": np.cross([0.0, 0.0, precession], place).tolist(),
            "angular_velocity": own.tolist(),
        }
    }
    tip = {"kind": "spherical", "from": {"body": "ground"}, "to": {"body": "top", "at": [0, 0, -arm]}}
    measures = {
        name: {
            "kind": "rotation",
            "from": "ground",
            "to": "top",
            "sequence": "zxz",
            "which": which,
            "unit": "rad",
        }
        for name, which in (("precession", 1), ("nutation", 2), ("spin", 3))
    }
    return condyle.simulate(
        in_space(bodies, settings, (0.0, 0.0, -weight), joints={"tip": tip}, measures=measures)
    )


SOFT: Section = {"thickness": 0.01, "young": 1e6, "poisson": 0.3}
RADIUS = 0.02


def ball_on_plate(settings: Section, height: float, contact: Section | None = None, **more: Any) -> Spec:
    """A ball with a soft layer above a plate, its lowest point at a height; y is up."""
    ball = {
        "mass": 0.1,
        "inertia": [1.6e-5] * 3,
        "position": [0.0, RADIUS + height, 0.0],
        **more.pop("ball", {}),
    }
    return in_space(
        GROUND | {"ball": ball},
        settings,
        more.pop("gravity", (0.0, 0.0, 0.0)),
        surfaces={
            "skin": {"body": "ball", "ball": {"radius": RADIUS, "level": 3}, "layer": SOFT},
            "floor": {"body": "ground", "plate": {"width": 0.08, "depth": 0.08, "divisions": [16, 16]}},
        },
        contacts={"touch": {"kind": "foundation", "between": ["skin", "floor"]} | (contact or {})},
        **more,
    )
