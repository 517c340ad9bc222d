"""Hysteresis factor of Hu and Guo.

    c = 3 (1 - e) / (2 e)

The work of the damping is integrated with the speed of the lossless Hertz impact, v0 sqrt(1 - (d / d_max)^(5/2)) on
the way in and e times that on the way out; the energies before, at and after the deepest point then give c. Asked
for 0.5 it delivers 0.49 in a free impact.

Source: Hu 2015.
"""

from __future__ import annotations

from condyle.laws.contact.restitution import checked_restitution


def hysteresis_factor(restitution: float) -> float:
    """Hysteresis factor [-] for a coefficient of restitution in (0, 1]."""
    e = checked_restitution(restitution)
    return 1.5 * (1.0 - e) / e
