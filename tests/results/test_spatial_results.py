"""Spatial results on disk and in the summary, from runs made without the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from condyle.results import read_results
from condyle.results.checks import check_dataset
from view.spatial import rolling_dataset, rolling_results


def test_spatial_results_come_back_as_they_were(tmp_path: Path) -> None:
    results = rolling_results(samples=5, fine=6)
    results.save(tmp_path)
    assert read_results(tmp_path) == results


def test_the_summary_has_forces_pressures_and_areas() -> None:
    results = rolling_results(samples=41)
    rows = {row.name: row for row in results.summary().contacts}
    data = results.dataset
    sizes = np.linalg.norm(data["contact_force"].values, axis=-1)
    assert list(rows) == ["rolling", "rolling/medial", "rolling/lateral"]
    assert rows["rolling"].force == pytest.approx(sizes[:, 0].max())
    assert rows["rolling"].force_time == pytest.approx(0.25)
    assert rows["rolling"].pressure == data["contact_peak_pressure"].values.max()
    assert rows["rolling/medial"].area == data["contact_area"].values[:, 1].max()
    assert "peak pressure [MPa]" in str(results.summary())


def _without(name: str) -> Any:
    return lambda data: data.drop_vars(name)


def _past_the_end(data: Any) -> Any:
    data["surface_face"].values[0, 0] = data.sizes["vertex"]
    return data


def _below_zero(data: Any) -> Any:
    data["face_surface"].values[0] = -1
    return data


def _strange_body(data: Any) -> Any:
    return data.assign(surface_body=(("surface",), ["ball", "stranger"]))


def _quads(data: Any) -> Any:
    return data.drop_vars("surface_face").assign(
        surface_face=(("face", "corner"), np.zeros((data.sizes["face"], 4), dtype=int))
    )


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (_without("contact_force"), "contact_force"),
        (_without("surface_vertex"), "surface_vertex"),
        (_without("vertex_surface"), "vertex_surface"),
        (_past_the_end, "'surface_face' names what is not there"),
        (_below_zero, "'face_surface' names what is not there"),
        (_strange_body, "'surface_body' names bodies"),
        (_quads, "4 vertices"),
    ],
)
def test_damaged_surfaces_are_refused(damage: Any, told: str) -> None:
    data = rolling_dataset(2, 3, 6)
    check_dataset(data)
    with pytest.raises(ValueError, match=told):
        check_dataset(damage(data))
