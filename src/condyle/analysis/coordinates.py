"""Coordinates, rates and masses of a whole model as vectors: what Newton's method over all bodies works on.

In the plane rates are those of the coordinates. In space a body's three rates of turning stand for four Euler
parameters, so coordinates are moved along rates, not added to. Either way the mass matrix is constant: bodies one by
one, in their own frames, and a band for each beam.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from condyle._jit import plain
from condyle.beams import columns
from condyle.math.space import parameters_after
from condyle.mechanics import frames, space, system
from condyle.mechanics.space import N_BODY_COORDINATE, N_BODY_RATE
from condyle.mechanics.system import BEAMS, EQUATIONS, Array, Integers
from condyle.model.compiled import CompiledModel
from condyle.multibody import equations, space_measures
from condyle.multibody.space_constraints import MEASURE_ROW


def moved(model: CompiledModel, q: Array, change: Array) -> Array:
    """Coordinates moved along rates, shape (n_coordinate,); `change` (n_rate,) in m, rad or their like."""
    if model.dimensions == 2:
        return q + change
    found = q.copy()
    for b in range(len(model.free_bodies)):
        at, v = N_BODY_COORDINATE * b, N_BODY_RATE * b
        found[at : at + 3] += change[v : v + 3]
        e0, e1, e2, e3 = q[at + 3 : at + 7].tolist()
        x, y, z = change[v + 3 : v + 6].tolist()
        found[at + 3 : at + 7] = plain(parameters_after)((e0, e1, e2, e3), (x, y, z))
    return found


def apart(model: CompiledModel, q: Array, other: Array) -> Array:
    """By how much coordinates differ from others, along rates, shape (n_rate,); turns to first order."""
    if model.dimensions == 2:
        return q - other
    found = np.zeros(model.n_rate)
    for b in range(len(model.free_bodies)):
        at, v = N_BODY_COORDINATE * b, N_BODY_RATE * b
        found[v : v + 3] = q[at : at + 3] - other[at : at + 3]
        e, f = (part[at + 3 : at + 7] / np.linalg.norm(part[at + 3 : at + 7]) for part in (other, q))
        vector = e[0] * f[1:] - f[0] * e[1:] - np.cross(e[1:], f[1:])
        found[v + 3 : v + 6] = 2.0 * np.sign(e @ f) * vector
    return found


def sizes(model: CompiledModel, q: Array) -> Array:
    """How large coordinates are, along rates, shape (n_rate,): turns count as 1 in space."""
    if model.dimensions == 2:
        return np.abs(q)
    bodies = np.abs(q.reshape(-1, N_BODY_COORDINATE)[:, :3])
    return np.hstack([bodies, np.ones_like(bodies)]).ravel()


# Where a measure has no rate of its own its row is not finite, which is told where it matters.
@np.errstate(invalid="ignore")
def jacobian(model: CompiledModel, work: Array) -> Array:
    """J of all equations with respect to all rates, shape (n_equation, n_rate)."""
    arrays, rows = model.arrays, model.rows(EQUATIONS)
    if model.dimensions == 3:
        return measure_jacobian(model, arrays.link[rows, MEASURE_ROW], work)
    found = np.zeros((len(rows), model.n_rate))
    for k, row in enumerate(rows):
        for side, column in enumerate((equations.FIRST_FRAME, equations.SECOND_FRAME)):
            first = (equations.J_FIRST, equations.J_SECOND)[side]
            _spread(arrays, int(arrays.link[row, column]), work[row, first : first + 3], work, found[k])
    return found


def measure_jacobian(model: CompiledModel, rows: Sequence[int] | Integers, work: Array) -> Array:
    """J of measures in space, by their rows, with respect to all rates, shape (n, n_rate)."""
    arrays, found = model.arrays, np.zeros((len(rows), model.n_rate))
    for k, row in enumerate(rows):
        for side, column in enumerate((space_measures.FIRST, space_measures.SECOND)):
            first = (space_measures.J_FIRST, space_measures.J_SECOND)[side]
            _spread_in_space(
                arrays, int(arrays.link[row, column]), work[row, first : first + 6], work, found[k]
            )
    return found


def _spread(arrays: system.Model, row: int, gradient: Array, work: Array, into: Array) -> None:
    """Add a gradient with respect to a frame's place and angle to one with respect to coordinates."""
    body = row - int(arrays.layout[system.BODIES])
    if body < arrays.layout[system.N_FREE]:
        into[3 * body : 3 * body + 3] += gradient
    elif row >= arrays.layout[system.FRAMES]:
        count, first = int(arrays.link[row, frames.N_PAIR]), int(arrays.link[row, frames.FIRST])
        place = arrays.value[row, frames.PLACE : frames.PLACE + count]
        direction = gradient[2] * arrays.value[row, frames.DIRECTION : frames.DIRECTION + count]
        turn = work[row, [frames.GRADIENT_X, frames.GRADIENT_Y]]
        into[first : first + 2 * count] += (np.outer(place, gradient[:2]) + np.outer(direction, turn)).ravel()


