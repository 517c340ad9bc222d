"""Springs: effort from a potential, stops, tables, dampers, and what both bodies feel."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import condyle
from condyle.mechanics.system import DISSIPATED, SPRINGS
from condyle.model.springs import table_slopes
from condyle.multibody.springs import EFFORT, ENERGY, EXTENT, LOSS, RATE
from condyle.testing import assert_gradient, assert_order
from evaluation import Evaluation, Seen
from small_models import Section, held, model, run, tight

Array = NDArray[np.float64]

BODIES: Section = {
    "a": {"mass": 0.7, "inertia": 0.02, "position": [0.3, 0.2], "angle": 0.5},
    "b": {"mass": 1.3, "inertia": 0.05, "position": [-0.2, 0.5], "angle": -0.4},
}
LENGTHS: Section = {"elongations": [-0.2, -0.05, 0.0, 0.1, 0.3], "forces": [-30.0, -4.0, 0.0, 3.0, 50.0]}
ANGLES: Section = {"angles": [-0.6, -0.1, 0.0, 0.5], "torques": [-7.0, -1.0, 0.0, 2.0]}
LINEAR: Section = {"translational": {"stiffness": 70.0}, "rotational": {"stiffness": 5.0}}
TABLES: dict[str, Section] = {"translational": {"table": LENGTHS}, "rotational": {"table": ANGLES}}
REST: Section = {"translational": {"rest_length": 0.45}, "rotational": {"rest_angle": -0.8}}
STOPS: Section = {
    "translational": {"stops": {"least": 0.3, "most": 0.65, "stiffness": 900.0}},
    "rotational": {"stops": {"least": -1.2, "most": -0.3, "stiffness": 40.0}},
}


def spring(kind: str, *parts: Section, bodies: Section = BODIES) -> Evaluation:
    """Two bodies and a spring between them."""
    ends: dict[str, Section] = {
        "translational": {"from": held("a", 0.02, 0.05), "to": held("b", -0.03, 0.01)},
        "rotational": {"from": "a", "to": "b"},
    }
    whole: Section = {"kind": kind} | ends[kind]
    for part in parts:
        whole |= part
    return Evaluation(model(bodies, run(1.0), springs={"s": whole}))


def of(seen: Seen, sprung: Evaluation, column: int) -> float:
    return float(seen.work[sprung.model.rows(SPRINGS)[0], column])


def extended(sprung: Evaluation, kind: str, extent: float) -> Seen:
    """The spring at a length or angle: the second body is moved along the spring, or turned."""
    q, _ = sprung.start
    if kind == "rotational":
        q[5] = q[2] + extent
        return sprung.at(q)
    first = complex(q[0], q[1]) + np.exp(1j * q[2]) * complex(0.02, 0.05)
    second = complex(q[3], q[4]) + np.exp(1j * q[5]) * complex(-0.03, 0.01)
    shift = (extent / abs(second - first) - 1.0) * (second - first)
    q[3:5] += shift.real, shift.imag
    return sprung.at(q)


KINDS = ["translational", "rotational"]
LAWS: dict[str, tuple[Section, bool]] = {
    "linear": (LINEAR, False),
    "table": (TABLES, False),
    "linear with stops": (LINEAR, True),
    "table with stops": (TABLES, True),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("law", LAWS)
def test_effort_is_the_slope_of_the_energy(kind: str, law: str) -> None:
    """In every piece, beyond the stops and the ends of the table too; both continuous throughout."""
    parts, stopped = LAWS[law]
    sprung = spring(kind, parts[kind], REST[kind], STOPS[kind] if stopped else {})

    def column(which: int, extent: float) -> float:
        seen = extended(sprung, kind, extent)
        assert of(seen, sprung, EXTENT) == pytest.approx(extent, abs=1e-14)
        return of(seen, sprung, which)

    low, high = (0.15, 0.9) if kind == "translational" else (-1.7, 0.1)
    for extent in np.linspace(low, high, 17) + 0.0041:
        assert_gradient(
            lambda x: column(ENERGY, x), lambda x: column(EFFORT, x), float(extent), step=2e-3, tolerance=1e-6
        )
    # What is continuous changes by half as much over half the way.
    for which in (ENERGY, EFFORT):
        values = np.array([column(which, x) for x in np.linspace(low, high, 1601)])
        assert np.abs(np.diff(values)).max() < 0.6 * np.abs(np.diff(values[::2])).max()


@pytest.mark.parametrize("kind", KINDS)
def test_a_linear_spring(kind: str) -> None:
    """Effort k x and energy k x^2 / 2 about the rest, which is where the file places the bodies by default."""
    stiffness = LINEAR[kind]["stiffness"]
    sprung, default = spring(kind, LINEAR[kind], REST[kind]), spring(kind, LINEAR[kind])
    rest = next(iter(REST[kind].values()))
    for x in (-0.13, 0.0, 0.21):
        seen = extended(sprung, kind, rest + x)
        assert of(seen, sprung, EFFORT) == pytest.approx(stiffness * x, abs=1e-12)
        assert of(seen, sprung, ENERGY) == pytest.approx(0.5 * stiffness * x**2, abs=1e-14)
    seen = default.at(default.start[0])
    assert of(seen, default, EFFORT) == pytest.approx(0.0, abs=1e-12)
    assert of(seen, default, ENERGY) == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("law", ["linear", "table"])
def test_stops(kind: str, law: str) -> None:
    """Between them nothing changes; beyond, their stiffness is added to the spring's, pushing back inside."""
    parts, _ = LAWS[law]
    free, stopped = spring(kind, parts[kind], REST[kind]), spring(kind, parts[kind], REST[kind], STOPS[kind])
    stops = STOPS[kind]["stops"]
    least, most, stiffness = stops["least"], stops["most"], stops["stiffness"]
    for extent in np.linspace(least - 0.2, most + 0.3, 12):
        plain = of(extended(free, kind, extent), free, EFFORT)
        beyond = min(extent - least, 0.0) + max(extent - most, 0.0)
        found = of(extended(stopped, kind, extent), stopped, EFFORT)
        assert found == pytest.approx(plain + stiffness * beyond, rel=1e-12, abs=1e-11)


