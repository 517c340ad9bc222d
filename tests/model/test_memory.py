"""Results that would not fit into memory are refused before the run, with what to do."""

from __future__ import annotations

import re

import pytest

import condyle
from condyle.model.compiled import compiled
from condyle.model.memory import MOST_BYTES
from condyle.model.space_placement import SpacePlacement
from condyle.model.surfaces import SpaceSurfaces
from condyle.spec.errors import SpecError
from space_models import ball_on_plate, short


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
    """A run of long rows that fits without its 5632 faces, with force and pressure of each is refused."""
    spec = ball_on_plate(short(100.0, step=1e-3, output_step=1e-3), 0.0)
    finer = spec.updated({"surfaces.skin.ball.level": 4})
    with pytest.raises(ValueError, match=r"run\.output_step: makes 1e\+05 rows of results, (.+) GB"):
        compiled(finer)
    surface = SpaceSurfaces(finer, SpacePlacement(finer.model))
    assert surface.n_side_face == 5120 + 512
