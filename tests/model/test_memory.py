"""Results that would not fit into memory are refused before the run, with what to do."""

from __future__ import annotations

import re

import pytest

import condyle
from condyle.model.compiled import compiled
from condyle.model.memory import MOST_BYTES
from condyle.spec.errors import SpecError


def test_rows_times_elements_are_bounded() -> None:
    """A million rows are allowed as such; with the elements of a knee they are gigabytes."""
    knee = condyle.load("planar-knee").updated({"run.output_step": 6e-7})
    with pytest.raises(SpecError) as caught:
        compiled(knee)
    found = re.fullmatch(
        r"run\.output_step: makes 8.33e\+05 rows of results, (.+) GB of memory with this model; take (.+) s or more",
        str(caught.value),
    )
    assert found is not None
    assert float(found[1]) > MOST_BYTES / 1e9
    model = compiled(knee.updated({"run.output_step": found[2]}))
    rows, numbers = model.spec.model.run.rows(), 2 * model.memory.size + len(model.start)
    assert 0.8 * MOST_BYTES < 8.0 * rows * numbers <= MOST_BYTES


def test_pressures_on_faces_count() -> None:
    """Rows that fit without surfaces do not with them: 14,336 numbers a row for a ball of 5,120 faces on 2,048."""
    ball = condyle.load("sphere-on-plate").updated({"run.duration": 1.0, "run.step": 2e-5})
    compiled(ball.updated({"run.output_step": 1e-4}))
    with pytest.raises(SpecError, match=r"run\.output_step: makes 5e\+04 rows of results"):
        compiled(ball.updated({"run.output_step": 2e-5}))
    coarse = {"surfaces.sphere.ball.level": 0, "surfaces.table.plate.divisions": [1, 1]}
    compiled(ball.updated({"run.output_step": 2e-5, **coarse}))
