"""Ligaments in a model: pull on both bodies, damping, where the toe ends, bundles, strain at the start."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import condyle
from condyle.mechanics.system import DISSIPATED, LIGAMENTS, VALUE
from condyle.model.spec import Spec
from condyle.multibody.ligaments import ENERGY, SLACK, TENSION, TOE
from condyle.testing import assert_gradient
from evaluation import Evaluation
from small_models import Section, held, model, run, tight

Array = NDArray[np.float64]

BODIES: Section = {
    "a": {"mass": 0.7, "inertia": 0.02, "position": [0.3, 0.2], "angle": 0.5},
    "b": {"mass": 1.3, "inertia": 0.05, "position": [-0.2, 0.5], "angle": -0.4},
}
LAWS: dict[str, Section] = {
    "quadratic": {"kind": "quadratic", "stiffness": 9000.0},
    "toe-linear": {"kind": "toe-linear", "stiffness": 700.0, "linear_strain": 0.06},
}
MASS, REST, GRAVITY = 0.6, 0.2, 9.81


def between(**ligament: Any) -> Evaluation:
    """Two free bodies and a ligament between points of theirs, taut where it is at the start."""
    section = {"from": held("a", 0.02, 0.05), "to": held("b", -0.03, 0.01), **ligament}
    found = Evaluation(model(BODIES, run(1.0), ligaments={"band": section}))
    found.settle(*found.start)
    return found


def of(mechanical: Evaluation, q: Array, column: int, v: Array | None = None) -> float:
    return float(mechanical.at(q, v).work[mechanical.model.rows(LIGAMENTS)[0], column])


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rest", [0.3, 0.45])
def test_both_bodies_feel_the_gradient_of_the_energy(law: str, rest: float) -> None:
    """Long past its toe and within it; what one body gets the other gives."""
    band = between(law=LAWS[law], rest_length=rest)
    q, _ = band.start
    push = band.mass() @ band.at(q).acceleration
    assert_gradient(lambda x: -of(band, x, ENERGY), lambda _: push, q, step=2e-3, tolerance=1e-8)
    assert np.abs(push[:2] + push[3:5]).max() < 1e-12
    assert abs(sum(q[k] * push[k + 1] - q[k + 1] * push[k] + push[k + 2] for k in (0, 3))) < 1e-12


@pytest.mark.parametrize("law", LAWS)
def test_the_damper_takes_what_it_books(law: str) -> None:
    """Tension c times the rate on top while taut; nothing while slack."""
    elastic, damped = (
        between(law=LAWS[law], rest_length=0.3),
        between(law=LAWS[law], rest_length=0.3, damping=5.0),
    )
    rng = np.random.default_rng(1)
    q = damped.start[0]
    for _ in range(4):
        v = 0.3 * rng.normal(size=6)
        h = 1e-6
        ahead, behind = (of(damped, q + s * h * v, 0) for s in (1.0, -1.0))
        rate = (ahead - behind) / (2.0 * h)
        extra = of(damped, q, TENSION, v) - of(elastic, q, TENSION, v)
        assert extra == pytest.approx(5.0 * rate, rel=1e-6)
        seen = damped.at(q, v)
        power = v @ damped.mass() @ (seen.acceleration - elastic.at(q, v).acceleration)
        assert seen.powers[DISSIPATED] == pytest.approx(-power, rel=1e-9)
        assert seen.powers[DISSIPATED] == pytest.approx(5.0 * rate**2, rel=1e-6)
    slack = between(law=LAWS[law], rest_length=0.9, damping=5.0)
    assert (slack.at(q, v).acceleration == 0.0).all()


def hanging(settings: Section, start: float, speed: float = 0.0, **ligament: Any) -> Spec:
    """A mass on a ligament below a ceiling, at a length [m] and a speed downwards [m/s] at the start."""
    bob = {"mass": MASS, "inertia": 0.01, "position": [0.0, -start], "velocity": [0.0, -speed]}
    section = {"from": held("roof"), "to": held("bob"), "rest_length": REST, **ligament}
    bodies: Section = {"roof": {"fixed": True}, "bob": bob}
    return model(bodies, settings, gravity=[0.0, -GRAVITY], ligaments={"band": section})


def test_damped_swing_of_a_linear_ligament() -> None:
    """Without a toe it is a spring: closed form of the damped oscillation about the length at rest, and its loss."""
    stiffness, damping = 300.0, 3.0
    law = {"kind": "toe-linear", "stiffness": stiffness, "linear_strain": 0.0}
    rate = stiffness / REST
    middle = REST + MASS * GRAVITY / rate
    swing = 0.8 * (middle - REST)
    found = condyle.simulate(hanging(tight(0.6), middle + swing, law=law, damping=damping)).dataset
    time = found["time"].values
    decay = 0.5 * damping / MASS
    pulsation = math.sqrt(rate / MASS - decay**2)
    wave = np.cos(pulsation * time) + decay / pulsation * np.sin(pulsation * time)
    expected = middle + swing * np.exp(-decay * time) * wave
    length = found["ligament_length"].sel(ligament="band").values
    assert np.abs(length - expected).max() < 1e-10
    speed = -swing * np.exp(-decay * time) * (pulsation + decay**2 / pulsation) * np.sin(pulsation * time)
    force = found["ligament_force"].sel(ligament="band").values
    assert np.abs(force - rate * (expected - REST) - damping * speed).max() < 1e-7
    lost = found["energy"].sel(kind="dissipated").values
    left = 0.5 * MASS * speed**2 + 0.5 * rate * (expected - middle) ** 2
    assert np.abs(lost + left - left[0]).max() < 1e-9
    assert lost[-1] > 0.9 * left[0]


@pytest.mark.parametrize(("damping", "first", "speed"), [(100.0, 0.28, -1.6), (1000.0, 0.32, -0.3)])
def test_a_damper_that_goes_limp(damping: float, first: float, speed: float) -> None:
    """Pushed up fast, it does not push back: no tension until it slows down, or till it is taut again."""
    stiffness = 300.0
    law = {"kind": "toe-linear", "stiffness": stiffness, "linear_strain": 0.0}
    found = condyle.simulate(hanging(tight(0.5), first, speed, law=law, damping=damping)).dataset

    def tension(length: Any, rate: Any) -> Any:
        taut = stiffness * (length / REST - 1.0) + damping * rate
        return np.where(length > REST, np.maximum(taut, 0.0), 0.0)

    def rates(_: float, y: Array) -> list[float]:
        return [y[1], GRAVITY - float(tension(y[0], y[1])) / MASS]

    # Short steps, since the damper sets in all at once and the reference does not look for the instant.
    times = found["time"].values
    reference = solve_ivp(
        rates, (0.0, 0.5), [first, speed], t_eval=times, rtol=1e-10, atol=1e-12, max_step=2e-4
    )
    length = found["ligament_length"].sel(ligament="band").values
    # The length is a magnitude: the mass must stay below the ceiling.
    assert reference.y[0].min() > 0.1
    assert np.abs(length - reference.y[0]).max() < 1e-5
    force = found["ligament_force"].sel(ligament="band").values
    limp = (length > REST) & (force == 0.0)
    assert limp[0]
    assert force[-1] == pytest.approx(tension(*reference.y[:, -1]), rel=1e-4)
    assert force[-1] > 0.5 * MASS * GRAVITY


def test_where_the_toe_ends() -> None:
    """The watched switches are zero where the law changes its branch: at rest, and at twice the linear strain."""
    junction = 0.04
    bob = Evaluation(
        hanging(run(1.0), REST, law={"kind": "toe-linear", "stiffness": 300.0, "linear_strain": junction})
    )
    (row,) = bob.model.rows(LIGAMENTS)
    for column, strain in ((SLACK, 0.0), (TOE, 2.0 * junction)):
        switch = int(bob.model.arrays.link[row, column])
        for apart in (-0.01, 0.0, 0.01):
            length = REST * (1.0 + strain + apart)
            value = bob.at(np.array([0.0, -length, 0.0])).work[switch, VALUE]
            assert value == pytest.approx(-REST * apart, abs=1e-15)
    # The law bends below the junction and is straight above it.
    bob.settle(np.array([0.0, -1.05 * REST, 0.0]))

    def force(strain: float) -> float:
        return of(bob, np.array([0.0, -REST * (1.0 + strain), 0.0]), TENSION)

    h, end = 1e-3, 2.0 * junction
    bends = [force(s - h) - 2.0 * force(s) + force(s + h) for s in (end - 2.0 * h, end + 2.0 * h)]
    assert bends[0] == pytest.approx(300.0 * h**2 / (2.0 * junction), rel=1e-6)
    assert bends[1] == pytest.approx(0.0, abs=1e-10)


def test_a_swing_through_the_toe() -> None:
    """Slack, toe and line in one motion, thrice: against SciPy, its steps short; every change of branch is met."""
    law = {"kind": "toe-linear", "stiffness": 200.0, "linear_strain": 0.05}
    found = condyle.simulate(hanging(tight(0.5), 0.95 * REST, law=law))

    def rates(_: float, y: Array) -> list[float]:
        strain = max(y[0] / REST - 1.0, 0.0)
        toe = strain**2 / 0.2 if strain < 0.1 else strain - 0.05
        return [y[1], GRAVITY - 200.0 * toe / MASS]

    times = found.dataset["time"].values
    reference = solve_ivp(
        rates, (0.0, 0.5), [0.95 * REST, 0.0], t_eval=times, rtol=1e-12, atol=1e-14, max_step=1e-3
    )
    length = found.dataset["ligament_length"].sel(ligament="band").values
    assert np.abs(length - reference.y[0]).max() < 1e-8
    strain = reference.y[0] / REST - 1.0
    crossings = sum(int(np.count_nonzero(np.diff(np.sign(strain - s)))) for s in (0.0, 0.1))
    assert crossings >= 6
    assert found.audit.events == crossings
    assert found.audit.relative_residual < 1e-11


def test_bundles_add_up() -> None:
    """Two bundles pull as two ligaments do that are written out, and each says its own."""
    shared: Section = {"from": held("a"), "law": LAWS["quadratic"], "rest_length": 0.35, "damping": 2.0}
    first: Section = {"to": held("b", 0.05, 0.0)}
    second: Section = {
        "from": held("a", -0.04, 0.0),
        "to": held("b", 0.0, 0.06),
        "reference_strain": 0.12,
        "law": LAWS["toe-linear"],
    }
    apart = shared | second
    del apart["rest_length"]
    bundled: Section = {"whole": shared | {"bundles": {"one": first, "two": second}}}
    written: Section = {"one": shared | first, "two": apart}
    alone: Section = {"one": shared | first}
    pulls = []
    for ligaments in (bundled, written, alone):
        band = Evaluation(model(BODIES, run(1.0), ligaments=ligaments))
        q, v = band.start[0], np.array([0.1, 0.2, -0.3, 0.2, 0.1, 0.4])
        band.settle(q, v)
        pulls.append(band.mass() @ band.at(q, v).acceleration)
    assert np.array_equal(pulls[0], pulls[1])
    assert np.abs(pulls[0] - pulls[2]).max() > 1.0
    names = condyle.simulate(model(BODIES, run(0.01, 1e-3), ligaments=bundled)).dataset["ligament"].values
    assert list(names) == ["whole/one", "whole/two"]


@pytest.mark.parametrize("strain", [0.05, -0.04])
def test_reference_strain_is_the_strain_at_the_start(strain: float) -> None:
    """Positive: taut from the first instant, with the law's tension there; negative: slack by as much."""
    settings = run(0.01, 1e-3)
    spec = hanging(settings, 0.31, law=LAWS["toe-linear"], rest_length=None, reference_strain=strain)
    found = condyle.simulate(spec).dataset.sel(ligament="band")
    assert float(found["ligament_strain"][0]) == pytest.approx(strain, rel=1e-13)
    expected = 700.0 * strain**2 / (4.0 * 0.06) if strain > 0.0 else 0.0
    assert float(found["ligament_force"][0]) == pytest.approx(expected, rel=1e-12)