@pytest.mark.parametrize("kind", KINDS)
def test_one_stop_alone(kind: str) -> None:
    """A stop without a spring: nothing on the near side, a spring of its own behind it."""
    for which in ("least", "most"):
        stops = {which: STOPS[kind]["stops"][which], "stiffness": 10.0}
        sprung = spring(kind, {"stops": stops}, REST[kind])
        behind = -0.1 if which == "least" else 0.1
        for x, expected in ((behind, 10.0 * behind), (-behind, 0.0)):
            seen = extended(sprung, kind, stops[which] + x)
            assert of(seen, sprung, EFFORT) == pytest.approx(expected, abs=1e-12)
            assert of(seen, sprung, ENERGY) == pytest.approx(0.5 * abs(expected * x), abs=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_a_table(kind: str) -> None:
    """Through its values, rising all the way as they do, straight on beyond its ends."""
    sprung = spring(kind, TABLES[kind], REST[kind])
    rest = next(iter(REST[kind].values()))
    x, y = (np.array(values) for values in TABLES[kind]["table"].values())

    def effort(at: float) -> float:
        return of(extended(sprung, kind, rest + at), sprung, EFFORT)

    assert [effort(at) for at in x] == pytest.approx(list(y), abs=1e-12)
    between = np.array([effort(at) for at in np.linspace(x[0], x[-1], 200)])
    assert (np.diff(between) >= -1e-12).all()
    for end, out in ((x[0], -0.05), (x[-1], 0.05)):
        near, far = effort(end + out) - effort(end), effort(end + 2.0 * out) - effort(end + out)
        assert far == pytest.approx(near, rel=1e-9, abs=1e-12)
        assert near * out >= 0.0


def tension(sprung: Evaluation, at: float) -> float:
    """Of a translational spring at an elongation [N]."""
    rest = next(iter(REST["translational"].values()))
    return of(extended(sprung, "translational", rest + at), sprung, EFFORT)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_table_that_flattens_out_keeps_its_stiffness_beyond_its_end(side: float) -> None:
    """10 N, then 11 N: the slopes go on by their ratio, 100 N/m, 10 N/m, and the root of 1/10 of that at the end."""
    x, y = [0.0, 0.1, 0.2], [0.0, 10.0, 11.0]
    table = {"elongations": x, "forces": y}
    if side < 0.0:
        table = {"elongations": [-v for v in x[::-1]], "forces": [-v for v in y[::-1]]}
    sprung = spring("translational", {"table": table}, REST["translational"])
    expected = 10.0 * math.sqrt(0.1)
    ends = [tension(sprung, side * at) for at in (0.2 - 1e-6, 0.2, 0.2 + 1e-6, 0.3, 0.4)]
    assert (ends[1] - ends[0]) / 1e-6 == pytest.approx(side * expected, rel=1e-4)
    assert (ends[2] - ends[1]) / 1e-6 == pytest.approx(side * expected, rel=1e-4)
    assert ends[3] - ends[1] == pytest.approx(side * 0.1 * expected, rel=1e-9)
    assert ends[4] - ends[3] == pytest.approx(side * 0.1 * expected, rel=1e-9)
    within = np.array([side * tension(sprung, side * at) for at in np.linspace(0.0, 0.2, 101)])
    assert (np.diff(within) > 0.0).all()


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(-40, 40)), min_size=1, max_size=6))
def test_slopes_of_tables_make_no_extremes_and_vanish_where_the_table_is_flat_only(
    steps: list[tuple[int, int]],
) -> None:
    """Each piece rises or falls as its ends do; at an end the slope has the sign of the last secant and some of it."""
    x, y = 0.05 * np.cumsum([(0, 0), *steps], axis=0).T
    slopes, secants = table_slopes(x, y), np.diff(y) / np.diff(x)
    for k, secant in enumerate(secants):
        assert min(slopes[k] * secant, slopes[k + 1] * secant) >= 0.0
        assert max(abs(slopes[k]), abs(slopes[k + 1])) <= 3.0 * abs(secant) * (1.0 + 1e-12)
    for end, secant in ((slopes[0], secants[0]), (slopes[-1], secants[-1])):
        assert abs(end) >= 1e-4 * abs(secant)


