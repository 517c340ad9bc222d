"""Planar beams solved without finite elements: elastica, exact frequencies and a heavy flexible pendulum.

The beam is straight when free, s its arc length then [m], r(s) = x + iy [m], and t = r'/|r'| its direction at
theta. Its energy per length is EA (|r'| - 1)^2 / 2 + EI (d theta/ds)^2 / 2: no shear but where said, and kinetic
energy rhoA |dr/dt|^2 / 2 without the sections' own rotation but where said. Gravity acts along -y.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.linalg import expm, solve_triangular
from scipy.optimize import brentq, newton

Array = NDArray[np.float64]
Plane = NDArray[np.complex128]


@dataclass(frozen=True)
class Beam:
    """Length [m], EI [N m^2], EA [N] (infinite: inextensible) and mass per length [kg/m]."""

    length: float
    bending: float
    axial: float = np.inf
    line_mass: float = 1.0


# --- the cantilever under end loads ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Bent:
    """A cantilever from 0 along x: tip x + iy [m], tip angle [rad] and the moment at the clamp [N m]."""

    tip: complex
    angle: float
    root_moment: float


def cantilever(beam: Beam, force: complex, moment: float = 0.0, steps: int = 8) -> Bent:
    """The clamped beam under a dead end force [N], x + iy, and an end moment [N m], by shooting from the tip.

    EI theta'' = -(1 + N/EA) F_n and r' = (1 + N/EA) t, with N and F_n the force along and across t. The tip's
    angle is sought by the secant method while the loads grow in `steps`.
    """
    angle = 0.0
    before = -(moment + force.imag * beam.length / 2) * beam.length / beam.bending / steps
    for part in np.linspace(0.0, 1.0, steps + 1)[1:]:
        load, couple = part * force, float(part) * moment

        def missed(tip: float, load: complex = load, couple: float = couple) -> float:
            return float(_to_clamp(beam, load, couple, tip)[0])

        before, angle = angle, float(newton(missed, 2 * angle - before, tol=1e-12))
    _, curvature, x, y = _to_clamp(beam, force, moment, angle)
    return Bent(complex(-x, -y), angle, beam.bending * float(curvature))


def _to_clamp(beam: Beam, force: complex, moment: float, angle: float) -> Array:
    """Angle [rad], curvature [1/m] and place x, y [m] at the clamp, shape (4,), seen from a tip at 0."""

    def rates(_s: float, state: Array) -> list[float]:
        direction = np.exp(1j * state[0])
        normal, across = (force * np.conj(direction)).real, (force * np.conj(direction)).imag
        stretch = 1 + normal / beam.axial
        along = stretch * direction
        return [state[1], -stretch * across / beam.bending, along.real, along.imag]

    start = [angle, moment / beam.bending, 0.0, 0.0]
    solution = solve_ivp(rates, (beam.length, 0.0), start, method="DOP853", rtol=1e-13, atol=1e-14)
    return np.asarray(solution.y[:, -1])


def transverse_cantilever(beam: Beam, force: float, order: int = 80) -> Bent:
    """The same under a dead end force [N] > 0 along +y alone, by quadrature of the first integral.

    EI theta'^2 / 2 + N + N^2/(2 EA) is constant along the beam; theta = tip angle (1 - u^2) takes the square
    root out of ds = d theta / theta'. For tip angles below a right angle.
    """
    nodes, weights = legendre.leggauss(order)
    u, w = (1 + nodes) / 2, weights / 2

    def lengths(angle: float) -> Plane:
        theta = angle * (1 - u**2)
        fall = 2 * np.cos((angle + theta) / 2) * np.sin((angle - theta) / 2)  # sin(angle) - sin(theta)
        curved = 1 + force * (np.sin(angle) + np.sin(theta)) / (2 * beam.axial)
        curvature = np.sqrt(2 * force / beam.bending * fall * curved)
        return np.asarray(w * 2 * angle * u / curvature * np.exp(1j * theta))

    def excess(angle: float) -> float:
        return float(np.sum(np.abs(lengths(angle)))) - beam.length

    angle = float(brentq(excess, 1e-6, np.pi / 2 - 1e-6, xtol=1e-15, rtol=1e-15))
    pieces = lengths(angle)
    stretch = 1 + force * np.sin(np.angle(pieces)) / beam.axial
    tip = complex(np.sum(stretch * pieces))
    return Bent(tip, angle, force * tip.real)


def bent_to_arc(beam: Beam, moment: float) -> Bent:
    """The cantilever under an end moment [N m] alone: an arc of its own length, a circle at 2 pi EI / L."""
    angle = moment * beam.length / beam.bending
    chord = beam.length * np.sinc(angle / (2 * np.pi))
    return Bent(complex(chord * np.exp(0.5j * angle)), angle, moment)


# --- frequencies ------------------------------------------------------------------------------------------------


def pinned_roots(count: int = 6) -> Array:
    """Wave numbers times length [-], shape (count,), of the pinned-pinned Euler-Bernoulli beam: n pi."""
    return np.asarray(np.pi * np.arange(1, count + 1))


def cantilever_roots(count: int = 6) -> Array:
    """Wave numbers times length [-], shape (count,), of the cantilever: cos x cosh x = -1."""
    middles = np.pi * (np.arange(1, count + 1) - 0.5)
    return np.array(
        [brentq(lambda x: np.cos(x) + 1 / np.cosh(x), m - 0.4, m + 0.4, xtol=1e-15) for m in middles]
    )


def free_roots(count: int = 6) -> Array:
    """Wave numbers times length [-], shape (count,), of the free (or clamped) beam: cos x cosh x = 1."""
    middles = np.pi * (np.arange(1, count + 1) + 0.5)
    return np.array(
        [brentq(lambda x: np.cos(x) - 1 / np.cosh(x), m - 0.4, m + 0.4, xtol=1e-15) for m in middles]
    )


def pinned_free_roots(count: int = 6) -> Array:
    """Wave numbers times length [-], shape (count,), of the pinned-free (or clamped) beam: tan x = tanh x."""
    middles = np.pi * (np.arange(1, count + 1) + 0.25)
    return np.array([brentq(lambda x: np.tan(x) - np.tanh(x), m - 0.2, m + 0.2, xtol=1e-15) for m in middles])


def bending_frequencies(beam: Beam, roots: Array) -> Array:
    """Angular frequencies [rad/s] of an Euler-Bernoulli beam, shape of the roots."""
    return np.asarray((roots / beam.length) ** 2 * np.sqrt(beam.bending / beam.line_mass))


def axial_frequencies(beam: Beam, count: int = 6) -> Array:
    """Angular frequencies [rad/s], shape (count,), of the bar fixed at one end: (n - 1/2) pi c / L."""
    return np.asarray((np.arange(count) + 0.5) * np.pi / beam.length * np.sqrt(beam.axial / beam.line_mass))


@dataclass(frozen=True)
class ShearBeam:
    """Length [m], EI [N m^2], kGA [N], mass [kg/m] and rotary inertia rhoI [kg m] per length."""

    length: float
    bending: float
    shear: float
    line_mass: float
    line_inertia: float

    @property
    def softness(self) -> float:
        """EI / (kGA L^2) [-]."""
        return self.bending / (self.shear * self.length**2)

    @property
    def bulk(self) -> float:
        """I / (A L^2) [-]."""
        return self.line_inertia / (self.line_mass * self.length**2)

    @property
    def pace(self) -> float:
        """The unit of the dimensionless frequency b [rad/s]: sqrt(EI / rhoA) / L^2."""
        return float(np.sqrt(self.bending / self.line_mass)) / self.length**2


def shear_tip_deflection(beam: ShearBeam, force: float) -> float:
    """Static deflection [m] of a Timoshenko cantilever's tip under an end force [N], linear."""
    return force * beam.length**3 / (3 * beam.bending) + force * beam.length / beam.shear


