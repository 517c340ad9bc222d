"""Steps that choose their own length: solvers of libraries, with the same changes of branch as fixed steps.

`dopri5` and `dopri8` are explicit pairs with dense output (Dormand1980, Hairer1993), `radau` is implicit
(Hairer1996), all from SciPy; `ida` is that of SUNDIALS. A step in which a switch changes its side is cut by dense
output, and the solver starts afresh.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.integrate import DOP853, RK45, Radau

from condyle.analysis.drift import draw_back
from condyle.analysis.dynamics import any_flipped, recall, right_hand_side
from condyle.analysis.events import cut, earliest_flip, force_through, is_ambiguous, regroup_contacts
from condyle.analysis.fixed import MAX_EVENTS, Ended
from condyle.analysis.march import (
    AMBIGUOUS,
    CHATTER,
    COLLAPSED,
    DONE,
    DRIFT,
    DY_NEW,
    END,
    EVALUATIONS,
    NOT_FINITE,
    OUTPUT,
    OVER_BUDGET,
    REJECTED,
    STEP,
    STEPS,
    TIME,
    Y_NEW,
    Run,
    Y,
    accept,
    has_drifted,
    is_finite,
    just_before,
    next_stop,
)
from condyle.analysis.peaks import Watch
from condyle.analysis.sundials import Ida, Stabilised
from condyle.contact.detection import GENERAL
from condyle.contact.forces import DEPTH, TOUCHING
from condyle.mechanics.system import SPOTS, TURNED_OVER, Array
from condyle.model.compiled import CompiledModel

SOLVERS: dict[str, Any] = {"dopri5": RK45, "dopri8": DOP853, "radau": Radau, "ida": Ida}
EXPLICIT = ("dopri5", "dopri8")
# A start from joints that are open by more than this [m or rad] is one from errors of the last steps.
CLOSED = 1e-12
# Switches are looked at here within every step as well, so that a short touch in a long step is seen.
LOOKS = (0.25, 0.5, 0.75, 1.0)
# A coordinate or rate is moved by this part of its size to see how rates change.
NUDGE = 1e-7


def looks(start: float, end: float) -> list[float]:
    """When a step is looked at [s]."""
    return [start + part * (end - start) for part in LOOKS[:-1]] + [end]


class Stepper:
    """One run by a library's solver: steps, cuts, outputs. Mutable scratch of `advanced`, never seen outside."""

    def __init__(self, model: CompiledModel, run: Run, memory: Array, work: Array) -> None:
        self.model, self.run, self.memory, self.work = model, run, memory, work
        settings = model.spec.model.run
        self.kind = SOLVERS[settings.method]
        self.is_explicit = settings.method in EXPLICIT
        self.relative = settings.relative_tolerance
        self.absolute = np.full(len(model.start), settings.absolute_tolerance)
        # The turnover is made of magnitudes, whose kinks must not shorten the steps; it only scales the audit.
        self.absolute[model.rates.stop + TURNED_OVER] = np.inf
        # Bodies in flight give no reason for short steps, until they have passed through each other.
        self.longest = max(settings.step, settings.output_step)
        self.watch = Watch(model, memory, work)
        # What has a peak, at times of the last step [s].
        self.seen: dict[float, Array] = {}
        self.calls, self.bound = 0, float(run.clock[TIME])
        self.may_lose = any(pair.method == GENERAL for pair in model.contacts.pairs)

    def rate(self, time: float, y: Array) -> Array:
        """The right-hand side as solvers call it; a load that jumps where the solver must stop has not done so yet."""
        run = self.run
        time = min(time, max(just_before(self.bound), float(run.clock[TIME])))
        run.states[Y_NEW] = y
        right_hand_side(time, run.states, Y_NEW, DY_NEW, self.model.arrays, self.memory, self.work)
        if self.may_lose and self.has_lost():
            # An earlier, longer try may have lost it: looked for from the accepted state.
            recall(self.model.arrays, self.memory, self.work)
            right_hand_side(time, run.states, Y_NEW, DY_NEW, self.model.arrays, self.memory, self.work)
        self.calls += 1
        return np.array(run.states[DY_NEW])

    def has_lost(self) -> bool:
        """Whether the outlines of a touching contact do not face each other any more."""
        depth = self.work[self.model.rows(SPOTS), DEPTH]
        return bool(((self.memory[self.model.rows(SPOTS), TOUCHING] != 0.0) & (depth == -np.inf)).any())

    def solver(self, first_step: float) -> Any:
        """A fresh solver from the accepted state to the next instant at which a step must end."""
        clock = self.run.clock
        recall(self.model.arrays, self.memory, self.work)
        bound = self.bound = next_stop(self.run, float(clock[END]))
        if self.kind is Ida:
            return self.ida_solver(bound)
        own = {"jac": partial(self.slopes, self.rate)} if self.kind is Radau else {}
        return self.kind(
            self.rate,
            float(clock[TIME]),
            self.run.states[Y].copy(),
            bound,
            rtol=self.relative,
            atol=self.absolute,
            first_step=min(first_step, bound - float(clock[TIME])),
            max_step=self.longest,
            **own,
        )

    def ida_solver(self, bound: float) -> Ida:
        """A fresh run of IDA; it begins from closed joints, or its first steps would close them in no time at all."""
        start = float(self.run.clock[TIME])
        if has_drifted(self.model.arrays, self.work, CLOSED):
            draw_back(self.model, self.run, self.memory, self.work)
        y = self.run.states[Y].copy()
        self.rate(start, y)
        equations = Stabilised(self.model, self.work, self.rate, self.slopes)
        settings = {"relative": self.relative, "absolute": self.absolute, "longest": self.longest}
        return Ida(equations, start, y, bound, **settings)

    def slopes(self, seen: Callable[[float, Array], Array], time: float, y: Array) -> Array:
        """How what is seen changes with the state, by differences, shape (n_seen, n).

        SciPy's own go ten times further each time along a coordinate that changes nothing, until they overflow.
        """
        here = seen(time, y)
        found = np.zeros((len(here), len(y)))
        for k in range(self.model.rates.stop):
            moved = y.copy()
            moved[k] += NUDGE * max(abs(y[k]), 1e-2)
            found[:, k] = (seen(time, moved) - here) / (moved[k] - y[k])
        return found

    def flipped_at(self, solver: Any, dense: Callable[[float], Array]) -> float | None:
        """Part of the solver's last step at whose end a switch is found on its other side, or None."""
        for part, time in zip(LOOKS, looks(solver.t_old, solver.t), strict=True):
            self.rate(time, dense(time) if part < 1.0 else solver.y)
            if any_flipped(self.model.arrays, self.memory, self.work):
                return part
            self.seen[time] = self.watch.seen()
        return None

    def note_peaks(self, until: float, dense: Callable[[float], Array]) -> None:
        """Raise the peaks to what they reach in the last step up to an instant."""
        start = float(self.run.clock[TIME])
        known, self.seen = self.seen, {}
        if not until > start or not self.watch.peaks.size:
            return
        times = [start, *looks(start, until)]

        def evaluate(time: float) -> None:
            self.rate(time, dense(time))

        def seen(time: float) -> Array:
            evaluate(time)
            return self.watch.seen()

        found = np.array([known[time] if time in known else seen(time) for time in times])
        self.watch.raise_peaks(times, found)
        self.watch.climb(times, found, evaluate)
        # The next step starts here; where a branch changes it starts otherwise.
        self.seen = {until: found[-1]}

    def write_outputs(self, until: float, dense: Callable[[float], Array]) -> None:
        """Write the output rows due by dense output, which keeps the solver's order."""
        run = self.run
        while run.tally[OUTPUT] < len(run.output) and run.output[run.tally[OUTPUT]] <= until:
            row = int(run.tally[OUTPUT])
            run.y[row], run.memory[row] = dense(float(run.output[row])), self.memory
            run.tally[OUTPUT] += 1

    def cut(self, solver: Any, dense: Callable[[float], Array], part: float) -> None:
        """End the last step at its first change of branch."""
        start, length = float(solver.t_old), part * float(solver.t - solver.t_old)

        def fill(share: float) -> None:
            time = start + share * length
            self.rate(time, dense(time))

        flipped, share = earliest_flip(self.model.arrays, self.memory, self.work, fill)
        now = start + share * length
        self.note_peaks(now, dense)
        self.write_outputs(now, dense)
        fill(share)
        self.seen = {}
        cut(self.model.arrays, self.memory, self.work, self.run, now, flipped)

    def keep(self, solver: Any, dense: Callable[[float], Array]) -> None:
        """Accept the solver's last step as it is."""
        now = float(solver.t)
        self.note_peaks(now, dense)
        self.write_outputs(now, dense)
        self.rate(now, solver.y)
        accept(self.model.arrays, self.memory, self.work, self.run, now)

    def force_through(self, solver: Any, dense: Callable[[float], Array]) -> None:
        """Accept a step in which a law chatters."""
        now = float(solver.t)
        self.note_peaks(now, dense)
        self.write_outputs(now, dense)
        self.rate(now, solver.y)
        self.seen = {}
        self.run.tally[CHATTER] += 1
        force_through(self.model.arrays, self.memory, self.work, self.run, now)


