"""Charts of joints, drivers, springs and beams; what a chart is stands in charts.py."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from condyle.view.axes import axes, length_unit, plain_name, series_of, times
from condyle.view.columns import Array
from condyle.view.mechanisms import arcs, joint_size, stations, turning_joints
from condyle.view.run import Run, largest
from condyle.view.space_charts import is_vector, vector_chart
from condyle.view.vectors import is_spatial

Chart = dict[str, Any]
DEGREES = 180.0 / np.pi


def joints(run: Run) -> list[Chart]:
    """Magnitudes of joint forces, with their parts on demand; torques where there are some."""
    names = [name for name in run.labels("joint") if run.has(("joint_force", name, "x"))]
    if not names:
        return []
    if is_spatial(run):
        turned = [name for name in names if is_vector(run, "joint_torque", name)]
        forces = vector_chart(run, "joint_force", names, "Joint forces", "N")
        return [forces] + (
            [vector_chart(run, "joint_torque", turned, "Joint torques", "N m")] if turned else []
        )
    sizes = {name: run.columns.add(joint_size(run, name), "joint_size", name) for name in names}
    parts = [
        times(run)
        | {
            "name": axis,
            "y": f"Force along {axis} [N]",
            "series": _over_time(run, "joint_force", names, axis),
        }
        for axis in "xy"
    ]
    force = {
        "title": "Joint forces",
        "y": "Force [N]",
        "x": [*axes(run), *parts],
        "series": series_of(names, lambda name: {"at": sizes[name]}),
        "note": "On the second body of each joint; x and y in the global frame.",
    }
    turning = turning_joints(run)
    if not turning:
        return [force]
    torque = _over_time(run, "joint_torque", turning)
    return [force, {"title": "Joint torques", "y": "Torque [N m]", "x": axes(run), "series": torque}]


def _over_time(
    run: Run, variable: str, names: Iterable[str], *rest: str, scale: float = 1.0
) -> list[dict[str, Any]]:
    return series_of(names, lambda name: run.number(variable, name, *rest, scale=scale))


def drivers(run: Run) -> list[Chart]:
    """Efforts of drivers, torques and forces apart."""
    return _efforts(run, "driver", "Driver")


def springs(run: Run) -> list[Chart]:
    """Efforts of springs, and their lengths or angles."""
    charts = _efforts(run, "spring", "Spring")
    for unit, names in _by_unit(run, "spring").items():
        values = [run.values("spring_extent", name) for name in names]
        turns = unit == "N m"
        scale, shown = (DEGREES, "°") if turns else length_unit(np.concatenate(values))
        word = "Angle" if turns else "Length"
        series = _over_time(run, "spring_extent", names, scale=scale)
        title = f"Spring {word.lower()}s"
        charts.append({"title": title, "y": f"{word} [{shown}]", "x": axes(run), "series": series})
    return charts


def _efforts(run: Run, dimension: str, word: str) -> list[Chart]:
    charts: list[Chart] = []
    for unit, names in _by_unit(run, dimension).items():
        what = "Torque" if unit == "N m" else "Force"
        series = _over_time(run, f"{dimension}_effort", names)
        title = f"{word} {what.lower()}s"
        charts.append({"title": title, "y": f"{what} [{unit}]", "x": axes(run), "series": series})
    return charts


def _by_unit(run: Run, dimension: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in run.labels(dimension):
        if run.has((f"{dimension}_effort", name)):
            found.setdefault(run.effort_unit(dimension, name), []).append(name)
    return found


def beams(run: Run) -> list[Chart]:
    """Largest strain over time, then bending moment and axial force along the beams at the time shown."""
    names = [name for name in run.labels("beam") if stations(run, name)]
    if not names:
        return []
    strains = {name: run.columns.add(_largest_over(run, name), "largest_strain", name) for name in names}
    largest_strain = {
        "title": "Largest surface strain",
        "y": "Strain [%]",
        "x": axes(run),
        "series": series_of(names, lambda name: {"at": strains[name], "scale": 100.0}),
    }
    told = (
        ("beam_bending_moment", "Bending moment", "N m"),
        ("beam_axial_force", "Axial force", "N"),
        ("beam_shear_force", "Shear force", "N"),
    )
    charts = [_along(run, _known(run, names, key), key, title, unit) for key, title, unit in told]
    return [largest_strain, *(chart for chart in charts if chart["series"])]


def _known(run: Run, names: list[str], variable: str) -> list[str]:
    """Beams of which a variable tells anything; cable beams have no shear force."""
    found = [name for name in names if run.has((variable, name, stations(run, name)[0]))]
    return [name for name in found if np.isfinite(_table(run, name, variable, stations(run, name))).any()]


def _largest_over(run: Run, beam: str) -> Array:
    """Largest strain at the surface of a beam, at all its stations, over time."""
    table = _table(run, beam, "beam_surface_strain", run.labels("station"))
    known = table[np.isfinite(table).any(axis=1)]
    return np.asarray(known.max(axis=0)) if len(known) else np.full(table.shape[1], np.nan)


def _table(run: Run, beam: str, variable: str, labels: Iterable[str]) -> Array:
    """A variable at stations of a beam, shape (n_station, n_time)."""
    return np.array([run.values(variable, beam, label) for label in labels])


def _along(run: Run, names: list[str], variable: str, title: str, unit: str) -> Chart:
    reach = {name: arcs(run, name, stations(run, name)) for name in names}
    scale, shown = length_unit(np.concatenate([np.zeros(0), *reach.values()]))
    series = []
    for tone, name in enumerate(names):
        table = _table(run, name, variable, stations(run, name))
        size = largest(table)
        digits = 4 - int(np.floor(np.log10(size))) if size > 0.0 else 4
        columns = [
            run.columns.follow(np.round(row, digits), "along", variable, name, label)
            for row, label in zip(table, stations(run, name), strict=True)
        ]
        finite = table[:, np.isfinite(table).all(axis=0)]
        bounds = [finite.min(axis=1), finite.max(axis=1)] if finite.size else [reach[name] * np.nan] * 2
        series.append(
            {"name": name, "tone": tone, "x": {"values": reach[name] * scale}, "along": columns}
            | {"low": {"values": bounds[0]}, "high": {"values": bounds[1]}}
        )
    return {
        "title": f"{title} along the beam" + ("s" if len(names) > 1 else ""),
        "y": f"{plain_name(title)} [{unit}]",
        "x": [{"label": f"Along the beam [{shown}]"}],
        "series": series,
        "note": "At the time shown; the band is what it reaches over all time.",
    }
