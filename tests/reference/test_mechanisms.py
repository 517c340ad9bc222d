"""The references of `mechanisms.py` against second routes, limits, balances and published numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reference.mechanisms import (
    A_PIVOT,
    B_PIVOT,
    C_END,
    DRIVE,
    O_PIVOT,
    PUBLISHED_ANGLES,
    PUBLISHED_FORCES,
    PUBLISHED_RATES,
    SPRING_LENGTH,
    SPRING_STIFFNESS,
    SQUEEZER,
    SQUEEZER_JOINTS,
    START_ACCELERATION,
    START_ANGLES,
    START_BETA,
    START_FORCES,
    Array,
    FourBar,
    Mode,
    Plane,
    Rod,
    SliderCrank,
    cross,
    double_pendulum,
    double_pendulum_invariants,
    double_pendulum_rates,
    four_bar,
    many_four_bars,
    many_four_bars_pull,
    pendulum,
    pendulum_by_elliptic_functions,
    simple_pendulum,
    simple_pendulum_period,
    slider_crank,
    slider_crank_reactions,
    squeezer,
    squeezer_acceleration,
    squeezer_angles,
    squeezer_forces,
    squeezer_inertia,
    squeezer_poses,
    squeezer_spring,
    squeezer_time,
    trajectory,
    turning,
)
from reference.shared import shared

ROUND = np.linspace(0.0, 2 * np.pi, 256, endpoint=False)
SPEED = 3.0


def by_angle(values: Array) -> Array:
    """The derivative of a periodic function of ROUND by Fourier's series, shape (256,)."""
    return np.asarray(np.fft.irfft(1j * np.arange(129) * np.fft.rfft(values)))


# --- four-bar and slider-crank ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [1, -1])
def test_four_bar_closes_and_its_rates_are_fourier_derivatives(mode: Mode) -> None:
    links = FourBar(0.1, 0.35, 0.3, 0.4)
    turns = four_bar(links, turning(ROUND, SPEED), mode)
    tip = links.crank * np.exp(1j * ROUND)
    coupler, rocker = (np.exp(1j * turn.angle) for turn in turns)
    np.testing.assert_allclose(
        tip + links.coupler * coupler, links.ground + links.rocker * rocker, atol=1e-15
    )
    side = cross(links.ground - tip, links.coupler * coupler)
    assert np.all(mode * side > 0)
    for turn in turns:
        np.testing.assert_allclose(turn.rate, SPEED * by_angle(np.unwrap(turn.angle)), atol=1e-11)
        np.testing.assert_allclose(turn.acceleration, SPEED * by_angle(turn.rate), atol=1e-10)
        assert np.ptp(turn.rate) > 0.5


def test_four_bar_feels_the_cranks_own_acceleration() -> None:
    links = FourBar(0.1, 0.35, 0.3, 0.4)
    steady, pushed = (four_bar(links, turning(ROUND, SPEED, push)) for push in (0.0, 7.0))
    for slow, fast in zip(steady, pushed, strict=True):
        np.testing.assert_allclose(fast.acceleration - slow.acceleration, 7.0 * slow.rate / SPEED, atol=1e-12)


def test_four_bar_as_a_parallelogram() -> None:
    angle = np.linspace(0.3, 2.8, 20)
    coupler, rocker = four_bar(FourBar(0.2, 0.5, 0.2, 0.5), turning(angle, SPEED, 2.0))
    np.testing.assert_allclose(coupler.angle, 0, atol=1e-14)
    np.testing.assert_allclose(rocker.angle, angle, atol=1e-14)
    np.testing.assert_allclose(coupler.acceleration, 0, atol=1e-12)
    np.testing.assert_allclose(rocker.acceleration, 2, atol=1e-12)


