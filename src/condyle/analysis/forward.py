"""Forward dynamics: how a model moves from its start under its loads."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from condyle._jit import plain
from condyle.analysis import adaptive, alpha, dynamics, fixed, march
from condyle.analysis.assembly import assembled
from condyle.analysis.blame import blamed
from condyle.analysis.dynamics import right_hand_side
from condyle.analysis.equilibrium import at_rest
from condyle.analysis.events import commit, is_ambiguous, settle_pulls
from condyle.analysis.march import (
    AMBIGUOUS,
    CHATTER,
    DONE,
    DY,
    EVALUATIONS,
    EVENTS,
    OUTPUT,
    PROJECTIONS,
    REJECTED,
    STAGE,
    STEPS,
    TIME,
    UNCOUNTED,
    Run,
    Y,
)
from condyle.analysis.progress import Progress
from condyle.analysis.remarks import remarks_at_end, remarks_at_start
from condyle.analysis.touches import group_afresh, without_spot
from condyle.analysis.trajectory import State, Status, Trajectory, output_times
from condyle.mechanics.system import Array
from condyle.model.compiled import CompiledModel
from condyle.solve.tableaus import FIXED_STEP

# Called once a run: as plain Python, not worth compiling alone.
fill_signs, note_peaks, recall = plain(dynamics.fill_signs), plain(march.note_peaks), plain(dynamics.recall)

IMPLICIT = "generalized-alpha"
# Methods of which joints are part: there is nothing to project.
KEEP_JOINTS = (IMPLICIT, "ida")
Method = Callable[[CompiledModel, Run, Array, Array, Progress | None], fixed.Ended]

# A gap of this size [m] at the start is round-off of a gap of zero, which is open.
AT_REST = 1e-12


@dataclass(frozen=True)
class Stop:
    """Why a run ended before its time."""

    status: Status
    message: str


def forward(model: CompiledModel, progress: Progress | None = None, start: State | None = None) -> Trajectory:
    """Run a model from its start to its end, or as far as it goes; `progress` hears the part that is done.

    `start` : a state to go on from instead, the final one of an earlier run of the same model. With a fixed-step
    method both runs together are, to the bits, the run that was not interrupted.
    """
    settings = model.spec.model.run
    run = _run(model, start)
    memory, work = model.memory.copy(), model.work.copy()
    notes: tuple[str, ...] = ()
    if start is None:
        notes = _begin(model, run, memory, work)
    else:
        _go_on(model, run, memory, work, start)
    run.y[0], run.memory[0], run.tally[OUTPUT] = run.states[Y], memory, 1
    method = _method(settings.method)
    stop = Stop(Status.COMPLETE, "The run reached its end.")
    try:
        blurred = is_ambiguous(model.arrays, memory)
        ended = fixed.Ended(AMBIGUOUS) if blurred else method(model, run, memory, work, progress)
    except KeyboardInterrupt:
        at = f"{run.clock[TIME]:.6g} s of {settings.duration:.6g} s"
        stop = Stop(Status.INTERRUPTED, f"Interrupted at {at}; what was done is kept.")
    else:
        if ended.code != DONE:
            stop = Stop(Status.STOPPED, blamed(model, run, memory, ended))
    return _trajectory(model, run, memory, stop, notes)


def _method(name: str) -> Method:
    """The loop that runs a method."""
    if name == IMPLICIT:
        return alpha.advanced
    return fixed.advanced if name in FIXED_STEP else adaptive.advanced


def _begin(model: CompiledModel, run: Run, memory: Array, work: Array) -> tuple[str, ...]:
    """Put joints together, evaluate the start and take the sides of all switches; what is worth telling."""
    notes: tuple[str, ...] = ()
    if model.equations:
        together = assembled(model, memory, work)
        run.states[Y], notes = together.y, together.notes
    if model.spec.model.run.start == "equilibrium":
        run.states[Y] = at_rest(model, memory, work, run.states[Y])
    right_hand_side(0.0, run.states, Y, DY, model.arrays, memory, work)
    group_afresh(model.arrays, memory, work)
    right_hand_side(0.0, run.states, Y, DY, model.arrays, memory, work)
    fill_signs(model.arrays, memory, work, AT_REST)
    right_hand_side(0.0, run.states, Y, DY, model.arrays, memory, work)
    settle_pulls(model.arrays, memory, work)
    commit(model.arrays, memory, work)
    note_peaks(model.arrays, memory, work, 0.0, 0.0)
    run.tally[UNCOUNTED] = without_spot(model.arrays, work)
    return (*notes, *remarks_at_start(model, memory, work))


def _go_on(model: CompiledModel, run: Run, memory: Array, work: Array, start: State) -> None:
    """Put a run where an earlier one stopped."""
    run.states[Y], run.states[DY], memory[:] = start.y, start.rate, start.memory
    run.clock[TIME], run.tally[STEPS] = start.time, start.steps
    recall(model.arrays, memory, work)
    if start.time in model.stops:  # where a load jumps the earlier run saw it before, this one sees it after
        right_hand_side(start.time, run.states, Y, DY, model.arrays, memory, work)
        commit(model.arrays, memory, work)


def _run(model: CompiledModel, start: State | None) -> Run:
    settings = model.spec.model.run
    n, times = len(model.start), output_times(settings.duration, settings.output_step)
    if start is not None:
        # An output within round-off of the state is the state.
        times = np.append(start.time, times[times > start.time + 1e-9 * settings.step])
    stages = len(FIXED_STEP[settings.method]()) - 1 if settings.method in FIXED_STEP else 1
    states = np.full((max(STAGE + stages, alpha.STATE_ROWS), n), np.nan)
    states[Y] = model.start
    projects = settings.stabilization == "projection" and settings.method not in KEEP_JOINTS
    drift = settings.drift_tolerance if projects else math.inf
    return Run(
        states=states,
        clock=np.array([0.0, settings.step, settings.duration, 0.0, drift]),
        tally=np.zeros(9, dtype=np.int64),
        output=times,
        stop=model.stops,
        y=np.full((len(times), n), np.nan),
        memory=np.full((len(times), *model.memory.shape), np.nan),
    )


def _trajectory(
    model: CompiledModel, run: Run, memory: Array, stop: Stop, notes: tuple[str, ...]
) -> Trajectory:
    rows, count = int(run.tally[OUTPUT]), run.tally
    time, y, memories = run.output[:rows], run.y[:rows], run.memory[:rows]
    if stop.status is not Status.COMPLETE and run.clock[TIME] > time[-1]:
        # The last state before the stop is the one a person wants to look at.
        time, y = np.append(time, run.clock[TIME]), np.vstack([y, run.states[Y]])
        memories = np.concatenate([memories, memory[None]])
    y_end, rate = run.states[Y].copy(), run.states[DY].copy()
    final = State(float(run.clock[TIME]), y_end, rate, memory.copy(), int(count[STEPS]))
    trajectory = Trajectory(
        model=model,
        time=time,
        y=y,
        memory=memories,
        final=final,
        status=stop.status,
        message=stop.message,
        steps=int(count[STEPS]),
        rejected=int(count[REJECTED]),
        events=int(count[EVENTS]),
        evaluations=int(count[EVALUATIONS]),
        chatter=int(count[CHATTER]),
        uncounted=int(count[UNCOUNTED]),
        projections=int(count[PROJECTIONS]),
        notes=notes,
    )
    return replace(trajectory, notes=(*notes, *remarks_at_end(trajectory)))
