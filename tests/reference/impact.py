"""A point mass meeting F = K d^n (1 + chi d'/v0), by quadrature, and a ball that bounces on it.

Without gravity the motion has a first integral. With w = d'/v0 and G(w) = w/chi - ln(1 + chi w)/chi^2,

    K d^(n+1) / ((n + 1) m v0^2) = G(1) - G(w)

which gives the peak depth at w = 0 and, at d = 0 again, the restitution e that the law delivers:
G(-e) = G(1). It depends on chi alone: not on K, n, m or v0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, minimize_scalar

Array = NDArray[np.float64]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)


@dataclass(frozen=True)
class Impact:
    """Peak depth [m], peak force [N], duration [s], delivered restitution [-] and energy lost [J]."""

    depth: float
    force: float
    duration: float
    restitution: float
    loss: float


def first_integral(chi: float, w: float) -> float:
    """The integral of w/(1 + chi w) from 0: G(w), by its series where the closed form cancels."""
    if abs(chi * w) < 1e-2:
        return w * w * sum((-chi * w) ** k / (k + 2) for k in range(12))
    return float(w / chi - np.log1p(chi * w) / chi**2)


def first_integral_between(chi: float, w: float, end: float) -> float:
    """G(end) - G(w), by quadrature where the two are too near each other to be subtracted."""
    if abs(end - w) > 0.05 * abs(end):
        return first_integral(chi, end) - first_integral(chi, w)
    u = (end + w) / 2 + (end - w) / 2 * NODES
    return float((end - w) / 2 * np.sum(WEIGHTS * u / (1 + chi * u)))


def delivered_restitution(chi: float) -> float:
    """e with G(-e) = G(1); for large chi the mass creeps out and e tends to 1/chi."""
    if chi == 0:
        return 1.0
    last = min(1.0, (1 - 1e-15) / chi)
    return float(brentq(lambda e: first_integral(chi, -e) - first_integral(chi, 1.0), 0.0, last, xtol=1e-16))


def required_hysteresis(restitution: float) -> float:
    """The chi that delivers what is asked in a free impact."""
    if restitution == 1:
        return 0.0
    top = (1 - 1e-12) / restitution
    return float(brentq(lambda chi: delivered_restitution(chi) - restitution, 0.0, top, xtol=1e-14))


HYSTERESIS: dict[str, Callable[[float], float]] = {
    "hertz": lambda _c: 0.0,
    "hunt-crossley": lambda c: 3 * (1 - c) / 2,
    "lankarani-nikravesh": lambda c: 3 * (1 - c * c) / 4,  # Machado 2010, Eq. 27
    "flores": lambda c: 8 * (1 - c) / (5 * c),
    "hu-guo": lambda c: 3 * (1 - c) / (2 * c),
    "carvalho-martins": lambda c: 1.5 * (1 - c) * (11 - c) / (1 + 9 * c),
    "exact": required_hysteresis,
}


def free_impact(
    mass: float, speed: float, stiffness: float, chi: float = 0.0, exponent: float = 1.5
) -> Impact:
    """One impact without gravity at approach speed v0 = `speed` [m/s]; `stiffness` in N/m^exponent."""
    n, restitution = exponent, delivered_restitution(chi)
    scale = (n + 1) * mass * speed**2 / stiffness

    def depth(w: float) -> float:
        return float(
            (scale * first_integral_between(chi, w, 1.0 if w >= 0 else -restitution)) ** (1 / (n + 1))
        )

    def force(w: float) -> float:
        return float(stiffness * depth(w) ** n * (1 + chi * w))

    def slowness(s: float, end: float) -> float:
        # w = end (1 - s^(n+1)) takes the end's singularity out of m v0 dw / F
        w = end * (1 - s ** (n + 1))
        return float(mass * speed * abs(end) * (n + 1) * s**n / force(w))

    peak = minimize_scalar(lambda w: -force(w), bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-12})
    duration = sum(
        quad(slowness, 0.0, 1.0, args=(end,), epsabs=0, epsrel=1e-10, limit=200)[0]
        for end in (1.0, -restitution)
    )
    loss = mass * speed**2 / 2 * (1 - restitution**2)
    return Impact(depth(0.0), -float(peak.fun), duration, restitution, loss)


@dataclass(frozen=True)
class Bounce:
    """One contact of the ball: begin and end [s], approach and rebound speed [m/s], peak depth [m]."""

    begin: float
    end: float
    approach: float
    rebound: float
    depth: float


def _bounce(begin: float, approach: float, pull: float, push: Callable[[float, float], float]) -> Bounce:
    """Integrate d'' = pull - push(d, d') from d = 0 to the top of the loop and back."""

    def rates(_time: float, state: Array) -> list[float]:
        depth, rate = state
        return [rate, pull - push(max(depth, 0.0), rate)]

    def turned(_time: float, state: Array) -> float:
        return float(state[1])

    def left(_time: float, state: Array) -> float:
        return float(state[0])

    turned.terminal = left.terminal = True  # type: ignore[attr-defined]  # SciPy reads it from the function
    left.direction = -1.0  # type: ignore[attr-defined]
    options: dict[str, Any] = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-16}
    deepest = solve_ivp(rates, (0.0, 1.0), [0.0, approach], events=turned, **options)
    back = solve_ivp(rates, (0.0, 1.0), deepest.y[:, -1], events=left, **options)
    end = begin + float(deepest.t[-1] + back.t[-1])
    return Bounce(begin, end, approach, -float(back.y[1, -1]), float(deepest.y[0, -1]))


