"""Time series of a results dataset, by variable and labels, thinned together for a page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
import xarray as xr
from numpy.typing import NDArray

Array = NDArray[np.float64]
Key = tuple[str, ...]

SAMPLE_LIMIT = 1500  # more cannot be told apart on a screen


class Columns:
    """The series of a dataset, of which a page takes those it needs; a taken series is known by its number.

    A key is the variable's name followed by its labels, such as ("position", "tibia", "x"); ("time",) is number 0.
    """

    def __init__(self, dataset: xr.Dataset) -> None:
        self._series = dict(_series(dataset))
        self._numbers: dict[Key, int] = {}
        self._silent: set[Key] = set()
        self.take("time")

    def take(self, *key: str) -> int:
        """Number under which the page finds this series; the series travels with the page from now on."""
        if key not in self._series:
            raise KeyError(key)
        return self._numbers.setdefault(key, len(self._numbers))

    def add(self, values: Array, *key: str) -> int:
        """Take a series that is not in the dataset, shape (n_time,)."""
        self._series[key] = np.asarray(values, dtype=float)
        return self.take(*key)

    def follow(self, values: Array, *key: str) -> int:
        """Take a series that has no say in which samples are kept, shape (n_time,), as one of very many."""
        self._silent.add(key)
        return self.add(values, *key)

    def __contains__(self, key: Key) -> bool:
        return key in self._series

    def values(self, *key: str) -> Array:
        """The whole series in the dataset's units, shape (n_time,)."""
        return self._series[key]

    def thinned(self, limit: int = SAMPLE_LIMIT) -> list[Array]:
        """The taken series by number, all at the same at most `limit` instants."""
        kept = kept_samples([self._series[key] for key in self._numbers if key not in self._silent], limit)
        return [self._series[key][kept] for key in self._numbers]


def labels(dataset: xr.Dataset, dimension: str) -> list[str]:
    """The labels along a dimension; none where the dataset does not have it."""
    return [str(label) for label in dataset[dimension].values] if dimension in dataset.coords else []


def kept_samples(series: list[Array], limit: int) -> NDArray[np.intp]:
    """Indices of at most `limit` samples that keep the shape of all series: ends, extremes, and what stands out.

    A part goes to the highest and lowest value of every series, half of the rest to even steps, the other half to
    the sample of each step that lies furthest from the straight line between its ends, by the range of its series.
    """
    count = len(series[0])
    if count <= limit:
        return np.arange(count)
    scaled = [_scaled(values) for values in series]
    peaks = np.unique([index for values in scaled for index in (values.argmin(), values.argmax())])[
        : limit // 3
    ]
    even = np.unique(np.linspace(0, count - 1, (limit - len(peaks)) // 2).round().astype(np.intp))
    misfit = np.zeros(count)
    for values in scaled:
        np.maximum(misfit, np.abs(values - np.interp(np.arange(count), even, values[even])), out=misfit)
    inside = [start + int(np.argmax(misfit[start:stop])) for start, stop in pairwise(even)]
    return np.unique(np.concatenate([peaks, even, np.array(inside, dtype=np.intp)]))


def _scaled(values: Array) -> Array:
    """A series stretched to the range 0 to 1, gaps at 0."""
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 0.0)
    span = high - low if high > low else 1.0
    return np.nan_to_num((values - low) / span, nan=0.0, posinf=1.0, neginf=0.0)


def _series(dataset: xr.Dataset) -> Iterator[tuple[Key, Array]]:
    yield ("time",), np.asarray(dataset["time"].values, dtype=float)
    for name, variable in dataset.data_vars.items():
        if "time" not in variable.dims or variable.dtype.kind not in "bfiu":
            continue
        others = [str(dim) for dim in variable.dims if dim != "time"]
        if any(dim not in dataset.coords for dim in others):
            continue  # without labels there is no name to ask for it by
        values = np.asarray(variable.transpose("time", *others).values, dtype=float)
        for names, place in zip(
            product(*(labels(dataset, dim) for dim in others)), np.ndindex(values.shape[1:]), strict=True
        ):
            yield (str(name), *names), values[(slice(None), *place)]
