"""What the results say of contacts and energies, worked out by other means."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import condyle
from condyle.model.spec import Spec
from small_models import Section, ball_on_ground, disc, hertz, model, run, tight

Array = NDArray[np.float64]

CENTRES = {"left": 0.03 - 0.02j, "right": -0.01 + 0.04j}
RADII = {"left": 0.05, "right": 0.08}


def discs_in_flight() -> Spec:
    """Two turning bodies with round profiles off their centres of mass, which meet and part."""
    bodies: Section = {
        "left": {
            **disc(),
            "position": [-0.1, 0.0],
            "angle": 0.7,
            "velocity": [1.0, 0.2],
            "angular_velocity": 9.0,
        },
        "right": {**disc(), "position": [0.1, 0.03], "angle": -0.4, "angular_velocity": -5.0},
    }
    profiles: Section = {
        name: {"body": name, "outline": {"circle": {"radius": RADII[name], "center": [c.real, c.imag]}}}
        for name, c in CENTRES.items()
    }
    return model(
        bodies,
        run(0.1, 1e-5),
        profiles=profiles,
        contacts={"touch": {"between": ["left", "right"], "law": hertz()}},
    )


def plane(values: Any) -> Array:
    """Vectors in the plane as complex numbers."""
    return np.asarray(values.sel(axis=["x", "y"]).values @ np.array([1.0, 1j]))


def test_where_two_discs_touch() -> None:
    """Gap, normal, facing points in both bodies' frames and the middle between them, by complex numbers."""
    data = condyle.simulate(discs_in_flight()).dataset
    spot = data.sel(contact="touch")
    centre, turn = {}, {}
    for name, local in CENTRES.items():
        body = data.sel(body=name)
        turn[name] = np.exp(1j * body["angle"].values)
        centre[name] = plane(body["position"]) + turn[name] * local
    apart = centre["left"] - centre["right"]
    normal = apart / np.abs(apart)
    gap = np.abs(apart) - RADII["left"] - RADII["right"]
    depth = spot["contact_depth"].values
    assert np.abs(depth + gap).max() < 1e-14
    assert depth.max() > 1e-4
    assert np.abs(plane(spot["contact_normal"]) - normal).max() < 1e-13
    facing = {"left": -RADII["left"] * normal, "right": RADII["right"] * normal}
    for side, name in (("first", "left"), ("second", "right")):
        expected = CENTRES[name] + facing[name] * np.conj(turn[name])
        found = plane(spot["contact_point_local"].sel(side=side))
        assert np.abs(found - expected).max() < 1e-13
        assert np.ptp(np.angle(found - CENTRES[name])) > 0.3
    middle = 0.5 * (centre["left"] + facing["left"] + centre["right"] + facing["right"])
    assert np.abs(plane(spot["contact_point"]) - middle).max() < 1e-13
    force = spot["contact_normal_force"].values
    assert np.abs(force - 1e6 * np.maximum(depth, 0.0) ** 1.5).max() < 1e-9
    # The rate of the depth, where the cubic between outputs is smooth: by differences.
    rate = spot["contact_rate"].values
    free = depth < -1e-3
    slope = np.gradient(depth, data["time"].values)
    assert np.abs(rate - slope)[free][1:-1].max() < 0.01 * np.abs(rate).max()


@pytest.mark.parametrize("exponent", [1.1, 1.5, 2.0, 3.0])
def test_energy_of_a_contact(exponent: float) -> None:
    """K d^(n+1) / (n+1), for any exponent: what the ball had before, and has again."""
    stiffness = 1e6 * 1e-4 ** (1.5 - exponent)
    law: Section = {"kind": "hertz", "stiffness": stiffness, "exponent": exponent}
    found = condyle.simulate(ball_on_ground(law, tight(0.015, output_step=5e-5), 1e-4))
    data = found.dataset
    depth = np.maximum(data["contact_depth"].sel(contact="touch").values, 0.0)
    stored = data["energy"].sel(kind="contact").values
    assert np.abs(stored - stiffness * depth ** (exponent + 1.0) / (exponent + 1.0)).max() < 1e-13
    assert stored.max() > 0.05
    kinetic = data["energy"].sel(kind="kinetic").values
    assert np.abs(stored + kinetic - 0.1).max() < 1e-9
    deepest = (0.1 * (exponent + 1.0) / stiffness) ** (1.0 / (exponent + 1.0))
    assert depth.max() == pytest.approx(deepest, rel=2e-3)
    assert kinetic[-1] == pytest.approx(0.1, rel=1e-8)
    assert found.audit.relative_residual < 1e-9


@pytest.mark.parametrize("gravity", [(0.0, -9.81), (4.0, 0.0), (-3.0, 7.0)])
def test_energy_of_the_weight(gravity: tuple[float, float]) -> None:
    """-m g . r, zero at the origin, wherever gravity points: a throw keeps the sum, along its parabola."""
    body: Section = {"mass": 0.7, "inertia": 0.02, "position": [0.3, -0.2], "velocity": [1.0, 2.0]}
    fixed: Section = {"fixed": True, "position": [5.0, 5.0]}
    spec = model({"post": fixed, "stone": body}, run(0.5, 1e-3), gravity=gravity)
    data = condyle.simulate(spec).dataset
    time = data["time"].values[:, None]
    place = np.array([0.3, -0.2]) + np.array([1.0, 2.0]) * time + 0.5 * np.array(gravity) * time**2
    assert np.abs(data["position"].sel(body="stone").values[:, :2] - place).max() < 1e-13
    weight = data["energy"].sel(kind="gravity").values
    assert np.abs(weight + 0.7 * place @ gravity).max() < 1e-13
    kinetic = data["energy"].sel(kind="kinetic").values
    assert np.abs(weight + kinetic - weight[0] - kinetic[0]).max() < 1e-12
    assert np.ptp(kinetic) > 0.1


def test_the_audit_takes_what_went_through() -> None:
    """A stone thrown up and caught as it falls: half the sum of magnitudes is all that weight gave and took."""
    body: Section = {"mass": 0.7, "inertia": 0.02, "velocity": [0.0, 2.0]}
    spec = model({"stone": body}, run(4.0 / 9.81, 1e-3), gravity=[0.0, -9.81])
    audit = condyle.simulate(spec).audit
    assert audit.energy_throughput == pytest.approx(2.0 * 0.5 * 0.7 * 2.0**2, rel=1e-6)
    assert math.isclose(audit.relative_residual, 0.0, abs_tol=1e-12)
