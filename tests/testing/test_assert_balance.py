"""assert_balance accepts parts that cancel and refuses what misses, or what had nothing to miss."""

from __future__ import annotations

import numpy as np
import pytest

from condyle.testing import assert_balance

TIME = np.linspace(0.0, 1.0, 11)
PARTS = {"energy": TIME**2, "work": -2.0 * TIME**2, "losses": TIME**2}


def test_parts_that_cancel_pass() -> None:
    assert assert_balance(PARTS, tolerance=1e-14) <= 1e-15
    assert assert_balance({"in": 2.0, "out": -2.0 + 2e-7}, tolerance=1.1e-7) == pytest.approx(1e-7, rel=1e-3)


def test_one_instant_that_misses_is_seen() -> None:
    losses = PARTS["losses"].copy()
    losses[4] += 1e-6
    with pytest.raises(AssertionError, match="misses by"):
        assert_balance({**PARTS, "losses": losses}, tolerance=1e-7)


def test_wrong_sign_is_seen() -> None:
    with pytest.raises(AssertionError, match="misses by"):
        assert_balance({"in": 1.0, "out": 1.0}, tolerance=1e-3)


def test_given_throughput_is_the_measure() -> None:
    parts = {"in": 1.0, "out": -1.0 + 1e-6}
    assert_balance(parts, tolerance=1e-7, throughput=20.0)
    with pytest.raises(AssertionError, match="misses by"):
        assert_balance(parts, tolerance=1e-7)


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"alone": 0.0}, "two parts"),
        ({"in": 0.0, "out": 0.0}, "nothing went through"),
        ({"in": np.zeros(3), "out": np.zeros(3)}, "nothing went through"),
        ({"in": 1e-9, "out": 0.0, "third": -1.0}, "less than two parts"),
        ({"in": np.ones(3), "out": -np.ones(2)}, "differ in shape"),
        ({"in": np.zeros(0), "out": np.zeros(0)}, "differ in shape"),
        ({"in": np.nan, "out": 1.0}, r"not finite: \['in'\]"),
    ],
)
def test_trivial_balances_are_refused(parts: dict[str, object], why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        assert_balance(parts, tolerance=1e-6)  # type: ignore[arg-type]
