"""A beam divided into elements: shape functions, mass, shape at rest, and the frames it carries, as plain arrays.

x and y of every coordinate side by side are a pair; what is said of pairs holds for x and y alike.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.linalg import cho_solve_banded, cholesky_banded

from condyle.beams.columns import FACTOR_BAND, FACTOR_WIDTH

Array = NDArray[np.float64]

# Points of integration of the strain energy. Axial strain and curvature share them: with three, a beam that bends into
# an arc may do so without stretching, which four would not let it.
STRAIN_POINTS = 3
# Samples of a curved beam's shape by which its length is measured.
LENGTH_SAMPLES = 4001
# Step along the imaginary axis for rates: of no size that numbers could feel.
STEP = 1e-100


@dataclass(frozen=True)
class BeamMesh(ABC):
    """A beam of elements of one kind.

    count : elements; length : of one at rest [m].
    coordinates : pairs of all nodes at rest, the place first, shape (n_pair, 2).
    mass : lower band of the mass matrix of pairs [kg, kg m, kg m^2], shape (band + 1, n_pair).
    shapes : a row for each point of integration: its length [m], then what the element's kernel needs there.
    rest : strains at rest at the points of all elements, shape (count n_point, n_strain).
    """

    count: int
    length: float
    coordinates: Array
    mass: Array
    shapes: Array
    rest: Array

    @property
    def weight(self) -> Array:
        """Mass that weighs on each pair: the integral of its shape function [kg, kg m], shape (n_pair,)."""
        # The places of the nodes add up to a whole that moves in a straight line.
        rigid = np.zeros(len(self.coordinates))
        rigid[:: self.node_pairs] = 1.0
        return self.mass_times(rigid)

    def mass_times(self, vector: Array) -> Array:
        """The mass matrix times a vector or several, shape (n_pair, ...)."""
        product = self.mass[0][(slice(None), *[None] * (vector.ndim - 1))] * vector
        for k in range(1, len(self.mass)):
            band = self.mass[k, : len(vector) - k][(slice(None), *[None] * (vector.ndim - 1))]
            product[k:] += band * vector[:-k]
            product[:-k] += band * vector[k:]
        return np.asarray(product)

    def factor(self) -> Array:
        """L D L^T of the mass matrix: for each pair L left of its diagonal, 1 / D, L below it, nearest first.

        Shape (n_pair, 11).
        """
        lower = cholesky_banded(self.mass, lower=True)
        count = len(self.coordinates)
        rows = np.zeros((count, FACTOR_WIDTH))
        rows[:, FACTOR_BAND] = 1.0 / lower[0] ** 2
        for k in range(1, len(self.mass)):
            below = lower[k, : count - k] / lower[0, : count - k]
            rows[k:, k - 1] = below
            rows[: count - k, FACTOR_BAND + k] = below
        return rows

    def mass_rows(self) -> Array:
        """The mass matrix of pairs, for each its row from five left of the diagonal to five right, (n_pair, 11)."""
        count = len(self.coordinates)
        rows = np.zeros((count, 2 * FACTOR_BAND + 1))
        rows[:, FACTOR_BAND] = self.mass[0]
        for k in range(1, len(self.mass)):
            rows[k:, FACTOR_BAND - k] = self.mass[k, : count - k]
            rows[: count - k, FACTOR_BAND + k] = self.mass[k, : count - k]
        return rows

    @property
    def node_pairs(self) -> int:
        """Pairs of coordinates in a node."""
        return len(self.coordinates) // (self.count + 1)

    def responses(self, weights: Array) -> Array:
        """M^-1 times weights of pairs, shape (n_pair, n)."""
        return np.asarray(cho_solve_banded((cholesky_banded(self.mass, lower=True), True), weights))

    @abstractmethod
    def weights_at(self, along: float) -> tuple[int, Array, Array, float]:
        """First pair, weights of the place and of a direction for a frame at a part of the whole length, and how far
        the frame is turned from that direction [rad].
        """

    @abstractmethod
    def strains(self, element: int, part: float, pairs: Array, rates: Array) -> Array:
        """Axial, bending [1/m] and shear strain and their rates at a part of an element, shape (6, n).

        pairs, rates : all of the beam's, shape (n, n_pair, 2).
        """

    def block(self, element: int) -> slice:
        """The pairs of an element."""
        return slice(self.node_pairs * element, self.node_pairs * (element + 2))

    def seen_at(self, parts: Array, pairs: Array, rates: Array) -> tuple[Array, Array]:
        """What is seen at parts of the length, shape (n_part,), of coordinates and rates (n, n_pair, 2).

        Places [m] (n, n_part, 2); axial, bending [1/m] and shear strain less what they are at rest, and their rates,
        (6, n, n_part). Where two elements meet, their strains are averaged.
        """
        place = np.zeros((len(pairs), len(parts), 2))
        strains = np.zeros((6, len(pairs), len(parts)))
        for k, part in enumerate(parts):
            at = part * self.count
            first, weights, _, _ = self.weights_at(float(part))
            place[:, k] = np.einsum("p,tpa->ta", weights, pairs[:, first : first + len(weights)])
            left, right = max(int(np.ceil(at)) - 1, 0), min(int(at), self.count - 1)
            for element in (left, right):
                rest = self.strains(
                    element, at - element, self.coordinates[None], 0.0 * self.coordinates[None]
                )
                strains[:, :, k] += 0.5 * (self.strains(element, at - element, pairs, rates) - rest)
        return place, strains


@dataclass(frozen=True)
class CableMesh(BeamMesh):
    """A beam of cable elements: places and slopes.

    gyration : bending over axial stiffness [m^2].
    """

    gyration: float

    def weights_at(self, along: float) -> tuple[int, Array, Array, float]:
        """The direction is r'."""
        element = min(int(along * self.count), self.count - 1)
        place, slope, _ = shape_functions(along * self.count - element, self.length)
        return 2 * element, place, slope, 0.0

    def strains(self, element: int, part: float, pairs: Array, rates: Array) -> Array:
        """Stretch less 1, curvature, no shear."""
        functions, block = shape_functions(part, self.length), self.block(element)
        found = _strains(functions, pairs[:, block], rates[:, block])
        nothing = np.zeros(found.shape[1])
        return np.stack([found[0], found[1], nothing, found[2], found[3], nothing])

    def seen_at(self, parts: Array, pairs: Array, rates: Array) -> tuple[Array, Array]:
        """As for every beam, but for the stretch, which is what the axial force makes of it.

        In a cubic element that bends, single points stretch by far more than that, and so does their mean. What one
        half of an element pulls at the other with is the force on its end node, as exact as equilibrium is.
        """
        place, strains = super().seen_at(parts, pairs, rates)
        # All of it is analytic, so a step along the imaginary axis gives the rate to the last digit.
        stretch = self._stretch(parts, pairs + STEP * 1j * rates)
        strains[0], strains[3] = stretch.real, stretch.imag / STEP
        return place, strains

    def _stretch(self, parts: Array, pairs: Array) -> Array:
        """Axial force over axial stiffness at parts of the length, shape (n, n_part)."""
        pulls = np.einsum("pe,nea->npa", _between_middles(parts, self.count), self._pulls(pairs))
        found = np.zeros(pulls.shape[:2], dtype=pairs.dtype)
        for k, part in enumerate(parts):
            first, _, weights, _ = self.weights_at(float(part))
            slope = np.einsum("p,npa->na", weights, pairs[:, first : first + len(weights)])
            found[:, k] = (pulls[:, k] * slope).sum(axis=1) / np.sqrt((slope**2).sum(axis=1))
        return found

    def _pulls(self, pairs: Array) -> Array:
        """Force that goes through the middle of each element over axial stiffness, shape (n, n_element, 2).

        It is conjugate to the place of the element's end: by parts, the mean of the force along the element with
        the weight 6 u (1 - u), since the shape function of that place has no slope at either end.
        """
        found = np.zeros((len(pairs), self.count, 2), dtype=pairs.dtype)
        blocks = pairs[:, 2 * np.arange(self.count)[:, None] + np.arange(4)]
        for k, row in enumerate(self.shapes):
            slope, bend = (
                np.einsum("p,nepa->nea", row[1:5], blocks),
                np.einsum("p,nepa->nea", row[5:9], blocks),
            )
            rest = self.rest[k :: len(self.shapes)]
            squared = (slope**2).sum(axis=2)
            cross = slope[..., 0] * bend[..., 1] - slope[..., 1] * bend[..., 0]
            curvature = cross / squared - rest[:, 1]
            # How stretch and curvature change with the place of the element's end.
            first, second = row[3], row[7]
            stretch = (1.0 - (1.0 + rest[:, 0]) / np.sqrt(squared))[..., None] * first * slope
            crossing = first * _clockwise(bend) - second * _clockwise(slope)
            bending = crossing / squared[..., None] - (2.0 * first * cross / squared**2)[..., None] * slope
            found += row[0] * (stretch + self.gyration * curvature[..., None] * bending)
        return found


