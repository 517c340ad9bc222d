"""Two formulations of the planar knee's mechanics, written by hand and apart from each other.

* `newton_rates`: Cartesian coordinates of the tibia, forces and moments added up vector by vector.
* `hamilton_rates`: the femur as an observer on the tibia sees it, (xi, eta, phi), and the momenta conjugate
  to these; all conservative forces are complex-step derivatives of V = sum k/3 (l - l0)^3 + 2/5 K d^(5/2) -
  m g . r.

They share the numbers of `knee_tables.py` and nothing else: no rotation, lever arm or sign is common to
both. The last state of each is the work of what is not conservative: the pulse and the hysteretic part of
the contact force [J].
"""

from __future__ import annotations

import numpy as np

from reference.knee_tables import (
    FEMUR_RADIUS,
    LIGAMENT_STIFFNESS,
    REST_LENGTHS,
    TIBIA_INERTIA,
    TIBIA_MASS,
    Array,
    Knee,
    contact_depth,
    pulse,
)


def normal_force(knee: Knee, depth: float, rate: float) -> float:
    """K d^(3/2) (1 + chi d'/v0) [N], no pull if clamped (Machado 2010, Eqs. 24 and 27)."""
    if depth <= 0:
        return 0.0
    factor = 1 + knee.onset_memory * rate
    return float(knee.contact_stiffness * depth**1.5 * (max(factor, 0.0) if knee.clamped else factor))


# ---- Newton and Euler, in the global frame -------------------------------------------------------


def contact_place(knee: Knee, centre: complex, direction: complex) -> tuple[complex, complex]:
    """Unit push on the tibia and the femur's deepest point [m], both global.

    A plane is pushed against its own outward normal e. A bearing that ran out by c hits the journal with
    its far side and is pushed back along -c.
    """
    if knee.bearing_radius is None:
        return -direction, -FEMUR_RADIUS * direction
    offset = centre + direction * knee.bearing_centre
    push = -offset / abs(offset)
    return push, FEMUR_RADIUS * push


def _cross(arm: complex, force: complex) -> float:
    return (arm.conjugate() * force).imag


def newton_rates(knee: Knee, time: float, state: Array) -> Array:
    """Rates of (x, y, phi, vx, vy, omega, work)."""
    x, y, phi, vx, vy, omega, _ = (float(value) for value in state)
    centre, velocity, direction = complex(x, y), complex(vx, vy), complex(np.cos(phi), np.sin(phi))

    load = pulse(knee.amplitude, time) * direction
    power = (load.conjugate() * velocity).real

    push, point = contact_place(knee, centre, direction)
    arm = point - centre
    rate = -(
        push.conjugate() * (velocity + 1j * omega * arm)
    ).real  # moving against the push deepens the contact
    depth = float(contact_depth(knee, centre, direction))
    contact = normal_force(knee, depth, rate)
    power -= (contact - knee.contact_stiffness * max(depth, 0.0) ** 1.5) * rate

    ends = direction * knee.tibia_ends
    span = knee.femur_ends - centre - ends
    length = np.abs(span)
    pulls = LIGAMENT_STIFFNESS * np.maximum(length - REST_LENGTHS, 0.0) ** 2 * span / length

    force = load + contact * push + complex(pulls.sum()) + TIBIA_MASS * knee.gravity
    moment = _cross(arm, contact * push) + float((ends.conj() * pulls).imag.sum())
    return np.array(
        [vx, vy, omega, force.real / TIBIA_MASS, force.imag / TIBIA_MASS, moment / TIBIA_INERTIA, power]
    )


# ---- Hamilton, as seen from the tibia ------------------------------------------------------------


def depth_seen(knee: Knee, xi: complex, eta: complex) -> complex:
    """Depth [m] for the femur's centre at (xi, eta) of the tibia's frame; analytic in both."""
    if knee.bearing_radius is None:
        return knee.plateau + FEMUR_RADIUS - xi
    dx, dy = xi - knee.bearing_centre.real, eta - knee.bearing_centre.imag
    return complex(np.sqrt(dx * dx + dy * dy)) - (knee.bearing_radius - FEMUR_RADIUS)


