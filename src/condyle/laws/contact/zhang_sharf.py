"""Hysteresis factor under the name of Zhang and Sharf, who validated such laws on impacts at low speed.

    (1 + c) / (1 - e c) = exp(c (1 + e))

Source: Zhang 2009.

Deviations: the paper could not be read while this was written, and no second source that prints a factor of theirs
was found. What stands here is the exact factor of the impact equation they study, F = K d^n (1 + c v / v0) acting
alone on the two bodies, which is derived in `condyle.laws.contact.restitution`; the number is therefore the same as
that of `condyle.laws.contact.gonthier`.
"""

from __future__ import annotations

from condyle.laws.contact.restitution import exact_factor


def hysteresis_factor(restitution: float) -> float:
    """Hysteresis factor [-] for a coefficient of restitution in (0, 1]."""
    return exact_factor(restitution)
