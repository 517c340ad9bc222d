"""Generalised stiffness of a Hertz contact, from the materials and radii of its two sides.

    s = (1 - nu^2) / E,    K = 4 / (3 (s_i + s_j)) sqrt(R),    1 / R = 1 / R_i + 1 / R_j

Source: Machado 2010, Eqs. 25-26; Hertz 1882.

Deviations: Machado 2010, Eq. 25 has R = R_i R_j / (R_i + R_j), which has no value for a plane. The sum of curvatures
is the same and takes a plane as an infinite radius, K = 4 sqrt(R_i) / (3 (s_i + s_j)), and a hollow side (a socket,
a bearing) as a negative one. Sides that fit into each other exactly, or that hollow outweighs, touch in more than a
point: no radius describes that, and it is an error.
"""

from __future__ import annotations

import math

from condyle._jit import kernel


@kernel
def compliance(young: float, poisson: float) -> float:
    """Compliance of one side [1/Pa] from Young's modulus [Pa] and Poisson's ratio [-]."""
    return (1.0 - poisson * poisson) / young  # Machado 2010, Eq. 26


@kernel
def relative_curvature(radius_i: float, radius_j: float) -> float:
    """Curvature 1/R_i + 1/R_j [1/m] of two sides with radii [m]: infinite for a plane, negative for a hollow."""
    return 1.0 / radius_i + 1.0 / radius_j


@kernel
def generalised_stiffness(sigma_i: float, sigma_j: float, radius_i: float, radius_j: float) -> float:
    """Stiffness K [N/m^1.5] from compliances [1/Pa] and radii [m]; ValueError where they admit no point contact."""
    if radius_i == 0.0 or radius_j == 0.0:
        raise ValueError("a contact radius must not be zero")
    curvature = relative_curvature(radius_i, radius_j)
    if not curvature > 0.0:
        raise ValueError(
            "the two sides do not touch in a point: the sum of their curvatures must be above zero"
        )
    if not sigma_i + sigma_j > 0.0:
        raise ValueError("one side at least must be compliant")
    return 4.0 / (3.0 * (sigma_i + sigma_j) * math.sqrt(curvature))  # Machado 2010, Eq. 25
