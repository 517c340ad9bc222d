"""A ligament that stiffens with its elongation.

    E = k (l - l0)^3 / 3,    F = k (l - l0)^2,    dF/dl = 2 k (l - l0),    all zero for l <= l0

Source: Machado 2010, Eqs. 28-29.
"""

from __future__ import annotations

from condyle._jit import kernel


@kernel
def quadratic_energy(stiffness: float, rest: float, length: float) -> float:
    """Energy stored [J] at a length [m], with a rest length [m] and a stiffness [N/m^2]."""
    stretch = max(length - rest, 0.0)
    return stiffness * stretch * stretch * stretch / 3.0


@kernel
def quadratic_force(stiffness: float, rest: float, length: float) -> float:
    """Tension [N] at a length [m], with a rest length [m] and a stiffness [N/m^2]."""
    stretch = max(length - rest, 0.0)  # Machado 2010, Eq. 29
    return stiffness * stretch * stretch  # Machado 2010, Eq. 28


@kernel
def quadratic_stiffness(stiffness: float, rest: float, length: float) -> float:
    """Slope of the tension [N/m] at a length [m], with a rest length [m] and a stiffness [N/m^2]."""
    return 2.0 * stiffness * max(length - rest, 0.0)
