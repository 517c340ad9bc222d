"""Coulomb friction with a dynamic correction that takes it smoothly to zero at rest.

    F = -mu N c_d sign(v)

    c_d = 0                              for |v| <= slow
          (|v| - slow) / (fast - slow)   between
          1                              for |v| >= fast

The correction keeps the force from changing direction at a jump when the sliding turns round, at the price of a
creep: below `slow` nothing holds.

Source: Kasai 2024, Eq. 9; Ambrosio 2003, for the correction.

Deviations: Kasai 2024, Eq. 9 multiplies by the velocity, where its unit direction is meant; without it the force
would not be one. A normal force that pulls carries no friction.
"""

from __future__ import annotations

import math

from condyle._jit import kernel


@kernel
def coulomb_force(normal: float, coefficient: float, slow: float, fast: float, speed: float) -> float:
    """Friction [N], opposed to the speed [m/s], under a normal force [N]; `slow` <= `fast` [m/s]."""
    size = abs(speed)
    if size <= slow:
        return 0.0
    correction = 1.0 if size >= fast else (size - slow) / (fast - slow)
    return -math.copysign(coefficient * max(normal, 0.0) * correction, speed)  # Kasai 2024, Eq. 9


@kernel
def coulomb_power(normal: float, coefficient: float, slow: float, fast: float, speed: float) -> float:
    """Power of the friction [W], never positive; arguments as in `coulomb_force`."""
    return coulomb_force(normal, coefficient, slow, fast, speed) * speed
