"""What counts as one contact, how contacts become one and part, and that none of it makes energy of nothing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import condyle
from condyle.analysis.forward import forward
from condyle.contact.forces import ONSET_SPEED
from condyle.mechanics.system import SPOTS
from condyle.model.compiled import compiled
from condyle.model.spec import Spec
from condyle.results import Results
from contact.pairs import bumpy, flat
from small_models import Pair, Section, ball_on_ground, circle, disc, hertz, line, model, run


def noisy_knee(seed: int, count: int = 72, **changes: Any) -> Spec:
    """The planar knee with its condyle read off all round with an error of 0.1 mm."""
    angle = 2.0 * np.pi * np.arange(count) / count
    circle = 0.04 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = circle + 1e-4 * np.random.default_rng(seed).standard_normal((count, 2))
    return condyle.load("planar-knee").updated(
        {
            "profiles.condyle.outline": {"points": points.tolist()},
            "profiles.condyle.interpolation": "cubic",
            **changes,
        }
    )


def peak(results: Results) -> float:
    """Largest sum of all contact forces [N]."""
    return float(np.nansum(results.dataset["contact_normal_force"].values, axis=1).max())


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_a_noisy_outline_is_one_contact_and_keeps_its_energy(seed: int) -> None:
    """Bumps that do not part count once: 663 N, not 993 N, and the audit closes at its default tolerance."""
    found = condyle.simulate(noisy_knee(seed))
    single = condyle.simulate(noisy_knee(seed, **{"contacts.tibiofemoral.spots": 1}))
    for results in (found, single):
        assert results.audit.passed, results.audit
        assert results.audit.relative_residual < 1e-11
    assert 660.0 < peak(single) < 670.0
    assert abs(peak(found) - peak(single)) < 0.1


def cam(
    settings: Section,
    velocity: Pair,
    *,
    spin: float = 0.0,
    height: float = 0.05,
    tilt: float = 0.01,
    lobe: float = 0.006,
    order: tuple[str, str] = ("cam", "floor"),
    **contact: Any,
) -> Spec:
    """A disc with five lobes, two of them down and one a little lower, over a floor or pressed into it."""
    outline = {"outline": {"points": bumpy(0.05, lobe, 5).tolist()}, "interpolation": "cubic"}
    return model(
        {
            "base": {"fixed": True},
            "cam": {
                **disc(),
                "position": [0.0, height],
                "angle": -0.7 * np.pi + tilt,
                "velocity": velocity,
                "angular_velocity": spin,
            },
        },
        settings,
        profiles={"floor": line("base", (-20.0, 0.0), (20.0, 0.0)), "cam": {"body": "cam", **outline}},
        contacts={"touch": {"between": list(order), "law": hertz(), **contact}},
    )


def notes(results: Results, word: str) -> list[str]:
    """Notes of the audit with a word in them."""
    return [note for note in results.audit.notes if word in note]


def test_contacts_that_become_one_lose_what_the_shallower_had_stored() -> None:
    """Shallow lobes pressed in until the dent between them touches too: the loss is booked, told, never negative."""
    spec = cam(run(0.02, 1e-6), (0.0, -2.0), lobe=0.003, height=0.048, tilt=0.004)
    found = condyle.simulate(spec)
    force = found.dataset["contact_normal_force"].values
    assert ((force > 1.0).sum(axis=1) == 2).any()  # two contacts there were
    assert found.audit.passed
    assert found.audit.relative_residual < 1e-9
    lost = found.dataset["energy"].sel(kind="dissipated").values
    assert lost[-1] > 1e-4
    assert (np.diff(lost) > -1e-15).all()
    (note,) = notes(found, "became one")
    assert "contact 'touch'" in note


def test_lobes_that_part_are_two_contacts() -> None:
    """Each carries its own force at the same time, with an onset of its own, and energy is conserved."""
    spec = cam(run(0.01, 1e-6), (0.0, -0.3), height=0.049)
    found = condyle.simulate(spec)
    force = found.dataset["contact_normal_force"].values
    assert (force.min(axis=1) > 1.0).any()
    assert found.audit.relative_residual < 1e-11
    assert not found.audit.notes
    trajectory = forward(compiled(spec))
    speeds = trajectory.memory[:, trajectory.model.rows(SPOTS), ONSET_SPEED].max(axis=0)
    assert (speeds > 0.1).all()
    assert abs(speeds[0] - speeds[1]) > 0.001


@pytest.mark.parametrize("order", [("cam", "floor"), ("floor", "cam")])
@pytest.mark.parametrize("integrator", ["rk-gill", "dopri8"])
def test_a_jump_to_a_deeper_place_is_located(integrator: str, order: tuple[str, str]) -> None:
    """A pressed cam rocks from lobe to lobe under one spot; its floor is 40 m long, whichever comes first."""
    settings = run(0.02, 1e-5, integrator)
    if integrator == "dopri8":
        settings |= {"relative_tolerance": 1e-11, "absolute_tolerance": 1e-13}
    spec = cam(settings, (0.0, -0.5), spin=-3.0, height=0.0487, spots=1, order=order)
    found = condyle.simulate(spec)
    along = found.dataset["contact_point"].values[:, 0, 0]
    pressed = found.dataset["contact_normal_force"].values[:, 0] > 1.0
    jumps = np.abs(np.diff(along))[pressed[1:] & pressed[:-1]]
    assert jumps.max() > 0.03  # it did jump, under load
    assert found.audit.relative_residual < 1e-8


def test_a_contact_that_comes_up_deep_starts_from_there() -> None:
    """A disc moves in under a plate's end, where nothing faces it: what is inside when it faces is left out."""
    spec = model(
        {
            "base": {"fixed": True},
            "disc": {**disc(), "position": [0.075, -0.002], "velocity": [-0.1, 0.3]},
        },
        run(0.1, 1e-5),
        profiles={"plate": {"body": "base", **flat(0.03)}, "skin": circle("disc", interpolation="cubic")},
        contacts={"touch": {"between": ["skin", "plate"], "law": hertz()}},
    )
    found = condyle.simulate(spec)
    assert found.audit.passed
    (note,) = notes(found, "came up with")
    assert "contact 'touch'" in note
    kinetic = found.dataset["energy"].sel(kind="kinetic").values
    assert kinetic.max() < kinetic[0] * (1.0 + 1e-9)


