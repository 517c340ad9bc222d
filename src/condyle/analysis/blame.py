"""Why a run stopped, in a sentence: the time, the body and the law, and what to try."""

from __future__ import annotations

import numpy as np

from condyle.analysis.dynamics import recall, right_hand_side
from condyle.analysis.fixed import Ended
from condyle.analysis.march import AMBIGUOUS, COLLAPSED, DY, OVER_BUDGET, TIME, Run, Y
from condyle.beams import columns
from condyle.contact.detection import REMARK, SIDE_BY_SIDE, TIED
from condyle.contact.forces import NORMAL_FORCE, SLIPPED
from condyle.contact.foundation.pair import PAIR_LOAD
from condyle.mechanics.space import FORCE
from condyle.mechanics.system import (
    BEAMS,
    EQUATIONS,
    FX,
    FY,
    LIGAMENTS,
    LOADS,
    PAIRS,
    PATCHES,
    SPOTS,
    SPRINGS,
    Array,
)
from condyle.model.compiled import CompiledModel
from condyle.multibody.equations import IDLE_SINCE
from condyle.multibody.ligaments import TENSION
from condyle.multibody.loads import LOAD_X, LOAD_Y, TORQUE
from condyle.multibody.space_elements import LOAD_FORCE, LOAD_TORQUE
from condyle.multibody.springs import EFFORT


def blamed(model: CompiledModel, run: Run, memory: Array, ended: Ended) -> str:
    """One sentence for the person who waits for the run."""
    at = f"at {run.clock[TIME]:.6g} s"
    if ended.code == AMBIGUOUS:
        return _ambiguous(model, memory, at)
    if ended.code == OVER_BUDGET:
        what = f"Stopped {at}: more steps than run.step_budget allows"
        return f"{what}; loosen the tolerances or raise the budget (--force)."
    body, law = _strongest(model, run, memory)
    who = law if law == body else f"{law} on {body}"
    if ended.code == COLLAPSED:
        detail = f" ({ended.detail.rstrip('.')})" if ended.detail else ""
        remedy = "Try run.integrator: stiff."
        if not np.isnan(memory[model.rows(EQUATIONS), IDLE_SINCE]).all():
            remedy = "Its joints came to a singular pose; run.integrator: rk-gill goes through most."
        return f"The step collapsed {at}{detail}; the strongest force was that of {who}. {remedy}"
    return (
        f"The numbers stopped being finite {at}; the strongest force was that of {who}. "
        "Try a smaller run.step, or run.integrator: adaptive."
    )


def _ambiguous(model: CompiledModel, memory: Array, at: str) -> str:
    for row, pair in zip(model.rows(PAIRS), model.contacts.pairs, strict=True):
        if memory[row, REMARK] == TIED:
            remedy = f"let both count with contacts.{pair.name}.spots: 2"
            if pair.n_spot > 1:
                remedy = "the outlines overlap all the way between them, so break their symmetry a little"
            return (
                f"Contact '{pair.name}' is equally deep at two spots {at}, so that no one spot is the contact; "
                f"{remedy}."
            )
        if memory[row, REMARK] == SIDE_BY_SIDE:
            return (
                f"The profiles of contact '{pair.name}' touch side by side {at}, so that no point is the contact; "
                "round one of them a little."
            )
        if memory[row, SLIPPED] != 0.0:
            return (
                f"Contact '{pair.name}' slipped off the ends of both profiles under load {at}; "
                "make one of them longer."
            )
    return f"A contact became ambiguous {at}."


def _strongest(model: CompiledModel, run: Run, memory: Array) -> tuple[str, str]:
    """The body or beam that is pushed hardest at the last good state, and the law with the largest force."""
    work = model.work.copy()
    recall(model.arrays, memory, work)
    right_hand_side(float(run.clock[TIME]), run.states, Y, DY, model.arrays, memory, work)
    beams = _beam_forces(model, work)
    pushes = [FX, FY] if model.dimensions == 2 else [FORCE, FORCE + 1, FORCE + 2]
    bodies = {
        f"body '{name}'": float(np.linalg.norm(work[model.body_rows[name], pushes]))
        for name in model.free_bodies
    }
    bodies |= beams
    laws: dict[str, float] = {}
    spec = model.spec.model
    for row, name in zip(model.rows(LIGAMENTS), spec.strands(), strict=True):
        laws[f"ligament '{name}'"] = work[row, TENSION]
    for row, name in zip(model.rows(SPRINGS), spec.springs, strict=True):
        laws[f"spring '{name}'"] = work[row, EFFORT]
    for row, name in zip(model.rows(SPOTS), model.contacts.spot_names, strict=True):
        pair = model.contacts.spot_pairs[row - model.rows(SPOTS).start]
        laws[f"contact '{name}' (law {pair.spec.law.kind})"] = work[row, NORMAL_FORCE]
    for row, name in zip(model.rows(LOADS), spec.forces, strict=True):
        laws[f"force '{name}'"] = _load(model, work[row])
    if model.surfaces is not None:
        for row, name in zip(model.rows(PATCHES), model.surfaces.patch_names, strict=True):
            laws[f"contact '{name.partition('/')[0]}'"] = work[row, PAIR_LOAD]
    laws |= beams | {"gravity": 0.0}
    return max(bodies, key=lambda name: _rank(bodies[name])), max(laws, key=lambda name: _rank(laws[name]))


def _load(model: CompiledModel, row: Array) -> float:
    """How large a load is: its force [N] and its torque [N m] together."""
    if model.dimensions == 2:
        return float(np.hypot(row[LOAD_X], row[LOAD_Y]) + abs(row[TORQUE]))
    return float(np.linalg.norm(row[LOAD_FORCE : LOAD_FORCE + 3]) + np.linalg.norm(row[LOAD_TORQUE:][:3]))


def _beam_forces(model: CompiledModel, work: Array) -> dict[str, float]:
    """The axial force in each beam if all its strain energy were that of an even stretch [N]."""
    lengths = [mesh.count * mesh.length for mesh in model.meshes.values()]
    return {
        f"beam '{name}'": np.sqrt(2.0 * beam.stiffness[0] * abs(work[row, columns.ENERGY]) / length)
        for row, (name, beam), length in zip(
            model.rows(BEAMS), model.spec.model.beams.items(), lengths, strict=True
        )
    }


def _rank(value: float) -> float:
    """What is not a number comes first."""
    return np.inf if np.isnan(value) else abs(value)
