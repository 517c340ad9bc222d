"""Does an error fall with the step at the order claimed, no slower and no faster?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def assert_order(
    steps: ArrayLike,
    errors: ArrayLike,
    order: float,
    *,
    tolerance: float = 0.15,
    scale: float = 1.0,
    round_off: float = 1e-14,
) -> float:
    """Assert that `errors` fall like ``steps**order`` and return the slope of the fitted line.

    Parameters
    ----------
    steps : step or mesh sizes, strictly decreasing by a factor of 4 or more in all, shape (n,), n >= 3.
    errors : errors at these steps, all above zero and finite, shape (n,).
    order : slope claimed in the double logarithmic plot [-].
    tolerance : the slope may differ from `order` by as much to either side [-].
    scale : size of what the errors are errors of, in their unit.
    round_off : errors below `round_off * scale` are noise and show no order [-].
    """
    h = np.asarray(steps, dtype=np.float64)
    e = np.asarray(errors, dtype=np.float64)
    _check_series(h, e, round_off * scale)
    slope = float(np.polyfit(np.log(h), np.log(e), 1)[0])
    if not abs(slope - order) <= tolerance:
        raise AssertionError(f"order {slope:.3f} instead of {order} +- {tolerance}: {_table(h, e)}")
    # A line through a kink can have the right slope by chance; then the slope from step to step gives it away.
    local = np.diff(np.log(e)) / np.diff(np.log(h))
    if np.abs(local - order).max() > 4.0 * tolerance:
        raise AssertionError(f"no steady order: {np.round(local, 2)} between the steps of {_table(h, e)}")
    return slope


def _check_series(h: NDArray[np.float64], e: NDArray[np.float64], noise: float) -> None:
    if h.ndim != 1 or h.shape != e.shape or h.size < 3:
        raise AssertionError(
            f"an order needs three steps or more and an error each, not {h.shape} and {e.shape}"
        )
    if not (np.isfinite(h).all() and np.isfinite(e).all()):
        raise AssertionError(f"steps and errors must be finite: {_table(h, e)}")
    if not (h[-1] > 0.0 and (np.diff(h) < 0.0).all() and h[0] >= 4.0 * h[-1]):
        raise AssertionError(f"steps must be positive and fall by a factor of 4 or more in all: {h}")
    if not e.min() > max(noise, 0.0):
        raise AssertionError(f"errors at or below round-off ({noise:.1e}) show no order: {_table(h, e)}")


def _table(h: NDArray[np.float64], e: NDArray[np.float64]) -> str:
    return ", ".join(f"{step:.3g}: {error:.3g}" for step, error in zip(h, e, strict=True))