def test_a_start_that_is_pressed_in_is_told() -> None:
    """14 mm inside, with the energy stored there by Hertz's law; a touch to round-off is none."""
    found = condyle.simulate(ball_on_ground(hertz(), run(0.01, 1e-5), -0.014, (0.0, 0.0)))
    (note,) = notes(found, "starts")
    assert "contact 'touch' starts 14 mm deep" in note
    assert f"{0.4 * 1e6 * 0.014**2.5:.3g} J" in note
    assert not condyle.simulate(ball_on_ground(hertz(), run(0.01, 1e-5), 0.0)).audit.notes


def pointed(settings: Section, other: Section, height: float) -> Spec:
    """An ellipse on its end, of 2.9 mm radius there, thrown at a floor or at another."""
    angle = 2.0 * np.pi * np.arange(60) / 60
    points = np.stack([0.012 * np.cos(angle), 0.05 * np.sin(angle)], axis=1)
    egg = {"outline": {"points": points.tolist()}, "interpolation": "cubic"}
    return model(
        {
            "base": {"fixed": True},
            "egg": {**disc(), "position": [0.0, height + 0.0505], "velocity": [0.0, -3.0]},
        },
        settings,
        profiles={"under": {"body": "base", **(other or egg)}, "skin": {"body": "egg", **egg}},
        contacts={"touch": {"between": ["skin", "under"], "law": hertz(2e5)}},
    )


@pytest.mark.parametrize("integrator", ["rk-gill", "dopri8"])
def test_a_contact_lost_under_load_is_named(integrator: str) -> None:
    """Two points pressed into each other deeper than both are round."""
    found = condyle.simulate(pointed(run(0.005, 1e-5, integrator), {}, 0.05))
    assert not found.audit.passed
    (note,) = notes(found, "was lost at")
    assert "contact 'touch' was lost at 0.0011" in note
    assert "pressed in by 2.8" in note


