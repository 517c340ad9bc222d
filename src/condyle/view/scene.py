"""The moving picture of a run, as data that the page draws: outlines by body, ligaments, force arrows.

body      name, fixed, x, y, angle (columns), shapes
shape     kind (bone, solid, surface, ground), closed, filled, x, y in the body's frame [m]
ligament  name, ends (columns x0, y0, x1, y1), strain, force (columns), allowed (strain), broken (time [s] or null)
contact   name, x, y, nx, ny, force, depth (columns), on (bodies that its arrows are drawn for, with the sign)
load      name, x, y, fx, fy (columns), torque (column or null)

Beams, joints, drivers and springs stand in mechanisms.py; what to look at is `joint` and `whole`, see framing.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.view.columns import Array
from condyle.view.framing import frames, hull, is_closed, joined, solid_outlines
from condyle.view.mechanisms import mechanism
from condyle.view.run import Run, largest

# Thickness of the wall about a socket, in parts of the radius of what lies in it, and the least part of the socket's
# own radius with which all of it belongs into the picture.
WALL, WIDE = 0.35, 0.1


def scene(run: Run) -> dict[str, Any]:
    """Everything the picture needs besides the time series."""
    bodies = run.labels("body")
    # Frames on beams stand among the bodies and have no picture of their own.
    bodies = [name for name in bodies if not run.facts.is_frame(name)]
    drawn = [name for name in bodies if run.has(("position", name, "x"), ("angle", name))]
    loads = [_load(run, name) for name in run.labels("force") if run.has(("load", name, "x"))]
    joint, whole = frames(run, {name: [*bone_lines(run, name), *socket_rims(run, name)] for name in drawn})
    return {
        "bodies": [_body(run, name) for name in drawn],
        "ligaments": [_ligament(run, name) for name in run.labels("ligament")],
        "contacts": [contact for name in run.spots() if (contact := _contact(run, name))],
        "loads": loads,
        "joint": joint,
        "whole": whole,
        "strain": _strain_scale(run),
        "contact_force": largest(*_all(run, "contact_normal_force", "contact")),
        "load_force": largest(*(run.values("load", load["name"], axis) for load in loads for axis in "xy")),
    } | mechanism(run)


def bone_lines(run: Run, body: str) -> list[Array]:
    """The body's drawings [m], each of shape (n, 2), or the hull of what is known of it where there are none."""
    drawings = run.facts.drawings(body)
    # The solid about a socket is its bone; a hull would span what is hollow.
    if drawings or _sockets(run, body):
        return drawings
    outline = hull(_known_points(run, body))
    return [outline] if outline.size else []


def socket_rims(run: Run, body: str) -> list[Array]:
    """Outer edges of the solid about the body's sockets; none about one that is much wider than what lies in it."""
    names = [name for name in _sockets(run, body) if _wall(run, name) > WIDE * _reach(run.outline(name))]
    return [_rim(run, name) for name in names]


def _sockets(run: Run, body: str) -> list[str]:
    """The body's hollow profiles that are known."""
    return [name for name in run.profiles(body) if run.facts.hollow(name) and len(run.outline(name)) > 1]


def _rim(run: Run, profile: str) -> Array:
    """The outline of a socket, a wall further out, shape (n, 2)."""
    points = run.outline(profile)
    centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return np.asarray(centre + (1.0 + _wall(run, profile) / _reach(points)) * (points - centre))


def _wall(run: Run, profile: str) -> float:
    """How thick the solid about a socket is drawn [m]: in keeping with what lies in it."""
    sizes = [_reach(run.outline(name)) for name in [profile, *run.facts.partners(profile)]]
    return WALL * min(size for size in sizes if size > 0.0)


def _reach(points: Array) -> float:
    """Half the width of an outline [m]."""
    return 0.5 * float(np.ptp(points, axis=0).max()) if len(points) else 0.0


def _all(run: Run, name: str, dimension: str) -> list[Array]:
    return [run.values(name, label) for label in run.labels(dimension) if run.has((name, label))]


def _body(run: Run, name: str) -> dict[str, Any]:
    keys = {"x": ("position", name, "x"), "y": ("position", name, "y"), "angle": ("angle", name)}
    pose = {short: run.columns.take(*key) for short, key in keys.items()}
    return {"name": name, "fixed": run.facts.fixed(name), "shapes": _shapes(run, name)} | pose