def test_end_slopes_of_a_smooth_table_are_of_second_order() -> None:
    """Of a rising and of a flattening function, at both ends, with uneven steps."""
    parts, errors = np.array([0.0, 0.4, 1.0]), []
    sizes = [0.2, 0.1, 0.05]
    for size in sizes:
        x = 1.0 + size * parts
        slopes = table_slopes(x, np.log(x))
        errors.append(max(abs(slopes[0] - 1.0 / x[0]), abs(slopes[-1] - 1.0 / x[-1])))
    assert_order(sizes, errors, 2.0, tolerance=0.3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_damper(kind: str) -> None:
    """Effort c times the rate on top of the spring; it books what it takes, which is never negative."""
    elastic, damped = (
        spring(kind, LINEAR[kind], REST[kind]),
        spring(kind, LINEAR[kind], REST[kind], {"damping": 3.0}),
    )
    rng = np.random.default_rng(1)
    for _ in range(4):
        q, v = damped.near(rng)
        seen, without = damped.at(q, v), elastic.at(q, v)
        h = 1e-6
        ahead, behind = (of(damped.at(q + s * h * v), damped, EXTENT) for s in (1.0, -1.0))
        rate = of(seen, damped, RATE)
        assert rate == pytest.approx((ahead - behind) / (2.0 * h), rel=1e-7)
        assert of(seen, damped, EFFORT) - of(without, elastic, EFFORT) == pytest.approx(3.0 * rate, rel=1e-10)
        power = v @ damped.mass() @ (seen.acceleration - without.acceleration)
        assert power == pytest.approx(-3.0 * rate**2, rel=1e-9)
        assert of(seen, damped, LOSS) == pytest.approx(3.0 * rate**2, rel=1e-12)
        assert seen.powers[DISSIPATED] == of(seen, damped, LOSS)
        assert of(without, elastic, LOSS) == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_both_bodies_feel_it(kind: str) -> None:
    """Generalised forces are minus the gradient of the energy; what one body gets the other gives."""
    sprung = spring(kind, TABLES[kind], REST[kind])
    q, _ = sprung.near(np.random.default_rng(2))
    push = sprung.mass() @ sprung.at(q).acceleration
    assert_gradient(lambda x: -of(sprung.at(x), sprung, ENERGY), lambda _: push, q, step=2e-3, tolerance=1e-7)
    assert np.abs(push[:2] + push[3:5]).max() < 1e-12
    moments = push[2] + push[5]
    for k in (0, 3):
        moments += q[k] * push[k + 1] - q[k + 1] * push[k]
    assert abs(moments) < 1e-12 * max(1.0, np.abs(push).max())
    assert np.abs(push).max() > 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_a_damped_swing(kind: str) -> None:
    """A body on a spring and a damper against the closed form, and the energy it loses."""
    inertia, stiffness, damping, first = 0.5, 200.0, 4.0, 0.05
    bodies: Section = {"ground": {"fixed": True}, "bob": {"mass": 0.5, "inertia": 0.5}}
    ends: Section = (
        {"from": held("ground", -1.0, 0.0), "to": held("bob"), "rest_length": 1.0}
        if kind == "translational"
        else {"from": "ground", "to": "bob", "rest_angle": 0.0}
    )
    bodies["bob"] |= {"position": [first, 0.0]} if kind == "translational" else {"angle": first}
    section: Section = {"kind": kind, "stiffness": stiffness, "damping": damping, **ends}
    found = condyle.simulate(model(bodies, tight(0.5), springs={"s": section})).dataset
    decay = 0.5 * damping / inertia
    pulsation = math.sqrt(stiffness / inertia - decay**2)
    time = found["time"].values
    swing = np.cos(pulsation * time) + decay / pulsation * np.sin(pulsation * time)
    expected = first * np.exp(-decay * time) * swing
    bob = found.sel(body="bob")
    value = bob["position"].sel(axis="x").values if kind == "translational" else bob["angle"].values
    assert np.abs(value - expected).max() < 1e-9
    energy = found["energy"].transpose("kind", ...)
    stored = energy.sel(kind="kinetic") + energy.sel(kind="spring")
    assert np.abs(stored + energy.sel(kind="dissipated") - 0.5 * stiffness * first**2).max() < 1e-10
    assert stored[-1] < 0.2 * stored[0]
