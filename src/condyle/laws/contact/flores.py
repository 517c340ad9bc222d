"""Hysteresis factor of Flores, Machado, Silva and Martins.

    c = 8 (1 - e) / (5 e)

The work of the damping is integrated with the speed of a linear oscillator, v0 sqrt(1 - (d / d_max)^2) on the way in
and e times that on the way out, where the integral of x^(3/2) sqrt(1 - x^2) over (0, 1) is rounded to 1/4; the
energies before, at and after the deepest point then give c. It holds down to small e: asked for 0.5 it delivers 0.47
in a free impact, asked for 0.1 it delivers 0.07.

Source: Flores 2011.
"""

from __future__ import annotations

from condyle.laws.contact.restitution import checked_restitution


def hysteresis_factor(restitution: float) -> float:
    """Hysteresis factor [-] for a coefficient of restitution in (0, 1]."""
    e = checked_restitution(restitution)
    return 1.6 * (1.0 - e) / e
