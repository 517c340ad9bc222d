"""Where a curve ends, its end point takes over: the gap goes on smoothly, and ends where nothing faces any more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from condyle.contact.roots import END_OF_FIRST, END_OF_SECOND, NONE, SMOOTH
from contact.pairs import PairOfCurves, flat, round_disc

RADIUS, HALF = 0.05, 0.03
KINDS: dict[str, dict[str, Any]] = {
    "exact": round_disc(RADIUS),
    "spline": round_disc(RADIUS, interpolation="cubic"),
}


def distance_to_plate(centre: complex) -> float:
    """Distance of a point from the line from -HALF to HALF."""
    return float(abs(centre - np.clip(centre.real, -HALF, HALF)))


def seen_from(pair: PairOfCurves, centre: complex, plate_first: bool, angle: float) -> Any:
    """The disc at a place over the plate, as the pair with either of them first sees it; in the plate's frame."""
    if not plate_first:
        return pair.look(centre, angle)
    turn = np.exp(-1j * angle)
    return pair.look(-centre * turn, -angle)


@pytest.mark.parametrize("plate_first", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_rolling_off_a_plate(kind: str, plate_first: bool) -> None:
    """Rolled along the plate and round its end, pressed in by 1 mm or 1 mm away, down to the level of the plate."""
    profiles = (flat(HALF), KINDS[kind]) if plate_first else (KINDS[kind], flat(HALF))
    end_mode = END_OF_FIRST if plate_first else END_OF_SECOND
    for lift in (-0.001, 0.0, 0.001):
        pair, reach = PairOfCurves(*profiles), RADIUS + lift
        along = [complex(x, reach) for x in np.linspace(-0.02, HALF, 26)]
        round_the_end = [
            HALF + 1j * reach * np.exp(-1j * turn) for turn in np.linspace(0.0, 0.49 * np.pi, 40)
        ]
        for k, centre in enumerate([*along, *round_the_end]):
            seen = seen_from(pair, centre, plate_first, angle=-0.03 * k)
            # As good as the spline is a circle.
            assert abs(seen.gap - lift) < (1e-15 if kind == "exact" else 2e-8), (k, seen)
            assert seen.mode == (SMOOTH if k < len(along) else end_mode) or k in (25, 26)
            outward = (centre - np.clip(centre.real, -HALF, HALF)) / reach
            normal = seen.normal * np.exp(-0.03j * k) * -1.0 if plate_first else seen.normal
            assert abs(normal - outward) < (1e-12 if kind == "exact" else 1e-5)


@pytest.mark.parametrize("plate_first", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_beside_and_below_the_plate_nothing_faces(kind: str, plate_first: bool) -> None:
    """The plate's side is an end, not an outline: past it there is no contact."""
    profiles = (flat(HALF), KINDS[kind]) if plate_first else (KINDS[kind], flat(HALF))
    pair = PairOfCurves(*profiles)
    for centre in (HALF + 0.04 - 0.001j, HALF + 0.02 - 0.06j):
        assert seen_from(pair, centre, plate_first, 0.2).mode == NONE
    assert seen_from(pair, HALF + 0.04 + 0.001j, plate_first, 0.2).gap < 0.0  # and just above there is


@pytest.mark.parametrize("kind", KINDS)
def test_a_way_across_the_end(kind: str) -> None:
    """Gaps along a straight way over the end are the distance from the plate, followed or searched anew."""
    pair, fresh = PairOfCurves(KINDS[kind], flat(HALF)), PairOfCurves(KINDS[kind], flat(HALF))
    for x in np.linspace(0.0, 0.2, 81):
        centre = complex(x, 0.049)
        expected = distance_to_plate(centre) - RADIUS
        for seen in (pair.look(centre, 0.1), fresh.fresh(centre, 0.1)):
            assert abs(seen.gap - expected) < (1e-15 if kind == "exact" else 2e-8)
