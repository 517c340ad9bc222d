"""Two roots are one contact where the outlines overlap all the way between them, as dense samples see it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from condyle.contact.detection import GAP, MODE, U_FIRST
from condyle.contact.overlaps import are_joined
from condyle.contact.roots import NONE
from condyle.mechanics.system import ROOTS
from conftest import PLAIN
from contact.oracle import points_and_normals
from contact.pairs import PairOfCurves, bumpy, ellipse, flat, polar, pose_of

LOBES = {
    "five": (bumpy(0.05, 0.004, 5), 0.004),
    "twenty": (bumpy(0.05, 0.0004, 20, 160), 0.001),
    "an egg": (ellipse(0.06, 0.04), 0.004),
}


@pytest.mark.parametrize("case", LOBES)
def test_joined_where_no_place_between_is_above_the_floor(case: str) -> None:
    """Over a floor the gap of a point is its height: all pairs of touching roots at random heights and angles."""
    points, deepest = LOBES[case]
    pair = PairOfCurves(polar(points, "cubic"), flat(0.3), spots=4)
    rng = np.random.default_rng(7)
    told = []
    for _ in range(10 if PLAIN else 200):
        angle = rng.uniform(-np.pi, np.pi)
        place = 0.06j
        place -= 1j * (pair.fresh(place, angle).gap + rng.uniform(0.0, deepest))
        pair.fresh(place, angle)
        rows = [r for r in pair.model.rows(ROOTS) if pair.work[r, MODE] != NONE and pair.work[r, GAP] < 0.0]
        for first, second in combinations(rows, 2):
            start, end = sorted(pair.work[[first, second], U_FIRST])
            ways = (np.linspace(start, end, 4000), np.linspace(end, start + 2.0 * np.pi, 4000))
            heights = [highest(pair, place, angle, way) for way in ways]
            if min(abs(height) for height in heights) < 1e-7:
                continue
            expected = min(heights) < 0.0
            arrays, pose = pair.model.arrays, pose_of(place, angle)
            assert are_joined(arrays, pair.row, pose, first, second, pair.work) == expected
            assert are_joined(arrays, pair.row, pose, second, first, pair.work) == expected
            told.append(expected)
    if case == "an egg":
        assert not told
    elif not PLAIN:
        assert 5 < sum(told) < len(told) - 5


def highest(pair: PairOfCurves, place: complex, angle: float, u: np.ndarray) -> float:
    """Largest height over the floor [m] among the points of the first curve at parameters on a way round it."""
    start = pair.first.breaks[0]
    points, _ = points_and_normals(pair.first, start + np.mod(u - start, 2.0 * np.pi))
    return float((place + np.exp(1j * angle) * points).imag.max())