def test_slider_crank_against_the_square_root_and_fourier() -> None:
    motion = slider_crank(0.1, 0.3, ROUND, SPEED)
    place = 0.1 * np.cos(ROUND) + np.sqrt(0.3**2 - (0.1 * np.sin(ROUND)) ** 2)
    np.testing.assert_allclose(motion.place, place, rtol=1e-15)
    np.testing.assert_allclose(motion.velocity, SPEED * by_angle(place), atol=1e-13)
    np.testing.assert_allclose(motion.acceleration, SPEED**2 * by_angle(by_angle(place)), atol=1e-11)
    np.testing.assert_allclose(motion.rod.rate, SPEED * by_angle(motion.rod.angle), atol=1e-12)
    np.testing.assert_allclose(motion.rod.acceleration, SPEED * by_angle(motion.rod.rate), atol=1e-11)
    pushed = slider_crank(0.1, 0.3, ROUND, SPEED, 5.0)
    np.testing.assert_allclose(pushed.acceleration - motion.acceleration, 5 * by_angle(place), atol=1e-13)


ENGINE = SliderCrank(0.1, 0.3, 1.2, 0.9, 1.5, 0.004, 0.008, 0.04, 0.13)


def engine_sums(gravity: float) -> tuple[Plane, Array, Array]:
    """Momentum [kg m/s], angular momentum about O and energy of the running engine, over ROUND."""
    motion = slider_crank(0.1, 0.3, ROUND, SPEED)
    one, along = np.exp(1j * ROUND), np.exp(1j * motion.rod.angle)
    parts = [
        (ENGINE.crank_mass, ENGINE.crank_inertia, ENGINE.crank_centre * one, np.full(256, SPEED)),
        (ENGINE.rod_mass, ENGINE.rod_inertia, 0.1 * one + ENGINE.rod_centre * along, motion.rod.rate),
        (ENGINE.slider_mass, 0.0, motion.place + 0j, np.zeros(256)),
    ]
    momentum, spin, energy = np.zeros(256, complex), np.zeros(256), np.zeros(256)
    for mass, inertia, place, rate in parts:
        velocity = np.asarray(SPEED * (by_angle(place.real) + 1j * by_angle(place.imag)), complex)
        momentum += mass * velocity
        spin += mass * cross(np.asarray(place), velocity) + inertia * rate
        energy += mass * np.abs(velocity) ** 2 / 2 + inertia * rate**2 / 2 + mass * gravity * place.imag
    return momentum, spin, energy


def test_slider_crank_reactions_balance_momentum_spin_and_power() -> None:
    gravity, push = 9.81, -20 + 5 * np.cos(ROUND)
    loads = slider_crank_reactions(ENGINE, turning(ROUND, SPEED), gravity, push)
    momentum, spin, energy = engine_sums(gravity)
    motion = slider_crank(0.1, 0.3, ROUND, SPEED)
    rod_centre = 0.1 * np.exp(1j * ROUND) + ENGINE.rod_centre * np.exp(1j * motion.rod.angle)
    weight = ENGINE.crank_mass + ENGINE.rod_mass + ENGINE.slider_mass
    outer = loads.at_pivot + 1j * loads.guide + push - 1j * gravity * weight
    change = SPEED * (by_angle(momentum.real) + 1j * by_angle(momentum.imag))
    np.testing.assert_allclose(outer, change, atol=1e-10)
    hanging = ENGINE.crank_mass * ENGINE.crank_centre * np.cos(ROUND) + ENGINE.rod_mass * rod_centre.real
    moment = loads.torque + motion.place * (loads.guide - ENGINE.slider_mass * gravity) - gravity * hanging
    np.testing.assert_allclose(moment, SPEED * by_angle(spin), atol=1e-10)
    power = loads.torque * SPEED + push * motion.velocity
    np.testing.assert_allclose(power, SPEED * by_angle(energy), atol=1e-10)
    assert np.ptp(power) > 5


def test_slider_crank_with_a_massless_rod_pulls_along_it() -> None:
    light = replace(ENGINE, rod_mass=0.0, rod_inertia=0.0)
    loads = slider_crank_reactions(light, turning(ROUND, SPEED), 9.81, -20.0)
    along = np.exp(1j * slider_crank(0.1, 0.3, ROUND, SPEED).rod.angle)
    np.testing.assert_allclose(loads.at_A, loads.at_B, atol=1e-14)
    np.testing.assert_allclose(cross(along, loads.at_A), 0, atol=1e-13)
    assert np.max(np.abs(loads.at_A)) > 20


