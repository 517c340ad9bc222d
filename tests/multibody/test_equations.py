"""Equations of constraint: Jacobian, rate and second rate of every measure, on bodies, on beams and between them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from condyle.analysis.coordinates import jacobian
from condyle.mechanics.frames import BIAS
from condyle.mechanics.system import EQUATIONS
from condyle.model.spec import Spec
from condyle.multibody.equations import (
    J_FIRST,
    J_SECOND,
    MISS,
    MISS_RATE,
    TARGET,
    TARGET_RATE,
    WANTED,
)
from condyle.testing import assert_gradient
from evaluation import Evaluation, Seen
from small_models import Section, bow, held, model, run

Array = NDArray[np.float64]

BODIES: Section = {
    "ground": {"fixed": True, "position": [0.1, -0.2], "angle": 0.3},
    "a": {"mass": 0.7, "inertia": 0.02, "position": [0.3, 0.2], "angle": 0.5},
    "b": {"mass": 1.3, "inertia": 0.05, "position": [-0.2, 0.5], "angle": -1.1},
}
FRAMES: Section = {"f": {"beam": "bow", "along": 0.3}, "g": {"beam": "bow", "along": 0.9}}
PLACES = {"from": (0.07, -0.03), "to": (-0.05, 0.11)}
CARRIERS = [("a", "b"), ("ground", "a"), ("a", "g"), ("f", "b"), ("f", "g"), ("g", "ground")]
# A joint, and which of its equations is looked at.
MEASURES: dict[str, tuple[Section, int]] = {
    "coordinate along x": ({"kind": "revolute"}, 0),
    "coordinate along y": ({"kind": "revolute"}, 1),
    "coordinate that turns": ({"kind": "point-on-line", "direction": [0.6, 1.1]}, 0),
    "angle": ({"kind": "weld", "angle": 0.4}, 2),
    "distance": ({"kind": "distance", "length": 0.33}, 0),
}


def mechanism(joint: Section, first: str, second: str) -> Evaluation:
    """Two bodies, a curved beam and one joint."""
    ends = {end: held(body, *PLACES[end]) for end, body in (("from", first), ("to", second))}
    spec = model(BODIES, run(1.0), beams={"bow": bow()}, frames=FRAMES, joints={"j": joint | ends})
    return Evaluation(spec)


def value(seen: Seen, row: int) -> float:
    """What the measure is: its motion and what it misses."""
    return float(seen.work[row, MISS] + seen.work[row, TARGET])


def rate(seen: Seen, row: int) -> float:
    return float(seen.work[row, MISS_RATE] + seen.work[row, TARGET_RATE])


def independent(kind: str, first: Array, second: Array) -> float:
    """The measure of two poses, by complex numbers."""
    turn = complex(math.cos(first[2]), math.sin(first[2]))
    other = complex(math.cos(second[2]), math.sin(second[2]))
    apart = (
        complex(*second[:2])
        + other * complex(*PLACES["to"])
        - complex(*first[:2])
        - turn * complex(*PLACES["from"])
    )
    across = complex(-1.1, 0.6) / math.hypot(0.6, 1.1)
    return {
        "coordinate along x": apart.real,
        "coordinate along y": apart.imag,
        "coordinate that turns": (apart * (turn * across).conjugate()).real,
        "angle": float(second[2] - first[2]),
        "distance": abs(apart),
    }[kind]


@pytest.mark.parametrize("carriers", CARRIERS)
@pytest.mark.parametrize("kind", MEASURES)
def test_value_jacobian_rate_and_second_rate(kind: str, carriers: tuple[str, str]) -> None:
    """Value by independent geometry, Jacobian by differences, rate = J v, second rate = J a + bias along a path."""
    joint, which = MEASURES[kind]
    mechanical = mechanism(joint, *carriers)
    row, rng = mechanical.model.rows(EQUATIONS)[which], np.random.default_rng(7)
    q, v = mechanical.near(rng)
    a = rng.normal(size=mechanical.n)

    def on_path(time: float) -> Seen:
        return mechanical.at(q + v * time + 0.5 * a * time**2, v + a * time)

    seen = on_path(0.0)
    first, second = (seen.pose(mechanical.row(name)) for name in carriers)
    assert value(seen, row) == pytest.approx(independent(kind, first, second), abs=1e-14)
    slopes = jacobian(mechanical.model, seen.work)[which]
    assert_gradient(lambda x: value(mechanical.at(x), row), lambda _: slopes, q, tolerance=1e-8)
    assert rate(seen, row) == pytest.approx(slopes @ v, rel=1e-13)
    assert_gradient(lambda t: value(on_path(t), row), lambda _: slopes @ v, 0.0, tolerance=1e-8)
    # The motion is at rest, so what J a must be is the bias with its sign turned.
    bias = -float(seen.work[row, WANTED])
    assert_gradient(lambda t: rate(on_path(t), row), lambda _: slopes @ a + bias, 0.0, tolerance=1e-8)
    if kind != "angle" or not {"f", "g"}.isdisjoint(carriers):
        assert abs(bias) > 1e-3


def test_a_frame_on_a_beam_turns_with_a_bias() -> None:
    """Second rate of its angle while nothing accelerates, by differences of its rate of turning."""
    mechanical = mechanism({"kind": "weld"}, "a", "g")
    q, v = mechanical.near(np.random.default_rng(2))
    row = mechanical.row("g")
    bias = float(mechanical.at(q, v).work[row, BIAS])
    assert abs(bias) > 0.01

    def angle(time: float) -> float:
        return float(mechanical.at(q + v * time).pose(row)[2])

    step = 1e-3
    second = (angle(step) - 2.0 * angle(0.0) + angle(-step)) / step**2
    assert bias == pytest.approx(second, rel=1e-4)


@pytest.mark.parametrize("kind", [k for k in MEASURES if k != "angle"])
def test_both_bodies_feel_the_same_force(kind: str) -> None:
    """A Jacobian that knows no direction in space: it is blind to moving and turning everything together."""
    joint, which = MEASURES[kind]
    mechanical = mechanism(joint, "a", "b")
    q, v = mechanical.near(np.random.default_rng(3))
    seen = mechanical.at(q, v)
    row = mechanical.model.rows(EQUATIONS)[which]
    first, second = seen.work[row, J_FIRST : J_FIRST + 3], seen.work[row, J_SECOND : J_SECOND + 3]
    assert np.abs(first[:2] + second[:2]).max() < 1e-15
    assert np.hypot(*first[:2]) == pytest.approx(1.0, rel=1e-14)
    if "along" in kind:  # a direction fixed in space does hold against turning
        return
    moments = first[2] + second[2]
    for pose, j in ((seen.pose(mechanical.row("a")), first), (seen.pose(mechanical.row("b")), second)):
        moments += pose[0] * j[1] - pose[1] * j[0]
    assert abs(moments) < 1e-14


# --- motions ---


def driven(motion: Section, measure: Section, settings: Section | None = None) -> Spec:
    """Two bodies and one driven measure of them."""
    return model(
        BODIES,
        settings or run(1.0),
        measures={"m": measure},
        drivers={"d": {"measure": "m", "motion": motion}},
    )


TABLE: Section = {"times": [0.0, 0.2, 0.5, 0.6, 1.0], "values": [0.3, 0.5, 0.1, 0.2, 0.4]}
MOTIONS: dict[str, tuple[Section, Callable[[float], float]]] = {
    "constant speed": ({"kind": "constant-speed", "speed": 1.7, "start": 0.2}, lambda t: 0.2 + 1.7 * t),
    "harmonic": (
        {"kind": "harmonic", "amplitude": 0.3, "frequency": 1.5, "phase": 0.4, "mean": 0.6},
        lambda t: 0.6 + 0.3 * math.sin(2.0 * math.pi * 1.5 * t + 0.4),
    ),
    "polynomial": (
        {"kind": "polynomial", "coefficients": [0.3, -0.2, 0.5, 0.7]},
        lambda t: 0.3 - 0.2 * t + 0.5 * t**2 + 0.7 * t**3,
    ),
    "table": ({"kind": "table", **TABLE}, lambda t: float(CubicSpline(TABLE["times"], TABLE["values"])(t))),
}
DRIVEN: dict[str, Section] = {
    "angle": {"kind": "angle", "from": "a", "to": "b", "offset": 0.3},
    "angle, counted the other way": {"kind": "angle", "from": "a", "to": "b", "offset": 0.3, "sign": -1},
    "distance": {"kind": "distance", "from": held("a"), "to": held("b", 0.1, 0.0), "sign": -1, "offset": 0.9},
    "global y": {"kind": "coordinate", "of": held("b", 0.1, 0.2), "axis": "y"},
    "y seen by a body": {
        "kind": "coordinate",
        "of": held("b", 0.1, 0.2),
        "axis": "y",
        "in": "a",
        "sign": -1,
        "offset": -0.1,
    },
}


def declared(kind: str, seen: Seen, mechanical: Evaluation) -> float:
    """A driven measure as the file declares it, by complex numbers."""
    a, b = (seen.pose(mechanical.row(name)) for name in ("a", "b"))
    turn_a, turn_b = (complex(math.cos(p[2]), math.sin(p[2])) for p in (a, b))
    place_a, place_b = complex(*a[:2]), complex(*b[:2])
    seen_by_a = (place_b + turn_b * (0.1 + 0.2j) - place_a) * turn_a.conjugate()
    found = {
        "angle": 0.3 + b[2] - a[2],
        "angle, counted the other way": 0.3 - (b[2] - a[2]),
        "distance": 0.9 - abs(place_b + turn_b * 0.1 - place_a),
        "global y": (place_b + turn_b * (0.1 + 0.2j)).imag,
        "y seen by a body": -0.1 - seen_by_a.imag,
    }
    return float(found[kind])


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("kind", DRIVEN)
def test_a_driver_knows_its_motion(kind: str, motion: str) -> None:
    """Sign and offset of the measure taken off it; it misses by what the measure and the motion differ in."""
    section, law = MOTIONS[motion]
    mechanical = Evaluation(driven(section, DRIVEN[kind]))
    (row,) = mechanical.model.rows(EQUATIONS)
    q, _ = mechanical.near(np.random.default_rng(5))
    sign = DRIVEN[kind].get("sign", 1)
    for time in (0.0, 0.13, 0.47, 0.83):
        seen = mechanical.at(q, time=time)
        miss = sign * (declared(kind, seen, mechanical) - law(time))
        assert seen.work[row, MISS] == pytest.approx(miss, abs=1e-13)
        # At rest there is no bias: what J a must be is the motion's second rate.
        h = 1e-4
        ahead, now, behind = (sign * law(time + s * h) for s in (1.0, 0.0, -1.0))
        assert seen.work[row, TARGET_RATE] == pytest.approx((ahead - behind) / (2.0 * h), abs=1e-5)
        assert seen.work[row, WANTED] == pytest.approx((ahead - 2.0 * now + behind) / h**2, abs=2e-3)


def test_baumgarte_draws_back_what_has_drifted() -> None:
    """The second rate of a miss is -2 r (its rate) - r^2 (the miss), whatever the bodies do; without it, zero."""
    section, _ = MOTIONS["harmonic"]
    for stabilization, r in (("baumgarte", 30.0), ("none", 0.0)):
        settings = run(1.0, stabilization=stabilization, baumgarte_rate=30.0)
        mechanical = Evaluation(driven(section, DRIVEN["y seen by a body"], settings))
        (row,) = mechanical.model.rows(EQUATIONS)
        q, v = mechanical.near(np.random.default_rng(6))
        seen = mechanical.at(q, v, time=0.3)
        a = seen.acceleration
        second = derivative_of_miss_rate(mechanical, row, q, v, a)
        miss, miss_rate = seen.work[row, MISS], seen.work[row, MISS_RATE]
        assert abs(miss) > 0.01
        assert abs(miss_rate) > 0.01
        assert second == pytest.approx(-2.0 * r * miss_rate - r**2 * miss, abs=1e-5)


def derivative_of_miss_rate(mechanical: Evaluation, row: int, q: Array, v: Array, a: Array) -> float:
    def miss_rate(t: float) -> Any:
        return mechanical.at(q + v * t + 0.5 * a * t**2, v + a * t, time=0.3 + t).work[row, MISS_RATE]

    h = 1e-4
    fine, coarse = ((miss_rate(s) - miss_rate(-s)) / (2.0 * s) for s in (h, 2.0 * h))
    return float((4.0 * fine - coarse) / 3.0)
