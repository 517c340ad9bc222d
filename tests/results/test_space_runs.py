"""Runs of the built-in models in space: their audits, and their results on disk, in files, in the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import condyle
from condyle.io import export
from condyle.results import read_results
from condyle.results.checks import check_dataset
from condyle.view import report

pytestmark = pytest.mark.compiled

# Long enough for contact to come and go, with fewer rows.
SHORT: dict[str, dict[str, Any]] = {
    # Friction begins at once, which steps as long as the model's own resolve over a whole cycle only.
    "ball-in-socket": {"run.duration": 0.05, "run.output_step": 0.01, "run.step": 2.5e-4},
    "knee-laxity": {"run.duration": 0.4, "run.output_step": 0.2},
    "sphere-on-plate": {"run.duration": 0.03, "run.output_step": 1e-3},
    "stanmore-tkr": {"run.duration": 0.03, "run.output_step": 0.01},
    "top": {"run.duration": 0.1, "run.output_step": 0.01},
    "total-knee-drop": {"run.duration": 0.02, "run.output_step": 1e-3},
}


def test_these_are_all_models_in_space() -> None:
    names = [name for name in condyle.builtin_models() if condyle.load(name).model.dimensions == 3]
    assert sorted(names) == sorted(SHORT)


@pytest.mark.parametrize("name", SHORT)
def test_built_in_models_run_and_their_results_are_whole(name: str, tmp_path: Path) -> None:
    results = condyle.simulate(condyle.load(name).updated(SHORT[name]))
    assert results.complete
    assert results.audit.passed
    assert results.audit.unbalanced is None or results.audit.unbalanced < 1e-3
    check_dataset(results.dataset)
    assert np.linalg.norm(results.dataset["orientation"].values, axis=-1) == pytest.approx(1.0)
    results.save(tmp_path / "out")
    assert read_results(tmp_path / "out") == results
    assert str(results.summary())
    for form in ("csv", "sto", "vtk"):
        assert export(results, tmp_path / form, form)
    if name != "top":
        assert export(results, tmp_path / "vtu", "vtu")
        assert results.dataset["contact_depth"].max() > 0.0
    page = report(results, tmp_path / "page")
    assert Path(page).stat().st_size > 1e5


@pytest.mark.parametrize("name", SHORT)
def test_built_in_models_have_nothing_to_warn_of(name: str) -> None:
    assert condyle.simulate(condyle.load(name).updated(SHORT[name])).audit.notes == ()


def test_runs_say_the_same_again() -> None:
    """Scratch that a run leaves behind is not seen by the next one: the same to the bits."""
    spec = condyle.load("total-knee-drop").updated(SHORT["total-knee-drop"])
    one, other = condyle.simulate(spec).dataset, condyle.simulate(spec).dataset
    assert one["contact_force"].max() > 1.0
    for name in ("position", "contact_force", "face_pressure"):
        assert np.array_equal(one[name].values, other[name].values), name
