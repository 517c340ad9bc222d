"""A trajectory and what all elements did at its rows."""

from __future__ import annotations

from dataclasses import dataclass

from condyle.analysis.observe import Pressures
from condyle.analysis.trajectory import Trajectory
from condyle.analysis.wear import Wear
from condyle.mechanics.system import Array


@dataclass(frozen=True)
class Observed:
    """A trajectory with what all elements did at its rows: `work` (n, n_row, 16), or 32 wide in space.

    face_force : on each face of each side of each foundation [N], shape (n, n_side_face); wear : of the contacts
    that are asked for it.
    """

    trajectory: Trajectory
    work: Array
    face_force: Pressures
    wear: Wear | None

    def of(self, family: int, *columns: int) -> Array:
        """Columns of a family of elements, shape (n, n_element, n_column); one column drops the last axis."""
        found = self.work[:, self.trajectory.model.rows(family)][:, :, list(columns)]
        return found[:, :, 0] if len(columns) == 1 else found
