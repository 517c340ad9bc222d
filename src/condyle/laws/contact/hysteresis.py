"""Elastic contact with damping proportional to the elastic force: the shape shared by a whole family of laws.

    F = K d^n (1 + c r),    r = v / v0,    zero for d <= 0

`d` is the depth, `v` its rate (positive while approaching), `v0` the rate at which this contact began and `c` the
hysteresis factor, the one number in which the laws of the family differ. The part with `c` feeds the power
-K d^n c r v into the motion, which is never positive.

Where the bodies part faster than v0 / c the force as printed pulls. In a free impact that never happens (the rebound
stays below v0 / c, see `condyle.laws.contact.restitution`); under other forces it does. Whether such a pull is kept
is decided by the caller, so that it can be counted.

Source: Machado 2010, Eqs. 24 and 27; Kasai 2024, Eq. 6.

Deviations: a contact that begins at rest has no approach speed to divide by. `bounded_rate_ratio` puts a floor under
it: below the floor the damping is that of an impact at the speed of the floor, linear in the rate and finite.
Contacts that begin faster than the floor are the printed law.
"""

from __future__ import annotations

from condyle._jit import kernel
from condyle.laws.contact.hertz import hertz_force


@kernel
def bounded_rate_ratio(rate: float, onset_speed: float, onset_floor: float) -> float:
    """Rate over the approach speed at onset, v / max(v0, floor) [-]; all three in [m/s], the floor above zero."""
    return rate / max(onset_speed, onset_floor)


@kernel
def hysteresis_force(
    stiffness: float, exponent: float, factor: float, depth: float, rate_ratio: float
) -> float:
    """Force [N] at a depth [m] and a rate ratio [-], under a stiffness [N/m^n]; negative where it pulls."""
    return hertz_force(stiffness, exponent, depth) * (1.0 + factor * rate_ratio)  # Machado 2010, Eq. 27


@kernel
def hysteresis_power(
    stiffness: float, exponent: float, factor: float, depth: float, rate: float, rate_ratio: float
) -> float:
    """Power of the damping part [W], never positive: -K d^n c r v with the rate v [m/s] and its ratio r [-]."""
    return -hertz_force(stiffness, exponent, depth) * factor * (rate * rate_ratio)
