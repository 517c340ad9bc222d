"""An elastic layer that stiffens as it thins, alone or on another one.

    p = -K ln(1 - d / h),    dp/dd = K / (h - d),    E = K [d + (h - d) ln(1 - d / h)],    all zero for d <= 0

Two layers in series bear the same pressure and their depths add up, so the pressure of both is the root of
d_1(p) + d_2(p) = d with d_k(p) = h_k (1 - exp(-p / K_k)). A second thickness of 0 means one layer.

Source: Bei 2004.

Deviations: the printed pressure is infinite where a layer is squeezed to nothing. Beyond 99 % of its thickness a layer
goes on along its tangent, so that a bad first guess still gives a finite force.
"""

from __future__ import annotations

import math

from condyle._jit import kernel

# Where the tangent begins: what is left of the layer there, and the pressure there in units of its modulus.
LEFT = 0.01
STEEP = -math.log(LEFT)


@kernel
def layer_depth(modulus: float, thickness: float, pressure: float) -> float:
    """Depth [m] of one layer under a pressure [Pa], with a confined modulus [Pa] and a thickness [m]."""
    ratio = pressure / modulus
    if ratio <= STEEP:
        return -thickness * math.expm1(-ratio)
    return thickness * (1.0 - LEFT + LEFT * (ratio - STEEP))


@kernel
def layer_compliance(modulus: float, thickness: float, pressure: float) -> float:
    """Slope of the depth of one layer [m/Pa] at a pressure [Pa]; other arguments as in `layer_depth`."""
    return thickness * math.exp(-min(pressure / modulus, STEEP)) / modulus


@kernel
def layer_energy(modulus: float, thickness: float, pressure: float) -> float:
    """Energy per area [J/m^2] of one layer under a pressure [Pa]; other arguments as in `layer_depth`."""
    ratio = pressure / modulus
    curved = min(ratio, STEEP)
    energy = -math.expm1(-curved) - curved * math.exp(-curved)
    if ratio > STEEP:
        energy += 0.5 * LEFT * (ratio * ratio - STEEP * STEEP)
    return modulus * thickness * energy


@kernel
def logarithmic_pressure(
    modulus: float, thickness: float, second_modulus: float, second_thickness: float, depth: float
) -> float:
    """Pressure [Pa] at a depth [m], with confined moduli [Pa] and thicknesses [m] of both layers."""
    if depth <= 0.0:
        return 0.0
    if second_thickness == 0.0:
        if depth <= (1.0 - LEFT) * thickness:
            return -modulus * math.log1p(-depth / thickness)
        return modulus * (STEEP + (depth / thickness - 1.0 + LEFT) / LEFT)
    # The depth bends down over the pressure, so from below, where the linear law is, Newton's steps never overshoot.
    pressure = depth / (thickness / modulus + second_thickness / second_modulus)
    for _ in range(50):
        missing = depth - layer_depth(modulus, thickness, pressure)
        missing -= layer_depth(second_modulus, second_thickness, pressure)
        slope = layer_compliance(modulus, thickness, pressure)
        slope += layer_compliance(second_modulus, second_thickness, pressure)
        pressure += missing / slope
        if missing <= 1e-15 * depth:
            break
    return pressure


@kernel
def logarithmic_energy(
    modulus: float, thickness: float, second_modulus: float, second_thickness: float, depth: float
) -> float:
    """Energy per area [J/m^2] at a depth [m]; arguments as in `logarithmic_pressure`."""
    pressure = logarithmic_pressure(modulus, thickness, second_modulus, second_thickness, depth)
    energy = layer_energy(modulus, thickness, pressure)
    return energy + layer_energy(second_modulus, second_thickness, pressure)


@kernel
def logarithmic_stiffness(
    modulus: float, thickness: float, second_modulus: float, second_thickness: float, depth: float
) -> float:
    """Slope of the pressure [Pa/m] at a depth [m]; arguments as in `logarithmic_pressure`."""
    if depth <= 0.0:
        return 0.0
    pressure = logarithmic_pressure(modulus, thickness, second_modulus, second_thickness, depth)
    compliance = layer_compliance(modulus, thickness, pressure)
    return 1.0 / (compliance + layer_compliance(second_modulus, second_thickness, pressure))
