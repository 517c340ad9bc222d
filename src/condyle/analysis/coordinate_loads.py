"""Loads of contacts conjugate to named coordinates, and how they grow along these (Lin 2010, Eq. 1).

Measures that, with the joints, say where every body is are a set of generalised coordinates c. While joints are kept,
the rates of the bodies are v = B dc/dt, with B the columns that belong to the measures of the inverse of the Jacobian
of joints and measures together. What a contact does to its bodies, Q_v, then is Q_c = B^T Q_v along the coordinates:
its power is Q_c . dc/dt. Drivers hold nothing here.

The diagonal stiffness is s_k = dQ_k / dc_k (Lin 2010, Eq. 1), by central differences, of a model at rest, so that
damping and friction have no part in it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from condyle.analysis.coordinates import measure_jacobian, moved
from condyle.analysis.dynamics import recall, right_hand_side
from condyle.contact.foundation.pair import PAIR_FORCE, PAIR_MOMENT
from condyle.contact.foundation.pairs import FIRST_BODY, N_PATCH_ROW, SECOND_BODY
from condyle.mechanics import system
from condyle.mechanics.space import N_BODY_RATE, PLACE, ROTATION
from condyle.mechanics.system import EQUATIONS, MEASURES, PATCHES, Array
from condyle.model.compiled import CompiledModel
from condyle.multibody.declarations import is_angle
from condyle.multibody.space_constraints import MEASURE_ROW

# Steps of the differences: along coordinates that turn [rad] and others [m].
TURN, SHIFT = 1e-6, 1e-8
# Singular values of the Jacobian below this part of the largest are zero.
INDEPENDENT = 1e-9


class CoordinateLoads:
    """What the contacts of a model in space do along named measures, at states of one's own choosing.

    coordinates : names of declared measures that, with the joints, say where every body is; `ValueError` for others.
    """

    def __init__(self, model: CompiledModel, coordinates: Sequence[str]) -> None:
        declared, first = list(model.spec.model.measures), model.rows(MEASURES).start
        if model.surfaces is None or not model.surfaces.pairs:
            raise ValueError(
                "loads along coordinates are those of foundations between surfaces; there are none"
            )
        if not set(coordinates) <= set(declared) or len(set(coordinates)) != len(coordinates):
            raise ValueError(
                f"coordinates: expected some of the model's measures, {', '.join(declared)}, each once; "
                f"got {', '.join(coordinates)}"
            )
        self.model = model
        self.angles = [is_angle(model.spec.model.measures[name]) for name in coordinates]
        self._joints = [
            int(model.arrays.link[row, MEASURE_ROW])
            for row, equation in zip(model.rows(EQUATIONS), model.equations, strict=True)
            if equation.owner not in model.spec.model.drivers
        ]
        self._measures = [first + declared.index(name) for name in coordinates]
        self._memory, self._work = model.memory.copy(), model.work.copy()

    def at(self, y: Array) -> Array:
        """Loads of all rows of contacts at a state along each coordinate [N, N m], shape (n_patch, n_coordinate)."""
        self._look(y)
        return self._loads() @ self._partial_velocities()

    def stiffness(self, y: Array) -> Array:
        """Diagonal stiffness at the pose of a state, at rest [N/m, N m/rad], shape (n_patch, n_coordinate)."""
        n, rest, found = self.model.n_coordinate, y.copy(), []
        rest[n:] = 0.0
        self._look(rest)
        for k, velocities in enumerate(self._partial_velocities().T):
            step, sides = TURN if self.angles[k] else SHIFT, []
            for sign in (1.0, -1.0):
                nudged = rest.copy()
                nudged[:n] = moved(self.model, rest[:n], sign * step * velocities)
                sides.append(self.at(nudged)[:, k])
            found.append((sides[0] - sides[1]) / (2.0 * step))  # Lin 2010, Eq. 1
        return np.array(found).T

    def _look(self, y: Array) -> None:
        """Find where bodies are and what presses on them at a state."""
        model = self.model
        states = np.stack([y, np.zeros_like(y)])
        recall(model.arrays, self._memory, self._work)
        right_hand_side(0.0, states, 0, 1, model.arrays, self._memory, self._work)

    def _partial_velocities(self) -> Array:
        """Rates of the bodies for each coordinate's rate, shape (n_rate, n_coordinate)."""
        joints = measure_jacobian(self.model, self._joints, self._work)
        both = np.vstack([joints, measure_jacobian(self.model, self._measures, self._work)])
        free = self.model.n_rate - _rank(joints)
        if _rank(both) < self.model.n_rate or len(self._measures) != free:
            raise ValueError(
                f"coordinates: {len(self._measures)} measures, but the joints leave {free} ways to move; name as many, "
                "none of which follows from the others"
            )
        return np.asarray(np.linalg.pinv(both, rcond=INDEPENDENT)[:, len(self._joints) :], dtype=float)

    def _loads(self) -> Array:
        """What each row of contacts does to the rates of both its bodies, shape (n_patch, n_rate)."""
        rows, link, work = self.model.rows(PATCHES), self.model.arrays.link, self._work
        found, whole = np.zeros((len(rows), self.model.n_rate)), rows.start
        for k, row in enumerate(rows):
            if link[row, N_PATCH_ROW] > 0:
                whole = row
            first, second = int(link[whole, FIRST_BODY]), int(link[whole, SECOND_BODY])
            force, moment = work[row, PAIR_FORCE : PAIR_FORCE + 3], work[row, PAIR_MOMENT : PAIR_MOMENT + 3]
            arm = work[first, PLACE : PLACE + 3] - work[second, PLACE : PLACE + 3]
            self._add(found[k], first, force, moment)
            self._add(found[k], second, -force, -(moment + np.cross(arm, force)))
        return found

    def _add(self, into: Array, row: int, force: Array, moment: Array) -> None:
        """Add a force and a moment about the centre of mass of a body, in global axes, to those along its rates."""
        body = row - int(self.model.arrays.layout[system.BODIES])
        if body < self.model.arrays.layout[system.N_FREE]:
            v = N_BODY_RATE * body
            into[v : v + 3] += force
            into[v + 3 : v + 6] += moment @ self._work[row, ROTATION : ROTATION + 9].reshape(3, 3)


def _rank(matrix: Array) -> int:
    return int(np.linalg.matrix_rank(matrix, tol=INDEPENDENT)) if matrix.size else 0
