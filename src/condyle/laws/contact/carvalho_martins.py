"""Hysteresis factor of Carvalho and Martins, explicit form.

    c = 3 (1 - e) (11 - e) / (2 (1 + 9 e))

A rational fit of the exact relation. Asked for 0.5 it delivers 0.50 in a free impact. Below e = 1/3 it falls behind:
it tends to the finite factor 33/2 where the exact one grows without bound; asked for 0.1 it delivers 0.13.

Source: Carvalho 2019.
"""

from __future__ import annotations

from condyle.laws.contact.restitution import checked_restitution


def hysteresis_factor(restitution: float) -> float:
    """Hysteresis factor [-] for a coefficient of restitution in (0, 1]."""
    e = checked_restitution(restitution)
    return 1.5 * (1.0 - e) * (11.0 - e) / (1.0 + 9.0 * e)
