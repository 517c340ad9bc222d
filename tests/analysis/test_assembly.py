"""Mechanisms put together at the start: joints closed, what is given kept, what cannot be refused by name."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from condyle.analysis.assembly import Assembled, assembled
from condyle.analysis.forward import forward
from condyle.model.compiled import CompiledModel, compiled
from condyle.spec.errors import SpecError
from small_models import Section, held, model, rod, run

Array = NDArray[np.float64]

GROUND, CRANK, COUPLER, ROCKER = 0.4, 0.12, 0.35, 0.25
THIN: Section = {"mass": 0.1, "inertia": 1e-3}
JOINTS: Section = {
    "A": {"kind": "revolute", "from": held("frame"), "to": held("crank", -0.5 * CRANK)},
    "B": {"kind": "revolute", "from": held("crank", 0.5 * CRANK), "to": held("coupler", -0.5 * COUPLER)},
    "C": {"kind": "revolute", "from": held("coupler", 0.5 * COUPLER), "to": held("rocker", 0.5 * ROCKER)},
    "D": {"kind": "revolute", "from": held("frame", GROUND), "to": held("rocker", -0.5 * ROCKER)},
}


def together(bodies: Section, joints: Section, **more: Any) -> tuple[CompiledModel, Assembled]:
    """A model, and the start that its joints leave it."""
    found = compiled(model({"frame": {"fixed": True}, **bodies}, run(1.0), joints=joints, **more))
    return found, assembled(found, found.memory.copy(), found.work.copy())


def closure(angle: float) -> tuple[float, float]:
    """Angles of coupler and rocker of the four-bar, by two circles that meet; the rocker is above the frame."""
    end = cmath.rect(CRANK, angle)
    apart = GROUND - end
    inner = math.acos((COUPLER**2 + abs(apart) ** 2 - ROCKER**2) / (2.0 * COUPLER * abs(apart)))
    coupler = cmath.phase(apart) + inner
    rocker = cmath.phase(end + cmath.rect(COUPLER, coupler) - GROUND)
    return coupler, rocker


def four_bar(rough: float) -> Section:
    """The crank at an angle that is given; the others roughly where they belong."""
    coupler, rocker = closure(0.9)
    return {
        "crank": {**THIN, "angle": 0.9},
        "coupler": {**THIN, "position": [0.3 + rough, 0.2 - rough], "angle": coupler + rough},
        "rocker": {**THIN, "position": [0.4 - rough, 0.1 + rough], "angle": rocker - rough},
    }


def pose(y: Array, number: int) -> tuple[complex, float]:
    x, height, angle = y[3 * number : 3 * number + 3]
    return complex(x, height), float(angle)


@pytest.mark.parametrize("rough", [0.0, 0.02, -0.05])
def test_a_four_bar_from_rough_positions(rough: float) -> None:
    """The loop closes near where it was told to be; the bodies that had to move for it are told of."""
    found, start = together(four_bar(rough), JOINTS)
    angles = [pose(start.y, k)[1] for k in range(3)]
    loop = cmath.rect(CRANK, angles[0]) + cmath.rect(COUPLER, angles[1])
    assert abs(loop - GROUND - cmath.rect(ROCKER, angles[2])) < 1e-11
    for k, (length, begin) in enumerate(
        ((CRANK, 0j), (COUPLER, cmath.rect(CRANK, angles[0])), (ROCKER, complex(GROUND)))
    ):
        place, angle = pose(start.y, k)
        assert abs(place - begin - cmath.rect(0.5 * length, angle)) < 1e-11
    assert np.abs(np.array(angles) - np.array([0.9, *closure(0.9)])).max() < 0.3
    assert any("was moved by" in note for note in start.notes)
    assert found.n_coordinate == 9


def test_what_the_file_gives_is_kept() -> None:
    """Only the crank's angle is given: it stays, to the bit, and the rest is found around it, without a remark."""
    bodies: Section = {"crank": {**THIN, "angle": 0.9}, "coupler": dict(THIN), "rocker": dict(THIN)}
    _, start = together(bodies, JOINTS)
    assert start.y[2] == 0.9
    for k, (length, begin) in enumerate(
        ((CRANK, 0j), (COUPLER, cmath.rect(CRANK, 0.9)), (ROCKER, GROUND + 0j))
    ):
        place, angle = pose(start.y, k)
        assert abs(place - begin - cmath.rect(0.5 * length, angle)) < 1e-11
    angles = [pose(start.y, k)[1] for k in range(3)]
    loop = cmath.rect(CRANK, 0.9) + cmath.rect(COUPLER, angles[1]) - GROUND - cmath.rect(ROCKER, angles[2])
    assert abs(loop) < 1e-11
    # There are two ways to close it, mirror images by the line from the crank's end to the far pivot.
    across = 2.0 * cmath.phase(GROUND - cmath.rect(CRANK, 0.9))
    ways = (closure(0.9)[0], across - closure(0.9)[0])
    assert min(abs(math.sin(0.5 * (angles[1] - way))) for way in ways) < 1e-9
    assert start.notes == ()
    assert start.redundant == ()


