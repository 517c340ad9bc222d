"""Fixed steps: the compiled loop in portions, with the changes of branch between them."""

from __future__ import annotations

import time as clock_of_the_machine
from collections.abc import Callable
from dataclasses import dataclass

from condyle._jit import plain
from condyle.analysis.drift import draw_back
from condyle.analysis.dynamics import right_hand_side
from condyle.analysis.events import (
    commit,
    cut,
    earliest_flip,
    force_through,
    is_ambiguous,
    regroup_contacts,
)
from condyle.analysis.march import (
    AMBIGUOUS,
    CHATTER,
    DRIFTED,
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
    Y,
    fill_step,
    march,
)
from condyle.mechanics.system import Array
from condyle.model.compiled import CompiledModel
from condyle.solve.tableaus import FIXED_STEP

# More changes of branch than these within one step are chatter: the step is then taken whole.
MAX_EVENTS = 40
# Progress is told, and an interrupt heard, about this often [s].
PORTION = 0.05


# A step that is cut is taken anew some ten times: as plain Python, since compiling it alone would take a second.
fill_cut_step = plain(fill_step)


@dataclass(frozen=True)
class Ended:
    """How an integration ended: a code of `march`, and a word about it where the solver has one."""

    code: int
    detail: str = ""


def advanced(
    model: CompiledModel, run: Run, memory: Array, work: Array, progress: Callable[[float], None] | None
) -> Ended:
    """March to the end, or to where the run cannot go on."""
    tableau = FIXED_STEP[model.spec.model.run.method]()
    steps, step_of_events, events = 100, -1, 0
    while True:
        begun = clock_of_the_machine.perf_counter()
        before = int(run.tally[STEPS])
        code = march(model.arrays, tableau, memory, work, run, steps)
        if progress is not None:
            progress(min(float(run.clock[TIME] / run.clock[END]), 1.0))
        if code == FLIPPED:
            events = events + 1 if run.tally[STEPS] == step_of_events else 1
            step_of_events = int(run.tally[STEPS])
            _change_branch(model, tableau, run, memory, work, events)
            # Where two spots close at once shows at that instant only: the next step feels just one of them.
            if is_ambiguous(model.arrays, memory):
                return Ended(AMBIGUOUS)
        elif code == KINK:
            right_hand_side(run.clock[TIME], run.states, Y, DY, model.arrays, memory, work)
            commit(model.arrays, memory, work)
        elif code == REGROUPED:
            regroup_contacts(model.arrays, memory, work, run)
        elif code == DRIFTED:
            draw_back(model, run, memory, work)
        elif code != RUNNING:
            return Ended(code)
        else:
            spent = max(clock_of_the_machine.perf_counter() - begun, 1e-6)
            steps = max(100, int((run.tally[STEPS] - before) * PORTION / spent))


def _change_branch(
    model: CompiledModel, tableau: Array, run: Run, memory: Array, work: Array, events: int
) -> None:
    """Cut the step that `march` tried at its first change of branch, unless a law chatters."""
    start, target = float(run.clock[TIME]), float(run.clock[TARGET])
    if events > MAX_EVENTS:
        run.tally[CHATTER] += 1
        fill_cut_step(model.arrays, tableau, memory, work, run, target)
        force_through(model.arrays, memory, work, run, target)
        return

    def fill(part: float) -> None:
        fill_cut_step(model.arrays, tableau, memory, work, run, start + part * (target - start))

    flipped, part = earliest_flip(model.arrays, memory, work, fill)
    cut(model.arrays, memory, work, run, start + part * (target - start), flipped)
