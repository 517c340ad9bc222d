"""Bodies in space against closed forms, conservation, and the same mechanisms in the plane."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation
from scipy.special import ellipj

import condyle
from condyle.testing import assert_order
from small_models import Section, model, run, tight
from space_models import BODIES, GROUND, heavy_top, in_space

Array = NDArray[np.float64]


def spun(spin: tuple[float, ...], settings: Section, moments: tuple[float, ...] = (1.0, 2.0, 2.5)) -> Any:
    """A body on its own that turns."""
    bodies = {"top": {"mass": 1.0, "inertia": list(moments), "angular_velocity": list(spin)}}
    return condyle.simulate(in_space(bodies, settings)).dataset


def turns(dataset: Any, body: str) -> Rotation:
    """Rotations of a body."""
    return Rotation.from_quat(np.roll(dataset["orientation"].sel(body=body).values, -1, axis=1))


def test_a_free_body_turns_as_jacobi_says() -> None:
    """Euler's equations of three different moments, by elliptic functions; angular momentum stays as it is."""
    a, b, c = moments = (1.0, 2.0, 2.5)
    x0, z0 = 0.6, 1.2
    dataset = spun((x0, 0.0, z0), tight(6.0), moments)
    # Twice the energy T and the square of the momentum M; M > 2 b T: it goes round the third axis.
    double, square = a * x0**2 + c * z0**2, (a * x0) ** 2 + (c * z0) ** 2
    assert square > b * double
    rate = math.sqrt((c - b) * (square - a * double) / (a * b * c))
    modulus = (b - a) * (c * double - square) / ((c - b) * (square - a * double))
    sn, cn, dn, _ = ellipj(rate * dataset["time"].values, modulus)
    side = -math.sqrt((c * double - square) / (b * (c - b)))
    expected = np.stack([x0 * cn, -side * sn * math.copysign(1.0, x0 * z0 * (c - a)), z0 * dn], axis=1)
    found = dataset["angular_velocity"].sel(body="top").values
    assert np.ptp(found[:, 1]) > 1.0
    assert found == pytest.approx(expected, abs=1e-10)
    momentum = turns(dataset, "top").apply(found * moments)
    assert momentum == pytest.approx(np.tile(momentum[0], (len(momentum), 1)), abs=1e-10)


def test_a_heavy_top_precesses_steadily() -> None:
    nutation, precession = 0.6, 3.0
    results = heavy_top(nutation, precession, tight(2.0))
    found = results.dataset["measure_value"]
    time = results.dataset["time"].values
    assert found.sel(measure="nutation").values == pytest.approx(nutation, abs=1e-8)
    assert found.sel(measure="precession").values == pytest.approx(precession * time, abs=1e-8)
    # The angles go on without jumps through more than a turn.
    assert found.sel(measure="spin").values[-1] > 4.0 * math.pi
    assert results.audit.passed
    # The tip bears the weight, and what keeps the centre of mass on its circle.
    force = results.dataset["joint_force"].sel(joint="tip").values
    assert force[:, 2] == pytest.approx(9.81, abs=1e-6)
    assert np.hypot(force[:, 0], force[:, 1]) == pytest.approx(
        0.3 * math.sin(nutation) * precession**2, abs=1e-6
    )
    assert results.dataset["joint_torque"].values == pytest.approx(0.0, abs=1e-8)


def test_the_order_of_a_fixed_step_method_in_space() -> None:
    exact = 1.2 * 3.0

    def error(step: float) -> float:
        results = heavy_top(0.6, 3.0, run(1.2, step=step, integrator="rk4", audit_tolerance=0.5))
        return abs(float(results.dataset["measure_value"].sel(measure="precession")[-1]) - exact)

    steps = [4e-3, 2e-3, 1e-3]
    assert_order(steps, [error(step) for step in steps], 4)


def pendulum(at: Any, angle: float, turned: Any) -> tuple[Section, Section]:
    """Bodies and joints of a double pendulum; `at` makes a point, `turned` an orientation."""
    first = np.array([math.sin(angle), -math.cos(angle)])
    bodies = GROUND | {
        "upper": {"mass": 1.2, "position": at(*(0.25 * first)), **turned(angle, 0.02)},
        "lower": {"mass": 0.7, "position": at(*(0.5 * first + [0.2, 0.0])), **turned(0.5 * math.pi, 0.01)},
    }
    joints = {
        "hip": {"from": {"body": "ground"}, "to": {"body": "upper", "at": at(0.0, 0.25)}},
        "knee": {
            "from": {"body": "upper", "at": at(0.0, -0.25)},
            "to": {"body": "lower", "at": at(0.0, 0.2)},
        },
    }
    return bodies, joints


