"""Which charts a run gets, as data that the page draws: a section holds charts, a chart holds series.

A number on the page is `{"at": column, "scale": s, "offset": o}` (a time series of the run) or `{"values": array}`.

    section   title, charts
    chart     title, y (axis label), series, x (choices of axis: label and number; the first one is shown; a choice may
              have a name, series and y of its own),
              equal (same scale on both axes), backdrop (outlines behind), window (x0, x1, y0, y1),
              floor (lowest y shown), note
    series    name, tone (0..6, then dashed), y, and x where the chart's choices do not serve; in place of y, `along`:
              columns whose values at the time shown are drawn over x, between `low` and `high`, their range over time
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from condyle.view.axes import axes, axis_label, length_unit, plain_name, series_of, times
from condyle.view.columns import Array
from condyle.view.mechanism_charts import beams, drivers, joints, springs
from condyle.view.run import Run, largest
from condyle.view.space import shown_paths
from condyle.view.space_charts import (
    contact_charts,
    is_vector,
    load_vectors,
    path_charts,
    turns,
    vector_chart,
)
from condyle.view.vectors import is_spatial

Chart = dict[str, Any]
FEW_SAMPLES = 12  # in one contact, below which its loop has corners


def sections(run: Run) -> list[dict[str, Any]]:
    """All sections that have anything to show."""
    parts = (
        ("Measures", _measures(run)),
        ("Ligaments", _ligaments(run)),
        ("Contact", _contacts(run)),
        ("Joints", joints(run)),
        ("Drivers", drivers(run)),
        ("Springs", springs(run)),
        ("Beams", beams(run)),
        ("Loads", _loads(run)),
        ("Energy", _energies(run)),
        ("Motion of the bodies", _motions(run)),
    )
    return [{"title": title, "charts": charts} for title, charts in parts if charts]


def _measures(run: Run) -> list[Chart]:
    by_unit: dict[str, list[str]] = {}
    for name in run.labels("measure"):
        by_unit.setdefault(run.unit(name), []).append(name)
    return [
        {
            "title": plain_name(names[0]) if len(names) == 1 else "Measures",
            "y": axis_label(plain_name(names[0]) if len(names) == 1 else "Value", unit),
            "x": [times(run)],
            "series": series_of(names, lambda name: run.number("measure_value", name)),
        }
        for unit, names in by_unit.items()
    ]


def _ligaments(run: Run) -> list[Chart]:
    names = run.labels("ligament")
    if not names:
        return []
    strain = series_of(names, lambda name: run.number("ligament_strain", name, scale=100.0))
    force = series_of(names, lambda name: run.number("ligament_force", name))
    return [
        {"title": "Ligament strain", "y": "Strain [%]", "x": axes(run), "series": strain},
        {"title": "Ligament force", "y": "Force [N]", "x": axes(run), "series": force},
    ]


def _contacts(run: Run) -> list[Chart]:
    names = run.spots()
    if not names:
        return []
    depths = [run.values("contact_depth", name) for name in names]
    known = np.concatenate([depth[np.isfinite(depth)] for depth in depths])
    pressed, apart = max(known, default=0.0), -min(known, default=0.0)
    scale, unit = length_unit(np.array([pressed]) if pressed > 0.0 else known)
    depth = series_of(names, lambda name: run.number("contact_depth", name, scale=scale))
    charts: list[Chart] = [
        {"title": "Contact depth", "y": f"Depth [{unit}]", "x": axes(run), "series": depth}
    ]
    if pressed > 0.0 and apart > 0.25 * pressed:
        charts[0] |= {
            "floor": -0.25 * pressed * scale,
            "note": "Below zero the surfaces are apart; larger gaps lie outside.",
        }
    charts += contact_charts(run, names)
    if is_spatial(run):
        return charts + path_charts(run, shown_paths(run))
    if any(largest(run.values("contact_normal_force", name)) for name in names):
        charts += [_contact_forces(run, names), *_paths(run), _loops(run, names, scale, unit)]
    return charts


def _contact_forces(run: Run, names: list[str]) -> Chart:
    series = series_of(names, lambda name: run.number("contact_normal_force", name))
    rubbing = [name for name in names if run.has(("contact_friction", name))]
    rubbing = [name for name in rubbing if largest(run.values("contact_friction", name)) > 0.0]
    for name in rubbing:
        series.append(
            {"name": f"{name} friction", "tone": len(series), "y": run.number("contact_friction", name)}
        )
    title = "Contact force" if rubbing else "Normal contact force"
    return {"title": title, "y": "Force [N]", "x": axes(run), "series": series}


def _loops(run: Run, names: list[str], scale: float, unit: str) -> Chart:
    series = []
    for tone, name in enumerate(names):
        depth, force = run.values("contact_depth", name), run.values("contact_normal_force", name)
        # The sample before onset and the one after release stay, so that the loop starts and ends on the axis.
        apart = np.convolve(depth > 0.0, np.ones(3), mode="same") == 0
        x = run.columns.add(np.where(apart, np.nan, np.maximum(depth, 0.0)), "loop_depth", name)
        y = run.columns.add(np.where(apart, np.nan, force), "loop_force", name)
        series.append({"name": name, "tone": tone, "x": {"at": x, "scale": scale}, "y": {"at": y}})
    return {
        "title": "Force against depth",
        "y": "Normal force [N]",
        "x": [{"label": f"Depth [{unit}]"}],
        "series": series,
        "note": "The area inside a loop is the energy the contact dissipates." + _coarse(run, names),
    }


def _coarse(run: Run, names: Sequence[str]) -> str:
    """A word of caution where contacts are too short for the samples kept."""
    touching = np.array([run.values("contact_depth", name) > 0.0 for name in names])
    episodes = np.count_nonzero(np.diff(touching, prepend=False, axis=1) & touching)
    few = 0 < touching.sum() < FEW_SAMPLES * episodes
    return (
        " Contacts are short for the samples drawn; a smaller run.output_step makes the loops round."
        if few
        else ""
    )


def _paths(run: Run) -> list[Chart]:
    return [
        chart
        for name in run.spots()
        for side, profile in zip(("first", "second"), run.facts.contact_profiles(name), strict=False)
        if (chart := _path(run, name, side, profile)) is not None
    ]


def _path(run: Run, name: str, side: str, profile: str) -> Chart | None:
    """Where a contact runs along one profile, in the body's own frame; none if it never closes."""
    keys = [("contact_point_local", name, side, axis) for axis in ("x", "y")]
    if not run.has(*keys):
        return None
    places = [run.values(*key) for key in keys]
    touching = (run.values("contact_depth", name) > 0.0) & np.isfinite(places).all(axis=0)
    if not touching.any():
        return None
    points = [np.where(touching, place, np.nan) for place in places]
    outline = run.outline(profile)
    both = [run.outline(other) for other in run.facts.contact_profiles(name)]
    window = _window(points, both)
    scale, unit = length_unit(np.array(window))
    x, y = (run.columns.add(part, "path", name, side, axis) for part, axis in zip(points, "xy", strict=True))
    body = run.facts.profile_body(profile)
    return {
        "title": f"{plain_name(name)}: on {profile}",
        "y": f"y on {body} [{unit}]",
        "x": [{"label": f"x on {body} [{unit}]"}],
        "series": [{"name": name, "tone": 0, "style": "track"} | {"x": _at(x, scale), "y": _at(y, scale)}],
        "equal": True,
        "backdrop": [{"x": outline[:, 0] * scale, "y": outline[:, 1] * scale}],
        "window": [value * scale for value in window],
    }


