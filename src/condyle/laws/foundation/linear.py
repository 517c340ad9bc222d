"""An elastic layer on a rigid ground, each place of it a spring of its own: pressure in proportion to depth.

    E = K d^2 / (2 h),    p = K d / h,    dp/dd = K / h,    all zero for d <= 0

with the thickness h and the confined modulus K of the layer, see `layers.confined_modulus`.

Source: Bei 2004.
"""

from __future__ import annotations

from condyle._jit import kernel


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
