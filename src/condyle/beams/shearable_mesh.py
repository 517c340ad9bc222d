"""A beam of shear-deformable elements, divided: each node has a place, a slope r_x and a section vector r_y.

The element of Omar 2001: r = sum of cubic functions of x in places and slopes, and y times a section vector that is
linear in x.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.polynomial.legendre import leggauss

from condyle.beams.mesh import Array, BeamMesh, rest_shape, shape_functions

# Points of integration of the strains. Two: the section vector is linear where the slope is quadratic, so a beam that
# only bends could not keep its sections square to its axis everywhere, and would lock; at two points it can.
STRAIN_POINTS = 2


class ShearableMesh(BeamMesh):
    """A beam of shear-deformable elements: places, slopes, section vectors."""

    def weights_at(self, along: float) -> tuple[int, Array, Array, float]:
        """The direction is the section vector, a quarter turn from the axis."""
        element = min(int(along * self.count), self.count - 1)
        part = along * self.count - element
        cubic, _, _ = shape_functions(part, self.length)
        place = np.array([cubic[0], cubic[1], 0.0, cubic[2], cubic[3], 0.0])
        return 3 * element, place, np.array([0.0, 0.0, 1.0 - part, 0.0, 0.0, part]), -0.5 * math.pi

    def strains(self, element: int, part: float, pairs: Array, rates: Array) -> Array:
        """Axial strain along the section's normal, bending, shear, and their rates."""
        block = self.block(element)
        row = strain_functions(part, self.length)
        found = _section_strains(row, pairs[:, block])
        # Rates by a difference along the motion, exact to the square of the step.
        step = 1e-6
        ahead, behind = (
            _section_strains(row, pairs[:, block] + sign * step * rates[:, block]) for sign in (1.0, -1.0)
        )
        return np.concatenate([found, (ahead - behind) / (2.0 * step)])


def shearable_mesh(line: Array, count: int, line_density: float, radius_squared: float) -> ShearableMesh:
    """The mesh of a beam along a line, shape (n, 2) [m]; radius_squared : I / A of its section [m^2]."""
    place, slope, length = rest_shape(line)
    arc, step = np.linspace(0.0, length, count + 1), length / count
    tangent = slope(arc)
    across = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)
    coordinates = np.stack([place(arc), tangent, across], axis=1).reshape(-1, 2)
    points, weights = leggauss(STRAIN_POINTS)
    shapes = np.array(
        [
            [0.5 * w * step, *strain_functions(0.5 * (x + 1.0), step)]
            for x, w in zip(points, weights, strict=True)
        ]
    )
    rest = [_at_rest(row[1:], coordinates[3 * k : 3 * k + 6]) for k in range(count) for row in shapes]
    mass = _mass(count, step, line_density, radius_squared)
    return ShearableMesh(count, step, coordinates, mass, shapes, np.array(rest))


def strain_functions(part: float, length: float) -> Array:
    """Slopes of the four cubic functions, then the two linear ones and their slope [1/m], shape (7,)."""
    _, slope, _ = shape_functions(part, length)
    return np.array([*slope, 1.0 - part, part, 1.0 / length])


def _section_strains(functions: Array, pairs: Array) -> Array:
    """Axial strain, curvature [1/m] and shear strain of elements' pairs (n, 6, 2), shape (3, n)."""
    slope = np.einsum("p,tpa->at", functions[:4], pairs[:, [0, 1, 3, 4]])
    section = functions[4] * pairs[:, 2].T + functions[5] * pairs[:, 5].T
    turn = functions[6] * (pairs[:, 5] - pairs[:, 2]).T
    size = np.hypot(*section)
    normal = np.stack([section[1], -section[0]]) / size
    curvature = (section[0] * turn[1] - section[1] * turn[0]) / size**2
    return np.stack([(normal * slope).sum(axis=0) - 1.0, curvature, (section * slope).sum(axis=0) / size])


def _at_rest(functions: Array, pairs: Array) -> Array:
    """Strains of an element's pairs (6, 2), that of the section last: between turned ends its vector is shorter."""
    section = functions[4] * pairs[2] + functions[5] * pairs[5]
    return np.append(_section_strains(functions, pairs[None])[:, 0], 0.5 * (section @ section - 1.0))


def _mass(count: int, length: float, line_density: float, radius_squared: float) -> Array:
    """Lower band of the mass matrix of pairs, shape (6, n_pair)."""
    element = np.zeros((6, 6))
    for x, w in zip(*leggauss(4), strict=True):
        part, share = 0.5 * (x + 1.0), 0.5 * w * length * line_density
        cubic, _, _ = shape_functions(part, length)
        place = np.array([cubic[0], cubic[1], 0.0, cubic[2], cubic[3], 0.0])
        section = np.array([0.0, 0.0, 1.0 - part, 0.0, 0.0, part])
        element += share * (np.outer(place, place) + radius_squared * np.outer(section, section))
    band = np.zeros((6, 3 * (count + 1)))
    for k in range(count):
        for i in range(6):
            for j in range(i + 1):
                band[i - j, 3 * k + j] += element[i, j]
    return band
