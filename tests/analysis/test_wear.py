"""Wear in whole models: closed forms of a block that slides under a known force."""

from __future__ import annotations

from typing import Any

import pytest

import condyle
from small_models import Section, run
from space_models import GROUND, in_space

pytestmark = pytest.mark.compiled

FORCE, FACTOR, CYCLES = 50.0, 2e-16, 1e6


def sliding(settings: Section, motion: Section, driven: str = "along", **wear: Any) -> Any:
    """A block pressed on a plate with a layer and driven along it, or turned on it; it does not tilt."""
    held = {"along": ["z", "first", "second", "third"], "turned": ["x", "z", "second", "third"]}[driven]
    measures = {
        "along": {"kind": "coordinate", "of": {"body": "block"}, "axis": "x"},
        "turned": {"kind": "rotation", "from": "ground", "to": "block", "sequence": "yxz", "which": 1},
        "height": {"kind": "coordinate", "of": {"body": "block"}, "axis": "y"},
    }
    guide = {"kind": "six-degree", "from": {"body": "ground"}, "to": {"body": "block"}, "sequence": "yxz"}
    spec = in_space(
        GROUND | {"block": {"mass": 1.0, "inertia": [1e-3] * 3, "position": [0, 0.01, 0]}},
        settings,
        surfaces={
            "under": {
                "body": "block",
                "block": {"size": [0.02, 0.02, 0.02], "divisions": 12},
                "smooth": False,
                "layer": {"thickness": 0.01, "young": 1e7, "poisson": 0.4},
            },
            "table": {"body": "ground", "plate": {"width": 0.06, "depth": 0.06, "divisions": [2, 2]}},
        },
        contacts={
            "rub": {
                "kind": "foundation",
                "between": ["under", "table"],
                "damping": 1.0,
                "wear": {"factor": FACTOR, "cycles": CYCLES, **wear},
            }
        },
        joints={"guide": guide | {"held": held}},
        drivers={"drive": {"measure": driven, "motion": motion}},
        forces={"press": {"body": "block", "direction": [0, -1, 0], "amplitude": FORCE}},
        springs={"settles": {"kind": "measure", "measure": "height", "damping": 2000.0}},
        measures=measures,
    )
    results = condyle.simulate(spec)
    assert results.complete
    return results.dataset


def implicit(duration: float, output_step: float = 1e-2) -> Section:
    return run(
        duration, step=1e-3, integrator="generalized-alpha", start="equilibrium", audit_tolerance=0.1
    ) | {"output_step": output_step}


def sides(data: Any) -> float:
    """What the sides of the block, a little of which is below the plate, wear beside its bottom."""
    return 1.0 + 0.5 * 0.08 * float(data["contact_depth"].values[-1, 0]) / 4e-4


def test_wear_is_factor_times_force_times_path_times_cycles() -> None:
    """10 mm at constant speed, and the same path again as a cycle of its own."""
    motion = {"kind": "constant-speed", "speed": 0.05, "start": -0.005}
    data = sliding(implicit(0.2), motion)
    assert data["contact_force"].values[:, 0, 1] == pytest.approx(FORCE, rel=1e-6)
    expected = FACTOR * FORCE * 0.01 * CYCLES
    assert float(data["wear_volume"][0]) == pytest.approx(expected * sides(data), rel=1e-4)
    assert float(data["wear_volume_by_centre"][0]) == pytest.approx(expected, rel=1e-6)
    # Of the last half alone.
    half = sliding(implicit(0.2), motion, period=0.1)
    assert float(half["wear_volume"][0]) == pytest.approx(0.5 * expected * sides(data), rel=1e-4)
    # The block has the layer: its bottom wears evenly, its top and the plate do not.
    worn, middle = (
        data["face_wear"].values,
        data["surface_vertex"].values[data["surface_face"].values].mean(axis=1),
    )
    block = data["face_surface"].values == 0
    assert worn[~block].max() == 0.0
    assert worn[block & (middle[:, 1] > 0.0)].max() == 0.0
    assert worn[block & (middle[:, 1] < -0.00999)] == pytest.approx(expected / 4e-4, rel=1e-6)


def test_a_block_that_turns_wears_by_its_faces() -> None:
    """About its middle the centre of pressure does not slip; the mean arm of a square of side a is 0.38260 a."""
    data = sliding(implicit(0.2), {"kind": "constant-speed", "speed": 1.0, "start": 0.0}, driven="turned")
    expected = FACTOR * FORCE * 0.2 * 0.38260 * 0.02 * CYCLES
    assert float(data["wear_volume"][0]) == pytest.approx(expected, rel=0.02)
    assert float(data["wear_volume_by_centre"][0]) < 1e-3 * expected


def test_without_asking_there_is_no_wear() -> None:
    assert (
        "wear_volume"
        not in condyle.simulate(condyle.load("sphere-on-plate").updated({"run.duration": "2 ms"})).dataset
    )
