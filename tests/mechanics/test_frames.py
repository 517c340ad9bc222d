"""Frames on beams: pose and motion by other means, forces by virtual work, an angle that does not jump."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import condyle
from condyle.mechanics.system import LOAD_WORK, TURN, VX, VY
from condyle.model.spec import Spec
from evaluation import Evaluation, hermite
from small_models import Section, bow, held, model, rod, run

Array = NDArray[np.float64]

PARTS = {"begin": 0.0, "node": 1.0 / 3.0, "inside": 0.55, "end": 1.0}


def carried(**more: object) -> Spec:
    """A free bow with four frames on it."""
    frames: Section = {name: {"beam": "bow", "along": part} for name, part in PARTS.items()}
    return model({"ground": {"fixed": True}}, run(1.0), beams={"bow": bow()}, frames=frames, **more)


@pytest.mark.parametrize("name", PARTS)
def test_pose_and_motion(name: str) -> None:
    """Place and direction of the cubic through the nodes; velocity and turning by differences."""
    carrier = Evaluation(carried())
    q, v = carrier.near(np.random.default_rng(1), 0.05)
    row, length = carrier.row(name), carrier.model.meshes["bow"].length * 3
    curve = hermite(q.reshape(-1, 2), length)
    place, slope = curve(PARTS[name] * length), curve(PARTS[name] * length, 1)
    seen = carrier.at(q, v)
    assert np.abs(seen.pose(row) - [*place, math.atan2(slope[1], slope[0])]).max() < 1e-14
    h = 1e-6
    moved = (carrier.at(q + h * v).pose(row) - carrier.at(q - h * v).pose(row)) / (2.0 * h)
    assert np.abs(moved[2]) > 0.1
    assert seen.work[row, [VX, VY, TURN]] == pytest.approx(moved, abs=1e-8)


@pytest.mark.parametrize("name", PARTS)
def test_a_force_on_a_frame_does_its_work_on_the_beam(name: str) -> None:
    """Generalised forces by virtual work: what a force and a torque do on any small motion of the beam."""
    load: Section = {"body": name, "at": [0.02, 0.05], "direction": [3.0, 4.0], "amplitude": 5.0}
    turning: Section = {"kind": "torque", "body": name, "amplitude": 0.7}
    free = Evaluation(carried())
    loaded = Evaluation(carried(forces={"push": load, "turn": turning}))
    q, v = free.near(np.random.default_rng(2), 0.05)
    row = free.row(name)
    seen = loaded.at(q, v)
    push = free.mass() @ (seen.acceleration - free.at(q, v).acceleration)

    def work(at: Array) -> float:
        x, y, angle = free.at(at).pose(row)
        held_x = x + math.cos(angle) * 0.02 - math.sin(angle) * 0.05
        held_y = y + math.sin(angle) * 0.02 + math.cos(angle) * 0.05
        return float(3.0 * held_x + 4.0 * held_y + 0.7 * angle)

    h = 1e-6
    for k, step in enumerate(h * np.eye(free.n)):
        assert push[k] == pytest.approx((work(q + step) - work(q - step)) / (2.0 * h), abs=1e-7)
    assert seen.powers[LOAD_WORK] == pytest.approx(push @ v, rel=1e-10)


@pytest.mark.compiled
def test_the_angle_goes_on_over_several_turns() -> None:
    """A stiff rod that spins freely: the angle of its frames grows with the time and never jumps back."""
    spec = model(
        {"ground": {"fixed": True}},
        run(0.7, 5e-5),
        beams={"rod": rod((0.2, 0.1), (0.2, 0.2), 1, angular_velocity=-30.0)},
        frames={"tip": {"beam": "rod", "along": 1.0}, "middle": {"beam": "rod", "along": 0.5}},
        measures={"turned": {"kind": "angle", "from": "ground", "to": "tip", "unit": "rad"}},
    )
    found = condyle.simulate(spec).dataset
    time, angle = found["time"].values, found["angle"].sel(body="tip").values
    expected = 0.5 * math.pi - 30.0 * time
    assert np.ptp(expected) > 6.0 * math.pi
    # It stretches a little under its own weight as it spins, and so is a little late.
    assert np.abs(angle - expected).max() < 0.2
    assert np.array_equal(found["measure_value"].sel(measure="turned").values, angle)


def test_a_beam_starts_as_it_is_told() -> None:
    """Velocity of its beginning, and an angular velocity about it, are those of a rigid body."""
    beam = rod((0.4, -0.3), (0.9, 0.2), 3, velocity=[0.3, -0.2], angular_velocity=1.7)
    frames: Section = {name: {"beam": "rod", "along": part} for name, part in PARTS.items()}
    spec = model({"ground": {"fixed": True}}, run(1.0), beams={"rod": beam}, frames=frames)
    carrier = Evaluation(spec)
    seen = carrier.at(*carrier.start)
    for name in PARTS:
        row = carrier.row(name)
        x, y, _ = seen.pose(row)
        expected = [0.3 - 1.7 * (y + 0.3), -0.2 + 1.7 * (x - 0.4), 1.7]
        assert seen.work[row, [VX, VY, TURN]] == pytest.approx(expected, abs=1e-12)


def test_what_holds_a_body_holds_a_frame() -> None:
    """A ligament from a frame, a spring to it and a load on it pull as at a body in the same place."""
    pulls: Section = {
        "ligaments": {
            "band": {
                "from": held("spot", 0.01, 0.02),
                "to": held("ground", 0.5, 0.9),
                "law": {"kind": "quadratic", "stiffness": 2000.0},
                "rest_length": 0.2,
                "damping": 3.0,
            }
        },
        "springs": {
            "coil": {
                "kind": "translational",
                "from": held("ground", -0.4, 0.6),
                "to": held("spot"),
                "stiffness": 40.0,
                "rest_length": 0.1,
                "damping": 2.0,
            }
        },
    }
    frames: Section = {"spot": {"beam": "bow", "along": 0.55}}
    on_beam = Evaluation(
        model({"ground": {"fixed": True}}, run(1.0), beams={"bow": bow()}, frames=frames, **pulls)
    )
    q, v = on_beam.near(np.random.default_rng(3), 0.02)
    on_beam.settle(q, v)
    seen = on_beam.at(q, v)
    row = on_beam.row("spot")
    x, y, angle = seen.pose(row)
    body = {
        "mass": 1.0,
        "inertia": 1.0,
        "position": [x, y],
        "angle": angle,
        "velocity": [seen.work[row, VX], seen.work[row, VY]],
        "angular_velocity": seen.work[row, TURN],
    }
    alone = Evaluation(model({"ground": {"fixed": True}, "spot": body}, run(1.0), **pulls))
    alone.settle(*alone.start)
    forces = alone.at(*alone.start)
    assert np.abs(forces.acceleration).min() > 0.1
    # Columns of force and moment in a body's row are those of a frame's.
    for column in (8, 9, 10):
        assert seen.work[row, column] == pytest.approx(forces.work[alone.row("spot"), column], rel=1e-12)
