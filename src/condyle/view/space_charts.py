"""Charts of what has three parts or exists in space only: contact forces and pressures, turns of bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from condyle.math.orientations import rotation_vectors
from condyle.view.axes import axes, length_unit, plain_name, series_of, times
from condyle.view.run import Run, largest
from condyle.view.space import local_path
from condyle.view.vectors import AXES, matrices, size, vector

Chart = dict[str, Any]
DEGREES = 180.0 / np.pi


def is_vector(run: Run, *key: str) -> bool:
    """Whether there are x, y and z of a variable."""
    return run.has(*((*key, axis) for axis in AXES))


def vector_chart(run: Run, variable: str, names: Sequence[str], title: str, unit: str) -> Chart:
    """Magnitudes of vectors, with their parts along the global axes on demand."""
    word = plain_name(title).rpartition(" ")[2].rstrip("s").capitalize()
    sizes = {name: run.columns.add(size(run, variable, name), f"{variable}_size", name) for name in names}

    def part(axis: str) -> Callable[[str], dict[str, Any]]:
        return lambda name: run.number(variable, name, axis)

    parts = [
        times(run)
        | {"name": axis, "y": f"{word} along {axis} [{unit}]", "series": series_of(names, part(axis))}
        for axis in AXES
    ]
    return {
        "title": title,
        "y": f"{word} [{unit}]",
        "x": [*axes(run), *parts],
        "series": series_of(names, lambda name: {"at": sizes[name]}),
        "note": "Magnitudes; x, y and z in the global frame.",
    }


def contact_charts(run: Run, names: Sequence[str]) -> list[Chart]:
    """Forces, moments, pressures and areas of contacts between surfaces, and where they are."""
    charts = []
    for variable, title, unit in (
        ("contact_force", "Contact forces", "N"),
        ("contact_moment", "Contact moments", "N m"),
    ):
        known = [name for name in names if is_vector(run, variable, name)]
        if any(largest(size(run, variable, name)) > 0.0 for name in known):
            charts.append(vector_chart(run, variable, known, title, unit))
    for variable, title, label, scale in (
        ("contact_peak_pressure", "Peak pressure", "Pressure [MPa]", 1e-6),
        ("contact_mean_pressure", "Mean pressure", "Pressure [MPa]", 1e-6),
        ("contact_area", "Contact area", "Area [mm²]", 1e6),
    ):
        known = [name for name in names if run.has((variable, name))]
        if any(largest(run.values(variable, name)) > 0.0 for name in known):
            series = [
                {"name": name, "tone": tone, "y": run.number(variable, name, scale=scale)}
                for tone, name in enumerate(known)
            ]
            charts.append({"title": title, "y": label, "x": axes(run), "series": series})
    return charts


def path_charts(run: Run, paths: Sequence[tuple[str, str]]) -> list[Chart]:
    """Centres of pressure over time in the frames of the bodies that bear them; `paths` are contacts and bodies."""
    by_body: dict[str, list[str]] = {}
    for name, body in paths:
        by_body.setdefault(body, []).append(name)
    return [chart for body, names in by_body.items() if (chart := _path(run, body, names)) is not None]


def _path(run: Run, body: str, names: Sequence[str]) -> Chart | None:
    places = {name: local_path(run, name, body) for name in names}
    if not largest(*places.values()) > 0.0:
        return None
    scale, unit = length_unit(np.concatenate(list(places.values())))

    def part(k: int) -> Callable[[str], dict[str, Any]]:
        return lambda name: {
            "at": run.columns.add(places[name][:, k], "path", name, body, AXES[k]),
            "scale": scale,
        }

    choices = [
        times(run) | {"name": axis, "y": f"{axis} [{unit}]", "series": series_of(names, part(k))}
        for k, axis in enumerate(AXES)
    ]
    return {
        "title": f"Centre of pressure on {body}",
        "y": f"x [{unit}]",
        "x": choices,
        "series": choices[0]["series"],
        "note": "In the body's frame.",
    }


def turns(run: Run) -> list[Chart]:
    """How far bodies have turned from where they started: the angle, and the parts of its rotation vector on demand."""
    found = {}
    for name in run.labels("body"):
        if run.has(*(("orientation", name, label) for label in ("e0", "e1", "e2", "e3"))):
            orientations = matrices(run, name)
            turned = rotation_vectors(orientations @ orientations[0].T) * DEGREES
            if largest(turned) > 1e-9:
                found[name] = turned
    if not found:
        return []

    def angle(name: str) -> dict[str, Any]:
        return {"at": run.columns.add(np.linalg.norm(found[name], axis=1), "turned", name)}

    def part(k: int) -> Callable[[str], dict[str, Any]]:
        return lambda name: {"at": run.columns.add(found[name][:, k], "turned", name, AXES[k])}

    parts = [
        times(run) | {"name": axis, "y": f"Angle about {axis} [°]", "series": series_of(found, part(k))}
        for k, axis in enumerate(AXES)
    ]
    return [
        {
            "title": "Turned from the start",
            "y": "Angle [°]",
            "x": [times(run), *parts],
            "series": series_of(found, angle),
            "note": "Of the one rotation from the first to the present orientation; x, y, z: angle times axis.",
        }
    ]


def load_vectors(run: Run, names: Sequence[str]) -> list[Chart]:
    """Applied forces in space by their magnitude and parts."""
    acting = [name for name in names if is_vector(run, "load", name)]
    acting = [name for name in acting if largest(vector(run, "load", name)) > 0.0]
    return [vector_chart(run, "load", acting, "Applied forces", "N")] if acting else []
