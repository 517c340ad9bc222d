"""Surfaces, foundations and orientations of a model in one line each."""

from __future__ import annotations

import math

from condyle.contact.law_declarations import CoulombSpec
from condyle.contact.surface_declarations import FoundationSpec, SurfaceSpec, VolumeSpec
from condyle.spec.orientation import OrientationSpec


def orientation_words(orientation: OrientationSpec | None) -> str:
    """How something is turned, to go on a sentence; nothing where it is not."""
    if orientation is None:
        return ""
    turn = orientation.rotation().as_rotvec()
    angle = math.hypot(*turn)
    if angle == 0.0:
        return ""
    axis = ", ".join(f"{part / angle:.3g}" for part in turn)
    return f", turned by {math.degrees(angle):.4g} deg about ({axis})"


def surface_words(surface: SurfaceSpec) -> str:
    """What a surface is and what lies on it."""
    layer = surface.layer
    on_it = "rigid"
    if layer is not None:
        of = layer.material or f"E = {layer.young:g} Pa, nu = {layer.poisson:g}"
        on_it = f"layer of {1e3 * layer.thickness:g} mm, {of}"
    faces = "" if surface.smooth else ", flat triangles"
    moved = f", moved outwards by {1e3 * surface.offset:g} mm" if surface.offset else ""
    return f"{_shape(surface)} on {surface.body}, {on_it}{faces}{moved}"


def _shape(surface: SurfaceSpec) -> str:
    if surface.file is not None:
        return f"triangles of {surface.file} in {surface.unit}"
    if surface.ball is not None:
        kind = "hollow ball" if surface.ball.hollow else "ball"
        return f"{kind} of radius {1e3 * surface.ball.radius:g} mm, {20 * 4**surface.ball.level} triangles"
    if surface.plate is not None:
        return f"plate of {1e3 * surface.plate.width:g} by {1e3 * surface.plate.depth:g} mm"
    if surface.block is not None:
        return f"block of {' by '.join(f'{1e3 * length:g}' for length in surface.block.size)} mm"
    name = "femoral component" if surface.femoral is not None else "tibial insert"
    made = surface.femoral or surface.insert
    return f"{name}, {made.side if made is not None else ''} knee"


def foundation_words(contact: FoundationSpec) -> str:
    """What two surfaces do to each other."""
    law = f"{contact.law.modulus:g} N/m^3" if isinstance(contact.law, VolumeSpec) else contact.law.kind
    parts = [f"{' and '.join(contact.between)}: elastic foundation, {law}"]
    if contact.integrate is not None:
        parts.append(f"pressure on {contact.integrate}")
    if contact.damping:
        parts.append(f"damping {contact.damping:g} s/m")
    friction = contact.friction
    if friction is None:
        parts.append("no friction")
    elif isinstance(friction, CoulombSpec):
        parts.append(f"coulomb friction {friction.coefficient:g}")
    else:
        parts.append(f"brown-mcphee friction {friction.static:g} at rest, {friction.dynamic:g} sliding")
    return ", ".join(parts)
