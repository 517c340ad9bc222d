"""Peaks are those of the motion, however far apart the steps and the rows are."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

import condyle
from condyle.model.declarations import Integrator
from condyle.results import Results
from small_models import ball_on_ground, elastic_pendulum, hertz, run, tight

ADAPTIVE = ("dopri5", "dopri8", "radau")
PEAKS = {
    "peak_ligament_force": "ligament_force",
    "peak_ligament_strain": "ligament_strain",
    "peak_contact_force": "contact_normal_force",
    "peak_contact_depth": "contact_depth",
}


def peaks(results: Results) -> dict[str, np.ndarray]:
    """All peaks that a run has."""
    return {name: results.dataset[name].values for name in PEAKS if name in results.dataset}


# How long until the models with ligaments or contacts have had a peak [s].
DURATIONS = {
    "bouncing-ball": 0.4,
    "pendulum": 0.5,
    "planar-knee": 0.1,
    "planar-knee-clearance": 0.1,
    "planar-knee-polycentric": 0.1,
}


@pytest.mark.parametrize("integrator", [i for i in get_args(Integrator) if i not in ("adaptive", "stiff")])
@pytest.mark.parametrize("name", DURATIONS)
def test_no_row_is_above_the_peak(name: str, integrator: str) -> None:
    spec = condyle.load(name).updated({"run.integrator": integrator, "run.duration": DURATIONS[name]})
    data = condyle.simulate(spec).dataset
    for peak, series in PEAKS.items():
        if peak in data:
            assert (data[peak] >= data[series].max("time")).all(), peak
            assert (data[f"{peak}_time"] <= spec.model.run.duration).all()


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_peaks_of_the_knee_are_those_of_small_steps(integrator: str) -> None:
    """Steps of 1e-5 s pass the peaks by less than a millionth; those that are chosen are fifty times as long."""
    knee = condyle.load("planar-knee").updated({"run.duration": 0.1})
    expected = peaks(condyle.simulate(knee))
    found = peaks(
        condyle.simulate(knee.updated({"run.integrator": integrator, "run.relative_tolerance": 1e-10}))
    )
    assert set(found) == set(PEAKS)
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-6)


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_the_deepest_point_of_a_bounce(integrator: str) -> None:
    """All of the energy of the fall is in the contact then: m g (h + d) = 2/5 K d^5/2."""
    height, mass, gravity, stiffness = 0.1, 0.2, 9.81, 1e6
    settings = tight(0.2, integrator, output_step=0.05)
    data = condyle.simulate(ball_on_ground(hertz(stiffness), settings, height, (0.0, 0.0), gravity)).dataset
    depth = float(data["peak_contact_depth"].item())
    assert 0.4 * stiffness * depth**2.5 == pytest.approx(mass * gravity * (height + depth), rel=1e-6)
    assert data["peak_contact_force"].item() == pytest.approx(stiffness * depth**1.5, rel=1e-6)
    assert data["contact_depth"].max() < 0.5 * depth, "the rows do not show it"
    fall = np.sqrt(2.0 * height / gravity)
    assert fall < data["peak_contact_depth_time"].item() < fall + 0.01


@pytest.mark.parametrize("integrator", ["rk-gill", "dopri8"])
def test_a_ligament_that_tore_had_its_peaks_before(integrator: str) -> None:
    """The bob falls on, so that the distance of the ends grows far beyond what the ligament held."""
    settings = run(0.5, 1e-4, integrator) if integrator == "rk-gill" else tight(0.5, integrator)
    results = condyle.simulate(elastic_pendulum(settings, allowed_strain=1.9, breaks=True))
    data, (row,) = results.dataset, results.summary().ligaments
    assert row.broken_time is not None
    assert data["ligament_strain"].max() > 1.5 * row.strain
    assert row.strain == pytest.approx(1.9, rel=1e-3)
    assert row.strain_time == pytest.approx(row.broken_time, rel=1e-3)
    assert row.force_time <= row.broken_time * 1.001