def _shapes(run: Run, body: str) -> list[dict[str, Any]]:
    """What is drawn of a body: what its open lines enclose together, bone, and its profiles on top."""
    bones = bone_lines(run, body)
    edges = [line for line in bones + solid_outlines(run, body) if len(line) > 1 and not is_closed(line)]
    shapes = [_shape("bone", line, filled=True) for line in bones]
    if edges:
        shapes.insert(0, _shape("solid", joined(edges), filled=True))
    for profile in _sockets(run, body):
        inner, outer = run.outline(profile), _rim(run, profile)
        # Round the outer edge and back round the inner one: what lies between is solid.
        shapes.append(_shape("solid", np.concatenate([outer, inner[::-1]]), filled=True))
        shapes.append(_shape("bone", outer, filled=False))
    for profile in run.profiles(body):
        ground = run.facts.fixed(body) and run.facts.straight(profile)
        kind = "ground" if ground else "surface"
        shapes.append(_shape(kind, run.outline(profile), filled=not run.facts.hollow(profile)))
    return [shape for shape in shapes if len(shape["x"]) > 1]


def _shape(kind: str, points: Array, filled: bool) -> dict[str, Any]:
    closed = kind == "solid" or is_closed(points)
    return {"kind": kind, "closed": closed, "filled": filled and closed, "x": points[:, 0], "y": points[:, 1]}


def _known_points(run: Run, body: str) -> Array:
    """Origin, attachments and profile vertices of a body in its own frame; nothing for a bare support."""
    points = [np.zeros((1, 2))]
    for ligament in run.labels("ligament"):
        for end, owner in zip(("origin", "insertion"), run.facts.attachment_bodies(ligament), strict=False):
            if owner == body:
                points.append(
                    _start_local(run, body, [("ligament_point", ligament, end, axis) for axis in "xy"])
                )
    if run.facts.fixed(body) and len(points) == 1:
        return np.zeros((0, 2))
    carried = [name for name in run.profiles(body) if not run.facts.hollow(name)]
    return np.concatenate(points + [run.outline(name) for name in carried])


def _start_local(run: Run, body: str, keys: list[tuple[str, ...]]) -> Array:
    """A global point at the start, in a body's frame, shape (1, 2)."""
    if not run.has(*keys):
        return np.zeros((0, 2))
    x, y = (run.values(*key)[0] - run.values("position", body, key[-1])[0] for key in keys)
    turned = complex(x, y) * np.exp(-1j * run.values("angle", body)[0])
    return np.array([[turned.real, turned.imag]])


def _ligament(run: Run, name: str) -> dict[str, Any]:
    ends = [
        run.columns.take("ligament_point", name, end, axis)
        for end in ("origin", "insertion")
        for axis in "xy"
    ]
    return {
        "name": name,
        "ends": ends,
        "strain": run.columns.take("ligament_strain", name),
        "force": run.columns.take("ligament_force", name),
        "allowed": run.constant("ligament_allowed_strain", "ligament", name),
        "broken": run.constant("ligament_broken_time", "ligament", name),
    }


def _strain_scale(run: Run) -> float:
    """Top of the colour scale for ligaments without a bound: the others' highest, else the highest strain reached."""
    allowed = [run.constant("ligament_allowed_strain", "ligament", name) for name in run.labels("ligament")]
    if any(allowed):
        return max(bound for bound in allowed if bound)
    strains = _all(run, "ligament_strain", "ligament")
    return largest(*(np.maximum(strain, 0.0) for strain in strains)) or 0.01


def _contact(run: Run, name: str) -> dict[str, Any]:
    keys = {
        "x": ("contact_point", name, "x"),
        "y": ("contact_point", name, "y"),
        "nx": ("contact_normal", name, "x"),
        "ny": ("contact_normal", name, "y"),
        "force": ("contact_normal_force", name),
        "depth": ("contact_depth", name),
    }
    if not run.has(*keys.values()):
        return {}
    bodies = [run.facts.profile_body(profile) for profile in run.facts.contact_profiles(name)]
    # The force on a body that cannot move tells nothing.
    sides = [
        {"body": body, "sign": sign}
        for body, sign in zip(bodies, (1, -1), strict=False)
        if not run.facts.fixed(body)
    ]
    return {"name": name, "on": sides} | {short: run.columns.take(*key) for short, key in keys.items()}


def _load(run: Run, name: str) -> dict[str, Any]:
    place = {axis: run.columns.take("load_point", name, axis) for axis in "xy"}
    force = {f"f{axis}": run.columns.take("load", name, axis) for axis in "xy"}
    turning = run.has(("load_torque", name)) and largest(run.values("load_torque", name)) > 0.0
    return (
        {"name": name, "torque": run.columns.take("load_torque", name) if turning else None} | place | force
    )