def hinged_shear_frequencies(beam: ShearBeam, count: int = 6) -> Array:
    """Bending frequencies [rad/s], shape (count,), of the pinned-pinned Timoshenko beam in closed form."""
    wave = pinned_roots(count) ** 2
    linear = 1 + (beam.softness + beam.bulk) * wave
    root = np.sqrt(linear**2 - 4 * beam.softness * beam.bulk * wave**2)
    return np.asarray(beam.pace * np.sqrt(2 * wave**2 / (linear + root)))


def shear_cantilever_residual(beam: ShearBeam, b: float) -> float:
    """The frequency equation of the Timoshenko cantilever at b = omega / pace [-], scaled to stay small."""
    total, apart = beam.bulk + beam.softness, beam.bulk - beam.softness
    spread = np.sqrt(apart**2 + 4 / b**2)
    slow = b * np.sqrt((spread - total) / 2 + 0j)  # imaginary above the cut-off
    fast = b * np.sqrt((spread + total) / 2)
    product = np.sqrt(1 - b**2 * beam.bulk * beam.softness + 0j)
    value = 2 + (b**2 * apart**2 + 2) * np.cosh(slow) * np.cos(fast)
    value -= b * total / product * np.sinh(slow) * np.sin(fast)
    return float((value / np.abs(np.cosh(slow.real))).real)


