"""Which touching roots are one contact: those between which the outlines do not part.

Two bodies overlap in one region or in several, each with one or more roots of the common-normal conditions. A region
is one contact, and its deepest root is the place of it. Two roots lie in one region if the gap is negative all along
the first outline from one to the other.
"""

from __future__ import annotations

import math

from condyle._jit import kernel
from condyle.contact.detection import (
    BODY_I,
    BODY_J,
    CURVE_I,
    CURVE_J,
    FIRST_ROOT,
    GAP,
    LABEL,
    MODE,
    N_ROOT,
    N_SPOT,
    NEW,
    SIZE,
    U_FIRST,
    U_SECOND,
    relative_pose,
)
from condyle.contact.roots import NONE, Pose
from condyle.contact.search import parameter_distance, signed_distance
from condyle.geometry.curve import (
    CLOSED,
    END,
    FIRST_SAMPLE,
    LAST_SAMPLE,
    START,
    wrapped_parameter,
)
from condyle.mechanics.system import Array, Model

# Looks between two roots: so many, and so many more for each sample of the outlines between them.
LEAST_LOOKS, LOOKS_PER_SAMPLE = 6.0, 1.0


@kernel
def has_regrouped(model: Model, p: int, memory: Array, work: Array) -> bool:
    """Whether the touching roots of a pair belong together otherwise than their labels say; frees those that parted."""
    if model.link[p, N_SPOT] == 1:
        return False
    first, end = model.link[p, FIRST_ROOT], model.link[p, FIRST_ROOT] + model.link[p, N_ROOT]
    pose = relative_pose(work, model.link[p, BODY_I], model.link[p, BODY_J])
    for r in range(first, end):
        label = work[r, LABEL]
        if work[r, MODE] == NONE or work[r, GAP] >= 0.0:
            if work[r, GAP] > 0.0:
                work[r, LABEL] = memory[r, LABEL] = 0.0
            continue
        if label == 0.0 or label == NEW:
            return True
        for other in range(first, end):
            keeper = work[other, LABEL]
            if keeper <= 0.0 or other == r or work[other, MODE] == NONE or (label > 0.0 and other < r):
                continue
            if are_joined(model, p, pose, r, other, work) != (keeper == -label):
                return True
    return False


@kernel
def are_joined(model: Model, p: int, pose: Pose, r: int, other: int, work: Array) -> bool:
    """Whether two touching roots lie in one overlap; round a closed outline two ways lead from one to the other."""
    ci = model.link[p, CURVE_I]
    if work[r, U_FIRST] > work[other, U_FIRST]:
        r, other = other, r
    ahead = work[other, U_FIRST] - work[r, U_FIRST]
    if overlaps_along(model, p, pose, r, other, ahead, work):
        return True
    around = model.curves.value[ci, END] - model.curves.value[ci, START] - ahead
    return model.curves.link[ci, CLOSED] != 0 and overlaps_along(model, p, pose, other, r, around, work)


@kernel
def overlaps_along(model: Model, p: int, pose: Pose, r: int, other: int, way: float, work: Array) -> bool:
    """Whether the gap is negative all along the first outline, from one root on by `way` in its parameter."""
    curves, size, ci, cj = model.curves, model.value[p, SIZE], model.link[p, CURVE_I], model.link[p, CURVE_J]
    u, v = work[r, U_FIRST], work[r, U_SECOND]
    share_i = way / (curves.value[ci, END] - curves.value[ci, START])
    share_j = parameter_distance(curves, cj, v, work[other, U_SECOND])
    samples = share_i * (curves.link[ci, LAST_SAMPLE] - curves.link[ci, FIRST_SAMPLE])
    samples += share_j * (curves.link[cj, LAST_SAMPLE] - curves.link[cj, FIRST_SAMPLE])
    looks = math.ceil(LEAST_LOOKS + LOOKS_PER_SAMPLE * samples)
    before = here = work[r, GAP]
    for k in range(1, looks + 1):
        after = work[other, GAP]
        if k < looks:
            place = wrapped_parameter(curves, ci, u + way * k / looks)
            after, v = signed_distance(curves, ci, cj, pose, place, v, size)
        bend = 2.0 * here - before - after
        # A place where the outlines part may lie between looks: the top of the parabola through three of them.
        top = here + 0.125 * (after - before) ** 2 / bend if here > before and here >= after else here
        if top > 0.0 or after > 0.0:
            return False
        before, here = here, after
    return True
