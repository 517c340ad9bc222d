"""What a contact law gives back in a free impact, in closed form.

Two bodies meet at speed v0, nothing but the contact acts; m is their effective mass m1 m2 / (m1 + m2), d the depth.

**Hysteresis laws.** m dv/dt = -K d^n (1 + c v / v0) and v = dd/dt. With x = v / v0 the time drops out:

    m v0^2 x dx / (1 + c x) = -K d^n dd

The right side integrates to the same K d^(n+1) / (n + 1) from first touch to any depth, so it has one value at the
two ends d = 0, where x = 1 and x = -e:

    x / c - ln(1 + c x) / c^2    is equal at x = 1 and at x = -e
    h(c) = h(-e c)    with    h(u) = u - ln(1 + u)

Neither K, n, m nor v0 is left: the restitution e depends on the factor c alone. Taking exponentials gives Gonthier's
(1 + c) / (1 - e c) = exp(c (1 + e)). As h has a pole at -1, e c < 1: the force never pulls in a free impact.
The energy lost is m v0^2 (1 - e^2) / 2.

**Kelvin-Voigt.** m dv/dt = -K d - C v, damping ratio z = C / (2 sqrt(K m)), w = sqrt(K / m), s = sqrt(1 - z^2):
d = v0 / (w s) exp(-z w t) sin(w s t). As printed the bodies part where d = 0 again, at w s t = pi:

    e = exp(-pi z / s)    for z < 1, and they never part for z >= 1

With the pull cut off they part where the force K d + C v, hence dv/dt, first vanishes. There
tan(w s t) = 2 z s / (2 z^2 - 1), that is w s t = 2 arccos z, and v = -w d / (2 z); from then on v stays:

    e = exp(-2 z arccos(z) / s)    for z < 1, exp(-2) at z = 1, exp(-2 z arcosh(z) / sqrt(z^2 - 1)) beyond

Source: Gonthier 2004, for the relation of the hysteresis laws; Schwager 2007, for the cut-off in Kelvin-Voigt.
"""

from __future__ import annotations

import math
from typing import Literal


def checked_restitution(restitution: float) -> float:
    """Return a coefficient of restitution [-], or raise ValueError outside (0, 1]."""
    if not 0.0 < restitution <= 1.0:
        raise ValueError(f"a coefficient of restitution lies above 0 and at most at 1, not at {restitution}")
    return float(restitution)


def delivered_restitution(factor: float) -> float:
    """Restitution [-] that a hysteresis factor [-] (0 or more) delivers in a free impact."""
    if not 0.0 <= factor < math.inf:
        raise ValueError(f"a hysteresis factor is a finite number of at least 0, not {factor}")
    # The square in h(c) falls among the smallest numbers, which have few digits: e = 1 - 2 c / 3 + 4 c^2 / 9 - ...
    if factor < 1e-9:
        return 1.0 - factor / 1.5
    target = _log_excess(factor)
    # Unknown s = -ln(1 - e c), in which h(-e c) = s + exp(-s) - 1 is increasing and convex: Newton's method
    # descends to the root from any start above it, and one step takes it there from a start below.
    s = math.sqrt(2.0) * math.sqrt(target) + target
    for _ in range(60):
        product = -math.expm1(-s)
        excess = _log_excess(-product) if s < 0.3 else s - product
        step = (excess - target) / product
        s -= step
        if abs(step) <= 1e-16 * s:
            break
    return min(-math.expm1(-s) / factor, 1.0)


def exact_factor(restitution: float) -> float:
    """Hysteresis factor [-] that delivers exactly the restitution asked [-], in (0, 1]; unbounded towards 0."""
    e = checked_restitution(restitution)
    # Hunt and Crossley's factor loses too little, and at 1 / e the bodies no longer part: the root is between.
    low, high = 1.5 * (1.0 - e), 1.0 / e
    factor = low
    for _ in range(200 if factor > 0.0 else 0):
        product = e * factor
        if product < 1.0 and _log_excess(-product) < _log_excess(factor):
            low = factor
        else:
            high = factor
        guess = factor - _newton_step(e, factor) if product < 1.0 else high
        # Newton's guess is taken inside the bracket only; elsewhere the bracket is halved.
        if not low < guess < high:
            guess = 0.5 * (low + high)
        if abs(guess - factor) <= 2e-16 * factor or guess in (low, high):
            return guess
        factor = guess
    return factor


def lost_energy_fraction(factor: float) -> float:
    """Share of the energy of approach [-] that a hysteresis factor [-] takes out in a free impact: 1 - e^2."""
    e = delivered_restitution(factor)
    return (1.0 - e) * (1.0 + e)


def lost_energy(factor: float, mass: float, speed: float) -> float:
    """Energy [J] lost in a free impact of an effective mass [kg] at an approach speed [m/s]."""
    return 0.5 * mass * speed * speed * lost_energy_fraction(factor)


def kelvin_voigt_damping_ratio(stiffness: float, damping: float, mass: float) -> float:
    """Damping over critical damping [-] of a stiffness [N/m], a damping [N s/m] and an effective mass [kg]."""
    return damping / (2.0 * math.sqrt(stiffness * mass))


def kelvin_voigt_restitution(damping_ratio: float, tension: Literal["clamp", "printed"] = "clamp") -> float:
    """Restitution [-] a Kelvin-Voigt contact delivers at a damping ratio [-], with its pull cut off or as printed."""
    z = damping_ratio
    if not z >= 0.0:
        raise ValueError(f"a damping ratio is a number of at least 0, not {z}")
    if tension == "printed":
        return math.exp(-math.pi * z / math.sqrt((1.0 - z) * (1.0 + z))) if z < 1.0 else 0.0
    if z < 1.0:
        return math.exp(-2.0 * z * math.acos(z) / math.sqrt((1.0 - z) * (1.0 + z)))
    if z == 1.0:
        return math.exp(-2.0)
    return math.exp(-2.0 * z * math.acosh(z) / math.sqrt((z - 1.0) * (z + 1.0)))


def _log_excess(u: float) -> float:
    """h(u) = u - ln(1 + u) [-] for u > -1, without the loss of digits of that difference near zero."""
    if abs(u) > 0.3:
        return u - math.log1p(u)
    # With z = u / (2 + u), ln(1 + u) = 2 (z + z^3/3 + z^5/5 + ...) and u - 2 z = u z.
    z = u / (2.0 + u)
    square, power, tail = z * z, 1.0, 0.0
    for k in range(3, 25, 2):
        tail += power / k
        power *= square
    return z * (u - 2.0 * square * tail)


def _newton_step(e: float, factor: float) -> float:
    """Newton's correction [-] for h(-e c) - h(c) = 0 at a factor c."""
    slope = factor * (e * e / (1.0 - e * factor) - 1.0 / (1.0 + factor))
    return (_log_excess(-e * factor) - _log_excess(factor)) / slope if slope != 0.0 else math.inf
