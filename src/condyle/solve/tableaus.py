"""Explicit Runge-Kutta methods as Butcher's tables: one array each, as it stands in the books.

Row i < s holds the time of stage i and its weights; the last row holds the weights of the result.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def classical_rk4() -> Array:
    """The classical fourth-order method (Hairer1993, Table II.1.2), shape (5, 5)."""
    return np.array(
        [
            [0.0, 0.0, 0.0, 0.0, 0.0],
            [0.5, 0.5, 0.0, 0.0, 0.0],
            [0.5, 0.0, 0.5, 0.0, 0.0],
            [1.0, 0.0, 0.0, 1.0, 0.0],
            [0.0, 1 / 6, 1 / 3, 1 / 3, 1 / 6],
        ]
    )


def runge_kutta_gill() -> Array:
    """Gill's fourth-order method (Gill1951), the choice of Kasai 2024, section 3.1; shape (5, 5)."""
    root = math.sqrt(0.5)
    return np.array(
        [
            [0.0, 0.0, 0.0, 0.0, 0.0],
            [0.5, 0.5, 0.0, 0.0, 0.0],
            [0.5, root - 0.5, 1.0 - root, 0.0, 0.0],
            [1.0, 0.0, -root, 1.0 + root, 0.0],
            [0.0, 1 / 6, (1.0 - root) / 3, (1.0 + root) / 3, 1 / 6],
        ]
    )


FIXED_STEP = {"rk-gill": runge_kutta_gill, "rk4": classical_rk4}
