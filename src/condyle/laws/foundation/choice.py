"""Pressure of the elastic foundation by the kind of its law.

Source: elementary.
"""

from __future__ import annotations

from condyle._jit import kernel
from condyle.laws.foundation.layers import LINEAR, VOLUME, Layers
from condyle.laws.foundation.linear import linear_energy, linear_pressure, linear_stiffness
from condyle.laws.foundation.logarithmic import (
    logarithmic_energy,
    logarithmic_pressure,
    logarithmic_stiffness,
)
from condyle.laws.foundation.volume import volume_energy, volume_pressure, volume_stiffness


@kernel
def foundation_energy(law: Layers, depth: float) -> float:
    """Energy per area [J/m^2] at a depth [m]."""
    if law.kind == LINEAR:
        return linear_energy(law.modulus, law.thickness, depth)
    if law.kind == VOLUME:
        return volume_energy(law.modulus, depth)
    return logarithmic_energy(law.modulus, law.thickness, law.second_modulus, law.second_thickness, depth)


@kernel
def foundation_pressure(law: Layers, depth: float) -> float:
    """Pressure [Pa] at a depth [m]."""
    if law.kind == LINEAR:
        return linear_pressure(law.modulus, law.thickness, depth)
    if law.kind == VOLUME:
        return volume_pressure(law.modulus, depth)
    return logarithmic_pressure(law.modulus, law.thickness, law.second_modulus, law.second_thickness, depth)


@kernel
def foundation_stiffness(law: Layers, depth: float) -> float:
    """Slope of the pressure [Pa/m] at a depth [m]."""
    if law.kind == LINEAR:
        return linear_stiffness(law.modulus, law.thickness, depth)
    if law.kind == VOLUME:
        return volume_stiffness(law.modulus, depth)
    return logarithmic_stiffness(law.modulus, law.thickness, law.second_modulus, law.second_thickness, depth)
