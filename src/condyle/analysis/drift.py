"""Joints that have drifted apart by errors of integration are put together again."""

from __future__ import annotations

from condyle.analysis.assembly import projected
from condyle.analysis.dynamics import right_hand_side
from condyle.analysis.events import commit
from condyle.analysis.march import DY, PROJECTIONS, TIME, Run, Y
from condyle.mechanics.system import Array
from condyle.model.compiled import CompiledModel


def draw_back(model: CompiledModel, run: Run, memory: Array, work: Array) -> None:
    """Project the accepted state onto its joints and evaluate it anew."""
    now = float(run.clock[TIME])
    run.states[Y] = projected(model, run.states[Y], memory, work, now)
    right_hand_side(now, run.states, Y, DY, model.arrays, memory, work)
    commit(model.arrays, memory, work)
    run.tally[PROJECTIONS] += 1
