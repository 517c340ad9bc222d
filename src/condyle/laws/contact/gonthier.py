"""Hysteresis factor of Gonthier, McPhee, Lange and Piedboeuf.

    (1 + c) / (1 - e c) = exp(c (1 + e))

The exact relation of the free impact, derived in `condyle.laws.contact.restitution`: it delivers what is asked, at
every restitution and for every exponent. The authors state it for d = e c and offer d = 1 - e^2, that is
c = (1 - e^2) / e, in its place; that stays within 0.033 of the restitution asked, and is farthest off at 0.75.

Source: Gonthier 2004.

Deviations: the relation is solved; the approximation is not used.
"""

from __future__ import annotations

from condyle.laws.contact.restitution import exact_factor


def hysteresis_factor(restitution: float) -> float:
    """Hysteresis factor [-] for a coefficient of restitution in (0, 1]."""
    return exact_factor(restitution)
