"""Small models in space for tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

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
