"""A linear spring and a linear damper side by side, between bodies in contact.

    E = K d^2 / 2,    F = K d + C v,    k = K,    P = -C v^2,    all zero for d <= 0

The force jumps to C v0 at first touch and pulls at the end of a rebound; whether that pull is kept is decided by the
caller. What restitution comes out, with the pull and without, is in `condyle.laws.contact.restitution`.

Source: Schwager 2007, for the free impact; the law itself is elementary.
"""

from __future__ import annotations

from condyle._jit import kernel


@kernel
def kelvin_voigt_energy(stiffness: float, depth: float) -> float:
    """Energy stored [J] at a depth [m] under a stiffness [N/m]."""
    pressed = max(depth, 0.0)
    return 0.5 * stiffness * pressed * pressed


@kernel
def kelvin_voigt_force(stiffness: float, damping: float, depth: float, rate: float) -> float:
    """Force [N] at a depth [m] and its rate [m/s], under a stiffness [N/m] and a damping [N s/m]."""
    if depth <= 0.0:
        return 0.0
    return stiffness * depth + damping * rate


@kernel
def kelvin_voigt_stiffness(stiffness: float, depth: float) -> float:
    """Slope of the force over the depth [N/m]."""
    return stiffness if depth > 0.0 else 0.0


@kernel
def kelvin_voigt_power(stiffness: float, damping: float, depth: float, rate: float) -> float:
    """Power of the damper [W], never positive; the stiffness plays no part and is taken to match the ladder."""
    return -damping * rate * rate if depth > 0.0 else 0.0