def shear_transfer_matrix(beam: ShearBeam, frequency: float) -> Array:
    """d/ds of (deflection, rotation, moment, shear force), SI, shape (4, 4), at an angular frequency [rad/s]."""
    matrix = np.zeros((4, 4))
    matrix[0, 1], matrix[0, 3] = 1.0, 1 / beam.shear
    matrix[1, 2] = 1 / beam.bending
    matrix[2, 1], matrix[2, 3] = -beam.line_inertia * frequency**2, -1.0
    matrix[3, 0] = -beam.line_mass * frequency**2
    return matrix


def shear_transfer_residual(beam: ShearBeam, b: float) -> float:
    """The same condition by the matrix exponential along the beam, not scaled [-]."""
    return float(np.linalg.det(expm(shear_transfer_matrix(beam, b * beam.pace) * beam.length)[2:, 2:]))


def shear_cantilever_frequencies(
    beam: ShearBeam, count: int = 6, residual: Callable[[ShearBeam, float], float] = shear_cantilever_residual
) -> Array:
    """The first frequencies [rad/s], shape (count,), of the Timoshenko cantilever: all roots in rising order."""
    roots = list[float]()
    edge, step = 1e-3, cantilever_roots(1)[0] ** 2 / 40
    while len(roots) < count:
        if residual(beam, edge) * residual(beam, edge + step) < 0:
            roots.append(float(brentq(lambda b: residual(beam, b), edge, edge + step, xtol=1e-13)))
        edge += step
    return np.array(roots) * beam.pace


# --- the heavy flexible pendulum --------------------------------------------------------------------------------

# One metre of 10 x 10 mm, 5 MPa, 1200 kg/m^3, pinned at 0, released at rest along +x.
SOFT_PENDULUM = Beam(1.0, 5e6 * 1e-8 / 12, 5e6 * 1e-4, 1200 * 1e-4)
PENDULUM_TIMES = np.arange(1, 9) / 10  # s
PENDULUM_TIP = np.array(  # m; a Ritz polynomial of degree 60, within 1e-6
    [
        0.99384006 - 0.04901527j,
        0.94263212 - 0.20012619j,
        0.79794505 - 0.42098139j,
        0.47265908 - 0.85311479j,
        -0.22693325 - 0.92634370j,
        -0.65243059 - 0.70536030j,
        -0.86754861 - 0.49818657j,
        -0.92160633 - 0.30472268j,
    ]
)
PENDULUM_VELOCITY = np.array(  # m/s; the same, within 1e-3
    [
        -0.208836 - 1.010456j,
        -0.888618 - 2.090151j,
        -2.203498 - 2.737482j,
        -5.874674 - 5.169540j,
        -5.603396 + 1.898995j,
        -3.091937 + 1.981934j,
        -1.495197 + 2.698902j,
        0.104386 + 1.129871j,
    ]
)


