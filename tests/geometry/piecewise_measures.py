"""What the tests of splines measure on a table of cubic pieces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from condyle.geometry.piecewise import Piecewise, cubic_values

Array = NDArray[np.float64]


def jumps(pieces: Piecewise, derivative: int, periodic: bool = False) -> Array:
    """Jump of a derivative at each inner break, and at the seam if periodic."""
    width = np.diff(pieces.breaks)
    left = cubic_values(pieces.coefficients, width, derivative)
    right = cubic_values(pieces.coefficients, np.zeros_like(width), derivative)
    return np.roll(right, -1) - left if periodic else right[1:] - left[:-1]


def second_derivatives(pieces: Piecewise) -> Array:
    """Second derivative at both ends of every piece, shape (n_piece, 2): its extremes, for it is linear."""
    width = np.diff(pieces.breaks)
    c2, c3 = pieces.coefficients[:, 2], pieces.coefficients[:, 3]
    return np.stack([2.0 * c2, 2.0 * c2 + 6.0 * c3 * width], axis=1)


def bending_energy(pieces: Piecewise) -> float:
    """Integral of the second derivative squared."""
    first, last = second_derivatives(pieces).T
    return float(np.sum(np.diff(pieces.breaks) * (first * first + first * last + last * last)) / 3.0)


def steepest(x: Array, y: Array) -> float:
    """Largest slope between neighbouring points: the scale of errors in first derivatives."""
    return float(np.max(np.abs(np.diff(y) / np.diff(x))))


def from_bends(bends: Array, widths: Array, slope: float = 0.0) -> tuple[Array, Array]:
    """Points (x, y) whose slope changes by `bends` between intervals of the given `widths`."""
    slopes = slope + np.concatenate([[0.0], np.cumsum(bends)])
    x = np.concatenate([[0.0], np.cumsum(widths)])
    return x, np.concatenate([[0.0], np.cumsum(slopes * widths)])
