"""The spatial picture of a run, as data that the page draws; surfaces stand in surfaces.py.

body      name, fixed, bare (whether it has no surface and is drawn as a triad), place (columns x, y, z),
          turn (columns e0..e3)
ligament  name, ends (columns x0, y0, z0, x1, y1, z1), strain, force (columns), allowed (strain), broken (time [s] or
          null)
spring    name, ends as a ligament's, extent, effort (columns), unit, turns
contact   name, on (the body on which it is shown), point, push (columns x, y, z of the force on the body that hides the
          other), force, peak (columns of its size and of the peak pressure or null)
path      name, body, x, y, z (columns of the centre of pressure in the body's frame), lift (which way is out of it)
load      name, point, push (columns x, y, z), force, torque (columns of their sizes; no torque: null)
field     name, title, unit, scale, most (largest value in the dataset's unit), times (of the frames; null: all one),
          told (output times of the results)

Lengths are in metres; `scale` and `unit` say what the picture shows, `box` what it holds, `up` and `eye` how it is
seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from condyle.view.axes import length_unit
from condyle.view.columns import Array
from condyle.view.run import Run, largest
from condyle.view.space_framing import space_view
from condyle.view.surfaces import Surface, Whole, bears_pressure, drawn, frame_rows, largest_field, surfaces
from condyle.view.vectors import AXES, keys, matrices, size, turn_keys, vector


def space(run: Run) -> dict[str, Any]:
    """Everything the spatial picture needs besides the time series."""
    made = surfaces(run)
    bodies = [name for name in run.labels("body") if run.has(*keys("position", name), *turn_keys(name))]
    made = [one for one in made if one.body in bodies]
    rows = frame_rows(run, made)
    pressed = bears_pressure(run, made)
    sides = {name: contact_sides(run, name, pressed) for name in _spots(run)}
    over = {side[1] for side in sides.values() if side[1]} - {side[0] for side in sides.values()}
    contacts = [_contact(run, name, *side) for name, side in sides.items()]
    loads = [load for name in run.labels("force") if (load := _load(run, name))]
    parts = {
        "surfaces": [drawn(run, one, rows, one.body in over) for one in made],
        "bodies": [_body(run, name, made) for name in bodies],
        "ligaments": [_ligament(run, name) for name in run.labels("ligament")],
        "springs": [spring for name in run.labels("spring") if (spring := _spring(run, name))],
        "contacts": contacts,
        "paths": [_path(run, name, side[0]) for name, side in sides.items() if side[0] in bodies],
        "loads": loads,
        "drivers": [_driver(run, name) for name in run.labels("driver")],
        "joints": [_joint(run, name) for name in run.labels("joint") if run.has(*keys("joint_force", name))],
        "fields": _fields(run, made, rows),
        "colours": _colours(),
        "strain": _strain_scale(run),
        "contact_force": largest(*(run.values("contact_size", one["name"]) for one in contacts)),
        "load_force": largest(*(run.values("load_size", one["name"]) for one in loads)),
    }
    return parts | space_view(run, made, bodies, [one["name"] for one in contacts])


def shown_paths(run: Run) -> list[tuple[str, str]]:
    """Contacts whose centre of pressure is followed, each with the body that bears it."""
    pressed = bears_pressure(run, surfaces(run))
    sides = [(name, contact_sides(run, name, pressed)[0]) for name in _spots(run)]
    return [(name, body) for name, body in sides if run.has(*turn_keys(body), *keys("position", body))]


def _spots(run: Run) -> list[str]:
    """Contacts with a force and a place: the parts of a pair where it has some, else the pair itself."""
    names = [name for name in run.labels("contact") if run.has(*keys("contact_force", name))]
    names = [name for name in names if run.has(*keys("contact_point", name))]
    whole = {name.partition("/")[0] for name in names if "/" in name}
    return [name for name in names if name not in whole]


def contact_sides(run: Run, name: str, pressed: set[str]) -> tuple[str, str]:
    """The body on which a contact is shown, and the one over it: the bearer of pressure, or the second of two alike."""
    if "contact_body" not in run.dataset.coords:
        return "", ""
    first, second = (str(body) for body in run.dataset["contact_body"].sel(contact=name).values)
    return (first, second) if first in pressed and second not in pressed else (second, first)


def _body(run: Run, name: str, made: Sequence[Surface]) -> dict[str, Any]:
    return {
        "name": name,
        "fixed": run.facts.fixed(name),
        "bare": not any(one.body == name for one in made),
        "place": [run.columns.take(*key) for key in keys("position", name)],
        "turn": [run.columns.follow(run.values(*key), "seen", *key) for key in turn_keys(name)],
    }


def _ends(run: Run, variable: str, name: str) -> list[int]:
    return [run.columns.take(*key) for end in ("origin", "insertion") for key in keys(variable, name, end)]


def _ligament(run: Run, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "ends": _ends(run, "ligament_point", name),
        "strain": run.columns.take("ligament_strain", name),
        "force": run.columns.take("ligament_force", name),
        "allowed": run.constant("ligament_allowed_strain", "ligament", name),
        "broken": run.constant("ligament_broken_time", "ligament", name),
    }


def _strain_scale(run: Run) -> float:
    """Top of the colour scale for ligaments without a bound: the others' highest, else the highest strain reached."""
    names = run.labels("ligament")
    allowed = [run.constant("ligament_allowed_strain", "ligament", name) for name in names]
    known = [bound for bound in allowed if bound]
    strains = [np.maximum(run.values("ligament_strain", name), 0.0) for name in names]
    return max(known) if known else largest(*strains) or 0.01