def test_a_double_pendulum_in_space_is_the_one_in_the_plane() -> None:
    """The same mechanism both ways, its plane tilted in space: places, angles, forces of the hinges."""
    tilt = Rotation.from_euler("XYZ", [0.4, -0.3, 0.8])
    hinge = {"kind": "revolute"}
    bodies, joints = pendulum(
        lambda x, y: [x, y], 0.9, lambda angle, inertia: {"angle": angle, "inertia": inertia}
    )
    plane = condyle.simulate(
        model(
            bodies,
            tight(1.0),
            gravity=[0.0, -9.81],
            joints={name: hinge | joint for name, joint in joints.items()},
        )
    )

    def orientation(angle: float, inertia: float) -> Section:
        return {
            "orientation": {"axis": [0, 0, 1], "angle": angle},
            "inertia": [0.02, 0.03, inertia],
        }

    bodies, joints = pendulum(lambda x, y: [x, y, 0.0], 0.9, orientation)
    for body in bodies.values():
        if "position" in body:
            body["position"] = tilt.apply(body["position"]).tolist()
            turn = tilt * Rotation.from_rotvec([0.0, 0.0, body["orientation"]["angle"]])
            body["orientation"] = {"euler_parameters": np.roll(turn.as_quat(), 1).tolist()}
    joints["hip"]["axis"] = tilt.apply([0.0, 0.0, 1.0]).tolist()
    joints["knee"]["axis"] = [0, 0, 1]
    space = condyle.simulate(
        in_space(
            bodies,
            tight(1.0),
            tilt.apply([0.0, -9.81, 0.0]),
            joints={name: hinge | joint for name, joint in joints.items()},
        )
    )
    assert np.ptp(plane.dataset["angle"].sel(body="lower").values) > 1.0
    for name in ("position", "velocity", "joint_force", "joint_point"):
        flat = tilt.inv().apply(space.dataset[name].values.reshape(-1, 3)).reshape(space.dataset[name].shape)
        assert flat == pytest.approx(plane.dataset[name].values, abs=1e-8), name
    assert space.audit.relative_residual < 1e-9


def test_a_cardan_joint_turns_unevenly() -> None:
    """Two shafts at an angle beta: tan(out) = tan(in) / cos(beta); nothing is left to integrate."""
    beta = 0.5
    shaft = {"mass": 1.0, "inertia": [0.1, 0.1, 0.1]}
    bodies = GROUND | {
        "in": {**shaft, "position": [0, 0, 0]},
        "out": {**shaft, "position": [0, 0, 0], "orientation": {"axis": [0, 1, 0], "angle": beta}},
    }
    frames = {"tilted": {"body": "ground", "orientation": {"axis": [0, 1, 0], "angle": beta}}}
    joints = {
        "first": {"kind": "revolute", "from": {"body": "ground"}, "to": {"body": "in"}, "axis": [0, 0, 1]},
        # The cross keeps the second shaft from sliding.
        "second": {
            "kind": "cylindrical", "from": {"body": "tilted"}, "to": {"body": "out"}, "axis": [0, 0, 1],
        },
        "cardan": {
            "kind": "universal", "from": {"body": "in"}, "to": {"body": "out"}, "axis": [1, 0, 0],
            "second_axis": [0, 1, 0],
        },
    }  # fmt: skip
    measures = {
        "turn": {
            "kind": "rotation",
            "from": "ground",
            "to": "in",
            "sequence": "zxy",
            "which": 1,
            "unit": "rad",
        },
        "out": {
            "kind": "rotation",
            "from": "tilted",
            "to": "out",
            "sequence": "zxy",
            "which": 1,
            "unit": "rad",
        },
    }
    drivers = {"motor": {"measure": "turn", "motion": {"kind": "constant-speed", "speed": 2.0, "start": 0.0}}}
    settings = run(3.0, analysis="kinematics")
    spec = in_space(bodies, settings, joints=joints, measures=measures, drivers=drivers, frames=frames)
    dataset = condyle.simulate(spec).dataset
    angle = 2.0 * dataset["time"].values
    expected = np.unwrap(np.arctan2(np.sin(angle) * math.cos(beta), np.cos(angle)))
    inverse = np.unwrap(np.arctan2(np.sin(angle), np.cos(angle) * math.cos(beta)))
    found = dataset["measure_value"].sel(measure="out").values
    either = min(np.abs(found - expected).max(), np.abs(found - inverse).max())
    assert either < 1e-9
    assert np.abs(found - angle).max() > 0.05