@dataclass(frozen=True)
class Swing:
    """Tip x + iy [m], its velocity [m/s] and the energy [J], kinetic, elastic and of weight, shape (n,) each."""

    tip: Plane
    velocity: Plane
    energy: Array


@dataclass(frozen=True)
class Chain:
    """Masses on equal springs with angular springs between: a central difference, errors of order links^-2."""

    beam: Beam
    links: int
    gravity: float = 9.81

    @property
    def pitch(self) -> float:
        """Length of a link [m]."""
        return self.beam.length / self.links

    @cached_property
    def masses(self) -> Array:
        """Masses [kg] of the nodes after the pinned one, shape (links,)."""
        masses = np.full(self.links, self.beam.line_mass * self.pitch)
        masses[-1] /= 2
        return masses

    def start(self) -> Array:
        """The state at rest along +x, shape (4 links,): x, y [m], then their rates [m/s]."""
        return np.concatenate((np.arange(1, self.links + 1) * self.pitch, np.zeros(3 * self.links)))

    def rates(self, _time: float, state: Array) -> Array:
        """d state/dt, SI, shape (4 links,)."""
        places = state[: self.links] + 1j * state[self.links : 2 * self.links]
        edges = np.diff(places, prepend=0)
        lengths = np.abs(edges)
        directions = edges / lengths
        moments = np.zeros(self.links + 1)
        moments[1:-1] = self.beam.bending / self.pitch * np.angle(np.conj(edges[:-1]) * edges[1:])
        pull = self.beam.axial * (lengths / self.pitch - 1) + 1j * (moments[:-1] - moments[1:]) / lengths
        forces = pull * directions
        net = -forces
        net[:-1] += forces[1:]
        acceleration = net / self.masses - 1j * self.gravity
        return np.concatenate((state[2 * self.links :], acceleration.real, acceleration.imag))

    def swing(self, states: Array) -> Swing:
        """What the states, shape (4 links, n), show."""
        x, y, u, v = states.reshape(4, self.links, -1)
        edges = np.diff(x + 1j * y, axis=0, prepend=0)
        turns = np.angle(np.conj(edges[:-1]) * edges[1:])
        kinetic = self.masses @ (u**2 + v**2) / 2
        elastic = self.beam.axial * self.pitch / 2 * np.sum((np.abs(edges) / self.pitch - 1) ** 2, axis=0)
        elastic = elastic + self.beam.bending / (2 * self.pitch) * np.sum(turns**2, axis=0)
        energy = kinetic + elastic + self.gravity * (self.masses @ y)
        return Swing(x[-1] + 1j * y[-1], u[-1] + 1j * v[-1], np.asarray(energy))


