"""Measures in space: value, Jacobian, rate and second rate, and the joints that are made of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from condyle.analysis.coordinates import jacobian
from condyle.mechanics.system import EQUATIONS, MEASURES
from condyle.multibody.equations import MISS, WANTED
from condyle.multibody.space_measures import BIAS, MEASURED, RATE
from condyle.testing import assert_gradient
from small_models import Section
from space_models import BODIES, SpaceEvaluation, in_space, short

Array = NDArray[np.float64]

AT = {"from": [0.07, -0.03, 0.02], "to": [-0.05, 0.11, 0.04]}
PAIRS = [("a", "b"), ("ground", "a"), ("b", "ground")]
SEQUENCES = ["xyz", "yzx", "zxy", "xzy", "yxz", "zyx", "xyx", "yzy", "zxz", "xzx", "yxy", "zyz"]
FRAMES: Section = {
    "on-a": {"body": "a", "at": [0.01, 0.02, 0.03], "orientation": {"axis": [1, 2, 3], "angle": 0.7}},
}
# A joint, and how many coordinates it takes away.
JOINTS: dict[str, tuple[Section, int]] = {
    "revolute": ({"kind": "revolute", "axis": [0.3, 0.5, -0.8]}, 5),
    "spherical": ({"kind": "spherical"}, 3),
    "universal": ({"kind": "universal", "axis": [1, 0.2, 0], "second_axis": [0, 0.4, 1]}, 4),
    "cylindrical": ({"kind": "cylindrical", "axis": [0.3, 0.5, -0.8]}, 4),
    "prismatic": ({"kind": "prismatic", "direction": [0.3, 0.5, -0.8]}, 5),
    "planar": ({"kind": "planar", "normal": [0.3, 0.5, -0.8]}, 3),
    "weld": ({"kind": "weld"}, 6),
    "point-on-plane": ({"kind": "point-on-plane", "normal": [0.3, 0.5, -0.8]}, 1),
    "point-on-line": ({"kind": "point-on-line", "direction": [0.3, 0.5, -0.8]}, 2),
    "distance": ({"kind": "distance", "length": 0.3}, 1),
    "six-degree": ({"kind": "six-degree", "sequence": "zxy", "held": ["x", "z", "second"]}, 3),
}


def jointed(joint: Section, first: str, second: str) -> SpaceEvaluation:
    """Two bodies and a joint."""
    ends = {end: {"body": body, "at": AT[end]} for end, body in (("from", first), ("to", second))}
    return SpaceEvaluation(in_space(BODIES, short(), joints={"j": joint | ends}))


def at_random(mechanical: SpaceEvaluation, seed: int) -> tuple[Array, Array, Array]:
    """Coordinates near the start, rates and their rates."""
    rng = np.random.default_rng(seed)
    count = mechanical.model.n_rate
    q = mechanical.moved(mechanical.start[0], 0.2 * rng.normal(size=count))
    return q, rng.normal(size=count), rng.normal(size=count)


def assert_consistent(mechanical: SpaceEvaluation, row: int, slopes: Array, bias: float, seed: int) -> None:
    """Jacobian by differences, rate = J v, second rate = J a + bias along a path."""
    q, v, a = at_random(mechanical, seed)

    def value(change: Array) -> float:
        return float(mechanical.at(mechanical.moved(q, change)).work[row, MEASURED])

    def rate(time: float) -> float:
        return float(mechanical.on_path(q, v, a, time).work[row, RATE])

    assert_gradient(value, lambda _: slopes, np.zeros(len(v)), tolerance=1e-7)
    assert rate(0.0) == pytest.approx(slopes @ v, rel=1e-12, abs=1e-13)
    assert_gradient(rate, lambda _: slopes @ a + bias, 0.0, tolerance=1e-7)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("kind", JOINTS)
def test_every_equation_of_every_joint(kind: str, pair: tuple[str, str]) -> None:
    joint, count = JOINTS[kind]
    mechanical = jointed(joint, *pair)
    rows = mechanical.model.rows(EQUATIONS)
    assert len(rows) == count
    q, v, _ = at_random(mechanical, 5)
    seen = mechanical.at(q, v)
    slopes = jacobian(mechanical.model, seen.work)
    for k, row in enumerate(rows):
        measure = mechanical.model.rows(MEASURES)[k]
        # The motion is at rest, so what J a must be is the bias with its sign turned.
        assert_consistent(mechanical, measure, slopes[k], -float(seen.work[row, WANTED]), 5)
    values = np.linalg.svd(slopes, compute_uv=False)
    assert values[-1] > 1e-3 * values[0]


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("which", [1, 2, 3])
def test_angles_of_a_sequence(sequence: str, which: int) -> None:
    """As SciPy has them, between a frame on one body and the other body, counted backwards and shifted."""
    measure = {
        "kind": "rotation", "from": "on-a", "to": "b", "sequence": sequence, "which": which,
        "offset": 0.3, "sign": -1,
    }  # fmt: skip
    joints = {"j": {"kind": "hold", "measure": "m"}}
    spec = in_space(BODIES, short(), frames=FRAMES, measures={"m": measure}, joints=joints)
    mechanical = SpaceEvaluation(spec)
    q, v, _ = at_random(mechanical, 3)
    seen = mechanical.at(q, v)
    row = mechanical.model.rows(MEASURES)[0]
    a, b = (Rotation.from_quat(np.roll(q[k : k + 4], -1)) for k in (3, 10))
    on_a = a * Rotation.from_rotvec(0.7 * np.array([1.0, 2.0, 3.0]) / math.sqrt(14.0))
    relative: Any = on_a.inv() * b
    expected = 0.3 - relative.as_euler(sequence.upper())[which - 1]
    found = seen.work[row, MEASURED]
    assert (found - expected + math.pi) % (2.0 * math.pi) - math.pi == pytest.approx(0.0, abs=1e-13)
    slopes = jacobian(mechanical.model, seen.work)[0]
    assert_consistent(mechanical, row, slopes, float(seen.work[row, BIAS]), 3)


def test_a_coordinate_on_a_frame_of_a_body() -> None:
    """A coordinate of a point in a frame that is turned and set off on its body."""
    measure = {"kind": "coordinate", "of": {"body": "b", "at": AT["to"]}, "axis": "y", "in": "on-a"}
    spec = in_space(
        BODIES,
        short(),
        frames=FRAMES,
        measures={"m": measure},
        joints={"j": {"kind": "hold", "measure": "m"}},
    )
    mechanical = SpaceEvaluation(spec)
    q, v, _ = at_random(mechanical, 11)
    seen = mechanical.at(q, v)
    row = mechanical.model.rows(MEASURES)[0]
    a, b = (Rotation.from_quat(np.roll(q[k : k + 4], -1)) for k in (3, 10))
    point = q[7:10] + b.apply(AT["to"])
    in_a = a.inv().apply(point - q[:3]) - [0.01, 0.02, 0.03]
    axes = Rotation.from_rotvec(0.7 * np.array([1.0, 2.0, 3.0]) / math.sqrt(14.0))
    assert seen.work[row, MEASURED] == pytest.approx(axes.inv().apply(in_a)[1], abs=1e-14)
    assert_consistent(
        mechanical, row, jacobian(mechanical.model, seen.work)[0], float(seen.work[row, BIAS]), 11
    )


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({"orientation": {"axis": [0, 0, 0], "angle": 1}}, "bodies.a.orientation.axis: expected a direction"),
        ({"orientation": {"sequence": "zxy"}}, "bodies.a.orientation: expected one of angles"),
        ({"orientation": {"euler_parameters": [1, 1, 0, 0]}}, "bodies.a.orientation.euler_parameters"),
        ({"angle": 0.3}, "bodies.a.angle: a body in space has an orientation"),
        ({"position": [0, 0]}, "bodies.a.position: expected three numbers [x, y, z] in m"),
        ({"inertia": 0.1}, "bodies.a.inertia: expected three moments of inertia"),
        ({"inertia": [1, 1, 3]}, "bodies.a.inertia: no body has such moments"),
        ({"inertia": [1, 1, -1]}, "bodies.a.inertia: its principal moments must be positive"),
        (
            {"inertia": [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]},
            "bodies.a.inertia: a tensor of inertia is symmetric",
        ),
    ],
)
def test_mistakes_are_named(section: Section, message: str) -> None:
    bodies: Any = BODIES | {"a": BODIES["a"] | section}
    with pytest.raises(ValueError, match=r"bodies\.a") as caught:
        in_space(bodies, short())
    assert message in str(caught.value)


def test_an_angle_counts_whole_turns_as_the_file_places_the_bodies() -> None:
    """An angle with an offset beyond half a turn was off by a whole one, and no joint could hold it."""
    turn = {"kind": "rotation", "from": "ground", "to": "a", "sequence": "zyx", "which": 1, "offset": 4.0}
    mechanical = SpaceEvaluation(
        in_space(BODIES, short(), measures={"m": turn}, joints={"j": {"kind": "hold", "measure": "m"}})
    )
    row = mechanical.model.rows(MEASURES)[0]
    seen = mechanical.at(*mechanical.start)
    assert seen.work[row, MEASURED] == pytest.approx(_turn_of_a() + 4.0, abs=1e-12)
    assert seen.work[mechanical.model.rows(EQUATIONS)[0], MISS] == pytest.approx(0.0, abs=1e-12)


def _turn_of_a() -> float:
    """The first angle of body a in the ground's frame."""
    turns = [
        Rotation.from_euler(
            BODIES[name]["orientation"]["sequence"].upper(), BODIES[name]["orientation"]["angles"]
        )
        for name in ("ground", "a")
    ]
    return float((turns[0].inv() * turns[1]).as_euler("ZYX")[0])


def test_angles_about_axes_in_line_are_refused_in_words_of_angles() -> None:
    joint = {
        "kind": "six-degree",
        "from": {"body": "g"},
        "to": {"body": "b"},
        "sequence": "zxz",
        "held": ["first"],
    }
    bodies: Section = {"g": {"fixed": True}, "b": {"mass": 1.0, "inertia": [0.1] * 3}}
    spec = in_space(bodies, short(), joints={"j": joint})
    with pytest.raises(
        ValueError, match=r"joints\.j: the first and the last axis of its sequence lie in line"
    ):
        SpaceEvaluation(spec).together()