def bouncing_ball(
    height: float,
    duration: float,
    mass: float,
    stiffness: float,
    chi: float = 0.0,
    gravity: float = 9.81,
    exponent: float = 1.5,
) -> list[Bounce]:
    """All contacts begun within `duration` of a ball released at rest with its gap at `height` [m]."""
    fall = np.sqrt(2 * height / gravity)
    time, speed, bounces = float(fall), float(gravity * fall), list[Bounce]()
    while time < duration:
        factor = chi / speed

        def push(depth: float, rate: float, factor: float = factor) -> float:
            return float(stiffness / mass * depth**exponent * max(1 + factor * rate, 0.0))

        bounces.append(_bounce(time, speed, gravity, push))
        time, speed = bounces[-1].end + 2 * bounces[-1].rebound / gravity, bounces[-1].rebound
    return bounces


def gap_in_flight(height: float, bounces: list[Bounce], time: float, gravity: float = 9.81) -> float:
    """Gap [m] at a `time` at which the ball is in the air."""
    before = [bounce for bounce in bounces if bounce.end <= time]
    if not before:
        return height - gravity * time**2 / 2
    since = time - before[-1].end
    return before[-1].rebound * since - gravity * since**2 / 2


def hertz_contact_time(speed: float, mass: float, stiffness: float, gravity: float = 0.0) -> float:
    """Duration [s] of a contact without loss, gravity included: twice the integral of dd/d' to the turn."""

    def rest(depth: float) -> float:
        return float(speed**2 + 2 * gravity * depth - 0.8 * stiffness / mass * depth**2.5)

    guess = float((1.25 * mass * speed**2 / stiffness) ** 0.4)
    deepest = float(brentq(rest, 0.5 * guess, 4 * guess, xtol=1e-18, rtol=1e-15))

    def slowness(s: float) -> float:
        # d = deepest (1 - s^2): the integrand stays finite where the ball stands still
        return 2 * s * deepest / float(np.sqrt(max(rest(deepest * (1 - s * s)), 1e-300)))

    start = 1e-4  # nearer to the turn `rest` is a difference of equals; the integrand is flat there
    moving = float(quad(slowness, start, 1.0, epsabs=0, epsrel=1e-12)[0])
    return 2 * (moving + start * slowness(start))
