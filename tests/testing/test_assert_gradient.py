"""assert_gradient accepts a derivative and refuses a wrong, a trivial and a meaningless one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from condyle.testing import assert_gradient


def test_scalar_vector_and_jacobian() -> None:
    assert assert_gradient(math.sin, math.cos, 0.7) < 1e-10
    x = np.array([0.3, -1.2, 2.0])
    assert_gradient(lambda q: q @ q * q[0], lambda q: 2.0 * q * q[0] + (q @ q) * np.array([1.0, 0.0, 0.0]), x)
    assert_gradient(
        lambda q: np.array([q[0] * q[1], math.exp(q[2])]),
        lambda q: np.array([[q[1], q[0], 0.0], [0.0, 0.0, math.exp(q[2])]]),
        x,
    )


def test_small_error_and_wrong_sign_are_seen() -> None:
    with pytest.raises(AssertionError, match="off by"):
        assert_gradient(math.sin, lambda x: math.cos(x) * (1.0 + 1e-6), 0.7)
    with pytest.raises(AssertionError, match="off by"):
        assert_gradient(math.sin, lambda x: -math.cos(x), 0.7)


def test_one_wrong_entry_and_a_transposed_jacobian_are_seen() -> None:
    def function(q: np.ndarray) -> np.ndarray:
        return np.array([q[0] + 2.0 * q[1], q[1] ** 2])

    with pytest.raises(AssertionError, match="off by"):
        assert_gradient(function, lambda q: np.array([[1.0, 2.0], [0.1, 2.0 * q[1]]]), np.array([1.0, 3.0]))
    with pytest.raises(AssertionError, match="off by"):
        assert_gradient(function, lambda q: np.array([[1.0, 0.0], [2.0, 2.0 * q[1]]]), np.array([1.0, 3.0]))


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(AssertionError, match="does not change"):
        assert_gradient(lambda _: 3.0, lambda _: 0.0, 1.0)
    with pytest.raises(AssertionError, match="not finite"):
        assert_gradient(math.sin, lambda _: math.nan, 1.0)
    with pytest.raises(AssertionError, match="shape"):
        assert_gradient(lambda q: q @ q, lambda _: np.array([1.0]), np.array([1.0, 2.0]))


def test_kink_and_noise_are_refused() -> None:
    with pytest.raises(AssertionError, match="not smooth"):
        assert_gradient(lambda x: max(x, 0.0), lambda _: 0.5, 0.0)
    # Beside the kink the steps shrink until they miss it.
    assert_gradient(lambda x: max(x, 0.0), lambda _: 1.0, 1e-3)
    generator = np.random.default_rng(1)
    with pytest.raises(AssertionError, match="not smooth"):
        assert_gradient(lambda _: generator.normal(), lambda _: 1.0, 1.0)
    # Too little noise to be taken for a kink, too much for the digits asked.
    with pytest.raises(AssertionError, match="the differences agree to"):
        assert_gradient(lambda x: x + 1e-9 * generator.normal(), lambda _: 1.0, 1.0)
