"""From a spec to results in one call."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from condyle.analysis.answer import answered
from condyle.analysis.assembly import owner
from condyle.analysis.remarks_mechanisms import remarks_on_mechanisms
from condyle.analysis.trajectory import Status, Trajectory
from condyle.contact import forces
from condyle.mechanics.system import EQUATIONS, PAIRS, SPOTS, TURNED_OVER
from condyle.model.compiled import CompiledModel, compiled
from condyle.model.spec import Spec
from condyle.multibody.equations import IDLE_SINCE, LARGEST_MISS
from condyle.results.audit import Audit
from condyle.results.observation import dataset_of
from condyle.results.peaks import touched_or_first
from condyle.results.results import Results

if TYPE_CHECKING:
    import xarray as xr


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during `simulate`; `results` holds what was done until then, marked as incomplete."""

    def __init__(self, results: Results) -> None:
        super().__init__(results.status)
        self.results = results


def simulate(spec: Spec, progress: bool | Callable[[float], None] | None = None) -> Results:
    """Run a model forward and say what happened, and how far it can be trusted.

    `progress`: True shows a bar on a terminal while work takes more than a second; a function hears the part that
    is done, from 0 to 1. Ctrl-C raises `Interrupted`, a `KeyboardInterrupt` with the results up to there.
    """
    if not isinstance(spec, Spec):
        raise TypeError(f"simulate takes a Spec; use condyle.simulate(condyle.load({_named(spec)}))")
    begun = time.perf_counter()
    if progress is True:
        from condyle.results.progress import bar

        with bar(spec.name) as told:
            trajectory = answered(compiled(spec), told)
    else:
        trajectory = answered(compiled(spec), progress or None)
    results = results_of(trajectory, time.perf_counter() - begun)
    if trajectory.status is Status.INTERRUPTED:
        raise Interrupted(results)
    return results


def _named(given: object) -> str:
    """What was given in place of a spec, as `load` would take it."""
    return repr(os.fspath(given)) if isinstance(given, str | os.PathLike) else "name_or_path"


def results_of(trajectory: Trajectory, wall_time: float = 0.0) -> Results:
    """Results of a trajectory: the labelled dataset and its audit."""
    dataset = dataset_of(trajectory)
    moving = math.isnan(trajectory.unbalanced)
    residual = float(dataset["energy"].sel(kind="residual")[-1]) if moving else 0.0
    return Results(
        dataset=dataset,
        spec=trajectory.model.spec,
        audit=_audit(trajectory, residual, dataset),
        complete=trajectory.status is Status.COMPLETE,
        status=trajectory.message,
        wall_time=wall_time,
    )


def _audit(trajectory: Trajectory, residual: float, dataset: xr.Dataset) -> Audit:
    model, memory = trajectory.model, trajectory.final.memory
    works = model.works(trajectory.final.y)
    names = model.contacts.spot_names
    depths = dataset["peak_contact_depth"].values.tolist() if names else []
    found = zip(names, model.rows(SPOTS), depths, strict=True)
    spots = [(name, row, max(depth, 0.0)) for name, row, depth in found if touched_or_first(name, depth)]
    return Audit(
        energy_residual=residual,
        energy_throughput=float(works[TURNED_OVER]) if math.isnan(trajectory.unbalanced) else 0.0,
        tolerance=model.spec.model.run.audit_tolerance,
        unbalanced=None if math.isnan(trajectory.unbalanced) else trajectory.unbalanced,
        constraint_drift=_drift(trajectory),
        deepest_penetration={name: depth for name, _, depth in spots},
        clamped_time={name: float(memory[row, forces.PULL_TIME]) for name, row, _ in spots},
        clamped_work={name: float(memory[row, forces.PULL_WORK]) for name, row, _ in spots},
        steps=trajectory.steps,
        rejected_steps=trajectory.rejected,
        events=trajectory.events,
        evaluations=trajectory.evaluations,
        finished=trajectory.status is Status.COMPLETE,
        energy_size=_energy_size(dataset) if math.isnan(trajectory.unbalanced) else 0.0,
        notes=tuple(_notes(trajectory)),
    )


def _energy_size(dataset: xr.Dataset) -> float:
    """Largest magnitude of any energy at any row [J]; zero where one is not a number."""
    kept = dataset["energy"].sel(kind=[kind for kind in dataset["kind"].values if kind != "residual"])
    return float(np.nan_to_num(np.abs(kept.values).max(initial=0.0), nan=0.0, posinf=0.0))


def _drift(trajectory: Trajectory) -> float:
    """By how much a joint or driver was off at most [m or rad]."""
    rows = trajectory.model.rows(EQUATIONS)
    return float(trajectory.final.memory[rows, LARGEST_MISS].max(initial=0.0))


def _notes(trajectory: Trajectory) -> list[str]:
    """Sentences a reader should see."""
    model, memory = trajectory.model, trajectory.final.memory
    notes = [*trajectory.notes, *remarks_on_mechanisms(trajectory), *_singular_poses(trajectory)]
    for name, row, pair in zip(
        model.contacts.spot_names, model.rows(SPOTS), model.contacts.spot_pairs, strict=True
    ):
        slowest = memory[row, forces.SLOWEST_ONSET]
        floor = model.arrays.value[_pair_row(model, pair.name), forces.ONSET_FLOOR]
        if pair.damped and pair.spec.law.kind != "kelvin-voigt" and slowest < floor:
            notes.append(
                f"contact '{name}' began at {slowest:.2g} m/s, below the onset floor of {floor:.2g} m/s: "
                "there its damping is that of the floor"
            )
    if trajectory.chatter:
        notes.append(f"a law chattered in {trajectory.chatter} steps, which were taken whole")
    if trajectory.uncounted:
        name = model.contacts.pairs[trajectory.uncounted - model.rows(PAIRS).start].name
        notes.append(f"contact '{name}' touched at more places than it counts; see contacts.{name}.spots")
    return notes


def _singular_poses(trajectory: Trajectory) -> list[str]:
    """When a mechanism came to a pose in which its joints are hardly independent, and which joint it was."""
    model = trajectory.model
    since = trajectory.final.memory[model.rows(EQUATIONS), IDLE_SINCE]
    first: dict[str, float] = {}
    for equation, when in zip(model.equations, since, strict=True):
        if when > 0.0:
            place = owner(model, equation.owner)
            first[place] = min(float(when), first.get(place, math.inf))
    return [
        f"{place} was hardly independent of other joints at {when:.6g} s: the run went through a singular pose or "
        "close by one, behind which the mechanism could go on otherwise as well"
        for place, when in first.items()
    ]


def _pair_row(model: CompiledModel, name: str) -> int:
    names = [pair.name for pair in model.contacts.pairs]
    return model.rows(PAIRS).start + names.index(name)