def test_rates_keep_the_joints_closed() -> None:
    """Driven at the crank: points that are joined move as one, by the kinematics of the loop."""
    speed = 3.0
    measures: Section = {"input": {"kind": "angle", "from": "frame", "to": "crank"}}
    motion = {"kind": "constant-speed", "speed": speed}
    bodies = four_bar(0.0)
    found, start = together(
        bodies, JOINTS, measures=measures, drivers={"motor": {"measure": "input", "motion": motion}}
    )
    v = start.y[9:18]
    angles = [pose(start.y, k)[1] for k in range(3)]
    spins = v[2::3]
    assert spins[0] == pytest.approx(speed, rel=1e-12)
    loop = sum(
        sign * 1j * spin * cmath.rect(length, angle)
        for sign, spin, length, angle in zip((1, 1, -1), spins, (CRANK, COUPLER, ROCKER), angles, strict=True)
    )
    assert abs(loop) < 1e-11
    for k, (length, begin) in enumerate(((CRANK, 0j), (ROCKER, 0j))):
        body = 2 * k
        expected = begin + 0.5j * spins[body] * cmath.rect(length, angles[body])
        assert abs(complex(v[3 * body], v[3 * body + 1]) - expected) < 1e-11
    # By differences of the closed form.
    h = 1e-6
    later, before = closure(angles[0] + speed * h), closure(angles[0] - speed * h)
    assert (later[1] - before[1]) / (2.0 * h) == pytest.approx(spins[2], rel=1e-6)
    assert len(found.equations) == 9


def test_rates_change_as_by_an_impact() -> None:
    """A free rod given a speed, then held at one end: the momentum about the pin is what stays."""
    length, mass, inertia = 0.6, 0.5, 0.015
    bodies: Section = {
        "rod": {"mass": mass, "inertia": inertia, "position": [0.3, 0.0], "velocity": [0.7, 2.0]}
    }
    joints: Section = {"pin": {"kind": "revolute", "from": held("frame"), "to": held("rod", -0.5 * length)}}
    _, start = together(bodies, joints)
    spin = mass * 2.0 * 0.3 / (inertia + mass * 0.09)
    assert start.y[3:6] == pytest.approx([0.0, 0.3 * spin, spin], abs=1e-12)


@pytest.mark.parametrize("second", ["weld", "revolute"])
def test_redundant_joints_are_named(second: str) -> None:
    """A weld and the same again: the later one says nothing new, each of its equations is told of by name."""
    weld: Section = {"kind": "weld", "from": held("frame"), "to": held("block", -0.1)}
    again = {**weld, "kind": second}
    _, start = together({"block": {**THIN, "position": [0.1, 0.0]}}, {"first": weld, "again": again})
    count = 3 if second == "weld" else 2
    assert start.redundant == tuple(range(3, 3 + count))
    told = [note for note in start.notes if note.startswith("joints.again: its ")]
    assert len(told) == count
    assert any("place along x is kept by other joints already" in note for note in told)
    assert not any("joints.first" in note for note in start.notes)


