"""The built-in planar knee against an independent high-accuracy solution of the same problem (`reference/knee.py`).

Asked: 0.05 mm, 0.02 deg and 1 N over the whole run. Asserted is what it reaches, with room for another machine's
round-off, because a looser bound would let a wrong digit through.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import condyle
from reference.knee import solve
from reference.knee_tables import LIGAMENTS, Array, Knee

TIGHT = {"run.integrator": "adaptive", "run.relative_tolerance": 1e-11, "run.absolute_tolerance": 1e-13}


def run(overrides: dict[str, Any], model: str = "planar-knee", variant: str | None = None) -> Any:
    """The labelled dataset of one run."""
    return condyle.simulate(condyle.load(model, variant=variant).updated(overrides)).dataset


def apart(knee: Knee, dataset: Any) -> dict[str, float]:
    """Largest differences from the independent solution at the dataset's own times: mm, deg, N."""
    solution = solve(knee, np.asarray(dataset["time"].values))
    tibia = dataset.sel(body="tibia")
    place = tibia["position"].sel(axis="x").values + 1j * tibia["position"].sel(axis="y").values
    contact = dataset.sel(contact="tibiofemoral")
    forces = dataset["ligament_force"].sel(ligament=list(LIGAMENTS)).values.T
    flexion = dataset["measure_value"].sel(measure="flexion").values

    def largest(difference: Array) -> float:
        return float(np.abs(difference).max())

    return {
        "place": 1e3 * largest(place - solution.centre),
        "depth": 1e3 * largest(contact["contact_depth"].values - solution.depth),
        "angle": float(np.rad2deg(largest(tibia["angle"].values - solution.states[2]))),
        "flexion": largest(flexion - solution.flexion),
        "contact": largest(contact["contact_normal_force"].values - solution.normal_force),
        "ligaments": largest(forces - solution.ligament_force),
    }


def assert_within(differences: dict[str, float], length: float, angle: float, force: float) -> None:
    """All differences below the bounds [mm, deg, N], reported together."""
    kinds = {"place": length, "depth": length, "angle": angle, "flexion": angle}
    too_far = [name for name, value in differences.items() if not value < kinds.get(name, force)]
    assert not too_far, differences


@pytest.mark.parametrize("amplitude", [50.0, 150.0])
def test_adaptive_at_tight_tolerance(amplitude: float) -> None:
    """Reached: 5e-8 mm, 2e-8 deg, 1e-5 N."""
    dataset = run({**TIGHT, "forces.pulse.amplitude": amplitude})
    assert_within(apart(Knee(amplitude), dataset), 1e-6, 1e-6, 1e-4)


@pytest.mark.parametrize("integrator", ["rk-gill", "rk4"])
def test_fixed_steps_as_the_model_has_them(integrator: str) -> None:
    """Reached: 6e-11 mm, 2e-11 deg, 2e-8 N."""
    assert_within(apart(Knee(), run({"run.integrator": integrator})), 1e-9, 1e-9, 1e-6)


@pytest.mark.parametrize("integrator", ["adaptive", "stiff", "dopri5"])
def test_adaptive_as_they_come(integrator: str) -> None:
    """The model's own tolerances, 1e-8 and 1e-10. Reached: 2e-5 mm, 4e-6 deg, 3e-3 N."""
    assert_within(apart(Knee(), run({"run.integrator": integrator})), 2e-4, 5e-5, 3e-2)


@pytest.mark.parametrize(("variant", "radius"), [(None, 1.0), ("tight", 0.1)])
def test_the_clearance_joint(variant: str | None, radius: float) -> None:
    """Reached: 1e-7 mm, 2e-8 deg, 1e-6 N; the model file's numbers end after ten digits."""
    dataset = run({}, "planar-knee-clearance", variant)
    assert_within(apart(Knee(bearing_radius=radius), dataset), 1e-6, 1e-6, 1e-4)


@pytest.mark.parametrize(("amplitude", "tension"), [(50.0, "clamp"), (150.0, "clamp"), (150.0, "printed")])
def test_lankarani_nikravesh(amplitude: float, tension: str) -> None:
    """The approach speed at onset and the clamp, against a solution that locates both by its own events.

    At 50 N the printed force never pulls, at 150 N for a twentieth of the contact time.
    """
    law = {"kind": "lankarani-nikravesh", "restitution": 0.3, "tension": tension}
    dataset = run({"forces.pulse.amplitude": amplitude, "contacts.tibiofemoral.law": law})
    knee = Knee(amplitude, hysteresis=0.75 * (1 - 0.3**2), clamped=tension == "clamp")
    assert_within(apart(knee, dataset), 1e-6, 1e-6, 1e-4)


def test_the_contact_point_is_the_same_place_on_the_tibia() -> None:
    dataset = run({})
    solution = solve(Knee(), np.asarray(dataset["time"].values))
    touching = solution.depth > 1e-6
    assert 200 < touching.sum() < touching.size
    on_tibia = dataset["contact_point_local"].sel(contact="tibiofemoral", side="second")
    eta = on_tibia.sel(axis="y").values[touching]
    assert np.abs(eta - solution.contact_on_tibia.imag[touching]).max() < 1e-9
