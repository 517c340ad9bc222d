"""The columns of a beam's row."""

from __future__ import annotations

# A beam's row, in `link`: kind of element, first coordinate, elements, points of integration in each, pairs of
# coordinates; blocks of the pool: shape functions at the points, strains at rest there, weight by pair, factor of the
# mass matrix; whether it has damping; the mass matrix itself, pairs of coordinates in a node.
KIND, FIRST, N_ELEMENT, N_POINT, N_PAIR, SHAPES, REST, WEIGHT, FACTOR, DAMPED, MASS, N_NODE_PAIR = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
)
# Numbers of the factor for each pair: left of the diagonal, the diagonal's inverse, below it, nearest first.
FACTOR_BAND, FACTOR_WIDTH = 5, 11
# In `value`: axial, bending and shear stiffness [N, N m^2, N], damping time [s], length of an element [m].
AXIAL, BENDING, SHEAR, DAMPING, ELEMENT = 0, 1, 2, 3, 4
# In `work`: strain energy [J], loss [W], power of strains and of weight [W].
ENERGY, LOSS, STRAIN_POWER, WEIGHT_POWER = 0, 1, 2, 3
CABLE, SHEARABLE = 0, 1
