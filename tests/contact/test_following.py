"""Following a contact from pose to pose sees what a fresh search sees at each of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from condyle.contact.roots import END_OF_FIRST, END_OF_SECOND
from conftest import PLAIN
from contact.pairs import PairOfCurves, Sight, bowl, bumpy, ellipse, flat, polar, round_disc

STEPS = 40 if PLAIN else 600
EGG, STONE = (
    polar(ellipse(0.06, 0.04, 0.005 + 0.003j), "cubic"),
    polar(ellipse(0.03, 0.05), "shape-preserving"),
)
BUMPS = polar(bumpy(0.05, 0.002, 5), "cubic")

MOTIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "convex": (EGG, STONE),
    "bumps on a flat": (BUMPS, flat(0.3)),
    "bumps on bumps": (BUMPS, polar(bumpy(0.05, 0.0015, 4), "akima")),
    "disc in a bowl": (round_disc(0.04, interpolation="cubic"), bowl(0.07, 1.2)),
    "egg on a short flat": (EGG, flat(0.03)),
    "disc on a short flat": (round_disc(0.05), flat(0.03)),
    "spline disc on a short flat": (round_disc(0.05, interpolation="cubic"), flat(0.03)),
    "bumps on a short flat": (BUMPS, flat(0.03)),
}


def motion(pair: PairOfCurves, stride: float, steps: int, seed: int) -> Iterator[tuple[complex, float]]:
    """Turning on, to and fro at random, the gap kept between a slight penetration and a small distance."""
    rng = np.random.default_rng(seed)
    place, angle = 0.0 + 0.11j, 0.4
    drift, turn = 0.0, 0.0
    place += pair.fresh(place, angle).gap * -1j
    for k in range(steps):
        drift = np.clip(drift + 0.1 * rng.normal(), -1.0, 1.0)
        turn = np.clip(turn + 0.1 * rng.normal(), -1.0, 1.0)
        angle += stride * (1.0 + turn)
        place += stride * pair.size * drift
        # Back over the other body where it has wandered off, and to the gap wanted.
        if abs(place.real) > 0.07:
            drift, place = -drift, place - 2.0 * stride * pair.size * np.sign(place.real)
        seen = pair.fresh(place, angle)
        wanted = 0.01 * np.sin(0.01 * k) * pair.size
        place += np.clip(wanted - seen.gap, -stride * pair.size, stride * pair.size) * seen.normal
        yield place, angle


def agrees(followed: Sight, searched: Sight) -> bool:
    """The same gap; the same place too unless another is as near."""
    return followed.gap == searched.gap or abs(followed.gap - searched.gap) < 1e-12


@pytest.mark.parametrize("stride", [0.0005, 0.004, 0.05])
@pytest.mark.parametrize("case", MOTIONS)
def test_along_a_motion(case: str, stride: float) -> None:
    """Strides of 0.05 % of the size, as a run takes them, to 5 %, which jumps between basins."""
    first, second = MOTIONS[case]
    followed, searched = PairOfCurves(first, second, spots=1), PairOfCurves(first, second, spots=1)
    modes, places = set(), []
    for k, (place, angle) in enumerate(motion(searched, stride, STEPS, seed=3)):
        seen, fresh = followed.look(place, angle), searched.fresh(place, angle)
        assert agrees(seen, fresh), (k, place, angle, seen, fresh)
        modes.add(seen.mode)
        places.append(seen.first)
    if PLAIN:
        return
    assert END_OF_FIRST not in modes
    assert (END_OF_SECOND in modes) == (stride > 0.01 and ("short" in case or "bowl" in case)), modes
    if case == "bumps on a flat" and stride > 0.001:  # the contact did jump from bump to bump
        assert np.abs(np.diff(places)).max() > 0.01
