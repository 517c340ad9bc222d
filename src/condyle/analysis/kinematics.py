"""Motion that drivers alone decide, and the efforts it takes: nothing is integrated.

At every output time the joints are closed from the pose before; rates and accelerations follow from the equations of
constraint, efforts from the masses. A forward run of the same mechanism has the same motion and the same efforts.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from condyle._jit import plain
from condyle.analysis import dynamics, march
from condyle.analysis.assembly import Assembler, assembled, owner
from condyle.analysis.coordinates import jacobian, moved, over_mass
from condyle.analysis.dynamics import right_hand_side
from condyle.analysis.progress import Progress
from condyle.analysis.trajectory import State, Status, Trajectory, output_times
from condyle.mechanics.space import N_BODY_RATE
from condyle.mechanics.system import EQUATIONS, Array
from condyle.model.compiled import CompiledModel
from condyle.multibody.equations import WANTED
from condyle.spec.errors import Problem, SpecError, listed

# Called at outputs only: as plain Python.
fill_signs, recall, commit = plain(dynamics.fill_signs), plain(dynamics.recall), plain(dynamics.commit)
note_drift = plain(march.note_drift)

# Singular values of the scaled Jacobian below this part of the largest leave a freedom.
RANK = 1e-9
# A pose found anew may turn each body this far from the one before; further, the way between is looked at [rad].
FAR = 0.5
MOST_CUTS = 12


def kinematics(model: CompiledModel, progress: Progress | None = None) -> Trajectory:
    """The motion at the output times; drivers and joints must leave no freedom."""
    settings = model.spec.model.run
    times = output_times(settings.duration, settings.output_step)
    memory, work = model.memory.copy(), model.work.copy()
    start = assembled(model, memory, work)
    _check_freedoms(model, Assembler(model, memory, work, 0.0), start.y)
    rows, y = [start.y], start.y
    status, message = Status.COMPLETE, "The motion is known to its end."
    try:
        for before, time in pairwise(times):
            found = _moved(model, memory, work, y, float(before), float(time))
            if isinstance(found, str):
                status, message = Status.STOPPED, found
                break
            y = found
            rows.append(y)
            if progress is not None:
                progress(float(time / times[-1]))
    except KeyboardInterrupt:
        status, message = Status.INTERRUPTED, "Interrupted; what was done is kept."
    return still_trajectory(model, times[: len(rows)], np.array(rows), status, message, start.notes)


def _moved(
    model: CompiledModel, memory: Array, work: Array, y: Array, before: float, time: float, cuts: int = 0
) -> Array | str:
    """The pose and rates at a later time, or why there are none; a long way is gone in shorter steps."""
    n = model.n_coordinate
    guess = y.copy()
    guess[:n] = moved(model, y[:n], (time - before) * y[model.rates])
    assembler = Assembler(model, memory, work, time)
    found, miss = assembler.closed(guess)
    near = np.abs(found[:n] - guess[:n]).max() <= FAR
    if np.abs(miss).max() <= 1e-9 and near:
        moving, rate = assembler.moving(found)
        if np.abs(rate).max() <= 1e-6 * max(1.0, float(np.abs(moving[model.rates]).max())):
            return moving
    if cuts >= MOST_CUTS:
        worst = int(np.abs(miss).argmax())
        return (
            f"Stopped at {before:.6g} s: {owner(model, model.equations[worst].owner)} cannot be met further on; "
            "the mechanism has come to the end of its range or to a singular pose."
        )
    middle = 0.5 * (before + time)
    half = _moved(model, memory, work, y, before, middle, cuts + 1)
    return half if isinstance(half, str) else _moved(model, memory, work, half, middle, time, cuts + 1)


def _check_freedoms(model: CompiledModel, assembler: Assembler, y: Array) -> None:
    """Refuse a mechanism that could move otherwise, naming what could."""
    slopes = assembler.looked_at(y)[2]
    n = model.n_rate
    scaled = slopes * np.sqrt(np.diag(over_mass(model, np.eye(n))))
    values, rows = np.linalg.svd(scaled)[1:]
    rank = int((values > RANK * values[0]).sum()) if len(values) else 0
    if rank == n:
        return
    width = 3 if model.dimensions == 2 else N_BODY_RATE
    loose = np.abs(rows[rank:]).max(axis=0)[: width * len(model.free_bodies)].reshape(-1, width).max(axis=1)
    names = [f"'{name}'" for name, part in zip(model.free_bodies, loose, strict=True) if part > 1e-6]
    names += [f"'{name}'" for name in model.meshes]
    freedoms = "one freedom is" if n - rank == 1 else f"{n - rank} freedoms are"
    raise SpecError(
        [
            Problem(
                "drivers",
                f"{freedoms} left, of {listed(names, 'and')}; drive a measure for each, or let run.analysis be "
                "forward or equilibrium",
            )
        ]
    )


def still_trajectory(
    model: CompiledModel,
    times: Array,
    y: Array,
    status: Status,
    message: str,
    notes: tuple[str, ...],
    residual: float | None = None,
) -> Trajectory:
    """A trajectory of poses that were not integrated: its work integrals are not known.

    Contacts and ligaments are as the pose has them; a contact that loses energy is taken as if it began there.
    residual : of forces; without one, that of the equations of constraint at the level of accelerations.
    """
    n = model.rates.stop
    y[:, n:] = np.nan
    states, work, memory = np.zeros((2, y.shape[1])), model.work.copy(), model.memory.copy()
    memories, worst = [], 0.0
    for time, row in zip(times, y, strict=True):
        states[0, :n] = row[:n]
        for _ in range(2):
            recall(model.arrays, memory, work)
            right_hand_side(float(time), states, 0, 1, model.arrays, memory, work)
            fill_signs(model.arrays, memory, work, 0.0)
        commit(model.arrays, memory, work)
        note_drift(model.arrays, memory, work, float(time))
        memories.append(memory.copy())
        worst = max(worst, _mismatch(model, work, states[1, model.rates]))
    return Trajectory(
        model=model,
        time=times,
        y=y,
        memory=np.array(memories),
        final=State(float(times[-1]), y[-1].copy(), states[1].copy(), memory, len(times) - 1),
        status=status,
        message=message,
        steps=len(times) - 1,
        rejected=0,
        events=0,
        evaluations=0,
        chatter=0,
        uncounted=0,
        notes=notes,
        unbalanced=worst if residual is None else residual,
    )


def _mismatch(model: CompiledModel, work: Array, accelerations: Array) -> float:
    """By how much accelerations miss what joints and drivers ask of them, in parts of the largest of both."""
    slopes, wanted = jacobian(model, work), work[model.rows(EQUATIONS), WANTED]
    size = max(
        float(np.abs(wanted).max(initial=0.0)),
        float((np.abs(slopes) * np.abs(accelerations)).max(initial=0.0)),
        1e-9,
    )
    return float(np.abs(slopes @ accelerations - wanted).max(initial=0.0)) / size
