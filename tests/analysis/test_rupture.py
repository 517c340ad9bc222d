"""Ligaments that tear: at the closed-form instant, by the limit that comes first, and with their energy gone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

import condyle
from condyle.model.spec import Spec
from small_models import Section, held, model, run, tight

MASS, REST, SPEED, STIFFNESS = 0.5, 0.1, 2.0, 40_000.0
QUADRATIC: Section = {"kind": "quadratic", "stiffness": STIFFNESS}
# Stretches at which it tears [m], and the limits that say so.
BY_STRAIN = ({"allowed_strain": 0.2}, 0.2 * REST)
BY_FORCE = ({"allowed_force": 25.0}, math.sqrt(25.0 / STIFFNESS))
FORCE_FIRST = ({"allowed_strain": 0.27, "allowed_force": 25.0}, math.sqrt(25.0 / STIFFNESS))
STRAIN_FIRST = ({"allowed_strain": 0.2, "allowed_force": 25.0}, 0.2 * REST)
INTEGRATORS = ["rk-gill", "dopri8"]


def thrown(
    settings: Section, limits: Section, stretch: float = 0.0, speed: float = SPEED, **more: Any
) -> Spec:
    """A mass thrown off along a ligament, stretched by so much at the start [m]; no gravity."""
    bob = {"mass": MASS, "inertia": 0.01, "position": [REST + stretch, 0.0], "velocity": [speed, 0.0]}
    section = {
        "from": held("wall"),
        "to": held("bob"),
        "rest_length": REST,
        "law": QUADRATIC,
        "breaks": True,
        **limits,
        **more,
    }
    return model({"wall": {"fixed": True}, "bob": bob}, settings, ligaments={"band": section})


def stored(stretch: float) -> float:
    """Energy of the ligament [J]."""
    return STIFFNESS * stretch**3 / 3.0


def instant(stretch: float) -> float:
    """When the mass has come so far [s], by a quadrature over its speed."""
    return float(quad(lambda x: 1.0 / math.sqrt(SPEED**2 - 2.0 * stored(x) / MASS), 0.0, stretch)[0])


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("case", [BY_STRAIN, BY_FORCE, FORCE_FIRST, STRAIN_FIRST])
def test_instant_and_energy(case: tuple[Section, float], integrator: str) -> None:
    """It tears at its limit; what it had stored is lost, not given back, and the mass flies on."""
    limits, stretch = case
    settings = run(0.03, 1e-4) if integrator == "rk-gill" else tight(0.03)
    found = condyle.simulate(thrown(settings, limits))
    data = found.dataset
    torn, left = instant(stretch), math.sqrt(SPEED**2 - 2.0 * stored(stretch) / MASS)
    assert left < 0.99 * SPEED
    tolerance = 1e-7 if integrator == "rk-gill" else 1e-11
    assert float(data["ligament_broken_time"].sel(ligament="band")) == pytest.approx(torn, abs=tolerance)
    time = data["time"].values
    after = time > torn
    speed = data["velocity"].sel(body="bob", axis="x").values
    assert np.abs(speed[after] - left).max() < 100.0 * tolerance
    place = data["position"].sel(body="bob", axis="x").values
    assert np.abs(place - REST - stretch - left * (time - torn))[after].max() < tolerance
    energy = data["energy"].transpose("kind", ...)
    assert energy.sel(kind="dissipated").values[after] == pytest.approx(
        stored(stretch), rel=1e-3 * tolerance**0.5
    )
    assert (energy.sel(kind="dissipated").values[~after] == 0.0).all()
    assert (energy.sel(kind="ligament").values[after] == 0.0).all()
    assert (data["ligament_force"].sel(ligament="band").values[after] == 0.0).all()
    assert found.audit.relative_residual < 1e-7
    force = float(data["peak_ligament_force"].sel(ligament="band"))
    assert force == pytest.approx(STIFFNESS * stretch**2, rel=1e-6)
    assert float(data["peak_ligament_strain"].sel(ligament="band")) == pytest.approx(stretch / REST, rel=1e-6)


def test_the_damper_counts_for_the_force() -> None:
    """The limit holds for the whole tension: it tears as the law plus c times the rate reach it."""
    spec = thrown(tight(0.03), {"allowed_force": 25.0}, damping=6.0)
    torn = float(condyle.simulate(spec).dataset["ligament_broken_time"][0])
    cut = condyle.simulate(spec.updated({"run.duration": torn, "run.output_step": torn / 50})).dataset
    force = cut["ligament_force"].sel(ligament="band").values
    assert force[-1] == pytest.approx(25.0, rel=1e-6)
    assert (force[:-1] < 25.0).all()
    stretch, rate = cut["ligament_length"].values[-1, 0] - REST, cut["velocity"].values[-1, 1, 0]
    assert STIFFNESS * stretch**2 + 6.0 * rate == pytest.approx(25.0, rel=1e-6)
    assert STIFFNESS * stretch**2 < 0.8 * 25.0


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_past_its_limit_from_the_start(integrator: str) -> None:
    """It tears at once: the mass keeps its speed, and all that was stored is lost."""
    settings = run(0.01, 1e-4) if integrator == "rk-gill" else tight(0.01)
    found = condyle.simulate(thrown(settings, {"allowed_strain": 0.2}, 0.03)).dataset
    assert float(found["ligament_broken_time"][0]) < 1e-9
    assert abs(float(found["velocity"].sel(body="bob", axis="x")[-1]) - SPEED) < 1e-6
    assert float(found["energy"].sel(kind="dissipated")[-1]) == pytest.approx(stored(0.03), rel=1e-6)


def test_one_that_does_not_break_is_only_told_of() -> None:
    """Past its limits, it pulls on and gives back all it had stored."""
    found = condyle.simulate(thrown(tight(0.08), {"allowed_strain": 0.1, "breaks": False}))
    data = found.dataset
    assert np.isnan(data["ligament_broken_time"].values).all()
    assert float(data["velocity"].sel(body="bob", axis="x")[-1]) == pytest.approx(-SPEED, rel=1e-9)
    assert float(data["peak_ligament_strain"][0]) > 0.2
    assert "past allowed strain" in str(found.summary())


def test_bundles_tear_one_by_one() -> None:
    """Each at its own limit; the second one later, from a motion that the first one has slowed."""
    bundles: Section = {"weak": {"allowed_strain": 0.1}, "strong": {"allowed_strain": 0.2}}
    found = condyle.simulate(thrown(tight(0.03), {}, bundles=bundles)).dataset
    weak, strong = found["ligament_broken_time"].values
    both, one = 2.0 * stored(0.1 * REST), stored(0.2 * REST) - stored(0.1 * REST)

    def time(begin: float, end: float, taken: Any) -> float:
        return float(quad(lambda x: 1.0 / math.sqrt(SPEED**2 - 2.0 * taken(x) / MASS), begin, end)[0])

    first = time(0.0, 0.1 * REST, lambda x: 2.0 * stored(x))
    second = first + time(0.1 * REST, 0.2 * REST, lambda x: both + stored(x) - stored(0.1 * REST))
    assert weak == pytest.approx(first, abs=1e-11)
    assert strong == pytest.approx(second, abs=1e-11)
    left = SPEED**2 - 2.0 * (both + one) / MASS
    assert float(found["velocity"].sel(body="bob", axis="x")[-1]) == pytest.approx(math.sqrt(left), rel=1e-10)
