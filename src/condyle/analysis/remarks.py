"""What a reader should know about the contacts of a run: sentences that name the contact and what to try."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from condyle._jit import plain
from condyle.analysis.dynamics import recall, right_hand_side
from condyle.analysis.trajectory import Trajectory
from condyle.contact import forces
from condyle.contact.foundation.pair import PAIR_DEPTH, PAIR_LOAD
from condyle.contact.foundation.pairs import BORDER_AT
from condyle.laws.friction.brown_mcphee import brown_mcphee_force
from condyle.laws.friction.coulomb import coulomb_force
from condyle.mechanics import system
from condyle.mechanics.system import PAIRS, PATCHES, SPOTS, Array
from condyle.model.compiled import CompiledModel
from condyle.model.contacts import PairPlan
from condyle.model.surfaces import SpaceSurfaces
from condyle.solve.tableaus import FIXED_STEP

# An overlap deeper than this part of the size is worth telling.
DEEP = 1e-6
# A foundation that starts deeper than this part of its layers, or of the surfaces' size, is worth telling.
DEEP_LAYER = 0.1
# A contact shorter than so many steps is not resolved.
RESOLVED = 10
# Step times the rate at which friction stops sliding: explicit methods grow beyond 2 to 3.
STABLE = 2.0


def remarks_at_start(model: CompiledModel, memory: Array, work: Array) -> tuple[str, ...]:
    """Contacts that are pressed in before anything has happened."""
    if model.surfaces is not None:
        return (
            *_short_courses(model),
            *model.surfaces.notes,
            *_pressed_surfaces(model, model.surfaces, work),
        )
    return (*_short_courses(model), *_pressed_profiles(model, memory, work))


def _short_courses(model: CompiledModel) -> Iterator[str]:
    """Loads whose table ends before the run."""
    duration = model.spec.model.run.duration
    for name, end in model.courses.items():
        if end < duration * (1.0 - 1e-9):
            yield (
                f"the table of force '{name}' ends at {end:g} s, before the run does; its last value is held "
                "(repeat: true begins it again)"
            )


def _pressed_profiles(model: CompiledModel, memory: Array, work: Array) -> tuple[str, ...]:
    return tuple(
        f"contact '{name}' starts {1e3 * work[s, forces.DEPTH]:.3g} mm deep, with {work[s, forces.ENERGY]:.3g} J "
        f"stored in it; if it should only touch, set contacts.{pair.name}.initial_gap: 0"
        for name, s, pair in _spots(model)
        if memory[s, forces.TOUCHING] and work[s, forces.DEPTH] > DEEP * pair.size
    )


def _pressed_surfaces(model: CompiledModel, surfaces: SpaceSurfaces, work: Array) -> Iterator[str]:
    """Foundations that start deep."""
    for row, pair in zip(surfaces.pair_rows(model.rows(PATCHES)), surfaces.pairs, strict=True):
        depth = work[row, PAIR_DEPTH]
        if depth > DEEP_LAYER * surfaces.scale(pair, model.spec.model):
            yield (
                f"contact '{pair.name}' starts {1e3 * depth:.3g} mm deep, with {work[row, PAIR_LOAD]:.3g} N; "
                "if it should only touch, move one of its bodies"
            )


def _left_surfaces(model: CompiledModel, memory: Array) -> Iterator[str]:
    """Foundations that ran over the border of a surface."""
    if model.surfaces is None:
        return
    rows = model.surfaces.pair_rows(model.rows(PATCHES))
    for row, pair in zip(rows, model.surfaces.pairs, strict=True):
        if not math.isnan(memory[row, BORDER_AT]):
            yield (
                f"contact '{pair.name}' ran over the edge of a surface first at {memory[row, BORDER_AT]:.6g} s: "
                "what would press beyond it is missing; make the surface larger"
            )


def remarks_at_end(trajectory: Trajectory) -> list[str]:
    """What became of the contacts."""
    model, memory = trajectory.model, trajectory.final.memory
    is_fixed = model.spec.model.run.method in FIXED_STEP
    notes = list(_left_surfaces(model, memory))
    for name, s, pair in _spots(model):
        if not math.isnan(memory[s, forces.LOST_AT]):
            notes.append(
                f"contact '{name}' was lost at {memory[s, forces.LOST_AT]:.6g} s while pressed in by "
                f"{1e3 * memory[s, forces.LOST_DEPTH]:.3g} mm: there an outline ends, or is rounder than it is "
                "pressed in, so that no points face each other any more; force and stored energy were gone"
            )
        if memory[s, forces.LARGEST_OFFSET] > DEEP * pair.size:
            notes.append(
                f"contact '{name}' came up with {1e3 * memory[s, forces.LARGEST_OFFSET]:.3g} mm of overlap instead "
                "of with a gap that closes; until the outlines have parted, only depth beyond that counts"
            )
        if is_fixed and memory[s, forces.SHORTEST] < RESOLVED:
            notes.append(
                f"contact '{name}' was over in {memory[s, forces.SHORTEST]:.0f} of the run's steps at its shortest, "
                "too few to resolve its force; try a smaller run.step, or run.integrator: adaptive"
            )
        if is_fixed and pair.spec.friction is not None:
            notes += _unstable_friction(trajectory, name, s, pair)
    for p, pair in zip(model.rows(PAIRS), model.contacts.pairs, strict=True):
        if memory[p, forces.MERGED] > 0.0:
            notes.append(
                f"contact '{pair.name}' touched at separate places that became one; the deeper went on, and the "
                f"{memory[p, forces.MERGED]:.3g} J stored in the other count as dissipated"
            )
    return notes


def _spots(model: CompiledModel) -> Iterator[tuple[str, int, PairPlan]]:
    return zip(model.contacts.spot_names, model.rows(SPOTS), model.contacts.spot_pairs, strict=True)


def _unstable_friction(trajectory: Trajectory, name: str, s: int, pair: PairPlan) -> list[str]:
    """Friction near rest is a damper; with too long a step for a light body it throws the body to and fro."""
    model, memory = trajectory.model, trajectory.final.memory
    peak, instant = memory[s, forces.PEAK_FORCE : forces.PEAK_FORCE + 2]
    if not peak > 0.0:
        return []
    p = model.rows(PAIRS)[model.contacts.pairs.index(pair)]
    step = model.spec.model.run.step
    mobility = _sliding_mobility(trajectory, s, pair, int(np.abs(trajectory.time - instant).argmin()))
    rate = step * peak * steepest_friction(model, p) * mobility
    if rate <= STABLE:
        return []
    return [
        f"the friction of contact '{name}' is too stiff for the step: at its largest force of {peak:.3g} N a step "
        f"turns sliding near rest round {rate:.2g} times over, and above {STABLE:g} it grows; try a run.step "
        f"{math.ceil(rate / STABLE)} times smaller, or higher speeds in the law of friction"
    ]


def steepest_friction(model: CompiledModel, p: int) -> float:
    """Largest slope of friction over sliding speed for a normal force of 1 N [s/m]."""
    law, (a, b, c, d) = model.arrays.link[p, forces.FRICTION], model.arrays.value[p, forces.FRICTION_A :][:4]
    if law == forces.COULOMB:
        speed = np.linspace(0.0, c, 400)
        force = [-plain(coulomb_force)(1.0, a, b, c, v) for v in speed]
    else:
        speed = np.linspace(0.0, 2.0 * d, 400)
        force = [-plain(brown_mcphee_force)(1.0, a, b, c, d, v) for v in speed]
    return float(np.max(np.diff(force) / np.diff(speed)))


def _sliding_mobility(trajectory: Trajectory, s: int, pair: PairPlan, row: int) -> float:
    """Change of sliding speed by a unit impulse along the contact [1/kg], at an output row."""
    model, work = trajectory.model, trajectory.model.work.copy()
    states = np.full((2, trajectory.y.shape[1]), np.nan)
    states[0] = trajectory.y[row]
    plain(recall)(model.arrays, trajectory.memory[row], work)
    right_hand_side(trajectory.time[row], states, 0, 1, model.arrays, trajectory.memory[row], work)
    place = 0.5 * (work[s, [forces.FIRST_X, forces.FIRST_Y]] + work[s, [forces.SECOND_X, forces.SECOND_Y]])
    total = 0.0
    for body in set(pair.bodies) & set(model.free_bodies):
        b = model.body_rows[body]
        lever = (place - work[b, [system.PX, system.PY]]) @ work[s, [forces.NX, forces.NY]]
        mass, inertia = model.arrays.value[b, [system.MASS, system.INERTIA]]
        total += 1.0 / mass + lever**2 / inertia
    return float(total)
