"""Planar mechanisms and pendulums solved without multipliers: closed forms, free bodies, minimal coordinates.

Points of the plane are complex numbers, x + iy [m]. Angles are counter-clockwise from the x axis [rad]; gravity
acts along -y. `Point` and `Turn` carry two derivatives, with respect to time or to whatever drives the mechanism.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk, ellipkinc

Array = NDArray[np.float64]
Plane = NDArray[np.complex128]
Mode = Literal[1, -1]
TIGHT: dict[str, Any] = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-14}


@dataclass(frozen=True)
class Turn:
    """An angle [rad] with its rate [rad/s] and acceleration [rad/s^2], any shape."""

    angle: Array
    rate: Array
    acceleration: Array

    def shifted(self, by: float) -> Turn:
        """The same turn counted from another line, `by` [rad] further back, any shape."""
        return Turn(self.angle + by, self.rate, self.acceleration)

    def point(self, arm: complex, base: Point) -> Point:
        """`arm` [m, in the turning frame] carried from `base`, any shape."""
        r = arm * np.exp(1j * self.angle)
        second = (1j * self.acceleration - self.rate**2) * r
        return Point(base.place + r, base.velocity + 1j * self.rate * r, base.acceleration + second)


@dataclass(frozen=True)
class Point:
    """A place x + iy [m] with its velocity [m/s] and acceleration [m/s^2], any shape."""

    place: Plane
    velocity: Plane
    acceleration: Plane


def fixed(place: complex) -> Point:
    """A point [m] that stays, shape ()."""
    return Point(np.asarray(place, complex), np.zeros((), complex), np.zeros((), complex))


def turning(angle: ArrayLike, rate: ArrayLike = 1.0, acceleration: ArrayLike = 0.0) -> Turn:
    """A given turn [rad, rad/s, rad/s^2], shapes broadcast; by default derivatives are by the angle itself."""
    return Turn(*np.broadcast_arrays(*(np.asarray(x, float) for x in (angle, rate, acceleration))))


def dot(a: Plane, b: Plane) -> Array:
    """The inner product of two plane vectors, any shape."""
    return np.asarray((np.conj(a) * b).real)


def cross(a: Plane, b: Plane) -> Array:
    """a_x b_y - a_y b_x of two plane vectors, any shape."""
    return np.asarray((np.conj(a) * b).imag)


# --- four bars ----------------------------------------------------------------------------------------------


def dyad(start: Point, end: Point, first: float, second: float, mode: Mode) -> tuple[Turn, Turn]:
    """The turns of two links [m] that meet: `first` from `start`, `second` from `end`, shapes broadcast.

    Law of cosines; mode +1 has the first link to the left of the line from start to end.
    """
    across = end.place - start.place
    distance = np.abs(across)
    opening = np.arccos((first**2 + distance**2 - second**2) / (2 * first * distance))
    one = np.angle(across) + mode * opening
    two = np.angle(first * np.exp(1j * one) - across)
    u, w = np.exp(1j * one), np.exp(1j * two)
    sine = np.sin(two - one)
    between = end.velocity - start.velocity
    rates = dot(w, between) / (first * sine), dot(u, between) / (second * sine)
    pull = end.acceleration - start.acceleration + first * u * rates[0] ** 2 - second * w * rates[1] ** 2
    return (
        Turn(one, rates[0], dot(w, pull) / (first * sine)),
        Turn(two, rates[1], dot(u, pull) / (second * sine)),
    )


@dataclass(frozen=True)
class FourBar:
    """Lengths [m] of a four-bar: crank from 0, coupler, rocker from the ground's end at (ground, 0)."""

    crank: float
    coupler: float
    rocker: float
    ground: float


def four_bar(links: FourBar, crank: Turn, mode: Mode = 1) -> tuple[Turn, Turn]:
    """Turns of the coupler (from the crank's tip) and of the rocker (from its pivot), shape of the crank's.

    Angles are those of the links' directions to their common pin, up to whole turns; mode +1 is the assembly
    with that pin to the left of the line from the crank's tip to the rocker's pivot.
    """
    tip = crank.point(links.crank, fixed(0))
    return dyad(tip, fixed(links.ground), links.coupler, links.rocker, mode)