def test_a_third_crank_of_a_parallelogram() -> None:
    """Two equal cranks carry a bar; the third one, as long, is one equation too many."""
    bodies: Section = {"bar": {"mass": 1.0, "inertia": 0.1, "position": [0.5, 0.3]}}
    joints: Section = {
        f"crank{k}": {"kind": "distance", "from": held("frame", x), "to": held("bar", x - 0.5)}
        for k, x in enumerate((0.0, 0.4, 1.0))
    }
    _, start = together(bodies, joints)
    assert start.redundant == (2,)
    assert [note.split(":")[0] for note in start.notes] == ["joints.crank2"]
    joints["crank2"]["length"] = 0.31
    with pytest.raises(SpecError, match=r"joints\.crank\d: cannot be met: its distance stays off by 0\.00"):
        together(bodies, joints)


def test_what_cannot_be_closed_is_refused_by_name() -> None:
    """A chain too short for its ends, and points on one body that do not fit."""
    bodies: Section = {"bar": {**THIN, "position": [0.5, 0.0]}}
    joints: Section = {
        "left": {"kind": "revolute", "from": held("frame"), "to": held("bar", -0.4)},
        "right": {"kind": "revolute", "from": held("frame", 1.0), "to": held("bar", 0.4)},
    }
    with pytest.raises(SpecError) as caught:
        together(bodies, joints)
    (problem,) = caught.value.problems
    assert problem.path in ("joints.left", "joints.right")
    # Least squares share the 0.2 m that are wanting.
    assert "place along x stays off by 0.1" in problem.message


def test_a_motion_against_a_lock_is_refused_by_name() -> None:
    """A driver on what is welded cannot move; the sentence has its name."""
    bodies: Section = {"block": {**THIN, "position": [0.1, 0.0]}}
    joints: Section = {"weld": {"kind": "weld", "from": held("frame"), "to": held("block", -0.1)}}
    measures: Section = {"turn": {"kind": "angle", "from": "frame", "to": "block"}}
    drivers: Section = {"motor": {"measure": "turn", "motion": {"kind": "constant-speed", "speed": 1.0}}}
    with pytest.raises(SpecError) as caught:
        together(bodies, joints, measures=measures, drivers=drivers)
    (problem,) = caught.value.problems
    assert problem.path in ("drivers.motor", "joints.weld")
    assert "cannot move as asked" in problem.message


def test_a_beam_bends_to_close_its_joints() -> None:
    """A rod clamped at both ends, one of them turned: pairs move as little as the mass matrix lets them."""
    bodies: Section = {}
    joints: Section = {
        "root": {"kind": "weld", "from": held("frame"), "to": held("left"), "angle": 0.0},
        "tip": {"kind": "weld", "from": held("frame", 0.98, 0.05), "to": held("right"), "angle": 0.3},
    }
    frames: Section = {"left": {"beam": "rod", "along": 0.0}, "right": {"beam": "rod", "along": 1.0}}
    found, start = together(bodies, joints, beams={"rod": rod(elements=3)}, frames=frames)
    pairs = start.y[: found.n_coordinate].reshape(-1, 2)
    assert np.abs(pairs[0]).max() < 1e-11
    assert pairs[1, 1] == pytest.approx(0.0, abs=1e-11)
    assert np.abs(pairs[-2] - [0.98, 0.05]).max() < 1e-11
    assert math.atan2(pairs[-1, 1], pairs[-1, 0]) == pytest.approx(0.3, abs=1e-11)


def test_a_run_begins_with_the_joints_closed() -> None:
    """What the assembly finds is where the run sets out from, and its remarks are the run's."""
    spec = model({"frame": {"fixed": True}, **four_bar(0.02)}, run(1e-3, 1e-4), joints=JOINTS)
    found = forward(compiled(spec))
    _, start = together(four_bar(0.02), JOINTS)
    assert np.array_equal(found.y[0], start.y)
    assert found.notes == start.notes
