"""Foundations in whole models: action and reaction, energy, friction, rest, and what must not matter."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import condyle
from condyle.mechanics.space import FORCE, PLACE, TORQUE
from small_models import Section, run
from space_models import RADIUS, SOFT, SpaceEvaluation, ball_on_plate, in_space

Array = NDArray[np.float64]
pytestmark = pytest.mark.compiled

ROUGH: Section = {
    "damping": 0.5,
    "friction": {"kind": "coulomb", "coefficient": 0.3, "slow": 0.02, "fast": 0.1},
}


def meeting(
    settings: Section,
    between: tuple[str, str] = ("first", "second"),
    turn: Rotation | None = None,
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0),
    **contact: Any,
) -> Any:
    """Two free balls of different size that meet off their middles, as the world is turned and shifted."""
    turned = turn or Rotation.identity()

    def body(place: list[float], velocity: list[float], own: Rotation, mass: float) -> Section:
        parameters = np.roll((turned * own).as_quat(), 1)
        return {
            "mass": mass,
            "inertia": [1.2e-4 * mass, 1.6e-4 * mass, 1.4e-4 * mass],
            "position": (turned.apply(place) + shift).tolist(),
            "velocity": turned.apply(velocity).tolist(),
            "orientation": {"euler_parameters": parameters.tolist()},
            "angular_velocity": [3.0, -5.0, 2.0],
        }

    one = Rotation.from_rotvec([0.3, 0.5, -0.2])
    other = Rotation.from_rotvec([-0.7, 0.1, 0.4])
    bodies = {
        "one": body([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], one, 0.1),
        "two": body([0.0355, 0.0105, 0.002], [-0.2, 0.0, 0.05], other, 0.15),
    }
    surfaces = {
        "first": {"body": "one", "ball": {"radius": 0.015, "level": 3}, "at": [0.001, 0, 0], "layer": SOFT},
        "second": {"body": "two", "ball": {"radius": 0.02, "level": 3}, "layer": SOFT},
    }
    pair = {"kind": "foundation", "between": list(between), **contact}
    return in_space(bodies, settings, surfaces=surfaces, contacts={"touch": pair})


def test_action_is_reaction_about_one_point() -> None:
    """Force and moment about the world's origin of both bodies cancel, with damping and friction."""
    mechanical = SpaceEvaluation(meeting(run(1.0), **ROUGH))
    q, v = mechanical.start
    work = mechanical.at(mechanical.moved(q, np.r_[0.002, np.zeros(11)]), v).work
    rows = [mechanical.row(name) for name in ("one", "two")]
    force = [work[row, FORCE : FORCE + 3] for row in rows]
    moment = [
        work[row, TORQUE : TORQUE + 3] + np.cross(work[row, PLACE : PLACE + 3], work[row, FORCE : FORCE + 3])
        for row in rows
    ]
    assert np.linalg.norm(force[0]) > 0.5
    assert np.linalg.norm(moment[0]) > 1e-3
    assert force[0] == pytest.approx(-force[1], abs=1e-13 * float(np.linalg.norm(force[0])))
    assert moment[0] == pytest.approx(-moment[1], abs=1e-12 * float(np.linalg.norm(moment[0])))


def test_free_bodies_keep_momentum_and_it_does_not_matter_which_is_named_first() -> None:
    settings = run(0.03, step=5e-5, integrator="rk4", audit_tolerance=1e-3)
    one = condyle.simulate(meeting(settings, **ROUGH)).dataset
    other = condyle.simulate(meeting(settings, ("second", "first"), **ROUGH)).dataset
    assert one["contact_depth"].max() > 5e-4
    assert one["contact_depth"].values[-1] == 0.0
    momentum = np.einsum("b,tba->ta", [0.1, 0.15], one["velocity"].values)
    assert momentum == pytest.approx(np.tile(momentum[0], (len(momentum), 1)), abs=1e-14)
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        assert other[name].values == pytest.approx(one[name].values, abs=1e-9), name
    assert other["contact_force"].values == pytest.approx(-one["contact_force"].values, abs=1e-7)
    for name in ("contact_point", "contact_area", "contact_depth"):
        assert other[name].values == pytest.approx(one[name].values, abs=1e-9, nan_ok=True), name