# --- the slider-crank ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SliderMotion:
    """Slider place [m], velocity [m/s], acceleration [m/s^2] on the x axis; turn of the rod from A to B."""

    place: Array
    velocity: Array
    acceleration: Array
    rod: Turn


def slider_crank(
    crank_length: float, rod_length: float, angle: ArrayLike, speed: ArrayLike, acceleration: ArrayLike = 0.0
) -> SliderMotion:
    """Motion of the slider on y = 0, x > 0, from the crank's [rad, rad/s, rad/s^2], shapes broadcast."""
    crank = turning(angle, speed, acceleration)
    sine, cosine = np.sin(crank.angle), np.cos(crank.angle)
    ratio = crank_length / rod_length
    tilt = -np.arcsin(ratio * sine)
    rate = -ratio * cosine * crank.rate / np.cos(tilt)
    second = ratio * (sine * crank.rate**2 - cosine * crank.acceleration) + np.sin(tilt) * rate**2
    rod = Turn(tilt, rate, second / np.cos(tilt))
    pin = rod.point(rod_length, crank.point(crank_length, fixed(0)))
    return SliderMotion(pin.place.real, pin.velocity.real, pin.acceleration.real, rod)


@dataclass(frozen=True)
class SliderCrank:
    """Lengths [m], masses [kg], inertias about the centres [kg m^2], centres along the links [m] from O and A."""

    crank_length: float
    rod_length: float
    crank_mass: float
    rod_mass: float
    slider_mass: float
    crank_inertia: float
    rod_inertia: float
    crank_centre: float
    rod_centre: float


@dataclass(frozen=True)
class SliderReactions:
    """Forces [N], x + iy, and torque [N m] in a slider-crank, each of the crank angle's shape.

    at_A acts from the crank on the rod, at_B from the rod on the slider, at_pivot from the ground on the crank,
    guide along y from the ground on the slider, torque from the driver on the crank.
    """

    at_A: Plane
    at_B: Plane
    at_pivot: Plane
    guide: Array
    torque: Array


def slider_crank_reactions(
    mechanism: SliderCrank, crank: Turn, gravity: float = 9.81, slider_force: ArrayLike = 0.0
) -> SliderReactions:
    """Newton-Euler of the slider, the rod and the crank in turn; `slider_force` [N] along +x, shapes broadcast."""
    m, down = mechanism, -1j * gravity
    motion = slider_crank(m.crank_length, m.rod_length, crank.angle, crank.rate, crank.acceleration)
    tip = crank.point(m.crank_length, fixed(0))
    crank_centre = crank.point(m.crank_centre, fixed(0))
    rod_centre = motion.rod.point(m.rod_centre, tip)
    along = m.slider_mass * motion.acceleration - np.asarray(slider_force, float)
    rod, arm = motion.place - tip.place, rod_centre.place - tip.place
    lag = m.rod_mass * (down - rod_centre.acceleration)  # weight and inertia of the rod, at its centre
    moment = cross(arm, lag) - m.rod_inertia * motion.rod.acceleration  # about A, with -at_B at B
    upwards = (moment + rod.imag * along) / rod.real
    at_B = along + 1j * upwards
    at_A = at_B - lag
    turn = m.crank_inertia * crank.acceleration + cross(tip.place, at_A)
    held = m.crank_mass * (crank_centre.acceleration - down)
    torque = turn + cross(crank_centre.place, held)
    return SliderReactions(at_A, at_B, at_A + held, m.slider_mass * gravity - upwards, torque)


# --- pendulums ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rod:
    """A uniform rigid rod: mass [kg] and length [m]."""

    mass: float
    length: float


def double_pendulum_rates(upper: Rod, lower: Rod, state: Array, gravity: float = 9.81) -> Array:
    """d/dt of (angle, angle, rate, rate), SI, shape (4,), of two pinned rods hanging from 0; absolute angles."""
    (a, b), (p, q) = state[:2], state[2:]
    first, second = upper.length, lower.length
    shared = lower.mass * first * second / 2
    mass = np.array(
        [
            [(upper.mass / 3 + lower.mass) * first**2, shared * np.cos(a - b)],
            [shared * np.cos(a - b), lower.mass * second**2 / 3],
        ]
    )
    weight = -gravity * np.array(
        [(upper.mass / 2 + lower.mass) * first * np.cos(a), lower.mass / 2 * second * np.cos(b)]
    )
    turn = shared * np.sin(a - b) * np.array([-(q**2), p**2])
    return np.array([p, q, *np.linalg.solve(mass, weight + turn)])


