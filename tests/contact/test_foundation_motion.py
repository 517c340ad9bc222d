"""The elastic foundation as bodies move: continuous, nearly conservative, its stiffness, damping and friction."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from condyle.contact.foundation.load import FoundationLoad, FoundationSettings, foundation_load
from condyle.contact.foundation.surface import Surface, surface_of
from condyle.geometry.mesh.shapes import box, icosphere, plate
from contact.foundation_cases import LAW, MODULUS, RADIUS, Array, evaluator, random_turn, turn

pytestmark = pytest.mark.compiled


def surfaces(other: str, level: int, smooth: bool) -> tuple[Surface, Surface]:
    """A sphere and what it presses on: a plate, or a larger sphere below."""
    n = 2 ** (level + 1) - 1
    below = plate(0.06, 0.06, n, n) if other == "plate" else icosphere(0.03, level, (0.0, -0.03, 0.0))
    return surface_of(icosphere(RADIUS, level), smooth=smooth), surface_of(below, smooth=smooth)


def settings(side: str, **more: object) -> FoundationSettings:
    return FoundationSettings(LAW, integrate=side, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("smooth", [True, False], ids=["smooth", "flat"])
@pytest.mark.parametrize("other", ["plate", "sphere"])
@pytest.mark.parametrize("side", ["first", "second"])
def test_force_changes_with_the_pose_and_never_jumps(side: str, other: str, smooth: bool) -> None:
    """A tenth of the step makes a tenth of the change, however the faces at the border come and go."""
    evaluated = evaluator(*surfaces(other, 4, smooth), settings(side))
    largest = []
    for n in (60, 600, 6000):
        forces = []
        for s in np.linspace(0.3, 0.33, n + 1):
            R = turn(0.2 * s, 0.1 * s, s)
            loads, _ = evaluated(R, (0.01 * s - 0.003, 0.019 - 1e-3 * s, 0.004 * s))
            forces.append(R @ loads[:3])
        largest.append(float(np.abs(np.diff(forces, axis=0)).max()))
    assert largest[0] > 0.03
    assert largest[1] < 0.12 * largest[0]
    assert largest[2] < 0.12 * largest[1]


def loop_work(one: Surface, other: Surface, side: str) -> float:
    """Work around a closed loop of poses, relative to the sum of its parts' sizes."""
    evaluated, n = evaluator(one, other, settings(side)), 400
    poses = [
        (
            turn(0.15 * np.sin(t), 0.1 * np.cos(2 * t), 0.2 * np.cos(t)),
            np.array([0.003 * np.cos(t), 0.019 + 0.0003 * np.sin(t + 1), 0.002 * np.sin(t)]),
        )
        for t in 2.0 * np.pi * np.arange(n + 1) / n
    ]
    loads = [evaluated(R, p)[0] for R, p in poses]
    work, size = 0.0, 0.0
    for k in range(n):
        (R0, p0), (R1, p1) = poses[k], poses[k + 1]
        force = (R0 @ loads[k][:3] + R1 @ loads[k + 1][:3]) / 2.0
        moment = (R0 @ loads[k][3:6] + R1 @ loads[k + 1][3:6]) / 2.0
        turned = R1 @ R0.T
        angle = (
            np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]])
            / 2.0
        )
        part = float(force @ (p1 - p0) + moment @ angle)
        work, size = work + part, size + abs(part)
    return abs(work) / size


@pytest.mark.parametrize(
    ("other", "smooth", "side", "most"),
    [
        ("plate", False, "first", (1e-6, 1e-6)),  # exact: what is left is the rule along the loop
        ("plate", True, "first", (1e-4, 2e-5)),
        ("plate", True, "second", (1e-4, 2e-5)),
        ("sphere", True, "first", (1e-4, 2e-5)),
        ("sphere", True, "second", (5e-4, 1e-4)),
        ("sphere", True, "both", (3e-4, 5e-5)),
        ("sphere", False, "both", (1e-3, 1e-4)),
    ],
)
def test_a_closed_loop_does_nearly_no_work(
    other: str, smooth: bool, side: str, most: tuple[float, float]
) -> None:
    for level, limit in zip((4, 5), most, strict=True):
        assert loop_work(*surfaces(other, level, smooth), side) < limit


def differences(one: Surface, other: Surface, R: Array, p: Array, side: str) -> Array:
    """Stiffness by central differences: the second body moves, the first one's axes stay."""
    evaluated, columns = evaluator(one, other, settings(side)), []
    for column in range(6):
        step = 1e-6 if column < 3 else 5e-5
        ends = []
        for sign in (1.0, -1.0):
            small = np.zeros(6)
            small[column] = sign * step
            back = R @ turn(*small[3:]).T
            ends.append(evaluated(back, p - back @ small[:3])[0][:6])
        columns.append((ends[0] - ends[1]) / (2.0 * step))
    return np.stack(columns, axis=1)


