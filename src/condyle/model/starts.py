"""How deep contacts are in the pose of a model file, without a run: for a check before the first one.

By samples of the outlines: good to a part in a thousand of the size, which is enough to see a slip of millimetres.
"""

from __future__ import annotations

import cmath

import numpy as np
from numpy.typing import NDArray

from condyle.contact.foundation.load import FoundationSettings, foundation_load
from condyle.geometry.curve import PlaneCurve, sampled
from condyle.model.contacts import compiled_contacts
from condyle.model.flexible import beam_meshes
from condyle.model.placement import Placement
from condyle.model.profiles import profile_curves
from condyle.model.space_placement import SpacePlacement
from condyle.model.spec import Spec
from condyle.model.surfaces import SpaceSurfaces, layers_of

SAMPLES = 1000
Plane = NDArray[np.complex128]

# A foundation that starts deeper than this part of its layers is told.
DEEP_LAYER = 0.1
# A contact that starts deeper than this part of the size is told.
DEEP = 0.01


def pressed_at_start(spec: Spec) -> list[str]:
    """A sentence for each contact that starts deep."""
    model = spec.model
    if model.dimensions == 3:
        return _pressed_in_space(spec)
    placement = Placement(model, beam_meshes(model))
    contacts = compiled_contacts(model, profile_curves(spec), placement)
    found = []
    for pair in contacts.pairs:
        (place, angle), (origin, turned) = (placement.poses[body] for body in pair.bodies)
        first, second = (contacts.curves[name] for name in pair.spec.between)
        relative = (place - origin) * cmath.rect(1.0, -turned)
        depth = sampled_depth(first, second, relative, angle - turned)
        if depth > DEEP * pair.size:
            found.append(
                f"contact '{pair.name}' starts {1e3 * depth:.2g} mm deep; if it should only touch, "
                f"set contacts.{pair.name}.initial_gap: 0"
            )
    return found


def _pressed_in_space(spec: Spec) -> list[str]:
    """What was mended of the surfaces, and a sentence for each foundation that starts deep."""
    placement = SpacePlacement(spec.model)
    surfaces = SpaceSurfaces(spec, placement)
    found = list(surfaces.notes)
    for pair in surfaces.pairs:
        (p, r), (q, s) = (placement.poses[body] for body in pair.bodies)
        first, second = (surfaces.kernels[number] for number in pair.surfaces)
        settings = FoundationSettings(layers_of(pair.spec, spec.model), pair.spec.integrate or "both")
        depth = foundation_load(first, second, (s.T @ r, s.T @ (p - q)), settings).depth
        if depth > DEEP_LAYER * surfaces.scale(pair, spec.model):
            found.append(
                f"contact '{pair.name}' starts {1e3 * depth:.2g} mm deep; if it should only touch, move one of its "
                "bodies"
            )
    return found


def sampled_depth(first: PlaneCurve, second: PlaneCurve, place: complex, angle: float) -> float:
    """Largest depth [m] of samples of the first curve in the second's material; below zero where they are apart."""
    points, normals = _samples(first)
    points, normals = place + cmath.rect(1.0, angle) * points, cmath.rect(1.0, angle) * normals
    others, outward = _samples(second)
    deepest = -np.inf
    for block in np.array_split(np.arange(len(points)), -(-len(points) // 200)):
        offset = points[block, None] - others
        nearest = np.abs(offset).argmin(axis=1)
        offset = offset[np.arange(len(block)), nearest]
        depth = -(offset * outward[nearest].conj()).real
        faces = (normals[block] * outward[nearest].conj()).real < 0.0
        inner = faces if second.closed else faces & (nearest > 0) & (nearest < len(others) - 1)
        deepest = max(deepest, float(depth[inner].max(initial=-np.inf)))
    return deepest


def _samples(curve: PlaneCurve) -> tuple[Plane, Plane]:
    """Points and outward normals along a curve as complex numbers, shape (n,)."""
    rows = sampled(curve, SAMPLES)
    return rows[:, 1] + 1j * rows[:, 2], rows[:, 3] + 1j * rows[:, 4]
