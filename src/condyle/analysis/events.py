"""Changes of branch: locate the first one within a tried step, cut the step there, change the law's branch."""

from __future__ import annotations

from collections.abc import Callable

from condyle._jit import plain
from condyle.analysis import dynamics
from condyle.analysis.dynamics import right_hand_side
from condyle.analysis.march import DY, EVENTS, TIME, UNCOUNTED, Run, Y, accept
from condyle.analysis.touches import begin_or_end, jump, regroup
from condyle.contact.detection import N_SPOT, REMARK, TIED
from condyle.contact.forces import SLIPPED
from condyle.contact.overlaps import has_regrouped
from condyle.mechanics.system import (
    ACCEPTED,
    DISSIPATED,
    GAP_SWITCH,
    JUMP_SWITCH,
    OWNER,
    PAIRS,
    SIGN,
    SWITCH_KIND,
    SWITCHES,
    TEAR_SWITCH,
    VALUE,
    Array,
    Model,
    first_work,
)
from condyle.multibody.ligaments import ENERGY, TORN, TORN_AT
from condyle.solve.crossing import crossing

# Called at events only: as plain Python, since to compile each alone takes longer than all its calls.
has_flipped, recall = plain(dynamics.has_flipped), plain(dynamics.recall)
settle_pulls, commit = plain(dynamics.settle_pulls), plain(dynamics.commit)


def flipped_switches(model: Model, memory: Array, work: Array) -> list[int]:
    """Rows of the switches that have changed their side since the accepted state."""
    first, end = model.layout[SWITCHES], model.layout[SWITCHES + 1]
    return [k for k in range(first, end) if has_flipped(memory, work, k)]


def earliest_flip(
    model: Model, memory: Array, work: Array, fill: Callable[[float], None]
) -> tuple[int, float]:
    """The first switch to change its side within a tried step, and after which part of it.

    `fill(part)` writes the trial state after a part of the step and evaluates it into `work`; it is left at the
    instant found, just past the crossing. Contacts are followed from the accepted state every time: a later one may
    have lost them. No switch, -1, where what had flipped has not after all.
    """
    first, part = -1, 1.0

    def evaluate(share: float) -> None:
        recall(model, memory, work)
        fill(share)

    for k in flipped_switches(model, memory, work):
        sign, whole = memory[k, SIGN], part

        def value(share: float, k: int = k, sign: float = sign, whole: float = whole) -> float:
            evaluate(share * whole)
            return float(sign * work[k, VALUE])

        at_right = value(1.0)
        if at_right < 0.0:
            first, part = k, whole * crossing(value, sign * memory[k, ACCEPTED], at_right)
    evaluate(part)
    return first, part


def cut(model: Model, memory: Array, work: Array, run: Run, now: float, flipped: int) -> None:
    """Accept the trial state at the instant of a change of branch, change it, and evaluate anew behind it."""
    accept(model, memory, work, run, now)
    flip(flipped, now, run.states, model, memory, work)
    evaluate_anew(model, memory, work, run, now)
    run.tally[EVENTS] += 1


def flip(k: int, now: float, states: Array, model: Model, memory: Array, work: Array) -> None:
    """Change branch at switch `k`, unless it is none, with `work` as evaluated at the accepted state in row 0."""
    if k < 0:
        return
    memory[k, SIGN] = -memory[k, SIGN]
    kind, owner = int(model.link[k, SWITCH_KIND]), int(model.link[k, OWNER])
    if kind == GAP_SWITCH:
        begin_or_end(model, memory, work, owner, now)
    elif kind == JUMP_SWITCH:
        memory[k, SIGN] = 1.0
        jump(model, memory, work, owner)
    elif kind == TEAR_SWITCH and memory[owner, TORN] == 0.0:
        memory[owner, TORN], memory[owner, TORN_AT] = 1.0, now
        # What a bundle had stored is lost when it tears.
        states[0, first_work(model) + DISSIPATED] += work[owner, ENERGY]


def evaluate_anew(model: Model, memory: Array, work: Array, run: Run, now: float) -> None:
    """Evaluate the accepted state once more, behind a change of branch."""
    right_hand_side(now, run.states, Y, DY, model, memory, work)
    settle_pulls(model, memory, work)
    commit(model, memory, work)


def regroup_contacts(model: Model, memory: Array, work: Array, run: Run) -> bool:
    """Deal touching roots out to contacts anew where overlaps have become one, parted or come up; whether it did."""
    pairs = range(model.layout[PAIRS], model.layout[PAIRS + 1])
    changed = [p for p in pairs if model.link[p, N_SPOT] > 1 and has_regrouped(model, p, memory, work)]
    for p in changed:
        lost, has_no_spot = regroup(model, p, memory, work)
        run.states[Y, first_work(model) + DISSIPATED] += lost
        if has_no_spot:
            run.tally[UNCOUNTED] = p
    if changed:
        evaluate_anew(model, memory, work, run, float(run.clock[TIME]))
    return bool(changed)


def is_ambiguous(model: Model, memory: Array) -> bool:
    """Whether a contact has no one place any more."""
    pairs = range(model.layout[PAIRS], model.layout[PAIRS + 1])
    return any(memory[row, REMARK] >= TIED or memory[row, SLIPPED] != 0.0 for row in pairs)


def force_through(model: Model, memory: Array, work: Array, run: Run, now: float) -> None:
    """Accept a whole step in which a law chatters, and take the sides of all switches as they then are."""
    accept(model, memory, work, run, now)
    for k in flipped_switches(model, memory, work):
        flip(k, now, run.states, model, memory, work)
    evaluate_anew(model, memory, work, run, now)
