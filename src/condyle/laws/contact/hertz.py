"""Elastic contact of two bodies that press into each other by a depth.

    E = K d^(n+1) / (n + 1),    F = K d^n,    k = n K d^(n-1),    all zero for d <= 0

Source: Machado 2010, Eq. 24; Hertz 1882 for the exponent 3/2.

Deviations: Kasai 2024 prints the exponent as 2/3 below its Eq. 5. The theory it refers to has 3/2. The exponent is
a parameter, so that the printed form can be run as well; below 1 the stiffness grows without bound as d tends to
zero.
"""

from __future__ import annotations

import math

from condyle._jit import kernel


@kernel
def depth_power(depth: float, exponent: float) -> float:
    """Return d^n [m^n] for a positive depth [m]; a square root where n = 3/2, at a tenth of the price of a power."""
    return depth * math.sqrt(depth) if exponent == 1.5 else depth**exponent


@kernel
def hertz_energy(stiffness: float, exponent: float, depth: float) -> float:
    """Energy stored [J] at a depth [m] under a stiffness [N/m^n]."""
    if depth <= 0.0:
        return 0.0
    return stiffness * depth_power(depth, exponent) * depth / (exponent + 1.0)


@kernel
def hertz_force(stiffness: float, exponent: float, depth: float) -> float:
    """Pressing force [N] at a depth [m] under a stiffness [N/m^n]."""
    if depth <= 0.0:
        return 0.0
    return stiffness * depth_power(depth, exponent)  # Machado 2010, Eq. 24


@kernel
def hertz_stiffness(stiffness: float, exponent: float, depth: float) -> float:
    """Slope of the force [N/m] at a depth [m] under a stiffness [N/m^n]."""
    if depth <= 0.0:
        return 0.0
    return exponent * stiffness * depth_power(depth, exponent) / depth