@dataclass(frozen=True)
class Ritz:
    """The whole beam as one polynomial of a degree, in a basis with unit mass; Gauss points along the beam."""

    beam: Beam
    degree: int
    gravity: float = 9.81

    @cached_property
    def points(self) -> tuple[Array, Array]:
        """Gauss points in -1 ... 1 and the lengths they stand for [m], shape (3 degree,) each."""
        nodes, weights = legendre.leggauss(3 * self.degree)
        return nodes, weights * self.beam.length / 2

    def basis(self, nodes: Array, order: int) -> Array:
        """Derivative by s of the basis [m^-order kg^-1/2], shape (points, degree); zero at the pin."""
        powers = [np.eye(self.degree + 1)[k] for k in range(1, self.degree + 1)]
        values = [legendre.legval(nodes, legendre.legder(p, order)) for p in powers]
        raw = np.stack(values, axis=1) * (2 / self.beam.length) ** order
        if order == 0:
            raw = raw - (-1.0) ** np.arange(1, self.degree + 1)
        return np.asarray(solve_triangular(self.factor, raw.T, trans="T").T)

    @cached_property
    def factor(self) -> Array:
        """The upper factor of the shifted Legendre polynomials' mass matrix, shape (degree, degree)."""
        nodes, weights = self.points
        raw = legendre.legvander(nodes, self.degree)[:, 1:] - (-1.0) ** np.arange(1, self.degree + 1)
        return np.asarray(np.linalg.qr(np.sqrt(self.beam.line_mass * weights)[:, None] * raw, mode="r"))

    @cached_property
    def tables(self) -> tuple[Array, Array, Array, Array]:
        """First and second derivatives stacked, the same times the points' lengths, weight and tip values."""
        nodes, weights = self.points
        bends = np.vstack((self.basis(nodes, 1), self.basis(nodes, 2)))
        pulls = (bends * np.tile(weights, 2)[:, None]).T
        weight = self.beam.line_mass * self.gravity * (weights @ self.basis(nodes, 0))
        return bends, pulls, weight, self.basis(np.ones(1), 0)[0]

    def start(self) -> Array:
        """The state at rest along +x, shape (4 degree,): coordinates of x, of y, then their rates."""
        nodes, weights = self.points
        places = self.beam.line_mass * weights * (1 + nodes) * self.beam.length / 2
        return np.concatenate((self.basis(nodes, 0).T @ places, np.zeros(3 * self.degree)))

    def strains(self, coordinates: Array) -> tuple[Plane, Plane, Array, Array]:
        """r' [-], r'' [1/m], |r'| and d theta/ds [1/m] at the points, from coordinates (2, degree)."""
        derivatives = self.tables[0] @ coordinates.T
        first, second = np.split(derivatives[:, 0] + 1j * derivatives[:, 1], 2)
        stretch = np.abs(first)
        return first, second, stretch, np.asarray((np.conj(first) * second).imag / stretch**2)

    def rates(self, _time: float, state: Array) -> Array:
        """d state/dt, SI, shape (4 degree,)."""
        first, second, stretch, bend = self.strains(state[: 2 * self.degree].reshape(2, -1))
        moment, direction = self.beam.bending * bend, first / stretch
        pull = self.beam.axial * (stretch - 1) * direction
        pull = pull - moment * (1j * second / stretch + 2 * bend * direction) / stretch
        forces = np.concatenate((pull, 1j * moment * direction / stretch))
        x, y = (self.tables[1] @ np.stack((forces.real, forces.imag), axis=1)).T
        return np.concatenate((state[2 * self.degree :], -x, -y - self.tables[2]))

    def swing(self, states: Array) -> Swing:
        """What the states, shape (4 degree, n), show."""
        x, y, u, v = states.reshape(4, self.degree, -1)
        _, weights = self.points
        energy = (np.sum(u**2 + v**2, axis=0)) / 2 + self.tables[2] @ y
        for column in range(states.shape[1]):
            _, _, stretch, bend = self.strains(np.stack((x[:, column], y[:, column])))
            density = self.beam.axial * (stretch - 1) ** 2 + self.beam.bending * bend**2
            energy[column] += weights @ density / 2
        tip = self.tables[3]
        return Swing(tip @ x + 1j * (tip @ y), tip @ u + 1j * (tip @ v), np.asarray(energy))


def swing(model: Chain | Ritz, times: Array, tolerance: float = 1e-10) -> Swing:
    """The pendulum released at rest along +x, at rising `times` [s] > 0, shape (n,)."""
    options: dict[str, Any] = {"method": "DOP853", "rtol": tolerance, "atol": tolerance / 10}
    solution = solve_ivp(model.rates, (0.0, float(times[-1])), model.start(), t_eval=times, **options)
    return model.swing(solution.y)


def extrapolated_tip(beam: Beam, links: int, times: Array) -> Plane:
    """Tip [m], shape (n,), from chains of `links` and twice as many links with the leading error taken out."""
    coarse, fine = (swing(Chain(beam, n), times).tip for n in (links, 2 * links))
    return np.asarray(fine + (fine - coarse) / 3)
