"""The references of `beams.py` against second routes, limits and published numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

from reference.beams import (
    PENDULUM_TIMES,
    PENDULUM_TIP,
    PENDULUM_VELOCITY,
    SOFT_PENDULUM,
    Beam,
    Chain,
    Ritz,
    ShearBeam,
    axial_frequencies,
    bending_frequencies,
    bent_to_arc,
    cantilever,
    cantilever_roots,
    extrapolated_tip,
    free_roots,
    hinged_shear_frequencies,
    pinned_free_roots,
    pinned_roots,
    shear_cantilever_frequencies,
    shear_tip_deflection,
    shear_transfer_matrix,
    shear_transfer_residual,
    swing,
    transverse_cantilever,
)
from reference.mechanisms import Array, cross, dot, pendulum
from reference.shared import shared

CHAIN_40_ERROR, RITZ_18_ERROR = 1e-4, 3e-4  # m, of the coarse models the tests afford


# --- beams ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axial", [np.inf, 1e4, 20.0])
@pytest.mark.parametrize("force", [0.2, 2.0, 10.0])
def test_cantilever_by_shooting_and_by_quadrature(force: float, axial: float) -> None:
    beam = Beam(1.0, 1.0, axial)
    shot, summed = cantilever(beam, 1j * force), transverse_cantilever(beam, force)
    assert shot.tip == pytest.approx(summed.tip, abs=2e-12)
    assert shot.angle == pytest.approx(summed.angle, abs=2e-12)
    assert shot.root_moment == pytest.approx(force * shot.tip.real, abs=2e-11)


def test_cantilever_of_the_shared_elastica() -> None:
    rows = np.array(shared("rod-references/elastica.json")["rows"], float)
    for force, shortening, deflection, angle in rows:
        bent = transverse_cantilever(Beam(1.0, 1.0), force)
        ours = [1 - bent.tip.real, bent.tip.imag, bent.angle]
        np.testing.assert_allclose(ours, [shortening, deflection, angle], atol=6e-9)


def test_cantilever_limits() -> None:
    beam = Beam(2.0, 3.0, 50.0)
    small = cantilever(beam, 1e-4j)
    assert small.tip.imag == pytest.approx(1e-4 * 8 / 9, rel=1e-7)
    assert small.angle == pytest.approx(1e-4 * 2 / 3, rel=1e-7)
    assert cantilever(beam, 5.0).tip == pytest.approx(2 * (1 + 5 / 50), rel=1e-13)
    stiff, stiffer = (
        abs(cantilever(Beam(1, 1, ea), 5j).tip - cantilever(Beam(1, 1), 5j).tip) for ea in (1e4, 1e5)
    )
    assert stiff / stiffer == pytest.approx(10, rel=1e-3)  # first order in 1/EA


def test_cantilever_under_a_skew_force_and_a_moment() -> None:
    """Root moment by statics; tip displacement as the gradient of the work's complement (Castigliano)."""
    beam, force, moment, h = Beam(2.0, 3.0, 40.0), 1 - 2j, 1.2, 1e-4
    bent = cantilever(beam, force, moment)
    assert bent.root_moment == pytest.approx(
        cross(np.asarray(bent.tip), np.asarray(force)) + moment, abs=1e-11
    )
    by_moment = (cantilever(beam, force, moment + h).tip - cantilever(beam, force, moment - h).tip) / (2 * h)
    turns = [
        (cantilever(beam, force + d, moment).angle - cantilever(beam, force - d, moment).angle)
        for d in (h, 1j * h)
    ]
    np.testing.assert_allclose([by_moment.real, by_moment.imag], np.array(turns) / (2 * h), atol=1e-8)
    assert abs(by_moment) > 0.1


def test_cantilever_bends_to_an_arc() -> None:
    beam = Beam(2.0, 3.0, 40.0)
    for part in (0.25, 0.6, 1.0):
        moment = part * 2 * np.pi * 3 / 2
        shot, arc = cantilever(beam, 0j, moment), bent_to_arc(beam, moment)
        assert shot.tip == pytest.approx(arc.tip, abs=1e-11)
        assert arc.tip == pytest.approx(
            2 * (np.sin(arc.angle) + 1j * (1 - np.cos(arc.angle))) / arc.angle, abs=1e-15
        )
    assert abs(bent_to_arc(beam, 3 * np.pi).tip) < 1e-15


def test_bending_roots_solve_their_equations() -> None:
    x, y, z = cantilever_roots(), free_roots(), pinned_free_roots()
    np.testing.assert_allclose(np.cos(x) + 1 / np.cosh(x), 0, atol=1e-14)
    np.testing.assert_allclose(np.cos(y) - 1 / np.cosh(y), 0, atol=1e-14)
    np.testing.assert_allclose(np.sin(z) - np.tanh(z) * np.cos(z), 0, atol=2e-14)
    known = [1.875104068711961, 4.694091132974175, 7.854757438237613]
    np.testing.assert_allclose(x[:3], known, rtol=1e-15)
    np.testing.assert_allclose(pinned_roots(), [np.pi * n for n in range(1, 7)], rtol=1e-15)


def thick(
    length: float, height: float, shape: float, modulus: float = 2e11, density: float = 8e3
) -> ShearBeam:
    """A square steel beam, Poisson's ratio 0.3 and the shear coefficient `shape`."""
    area, second = height**2, height**4 / 12
    return ShearBeam(length, modulus * second, shape * modulus / 2.6 * area, density * area, density * second)


