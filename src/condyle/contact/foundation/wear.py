"""Archard's wear of the integrated surface, from what the last sweep left behind.

    dV = k F |s| dt,    dh = k p |s| dt

with the wear factor k, the normal load F or the pressure p, and the slip s (Archard 1956). The slip at a place is the
whole velocity of the one body relative to the other there, as Lin 2010, Section 2.3.5 has it for the centre of
pressure held in the femur and its velocity seen from the tibia. A rigid motion is affine, so the slip at the centre of
pressure is the mean of the faces' slips weighted by their loads, and is never longer than the mean of their lengths;
nor is the force larger than the integral of the pressure. Wear by faces is never less than by centre of pressure.
"""

from __future__ import annotations

from condyle._jit import kernel
from condyle.contact.foundation.depth import row
from condyle.contact.foundation.pair import PAIR_FORCE, PAIR_LOAD, PAIR_POINT
from condyle.contact.foundation.pressure import Motion
from condyle.contact.foundation.surface import (
    FACE_LOAD,
    FACE_PART,
    FACE_X,
    N_TOUCHING,
    Array,
    Scratch,
    Surface,
)
from condyle.math.space import Vector, crossed, plus, size


@kernel
def slip_speed(motion: Motion, place: Vector) -> float:
    """Speed [m/s] at a place of the first surface relative to the second."""
    return size(plus(motion.v, crossed(motion.w, place)))


@kernel
def accumulate_face_wear(
    surface: Surface,
    scratch: Scratch,
    motion: Motion,
    factor: float,
    duration: float,
    worn: Array,
    volumes: Array,
) -> None:
    """Add what each face loses in `duration` [s] to its worn depth [m] and to the volumes [m^3].

    surface, scratch : the integrated surface and what its last sweep wrote.
    motion : of that surface seen from the other (`reversed_motion` for the second).
    factor : [m^3/(N m)]; 1e-7 mm^3/(N m) are 1e-16.
    worn : shape (n_face,); volumes : of the whole and of each part, as rows of `Outputs.loads`, shape (1 + n_part,).
    """
    for k in range(scratch.counts[N_TOUCHING]):
        face = scratch.touching[k]
        load = scratch.face_load[face, FACE_LOAD]
        place = (
            scratch.face_load[face, FACE_X],
            scratch.face_load[face, FACE_X + 1],
            scratch.face_load[face, FACE_X + 2],
        )
        lost = factor * load * slip_speed(motion, place) * duration
        worn[face] += lost / size(row(surface.face_vectors, face))
        volumes[0] += lost
        volumes[1 + int(scratch.face_load[face, FACE_PART])] += lost


@kernel
def centre_wear(loads: Array, part: int, motion: Motion, factor: float, duration: float) -> float:
    """Volume [m^3] that a row of `Outputs.loads` loses in `duration` [s] by its centre of pressure.

    The row is 0 for the whole, 1 + k for part k; `motion` is that of the first surface seen from the second. The load
    is the size of the contact force, or the integral of the pressure where friction makes the force larger.
    """
    force = (loads[part, PAIR_FORCE], loads[part, PAIR_FORCE + 1], loads[part, PAIR_FORCE + 2])
    load = min(size(force), loads[part, PAIR_LOAD])
    if not load > 0.0:
        return 0.0
    place = (loads[part, PAIR_POINT], loads[part, PAIR_POINT + 1], loads[part, PAIR_POINT + 2])
    return factor * load * slip_speed(motion, place) * duration