def _at(column: int, scale: float) -> dict[str, Any]:
    return {"at": column, "scale": scale}


def _window(points: Sequence[Array], outlines: Sequence[Array]) -> list[float]:
    """Frame (x0, x1, y0, y1) about a path, with a quarter of the smaller outline to see where it lies."""
    lows = np.array([np.nanmin(part) for part in points])
    highs = np.array([np.nanmax(part) for part in points])
    sizes = [float(np.ptp(outline, axis=0).max()) for outline in outlines if len(outline)]
    reach = 0.25 * min(sizes, default=0.0)
    half = np.maximum(0.65 * (highs - lows), reach)
    middle = (lows + highs) / 2
    return [
        float(v) for v in (middle[0] - half[0], middle[0] + half[0], middle[1] - half[1], middle[1] + half[1])
    ]


def _loads(run: Run) -> list[Chart]:
    names = run.labels("force")
    forces = [] if is_spatial(run) else [("load", name, axis) for name in names for axis in "xy"]
    torques = [("load_torque", name) for name in names]
    charts: list[Chart] = load_vectors(run, names) if is_spatial(run) else []
    turning = [name for name in names if is_vector(run, "load_torque", name)]
    if turning:
        charts.append(vector_chart(run, "load_torque", turning, "Applied torques", "N m"))
    for title, unit, keys in (
        ("Applied forces", "Force [N]", forces),
        ("Applied torques", "Torque [N m]", torques),
    ):
        acting = [key for key in keys if run.has(key) and largest(run.values(*key)) > 0.0]
        series = [
            {"name": ", ".join(key[1:]), "tone": tone, "y": run.number(*key)}
            for tone, key in enumerate(acting)
        ]
        if series:
            charts.append({"title": title, "y": unit, "x": [times(run)], "series": series})
    return charts


