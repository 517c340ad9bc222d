"""Linear systems with a banded part and a dense border, [A B; C D], in time that grows with the banded part.

A is banded and well behaved without exchange of rows; what couples everything (B, C, D) is small and dense. The
border's own system, D - C A^-1 B, is solved with exchange of rows, since D may hold zeros.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from condyle._jit import kernel

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class Bordered(NamedTuple):
    """A system: `band` (n, 2 w + 1) holds A_ij in row i at j - i + w; `right` (n, m) holds B, `left` (n, m) C turned;
    `corner` (m, m) holds D; `order` (m,) the exchange of its rows.
    """

    band: Array
    right: Array
    left: Array
    corner: Array
    order: Integers


def bordered(n: int, m: int, width: int) -> Bordered:
    """An empty system with n banded unknowns, m of the border, and `width` entries on each side of the diagonal."""
    return Bordered(
        np.zeros((n, 2 * width + 1)),
        np.zeros((n, m)),
        np.zeros((n, m)),
        np.zeros((m, m)),
        np.zeros(m, dtype=np.int64),
    )


@kernel
def clear_system(system: Bordered) -> None:
    """Set all entries to zero."""
    n, m = system.right.shape
    for i in range(n):
        for k in range(system.band.shape[1]):
            system.band[i, k] = 0.0
        for k in range(m):
            system.right[i, k], system.left[i, k] = 0.0, 0.0
    for i in range(m):
        for k in range(m):
            system.corner[i, k] = 0.0


@kernel
def factor_system(system: Bordered) -> bool:
    """Factor in place; whether that went well."""
    if not factor_band(system.band, system.right):
        return False
    substitute_back(system.band, system.right)
    n, m = system.right.shape
    for k in range(n):
        for i in range(m):
            entry = system.left[k, i]
            if entry != 0.0:
                for j in range(m):
                    system.corner[i, j] -= entry * system.right[k, j]
    return factor_corner(system.corner, system.order)


@kernel
def factor_band(band: Array, right: Array) -> bool:
    """L U of a banded matrix in place, the inverse of each pivot in its place, and L^-1 B; whether it has full rank."""
    n, m = right.shape
    w = band.shape[1] // 2
    for k in range(n):
        pivot = band[k, w]
        if not abs(pivot) > 0.0:
            return False
        inverse = 1.0 / pivot
        band[k, w] = inverse
        for i in range(k + 1, min(k + w + 1, n)):
            share = band[i, k - i + w] * inverse
            band[i, k - i + w] = share
            if share != 0.0:
                for j in range(1, w + 1):
                    band[i, k - i + w + j] -= share * band[k, w + j]
                for j in range(m):
                    right[i, j] -= share * right[k, j]
    return True


@kernel
def substitute_back(band: Array, right: Array) -> None:
    """Solve with the upper factor for all columns of B, in place."""
    n, m = right.shape
    w = band.shape[1] // 2
    for k in range(n - 1, -1, -1):
        for i in range(k + 1, min(k + w + 1, n)):
            entry = band[k, i - k + w]
            if entry != 0.0:
                for j in range(m):
                    right[k, j] -= entry * right[i, j]
        for j in range(m):
            right[k, j] *= band[k, w]


@kernel
def factor_corner(corner: Array, order: Integers) -> bool:
    """L U of a dense matrix in place, rows exchanged and scaled by their largest entries; whether it has full rank."""
    m = corner.shape[0]
    for k in range(m):
        best, row = 0.0, k
        for i in range(k, m):
            if abs(corner[i, k]) > best:
                best, row = abs(corner[i, k]), i
        order[k] = row
        if not best > 1e-300:
            return False
        if row != k:
            for j in range(m):
                corner[k, j], corner[row, j] = corner[row, j], corner[k, j]
        inverse = 1.0 / corner[k, k]
        for i in range(k + 1, m):
            share = corner[i, k] * inverse
            corner[i, k] = share
            if share != 0.0:
                for j in range(k + 1, m):
                    corner[i, j] -= share * corner[k, j]
    return True


@kernel
def solve_system(system: Bordered, x: Array, y: Array) -> None:
    """Solve in place for the banded part `x` (n,) and the border's `y` (m,) of the right-hand side."""
    n, m = system.right.shape
    solve_band(system.band, x)
    for k in range(n):
        for i in range(m):
            y[i] -= system.left[k, i] * x[k]
    solve_corner(system.corner, system.order, y)
    for i in range(n):
        for k in range(m):
            x[i] -= system.right[i, k] * y[k]


@kernel
def solve_band(band: Array, x: Array) -> None:
    """Solve with the factors of the banded part, in place."""
    n, w = band.shape[0], band.shape[1] // 2
    for i in range(n):
        total = x[i]
        for k in range(max(i - w, 0), i):
            total -= band[i, k - i + w] * x[k]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, min(i + w + 1, n)):
            total -= band[i, k - i + w] * x[k]
        x[i] = total * band[i, w]


@kernel
def solve_corner(corner: Array, order: Integers, y: Array) -> None:
    """Solve with the factors of the dense part, in place."""
    m = corner.shape[0]
    for k in range(m):
        row = order[k]
        y[k], y[row] = y[row], y[k]
    for i in range(m):
        for k in range(i):
            y[i] -= corner[i, k] * y[k]
    for i in range(m - 1, -1, -1):
        for k in range(i + 1, m):
            y[i] -= corner[i, k] * y[k]
        y[i] /= corner[i, i]
