"""What lies between two surfaces: one elastic layer or two in series.

    K = (1 - nu) E / ((1 + nu) (1 - 2 nu))

is the stiffness of a thin layer that cannot spread sideways, with Young's modulus E and Poisson's ratio nu. Layers in
true series bear the same pressure and their depths add up. Linear ones are then one layer again, with the thickness of
both and a modulus such that (h_1 + h_2) / K = h_1 / K_1 + h_2 / K_2; so are those of any law with the same modulus.

Source: Bei 2004.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

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
        if not (0.0 < modulus < math.inf and 0.0 < thickness < math.inf):
            raise ValueError(
                f"modulus {modulus} Pa, thickness {thickness} m: both must be positive and finite"
            )
    thickness = sum(h for _, h in layers)
    moduli = {modulus for modulus, _ in layers}
    if kind == LINEAR or len(moduli) == 1:
        return Layers(kind, thickness / sum(h / modulus for modulus, h in layers), thickness, 1.0, 0.0)
    (modulus, thickness), (second_modulus, second_thickness) = layers
    return Layers(kind, modulus, thickness, second_modulus, second_thickness)


def volume_law(modulus: float) -> Layers:
    """Pressure as a modulus [N/m^3] times the depth."""
    if not 0.0 < modulus < math.inf:
        raise ValueError(f"modulus {modulus} N/m^3: must be positive and finite")
    return Layers(VOLUME, float(modulus), 1.0, 1.0, 0.0)


def confined_modulus(young: float, poisson: float) -> float:
    """Stiffness K [Pa] of a layer that cannot spread, from Young's modulus [Pa] and Poisson's ratio [-]."""
    if not (young > 0.0 and math.isfinite(young)):
        raise ValueError(f"young = {young}: must be a positive modulus in pascals")
    if not -1.0 < poisson < 0.5:
        raise ValueError(
            f"poisson = {poisson}: must be above -1 and below 0.5, where a confined layer is rigid"
        )
    return (1.0 - poisson) * young / ((1.0 + poisson) * (1.0 - 2.0 * poisson))