def potential(knee: Knee, xi: complex, eta: complex, phi: complex) -> complex:
    """Ligaments, contact and gravity [J]; analytic, so that a complex step differentiates it to round-off."""
    cos, sin = complex(np.cos(phi)), complex(np.sin(phi))
    x, y = sin * eta - cos * xi, -(sin * xi + cos * eta)
    total = -TIBIA_MASS * (knee.gravity.real * x + knee.gravity.imag * y)
    for femur, tibia, rest, stiffness in zip(
        knee.femur_ends, knee.tibia_ends, REST_LENGTHS, LIGAMENT_STIFFNESS, strict=True
    ):
        dx = xi + cos * femur.real + sin * femur.imag - tibia.real
        dy = eta - sin * femur.real + cos * femur.imag - tibia.imag
        stretch = complex(np.sqrt(dx * dx + dy * dy)) - rest
        total += stiffness / 3 * stretch**3 if stretch.real > 0 else 0.0
    depth = depth_seen(knee, xi, eta)
    return total + (0.4 * knee.contact_stiffness * depth**2.5 if depth.real > 0 else 0.0)


def potential_gradient(knee: Knee, xi: float, eta: float, phi: float) -> tuple[float, float, float]:
    """(dV/dxi, dV/deta, dV/dphi): no difference of near numbers, hence no step to choose."""
    step = 1e-30
    return (
        potential(knee, xi + 1j * step, eta, phi).imag / step,
        potential(knee, xi, eta + 1j * step, phi).imag / step,
        potential(knee, xi, eta, phi + 1j * step).imag / step,
    )


def _hysteresis_seen(
    knee: Knee, xi: float, eta: float, xi_rate: float, eta_rate: float
) -> tuple[float, float, float]:
    """Generalised forces on (xi, eta) of the force's hysteretic part, and their power."""
    depth = depth_seen(knee, xi, eta).real
    if knee.hysteresis == 0 or depth <= 0:
        return 0.0, 0.0, 0.0
    slope_xi, slope_eta = (
        depth_seen(knee, xi + 1e-30j, eta).imag / 1e-30,
        depth_seen(knee, xi, eta + 1e-30j).imag / 1e-30,
    )
    rate = slope_xi * xi_rate + slope_eta * eta_rate
    extra = normal_force(knee, depth, rate) - knee.contact_stiffness * depth**1.5
    return -extra * slope_xi, -extra * slope_eta, -extra * rate


def hamilton_rates(knee: Knee, time: float, state: Array) -> Array:
    """Rates of (xi, eta, phi, p_xi, p_eta, p_phi, work).

    r = -A(phi) (xi, eta), hence 2 T = m (xi' - phi' eta)^2 + m (eta' + phi' xi)^2 + I phi'^2. The pulse (F,
    0) in the tibia's frame at its centre of mass has the virtual work -F (d xi - eta d phi).
    """
    xi, eta, phi, p_xi, p_eta, p_phi, _ = (float(value) for value in state)
    omega = (p_phi + eta * p_xi - xi * p_eta) / TIBIA_INERTIA
    xi_rate, eta_rate = p_xi / TIBIA_MASS + omega * eta, p_eta / TIBIA_MASS - omega * xi
    slope_xi, slope_eta, slope_phi = potential_gradient(knee, xi, eta, phi)
    extra_xi, extra_eta, lost = _hysteresis_seen(knee, xi, eta, xi_rate, eta_rate)
    push = pulse(knee.amplitude, time)
    p_xi_rate = omega * p_eta - slope_xi - push + extra_xi
    p_eta_rate = -omega * p_xi - slope_eta + extra_eta
    work_rate = -push * (xi_rate - omega * eta) + lost
    return np.array([xi_rate, eta_rate, omega, p_xi_rate, p_eta_rate, push * eta - slope_phi, work_rate])


def to_hamilton(state: Array) -> Array:
    """(x, y, phi, vx, vy, omega, work) as (xi, eta, phi, p_xi, p_eta, p_phi, work), shape (7,) or (7, n)."""
    x, y, phi, vx, vy, omega, work = state
    seen = -(x + 1j * y) * np.exp(-1j * phi)
    momentum = -TIBIA_MASS * (vx + 1j * vy) * np.exp(-1j * phi)
    spin = TIBIA_INERTIA * omega - seen.imag * momentum.real + seen.real * momentum.imag
    return np.array([seen.real, seen.imag, phi, momentum.real, momentum.imag, spin, work])


def from_hamilton(state: Array) -> Array:
    """The inverse of `to_hamilton`."""
    xi, eta, phi, p_xi, p_eta, p_phi, work = state
    centre = -(xi + 1j * eta) * np.exp(1j * phi)
    velocity = -(p_xi + 1j * p_eta) / TIBIA_MASS * np.exp(1j * phi)
    omega = (p_phi + eta * p_xi - xi * p_eta) / TIBIA_INERTIA
    return np.array([centre.real, centre.imag, phi, velocity.real, velocity.imag, omega, work])
