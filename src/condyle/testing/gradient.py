"""Is one function the derivative of another?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def assert_gradient(
    function: Callable[[Any], ArrayLike],
    gradient: Callable[[Any], ArrayLike],
    point: ArrayLike,
    *,
    step: float = 1e-2,
    tolerance: float = 1e-8,
) -> float:
    """Assert that `gradient` is the derivative of `function` at `point`; return the relative error.

    The derivative is taken by central differences over halved steps, extrapolated, and only as far as these agree
    among themselves: a function with a kink at the point fails, as one that is noise does.

    Parameters
    ----------
    function : takes a float or an array of shape (n,), gives a float or an array of shape (m,).
    gradient : takes the same, gives df/dx: float, (n,), (m,) or (m, n).
    point : where, float or shape (n,).
    step : first step of the differences, in the unit of the point.
    tolerance : largest error allowed, relative to the largest entry of the derivative [-].
    """
    x = np.asarray(point, dtype=np.float64)
    given = np.asarray(gradient(_argument(x)), dtype=np.float64)
    columns = [_difference(function, x, k, step) for k in range(x.size)]
    here = np.asarray(function(_argument(x)), dtype=np.float64)
    numeric = np.stack([value for value, _ in columns], axis=-1)
    if given.size != numeric.size:
        raise AssertionError(f"the gradient has shape {given.shape}, the differences {numeric.shape}")
    numeric = numeric.reshape(given.shape)
    size = float(np.abs(numeric).max(initial=0.0))
    if not (np.isfinite(given).all() and np.isfinite(numeric).all()):
        raise AssertionError(f"not finite: gradient {given}, differences {numeric}")
    if size == 0.0:
        raise AssertionError(
            "the function does not change around the point: any gradient of zero would agree"
        )
    doubt = max(error for _, error in columns) / size
    if doubt > tolerance:
        raise AssertionError(
            f"the differences agree to {doubt:.1e} only, asked for {tolerance:.1e}: not smooth here?"
        )
    for k in range(x.size):
        # Slopes to either side come together in proportion to the step, unless there is a kink in between.
        far, near = (_side_by_side(function, here, x, k, h) for h in (step, step / 128.0))
        if near > 1e-3 * size and near > 0.1 * far:
            raise AssertionError(f"the slopes to either side differ by {near:.3e}: not smooth here")
    error = float(np.abs(given - numeric).max()) / size
    if not error <= tolerance:
        raise AssertionError(f"the gradient is off by {error:.3e} of its size: {given} against {numeric}")
    return error


def _argument(x: NDArray[np.float64]) -> Any:
    """A float where the point is one: the functions tested often take nothing else."""
    return float(x) if x.ndim == 0 else x


def _difference(
    function: Callable[[Any], ArrayLike], x: NDArray[np.float64], k: int, step: float
) -> tuple[NDArray[np.float64], float]:
    """Derivative over component `k` by Ridders' scheme, and how far its last two estimates were apart."""
    rows: list[list[NDArray[np.float64]]] = []
    best, doubt = np.zeros(0), np.inf
    for level in range(8):
        row = [_central(function, x, k, step / 2.0**level)]
        for column in range(level):
            weight = 4.0 ** (column + 1)
            row.append((weight * row[column] - rows[-1][column]) / (weight - 1.0))
            apart = max(np.abs(row[-1] - row[-2]).max(), np.abs(row[-1] - rows[-1][column]).max())
            if apart <= doubt:
                best, doubt = row[-1], float(apart)
        rows.append(row)
    return best, doubt


def _central(
    function: Callable[[Any], ArrayLike], x: NDArray[np.float64], k: int, h: float
) -> NDArray[np.float64]:
    before, after, width = _neighbours(function, x, k, h)
    return np.atleast_1d((after - before) / width)


def _side_by_side(
    function: Callable[[Any], ArrayLike],
    here: NDArray[np.float64],
    x: NDArray[np.float64],
    k: int,
    h: float,
) -> float:
    """Difference of the slopes ahead and behind."""
    before, after, width = _neighbours(function, x, k, h)
    return 2.0 * float(np.abs(after - 2.0 * here + before).max()) / width


def _neighbours(
    function: Callable[[Any], ArrayLike], x: NDArray[np.float64], k: int, h: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Values behind and ahead of the point along component `k`, and the way between them."""
    ahead, behind = x.copy(), x.copy()
    ahead.reshape(-1)[k] += h
    behind.reshape(-1)[k] -= h
    width = float(ahead.reshape(-1)[k] - behind.reshape(-1)[k])
    after = np.asarray(function(_argument(ahead)), dtype=np.float64)
    before = np.asarray(function(_argument(behind)), dtype=np.float64)
    return before, after, width
