"""How contacts begin, end, jump, part and become one: what of their memory changes, in plain Python.

Three rules keep energy from being made of nothing. A contact begins where its gap closes; where it is found deep
already, that overlap does not count until the outlines have parted. Where its place jumps to another root both are
equally deep; by how much another is deeper that came up unseen does not count either. Where two contacts become one,
the deeper goes on, and what the other had stored is lost and booked as dissipated.
"""

from __future__ import annotations

import math
from itertools import combinations

from condyle._jit import plain
from condyle.contact import detection
from condyle.contact.detection import (
    BODY_I,
    BODY_J,
    CURVE_I,
    CURVE_J,
    FIRST_ROOT,
    FIRST_SPOT,
    GAP,
    LABEL,
    MODE,
    N_ROOT,
    N_ROOT_COLUMN,
    N_SEARCH_COLUMN,
    N_SPOT,
    SIZE,
    U_FIRST,
    U_SECOND,
)
from condyle.contact.forces import (
    DEPTH,
    DEPTH_RATE,
    ENERGY,
    EPISODE,
    GAP_CLOSES,
    JUMPED,
    LARGEST_OFFSET,
    LOST_AT,
    MERGED,
    OFFSET,
    ONSET_SPEED,
    ROOT,
    SHORTEST,
    SLIPPED,
    SLOWEST_ONSET,
    TOUCHING,
)
from condyle.contact.overlaps import are_joined
from condyle.contact.roots import NONE, Pose
from condyle.geometry.curve import CLOSED, END, START
from condyle.mechanics.system import PAIRS, SIGN, Array, Model

relative_pose = plain(detection.relative_pose)

# A contact that begins, or jumps, deeper than by this part of the size was not seen in time.
SEEN_LATE = 1e-9
# A contact that was last seen this near to the ends of both curves, in parts of their ranges, has slipped off them.
AT_END = 0.02


def pair_of(model: Model, s: int) -> int:
    """Row of the pair that a spot belongs to."""
    pairs = range(model.layout[PAIRS], model.layout[PAIRS + 1])
    return next(p for p in pairs if 0 <= s - model.link[p, FIRST_SPOT] < model.link[p, N_SPOT])


def roots_of(model: Model, p: int) -> range:
    """Rows of a pair's roots."""
    first = int(model.link[p, FIRST_ROOT])
    return range(first, first + int(model.link[p, N_ROOT]))


def begin_or_end(model: Model, memory: Array, work: Array, s: int, now: float) -> None:
    """Open or close an episode of a spot, whose gap switch has changed its side."""
    p = pair_of(model, s)
    if memory[model.link[s, GAP_CLOSES], SIGN] < 0.0:
        if model.link[p, N_ROOT] > 1:
            work[int(work[s, ROOT]), LABEL] = s
        touch(memory, work, s)
        memory[s, EPISODE] = 0.0
        _leave_out(model, memory, p, s, work[s, DEPTH])
        return
    memory[s, TOUCHING] = memory[s, ONSET_SPEED] = 0.0
    memory[s, SHORTEST] = min(memory[s, SHORTEST], memory[s, EPISODE])
    if work[s, DEPTH] == -math.inf and math.isnan(memory[s, LOST_AT]):
        memory[s, LOST_AT] = now
        memory[p, SLIPPED] = _is_at_both_ends(model, p, s, work)
    memory[s, OFFSET] = max(memory[s, OFFSET] + work[s, DEPTH], 0.0)
    if memory[s, OFFSET] == 0.0:
        for r in roots_of(model, p):
            if abs(work[r, LABEL]) == s:
                work[r, LABEL] = 0.0


def touch(memory: Array, work: Array, s: int) -> None:
    """Begin an episode: the approach speed of this instant is the onset speed of all of it (Machado 2010, Eq. 27)."""
    memory[s, TOUCHING], memory[s, ONSET_SPEED] = 1.0, max(0.0, work[s, DEPTH_RATE])
    memory[s, SLOWEST_ONSET] = min(memory[s, SLOWEST_ONSET], memory[s, ONSET_SPEED])


def _is_at_both_ends(model: Model, p: int, s: int, work: Array) -> bool:
    """Whether a spot's root was last seen at the ends of both curves; its row keeps the place where it was lost."""
    rows = roots_of(model, p)
    row = next((r for r in rows if work[r, LABEL] == s), rows[0])
    sides = ((CURVE_I, U_FIRST), (CURVE_J, U_SECOND))
    return all(_is_at_end(model, int(model.link[p, curve]), work[row, u]) for curve, u in sides)


def _is_at_end(model: Model, c: int, u: float) -> bool:
    start, end = model.curves.value[c, START], model.curves.value[c, END]
    return not model.curves.link[c, CLOSED] and min(u - start, end - u) <= AT_END * (end - start)


def _leave_out(model: Model, memory: Array, p: int, s: int, overlap: float) -> None:
    """Do not count an overlap that was there before the contact came to it, unless it is round-off."""
    if overlap > SEEN_LATE * model.value[p, SIZE]:
        memory[s, OFFSET] += overlap
        memory[s, LARGEST_OFFSET] = max(memory[s, LARGEST_OFFSET], memory[s, OFFSET])