def test_a_point_may_be_pressed_into_a_flat_deeper_than_it_is_round() -> None:
    """Its lowest point stays the contact: it comes back as it went, from a depth of several radii."""
    found = condyle.simulate(pointed(run(0.02, 1e-5), flat(1.0), 0.0))
    assert found.audit.deepest_penetration["touch"] > 3.0 * 2.9e-3
    assert found.audit.relative_residual < 1e-9
    assert found.dataset["velocity"].sel(body="egg", axis="y").values[-1] == pytest.approx(3.0, rel=1e-8)


@pytest.mark.parametrize("integrator", ["rk-gill", "dopri8"])
@pytest.mark.parametrize("order", [("sole", "cap"), ("cap", "sole")])
def test_end_against_end_stops(order: tuple[str, str], integrator: str) -> None:
    """A plate drawn off a cap under load until only their ends would meet."""
    arc = {"arc": {"center": [0.0, -0.1], "to": [-0.03, 0.0]}}
    outline = {"outline": {"path": {"start": [0.03, 0.0], "pieces": [arc], "samples": 41}}}
    cap = outline | {"interpolation": "cubic", "form": "plain", "outward": [0.0, 1.0]}
    spec = model(
        {
            "base": {"fixed": True},
            "plate": {"mass": 1.0, "inertia": 1e3, "position": [-0.045, 0.0025], "velocity": [-1.0, 0.0]},
        },
        run(0.1, 1e-5, integrator),
        gravity=[0.0, -200.0],
        profiles={
            "cap": {"body": "base", **cap},
            "sole": {"body": "plate", **flat(0.03, outward=[0.0, -1.0])},
        },
        contacts={"touch": {"between": list(order), "law": hertz(1e7)}},
    )
    found = condyle.simulate(spec)
    assert not found.complete
    assert "Contact 'touch' slipped off the ends of both profiles under load at 0.0124" in found.status


def test_a_contact_of_few_steps_is_named() -> None:
    """Hertz at 1e12 N/m^1.5 throws a gram back within one step: energy is kept, the force is nobody's."""
    spec = ball_on_ground(hertz(1e12), run(2e-3, 1e-5), 1e-3, (0.0, -10.0)).updated(
        {"bodies.ball.mass": 1e-3, "bodies.ball.inertia": 1e-6}
    )
    found = condyle.simulate(spec)
    (note,) = notes(found, "too few to resolve its force")
    assert "contact 'touch'" in note
    assert "smaller run.step, or run.integrator: adaptive" in note
    for changes in ({"run.step": 1e-7, "run.duration": 3e-4}, {"run.integrator": "adaptive"}):
        assert not notes(condyle.simulate(spec.updated(changes)), "too few")


@pytest.mark.parametrize(
    "friction",
    [
        {"kind": "coulomb", "coefficient": 0.3},
        {"kind": "brown-mcphee", "static": 0.3, "dynamic": 0.3, "transition_speed": 1e-3},
    ],
)
def test_friction_too_stiff_for_the_step_is_named(friction: Section) -> None:
    """A disc's contact point gives way three times as fast as its mass: r^2/I is 2/m."""
    settled = ball_on_ground(hertz(), run(0.02, 1e-4), -5e-4, (0.01, 0.0), 9.81, friction=friction)
    found = condyle.simulate(settled)
    (note,) = notes(found, "too stiff for the step")
    assert "friction of contact 'touch'" in note
    force = float(found.dataset["peak_contact_force"][0])
    slope = 0.3 / 9e-4 if friction["kind"] == "coulomb" else 4.0 * 0.3 / 1e-3
    rate = 1e-4 * force * slope * 3.0 / 0.2
    assert f"round {rate:.2g} times over" in note
    smaller = settled.updated({"run.step": 1e-4 / math.ceil(rate), "run.duration": 2e-3})
    assert not notes(condyle.simulate(smaller), "too stiff")