@pytest.mark.parametrize(
    ("other", "smooth", "side", "within"),
    [
        ("plate", False, "first", 1e-7),
        ("plate", True, "first", 1e-4),
        ("plate", True, "second", 3e-3),
        ("sphere", True, "first", 3e-3),
        ("sphere", True, "second", 3e-3),
        ("sphere", True, "both", 3e-3),
        ("sphere", False, "both", 1e-2),
    ],
)
def test_stiffness_is_the_slope_of_force_and_moment(
    other: str, smooth: bool, side: str, within: float
) -> None:
    one, below = surfaces(other, 4, smooth)
    rng = np.random.default_rng(3)
    scale = np.array([1.0] * 3 + [RADIUS] * 3)
    for _ in range(3):
        R, p = random_turn(rng), np.array([0.001, 0.019, 0.002])
        measured = differences(one, below, R, p, side) / np.outer(scale, scale)
        load = foundation_load(one, below, (R, p), settings(side, stiffness=True))
        assert (
            np.abs(load.stiffness / np.outer(scale, scale) - measured).max() < within * np.abs(measured).max()
        )


def pressed(twist: object, **more: object) -> FoundationLoad:
    return foundation_load(
        *surfaces("sphere", 3, True),
        (np.eye(3), (0.0, 0.019, 0.0)),
        settings("both", **more),
        np.asarray(twist),
    )


@pytest.mark.parametrize("friction", [(), (0.3, 1e-4, 1e-3), (0.3, 0.2, 0.01, 1e-3)])
@pytest.mark.parametrize("damping", [0.0, 5.0])
def test_damping_and_friction_only_take_energy(damping: float, friction: tuple[float, ...]) -> None:
    rng = np.random.default_rng(5)
    for twist in rng.normal(size=(20, 6)):
        load = pressed(twist, damping=damping, friction=friction)
        power = float(load.force @ twist[:3] + load.moment @ twist[3:])
        assert power == pytest.approx(load.elastic_power - load.loss, rel=1e-10, abs=1e-10)
        assert load.loss >= -1e-12 * abs(power)
        assert (load.loss > 1e-3) == bool(damping or friction)
        at_rest = pressed(np.zeros(6), damping=damping, friction=friction)
        assert float(at_rest.force @ twist[:3] + at_rest.moment @ twist[3:]) == pytest.approx(
            load.elastic_power
        )


def test_approach_presses_harder_and_parting_never_pulls() -> None:
    rest, nearing, parting = (pressed((0.0, v, 0.0, 0.0, 0.0, 0.0), damping=2.0) for v in (0.0, -0.1, 0.1))
    assert nearing.force[1] == pytest.approx(1.2 * rest.force[1], rel=0.02)
    assert parting.force[1] == pytest.approx(0.8 * rest.force[1], rel=0.02)
    torn = pressed((0.0, 10.0, 0.0, 0.0, 0.0, 0.0), damping=2.0)
    assert abs(torn.force[1]) < 1e-9 * rest.force[1]
    assert torn.peak_pressure == 0.0


def test_friction_opposes_the_slip() -> None:
    rest, sliding = (pressed((v, 0.0, 0.0, 0.0, 0.0, 0.0), friction=(0.3, 0.0, 1e-6)) for v in (0.0, 0.1))
    assert_allclose(rest.force[[0, 2]], 0.0, atol=2e-3 * rest.force[1])
    assert sliding.force[0] == pytest.approx(-0.3 * sliding.normal_load, rel=0.02)
    assert sliding.loss == pytest.approx(0.03 * sliding.normal_load, rel=0.02)


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("side", ["first", "second"])
def test_a_sharp_edge_presses_nothing_before_it_touches(side: str, smooth: bool) -> None:
    """A block on a plate of squares a tenth of its size, wherever its edges are between their corners."""
    block, floor = box((0.02, 0.02, 0.02), 10), plate(0.06, 0.06, 30, 30)
    evaluated = evaluator(surface_of(block, smooth=smooth), surface_of(floor, smooth=smooth), settings(side))
    for x in (0.0, 3e-4, 1e-3, 1.7e-3):
        for depth in (0.0, 1e-7, 1e-5, 1e-4):
            loads, _ = evaluated(np.eye(3), (x, 0.01 - depth, 0.4 * x))
            full = MODULUS * depth * 4e-4
            assert 0.75 * full - 0.3 <= loads[1] <= 1.05 * full + 0.3, (x, depth)