def jump(model: Model, memory: Array, work: Array, s: int) -> None:
    """Go on with the deepest other root of a spot's overlap, or of the whole pair where it has one spot only."""
    p, old = pair_of(model, s), int(work[s, ROOT])
    only = model.link[p, N_SPOT] == 1
    rivals = [r for r in roots_of(model, p) if work[r, MODE] != NONE and (work[r, LABEL] == -s or only)]
    new = min((r for r in rivals if r != old), key=lambda r: float(work[r, GAP]))
    _leave_out(model, memory, p, s, work[old, GAP] - work[new, GAP])
    work[old, LABEL], work[new, LABEL] = -s, s
    memory[p, JUMPED] += 2.0


def group_afresh(model: Model, memory: Array, work: Array) -> None:
    """Say which touching roots are one contact from the outlines alone, whatever was before; memory follows."""
    for p in range(model.layout[PAIRS], model.layout[PAIRS + 1]):
        if model.link[p, N_ROOT] > 1:
            work[roots_of(model, p), LABEL] = 0.0
            _deal_out(model, p, work, {})
            memory[p, :N_SEARCH_COLUMN] = work[p, :N_SEARCH_COLUMN]
            memory[roots_of(model, p), :N_ROOT_COLUMN] = work[roots_of(model, p), :N_ROOT_COLUMN]


def gap_of(model: Model, s: int, work: Array) -> float:
    """Gap of the root that a spot stands for [m], infinite without one, as the labels say."""
    p = pair_of(model, s)
    rows = [r for r in roots_of(model, p) if work[r, MODE] != NONE]
    return min((float(work[r, GAP]) for r in rows if work[r, LABEL] == s), default=math.inf)


def regroup(model: Model, p: int, memory: Array, work: Array) -> tuple[float, bool]:
    """Say anew which touching roots of a pair are one contact; energy lost [J], and whether a contact has no spot.

    Contacts may become one. A new one starts from the depth that it has, which does not count.
    """
    rows, pose, lost = roots_of(model, p), _pose(model, p, work), 0.0
    work[rows, LABEL] = work[rows, LABEL].clip(min=0.0)
    owned = [r for r in rows if work[r, MODE] != NONE and work[r, GAP] < 0.0 and work[r, LABEL] > 0.0]
    keepers = {int(work[r, LABEL]): r for r in owned}
    for deeper, other in combinations(sorted(keepers, key=lambda s: -float(work[s, DEPTH])), 2):
        pair = deeper in keepers and other in keepers
        if pair and are_joined(model, p, pose, keepers[deeper], keepers[other], work):
            lost += float(work[other, ENERGY])
            memory[other, TOUCHING] = memory[other, ONSET_SPEED] = memory[other, OFFSET] = 0.0
            memory[model.link[other, GAP_CLOSES], SIGN] = 1.0
            work[keepers.pop(other), LABEL] = 0.0
    before = set(keepers)
    all_have_spots = _deal_out(model, p, work, keepers)
    for s in set(keepers) - before:
        memory[s, OFFSET] = 0.0
        _leave_out(model, memory, p, s, -float(work[keepers[s], GAP]))
    memory[rows, LABEL] = work[rows, LABEL]
    memory[p, MERGED] += lost
    return lost, not all_have_spots


def _deal_out(model: Model, p: int, work: Array, keepers: dict[int, int]) -> bool:
    """Label touching roots that nobody has, the deepest first, and enter new spots with their roots; False if too few.

    With one spot only the deepest is labelled: all others are its rivals anyway.
    """
    first, n_spot = int(model.link[p, FIRST_SPOT]), int(model.link[p, N_SPOT])
    pose, enough = _pose(model, p, work), True
    free = [s for s in range(first, first + n_spot) if s not in keepers]
    touching = [r for r in roots_of(model, p) if work[r, MODE] != NONE and work[r, GAP] < 0.0]
    for r in sorted(touching, key=lambda r: float(work[r, GAP])):
        if work[r, LABEL] != 0.0 or (n_spot == 1 and not free):
            continue
        home = next((s for s, row in keepers.items() if are_joined(model, p, pose, r, row, work)), None)
        if home is not None:
            work[r, LABEL] = -home
        elif free:
            work[r, LABEL] = free[0]
            keepers[free.pop(0)] = r
        else:
            work[r, LABEL], enough = -p, False
    return enough


def without_spot(model: Model, work: Array) -> int:
    """Row of a pair that touches at more places than it has spots, or 0."""
    pairs = range(model.layout[PAIRS], model.layout[PAIRS + 1])
    return next((p for p in pairs if any(work[r, LABEL] == -p for r in roots_of(model, p))), 0)


def _pose(model: Model, p: int, work: Array) -> Pose:
    return relative_pose(work, int(model.link[p, BODY_I]), int(model.link[p, BODY_J]))
