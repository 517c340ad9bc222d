"""The elastic foundation between two surfaces as one call, without a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from condyle.contact.foundation import pair, pressure
from condyle.contact.foundation.pair import N_PAIR, Outputs, fill_pair
from condyle.contact.foundation.pressure import Foundation, Motion
from condyle.contact.foundation.surface import FACE_AREA, FACE_LOAD, Scratch, Surface, scratch_for, surface_of
from condyle.contact.foundation.sweep import N_TOTAL
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.laws.foundation.layers import Layers

Array = NDArray[np.float64]

_INTEGRATED = {"first": pressure.FIRST, "second": pressure.SECOND, "both": pressure.BOTH}
_FRICTION = {3: pressure.COULOMB, 4: pressure.BROWN_MCPHEE}


@dataclass(frozen=True)
class FoundationSettings:
    """How two surfaces press on each other.

    law : from `layers_in_series` or `volume_law`.
    integrate : which surface carries the pressure: the one that has the layer, or both with half weight.
    depth : to the "closest" place, or along the inward normal, "ray".
    sampling : "cut" faces at the border of the contact, or one depth at each face's "centroid".
    damping : factor of the rate of approach [s/m]: the pressure is p (1 + damping rate).
    friction : of Coulomb (coefficient [-], slow, fast [m/s]) or of Brown and McPhee (static, dynamic [-], viscous [s/m],
        transition speed [m/s]); none when left empty.
    reach : how far along a ray the other surface is looked for [m].
    stiffness : whether the stiffness is computed too.
    """

    law: Layers
    integrate: Literal["first", "second", "both"] = "both"
    depth: Literal["closest", "ray"] = "closest"
    sampling: Literal["cut", "centroid"] = "cut"
    damping: float = 0.0
    friction: tuple[float, ...] = ()
    reach: float = 0.02
    stiffness: bool = False


@dataclass(frozen=True)
class PartLoad:
    """What one part of a contact carries, in the first surface's axes.

    force : on the first body [N], shape (3,).
    moment : on the first body about its origin [N m], shape (3,).
    centre_of_pressure : [m], shape (3,); NaN where nothing touches.
    area : in contact [m^2].
    mean_pressure : mean over that area [Pa].
    peak_pressure : [Pa].
    depth : the greatest [m].
    normal_load : integral of the pressure [N].
    elastic_power : of the elastic forces on both bodies [W].
    loss : power that damping and friction take away [W], never negative.
    """

    force: Array
    moment: Array
    centre_of_pressure: Array
    area: float
    mean_pressure: float
    peak_pressure: float
    depth: float
    normal_load: float
    elastic_power: float
    loss: float


@dataclass(frozen=True)
class FoundationLoad(PartLoad):
    """What a contact carries as a whole.

    parts : the same of each part of the surface that has several.
    stiffness : force and moment by a small translation and turn of the second body, shape (6, 6); NaN unless asked.
    first_face_pressure, second_face_pressure : mean over each whole face [Pa], shape (n_face,).
    first_face_area, second_face_area : of each face in contact [m^2], shape (n_face,).
    beyond_border : the names of the surfaces over whose border the contact runs, "first" and "second".
    """

    parts: tuple[PartLoad, ...]
    stiffness: Array
    first_face_pressure: Array
    second_face_pressure: Array
    first_face_area: Array
    second_face_area: Array
    beyond_border: tuple[str, ...] = field(default=())


def foundation_of(settings: FoundationSettings) -> Foundation:
    """Settings as the kernels read them."""
    friction = tuple(float(value) for value in settings.friction)
    if friction and len(friction) not in _FRICTION:
        raise ValueError(
            f"friction = {friction}: expected no number, three of Coulomb or four of Brown and McPhee"
        )
    if settings.damping < 0.0:
        raise ValueError(f"damping = {settings.damping} s/m: expected zero or more")
    a, b, c, d = (*friction, 0.0, 0.0, 0.0, 0.0)[:4]
    return Foundation(
        law=settings.law,
        damping=float(settings.damping),
        friction=_FRICTION.get(len(friction), pressure.FRICTIONLESS),
        friction_values=(a, b, c, d),
        integrated=_INTEGRATED[settings.integrate],
        direction=pressure.RAY if settings.depth == "ray" else pressure.CLOSEST,
        sampling=pressure.CENTROID if settings.sampling == "centroid" else pressure.CUT,
        reach=float(settings.reach),
        differentiated=int(settings.stiffness),
    )


def motion_of(rotation: ArrayLike, position: ArrayLike, twist: ArrayLike = (0.0,) * 6) -> Motion:
    """Pose of the first body seen from the second and twist of the first relative to it, as the kernels read them."""
    R, p = np.asarray(rotation, dtype=float).reshape(9), np.asarray(position, dtype=float).reshape(3)
    rates = np.asarray(twist, dtype=float).reshape(6)
    return Motion(tuple(R.tolist()), tuple(p.tolist()), tuple(rates[:3].tolist()), tuple(rates[3:].tolist()))


def outputs_for(first: Surface, second: Surface) -> Outputs:
    """Space for what two surfaces give."""
    rows = 1 + max(first.n_part, second.n_part)
    return Outputs(np.zeros((rows, N_PAIR)), np.zeros((6, 6)), np.zeros((rows, N_TOTAL)), np.zeros((6, 6)))


def foundation_load(
    first: SurfaceMesh | Surface,
    second: SurfaceMesh | Surface,
    pose: tuple[ArrayLike, ArrayLike],
    settings: FoundationSettings,
    twist: ArrayLike = (0.0,) * 6,
) -> FoundationLoad:
    """What the elastic foundation between two surfaces does to the first of them.

    Parameters
    ----------
    first, second : surfaces, smooth if given as meshes; prepare them by `surface_of` where there are many calls.
    pose : rotation, shape (3, 3), and position [m], shape (3,), of the first seen from the second: a place x of the
        first is at ``rotation @ x + position``.
    settings : the law and how the surfaces are taken.
    twist : velocity of the first relative to the second at the first one's origin [m/s] and its angular velocity
        [rad/s], in the first one's axes, shape (6,).
    """
    one, other = _surface(first), _surface(second)
    scratches, outputs = (scratch_for(one), scratch_for(other)), outputs_for(one, other)
    motion = motion_of(*pose, twist)
    borders = fill_pair(one, other, motion, foundation_of(settings), *scratches, outputs)
    whole, *parts = (_part(row) for row in outputs.loads)
    sides = ((pair.FIRST_BORDER, "first"), (pair.SECOND_BORDER, "second"))
    return FoundationLoad(
        **vars(whole),
        parts=tuple(parts),
        stiffness=outputs.stiffness if settings.stiffness else np.full((6, 6), np.nan),
        first_face_pressure=face_pressure(one, scratches[0]),
        second_face_pressure=face_pressure(other, scratches[1]),
        first_face_area=scratches[0].face_load[:, FACE_AREA].copy(),
        second_face_area=scratches[1].face_load[:, FACE_AREA].copy(),
        beyond_border=tuple(name for flag, name in sides if borders & flag),
    )


def face_pressure(surface: Surface, scratch: Scratch) -> Array:
    """Pressure of the last sweep, mean over each whole face [Pa], shape (n_face,)."""
    areas = np.linalg.norm(surface.face_vectors, axis=1)
    return scratch.face_load[:, FACE_LOAD] / np.where(areas > 0.0, areas, 1.0)


def _surface(given: SurfaceMesh | Surface) -> Surface:
    return surface_of(given) if isinstance(given, SurfaceMesh) else given


def _part(row: Array) -> PartLoad:
    """One row of `Outputs.loads`."""
    force, moment, point = row[:3].copy(), row[3:6].copy(), row[6:9].copy()
    scalars = [float(row[column]) for column in (9, 10, 11, 12, 15, 13, 14)]
    return PartLoad(force, moment, point, *scalars)