def test_where_the_world_is_does_not_matter() -> None:
    settings = run(0.02, step=5e-5, integrator="rk4", audit_tolerance=1e-3)
    turn, shift = Rotation.from_rotvec([0.8, -1.1, 0.5]), (0.3, -0.2, 0.5)
    still = condyle.simulate(meeting(settings, **ROUGH)).dataset
    moved = condyle.simulate(meeting(settings, turn=turn, shift=shift, **ROUGH)).dataset
    assert still["contact_depth"].max() > 5e-4

    def seen(name: str, origin: Any = 0.0) -> Array:
        values = moved[name].values - origin
        return np.asarray(turn.inv().apply(values.reshape(-1, 3)).reshape(values.shape))

    assert seen("position", shift) == pytest.approx(still["position"].values, abs=1e-10)
    assert seen("contact_force") == pytest.approx(still["contact_force"].values, abs=1e-8)
    assert seen("contact_moment") == pytest.approx(still["contact_moment"].values, abs=1e-10)
    assert moved["angular_velocity"].values == pytest.approx(still["angular_velocity"].values, abs=1e-8)
    assert moved["face_pressure"].values == pytest.approx(still["face_pressure"].values, abs=1e-2)


def bounce(step: float, damping: float = 0.0) -> tuple[float, Any]:
    """How fast a ball leaves a plate, in parts of how fast it came."""
    settings = run(0.025, step=step, integrator="rk4", audit_tolerance=0.1)
    thrown = {"velocity": [0.0, -0.4, 0.0]}
    results = condyle.simulate(ball_on_plate(settings, 1e-4, {"damping": damping}, ball=thrown))
    assert results.dataset["contact_depth"].values[-1, 0] == 0.0
    return float(results.dataset["velocity"].sel(body="ball").values[-1, 1]) / 0.4, results.audit


def test_a_bounce_loses_no_energy_but_by_damping() -> None:
    speed, _ = bounce(5e-5)
    assert speed == pytest.approx(1.0, abs=2e-4)
    damped, audit = bounce(5e-5, damping=1.0)
    assert damped < 0.9
    assert audit.relative_residual < 1e-5


def test_the_audit_of_a_bounce_falls_with_the_step() -> None:
    residuals = [bounce(step)[1].relative_residual for step in (1e-3, 5e-4, 2.5e-4)]
    assert residuals[0] > 1e-6
    assert residuals[1] < residuals[0] / 4.0
    assert residuals[2] < residuals[1] / 4.0


def test_a_ball_slides_and_then_rolls() -> None:
    """Friction slows it by mu g and turns it; rolling begins at 5/7 of the speed."""
    height = float(
        condyle.simulate(resting(run(1.0, analysis="equilibrium"))).dataset["position"].values[-1, 1, 1]
    )
    friction = {"kind": "coulomb", "coefficient": 0.2, "slow": 1e-4, "fast": 1e-3}
    settings = run(0.12, step=2e-4, integrator="generalized-alpha", audit_tolerance=0.1, output_step=1e-3)
    thrown = {"velocity": [0.4, 0.0, 0.0], "position": [-0.02, height, 0.0]}
    gravity = (0.0, -9.81, 0.0)
    dataset = condyle.simulate(
        ball_on_plate(settings, 0.0, {"friction": friction}, gravity=gravity, ball=thrown)
    ).dataset
    time, speed = dataset["time"].values, dataset["velocity"].sel(body="ball").values[:, 0]
    sliding = (time > 0.01) & (time < 0.05)
    slope = np.polyfit(time[sliding], speed[sliding], 1)[0]
    assert slope == pytest.approx(-0.2 * 9.81, rel=0.02)
    assert speed[-1] == pytest.approx(0.4 * 5.0 / 7.0, rel=0.01)
    spin = dataset["angular_velocity"].sel(body="ball").values[-1]
    assert np.linalg.norm(spin) * RADIUS == pytest.approx(speed[-1], rel=0.01)


