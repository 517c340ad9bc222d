"""Bordered systems against the dense solution."""

from __future__ import annotations

import numpy as np
import pytest

from condyle.solve.bordered import Bordered, bordered, clear_system, factor_system, solve_system


def filled(n: int, m: int, width: int, seed: int) -> tuple[Bordered, np.ndarray]:
    """A system with random entries and a border without a diagonal, as joints make it, and the dense matrix."""
    rng, system = np.random.default_rng(seed), bordered(n, m, width)
    dense = np.zeros((n + m, n + m))
    for i in range(n):
        for j in range(max(i - width, 0), min(i + width + 1, n)):
            dense[i, j] = system.band[i, j - i + width] = rng.normal() + (8.0 if i == j else 0.0)
    system.right[:], system.left[:] = rng.normal(size=(n, m)), rng.normal(size=(n, m))
    system.corner[:] = rng.normal(size=(m, m)) * (1.0 - np.eye(m))
    dense[:n, n:], dense[n:, :n], dense[n:, n:] = system.right, system.left.T, system.corner
    return system, dense


@pytest.mark.parametrize(("n", "m", "width"), [(20, 5, 3), (0, 4, 0), (36, 15, 7), (30, 0, 2), (1, 1, 5)])
def test_solutions_are_those_of_the_dense_system(n: int, m: int, width: int) -> None:
    system, dense = filled(n, m, width, seed=n + m)
    given = np.random.default_rng(1).normal(size=n + m)
    x, y = given[:n].copy(), given[n:].copy()
    assert factor_system(system)
    solve_system(system, x, y)
    expected = np.linalg.solve(dense, given)
    assert np.abs(np.concatenate([x, y]) - expected).max() <= 1e-10 * max(1.0, np.abs(expected).max())


def test_a_singular_system_is_told() -> None:
    system, _ = filled(6, 2, 1, seed=3)
    clear_system(system)
    assert not factor_system(system)
    system, _ = filled(6, 2, 1, seed=3)
    system.left[:], system.corner[:] = 0.0, 0.0
    assert not factor_system(system)
