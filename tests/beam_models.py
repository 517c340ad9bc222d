"""Beams as data for the tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.mechanics.system import Array
from condyle.model.spec import Spec
from mechanism_models import GROUND, joint
from reference.beams import Beam
from small_models import Section, model


def beam(of: Beam, elements: int, **more: Any) -> Section:
    """A straight beam along x from the origin."""
    return {
        "from": [0.0, 0.0],
        "to": [of.length, 0.0],
        "elements": elements,
        "axial_stiffness": of.axial,
        "bending_stiffness": of.bending,
        "mass_per_length": of.line_mass,
        **more,
    }


ENDS: Section = {"root": {"beam": "bar", "along": 0.0}, "tip": {"beam": "bar", "along": 1.0}}
TIP: Section = {
    "x": {"kind": "coordinate", "of": {"body": "tip"}, "axis": "x", "unit": "m"},
    "y": {"kind": "coordinate", "of": {"body": "tip"}, "axis": "y", "unit": "m"},
    "angle": {"kind": "angle", "from": "ground", "to": "tip", "unit": "rad"},
}


def held_beam(kind: str, bar: Section, settings: Section, **sections: Any) -> Spec:
    """A beam whose beginning is held by a joint of a kind at the origin."""
    joints = {"root": joint(kind, "ground", (0.0, 0.0), "root", (0.0, 0.0))}
    given = {"beams": {"bar": bar}, "frames": ENDS, "measures": TIP, "joints": joints}
    return model(GROUND, settings, **given | sections)


def free_beam(bar: Section, settings: Section, **sections: Any) -> Spec:
    """A beam that nothing holds."""
    return model(GROUND, settings, **{"beams": {"bar": bar}, "frames": ENDS, "measures": TIP} | sections)


def end_force(size: float, direction: complex) -> Section:
    """A dead force on the tip."""
    return {"body": "tip", "direction": [direction.real, direction.imag], "amplitude": size}


def still(duration: float = 1.0, rows: int = 1, **more: Any) -> Section:
    """How to ask for rest under load."""
    return {"duration": duration, "output_step": duration / rows, "analysis": "equilibrium", **more}


def rotated(vectors: Array, angle: float) -> Array:
    """Vectors of the plane turned by an angle, shape (..., 2)."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.asarray(vectors @ np.array([[cosine, sine], [-sine, cosine]]))