def test_shear_frequencies_by_two_routes_and_in_the_slender_limit() -> None:
    beam = thick(2.0, 0.4, 5 / 6)
    exact = shear_cantilever_frequencies(beam)
    np.testing.assert_allclose(
        exact, shear_cantilever_frequencies(beam, residual=shear_transfer_residual), rtol=1e-12
    )
    slender = bending_frequencies(Beam(2.0, beam.bending, line_mass=beam.line_mass), cantilever_roots())
    assert np.all(exact < slender)
    assert exact[5] / slender[5] < 0.5
    thin = thick(2.0, 4e-4, 5 / 6)
    limit = bending_frequencies(Beam(2.0, thin.bending, line_mass=thin.line_mass), cantilever_roots(3))
    np.testing.assert_allclose(shear_cantilever_frequencies(thin, 3), limit, rtol=2e-5)


def test_shear_cantilever_beyond_its_cut_off() -> None:
    beam = thick(1.0, 0.5, 5 / 6)
    exact = shear_cantilever_frequencies(beam, 8)
    assert exact[-1] > np.sqrt(beam.shear / beam.line_inertia)
    np.testing.assert_allclose(
        exact, shear_cantilever_frequencies(beam, 8, shear_transfer_residual), rtol=1e-11
    )


def test_hinged_shear_frequencies_are_modes_and_those_of_nafems() -> None:
    """NAFEMS FV5: 42.650, 148.15 and 283.47 Hz, which belong to Cowper's shear coefficient."""
    beam = thick(10.0, 2.0, 13 / 15.3)
    frequencies = hinged_shear_frequencies(beam, 3)
    np.testing.assert_allclose(frequencies / (2 * np.pi), [42.650, 148.15, 283.47], rtol=1.5e-4)
    for frequency in frequencies:
        corner = expm(shear_transfer_matrix(beam, frequency) * beam.length)[np.ix_([0, 2], [1, 3])]
        scale = abs(corner[0, 0] * corner[1, 1]) + abs(corner[0, 1] * corner[1, 0])
        assert abs(np.linalg.det(corner)) < 1e-12 * scale


def test_shear_tip_deflection_by_the_transfer_matrix() -> None:
    beam = thick(1.0, 0.5, 5 / 6)
    transfer = expm(shear_transfer_matrix(beam, 0.0) * beam.length)
    root = np.linalg.solve(transfer[2:, 2:], [0.0, 1e6])
    assert transfer[0, 2:] @ root == pytest.approx(shear_tip_deflection(beam, 1e6), rel=1e-13)
    assert beam.shear * shear_tip_deflection(beam, 1.0) / beam.length == pytest.approx(
        1 + 1 / (3 * beam.softness)
    )


# --- the heavy flexible pendulum ------------------------------------------------------------------------------


def small_frequencies(rates: Callable[[float, Array], Array], start: Array) -> Array:
    """Angular frequencies [rad/s] about the straight weightless beam, rising, by central differences."""
    half, h = start.size // 2, 1e-7
    columns = [
        (rates(0.0, start + h * e) - rates(0.0, start - h * e))[half:] for e in np.eye(2 * half)[:half]
    ]
    squares = np.linalg.eigvals(-np.array(columns).T / (2 * h)).real
    return np.sqrt(np.maximum(np.sort(squares), 0))


@pytest.mark.parametrize(
    ("model", "error"), [(Ritz(SOFT_PENDULUM, 16, 0.0), 3e-5), (Chain(SOFT_PENDULUM, 100, 0.0), 6e-3)]
)
def test_pendulum_models_vibrate_as_pinned_free_beams_and_bars(model: Ritz | Chain, error: float) -> None:
    found = small_frequencies(model.rates, model.start())
    bending = bending_frequencies(SOFT_PENDULUM, pinned_free_roots(6))
    bars = axial_frequencies(SOFT_PENDULUM, 2)
    assert found[0] < 0.1 * bending[0]  # the free rotation
    np.testing.assert_allclose(found[1:7], np.sort(np.concatenate((bending, bars)))[:6], rtol=error)
    assert np.min(np.abs(found / bars[0] - 1)) < error


def test_pendulum_by_the_chain_and_by_one_polynomial() -> None:
    """Two discretisations that share nothing but the energy, far coarser than the stored ones."""
    moving = swing(Ritz(SOFT_PENDULUM, 18), PENDULUM_TIMES)
    np.testing.assert_allclose(moving.tip, PENDULUM_TIP, atol=RITZ_18_ERROR)
    np.testing.assert_allclose(moving.energy, 0, atol=1e-8)
    links = extrapolated_tip(SOFT_PENDULUM, 40, PENDULUM_TIMES)
    errors = np.abs(links - PENDULUM_TIP)
    assert np.all(errors[:4] < CHAIN_40_ERROR)
    assert np.all(errors < 3 * CHAIN_40_ERROR)
    assert np.max(np.abs(PENDULUM_VELOCITY)) > 5


def test_pendulum_chain_keeps_its_energy() -> None:
    moving = swing(Chain(SOFT_PENDULUM, 30), PENDULUM_TIMES)
    np.testing.assert_allclose(moving.energy, 0, atol=1e-8)
    assert np.all(np.abs(moving.tip - PENDULUM_TIP) < 1e-2)


def test_stiff_pendulum_swings_as_a_rigid_rod() -> None:
    """A thousand times stiffer to bend, ten to stretch: the uniform rod's angle'' = -3 g / (2 L) cos(angle)."""
    stiff = replace(SOFT_PENDULUM, bending=4.0, axial=5e3)
    moving = swing(Ritz(stiff, 5), PENDULUM_TIMES)
    rod = np.exp(1j * pendulum(1.5 * 9.81, np.zeros(2), PENDULUM_TIMES)[0])
    np.testing.assert_allclose(moving.tip, rod, atol=2e-3)
    assert np.all(dot(moving.tip, moving.tip) > 0.99)