def test_free_flight_keeps_momentum_and_energy() -> None:
    """Two bodies, a spring and a ligament between them: nothing from outside."""
    bodies = {
        name: {key: value for key, value in body.items() if key != "fixed"}
        | {"velocity": [0.3, -0.2, 0.5], "angular_velocity": [1.0, -2.0, 0.5]}
        for name, body in BODIES.items()
        if name != "ground"
    }
    ends = {"from": {"body": "a", "at": [0.1, 0.0, 0.05]}, "to": {"body": "b", "at": [0.0, -0.1, 0.02]}}
    springs = {"spring": ends | {"stiffness": 50.0, "rest_length": 0.2}}
    law = {"kind": "toe-linear", "stiffness": 400.0}
    ligaments = {"strand": {"from": {"body": "a"}, "to": {"body": "b"}, "law": law, "rest_length": 0.5}}
    spec = in_space(bodies, tight(2.0), springs=springs, ligaments=ligaments)
    results = condyle.simulate(spec)
    dataset = results.dataset
    assert dataset["ligament_force"].max() > 1.0
    mass = np.array([0.7, 1.3])
    momentum = np.einsum("b,tba->ta", mass, dataset["velocity"].values)
    assert momentum == pytest.approx(np.tile(momentum[0], (len(momentum), 1)), abs=1e-11)
    spin = sum(
        turns(dataset, name).apply(
            dataset["angular_velocity"].sel(body=name).values @ np.array(spec.model.bodies[name].inertia)
            if name == "a"
            else dataset["angular_velocity"].sel(body=name).values * [0.05, 0.06, 0.04]
        )
        for name in ("a", "b")
    )
    orbit = np.einsum("b,tba->ta", mass, np.cross(dataset["position"].values, dataset["velocity"].values))
    total = spin + orbit
    assert np.ptp(orbit, axis=0).max() > 0.1
    assert total == pytest.approx(np.tile(total[0], (len(total), 1)), abs=1e-10)
    assert results.audit.relative_residual < 1e-10


def test_an_effort_along_a_measure_is_a_torque_on_both_bodies() -> None:
    """Two routes to one motion: a torque and its opposite about a hinge, or an effort along its angle."""
    bodies = GROUND | {"door": {"mass": 2.0, "inertia": [0.2, 0.3, 0.25], "position": [0.4, 0.0, 0.1]}}
    joints = {
        "hinge": {
            "kind": "revolute", "from": {"body": "ground"}, "to": {"body": "door", "at": [-0.4, 0, -0.1]},
            "axis": [0, 0, 1],
        }
    }  # fmt: skip
    measures = {
        "angle": {
            "kind": "rotation",
            "from": "ground",
            "to": "door",
            "sequence": "zxy",
            "which": 1,
            "unit": "rad",
        }
    }
    course = {"kind": "table", "times": [0, 0.5, 1.0], "values": [0, 1, -1]}

    def angle(load: Section) -> Array:
        spec = in_space(
            bodies, tight(1.0), joints=joints, measures=measures, forces={"push": load | {"course": course}}
        )
        results = condyle.simulate(spec)
        assert results.audit.relative_residual < 1e-9
        return np.asarray(results.dataset["measure_value"].sel(measure="angle").values)

    effort = angle({"kind": "effort", "measure": "angle", "amplitude": 3.0})
    torque = angle({"kind": "torque", "body": "door", "direction": [0, 0, 2], "amplitude": 3.0})
    # By hand: the moment of inertia about the hinge.
    about = 0.25 + 2.0 * 0.4**2
    assert effort[-1] == pytest.approx(3.0 / about * 5.0 / 24.0, abs=1e-10)
    assert effort == pytest.approx(torque, abs=1e-10)


def test_rest_under_load_in_space() -> None:
    """A bar on a ball joint and a spring: the moment about the joint vanishes."""
    bodies = GROUND | {"bar": {"mass": 2.0, "inertia": [0.02, 0.3, 0.3], "position": [0.5, 0.0, 0.0]}}
    joints = {
        "ball": {"kind": "spherical", "from": {"body": "ground"}, "to": {"body": "bar", "at": [-0.5, 0, 0]}}
    }
    hold = {
        name: {
            "from": {"body": "ground", "at": place},
            "to": {"body": "bar", "at": end},
            "stiffness": 300.0,
            "rest_length": 0.3,
        }
        for name, place, end in (
            ("left", [0.9, 1.0, 0.4], [0.5, 0.1, 0.0]),
            ("right", [0.9, 1.0, -0.4], [0.5, -0.1, 0.0]),
            ("side", [0.8, 0.2, 0.6], [0.3, 0.0, 0.1]),
        )
    }
    settings = run(1.0, analysis="equilibrium")
    results = condyle.simulate(in_space(bodies, settings, (0.0, -9.81, 0.0), joints=joints, springs=hold))
    assert results.complete
    last = results.dataset.isel(time=-1)
    weight = np.cross(last["position"].sel(body="bar").values, [0.0, -2.0 * 9.81, 0.0])
    moment = weight
    for name in hold:
        origin, end = last["spring_point"].sel(spring=name).values
        pull = (origin - end) / np.linalg.norm(origin - end) * float(last["spring_effort"].sel(spring=name))
        moment = moment + np.cross(end, pull)
    assert np.abs(weight).max() > 5.0
    assert moment == pytest.approx(np.zeros(3), abs=1e-7)