def advanced(
    model: CompiledModel, run: Run, memory: Array, work: Array, progress: Callable[[float], None] | None
) -> Ended:
    """Step to the end, or to where the run cannot go on."""
    stepper = Stepper(model, run, memory, work)
    budget = model.spec.model.run.step_budget
    solver, events = stepper.solver(float(run.clock[STEP])), 0
    while run.clock[TIME] < run.clock[END]:
        failure = _step(stepper, solver)
        if failure is not None:
            return failure
        dense = solver.dense_output()
        part = stepper.flipped_at(solver, dense)
        if not is_finite(run.states, Y_NEW):
            return Ended(NOT_FINITE)
        if part is None:
            stepper.keep(solver, dense)
            events = 0
        elif events > MAX_EVENTS:
            stepper.force_through(solver, dense)
        else:
            stepper.cut(solver, dense, part)
            events += 1
        if is_ambiguous(model.arrays, memory):
            return Ended(AMBIGUOUS)
        regrouped = regroup_contacts(model.arrays, memory, work, run)
        drifted = has_drifted(model.arrays, work, float(run.clock[DRIFT]))
        if drifted:
            draw_back(model, run, memory, work)
        if progress is not None:
            progress(float(run.clock[TIME] / run.clock[END]))
        if run.tally[STEPS] > budget:
            return Ended(OVER_BUDGET)
        anew = part is not None or regrouped or drifted or solver.status == "finished"
        if anew and run.clock[TIME] < run.clock[END]:
            solver = stepper.solver(max(float(solver.t - solver.t_old) / 8.0, 1e-12))
    return Ended(DONE)


def _step(stepper: Stepper, solver: Any) -> Ended | None:
    """One step of the solver, counted; how the run ended where there is no next step."""
    before = stepper.calls
    try:
        # Radau widens its differences over what moves nothing, the work integrals, without end.
        with np.errstate(over="ignore", invalid="ignore"):
            message = solver.step()
    except (
        ValueError,
        np.linalg.LinAlgError,
    ):  # the implicit solver's algebra refuses numbers that are not finite
        return Ended(NOT_FINITE)
    calls, count = stepper.calls - before, stepper.run.tally
    count[STEPS] += 1
    count[EVALUATIONS] += calls
    if stepper.is_explicit:
        count[REJECTED] += calls // stepper.kind.n_stages - 1
    if solver.status == "failed":
        return Ended(COLLAPSED, str(message))
    return None
