"""An elastic layer on a rigid ground, each place of it a spring of its own: pressure in proportion to depth.

    E = K d^2 / (2 h),    p = K d / h,    dp/dd = K / h,    all zero for d <= 0

    K = (1 - nu) E / ((1 + nu) (1 - 2 nu))

K is the stiffness of a thin layer that cannot spread sideways, with Young's modulus E and Poisson's ratio nu.

Source: Bei 2004.
"""

from __future__ import annotations

import math

from condyle._jit import kernel


def confined_modulus(young: float, poisson: float) -> float:
    """Stiffness K [Pa] of a layer that cannot spread, from Young's modulus [Pa] and Poisson's ratio [-]."""
    if not (young > 0.0 and math.isfinite(young)):
        raise ValueError(f"young = {young}: must be a positive modulus in pascals")
    if not -1.0 < poisson < 0.5:
        raise ValueError(f"poisson = {poisson}: must be above -1 and below 0.5, where a confined layer is rigid")
    return (1.0 - poisson) * young / ((1.0 + poisson) * (1.0 - 2.0 * poisson))


@kernel
def linear_energy(modulus: float, thickness: float, depth: float) -> float:
    """Energy per area [J/m^2] at a depth [m], with a confined modulus [Pa] and a thickness [m]."""
    pressed = max(depth, 0.0)
    return 0.5 * modulus * pressed * pressed / thickness


@kernel
def linear_pressure(modulus: float, thickness: float, depth: float) -> float:
    """Pressure [Pa] at a depth [m], with a confined modulus [Pa] and a thickness [m]."""
    return modulus * max(depth, 0.0) / thickness


@kernel
def linear_stiffness(modulus: float, thickness: float, depth: float) -> float:
    """Slope of the pressure [Pa/m] at a depth [m], with a confined modulus [Pa] and a thickness [m]."""
    return modulus / thickness if depth > 0.0 else 0.0