def _clockwise(vectors: Array) -> Array:
    """Vectors turned by a quarter, shape (..., 2)."""
    return np.stack([vectors[..., 1], -vectors[..., 0]], axis=-1)


def _between_middles(parts: Array, count: int) -> Array:
    """What values in the middles of elements count at parts of the length, on straight lines, shape (n_part, count)."""
    if count == 1:
        return np.ones((len(parts), 1))
    at = parts * count - 0.5
    left = np.clip(np.floor(at).astype(int), 0, count - 2)
    table, rows = np.zeros((len(parts), count)), np.arange(len(parts))
    table[rows, left], table[rows, left + 1] = 1.0 - (at - left), at - left
    return table


def _strains(functions: tuple[Array, Array, Array], pairs: Array, rates: Array) -> Array:
    """Stretch less 1, curvature [1/m] and rates of both at one place of an element, shape (4, n)."""
    _, first, second = functions
    slope, bend = np.einsum("p,tpa->at", first, pairs), np.einsum("p,tpa->at", second, pairs)
    turn, sway = np.einsum("p,tpa->at", first, rates), np.einsum("p,tpa->at", second, rates)
    squared = (slope**2).sum(axis=0)
    stretch = np.sqrt(squared)
    curvature = (slope[0] * bend[1] - slope[1] * bend[0]) / squared
    along = (slope * turn).sum(axis=0)
    across = turn[0] * bend[1] - turn[1] * bend[0] + slope[0] * sway[1] - slope[1] * sway[0]
    return np.stack([stretch - 1.0, curvature, along / stretch, (across - 2.0 * curvature * along) / squared])


