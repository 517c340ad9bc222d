"""Polynomial pieces: value and derivatives of every piece, to its left and right as well, against SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import PPoly

from condyle.math.polynomial import block, piecewise


@pytest.mark.parametrize("n_piece", [1, 2, 3, 8])
@pytest.mark.parametrize("n_term", [1, 2, 5])
def test_value_slope_and_bend(n_piece: int, n_term: int) -> None:
    """The first piece serves to the left as well and the last one to the right; a break belongs to the right."""
    rng = np.random.default_rng(n_piece)
    breaks = np.cumsum(rng.uniform(0.1, 1.0, n_piece))
    terms = rng.normal(size=(n_piece, n_term))
    # It stands among other numbers, which nothing may read.
    pool = np.concatenate([np.full(3, np.nan), block(breaks, terms), np.full(2, np.nan)])
    reference = PPoly(terms[:, ::-1].T, np.append(breaks, breaks[-1] + 1.0), extrapolate=True)
    inside = rng.uniform(breaks[0], breaks[-1] + 1.0, 20)
    for x in [*inside, *breaks, breaks[0] - 0.7, breaks[-1] + 3.0]:
        expected = [float(reference(x, k)) for k in range(3)]
        assert piecewise(pool, 3, n_piece, n_term, float(x)) == pytest.approx(expected, rel=1e-12, abs=1e-12)
