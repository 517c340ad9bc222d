"""assert_order accepts a clean order and refuses everything that only looks like one."""

from __future__ import annotations

import numpy as np
import pytest

from condyle.testing import assert_order

STEPS = np.array([0.1, 0.05, 0.025, 0.0125])


def test_clean_series_passes_and_gives_its_slope() -> None:
    assert assert_order(STEPS, 3.0 * STEPS**4, 4) == pytest.approx(4.0, abs=1e-12)
    assert assert_order(STEPS, 3.0 * STEPS**2 * (1.0 + STEPS), 2) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("claimed", [3, 3.8, 4.2, 5])
def test_order_is_judged_from_both_sides(claimed: float) -> None:
    with pytest.raises(AssertionError, match=r"order 4\.000 instead of"):
        assert_order(STEPS, STEPS**4, claimed)


def test_right_slope_on_average_is_not_an_order() -> None:
    # The steps fall by 2 each; the error by 2^6, 2^4 and 2^2: the fit has slope 4.
    errors = np.array([1.0, 2.0**-6, 2.0**-10, 2.0**-12])
    with pytest.raises(AssertionError, match="no steady order"):
        assert_order(STEPS, errors, 4)


@pytest.mark.parametrize(
    ("steps", "errors", "why"),
    [
        (STEPS[:2], STEPS[:2], "three steps or more"),
        (STEPS, STEPS[:3], "an error each"),
        (STEPS[::-1], STEPS[::-1], "fall by a factor of 4"),
        ([0.1, 0.09, 0.08], [1e-2, 0.81e-2, 0.64e-2], "fall by a factor of 4"),
        ([0.1, 0.0, -0.1], [1.0, 1.0, 1.0], "positive"),
        (STEPS, [1e-2, 1e-3, 1e-4, 0.0], "round-off"),
        (STEPS, np.zeros(4), "round-off"),
        (STEPS, 1e-13 * STEPS**2, "round-off"),
        (STEPS, [1.0, 0.5, np.nan, 0.1], "finite"),
        (STEPS, [np.inf, 0.5, 0.2, 0.1], "finite"),
    ],
)
def test_trivial_series_are_refused(steps: object, errors: object, why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        assert_order(steps, errors, 2)  # type: ignore[arg-type]


def test_round_off_is_measured_against_the_scale() -> None:
    assert_order(STEPS, 1e-9 * STEPS**2, 2)
    with pytest.raises(AssertionError, match="round-off"):
        assert_order(STEPS, 1e-9 * STEPS**2, 2, scale=1e3)