def double_pendulum(upper: Rod, lower: Rod, start: Array, times: Array, gravity: float = 9.81) -> Array:
    """States (angle, angle, rate, rate), SI, shape (4, n), at `times` [s] (n,) from `start` (4,) at t = 0."""

    def rates(_time: float, state: Array) -> Array:
        return double_pendulum_rates(upper, lower, state, gravity)

    return trajectory(rates, start, times)


def double_pendulum_invariants(
    upper: Rod, lower: Rod, state: Array, gravity: float = 9.81
) -> tuple[Array, Array]:
    """Energy [J] and angular momentum about the pivot [kg m^2/s] of states (4,) or (4, n)."""
    tip = turning(state[0], state[2]).point(upper.length, fixed(0))
    energy, momentum = np.zeros(state.shape[1:]), np.zeros(state.shape[1:])
    for rod, base, angle, rate in ((upper, fixed(0), state[0], state[2]), (lower, tip, state[1], state[3])):
        centre, inertia = turning(angle, rate).point(rod.length / 2, base), rod.mass * rod.length**2 / 12
        kinetic = (rod.mass * np.abs(centre.velocity) ** 2 + inertia * rate**2) / 2
        energy = energy + kinetic + rod.mass * gravity * centre.place.imag
        momentum = momentum + rod.mass * cross(centre.place, centre.velocity) + inertia * rate
    return np.asarray(energy), np.asarray(momentum)


def trajectory(rates: Callable[[float, Array], Array], start: Array, times: Array) -> Array:
    """States, shape (m, n), at rising `times` >= 0 (n,) from `start` (m,) at t = 0, as tight as DOP853 goes."""
    end = float(times[-1]) if times[-1] > 0 else 1.0
    return np.asarray(solve_ivp(rates, (0.0, end), start, t_eval=times, **TIGHT).y)


def pendulum(pull: float, start: Array, times: Array) -> Array:
    """(angle, rate), SI, shape (2, n), of angle'' = -pull cos(angle) at `times` [s]; pull in 1/s^2."""

    def rates(_time: float, state: Array) -> Array:
        return np.array([state[1], -pull * np.cos(state[0])])

    return trajectory(rates, start, times)


def pendulum_by_elliptic_functions(pull: float, angle: float, rate: float, times: Array) -> Array:
    """The angle [rad], shape (n,), of the same pendulum by Jacobi's functions; not backwards over the top."""
    lowest = 2 * np.pi * np.round((angle + np.pi / 2) / (2 * np.pi)) - np.pi / 2
    away = angle - lowest
    energy = rate**2 / 2 - pull * np.cos(away)
    if energy > pull:  # over the top again and again
        parameter, pace = 2 * pull / (energy + pull), np.sqrt((energy + pull) / 2)
        return np.asarray(lowest + 2 * amplitude(pace * times + ellipkinc(away / 2, parameter), parameter))
    parameter, pace = (energy + pull) / (2 * pull), np.sqrt(pull)
    begin = ellipkinc(np.arctan2(np.sin(away / 2), rate / (2 * pace)), parameter)
    sine = ellipj(pace * times + begin, parameter)[0]
    return np.asarray(lowest + 2 * np.arcsin(np.sqrt(parameter) * sine))


def amplitude(argument: Array, parameter: float) -> Array:
    """Jacobi's amplitude [rad] at any argument, shape kept: whole half turns are taken out first."""
    half = 2 * ellipk(parameter)
    turns = np.round(argument / half)
    return np.asarray(np.pi * turns + ellipj(argument - turns * half, parameter)[3])


def simple_pendulum(times: Array, length: float = 1.0, gravity: float = 9.81) -> Array:
    """IFToMM A01: (angle, rate), SI, shape (2, n), of a point mass released from rest at the angle pi."""
    return pendulum(gravity / length, np.array([np.pi, 0.0]), times)


def simple_pendulum_period(length: float = 1.0, gravity: float = 9.81) -> float:
    """Period [s] of the point mass released from the horizontal: 4 K(1/2) sqrt(L/g)."""
    return float(4 * ellipk(0.5) * np.sqrt(length / gravity))


