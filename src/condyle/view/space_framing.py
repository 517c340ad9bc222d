"""What the spatial picture holds and where it is seen from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from condyle.view.axes import length_unit
from condyle.view.columns import Array
from condyle.view.run import Run, largest
from condyle.view.surfaces import Surface, Whole
from condyle.view.vectors import AXES, keys, matrices, vector

N_POSE, N_POINT = 24, 400  # poses looked at and points of a surface, to find what the picture must hold
ARROW, TRIAD = 0.3, 0.06  # length of the largest arrow and of a triad's arm, in parts of the picture


def space_view(
    run: Run, made: Sequence[Surface], bodies: Sequence[str], contacts: Sequence[str]
) -> dict[str, Any]:
    """The box that holds surfaces, ligaments, springs and arrows at all times, or the bodies where there are none."""
    at = np.unique(np.linspace(0, len(run.values("time")) - 1, N_POSE).round().astype(np.intp))
    parts = [_moved(run, at, one) for one in made]
    parts += [
        vector(run, variable, name, end)[at]
        for variable, dimension in (("ligament_point", "ligament"), ("spring_point", "spring"))
        for name in run.labels(dimension)
        for end in ("origin", "insertion")
        if run.has(*keys(variable, name, end))
    ]
    parts = parts or [vector(run, "position", name)[at] for name in bodies]
    low, high = _bounds(parts)
    reach = float((high - low).max()) or 1.0
    most = largest(*(run.values("contact_size", one) for one in contacts)) or 1.0
    tips = []
    for one in contacts:
        push = np.column_stack([run.values("contact_push", one, axis) for axis in AXES])
        tips.append((vector(run, "contact_point", one) + push * (ARROW * reach / most))[at])
    low, high = _bounds([low[None], high[None], *tips])
    margin = 0.04 * float((high - low).max()) or 0.5
    scale, unit = length_unit(np.array([reach]))
    up = _up(run)
    # From the front, the inner side and a little above. The picture's axes are the model's in their order, the last one
    # up: with y up, as of ISB (x to the front, z to the right), they are z, x, y; with z up, x is taken for the front.
    eye = (-1.15, 1.15, 0.75) if up == "y" else (1.15, -1.15, 0.75)
    return {
        "box": np.column_stack([low - margin, high + margin]),
        "arrow": ARROW * reach,
        "triad": TRIAD * reach,
        "scale": scale,
        "unit": unit,
        "up": up,
        "eye": list(eye),
    }


def _moved(run: Run, at: Whole, one: Surface) -> Array:
    """Some points of a surface at the chosen samples, shape (n, 3)."""
    points = one.vertices[:: max(1, len(one.vertices) // N_POINT)]
    turned = np.einsum("tij,pj->tpi", matrices(run, one.body)[at], points)
    return np.asarray((turned + vector(run, "position", one.body)[at][:, None]).reshape(-1, 3))


def _bounds(parts: Sequence[Array]) -> tuple[Array, Array]:
    points = np.concatenate([np.zeros((0, 3)), *parts])
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        return np.full(3, -0.5), np.full(3, 0.5)
    return points.min(axis=0), points.max(axis=0)


def _up(run: Run) -> str:
    """The axis against gravity, or y without it."""
    gravity = np.asarray(run.facts.model.gravity, dtype=float)
    return AXES[int(np.argmax(np.abs(gravity)))] if gravity.any() else "y"
