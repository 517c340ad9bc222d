"""The detection against brute force: the least signed gap, whatever the outlines, the pose and the order of the two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from condyle.contact.detection import GENERAL
from conftest import PLAIN
from contact.oracle import least_gap
from contact.pairs import (
    KINDS,
    PairOfCurves,
    apart,
    bowl,
    bumpy,
    ellipse,
    flat,
    polar,
    round_disc,
)

Sampler = Callable[[np.random.Generator], tuple[complex, float]]
POSES = 2 if PLAIN else 6
EGG, STONE = ellipse(0.06, 0.04, 0.005 + 0.003j), ellipse(0.03, 0.05, -0.004j)


def around(rng: np.random.Generator) -> tuple[complex, float]:
    """Anywhere about the other body."""
    return 0.1 * np.exp(1j * rng.uniform(-np.pi, np.pi)), rng.uniform(-np.pi, np.pi)


def above(rng: np.random.Generator) -> tuple[complex, float]:
    """Over a flat or a hollow, turned anyhow."""
    return complex(rng.uniform(-0.01, 0.01), 0.05), rng.uniform(-np.pi, np.pi)


def within(rng: np.random.Generator) -> tuple[complex, float]:
    """Off the middle of a bearing."""
    return 0.005 * np.exp(1j * rng.uniform(-np.pi, np.pi)), rng.uniform(-np.pi, np.pi)


CASES: dict[str, tuple[dict[str, Any], dict[str, Any], Sampler]] = {
    **{f"egg and stone, {kind}": (polar(EGG, kind), polar(STONE, kind), around) for kind in KINDS},
    **{f"egg and disc, {kind}": (polar(EGG, kind), round_disc(0.04), around) for kind in KINDS},
    **{f"egg and flat, {kind}": (polar(EGG, kind), flat(0.3), above) for kind in KINDS},
    **{
        f"disc and bowl, {kind}": (round_disc(0.04, interpolation=kind), bowl(0.07, 1.2, kind), above)
        for kind in KINDS
    },
    "exact disc and bowl": (round_disc(0.04), bowl(0.07, 1.2), above),
    "egg and bowl": (polar(EGG, "cubic"), bowl(0.15, 0.9), above),
    "disc and disc": (round_disc(0.05), round_disc(0.06), around),
    "disc and flat": (round_disc(0.05), flat(0.3), above),
    "journal in bearing": (round_disc(0.04), round_disc(0.05, hollow=True), within),
    "egg in bearing": (polar(ellipse(0.04, 0.035), "cubic"), round_disc(0.05, hollow=True), within),
    "bumps and flat": (polar(bumpy(0.05, 0.002, 5), "cubic"), flat(0.3), above),
    "bumps and disc": (polar(bumpy(0.05, 0.002, 7), "cubic"), round_disc(0.03), around),
    "bumps and bumps": (
        polar(bumpy(0.05, 0.0015, 4), "cubic"),
        polar(bumpy(0.05, 0.002, 6), "akima"),
        around,
    ),
}


def turned_round(place: complex, angle: float) -> tuple[complex, float]:
    """The pose of the second body in the first's frame."""
    return -place * np.exp(-1j * angle), -angle


def at_gap(pair: PairOfCurves, place: complex, angle: float, gap: float) -> complex:
    """The place moved along the contact's normal until the least gap is about as asked."""
    for _ in range(3):
        seen = pair.fresh(place, angle)
        place += (gap - seen.gap) * seen.normal
    return place


@pytest.mark.parametrize("other_way_round", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_least_gap(case: str, other_way_round: bool) -> None:
    """Gaps from a penetration of 4 % of the size to a distance of 20 %."""
    first, second, sampler = CASES[case]
    pair = PairOfCurves(second, first, spots=1) if other_way_round else PairOfCurves(first, second, spots=1)
    rng = np.random.default_rng(len(case))
    for k in range(POSES):
        place, angle = sampler(rng)
        if other_way_round:
            place, angle = turned_round(place, angle)
        gap = rng.uniform(-0.04, 0.0) if k % 2 else rng.uniform(0.0, 0.2)
        place = at_gap(pair, place, angle, gap * pair.size)
        seen, truth = pair.fresh(place, angle), least_gap(pair.first, pair.second, place, angle)
        assert apart(seen, truth) < 1e-9, (place, angle, seen, truth)
        assert (seen.gap < 0.0) == (gap < 0.0)  # so it does press and part


@pytest.mark.parametrize(
    ("first", "second", "sampler"),
    [
        (round_disc(0.05), flat(0.3), above),
        (flat(0.3), round_disc(0.05), lambda rng: turned_round(*above(rng))),
        (round_disc(0.05), round_disc(0.06), around),
        (round_disc(0.04), round_disc(0.05, hollow=True), within),
        (round_disc(0.05, hollow=True), round_disc(0.04), within),
    ],
)
def test_closed_forms_are_what_newton_finds(
    first: dict[str, Any], second: dict[str, Any], sampler: Sampler
) -> None:
    """Both on the exact curves; through splines as fine as they come they agree to the splines' error."""
    pair = PairOfCurves(first, second)
    newton, splines = PairOfCurves(first, second), PairOfCurves(*(interpolated(p) for p in (first, second)))
    newton.use_newton()
    assert splines.model.contacts.pairs[0].method == GENERAL != pair.model.contacts.pairs[0].method
    rng = np.random.default_rng(5)
    for _ in range(POSES):
        place, angle = sampler(rng)
        place = at_gap(pair, place, angle, rng.uniform(-0.002, 0.01))
        by_form, by_newton = pair.fresh(place, angle), newton.fresh(place, angle)
        assert apart(by_newton, by_form) < 1e-15
        assert abs(by_newton.normal - by_form.normal) < 1e-14
        assert abs(by_newton.first - by_form.first) < 1e-15
        assert apart(splines.fresh(place, angle), by_form) < 1e-8


def interpolated(profile: dict[str, Any]) -> dict[str, Any]:
    """The same outline through many points."""
    shape, outline = next(iter(profile["outline"].items()))
    return profile | {"outline": {shape: outline | {"samples": 400}}, "interpolation": "cubic"}


def test_the_far_side_is_never_taken() -> None:
    """Newton is started from guesses all round, the far sides among them, and finds the near root or none."""
    pair = PairOfCurves(polar(EGG, "cubic"), polar(STONE, "cubic"))
    truth = least_gap(pair.first, pair.second, 0.08 + 0.02j, 0.3)
    found = [
        pair.newton(0.08 + 0.02j, 0.3, u, v)
        for u in np.linspace(-3.0, 3.0, 4 if PLAIN else 24)
        for v in np.linspace(-3.0, 3.0, 4 if PLAIN else 24)
    ]
    near = [gap for gap in found if gap < np.inf]
    assert near
    assert np.abs(np.array(near) - truth.gap).max() < 1e-9
    assert len(near) < len(found)  # the far sides solve Eqs. 20-21 too, and were refused