def many_four_bars_pull(windows: int, gravity: float = 9.81) -> float:
    """Pull [1/s^2] of IFToMM A02 with `windows` loops: all N + 1 cranks are parallel, the N couplers level."""
    cranks, couplers = windows + 1, windows
    return gravity * (cranks / 2 + couplers) / (cranks / 3 + couplers)


def many_four_bars(windows: int, times: Array, gravity: float = 9.81) -> Array:
    """IFToMM A02: (crank angle, rate), SI, shape (2, n); upright at first, B0 = exp(i angle) at 1 m/s along +x."""
    return pendulum(many_four_bars_pull(windows, gravity), np.array([np.pi / 2, -1.0]), times)


# --- Andrews' squeezing mechanism -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Body:
    """Mass [kg], inertia about the centre of mass [kg m^2]; centre and pins x + iy [m] in the body's frame."""

    mass: float
    inertia: float
    centre: complex
    pins: dict[str, complex]

    def from_centre(self, pin: str) -> complex:
        """A pin [m] seen from the centre of mass, in the body's axes."""
        return self.pins[pin] - self.centre


# Ground points [m]: crank pivot O, pivots A of K5 and K7, B of K3, and the spring's end C.
O_PIVOT, A_PIVOT, B_PIVOT, C_END = 0j, -0.06934 - 0.00227j, -0.03635 + 0.03273j, 0.014 + 0.072j
# Crank OF, rod FE, triangle BED, links EG and EH, triangles AG and AH. All of K2, K3, K4 and K6 meet in E.
SQUEEZER = {
    "K1": Body(0.04325, 2.194e-6, 0.00092, {"O": 0, "F": 0.007}),
    "K2": Body(0.00365, 4.410e-7, -0.0115, {"F": 0, "E": -0.028}),
    "K3": Body(0.02373, 5.255e-6, 0.01043 - 0.01874j, {"B": 0, "E": -0.035j, "D": 0.02 - 0.018j}),
    "K4": Body(0.00706, 5.667e-7, 0.01421j, {"E": 0, "G": 0.02j}),
    "K5": Body(0.07050, 1.169e-5, 0.02308 + 0.00916j, {"A": 0, "G": 0.04}),
    "K6": Body(0.00706, 5.667e-7, -0.01421, {"E": 0, "H": -0.02}),
    "K7": Body(0.05498, 1.912e-5, -0.01228 - 0.00449j, {"A": 0, "H": -0.04j}),
}
# Revolute joints as (body or "ground", body, point).
SQUEEZER_JOINTS = (
    ("ground", "K1", "O"),
    ("K1", "K2", "F"),
    ("ground", "K3", "B"),
    ("K2", "K3", "E"),
    ("K2", "K4", "E"),
    ("K2", "K6", "E"),
    ("ground", "K5", "A"),
    ("K4", "K5", "G"),
    ("ground", "K7", "A"),
    ("K6", "K7", "H"),
)
SPRING_STIFFNESS, SPRING_LENGTH = 4530.0, 0.07785  # N/m and m, linear, between D of K3 and the ground's C
DRIVE = 0.033  # N m on K1, constant
START_BETA = -0.0617138900142764496  # the crank's angle at rest, t = 0; theta is zero there
START_ANGLES = np.array(  # at t = 0, in the order of ANGLES
    [
        START_BETA,
        0.0,
        0.455279819163070380,
        0.222668390165885885,
        0.487364979543842550,
        -0.222668390165885885,
        1.23054744454982119,
    ]
)
ANGLES = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
# Test Set for IVP Solvers, problem andrews (revision of 2006-10-02), at t = 0.03 s: PSIDE at tolerances of 1e-14.
# It lags the solution found here by 1.0e-12 s: 1.1e-9 rad in beta, 3e-8 of some rates, 1e-5 N.
PUBLISHED_ANGLES = np.array(
    [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ]
)
PUBLISHED_RATES = np.array(
    [
        1139.920302151208,
        -1424.379294994111,
        11.03291221937134,
        19.29337464421385,
        0.5735699284790808,
        -19.29337464421385,
        0.3231791658026955,
    ]
)
PUBLISHED_FORCES = np.array(  # the multipliers in pairs
    [
        199.1753333731910 - 29.75531228015052j,
        23.06654119098399 + 31.45271365475927j,
        22.64249232082739 + 11.61740700019673j,
    ]
)
START_ACCELERATION = 14222.4439199541138705911625887  # of beta [rad/s^2], the same source
START_FORCES = np.array([98.5668703962410896 - 6.12268834425566265j, 0, 0])


