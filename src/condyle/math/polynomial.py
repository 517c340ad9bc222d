"""Functions made of polynomial pieces, as blocks of numbers.

A block holds a row for each piece: where it begins, then its coefficients in ascending powers of the distance from
there. The first piece also serves to its left and the last one to its right.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from condyle._jit import kernel

Array = NDArray[np.float64]


@kernel
def piecewise(pool: Array, first: int, n_piece: int, n_term: int, x: float) -> tuple[float, float, float]:
    """Value, first and second derivative at `x` of the block that begins at `first` of the pool."""
    width = n_term + 1
    low, high = 0, n_piece - 1
    while low < high:
        middle = (low + high + 1) // 2
        if pool[first + middle * width] <= x:
            low = middle
        else:
            high = middle - 1
    at = first + low * width
    u = x - pool[at]
    value, slope, bend = 0.0, 0.0, 0.0
    for k in range(n_term, 0, -1):
        bend = bend * u + 2.0 * slope
        slope = slope * u + value
        value = value * u + pool[at + k]
    return value, slope, bend


def block(breaks: Array, coefficients: Array) -> Array:
    """The block of pieces: breaks (n,), coefficients in ascending powers (n, n_term), shape (n (n_term + 1),)."""
    return np.column_stack([breaks, coefficients]).ravel()