def cable_mesh(line: Array, count: int, line_density: float, gyration: float = 0.0) -> CableMesh:
    """The mesh of a beam along a line, straight between two points or smooth through more, shape (n, 2) [m].

    gyration : bending over axial stiffness [m^2]; forces along the beam need it.
    """
    place, slope, length = rest_shape(line)
    arc = np.linspace(0.0, length, count + 1)
    coordinates = np.stack([place(arc), slope(arc)], axis=1).reshape(-1, 2)
    step = length / count
    points, weights = leggauss(STRAIN_POINTS)
    at = 0.5 * (points + 1.0)
    shapes = np.array(
        [
            [0.5 * w * step, *shape_functions(u, step)[1], *shape_functions(u, step)[2]]
            for u, w in zip(at, weights, strict=True)
        ]
    )
    strains = [strains_of(row, coordinates[2 * k : 2 * k + 4]) for k in range(count) for row in shapes]
    return CableMesh(
        count, step, coordinates, _mass(count, step, line_density), shapes, np.array(strains), gyration
    )


def shape_functions(u: float, length: float) -> tuple[Array, Array, Array]:
    """The four functions of an element at a part of its length, their slopes [1/m] and second derivatives [1/m^2]."""
    place = [
        1.0 - 3.0 * u**2 + 2.0 * u**3,
        length * (u - 2.0 * u**2 + u**3),
        3.0 * u**2 - 2.0 * u**3,
        length * (u**3 - u**2),
    ]
    slope = [
        6.0 * (u**2 - u) / length,
        1.0 - 4.0 * u + 3.0 * u**2,
        6.0 * (u - u**2) / length,
        3.0 * u**2 - 2.0 * u,
    ]
    second = [
        (12.0 * u - 6.0) / length**2,
        (6.0 * u - 4.0) / length,
        (6.0 - 12.0 * u) / length**2,
        (6.0 * u - 2.0) / length,
    ]
    return np.array(place), np.array(slope), np.array(second)


def strains_of(point: Array, pairs: Array) -> tuple[float, float]:
    """Stretch less 1 and curvature [1/m] at a point of integration, from the element's pairs, shape (4, 2)."""
    slope, second = point[1:5] @ pairs, point[5:9] @ pairs
    squared = slope @ slope
    return float(np.sqrt(squared) - 1.0), float((slope[0] * second[1] - slope[1] * second[0]) / squared)


def _mass(count: int, length: float, line_density: float) -> Array:
    """Lower band of the mass matrix of pairs, shape (4, n_pair)."""
    points, weights = leggauss(4)
    element = np.zeros((4, 4))
    for x, w in zip(points, weights, strict=True):
        place, _, _ = shape_functions(0.5 * (x + 1.0), length)
        element += 0.5 * w * length * line_density * np.outer(place, place)
    band = np.zeros((4, 2 * (count + 1)))
    for k in range(count):
        for i in range(4):
            for j in range(i + 1):
                band[i - j, 2 * k + j] += element[i, j]
    return band


def rest_shape(line: Array) -> tuple[Callable[[Array], Array], Callable[[Array], Array], float]:
    """Place and unit slope as functions of the arc length [m], and the whole length."""
    if len(line) == 2:
        length = float(np.hypot(*(line[1] - line[0])))
        direction = (line[1] - line[0]) / length
        return (
            lambda arc: line[0] + np.multiply.outer(arc, direction),
            lambda arc: np.broadcast_to(direction, (len(arc), 2)),
            length,
        )
    chords = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    curve = CubicSpline(chords, line)
    fine = np.linspace(0.0, chords[-1], LENGTH_SAMPLES)
    speed = np.hypot(*curve(fine, 1).T)
    arcs = CubicSpline(fine, speed).antiderivative()(fine)

    def parameter(arc: Array) -> Array:
        return np.asarray(np.interp(arc, arcs, fine))

    def slope(arc: Array) -> Array:
        tangent = curve(parameter(arc), 1)
        return np.asarray(tangent / np.hypot(*tangent.T)[:, None])

    return lambda arc: curve(parameter(arc)), slope, float(arcs[-1])
