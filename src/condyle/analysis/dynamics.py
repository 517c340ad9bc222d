"""The one right-hand side, and what happens when a law changes its branch."""

from __future__ import annotations

from condyle._jit import inlined_kernel, kernel
from condyle.analysis.touches import gap_of, group_afresh, touch
from condyle.beams.beams import fill_beam_forces, fill_beam_rates
from condyle.contact.detection import N_ROOT_COLUMN, N_SEARCH_COLUMN
from condyle.contact.forces import (
    DEPTH_RATE,
    PULL,
    PULL_POWER,
    ROOT_JUMPS,
    accumulate_contacts,
)
from condyle.contact.foundation.pairs import Space, accumulate_foundations
from condyle.mechanics.frames import LAST_ANGLE, fill_frames
from condyle.mechanics.space import (
    accumulate_weight,
    fill_bodies,
    fill_body_rates,
    fill_space_rates,
)
from condyle.mechanics.system import (
    ACCEPTED,
    ANGLE,
    FRAMES,
    GAP_SWITCH,
    JUMP_SWITCH,
    LIMP_SWITCH,
    OWNER,
    PAIRS,
    PULL_SWITCH,
    ROOTS,
    SIGN,
    SWITCH_KIND,
    SWITCHES,
    TEAR_SWITCH,
    VALUE,
    Array,
    Model,
    accumulate_gravity,
    fill_free_rates,
    fill_poses,
    fill_rates,
)
from condyle.multibody.constraints import constrain
from condyle.multibody.equations import fill_equations
from condyle.multibody.ligaments import accumulate_ligaments
from condyle.multibody.loads import accumulate_loads
from condyle.multibody.space_constraints import constrain_in_space, fill_space_equations
from condyle.multibody.space_elements import (
    accumulate_space_ligaments,
    accumulate_space_loads,
    accumulate_space_springs,
)
from condyle.multibody.space_measures import fill_measures, keep_angles
from condyle.multibody.springs import accumulate_springs


@inlined_kernel
def right_hand_side(
    time: float, states: Array, at: int, to: int, model: Model, memory: Array, work: Array
) -> None:
    """Write y' for the state in row `at` of the states into row `to`: q' and v', then the powers of the works."""
    fill_plane_rates(model.plane, time, states, at, to, model, memory, work)
    fill_rates_in_space(model.space, time, states, at, to, model, memory, work)


@inlined_kernel
def fill_plane_rates(
    plane: Array | None,
    time: float,
    states: Array,
    at: int,
    to: int,
    model: Model,
    memory: Array,
    work: Array,
) -> None:
    """The rates of a model in the plane; nothing for one in space."""
    if plane is not None:
        fill_poses(model, states, at, work)
        place_frames(model.mechanism, model, states, at, memory, work)
        accumulate_gravity(model, work)
        accumulate_ligaments(model, memory, work)
        accumulate_loads(model, time, work)
        accumulate_contacts(model, memory, work)
        load_mechanism(model.mechanism, model, states, at, to, work)
        fill_free_rates(model, to, work, states)
        constrain_mechanism(model.mechanism, model, time, to, work, states)
        fill_rates(model, states, at, to, work)


@inlined_kernel
def fill_rates_in_space(
    space: Space | None,
    time: float,
    states: Array,
    at: int,
    to: int,
    model: Model,
    memory: Array,
    work: Array,
) -> None:
    """The rates of a model in space; nothing for one in the plane."""
    if space is not None:
        accumulate_forces_in_space(time, states, at, model, memory, work)
        accumulate_foundations(space, model, work)
        fill_body_rates(model, to, work, states)
        fill_space_equations(model, time, work)
        constrain_in_space(model, to, work, states)
        fill_space_rates(model, states, at, to, work)


@kernel
def accumulate_forces_in_space(
    time: float, states: Array, at: int, model: Model, memory: Array, work: Array
) -> None:
    """Place the bodies of row `at` of the states, and gather the forces on them but those of foundations and joints."""
    fill_bodies(model, states, at, work)
    fill_measures(model, memory, work)
    accumulate_weight(model, work)
    accumulate_space_ligaments(model, memory, work)
    accumulate_space_springs(model, work)
    accumulate_space_loads(model, time, work)


