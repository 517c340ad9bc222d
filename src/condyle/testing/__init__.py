"""Assertions on numbers, for the tests of Condyle and of whoever builds on it.

Each of them first asserts that what it compares is not trivial: an error of zero has no order, a gradient of zero
agrees with any constant, and nothing balances nothing. Each returns the number it judged.
"""

from __future__ import annotations

from condyle.testing.balance import assert_balance
from condyle.testing.gradient import assert_gradient
from condyle.testing.order import assert_order

__all__ = ["assert_balance", "assert_gradient", "assert_order"]