def resting(settings: Section, **more: Any) -> Any:
    """A ball on a plate, held by springs along it, and turned by nothing."""
    measures = {
        f"place-{axis}": {"kind": "coordinate", "of": {"body": "ball"}, "axis": axis} for axis in ("x", "z")
    }
    springs = {
        name: {"kind": "measure", "measure": name, "stiffness": 50.0, "damping": 0.5, "rest": 0.0}
        for name in measures
    }
    guide = {
        "kind": "six-degree",
        "from": {"body": "ground"},
        "to": {"body": "ball"},
        "held": ["first", "second", "third"],
    }
    push = {"body": "ball", "direction": [1, 0, 0], "amplitude": 0.02}
    return ball_on_plate(
        settings, 0.0, {"damping": 5.0}, gravity=(0.0, -9.81, 0.0), measures=measures, springs=springs,
        joints={"guide": guide}, forces={"push": push, **more},
    )  # fmt: skip


def test_rest_on_a_surface() -> None:
    results = condyle.simulate(resting(run(1.0, analysis="equilibrium")))
    last = results.dataset.isel(time=-1)
    assert results.audit.unbalanced is not None
    assert results.audit.unbalanced < 1e-6
    assert last["contact_force"].values[0] == pytest.approx([0.0, 0.981, 0.0], abs=1e-5)
    assert last["position"].sel(body="ball").values[0] == pytest.approx(0.02 / 50.0, abs=1e-6)
    # A level sphere of a soft layer: F = k pi d^2 (R - d / 3), flattened a little by its triangles.
    stiffness = 1e6 * 0.7 / (1.3 * 0.4) / 0.01
    depth = math.sqrt(0.981 / (stiffness * math.pi * RADIUS))
    assert float(last["contact_depth"][0]) == pytest.approx(depth, rel=0.05)


def test_a_run_that_starts_at_rest_stays_there() -> None:
    for integrator, step in (("generalized-alpha", 5e-4), ("rk4", 1e-4)):
        settings = run(0.05, step=step, integrator=integrator, start="equilibrium", audit_tolerance=0.9)
        dataset = condyle.simulate(resting(settings)).dataset
        place = dataset["position"].sel(body="ball").values
        assert place[0, 1] < RADIUS - 1e-5
        assert place == pytest.approx(np.tile(place[0], (len(place), 1)), abs=1e-10)
        assert dataset["contact_force"].values[:, 0, 1] == pytest.approx(0.981, abs=1e-6)


def test_a_run_that_cannot_start_at_rest_says_so() -> None:
    push = {"body": "ball", "direction": [0, 1, 0], "amplitude": 5.0}
    settings = run(0.05, start="equilibrium")
    with pytest.raises(ValueError, match=r"run\.start: no pose was found in which the forces balance"):
        condyle.simulate(resting(settings, lift=push))


def test_rest_is_found_from_every_place_nearby() -> None:
    """A ball in a socket that nothing but the load and the contact holds: all forces together are nothing."""
    found = []
    for height in (0.1, 0.102, 0.105, 0.11, 0.12):
        changes = {"run.analysis": "equilibrium", "run.duration": 0.01, "run.output_step": 0.01}
        spec = condyle.load("ball-in-socket").updated(
            changes | {"bodies.femur.position": [1e-5, 1e-3 * height, 2e-5]}
        )
        results = condyle.simulate(spec)
        assert results.complete
        assert (results.audit.unbalanced or 0.0) < 1e-9
        found.append(results.dataset["position"].sel(body="femur").values[0])
    assert np.linalg.norm(found[0]) > 1.2e-4
    assert np.array(found) == pytest.approx(np.tile(found[0], (5, 1)), abs=1e-10)