@dataclass(frozen=True)
class Pose:
    """Origin of a body's frame and turn of its axes."""

    origin: Point
    turn: Turn

    def at(self, place: complex) -> Point:
        """A point of the body [m, in its frame], any shape."""
        return self.turn.point(place, self.origin)


def squeezer_poses(crank: Turn) -> dict[str, Pose]:
    """Poses of the seven bodies from the crank's turn, any shape: a four-bar and two dyads in closed form."""
    pins = {name: body.pins for name, body in SQUEEZER.items()}
    tip = crank.point(pins["K1"]["F"], fixed(O_PIVOT))
    right = np.pi / 2
    rod, triangle = dyad(tip, fixed(B_PIVOT), abs(pins["K2"]["E"]), abs(pins["K3"]["E"]), 1)
    meeting = triangle.point(abs(pins["K3"]["E"]), fixed(B_PIVOT))
    upper, left = dyad(meeting, fixed(A_PIVOT), abs(pins["K4"]["G"]), abs(pins["K5"]["G"]), -1)
    lower, below = dyad(meeting, fixed(A_PIVOT), abs(pins["K6"]["H"]), abs(pins["K7"]["H"]), 1)
    return {
        "K1": Pose(fixed(O_PIVOT), crank),
        "K2": Pose(tip, wrapped(rod.shifted(np.pi))),
        "K3": Pose(fixed(B_PIVOT), wrapped(triangle.shifted(right))),
        "K4": Pose(meeting, wrapped(upper.shifted(-right))),
        "K5": Pose(fixed(A_PIVOT), wrapped(left)),
        "K6": Pose(meeting, wrapped(lower.shifted(np.pi))),
        "K7": Pose(fixed(A_PIVOT), wrapped(below.shifted(right))),
    }


def wrapped(turn: Turn) -> Turn:
    """The same turn with its angle within half a turn of zero, any shape; six of the bodies stay there."""
    whole = 2 * np.pi * np.round(turn.angle / (2 * np.pi))
    return Turn(turn.angle - whole, turn.rate, turn.acceleration)


def squeezer_angles(crank: Turn) -> tuple[Array, Array]:
    """The test set's seven relative angles [rad] and their rates [rad/s] in the order of ANGLES, shape (7, ...)."""
    turns = [squeezer_poses(crank)[name].turn for name in SQUEEZER]

    def relative(k: list[Array]) -> Array:
        return np.array([k[0], k[1] - k[0], k[2], k[3] - k[4], k[4], k[5] - k[6], k[6]])

    return relative([turn.angle for turn in turns]), relative([turn.rate for turn in turns])


def squeezer_inertia(beta: ArrayLike) -> tuple[Array, Array]:
    """Generalised inertia M [kg m^2] of the crank's angle and half its derivative, any shape."""
    mass, slope = np.zeros(np.shape(beta)), np.zeros(np.shape(beta))
    for name, pose in squeezer_poses(turning(beta)).items():
        body, turn = SQUEEZER[name], pose.turn
        centre = pose.at(body.centre)
        mass = mass + body.mass * np.abs(centre.velocity) ** 2 + body.inertia * turn.rate**2
        bend = body.mass * dot(centre.velocity, centre.acceleration)
        slope = slope + bend + body.inertia * turn.rate * turn.acceleration
    return np.asarray(mass), np.asarray(slope)


def squeezer_spring(beta: ArrayLike) -> tuple[Array, Array]:
    """Energy [J] of the spring less the work of the drive, and minus its derivative [N m], any shape."""
    hook = squeezer_poses(turning(beta))["K3"].at(SQUEEZER["K3"].pins["D"])
    reach = hook.place - C_END
    stretch = np.abs(reach) - SPRING_LENGTH
    pull = SPRING_STIFFNESS * stretch * dot(reach, hook.velocity) / np.abs(reach)
    energy = SPRING_STIFFNESS * stretch**2 / 2 - DRIVE * np.asarray(beta, float)
    return np.asarray(energy), np.asarray(DRIVE - pull)