def _spring(run: Run, name: str) -> dict[str, Any]:
    ends = [key for end in ("origin", "insertion") for key in keys("spring_point", name, end)]
    if not run.has(("spring_effort", name), ("spring_extent", name), *ends):
        return {}
    return {
        "name": name,
        "unit": run.effort_unit("spring", name),
        "turns": run.effort_unit("spring", name) == "N m",
        "extent": run.columns.take("spring_extent", name),
        "effort": run.columns.take("spring_effort", name),
        "ends": _ends(run, "spring_point", name),
    }


def _driver(run: Run, name: str) -> dict[str, Any]:
    effort = run.columns.take("driver_effort", name)
    return {"name": name, "unit": run.effort_unit("driver", name), "effort": effort}


def _joint(run: Run, name: str) -> dict[str, Any]:
    return {"name": name, "force": run.columns.add(size(run, "joint_force", name), "joint_size", name)}


def _contact(run: Run, name: str, bearer: str, over: str) -> dict[str, Any]:
    """The arrow is the force on the body that lies over the other, where it can be seen."""
    first = run.dataset["contact_body"].sel(contact=name).values[0] if over else ""
    sign = 1.0 if not over or str(first) == over else -1.0
    force = sign * vector(run, "contact_force", name)
    peak = ("contact_peak_pressure", name)
    return {
        "name": name,
        "on": bearer,
        "point": [run.columns.take(*key) for key in keys("contact_point", name)],
        "push": [
            run.columns.add(part, "contact_push", name, axis)
            for part, axis in zip(force.T, AXES, strict=True)
        ],
        "force": run.columns.add(size(run, "contact_force", name), "contact_size", name),
        "peak": run.columns.take(*peak) if run.has(peak) else None,
    }


def local_path(run: Run, name: str, body: str) -> Array:
    """The centre of pressure in a body's frame while there is pressure, shape (n_time, 3), NaN in between."""
    away = vector(run, "contact_point", name) - vector(run, "position", body)
    places = np.einsum("tji,tj->ti", matrices(run, body), away)
    return np.where(size(run, "contact_force", name)[:, None] > 0.0, places, np.nan)


def _path(run: Run, name: str, body: str) -> dict[str, Any]:
    places = local_path(run, name, body)
    first = str(run.dataset["contact_body"].sel(contact=name).values[0])
    # Out of the body is where the force on it comes from.
    sign = -1.0 if first == body else 1.0
    pushed = np.einsum("tji,tj->i", matrices(run, body), np.nan_to_num(vector(run, "contact_force", name)))
    outward = sign * pushed / (np.linalg.norm(pushed) or 1.0)
    columns = [
        run.columns.add(part, "path", name, body, axis) for part, axis in zip(places.T, AXES, strict=True)
    ]
    return {"name": name, "body": body, "lift": outward} | dict(zip(AXES, columns, strict=True))


def _load(run: Run, name: str) -> dict[str, Any]:
    if not run.has(*keys("load", name), *keys("load_point", name)):
        return {}
    return {
        "name": name,
        "point": [run.columns.take(*key) for key in keys("load_point", name)],
        "push": [run.columns.take(*key) for key in keys("load", name)],
        "force": run.columns.add(size(run, "load", name), "load_size", name),
        "torque": _torque(run, name),
    }


def _torque(run: Run, name: str) -> int | None:
    """Size of a load's torque, where it ever has one."""
    if run.has(("load_torque", name)):
        values = np.abs(run.values("load_torque", name))
    elif run.has(*keys("load_torque", name)):
        values = size(run, "load_torque", name)
    else:
        return None
    return run.columns.add(values, "load_torque_size", name) if largest(values) > 0.0 else None


def _fields(run: Run, made: Sequence[Surface], rows: Whole) -> list[dict[str, Any]]:
    times = np.asarray(run.dataset["time"].values, dtype=float)[rows] if len(rows) else None
    found = []
    deepest, shown = length_unit(np.array([largest_field(run, "face_wear")]))
    for name, title, unit, scale, instants in (
        ("face_pressure", "Pressure", "MPa", 1e-6, times),
        ("face_wear", "Worn depth", shown, deepest, None),
    ):
        most = largest_field(run, name) if made else 0.0
        if most > 0.0:
            found.append(
                {
                    "name": name.removeprefix("face_"),
                    "title": title,
                    "unit": unit,
                    "scale": scale,
                    "most": most,
                }
                | {"times": instants, "told": run.dataset.sizes["time"]}
            )
    return found


def _colours() -> list[list[Any]]:
    """A scale of colours whose steps look alike, from dark to bright, as pairs of place and colour."""
    from plotly.colors import get_colorscale

    return [[place, colour] for place, colour in get_colorscale("viridis")]
