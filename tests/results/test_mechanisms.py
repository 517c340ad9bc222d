"""Forces of joints, efforts of drivers and strains of beams in the results, against statics and circular motion."""

from __future__ import annotations

import math

import numpy as np
import pytest

import condyle
from condyle.model.spec import Spec
from small_models import Section, held, model, rod, run

LENGTH, MASS, INERTIA = 0.6, 0.5, 0.015


def turning(speed: float, sign: int = 1, **joint: object) -> Spec:
    """A rod on a pin, driven at one speed, under gravity; the measure may count the other way."""
    measures: Section = {"turn": {"kind": "angle", "from": "post", "to": "rod", "sign": sign}}
    motion: Section = {"kind": "constant-speed", "speed": sign * speed, "start": 0.0}
    return model(
        {
            "post": {"fixed": True, "position": [0.1, 0.2], "angle": 0.0},
            "rod": {"mass": MASS, "inertia": INERTIA, "position": [0.4, 0.2]},
        },
        run(0.4, 1e-4, "rk4"),
        gravity=[0.0, -9.81],
        joints={"pin": {"kind": "revolute", "from": held("post"), "to": held("rod", -0.5 * LENGTH), **joint}},
        measures=measures,
        drivers={"motor": {"measure": "turn", "motion": motion}},
    )


@pytest.mark.parametrize("sign", [1, -1])
def test_a_driven_rod(sign: int) -> None:
    """The pin gives weight and centripetal force, the motor the moment of the weight; its work is booked."""
    found = condyle.simulate(turning(5.0, sign))
    data = found.dataset
    angle = 5.0 * data["time"].values
    force = data["joint_force"].sel(joint="pin").values[:, :2] @ [1.0, 1j]
    inward = -MASS * 25.0 * 0.5 * LENGTH * np.exp(1j * angle)
    assert np.abs(force - inward - 9.81j * MASS).max() < 1e-8
    assert np.abs(data["joint_torque"].sel(joint="pin").values).max() < 1e-9
    assert np.abs(data["joint_point"].sel(joint="pin").values[:, :2] - [0.1, 0.2]).max() < 1e-9
    effort = data["driver_effort"].sel(driver="motor").values
    assert np.abs(sign * effort - MASS * 9.81 * 0.5 * LENGTH * np.cos(angle)).max() < 1e-8
    work = data["energy"].sel(kind="driver_work").values
    assert np.abs(work - MASS * 9.81 * 0.5 * LENGTH * np.sin(angle)).max() < 1e-8
    assert str(data["driver_unit"].sel(driver="motor").item()) == "N m"
    measured = sign * data["measure_value"].sel(measure="turn").values
    assert np.abs(np.radians(measured) - angle).max() < 1e-9
    assert found.audit.relative_residual < 1e-8


def test_a_pendulum_on_its_pin() -> None:
    """Let go level: the force at every angle from the conservation of energy."""
    joints: Section = {"pin": {"kind": "revolute", "from": held("post"), "to": held("rod", -0.5 * LENGTH)}}
    bodies: Section = {
        "post": {"fixed": True},
        "rod": {"mass": MASS, "inertia": INERTIA, "position": [0.5 * LENGTH, 0.0]},
    }
    found = condyle.simulate(model(bodies, run(0.5, 1e-4), gravity=[0.0, -9.81], joints=joints))
    data = found.dataset
    angle = data["angle"].sel(body="rod").values
    arm, about = 0.5 * LENGTH, INERTIA + MASS * (0.5 * LENGTH) ** 2
    squared = -2.0 * MASS * 9.81 * arm * np.sin(angle) / about
    bend = -MASS * 9.81 * arm * np.cos(angle) / about
    acceleration = arm * np.exp(1j * angle) * (1j * bend - squared)
    force = data["joint_force"].sel(joint="pin").values[:, :2] @ [1.0, 1j]
    assert np.abs(force - MASS * (acceleration + 9.81j)).max() < 1e-7
    assert np.ptp(angle) > 1.5
    assert found.audit.constraint_drift < 1e-9
    assert found.audit.relative_residual < 1e-9


def test_a_weld_bears_a_moment_about_its_point() -> None:
    """A bracket under a load at its end: the weld gives the load back and its moment about where it holds."""
    bodies: Section = {"wall": {"fixed": True}, "arm": {"mass": 1.0, "inertia": 0.1, "position": [0.2, 0.1]}}
    joints: Section = {"weld": {"kind": "weld", "from": held("wall"), "to": held("arm", -0.2, -0.1)}}
    forces: Section = {"load": {"body": "arm", "at": [0.3, 0.0], "direction": [3.0, -4.0], "amplitude": 10.0}}
    data = condyle.simulate(model(bodies, run(0.01, 1e-3), joints=joints, forces=forces)).dataset
    assert data["joint_force"][-1, 0].values == pytest.approx([-6.0, 8.0, 0.0], abs=1e-11)
    assert float(data["joint_torque"][-1, 0]) == pytest.approx(0.1 * 6.0 + 0.5 * 8.0, abs=1e-11)


