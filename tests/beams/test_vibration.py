"""Beams about their straight shape: frequencies of bending and stretching, and the decay by Kelvin-Voigt damping."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.linalg import eigh, null_space

from beam_models import beam, end_force, held_beam
from condyle.analysis.assembly import Assembler
from condyle.analysis.dynamics import right_hand_side
from condyle.beams.mesh import cable_mesh
from condyle.mechanics.system import Array
from condyle.model.compiled import CompiledModel, compiled
from condyle.model.spec import Spec
from condyle.results.simulation import simulate
from condyle.testing import assert_order
from reference.beams import (
    Beam,
    axial_frequencies,
    bending_frequencies,
    cantilever_roots,
    pinned_roots,
)
from small_models import run

BAR = Beam(1.0, 1.0, 100.0, 1.0)
ROOTS = {"cantilevered": cantilever_roots(4), "pinned": pinned_roots(4)}
NUDGE = 1e-6


def supported(support: str, elements: int) -> Spec:
    """A beam clamped at one end, or on pins at both of which one may slide along it."""
    if support == "cantilevered":
        return held_beam("weld", beam(BAR, elements), run(1.0))
    slide = {
        "kind": "point-on-line",
        "from": {"body": "ground"},
        "to": {"body": "tip"},
        "direction": [1.0, 0.0],
    }
    return held_beam("revolute", beam(BAR, elements), run(1.0)).updated({"joints.end": slide})


def accelerations(model: CompiledModel, places: Array, rates: Array) -> Array:
    """v' of all coordinates, as the compiled right-hand side has it."""
    n, states = len(places), np.zeros((2, len(model.start)))
    states[0, :n], states[0, n : 2 * n] = places, rates
    right_hand_side(0.0, states, 0, 1, model.arrays, model.memory.copy(), model.work.copy())
    return states[1, n : 2 * n].copy()


def linearised(spec: Spec) -> tuple[Array, Array, Array, Array]:
    """Mass, stiffness and damping about the start, by differences, and J of the joints."""
    held, free = compiled(spec), compiled(spec.updated({"joints": {}}))
    (mesh,), n = free.meshes.values(), free.n_coordinate
    mass = np.kron(mesh.mass_times(np.eye(n // 2)), np.eye(2))
    start, still = free.start[:n], np.zeros(n)
    by_place, by_rate = np.zeros((n, n)), np.zeros((n, n))
    for k, step in enumerate(NUDGE * np.eye(n)):
        sides = [accelerations(free, start + sign * step, still) for sign in (1, -1)]
        by_place[:, k] = (sides[0] - sides[1]) / (2 * NUDGE)
        sides = [accelerations(free, start, sign * step) for sign in (1, -1)]
        by_rate[:, k] = (sides[0] - sides[1]) / (2 * NUDGE)
    slopes = Assembler(held, held.memory, held.work.copy(), 0.0).looked_at(held.start)[2]
    return np.asarray(mass), -mass @ by_place, -mass @ by_rate, slopes


def test_mass_is_the_consistent_one() -> None:
    """m L / 420 times the matrix of every textbook, for places and slopes per length."""
    mesh = cable_mesh(np.array([[0.0, 0.0], [0.7, 0.0]]), 1, 3.0)
    book = np.array([[156, 22, 54, -13], [22, 4, 13, -3], [54, 13, 156, -22], [-13, -3, -22, 4]], dtype=float)
    scale = np.array([1.0, 0.7, 1.0, 0.7])
    exact = 3.0 * 0.7 / 420.0 * book * np.outer(scale, scale)
    np.testing.assert_allclose(mesh.mass_times(np.eye(4)), exact, rtol=1e-13)


@cache
def frequencies(support: str, elements: int) -> tuple[Array, Array]:
    """Angular frequencies [rad/s] of bending and of stretching, rising."""
    mass, stiffness, _, slopes = linearised(supported(support, elements))
    np.testing.assert_allclose(stiffness, stiffness.T, atol=1e-7 * np.abs(stiffness).max())
    way = null_space(slopes)
    squares, shapes = eigh(way.T @ (stiffness + stiffness.T) @ way / 2, way.T @ mass @ way)
    modes = np.linalg.norm((way @ shapes).reshape(-1, 2, len(squares)), axis=0)
    bending = modes[1] > modes[0]
    return np.sqrt(squares[bending]), np.sqrt(squares[~bending])


def relative_errors(support: str, elements: int) -> Array:
    exact = bending_frequencies(BAR, ROOTS[support])
    return frequencies(support, elements)[0][:4] / exact - 1


@pytest.mark.parametrize("support", ROOTS)
def test_four_frequencies_at_eight_elements(support: str) -> None:
    """Within 0.5 % and never below: a consistent mass and an exact strain energy err upwards only."""
    errors = relative_errors(support, 8)
    assert np.all(errors < 5e-3)
    assert np.all(errors[1:] > 0)
    assert errors[3] > 1e-3


@pytest.mark.parametrize("support", ROOTS)
def test_order_of_the_frequencies(support: str) -> None:
    """Order 4, of the cubic shape functions."""
    counts = (8, 16, 32)
    found = np.array([relative_errors(support, count) for count in counts])
    for mode in (2, 3):
        assert_order([1.0 / count for count in counts], found[:, mode], 4.0)


def test_stretching_frequencies() -> None:
    """A bar that one end holds; cubic shape functions, so that eight elements are plenty."""
    np.testing.assert_allclose(frequencies("cantilevered", 8)[1][:3], axial_frequencies(BAR, 3), rtol=1e-4)


def test_damping_is_stiffness_times_the_delay() -> None:
    spec = supported("cantilevered", 4).updated({"beams.bar.damping": 0.03})
    _, stiffness, damping, _ = linearised(spec)
    np.testing.assert_allclose(damping, 0.03 * stiffness, atol=1e-8 * np.abs(stiffness).max())
    assert np.abs(linearised(supported("cantilevered", 4))[2]).max() == 0.0


def test_a_mode_decays_as_its_closed_form_says() -> None:
    """q'' + tau w^2 q' + w^2 q = 0: after a push all but the first mode is gone soon, and that one decays by
    exp(-tau w^2 t / 2). Three samples in a row tell decay and frequency, whatever the amplitude. The beam is stiff
    along itself, so the implicit method finds hundreds of Jacobians, enough for SciPy's own to overflow.
    """
    delay, elements, period = 0.03, 8, 0.2
    pulse = end_force(0.02, 1j) | {"course": {"kind": "table", "times": [0.0, 0.1, 0.2], "values": [0, 1, 0]}}
    bar = beam(replace(BAR, axial=1e4), elements, damping=delay)
    settings = run(6.0, 2e-4, output_step=period)
    data = simulate(
        held_beam("weld", bar, settings | {"integrator": "radau"}, forces={"push": pulse})
    ).dataset
    y = data.measure_value.sel(measure="y").values[10:]
    pairs = np.stack([y[1:-1], y[:-2]], axis=1)
    fitted = np.linalg.lstsq(pairs, y[2:], rcond=None)[0]
    roots = np.log(np.roots([1.0, *-fitted]).astype(complex)) / period
    omega = bending_frequencies(BAR, cantilever_roots(1))[0]
    decay = delay * omega**2 / 2
    assert np.ptp(y) > 1e-4
    np.testing.assert_allclose(-roots.real, decay, rtol=1e-3)
    np.testing.assert_allclose(np.abs(roots.imag), np.sqrt(omega**2 - decay**2), rtol=1e-3)
    loss = data.energy.sel(kind="dissipated")
    assert np.all(np.diff(loss) >= 0.0)
