"""A root keeps its row from search to search, however near another one is."""

from __future__ import annotations

import numpy as np

from condyle.contact.detection import GAP, MODE, SEARCHED, U_FIRST
from condyle.contact.roots import NONE
from condyle.mechanics.system import ROOTS
from contact.pairs import PairOfCurves, bumpy, flat, polar


def test_near_spots_keep_their_rows_when_the_other_gets_deeper() -> None:
    """Sixty lobes, six degrees apart: rocked from one to the next, each row's root stays where it was."""
    pair = PairOfCurves(polar(bumpy(0.05, 0.0003, 60, 480), "cubic"), flat(0.3), spots=2)
    rows = pair.model.rows(ROOTS)
    lobe = 2.0 * np.pi / 60

    def parameters(tilt: float) -> dict[int, float]:
        """Where the roots near the lowest point are, by row, after a search."""
        pair.work[pair.row, SEARCHED] = 0.0
        pair.look(0.0503j, 0.5 * lobe + tilt)
        near = [r for r in rows if pair.work[r, MODE] != NONE and pair.work[r, GAP] < 2e-4]
        return {r: float(pair.work[r, U_FIRST]) for r in near}

    before, after = parameters(0.01), parameters(-0.01)
    assert len(before) == 2
    assert before.keys() == after.keys()
    for row, at in before.items():
        assert abs(after[row] - at) < 0.2 * lobe
    deeper = [min(found, key=found.__getitem__) for found in (before, after)]
    assert deeper[0] == deeper[1]