def test_what_two_joints_share() -> None:
    """A beam on three pins in line: what is not determined is shared so that the forces are the least."""
    bodies: Section = {"wall": {"fixed": True}, "bar": {"mass": 1.0, "inertia": 0.1}}
    joints: Section = {
        name: {"kind": "weld", "from": held("wall", x), "to": held("bar", x)}
        for name, x in (("left", -0.5), ("right", 0.5))
    }
    found = condyle.simulate(model(bodies, run(0.01, 1e-3), gravity=[0.0, -10.0], joints=joints))
    force = found.dataset["joint_force"].isel(time=-1).values
    assert force[:, 1] == pytest.approx([5.0, 5.0], abs=1e-9)
    assert np.abs(found.dataset["joint_torque"].isel(time=-1).values.sum()) < 1e-9
    assert any("joints.right" in note for note in found.audit.notes)


def test_springs_in_the_results() -> None:
    """Extent, tension and ends of a spring between turning bodies."""
    bodies: Section = {
        "wall": {"fixed": True},
        "bob": {"mass": 0.5, "inertia": 0.02, "position": [0.4, 0.0], "angular_velocity": 3.0},
    }
    coil: Section = {
        "kind": "translational",
        "from": held("wall", 0.1, 0.0),
        "to": held("bob", 0.0, 0.05),
        "stiffness": 40.0,
        "rest_length": 0.25,
    }
    data = condyle.simulate(model(bodies, run(0.3, 1e-3), springs={"coil": coil})).dataset
    bob = data.sel(body="bob")
    tip = bob["position"].values[:, :2] @ [1.0, 1j] + 0.05j * np.exp(1j * bob["angle"].values)
    ends = data["spring_point"].sel(spring="coil").values[:, :, :2] @ [1.0, 1j]
    assert np.abs(ends[:, 0] - 0.1).max() == 0.0
    assert np.abs(ends[:, 1] - tip).max() < 1e-13
    assert np.abs(data["spring_extent"].values[:, 0] - np.abs(tip - 0.1)).max() < 1e-13
    assert np.abs(data["spring_effort"].values[:, 0] - 40.0 * (np.abs(tip - 0.1) - 0.25)).max() < 1e-11


def test_a_cantilever_under_a_load_that_sets_in() -> None:
    """It swings about what statics says: means over its first period of deflection, moment and clamping force."""
    length, young, load = 0.5, 2e6, 0.001
    section: Section = {"width": 0.02, "height": 0.01}
    bending, line_density = young * 0.02 * 0.01**3 / 12.0, 500.0 * 0.02 * 0.01
    period = 2.0 * math.pi * length**2 / 1.8751040687**2 * math.sqrt(line_density / bending)
    material: Section = {"section": section, "young": young, "density": 500.0}
    spec = model(
        {"wall": {"fixed": True}},
        run(period, 4e-4, output_step=period / 400),
        beams={"rod": {"from": [0.0, 0.0], "to": [length, 0.0], "elements": 4, **material}},
        frames={"root": {"beam": "rod", "along": 0.0}, "tip": {"beam": "rod", "along": 1.0}},
        joints={"clamp": {"kind": "weld", "from": held("wall"), "to": held("root")}},
        forces={"pull": {"body": "tip", "direction": [0.0, 1.0], "amplitude": load}},
    )
    found = condyle.simulate(spec)
    assert found.audit.passed
    data = found.dataset.isel(time=slice(0, 400)).mean("time")
    deflection = load * length**3 / (3.0 * bending)
    assert float(data["position"].sel(body="tip", axis="y")) == pytest.approx(deflection, rel=2e-2)
    arc = data["beam_arc"].sel(beam="rod").values
    moment = data["beam_bending_moment"].sel(beam="rod").values
    assert np.abs(moment - load * (length - arc)).max() < 0.05 * load * length
    assert float(data["joint_force"].sel(joint="clamp", axis="y")) == pytest.approx(-load, rel=5e-2)
    assert float(data["joint_torque"].sel(joint="clamp")) == pytest.approx(-load * length, rel=5e-2)
    # The surface strains by half the height times the curvature.
    strain = found.dataset["beam_surface_strain"].values[200, 0, 0]
    curvature = found.dataset["beam_curvature"].values[200, 0, 0]
    assert strain == pytest.approx(0.005 * curvature, rel=1e-2)
    assert strain == pytest.approx(2.0 * 0.005 * load * length / bending, rel=0.2)


def test_a_rod_in_tension() -> None:
    """A force along a rod held at its other end: axial force everywhere that force, once it has come to rest."""
    joints: Section = {"clamp": {"kind": "weld", "from": held("wall"), "to": held("root")}}
    spec = model(
        {"wall": {"fixed": True}},
        run(2.0, 1e-4),
        beams={"rod": rod(damping=5e-3)},
        frames={"root": {"beam": "rod", "along": 0.0}, "tip": {"beam": "rod", "along": 1.0}},
        joints=joints,
        forces={"pull": {"body": "tip", "direction": [1.0, 0.0], "amplitude": 30.0}},
    )
    data = condyle.simulate(spec).dataset.isel(time=-1)
    assert data["beam_axial_force"].sel(beam="rod").values == pytest.approx(30.0, rel=1e-6)
    assert data["beam_axial_strain"].sel(beam="rod").values == pytest.approx(0.03, rel=1e-6)
    assert math.isclose(float(data["position"].sel(body="tip", axis="x")), 1.03, rel_tol=1e-6)