def test_slider_crank_at_rest_holds_by_virtual_work() -> None:
    loads = slider_crank_reactions(ENGINE, turning(ROUND, 0.0), 0.0, -20.0)
    np.testing.assert_allclose(loads.torque, 20 * slider_crank(0.1, 0.3, ROUND, 1.0).velocity, atol=1e-13)


# --- pendulums ----------------------------------------------------------------------------------------------------

UPPER, LOWER = Rod(1.3, 0.7), Rod(0.8, 1.1)


def test_double_pendulum_keeps_energy_and_obeys_the_moment_of_weight() -> None:
    """The two balances fix both accelerations; 1e-7 is the error of the central difference."""
    state, h = np.array([0.4, -1.1, 2.0, -3.0]), 1e-5
    rates = double_pendulum_rates(UPPER, LOWER, state)
    after, before = (double_pendulum_invariants(UPPER, LOWER, state + way * h * rates) for way in (1, -1))
    reach = UPPER.mass * 0.35 * np.cos(0.4) + LOWER.mass * (0.7 * np.cos(0.4) + 0.55 * np.cos(-1.1))
    assert (after[0] - before[0]) / (2 * h) == pytest.approx(0, abs=1e-7)
    assert (after[1] - before[1]) / (2 * h) == pytest.approx(-9.81 * reach, abs=1e-7)
    times = np.linspace(0, 5, 21)
    energy, _ = double_pendulum_invariants(UPPER, LOWER, double_pendulum(UPPER, LOWER, state, times))
    np.testing.assert_allclose(energy, energy[0], atol=1e-10)


def test_double_pendulum_of_equal_rods_swings_at_the_known_frequencies() -> None:
    rod, rest, h = Rod(2.0, 0.5), np.array([-np.pi / 2, -np.pi / 2, 0.0, 0.0]), 1e-6
    columns = [
        double_pendulum_rates(rod, rod, rest + h * unit) - double_pendulum_rates(rod, rod, rest - h * unit)
        for unit in np.eye(4)[:2]
    ]
    squares = np.sort(np.linalg.eigvals(-np.array(columns).T[2:] / (2 * h)).real)
    np.testing.assert_allclose(squares, 9.81 / 0.5 * (3 + 6 / np.sqrt(7) * np.array([-1, 1])), rtol=1e-8)


def test_pendulums_against_elliptic_functions() -> None:
    times = np.array([0.5, 1, 2, 5, 10])
    np.testing.assert_allclose(
        simple_pendulum(times)[0], pendulum_by_elliptic_functions(9.81, np.pi, 0.0, times), atol=2e-11
    )
    for windows in (1, 2, 40):
        mirrored = pendulum_by_elliptic_functions(many_four_bars_pull(windows), np.pi / 2, 1.0, times)
        np.testing.assert_allclose(many_four_bars(windows, times)[0], np.pi - mirrored, atol=2e-11)
    period = simple_pendulum_period()
    np.testing.assert_allclose(simple_pendulum(np.array([period])), [[np.pi], [0.0]], atol=1e-11)


def test_many_four_bars_between_one_rod_and_endlessly_many() -> None:
    assert many_four_bars_pull(0, 10.0) == pytest.approx(15, rel=1e-15)  # 3 g / (2 L)
    assert many_four_bars_pull(10**9, 8.0) == pytest.approx(9, rel=1e-8)  # (1/2 + 1) g / (1/3 + 1)
    velocity = 1j * np.exp(1j * many_four_bars(2, np.array([1e-12]))[0]) * -1.0
    assert velocity[0] == pytest.approx(1.0, abs=1e-9)  # B0 sets out along +x


def test_pendulum_with_an_upward_throw_below_the_top() -> None:
    times = np.linspace(0.1, 3, 9)
    start = np.array([-2.0, 1.5])
    np.testing.assert_allclose(
        pendulum(20.0, start, times)[0], pendulum_by_elliptic_functions(20.0, -2.0, 1.5, times), atol=1e-11
    )


