"""What a forward run leaves behind, and where it stands: enough to store it, branch it, and go on to the same bits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

from condyle.mechanics.system import Array
from condyle.model.compiled import CompiledModel


class Status(Enum):
    """How a run ended; the value says whether its numbers can be used."""

    COMPLETE = "complete"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped"


@dataclass(frozen=True)
class State:
    """An accepted state: time [s], q and v and work integrals and their rates, shape (n,), and the table of memory.

    steps : fixed steps taken since the start, so that a run that goes on keeps to their grid.
    """

    time: float
    y: Array
    rate: Array
    memory: Array
    steps: int


@dataclass(frozen=True)
class Trajectory:
    """A forward run.

    time : of the output rows [s], shape (n_out,); y : states there, shape (n_out, n); memory : tables of memory
    there, shape (n_out, n_row, 16).
    final : the last accepted state; status and message : how the run ended, in a word and in a sentence.
    steps, rejected, events, evaluations, chatter : counters; uncounted : row of a pair that touched at more places
    than are counted, or 0; projections : how often joints were put together again.
    notes : sentences about the start, joints and contacts that a reader should see.
    unbalanced : forces that do not balance, in parts of the largest, of poses at rest; not a number for motion.
    """

    model: CompiledModel
    time: Array
    y: Array
    memory: Array
    final: State
    status: Status
    message: str
    steps: int
    rejected: int
    events: int
    evaluations: int
    chatter: int
    uncounted: int
    projections: int = 0
    notes: tuple[str, ...] = ()
    unbalanced: float = math.nan


def output_times(duration: float, step: float) -> Array:
    """Multiples of the output step up to the duration, which is always among them [s]."""
    count = math.floor(duration / step * (1.0 + 1e-12))
    times = np.arange(count + 1, dtype=np.float64) * step
    if times[-1] < duration * (1.0 - 1e-12):
        return np.append(times, duration)
    times[-1] = duration
    return times
