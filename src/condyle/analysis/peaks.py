"""Peaks within the steps of methods that choose their own: long steps pass over what happens inside them.

Whatever is looked at raises the peaks in memory; where a peak may lie between the places looked at, it is climbed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from condyle.contact.forces import DEPTH, NORMAL_FORCE, PEAK_DEPTH, PEAK_FORCE
from condyle.mechanics.system import LIGAMENTS, SPOTS, WIDTH, Array
from condyle.model.compiled import CompiledModel
from condyle.multibody.ligaments import LENGTH, PEAK_LENGTH, PEAK_TENSION, TENSION, TORN
from condyle.solve.summit import climb, expected_summit

# What has a peak: the family, its column in `work`, and that of its peak in `memory`, with the time in the next.
PEAKED = (
    (LIGAMENTS, LENGTH, PEAK_LENGTH),
    (LIGAMENTS, TENSION, PEAK_TENSION),
    (SPOTS, DEPTH, PEAK_DEPTH),
    (SPOTS, NORMAL_FORCE, PEAK_FORCE),
)


class Watch:
    """The peaks of a run in memory and where, in the scratch, their quantities are found."""

    def __init__(self, model: CompiledModel, memory: Array, work: Array) -> None:
        self.memory, self.work = memory, work
        found = [(row, *columns) for family, *columns in PEAKED for row in model.rows(family)]
        rows, columns, peaks = np.array(found, dtype=np.int64).reshape(-1, 3).T
        # Places in the tables laid out flat.
        self.quantities, self.peaks = WIDTH * rows + columns, WIDTH * rows + peaks
        self.torn = WIDTH * rows + TORN
        self.bundles = np.isin(rows, model.rows(LIGAMENTS))

    def seen(self) -> Array:
        """The quantities as they were evaluated last, shape (n,)."""
        return self.work.take(self.quantities)

    def raise_peaks(self, times: Sequence[float], seen: Array) -> None:
        """Raise the peaks to what was seen at some times [s], shape (n_time, n)."""
        highest = np.where(self._counts(), seen.max(axis=0), -np.inf)
        higher = highest > self.memory.take(self.peaks)
        if higher.any():
            self.memory.put(self.peaks[higher], highest[higher])
            self.memory.put(self.peaks[higher] + 1, np.take(times, seen.argmax(axis=0)[higher]))

    def climb(self, times: Sequence[float], seen: Array, evaluate: Callable[[float], None]) -> None:
        """Raise the peaks to what they reach between times, three or more, at which the quantities were seen."""
        # A contact that is lost on the way is infinitely far apart there, and has no summit between such times.
        finite = np.isfinite(seen).all(axis=0)
        known: Array = np.where(finite, seen, 0.0)
        highest = known.max(axis=0)
        spread = highest - known.min(axis=0)
        near = np.logical_and(finite, self._counts()) & (highest + spread > self.memory.take(self.peaks))
        for k in np.flatnonzero(near).tolist():
            values = seen[:, k].tolist()
            if is_close(expected_summit(times, values), times):
                climb(partial(self._looked_at, evaluate, k), times, values)

    def _looked_at(self, evaluate: Callable[[float], None], k: int, time: float) -> float:
        evaluate(time)
        seen = self.seen()
        self.raise_peaks([time], seen[None])
        return float(seen[k])

    def _counts(self) -> Array:
        """Which quantities count; what a torn bundle does is no peak of it."""
        return np.asarray(~self.bundles | (self.memory.take(self.torn) == 0.0))


def is_close(summit: float | None, times: Sequence[float]) -> bool:
    """Whether a summit is expected between the first time and the last, or not far outside."""
    margin = (times[-1] - times[0]) / (len(times) - 1)
    return summit is not None and times[0] - margin < summit < times[-1] + margin