@kernel
def place_frames(
    mechanism: Array | None, model: Model, states: Array, at: int, memory: Array, work: Array
) -> None:
    """Write the motion of frames on beams."""
    if mechanism is not None:
        fill_frames(model, states, at, memory, work)


@kernel
def load_mechanism(
    mechanism: Array | None, model: Model, states: Array, at: int, to: int, work: Array
) -> None:
    """Apply springs, and write the generalised forces on beams."""
    if mechanism is not None:
        accumulate_springs(model, work)
        fill_beam_forces(model, states, at, to, work)


@kernel
def constrain_mechanism(
    mechanism: Array | None, model: Model, time: float, to: int, work: Array, states: Array
) -> None:
    """Bring the accelerations of beams to those of the bodies, and both to what joints and drivers allow."""
    if mechanism is not None:
        fill_beam_rates(model, to, states)
        fill_equations(model, time, work)
        constrain(model, to, work, states)


@inlined_kernel
def commit(model: Model, memory: Array, work: Array) -> None:
    """Keep where contacts and switches are: the state has been accepted."""
    for p in range(model.layout[PAIRS], model.layout[PAIRS + 1]):
        for column in range(N_SEARCH_COLUMN):
            memory[p, column] = work[p, column]
    for r in range(model.layout[ROOTS], model.layout[ROOTS + 1]):
        for column in range(N_ROOT_COLUMN):
            memory[r, column] = work[r, column]
    for k in range(model.layout[SWITCHES], model.layout[SWITCHES + 1]):
        memory[k, ACCEPTED] = work[k, VALUE]
    for row in range(model.layout[FRAMES], model.layout[FRAMES + 1]):
        memory[row, LAST_ANGLE] = work[row, ANGLE]
    keep_angles(model, memory, work)


@kernel
def recall(model: Model, memory: Array, work: Array) -> None:
    """Start the next look for contacts from where they were at the accepted state."""
    for p in range(model.layout[PAIRS], model.layout[PAIRS + 1]):
        for column in range(N_SEARCH_COLUMN):
            work[p, column] = memory[p, column]
    for r in range(model.layout[ROOTS], model.layout[ROOTS + 1]):
        for column in range(N_ROOT_COLUMN):
            work[r, column] = memory[r, column]


@kernel
def has_flipped(memory: Array, work: Array, k: int) -> bool:
    """Whether a switch has come to the other side of zero than where it was accepted last."""
    return work[k, VALUE] * memory[k, SIGN] < 0.0


@inlined_kernel
def any_flipped(model: Model, memory: Array, work: Array) -> bool:
    """Whether any switch has changed its side."""
    flipped = False
    for k in range(model.layout[SWITCHES], model.layout[SWITCHES + 1]):
        flipped |= has_flipped(memory, work, k)
    return flipped


@kernel
def settle_pulls(model: Model, memory: Array, work: Array) -> None:
    """Take the sides of what jumps, without a crossing, as contact begins or ends or a bundle goes taut or slack."""
    for k in range(model.layout[SWITCHES], model.layout[SWITCHES + 1]):
        if model.link[k, SWITCH_KIND] == PULL_SWITCH or model.link[k, SWITCH_KIND] == LIMP_SWITCH:
            memory[k, SIGN] = 1.0 if work[k, VALUE] >= 0.0 else -1.0
        if model.link[k, SWITCH_KIND] == PULL_SWITCH:
            owner = model.link[k, OWNER]
            memory[owner, PULL_POWER] = -work[owner, PULL] * work[owner, DEPTH_RATE]


def fill_signs(model: Model, memory: Array, work: Array, at_rest: float) -> None:
    """Sides of all switches at the start. A gap of zero, to `at_rest` [m], is open; a deeper one touches already.

    A bundle that starts beyond its limits is on the whole side still: it tears in the first step, at once.
    """
    group_afresh(model, memory, work)
    for k in range(model.layout[SWITCHES], model.layout[SWITCHES + 1]):
        kind, owner, value = model.link[k, SWITCH_KIND], model.link[k, OWNER], work[k, VALUE]
        if kind == GAP_SWITCH:
            value = at_rest + (gap_of(model, owner, work) if model.link[owner, ROOT_JUMPS] >= 0 else value)
        memory[k, SIGN] = -1.0 if value < 0.0 and kind not in (TEAR_SWITCH, JUMP_SWITCH) else 1.0
        if kind == GAP_SWITCH and value < 0.0:
            touch(memory, work, owner)
