"""Axes of charts: labels, units and numbers that the page draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from condyle.view.columns import Array
from condyle.view.run import Run, largest

ANGLE_UNITS = {"deg": "°", "degree": "°", "degrees": "°", "rad": "rad", "radian": "rad"}


def shown_unit(unit: str) -> str:
    """A unit as the page prints it."""
    return ANGLE_UNITS.get(unit, unit)


def length_unit(values: Array) -> tuple[float, str]:
    """Factor and unit that give lengths in metres a readable size."""
    size = largest(values)
    if size == 0.0 or size >= 2.0:
        return (1e3, "mm") if size == 0.0 else (1.0, "m")
    return (1e6, "µm") if size < 2e-5 else (1e3, "mm")


def times(run: Run) -> dict[str, Any]:
    return {"label": "Time [s]", "number": run.number("time"), "time": True}


def axes(run: Run) -> list[dict[str, Any]]:
    """Time, and the angles among the measures."""
    angles = [name for name in run.labels("measure") if run.unit(name) in ANGLE_UNITS]
    return [times(run)] + [
        {"label": axis_label(plain_name(name), run.unit(name)), "number": run.number("measure_value", name)}
        for name in angles[:2]
    ]


def plain_name(name: str) -> str:
    """A name from a model file as a title: `knee_flexion` as `Knee flexion`."""
    text = name.replace("_", " ")
    return text[:1].upper() + text[1:]


def axis_label(title: str, unit: str) -> str:
    """Title with its unit in brackets, if it has one."""
    return f"{title} [{shown_unit(unit)}]" if unit not in ("", "1") else title


def series_of(names: Iterable[str], number: Callable[[str], dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": name, "tone": tone, "y": number(name)} for tone, name in enumerate(names)]
