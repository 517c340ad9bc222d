"""A gap asked for at the start: positive holds the profiles apart, negative presses them into each other."""

from __future__ import annotations

import cmath

import numpy as np
import pytest

import condyle
from condyle.contact.forces import DEPTH, NORMAL_FORCE
from condyle.mechanics.system import SPOTS
from condyle.model.spec import Spec
from contact.pairs import ellipse
from evaluation import Evaluation
from small_models import Section, circle, disc, hertz, line, model, run

OVAL: Section = {"outline": {"points": ellipse(0.06, 0.04).tolist()}, "interpolation": "cubic"}
PAIRS: dict[str, tuple[Section, Section]] = {
    "circle on a line": (circle("ball"), line("base", (-2.0, 0.0), (2.0, 0.0))),
    "line on a circle": (line("ball", (-2.0, 0.0), (2.0, 0.0), (0.0, -1.0)), circle("base")),
    "circles": (circle("ball"), circle("base", 0.2)),
    "oval on a line": ({**OVAL, "body": "ball"}, line("base", (-2.0, 0.0), (2.0, 0.0))),
}


def gapped(pair: str, gap: float | None) -> Spec:
    """A ball beside a turned base, somewhere above it."""
    first, second = PAIRS[pair]
    return model(
        {
            "base": {"fixed": True, "position": [0.3, -0.1], "angle": 0.4},
            "ball": {**disc(), "position": [0.2, 0.4], "angle": 0.5},
        },
        run(1e-3, 1e-5),
        profiles={"first": first, "second": second},
        contacts={
            "touch": {"between": ["first", "second"], "law": hertz(), "initial_gap": gap, "spots": 1},
        },
    )


@pytest.mark.parametrize("gap", [0.0, 2e-3, -5e-4])
@pytest.mark.parametrize("pair", PAIRS)
def test_the_gap_is_as_asked(pair: str, gap: float) -> None:
    """Depth is minus the gap; force K d^1.5 where that presses, and none where it does not."""
    ball = Evaluation(gapped(pair, gap))
    ball.settle(*ball.start)
    (spot,) = ball.model.rows(SPOTS)
    work = ball.at(*ball.start).work[spot]
    assert work[DEPTH] == pytest.approx(-gap, abs=1e-13)
    assert work[NORMAL_FORCE] == pytest.approx(1e6 * max(-gap, 0.0) ** 1.5, abs=1e-6)


@pytest.mark.parametrize("pair", PAIRS)
def test_only_the_second_profile_is_moved(pair: str) -> None:
    """Along the normal of the contact, by what the gap has changed; bodies stay where they are."""
    free, moved = Evaluation(gapped(pair, None)), Evaluation(gapped(pair, 2e-3))
    assert np.array_equal(free.start[0], moved.start[0])
    before, after = (
        condyle.simulate(gapped(pair, gap)).dataset.isel(time=0, contact=0) for gap in (None, 2e-3)
    )
    points = [data["contact_point_local"].sel(axis=["x", "y"]).values @ [1.0, 1j] for data in (before, after)]
    normal = complex(*before["contact_normal"].values[:2]) * cmath.rect(1.0, -0.4)
    assert points[1][0] == pytest.approx(points[0][0], abs=1e-9)
    shift = points[1][1] - points[0][1]
    assert shift == pytest.approx((-float(before["contact_depth"]) - 2e-3) * normal, abs=1e-9)
    first, second = (np.array(list(mechanical.model.curves)) for mechanical in (free, moved))
    assert (first == second).all()
