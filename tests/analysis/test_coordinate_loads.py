"""Loads of contacts along coordinates: against the power that the contact gives, closed forms, and mistakes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import condyle
from condyle.analysis.answer import answered
from condyle.analysis.coordinate_loads import CoordinateLoads
from condyle.analysis.dynamics import right_hand_side
from condyle.contact.foundation.pair import PAIR_ELASTIC, PAIR_LOSS
from condyle.laws.foundation.layers import confined_modulus
from condyle.mechanics.system import MEASURES, PATCHES
from condyle.model.compiled import compiled
from condyle.model.spec import Spec
from condyle.multibody.space_measures import RATE
from condyle.results.coordinate_loads import coordinate_loads, coordinate_stiffness
from small_models import Section
from space_models import in_space, short

RADIUS, DEPTH, THICKNESS, YOUNG, POISSON = 20e-3, 1e-3, 5e-3, 10e6, 0.4
PLACES: Section = {
    name: {"kind": "coordinate", "of": {"body": "ball"}, "axis": name, "unit": "mm"} for name in "xyz"
}
TURNS: Section = {
    name: {"kind": "rotation", "from": "ground", "to": "ball", "sequence": "xzy", "which": k, "unit": "deg"}
    for k, name in enumerate(("first", "second", "third"), 1)
}
SURFACES: Section = {
    "sphere": {
        "body": "ball",
        "ball": {"radius": RADIUS, "level": 4},
        "layer": {"thickness": THICKNESS, "young": YOUNG, "poisson": POISSON},
    }
}


def resting(**more: Section) -> Spec:
    """A ball that has sunk into a plate by `DEPTH`."""
    bodies = {
        "ground": {"fixed": True},
        "ball": {"position": [0, RADIUS - DEPTH, 0], "mass": 0.1, "inertia": [1.6e-5] * 3},
    }
    surfaces = SURFACES | {"table": {"body": "ground", "plate": {"width": 0.04, "depth": 0.04}}}
    contacts = {"touch": {"kind": "foundation", "between": ["sphere", "table"]}}
    measures = PLACES | TURNS
    settings = short(1e-4, step=1e-5, integrator="rk4")
    return in_space(bodies, settings, surfaces=surfaces, contacts=contacts, measures=measures, **more)


def on_a_tray() -> Spec:
    """A ball that falls, spinning, on a tray that slides and turns."""
    bodies = {
        "ground": {"fixed": True},
        "tray": {
            "mass": 0.3,
            "inertia": [1e-4] * 3,
            "velocity": [0.2, 0, -0.1],
            "angular_velocity": [0, 3, 0],
        },
        "ball": {
            "position": [4e-3, RADIUS - 0.5 * DEPTH, -3e-3],
            "mass": 0.1,
            "inertia": [1.6e-5, 2e-5, 2.4e-5],
            "velocity": [0, -0.3, 0],
            "angular_velocity": [4, -3, 5],
        },
    }
    surfaces = SURFACES | {"table": {"body": "tray", "plate": {"width": 0.06, "depth": 0.06}}}
    friction = {"kind": "coulomb", "coefficient": 0.3, "slow": 1e-3, "fast": 1e-2}
    contacts = {
        "touch": {"kind": "foundation", "between": ["sphere", "table"], "damping": 0.5, "friction": friction}
    }
    joints = {
        "slide": {"kind": "planar", "from": {"body": "ground"}, "to": {"body": "tray"}, "normal": [0, 1, 0]},
        "ram": {
            "kind": "six-degree",
            "from": {"body": "ground"},
            "to": {"body": "ball"},
            "sequence": "xzy",
            "held": ["x", "z"],
        },
    }
    measures = {
        "ahead": {"kind": "coordinate", "of": {"body": "tray"}, "axis": "x", "unit": "mm"},
        "aside": {"kind": "coordinate", "of": {"body": "tray"}, "axis": "z", "sign": -1, "unit": "mm"},
        "round": {
            "kind": "rotation",
            "from": "ground",
            "to": "tray",
            "sequence": "yxz",
            "which": 1,
            "unit": "deg",
        },
        "y": PLACES["y"],
        **TURNS,
    }
    settings = short(2e-3, step=2e-5, integrator="rk4", output_step=4e-4, audit_tolerance=1e-3)
    return in_space(bodies, settings, surfaces=surfaces, contacts=contacts, joints=joints, measures=measures)


def test_loads_times_rates_are_the_power_of_the_contact() -> None:
    """Two routes: generalised loads and rates of measures; pressure and friction times speeds, face by face."""
    trajectory = answered(compiled(on_a_tray()), None)
    model, names = trajectory.model, list(trajectory.model.spec.model.measures)
    asked, first, row = CoordinateLoads(model, names), model.rows(MEASURES).start, model.rows(PATCHES).start
    powers = []
    for k, y in enumerate(trajectory.y):
        work, states = model.work.copy(), np.stack([y, y])
        right_hand_side(0.0, states, 0, 1, model.arrays, trajectory.memory[k], work)
        powers.append(work[row, PAIR_ELASTIC] - work[row, PAIR_LOSS])
        rates = work[first : first + len(names), RATE]
        assert asked.at(y)[0] @ rates == pytest.approx(powers[-1], rel=1e-9)
    assert max(map(abs, powers)) > 1.0
    assert min(powers) < 0.0


def test_a_ball_is_stiff_across_the_plate_only() -> None:
    """F = K pi d^2 (R - d/3) / h, so that dF/dd = K pi (2 R d - d^2) / h; all other motions change nothing."""
    results = condyle.simulate(resting())
    names = ["x", "y", "z", "first", "second", "third"]
    s = coordinate_stiffness(results, names).sel(contact="touch")
    modulus = confined_modulus(YOUNG, POISSON)
    across = modulus * math.pi * (2.0 * RADIUS * DEPTH - DEPTH**2) / THICKNESS
    assert s.sel(coordinate="y").item() == pytest.approx(-across, rel=5e-3)
    assert np.abs(s.sel(coordinate=["x", "z"]).values).max() < 1e-3 * across
    assert np.abs(s.sel(coordinate=["first", "second", "third"]).values).max() < 1e-3 * across * RADIUS**2
    assert s.coordinate_unit.values.tolist() == ["N/m"] * 3 + ["N m/rad"] * 3
    loads = coordinate_loads(results, names).sel(contact="touch").isel(time=0)
    force = modulus * math.pi * DEPTH**2 * (RADIUS - DEPTH / 3.0) / THICKNESS
    assert loads.sel(coordinate="y").item() == pytest.approx(force, rel=5e-3)
    assert loads.sel(coordinate="y").item() == pytest.approx(
        results.dataset.contact_force.sel(contact="touch", axis="y")[0].item(), rel=1e-12
    )
    assert loads.coordinate_unit.values.tolist() == ["N"] * 3 + ["N m"] * 3


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["x", "y", "z", "first", "second"], "5 measures, but the joints leave 6 ways to move"),
        (["x", "y", "z", "first", "second", "far"], "none of which follows from the others"),
        (["x", "y", "z", "first", "second", "thrid"], "expected some of the model's measures, x, y, z"),
        (["x", "x", "y", "z", "first", "second"], "each once"),
    ],
)
def test_what_are_no_coordinates_is_said(names: list[str], message: str) -> None:
    far = {"kind": "coordinate", "of": {"body": "ball"}, "axis": "x", "offset": 1.0, "unit": "mm"}
    spec = resting().updated({"measures.far": far})
    model = compiled(spec)
    with pytest.raises(ValueError, match=message):
        CoordinateLoads(model, names).at(model.start)


def test_a_model_without_surfaces_has_no_such_loads() -> None:
    with pytest.raises(ValueError, match="there are none"):
        CoordinateLoads(compiled(condyle.load("pendulum")), [])
