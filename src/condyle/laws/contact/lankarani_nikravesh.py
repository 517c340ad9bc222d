"""Hysteresis factor of Lankarani and Nikravesh.

    c = 3 (1 - e^2) / 4

The energy lost is set equal to the work of the damping around a loop whose speed is that of the lossless impact,
v = v0 sqrt(1 - (d / d_max)^(5/2)), on the way in and on the way out. That holds for e near 1 only: asked for 0.5 it
delivers 0.73 in a free impact.

Source: Lankarani 1990; Machado 2010, Eq. 27; Kasai 2024, Eq. 7.
"""

from __future__ import annotations

from condyle.laws.contact.restitution import checked_restitution


def hysteresis_factor(restitution: float) -> float:
    """Hysteresis factor [-] for a coefficient of restitution in (0, 1]."""
    e = checked_restitution(restitution)
    return 0.75 * (1.0 - e * e)  # Machado 2010, Eq. 27
