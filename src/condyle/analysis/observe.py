"""What elements did at the rows of a trajectory: the right-hand side once more, with nothing to integrate."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from condyle._jit import plain
from condyle.analysis.coordinates import body_energy, body_places
from condyle.analysis.dynamics import recall, right_hand_side
from condyle.analysis.trajectory import Trajectory
from condyle.analysis.wear import Wear, WearGauge
from condyle.beams.mesh import BeamMesh
from condyle.contact.foundation.surface import FACE_LOAD
from condyle.mechanics.system import Array
from condyle.model.compiled import CompiledModel

Pressures = NDArray[np.float32]


def tables_of(trajectory: Trajectory) -> tuple[Array, Pressures, Wear | None]:
    """The scratch of all elements at each row of a trajectory, shape (n, n_row, 16), or 32 wide in space; and the force
    on each face of each side of each foundation [N], shape (n, n_side_face), and the wear of those that are asked.
    """
    model = trajectory.model
    gauge = WearGauge(model, trajectory.time)
    arrays, work = model.arrays, model.work.copy()
    states = np.full((2, trajectory.y.shape[1]), np.nan)
    tables = np.full((len(trajectory.time), *work.shape), np.nan)
    faces = 0 if arrays.space is None else len(arrays.space.scratch.face_load)
    pressures = np.zeros((len(trajectory.time), faces), dtype=np.float32)
    recalled = plain(recall)
    for k, time in enumerate(trajectory.time):
        states[0] = trajectory.y[k]
        recalled(arrays, trajectory.memory[k], work)
        right_hand_side(time, states, 0, 1, arrays, trajectory.memory[k], work)
        tables[k] = work
        if arrays.space is not None:
            pressures[k] = arrays.space.scratch.face_load[:, FACE_LOAD]
            gauge.look(k, work)
    return tables, pressures, gauge.wear


def kinetic_energy(model: CompiledModel, y: Array) -> Array:
    """Kinetic energy of the free bodies and beams [J] at the rows of a trajectory, shape (n,)."""
    total = body_energy(model, y)
    for mesh, _, rates in beam_states(model, y):
        total += 0.5 * np.einsum("tka,tka->t", rates, _mass_times(mesh, rates))
    return np.asarray(total)


def gravity_energy(model: CompiledModel, y: Array) -> Array:
    """Potential energy of the weight of free bodies and beams [J], zero at the global origin, shape (n,)."""
    gravity = np.array(model.spec.model.gravity)
    masses = np.array([model.spec.model.bodies[name].mass for name in model.free_bodies], dtype=float)
    total = -(body_places(model, y) @ gravity) @ masses
    for mesh, pairs, _ in beam_states(model, y):
        total -= (pairs @ gravity) @ mesh.weight
    return np.asarray(total)


def beam_states(model: CompiledModel, y: Array) -> Iterator[tuple[BeamMesh, Array, Array]]:
    """Each beam with its coordinates and rates at the rows of a trajectory, shape (n, n_pair, 2) each."""
    n, first = model.n_coordinate, 3 * len(model.free_bodies)
    for mesh in model.meshes.values():
        last = first + mesh.coordinates.size
        shape = (len(y), -1, 2)
        yield mesh, y[:, first:last].reshape(shape), y[:, n + first : n + last].reshape(shape)
        first = last


def _mass_times(mesh: BeamMesh, rates: Array) -> Array:
    return np.moveaxis(mesh.mass_times(np.moveaxis(rates, 1, 0)), 0, 1)
