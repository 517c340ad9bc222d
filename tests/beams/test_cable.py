"""The cable element: forces from its energy, damping that only takes, no preference for a place, closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from condyle.analysis.observe import gravity_energy, kinetic_energy
from condyle.beams.columns import ENERGY, FACTOR_BAND, LOSS
from condyle.beams.mesh import BeamMesh, cable_mesh
from condyle.mechanics.system import BEAMS, DISSIPATED, N_WORK
from condyle.testing import assert_gradient, assert_order
from evaluation import Evaluation, along_beam, beam_mass, hermite
from small_models import Section, bow, model, rod, run

Array = NDArray[np.float64]

SHAPES: dict[str, Section] = {"straight": rod((0.1, -0.2), (0.7, 0.6)), "curved": bow()}


def beam_alone(shape: Section, **more: Any) -> Evaluation:
    """One beam in flight."""
    return Evaluation(model({"ground": {"fixed": True}}, run(1.0), beams={"beam": shape}, **more))


def strain_energy(beam: Evaluation, q: Array) -> float:
    return float(beam.at(q).work[beam.model.rows(BEAMS)[0], ENERGY])


def force(beam: Evaluation, q: Array, v: Array | None = None) -> Array:
    """Generalised forces: the mass matrix times the accelerations."""
    return np.asarray(beam.mass() @ beam.at(q, v).acceleration)


@pytest.mark.parametrize("shape", SHAPES)
def test_force_is_minus_the_gradient_of_the_energy(shape: str) -> None:
    beam = beam_alone(SHAPES[shape])
    q, _ = beam.near(np.random.default_rng(1), 0.05)
    assert_gradient(lambda x: -strain_energy(beam, x), lambda x: force(beam, x), q, step=2e-3, tolerance=1e-8)


@pytest.mark.parametrize("shape", SHAPES)
def test_no_force_at_rest(shape: str) -> None:
    """Neither in the shape of the file nor anywhere it is carried to; and there is one as soon as it bends."""
    beam = beam_alone(SHAPES[shape])
    q, _ = beam.start
    for angle, shift in ((0.0, (0.0, 0.0)), (2.3, (0.4, -3.0))):
        carried = moved(q, angle, shift)
        assert np.abs(force(beam, carried)).max() < 1e-9
        assert strain_energy(beam, carried) < 1e-20
    q[-1] += 0.05
    assert np.abs(force(beam, q)).max() > 0.1


def moved(q: Array, angle: float, shift: tuple[float, float]) -> Array:
    """Coordinates of a beam that is turned about the origin, then shifted: slopes are only turned."""
    cos, sin = math.cos(angle), math.sin(angle)
    pairs = q.reshape(-1, 2) @ np.array([[cos, sin], [-sin, cos]])
    pairs[::2] += shift
    return np.asarray(pairs.ravel())


@pytest.mark.parametrize("shape", SHAPES)
def test_energy_and_force_do_not_know_where_the_beam_is(shape: str) -> None:
    beam = beam_alone({**SHAPES[shape], "damping": 0.01})
    q, v = beam.near(np.random.default_rng(2), 0.05)
    angle, shift = -1.9, (2.0, 5.0)
    there, turned = moved(q, angle, shift), moved(v, angle, (0.0, 0.0))
    assert strain_energy(beam, there) == pytest.approx(strain_energy(beam, q), rel=1e-10)
    expected = moved(force(beam, q, v), angle, (0.0, 0.0))
    assert np.abs(force(beam, there, turned) - expected).max() < 1e-9 * np.abs(expected).max()


@pytest.mark.parametrize("shape", SHAPES)
def test_damping_takes_what_it_books(shape: str) -> None:
    """Its force does the work that is booked as loss, for any motion; a rigid motion costs nothing."""
    damped, elastic = beam_alone({**SHAPES[shape], "damping": 0.02}), beam_alone(SHAPES[shape])
    rng = np.random.default_rng(3)
    row = damped.model.rows(BEAMS)[0]
    for _ in range(5):
        q, v = damped.near(rng, 0.05)
        seen = damped.at(q, v)
        power = v @ (force(damped, q, v) - force(elastic, q, v))
        assert seen.work[row, LOSS] > 0.1
        assert power == pytest.approx(-seen.work[row, LOSS], rel=1e-9)
        assert seen.powers[DISSIPATED] == seen.work[row, LOSS]
        rigid = moved(q, 0.5 * math.pi, (0.3, 0.4))
        assert abs(damped.at(q, rigid).work[row, LOSS]) < 1e-20
    # Stress lags by the damping time: the damping force is that time times the rate of the elastic force.
    h, start = 1e-6, damped.start[0]
    at_rest = force(damped, start, v)
    lagging = 0.02 * (force(elastic, start + h * v) - force(elastic, start - h * v)) / (2.0 * h)
    assert np.abs(at_rest - lagging).max() < 1e-5 * np.abs(lagging).max()


@pytest.mark.parametrize("shape", SHAPES)
def test_mass_and_weight_by_another_quadrature(shape: str) -> None:
    """Kinetic and gravity energy of the cubics through the nodes, integrated with eight points to an element."""
    beam = beam_alone(SHAPES[shape], gravity=[3.0, -7.0])
    q, v = beam.near(np.random.default_rng(4))
    y = np.concatenate([q, v, np.zeros(N_WORK)])[None]
    elements = SHAPES[shape]["elements"]
    length = beam.model.meshes["beam"].length * elements
    places, weights = along_beam(elements, length)
    speed = hermite(v.reshape(-1, 2), length)(places)
    kinetic = 0.5 * 0.6 * weights @ (speed**2).sum(axis=1)
    assert kinetic_energy(beam.model, y)[0] == pytest.approx(kinetic, rel=1e-12)
    at = hermite(q.reshape(-1, 2), length)(places)
    assert gravity_energy(beam.model, y)[0] == pytest.approx(-0.6 * weights @ (at @ [3.0, -7.0]), rel=1e-12)
    # In free fall every point has the acceleration of gravity, and slopes have none.
    fall = beam.at(beam.start[0]).acceleration.reshape(-1, 2)
    assert np.abs(fall[::2] - [3.0, -7.0]).max() < 1e-9
    assert np.abs(fall[1::2]).max() < 1e-9


@pytest.mark.parametrize("elements", [1, 2, 7])
def test_the_factor_of_the_band(elements: int) -> None:
    """L D L^T is the dense mass matrix, and responses solve with it."""
    mesh = cable_mesh(np.array([[0.0, 0.0], [1.4, 0.3]]), elements, 0.6)
    dense = beam_mass(elements, math.hypot(1.4, 0.3), 0.6)
    rows, count = mesh.factor(), len(dense)
    lower, below = np.eye(count), np.eye(count)
    for i in range(count):
        for k in range(1, FACTOR_BAND + 1):
            if i - k >= 0:
                lower[i, i - k] = rows[i, k - 1]
            if i + k < count:
                below[i + k, i] = rows[i, FACTOR_BAND + k]
    assert np.array_equal(lower, below), "forwards and backwards are one factor"
    assert np.abs(lower @ np.diag(1.0 / rows[:, FACTOR_BAND]) @ lower.T - dense).max() < 1e-14
    right = np.random.default_rng(5).normal(size=(count, 2))
    assert np.abs(dense @ mesh.responses(right) - right).max() < 1e-10
    assert np.abs(mesh.mass_times(right) - dense @ right).max() < 1e-14


def test_a_stretched_beam() -> None:
    """Energy EA e^2 L / 2 and, at the ends, the force EA e."""
    beam = beam_alone(rod((0.0, 0.0), (2.0, 0.0), 3))
    q = 1.25 * beam.start[0]
    assert strain_energy(beam, q) == pytest.approx(0.5 * 1000.0 * 0.25**2 * 2.0, rel=1e-13)
    found = force(beam, q).reshape(-1, 2)
    assert found[0, 0] == pytest.approx(250.0, rel=1e-10)
    assert found[-2, 0] == pytest.approx(-250.0, rel=1e-10)


def arc_pairs(elements: int, length: float, angle: float) -> Array:
    """Nodes of a beam that has been bent to an arc without stretching."""
    turn = np.linspace(0.0, angle, elements + 1)
    radius = length / angle
    places = np.stack([radius * np.sin(turn), radius * (1.0 - np.cos(turn))], axis=1)
    slopes = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.stack([places, slopes], axis=1).reshape(-1, 2)


def test_a_beam_bent_to_an_arc() -> None:
    """The energy tends to EI k^2 L / 2 at the fourth order in the elements; a beam at rest as an arc has none."""
    counts, errors = [4, 8, 16, 32], []
    for count in counts:
        beam = beam_alone(rod((0.0, 0.0), (1.0, 0.0), count))
        found = strain_energy(beam, arc_pairs(count, 1.0, 1.5).ravel())
        errors.append(abs(found / (0.5 * 0.5 * 1.5**2) - 1.0))
    assert_order([1.0 / count for count in counts], errors, 4.0, round_off=1e-13)
    curved = beam_alone(bow(4, radius=1.0 / 1.5, angle=1.5))
    assert np.abs(curved.start[0] - arc_pairs(4, 1.0, 1.5).ravel()).max() < 2e-5
    straight = strain_energy(curved, beam_alone(rod(elements=4)).start[0])
    assert straight == pytest.approx(0.5 * 0.5 * 1.5**2, rel=1e-2)


def test_what_is_seen_along_a_beam() -> None:
    """Places, stretch and curvature of an arc, less those at rest; their rates by differences."""
    mesh: BeamMesh = cable_mesh(np.array([[0.0, 0.0], [1.0, 0.0]]), 16, 0.6, 1e-4)
    parts = np.linspace(0.0, 1.0, 33)
    pairs = arc_pairs(16, 1.0, 1.5)[None]
    place, (stretch, curvature, *_) = mesh.seen_at(parts, pairs, np.zeros_like(pairs))
    arc = np.stack([np.sin(1.5 * parts), 1.0 - np.cos(1.5 * parts)], axis=1) / 1.5
    assert np.abs(place[0] - arc).max() < 3e-7
    assert np.abs(stretch).max() < 1e-5
    assert np.abs(curvature - 1.5).max() < 2e-3
    own = cable_mesh(np.array(arc_points()), 16, 0.6, 1e-4)
    assert np.abs(own.seen_at(parts, own.coordinates[None], pairs)[1][:3]).max() < 1e-14
    rng, h = np.random.default_rng(6), 1e-6
    rates = rng.normal(size=pairs.shape)
    _, (_, _, _, stretching, bending, _) = mesh.seen_at(parts, pairs, rates)
    ahead = mesh.seen_at(parts, pairs + h * rates, rates)[1]
    behind = mesh.seen_at(parts, pairs - h * rates, rates)[1]
    assert np.abs(stretching - (ahead[0] - behind[0]) / (2.0 * h)).max() < 1e-7 * np.abs(stretching).max()
    assert np.abs(bending - (ahead[1] - behind[1]) / (2.0 * h)).max() < 1e-7 * np.abs(bending).max()


def arc_points() -> list[list[float]]:
    return [[math.sin(0.03 * k), 1.0 - math.cos(0.03 * k)] for k in range(51)]