def _energies(run: Run) -> list[Chart]:
    kinds = [kind for kind in run.labels("kind") if largest(run.values("energy", kind)) > 0.0]

    def number(kind: str) -> dict[str, Any]:
        # The height at which gravity's energy is zero means nothing, so what it changed by is shown.
        start = float(run.values("energy", kind)[0]) if kind == "gravity" else 0.0
        return run.number("energy", kind, offset=-start if np.isfinite(start) else 0.0)

    charts: list[Chart] = []
    shown = [kind for kind in kinds if kind != "residual"]
    if shown:
        series = [item | {"name": item["name"].replace("_", " ")} for item in series_of(shown, number)]
        charts.append({"title": "Energy and work", "y": "Energy [J]", "x": [times(run)], "series": series})
        notes = ["Gravity counted from the start."] if "gravity" in shown else []
        charts[0]["note"] = " ".join([*notes, *_unstored(run)])
    if "residual" in kinds:
        series = series_of(["residual"], number)
        charts.append(
            {"title": "Energy balance residual", "y": "Energy [J]", "x": [times(run)], "series": series}
        )
        charts[-1]["note"] = "Change of energy less the work of loads plus what was dissipated: the audit."
    return charts


def _unstored(run: Run) -> list[str]:
    """A word about contacts whose energy no line shows."""
    names = [name for name in run.labels("contact") if "/" not in name and run.facts.follows_outline(name)]
    if not names:
        return []
    return [
        f"The stiffness of {' and '.join(names)} follows the outline, so that no energy is stored there: "
        "its work is integrated and counted as dissipated, also what comes back."
    ]


def _motions(run: Run) -> list[Chart]:
    """Where the bodies are that move along an axis or turn."""
    charts: list[Chart] = []
    plane = ("Horizontal position", "Vertical position", "Position out of the plane")
    titles = [f"Position along {axis}" for axis in "xyz"] if is_spatial(run) else plane
    for axis, title in zip("xyz", titles, strict=True):
        moving = _changing(run, "position", axis)
        if not moving:
            continue
        scale, unit = length_unit(np.concatenate([run.values("position", name, axis) for name in moving]))
        series = [
            {"name": name, "tone": tone, "y": run.number("position", name, axis, scale=scale)}
            for tone, name in enumerate(moving)
        ]
        charts.append({"title": title, "y": f"{axis} [{unit}]", "x": [times(run)], "series": series})
    if turning := _changing(run, "angle"):
        series = series_of(turning, lambda name: run.number("angle", name, scale=180.0 / np.pi))
        charts.append({"title": "Angle", "y": "Angle [°]", "x": [times(run)], "series": series})
    return charts + turns(run)


def _changing(run: Run, name: str, *rest: str) -> list[str]:
    """Bodies whose series is more than a constant and round-off."""
    bodies = [body for body in run.labels("body") if run.has((name, body, *rest))]
    values = {body: run.values(name, body, *rest) for body in bodies}
    return [body for body, one in values.items() if largest(one - one[0]) > 1e-12 * max(1.0, largest(one))]
