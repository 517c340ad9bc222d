"""The fixed-step time loop, compiled: explicit Runge-Kutta steps as long as no law changes its branch.

A step is tried; if a switch has changed its side, the loop hands over to `analysis/events.py`, which cuts the step
there, and goes on from the new state. Outputs between the ends of a step come from the cubic through both.

Rows of `states`: the accepted state and its rate, the trial state and its rate, then one row a stage.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from condyle._jit import inlined_kernel, kernel
from condyle.analysis.dynamics import any_flipped, commit, right_hand_side
from condyle.contact.detection import REMARK, TIED
from condyle.contact.forces import (
    DEPTH,
    DEPTH_RATE,
    EPISODE,
    JUMPED,
    LOST_AT,
    LOST_DEPTH,
    NORMAL_FORCE,
    OFFSET,
    PEAK_DEPTH,
    PEAK_FORCE,
    PULL,
    PULL_BEGINS,
    PULL_POWER,
    PULL_TIME,
    PULL_WORK,
    TOUCHING,
)
from condyle.contact.foundation.pairs import keep_borders
from condyle.contact.overlaps import has_regrouped
from condyle.mechanics.system import (
    EQUATIONS,
    LIGAMENTS,
    PAIRS,
    SIGN,
    SPOTS,
    Array,
    Integers,
    Model,
)
from condyle.multibody.equations import (
    IDLE,
    IDLE_SINCE,
    LARGEST_MISS,
    LARGEST_RATE,
    MISS,
    MISS_RATE,
    NEARLY_IDLE,
    NEWS,
)
from condyle.multibody.ligaments import LENGTH, PEAK_LENGTH, PEAK_TENSION, TENSION, TORN

Y, DY, Y_NEW, DY_NEW, STAGE = 0, 1, 2, 3, 4
# How a call of `march` ended; at a kink, a tabulated load goes on otherwise than it came; regrouped, touching roots
# are to be dealt out to contacts anew.
RUNNING, DONE, FLIPPED, NOT_FINITE, AMBIGUOUS, COLLAPSED, OVER_BUDGET, KINK, DRIFTED, REGROUPED = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
)
# Slots of `Run.clock` [s], the last one the drift of joints that is put up with [m or rad], and of `Run.tally`.
TIME, STEP, END, TARGET, DRIFT = 0, 1, 2, 3, 4
STEPS, EVENTS, EVALUATIONS, OUTPUT, STOP, CHATTER, UNCOUNTED, REJECTED, PROJECTIONS = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
)
# Joints may drift apart at a rate of so many times the drift that is put up with [1/s].
DRIFT_RATE = 100.0
# Near a singular pose less is put up with, but never less than this part of what else is.
LEAST_PART = 1e-4


class Run(NamedTuple):
    """Where a run is: `states` (4 + s, n), `clock` (5,), `tally` (9,); and what it leaves behind.

    output (n_out,): times asked for; stop (n_stop,): times at which steps must end; y (n_out, n) and memory
    (n_out, n_row, 16): state and memory at the outputs.
    """

    states: Array
    clock: Array
    tally: Integers
    output: Array
    stop: Array
    y: Array
    memory: Array


@kernel
def march(model: Model, tableau: Array, memory: Array, work: Array, run: Run, steps: int) -> int:
    """Go on for a number of steps, to the end, a kink, or a step in which a law changes its branch; returns which."""
    clock, count = run.clock, run.tally
    for _ in range(steps):
        end = clock[STEP] * (count[STEPS] + 1)
        is_last = end > clock[END] - 1e-9 * clock[STEP]
        # A run that ends on a multiple of its step ends just where a longer one passes by.
        if end > clock[END] + 1e-9 * clock[STEP]:
            end = clock[END]
        while clock[TIME] < end:
            clock[TARGET] = next_stop(run, end)
            fill_step(model, tableau, memory, work, run, clock[TARGET])
            if not is_finite(run.states, Y_NEW):
                return NOT_FINITE
            if any_flipped(model, memory, work):
                return FLIPPED
            accept(model, memory, work, run, clock[TARGET])
            if count[STOP] < run.stop.shape[0] and run.stop[count[STOP]] == clock[TIME]:
                return KINK
            if has_drifted(model, work, clock[DRIFT]):
                return DRIFTED
        count[STEPS] += 1
        asked = asked_by_contacts(model, memory, work)
        if is_last and asked != AMBIGUOUS:
            return DONE
        if asked != RUNNING:
            return asked
    return RUNNING


@kernel
def asked_by_contacts(model: Model, memory: Array, work: Array) -> int:
    """Whether an accepted state has a contact of no one place, or touching roots to be dealt out anew; or RUNNING."""
    asked = RUNNING
    for p in range(model.layout[PAIRS], model.layout[PAIRS + 1]):
        if memory[p, REMARK] >= TIED:
            return AMBIGUOUS
        if has_regrouped(model, p, memory, work):
            asked = REGROUPED
    return asked


@kernel
def has_drifted(model: Model, work: Array, tolerance: float) -> bool:
    """Whether a joint or driver is off by more than is put up with.

    On the way to a singular pose that is less and less: there bodies are thrown far by what joints are off by.
    """
    first, end = model.layout[EQUATIONS], model.layout[EQUATIONS + 1]
    part = 1.0
    for row in range(first, end):
        if work[row, IDLE] == 0.0:
            part = min(part, work[row, NEWS] / NEARLY_IDLE)
    tolerance *= max(part, LEAST_PART)
    for row in range(first, end):
        if abs(work[row, MISS]) > tolerance or abs(work[row, MISS_RATE]) > DRIFT_RATE * tolerance:
            return True
    return False


@kernel
def is_finite(states: Array, at: int) -> bool:
    """Whether every number of a state is finite."""
    total = 0.0
    for k in range(states.shape[1]):
        total += abs(states[at, k])
    return total < 1e300


@kernel
def next_stop(run: Run, end: float) -> float:
    """End of the step, or the next instant before it where a tabulated load has a kink."""
    count = run.tally
    while count[STOP] < run.stop.shape[0] and run.stop[count[STOP]] <= run.clock[TIME]:
        count[STOP] += 1
    if count[STOP] < run.stop.shape[0] and run.stop[count[STOP]] < end:
        return run.stop[count[STOP]]
    return end


@kernel
def just_before(time: float) -> float:
    """A time earlier by round-off [s]."""
    return time * (1.0 - 2.3e-16)


@inlined_kernel
def fill_step(model: Model, tableau: Array, memory: Array, work: Array, run: Run, now: float) -> None:
    """Write the state after a step of any length from the accepted state, and its rate of change.

    Loads are taken as they are until just before `now`: where one jumps there, the step must not see it.
    """
    states, time = run.states, run.clock[TIME]
    step, last = now - time, max(just_before(now), time)
    n, n_stage = states.shape[1], tableau.shape[0] - 1
    for k in range(n):
        states[STAGE, k] = states[DY, k]
    for i in range(1, n_stage + 1):
        for k in range(n):
            total = 0.0
            for j in range(i):
                total += tableau[i, j + 1] * states[STAGE + j, k]
            states[Y_NEW, k] = states[Y, k] + step * total
        is_end = i == n_stage
        at, to = (last, DY_NEW) if is_end else (min(time + tableau[i, 0] * step, last), STAGE + i)
        right_hand_side(at, states, Y_NEW, to, model, memory, work)
    run.tally[EVALUATIONS] += n_stage


@inlined_kernel
def accept(model: Model, memory: Array, work: Array, run: Run, now: float) -> None:
    """Make the trial state the state; write outputs passed on the way, peaks, clamped forces and memory."""
    write_outputs(memory, run, now)
    for k in range(run.states.shape[1]):
        run.states[Y, k] = run.states[Y_NEW, k]
        run.states[DY, k] = run.states[DY_NEW, k]
    note_peaks(model, memory, work, now, now - run.clock[TIME])
    run.clock[TIME] = now
    commit(model, memory, work)


@inlined_kernel
def write_outputs(memory: Array, run: Run, now: float) -> None:
    """Write all output rows due up to `now`, by the cubic through the states at both ends."""
    time, states = run.clock[TIME], run.states
    step = now - time
    while (
        run.tally[OUTPUT] < run.output.shape[0]
        and run.output[run.tally[OUTPUT]] <= now + 1e-9 * run.clock[STEP]
    ):
        row = run.tally[OUTPUT]
        part = min(max((run.output[row] - time) / step, 0.0), 1.0) if step > 0.0 else 1.0
        rest = 1.0 - part
        for k in range(states.shape[1]):
            bend = rest * part * step * (rest * states[DY, k] - part * states[DY_NEW, k])
            start, end = (1.0 + 2.0 * part) * rest * rest, (1.0 + 2.0 * rest) * part * part
            run.y[row, k] = start * states[Y, k] + end * states[Y_NEW, k] + bend
        for i in range(memory.shape[0]):
            for column in range(memory.shape[1]):
                run.memory[row, i, column] = memory[i, column]
        run.tally[OUTPUT] += 1


@inlined_kernel
def note_peaks(model: Model, memory: Array, work: Array, now: float, step: float) -> None:
    """Raise the peaks to what the accepted state shows, and add up what clamping took away."""
    for row in range(model.layout[LIGAMENTS], model.layout[LIGAMENTS + 1]):
        if memory[row, TORN] == 0.0:
            raise_peak(memory, row, PEAK_LENGTH, work[row, LENGTH], now)
            raise_peak(memory, row, PEAK_TENSION, work[row, TENSION], now)
    for s in range(model.layout[SPOTS], model.layout[SPOTS + 1]):
        raise_peak(memory, s, PEAK_DEPTH, work[s, DEPTH], now)
        raise_peak(memory, s, PEAK_FORCE, work[s, NORMAL_FORCE], now)
        if memory[s, TOUCHING] != 0.0:
            memory[s, EPISODE] += 1.0
            if work[s, DEPTH] > -math.inf and math.isnan(memory[s, LOST_AT]):
                memory[s, LOST_DEPTH] = work[s, DEPTH] + memory[s, OFFSET]
        else:
            memory[s, OFFSET] = min(memory[s, OFFSET], max(memory[s, OFFSET] + work[s, DEPTH], 0.0))
        power = -work[s, PULL] * work[s, DEPTH_RATE]
        pulls = model.link[s, PULL_BEGINS]
        if pulls >= 0 and memory[pulls, SIGN] < 0.0:
            memory[s, PULL_TIME] += step
            memory[s, PULL_WORK] += 0.5 * step * (power + memory[s, PULL_POWER])
        memory[s, PULL_POWER] = power
    for p in range(model.layout[PAIRS], model.layout[PAIRS + 1]):
        memory[p, JUMPED] = max(memory[p, JUMPED] - 1.0, 0.0)
    note_drift(model, memory, work, now)
    keep_borders(model, memory, work, now)


@kernel
def note_drift(model: Model, memory: Array, work: Array, now: float) -> None:
    """Keep by how much joints were off, and when one first said hardly anything that others did not."""
    for row in range(model.layout[EQUATIONS], model.layout[EQUATIONS + 1]):
        memory[row, LARGEST_MISS] = max(memory[row, LARGEST_MISS], abs(work[row, MISS]))
        memory[row, LARGEST_RATE] = max(memory[row, LARGEST_RATE], abs(work[row, MISS_RATE]))
        if work[row, NEWS] < NEARLY_IDLE and math.isnan(memory[row, IDLE_SINCE]):
            memory[row, IDLE_SINCE] = now


@kernel
def raise_peak(memory: Array, row: int, column: int, value: float, now: float) -> None:
    """Keep the largest value and, in the next column, its time."""
    if value > memory[row, column]:
        memory[row, column], memory[row, column + 1] = value, now
