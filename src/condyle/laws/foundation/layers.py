"""What lies between two surfaces: one elastic layer or two in series, and the choice among the laws by kind.

Layers in true series bear the same pressure and their depths add up. Linear ones are then one layer again, with the
thickness of both and a modulus such that (h_1 + h_2) / K = h_1 / K_1 + h_2 / K_2.

Source: Bei 2004; elementary.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from condyle._jit import kernel
from condyle.laws.foundation.linear import linear_energy, linear_pressure, linear_stiffness
from condyle.laws.foundation.logarithmic import (
    logarithmic_energy,
    logarithmic_pressure,
    logarithmic_stiffness,
)
from condyle.laws.foundation.volume import volume_energy, volume_pressure, volume_stiffness

LINEAR, LOGARITHMIC, VOLUME = 0, 1, 2


class Layers(NamedTuple):
    """A law of pressure over depth with its parameters.

    kind : LINEAR, LOGARITHMIC or VOLUME.
    modulus : confined modulus of the first layer [Pa]; of VOLUME the pressure modulus [N/m^3].
    thickness : of the first layer [m]; nothing to VOLUME.
    second_modulus, second_thickness : of the second layer of LOGARITHMIC; a thickness of 0 where there is none.
    """

    kind: int
    modulus: float
    thickness: float
    second_modulus: float
    second_thickness: float


def layers_in_series(kind: int, layers: Sequence[tuple[float, float]]) -> Layers:
    """One or two layers, each as its modulus [Pa] and its thickness [m], with the same law."""
    if not 1 <= len(layers) <= 2:
        raise ValueError(f"{len(layers)} layers: a foundation has one or two, one on each surface")
    if kind == VOLUME:
        raise ValueError("the volume law knows no layers: use volume_law with its modulus")
    for modulus, thickness in layers:
        if not (0.0 < modulus < float("inf") and 0.0 < thickness < float("inf")):
            raise ValueError(f"modulus {modulus} Pa, thickness {thickness} m: both must be positive and finite")
    thickness = sum(h for _, h in layers)
    moduli = {modulus for modulus, _ in layers}
    if kind == LINEAR or len(moduli) == 1:
        return Layers(kind, thickness / sum(h / modulus for modulus, h in layers), thickness, 1.0, 0.0)
    (modulus, thickness), (second_modulus, second_thickness) = layers
    return Layers(kind, modulus, thickness, second_modulus, second_thickness)


def volume_law(modulus: float) -> Layers:
    """Pressure as a modulus [N/m^3] times the depth."""
    if not 0.0 < modulus < float("inf"):
        raise ValueError(f"modulus {modulus} N/m^3: must be positive and finite")
    return Layers(VOLUME, float(modulus), 1.0, 1.0, 0.0)


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
