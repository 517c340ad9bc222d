"""Runs by the generalised-alpha method: the compiled loop in portions, with the changes of branch between them."""

from __future__ import annotations

import time as clock_of_the_machine
from collections.abc import Callable

import numpy as np

from condyle.analysis.events import (
    cut,
    earliest_flip,
    evaluate_anew,
    force_through,
    is_ambiguous,
    regroup_contacts,
)
from condyle.analysis.fixed import MAX_EVENTS, PORTION, Ended
from condyle.analysis.implicit import N_STATE_ROW, Alpha, march_implicit
from condyle.analysis.march import (
    AMBIGUOUS,
    CHATTER,
    COLLAPSED,
    DY,
    END,
    FLIPPED,
    KINK,
    REGROUPED,
    RUNNING,
    STEPS,
    TARGET,
    TIME,
    Run,
)
from condyle.mechanics.system import Array
from condyle.model.compiled import CompiledModel
from condyle.solve.bordered import bordered

STATE_ROWS = N_STATE_ROW


def alpha_method(model: CompiledModel) -> Alpha:
    """The method's weights for the spectral radius that is asked for, and room for its system."""
    settings, n = model.spec.model.run, model.n_coordinate
    radius = settings.spectral_radius
    am, af = (2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0)
    gamma = 0.5 + af - am
    beta = 0.25 * (gamma + 0.5) ** 2
    tolerances = (
        [settings.relative_tolerance, settings.absolute_tolerance] if settings.step_control else [0.0] * 2
    )
    n_body = 3 * len(model.free_bodies)
    # Two nodes next to each other and all their coordinates.
    width = max((4 * mesh.node_pairs - 1 for mesh in model.meshes.values()), default=0)
    border = n_body + len(model.equations)
    return Alpha(
        drift=np.zeros(n),
        trial=np.zeros(n),
        setting=np.array([am, af, gamma, beta, settings.newton_tolerance, *tolerances]),
        matrix=np.array([0.0, settings.step, 0.0, 0.0, 0.0]),
        system=bordered(n - n_body, border, width),
        beams=np.zeros(n - n_body),
        border=np.zeros(border),
    )


def advanced(
    model: CompiledModel, run: Run, memory: Array, work: Array, progress: Callable[[float], None] | None
) -> Ended:
    """Step to the end, or to where the run cannot go on."""
    alpha, n = alpha_method(model), model.n_coordinate
    alpha.drift[:] = run.states[DY, n : 2 * n]
    steps, step_of_events, events = 20, -1, 0
    while True:
        begun = clock_of_the_machine.perf_counter()
        before = int(run.tally[STEPS])
        code = march_implicit(model.arrays, memory, work, run, alpha, steps)
        if progress is not None:
            progress(min(float(run.clock[TIME] / run.clock[END]), 1.0))
        if code == FLIPPED:
            events = events + 1 if run.tally[STEPS] == step_of_events else 1
            step_of_events = int(run.tally[STEPS])
            if not _change_branch(model, run, memory, work, alpha, events):
                return Ended(COLLAPSED)
            if is_ambiguous(model.arrays, memory):
                return Ended(AMBIGUOUS)
        elif code == KINK:
            _start_afresh(model, run, memory, work, alpha)
        elif code == REGROUPED:
            regroup_contacts(model.arrays, memory, work, run)
            _start_afresh(model, run, memory, work, alpha)
        elif code != RUNNING:
            return Ended(code)
        else:
            spent = max(clock_of_the_machine.perf_counter() - begun, 1e-6)
            steps = max(20, int((run.tally[STEPS] - before) * PORTION / spent))


def _start_afresh(model: CompiledModel, run: Run, memory: Array, work: Array, alpha: Alpha) -> None:
    """Evaluate the accepted state anew: forces have jumped, and with them the accelerations."""
    evaluate_anew(model.arrays, memory, work, run, float(run.clock[TIME]))
    alpha.drift[:] = run.states[DY, model.n_coordinate : 2 * model.n_coordinate]


def _change_branch(
    model: CompiledModel, run: Run, memory: Array, work: Array, alpha: Alpha, events: int
) -> bool:
    """Cut the step that was tried at its first change of branch, unless a law chatters; whether that could be done."""
    start, target = float(run.clock[TIME]), float(run.clock[TARGET])
    solved = True

    def fill(part: float) -> None:
        nonlocal solved
        run.clock[TARGET] = start + part * (target - start)
        solved &= march_implicit(model.arrays, memory, work, run, alpha, 0) == RUNNING

    if events > MAX_EVENTS:
        run.tally[CHATTER] += 1
        fill(1.0)
        force_through(model.arrays, memory, work, run, target)
    else:
        flipped, part = earliest_flip(model.arrays, memory, work, fill)
        cut(model.arrays, memory, work, run, start + part * (target - start), flipped)
    alpha.drift[:] = run.states[DY, model.n_coordinate : 2 * model.n_coordinate]
    return solved