def test_pendulums_of_the_benchmark_library() -> None:
    lines = [line.split() for line in shared("mbs-benchmarks/a01_a02.json")["lines"]]
    checked = 0
    for name, *fields in lines:
        values = dict(field.split("=") for field in fields if "=" in field)
        if not values:
            assert simple_pendulum_period() == pytest.approx(float(fields[1]), rel=1e-14)
            continue
        time = np.array([float(values["t"])])
        angle, rate = (simple_pendulum(time) if name == "A01" else many_four_bars(int(values["N"]), time))[
            :, 0
        ]
        place, velocity = np.exp(1j * angle), 1j * np.exp(1j * angle) * rate
        ours = [place.real, place.imag, velocity.real, velocity.imag]
        theirs = [float(text) for key, text in values.items() if key not in {"N", "t"}]
        np.testing.assert_allclose(ours[: len(theirs)], theirs, atol=1e-8)
        checked += 1
    assert checked == 13


# --- Andrews' squeezing mechanism -----------------------------------------------------------------------------------


def test_squeezer_starts_where_the_literature_has_it() -> None:
    angles, _ = squeezer_angles(turning(START_BETA))
    np.testing.assert_allclose(angles, START_ANGLES, atol=5e-16)
    start = turning(START_BETA, 0.0, squeezer_acceleration(START_BETA, 0.0))
    assert start.acceleration == pytest.approx(START_ACCELERATION, rel=1e-14)
    np.testing.assert_allclose(squeezer_forces(start), START_FORCES, atol=1e-12)


def test_squeezer_holds_together_in_every_joint() -> None:
    poses = squeezer_poses(turning(ROUND))
    ground = {"O": O_PIVOT, "A": A_PIVOT, "B": B_PIVOT}
    for one, two, pin in SQUEEZER_JOINTS:
        left = ground[pin] if one == "ground" else poses[one].at(SQUEEZER[one].pins[pin]).place
        np.testing.assert_allclose(poses[two].at(SQUEEZER[two].pins[pin]).place, left, atol=1e-16)
    assert len(SQUEEZER_JOINTS) == 10  # 7 bodies, 21 - 20 = 1 freedom


def test_squeezer_inertia_and_drive_have_the_right_derivatives() -> None:
    mass, slope = squeezer_inertia(ROUND)
    np.testing.assert_allclose(2 * slope, by_angle(mass), atol=1e-13 * 1e3 * np.max(mass))
    potential, drive = squeezer_spring(ROUND)
    np.testing.assert_allclose(drive, DRIVE - by_angle(potential + DRIVE * ROUND), atol=1e-10)
    assert np.ptp(drive) > 0.01


def seven_angles_rates(state: Array) -> tuple[Array, Plane]:
    """d state/dt, shape (14,), and the multipliers as forces (3,) by the index-1 equations in absolute angles.

    Centres and loops are linear in z = exp(i angle): c z and l z, each with one complex row.
    """
    pins, centres = {k: b.pins for k, b in SQUEEZER.items()}, [b.centre for b in SQUEEZER.values()]
    centre, loop = np.diag(np.array(centres, complex)), np.zeros((3, 7), complex)
    centre[1, 0] = pins["K1"]["F"]
    centre[3, 3:5] = centres[3] - pins["K4"]["G"], pins["K5"]["G"]
    centre[5, 5:7] = centres[5] - pins["K6"]["H"], pins["K7"]["H"]
    loop[:, 0], loop[:, 1] = pins["K1"]["F"], pins["K2"]["E"]
    loop[0, 2] = -pins["K3"]["E"]
    loop[1, 3:5] = pins["K4"]["G"], -pins["K5"]["G"]
    loop[2, 5:7] = pins["K6"]["H"], -pins["K7"]["H"]
    masses, inertias = (
        np.array([getattr(b, name) for b in SQUEEZER.values()]) for name in ("mass", "inertia")
    )
    z, rate = np.exp(1j * state[:7]), state[7:]
    J, G = 1j * centre * z, 1j * loop * z
    G = np.concatenate((G.real, G.imag))
    M = (np.conj(J).T @ (masses[:, None] * J)).real + np.diag(inertias)
    force = (np.conj(J).T @ (masses * (centre @ (z * rate**2)))).real
    force[0] += DRIVE
    arm = pins["K3"]["D"] * z[2]
    reach = C_END - B_PIVOT - arm
    force[2] += SPRING_STIFFNESS * (1 - SPRING_LENGTH / abs(reach)) * (np.conj(arm) * reach).imag
    bias = loop @ (z * rate**2)
    matrix = np.block([[M, G.T], [G, np.zeros((6, 6))]])
    solved = np.linalg.solve(matrix, np.concatenate((force, bias.real, bias.imag)))
    return np.concatenate((rate, solved[:7])), solved[7:10] + 1j * solved[10:]


