"""Force in proportion to the volume of overlap: pressure is a modulus times the depth, whatever lies beneath.

    E = m d^2 / 2,    p = m d,    dp/dd = m,    all zero for d <= 0

Source: Andersen 2017, Section on the mandible's contacts, below Eq. 15.

Deviations: the paper takes the volume of a prism under each triangle, of one depth and the triangle's area. Here the
depth varies within a triangle, and only the part of it that is in contact counts.
"""

from __future__ import annotations

from condyle._jit import kernel


@kernel
def volume_energy(modulus: float, depth: float) -> float:
    """Energy per area [J/m^2] at a depth [m], with a pressure modulus [N/m^3]."""
    pressed = max(depth, 0.0)
    return 0.5 * modulus * pressed * pressed


@kernel
def volume_pressure(modulus: float, depth: float) -> float:
    """Pressure [Pa] at a depth [m], with a pressure modulus [N/m^3]."""
    return modulus * max(depth, 0.0)


@kernel
def volume_stiffness(modulus: float, depth: float) -> float:
    """Slope of the pressure [Pa/m] at a depth [m], with a pressure modulus [N/m^3]."""
    return modulus if depth > 0.0 else 0.0
