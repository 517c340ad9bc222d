"""A compiled model whose right-hand side can be asked at any state, and its mass matrix found by other means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray
from scipy.interpolate import CubicHermiteSpline

from condyle._jit import plain
from condyle.analysis import dynamics
from condyle.analysis.assembly import assembled
from condyle.analysis.dynamics import right_hand_side
from condyle.mechanics.system import ANGLE, PX, PY
from condyle.model.compiled import CompiledModel, compiled
from condyle.model.spec import Spec

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Seen:
    """What the right-hand side found at a state: the table of scratch, and the rates of the state."""

    work: Array
    rate: Array
    rates: slice

    @property
    def acceleration(self) -> Array:
        """Rates of all rates, shape (n_rate,)."""
        return self.rate[self.rates]

    @property
    def powers(self) -> Array:
        """Rates of the work integrals [W], shape (4,)."""
        return self.rate[self.rates.stop :]

    def pose(self, row: int) -> Array:
        """Place and angle of a body or frame, shape (3,)."""
        return self.work[row, [PX, PY, ANGLE]]


class Evaluation:
    """The right-hand side of a model at states of one's own choosing."""

    def __init__(self, spec: Spec) -> None:
        self.model: CompiledModel = compiled(spec)
        self.memory = self.model.memory.copy()
        self.n = self.model.n_coordinate

    def at(self, q: Array, v: Array | None = None, time: float = 0.0) -> Seen:
        """The right-hand side at coordinates and rates (none: at rest), from fresh scratch."""
        y = np.zeros(len(self.model.start))
        y[: self.n], y[self.model.rates] = q, 0.0 if v is None else v
        states, work = np.full((2, len(y)), np.nan), self.model.work.copy()
        states[0] = y
        right_hand_side(time, states, 0, 1, self.model.arrays, self.memory, work)
        return Seen(work, states[1].copy(), self.model.rates)

    def settle(self, q: Array, v: Array | None = None) -> None:
        """Let ligaments be taut or slack, and contacts touch or not, as they are at a state."""
        plain(dynamics.fill_signs)(self.model.arrays, self.memory, self.at(q, v).work, 0.0)

    def together(self) -> tuple[Array, Array]:
        """Coordinates and rates at the start, with all joints closed."""
        y = assembled(self.model, self.memory, self.model.work.copy()).y
        return y[: self.n], y[self.model.rates]

    @property
    def start(self) -> tuple[Array, Array]:
        """Coordinates and rates as the file gives them."""
        return self.model.start[: self.n].copy(), self.model.start[self.model.rates].copy()

    def near(self, rng: np.random.Generator, size: float = 0.1) -> tuple[Array, Array]:
        """Coordinates at random around those of the start, and rates at random."""
        return self.start[0] + size * rng.normal(size=self.n), rng.normal(size=self.n)

    def row(self, name: str) -> int:
        """Row of a body or frame."""
        return self.model.body_rows[name]

    def mass(self) -> Array:
        """Mass matrix of all coordinates, that of beams by a quadrature of its own, shape (n, n)."""
        matrix, first = np.zeros((self.n, self.n)), 0
        for name in self.model.free_bodies:
            body = self.model.spec.model.bodies[name]
            matrix[range(first, first + 3), range(first, first + 3)] = body.mass, body.mass, body.inertia
            first += 3
        for name, beam in self.model.spec.model.beams.items():
            length = self.model.meshes[name].length * beam.elements
            block = np.kron(beam_mass(beam.elements, length, beam.line_density), np.eye(2))
            matrix[first : first + len(block), first : first + len(block)] = block
            first += len(block)
        return matrix


def hermite(values: Array, length: float) -> CubicHermiteSpline:
    """What a beam's pairs, place and slope of each node in turn, shape (n_pair, ...), make along it."""
    count = len(values) // 2
    return CubicHermiteSpline(np.linspace(0.0, length, count), values[::2], values[1::2])


def along_beam(elements: int, length: float, points: int = 8) -> tuple[Array, Array]:
    """Places along a beam and weights by which to integrate over it [m]."""
    at, weight = leggauss(points)
    step = length / elements
    places = step * (np.arange(elements)[:, None] + 0.5 * (at + 1.0)).ravel()
    return places, np.tile(0.5 * step * weight, elements)


def beam_mass(elements: int, length: float, line_density: float) -> Array:
    """Mass matrix of a beam's pairs, shape (n_pair, n_pair)."""
    places, weights = along_beam(elements, length)
    functions = hermite(np.eye(2 * (elements + 1)), length)(places)
    return np.asarray(line_density * np.einsum("s,si,sj->ij", weights, functions, functions))
