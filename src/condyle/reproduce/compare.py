"""How far apart two curves are, in parts of what they cover."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

Array = NDArray[np.float64]


def difference(first: Array, second: Array) -> float:
    """Largest difference of two series where both are known, in their own unit."""
    return float(np.nanmax(np.abs(first - second)))


def extent(series: Array) -> float:
    """From the least to the greatest value, in the series' own unit."""
    return float(np.nanmax(series) - np.nanmin(series))


def part(first: Array, second: Array) -> float:
    """Largest difference in parts of what the first series covers [-]."""
    return difference(first, second) / extent(first)


def correlation(first: Array, second: Array) -> float:
    """Pearson's correlation [-]: 1 for curves of the same shape."""
    return float(np.corrcoef(first, second)[0, 1])


def distance(first: Array, second: Array) -> float:
    """Hausdorff's distance: the largest from a point of one path, shape (n, 2), to the other path; NaN is left out."""
    paths = [path[np.isfinite(path).all(axis=1)] for path in (first, second)]
    trees = [KDTree(path) for path in paths]
    return float(max(np.max(trees[1].query(paths[0])[0]), np.max(trees[0].query(paths[1])[0])))


def diagonal(path: Array) -> float:
    """Diagonal of the box around a path of shape (n, 2), in its unit."""
    return float(np.hypot(extent(path[:, 0]), extent(path[:, 1])))