def absolute(relative: Array) -> Array:
    """Absolute angles of the bodies from the test set's seven, shape (7, ...)."""
    b, t, g, p, d, o, e = relative
    return np.array([b, b + t, g, p + d, d, o + e, e])


def test_squeezer_agrees_with_the_published_solution_and_its_multipliers() -> None:
    """Within 2e-9 rad, 6e-8 of each rate and 2e-5 N: what the published one lags, 1e-12 s, and no more."""
    crank = squeezer(np.array([0.03]))
    angles, rates = squeezer_angles(crank)
    np.testing.assert_allclose(angles[:, 0], PUBLISHED_ANGLES, rtol=0, atol=2e-9)
    np.testing.assert_allclose(rates[:, 0], PUBLISHED_RATES, rtol=6e-8)
    np.testing.assert_allclose(squeezer_forces(crank)[:, 0], PUBLISHED_FORCES, atol=2e-5)
    lag = (PUBLISHED_ANGLES[0] - crank.angle[0]) / crank.rate[0]
    at_lag, _ = squeezer_angles(turning(PUBLISHED_ANGLES[0]))
    assert lag == pytest.approx(1.0e-12, rel=0.02)
    np.testing.assert_allclose(at_lag, PUBLISHED_ANGLES, rtol=0, atol=1e-13)


def test_squeezer_arrives_in_time_by_the_energy_integral() -> None:
    crank = squeezer(np.array([0.01, 0.02, 0.03]))
    for angle, time in zip(crank.angle, (0.01, 0.02, 0.03), strict=True):
        assert squeezer_time(float(angle)) == pytest.approx(time, abs=1e-14)
    assert squeezer_time(float(PUBLISHED_ANGLES[0])) - 0.03 == pytest.approx(1.0e-12, rel=0.02)


def test_squeezer_agrees_with_index_one_in_seven_angles() -> None:
    times = np.array([0.01, 0.02, 0.03])
    start = np.concatenate((absolute(START_ANGLES), np.zeros(7)))
    states = trajectory(lambda _time, state: seven_angles_rates(state)[0], start, times)
    crank = squeezer(times)
    angles, rates = squeezer_angles(crank)
    np.testing.assert_allclose(states[:7], absolute(angles), atol=2e-10)
    np.testing.assert_allclose(states[7:], absolute(rates), atol=1e-6)
    on_path = np.concatenate((absolute(angles), absolute(rates)))
    for column in range(3):
        forces = seven_angles_rates(on_path[:, column])[1]
        np.testing.assert_allclose(squeezer_forces(crank)[:, column], forces, atol=1e-9)


def test_squeezer_crank_obeys_its_own_moment() -> None:
    crank = squeezer(np.array([0.005, 0.017, 0.03]))
    poses, body = squeezer_poses(crank), SQUEEZER["K2"]
    from_rod = -squeezer_forces(crank).sum(axis=0) - body.mass * poses["K2"].at(body.centre).acceleration
    inertia = SQUEEZER["K1"].inertia + SQUEEZER["K1"].mass * abs(SQUEEZER["K1"].centre) ** 2
    moment = DRIVE + cross(poses["K2"].origin.place, from_rod)
    np.testing.assert_allclose(inertia * crank.acceleration, moment, atol=1e-12)
