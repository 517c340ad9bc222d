"""A function as a table of cubic pieces: what every spline here returns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class Piecewise(NamedTuple):
    """Cubic pieces of one function of one parameter.

    breaks : parameter values between the pieces, increasing, shape (n_piece + 1,).
    coefficients : ascending powers of (u - breaks[k]), shape (n_piece, 4) (Machado 2010, Eqs. 1-2).
    """

    breaks: Array
    coefficients: Array

    def at(self, parameter: ArrayLike, derivative: int = 0) -> Array:
        """Values, or a derivative, at parameters inside the breaks; at a break, of the piece to the right."""
        u = np.asarray(parameter, dtype=float)
        k = np.clip(np.searchsorted(self.breaks, u, side="right") - 1, 0, len(self.coefficients) - 1)
        return cubic_values(self.coefficients[k], u - self.breaks[k], derivative)


def cubic_values(coefficients: Array, offset: Array, derivative: int = 0) -> Array:
    """Cubics with ascending `coefficients` (..., 4), or a derivative of them, at `offset` (...).

    Machado 2010, Eqs. 1-6.
    """
    value = np.zeros(np.broadcast_shapes(coefficients.shape[:-1], offset.shape))
    for power in range(3, derivative - 1, -1):
        factor = float(np.prod(np.arange(power, power - derivative, -1)))
        value = value * offset + factor * coefficients[..., power]
    return value


def straight_piece(start: float, end: float, first: float, last: float) -> Piecewise:
    """The one linear piece through (start, first) and (end, last)."""
    slope = (last - first) / (end - start)
    return Piecewise(np.array([start, end]), np.array([[first, slope, 0.0, 0.0]]))
