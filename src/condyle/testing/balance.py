"""Do named contributions add up to zero?"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray


def assert_balance(
    parts: Mapping[str, ArrayLike], *, tolerance: float, throughput: float | None = None
) -> float:
    """Assert that `parts` sum to zero and return the largest residual, relative to what went through.

    Parameters
    ----------
    parts : signed contributions in one unit, by name, scalars or of one shape, such as a time series each:
        ``{"energy": change, "work": -work, "losses": lost}``.
    tolerance : largest residual allowed, relative to `throughput` [-].
    throughput : what the residual is measured by, in the unit of the parts; without it half the sum of the
        absolute values of the parts where that is largest.
    """
    names = list(parts)
    if len(names) < 2:
        raise AssertionError(f"a balance needs two parts or more, not {names}")
    rows = [np.asarray(parts[name], dtype=np.float64) for name in names]
    if any(row.shape != rows[0].shape or row.size == 0 for row in rows):
        raise AssertionError(
            f"the parts differ in shape: {[(n, r.shape) for n, r in zip(names, rows, strict=True)]}"
        )
    table = np.stack([row.ravel() for row in rows])
    if not np.isfinite(table).all():
        bad = [name for name, row in zip(names, table, strict=True) if not np.isfinite(row).all()]
        raise AssertionError(f"not finite: {bad}")
    sizes = np.abs(table).max(axis=1)
    through = 0.5 * float(np.abs(table).sum(axis=0).max()) if throughput is None else throughput
    _check_content(names, sizes, through, tolerance)
    sums = table.sum(axis=0)
    worst = int(np.abs(sums).argmax())
    residual = float(abs(sums[worst])) / through
    if not residual <= tolerance:
        values = ", ".join(f"{name} {value:.6g}" for name, value in zip(names, table[:, worst], strict=True))
        raise AssertionError(
            f"the balance misses by {residual:.3e} of {through:.6g}, allowed {tolerance:.1e}: {values}"
        )
    return residual


def _check_content(names: list[str], sizes: NDArray[np.float64], through: float, tolerance: float) -> None:
    """Two parts must be large enough for their difference to have been seen."""
    if not (np.isfinite(through) and through > 0.0):
        raise AssertionError(f"nothing went through: {dict(zip(names, sizes.tolist(), strict=True))}")
    if np.sort(sizes)[-2] <= 10.0 * tolerance * through:
        listed = ", ".join(f"{name} {size:.3g}" for name, size in zip(names, sizes, strict=True))
        raise AssertionError(f"less than two parts rise above ten times the tolerance: {listed}")