def _spread_in_space(arrays: system.Model, row: int, gradient: Array, work: Array, into: Array) -> None:
    """Add a gradient with respect to a body's rates in global axes to one with respect to its own."""
    body = row - int(arrays.layout[system.BODIES])
    if body < arrays.layout[system.N_FREE]:
        rotation = work[row, space.ROTATION : space.ROTATION + 9].reshape(3, 3)
        v = N_BODY_RATE * body
        into[v : v + 3] += gradient[:3]
        into[v + 3 : v + 6] += gradient[3:] @ rotation


def over_mass(model: CompiledModel, vectors: Array) -> Array:
    """M^-1 times generalised forces, shape (n_rate, n)."""
    arrays = model.arrays
    found = np.empty_like(vectors)
    first = int(arrays.layout[system.BODIES])
    if model.dimensions == 3:
        for b, (mass, tensor) in enumerate(_body_masses(model)):
            v = N_BODY_RATE * b
            found[v : v + 3] = vectors[v : v + 3] / mass
            found[v + 3 : v + 6] = np.linalg.solve(tensor, vectors[v + 3 : v + 6])
        return found
    for k in range(len(model.free_bodies)):
        masses = arrays.value[first + k, [system.MASS, system.MASS, system.INERTIA]]
        found[3 * k : 3 * k + 3] = vectors[3 * k : 3 * k + 3] / masses[:, None]
    for row, mesh in zip(model.rows(BEAMS), model.meshes.values(), strict=True):
        begin = int(arrays.link[row, columns.FIRST])
        block = slice(begin, begin + mesh.coordinates.size)
        pairs = vectors[block].reshape(len(mesh.coordinates), -1)
        found[block] = mesh.responses(pairs).reshape(-1, vectors.shape[1])
    return found


def mass_times(model: CompiledModel, rates: Array) -> Array:
    """The mass matrix times all rates, shape (n_rate,)."""
    if model.dimensions == 3:
        return np.concatenate(
            [
                part
                for b, (mass, tensor) in enumerate(_body_masses(model))
                for part in (
                    mass * rates[N_BODY_RATE * b :][:3],
                    tensor @ rates[N_BODY_RATE * b + 3 :][:3],
                )
            ]
        )
    first = 3 * len(model.free_bodies)
    parts = [plane_masses(model) * rates[:first]]
    for mesh in model.meshes.values():
        last = first + mesh.coordinates.size
        parts.append(mesh.mass_times(rates[first:last].reshape(-1, 2)).ravel())
        first = last
    return np.concatenate(parts)


def plane_masses(model: CompiledModel) -> Array:
    """Mass, mass and inertia of the free bodies in turn, shape (3 n_free,)."""
    bodies = [model.spec.model.bodies[name] for name in model.free_bodies]
    return np.array([(b.mass, b.mass, b.inertia) for b in bodies], dtype=float).ravel()


def _body_masses(model: CompiledModel) -> list[tuple[float, Array]]:
    """Mass [kg] and tensor of inertia [kg m^2] of each free body."""
    bodies = [model.spec.model.bodies[name] for name in model.free_bodies]
    return [(body.mass or 0.0, np.array(body.inertia, dtype=float)) for body in bodies]


def body_energy(model: CompiledModel, y: Array) -> Array:
    """Kinetic energy of the free bodies [J] at states, shape (n,)."""
    rates = y[:, model.rates]
    if model.dimensions == 2:
        return np.asarray(
            0.5 * (plane_masses(model) * rates[:, : 3 * len(model.free_bodies)] ** 2).sum(axis=1)
        )
    total = np.zeros(len(y))
    for b, (mass, tensor) in enumerate(_body_masses(model)):
        velocity, spin = np.split(rates[:, N_BODY_RATE * b :][:, :N_BODY_RATE], 2, axis=1)
        total += 0.5 * (mass * (velocity**2).sum(axis=1) + np.einsum("ti,ij,tj->t", spin, tensor, spin))
    return total


def body_places(model: CompiledModel, y: Array) -> Array:
    """Places of the free bodies' centres of mass [m] at states, shape (n, n_free, dimensions)."""
    width = 3 if model.dimensions == 2 else N_BODY_COORDINATE
    bodies = y[:, : width * len(model.free_bodies)].reshape(len(y), -1, width)
    return bodies[:, :, : model.dimensions]