def squeezer_acceleration(beta: ArrayLike, rate: ArrayLike) -> Array:
    """The crank's acceleration [rad/s^2] from M beta'' + M'/2 beta'^2 = Q, any shape."""
    mass, slope = squeezer_inertia(beta)
    return np.asarray((squeezer_spring(beta)[1] - slope * np.asarray(rate) ** 2) / mass)


def squeezer(times: Array) -> Turn:
    """The crank's turn, shape (n,), at `times` [s] (n,), released at rest at t = 0."""

    def rates(_time: float, state: Array) -> Array:
        return np.array([state[1], float(squeezer_acceleration(state[0], state[1]))])

    angle, rate = trajectory(rates, np.array([START_BETA, 0.0]), times)
    return Turn(angle, rate, squeezer_acceleration(angle, rate))


def squeezer_time(beta: float, panels: int = 200, order: int = 20) -> float:
    """The time [s] at which the crank first reaches `beta`, by quadrature of the energy integral.

    With beta = beta0 + s^2 and Q_mean the work per angle since the start, dt = sqrt(2 M / Q_mean) ds is smooth.
    """
    nodes, weights = np.polynomial.legendre.leggauss(order)
    edges = np.linspace(0.0, np.sqrt(beta - START_BETA), panels + 1)
    half = np.diff(edges)[:, None] / 2
    s = edges[:-1, None] + half * (1 + nodes)
    slowness = np.sqrt(2 * squeezer_inertia(START_BETA + s**2)[0] / squeezer_mean_drive(s**2))
    return float(np.sum(half * weights * slowness))


def squeezer_mean_drive(turned: Array, order: int = 30) -> Array:
    """Work of spring and drive per angle [N m] over the first `turned` [rad], any shape."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    short = np.minimum(turned, 0.2)  # where the energies' difference would cancel
    drives = squeezer_spring(START_BETA + short[..., None] * (1 + nodes) / 2)[1]
    released = squeezer_spring(START_BETA)[0] - squeezer_spring(START_BETA + turned)[0]
    return np.where(turned > short, released / turned, np.sum(weights * drives, axis=-1) / 2)


def balance(first: Plane, second: Plane, first_moment: Array, second_moment: Array) -> Plane:
    """The force [N] with the given moments [N m] at two arms [m], any shape."""
    return np.asarray((second * first_moment - first * second_moment) / cross(first, second))


def squeezer_forces(crank: Turn) -> Plane:
    """Forces [N] on K3, K4 and K6 at E from K2, shape (3, ...), by free bodies; the test set's multipliers.

    Each is found from moments that leave out the other pins: of a link about its far pin, of link and triangle
    (or of K2, or of K3) about the pin on the far side.
    """
    poses = squeezer_poses(crank)

    def inertia(name: str, pin: Point) -> Array:
        body, pose = SQUEEZER[name], poses[name]
        centre = pose.at(body.centre)
        arm = centre.place - pin.place
        return body.inertia * pose.turn.acceleration + body.mass * cross(arm, centre.acceleration)

    def of_links(link: str, triangle: str, pin: str) -> Plane:
        hinge, far = poses[link].at(SQUEEZER[link].pins[pin]), fixed(A_PIVOT)
        both = inertia(link, far) + inertia(triangle, far)
        return balance(meeting - hinge.place, meeting - far.place, inertia(link, hinge), both)

    meeting, tip, base = poses["K4"].origin.place, poses["K2"].origin, fixed(B_PIVOT)
    on_K4, on_K6 = of_links("K4", "K5", "G"), of_links("K6", "K7", "H")
    hook = poses["K3"].at(SQUEEZER["K3"].pins["D"]).place
    reach = C_END - hook
    spring = SPRING_STIFFNESS * (np.abs(reach) - SPRING_LENGTH) * reach / np.abs(reach)
    on_triangle = inertia("K3", base) - cross(hook - base.place, spring)
    on_rod = -inertia("K2", tip) - cross(meeting - tip.place, on_K4 + on_K6)
    on_K3 = balance(meeting - base.place, meeting - tip.place, on_triangle, on_rod)
    return np.array([on_K3, on_K4, on_K6])
