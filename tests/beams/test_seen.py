"""Strain told at places along a beam is right where the shape is known, and free of what elements make up."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import least_squares

from condyle.beams.mesh import BeamMesh, cable_mesh, strains_of

Array = NDArray[np.float64]
PARTS = np.linspace(0.0, 1.0, 9)


def straight(count: int, gyration: float = 1e-4) -> BeamMesh:
    return cable_mesh(np.array([[0.0, 0.0], [2.0, 0.0]]), count, 1.0, gyration)


def test_a_stretch_that_grows_along_the_beam() -> None:
    """x = s + a s^2 / 2 is a shape of every element; its stretch a s is seen to the ends, as is its rate."""
    mesh, growth = straight(4), 0.01
    arcs = np.linspace(0.0, 2.0, 5)
    places = np.stack([arcs + growth * arcs**2 / 2, 0.0 * arcs], axis=1)
    slopes = np.stack([1.0 + growth * arcs, 0.0 * arcs], axis=1)
    pairs = np.stack([places, slopes], axis=1).reshape(1, -1, 2)
    place, (strain, bend, _, strain_rate, bend_rate, _) = mesh.seen_at(PARTS, pairs, pairs)
    np.testing.assert_allclose(place[0, :, 0], 2.0 * PARTS + growth * (2.0 * PARTS) ** 2 / 2, rtol=1e-14)
    np.testing.assert_allclose(strain[0], growth * 2.0 * PARTS, atol=1e-14)
    np.testing.assert_allclose(strain_rate[0], 1.0 + growth * 2.0 * PARTS, rtol=1e-13)
    np.testing.assert_allclose([bend[0], bend_rate[0]], 0.0, atol=1e-14)


def at_rest_between(mesh: BeamMesh, axial: float, bending: float) -> Array:
    """Pairs of a beam held at both ends, the far one moved and level, where its strain energy is least."""
    pairs = mesh.coordinates.copy()
    pairs[-2] = [1.85, 0.6]
    weights = np.sqrt(mesh.shapes[:, 0])
    inner = slice(2, -2)

    def strains(free: Array) -> Array:
        pairs[inner] = free.reshape(-1, 2)
        found = []
        for element in range(mesh.count):
            block = pairs[2 * element : 2 * element + 4]
            for weight, row in zip(weights, mesh.shapes, strict=True):
                stretch, curvature = strains_of(row, block)
                found += [weight * np.sqrt(axial) * stretch, weight * np.sqrt(bending) * curvature]
        return np.array(found)

    part = np.linspace(0.0, 1.0, mesh.count + 1)
    pairs[::2] = part[:, None] * [1.85, 0.0] + (part**2 * (3.0 - 2.0 * part))[:, None] * [0.0, 0.6]
    slopes = np.gradient(pairs[::2], axis=0)[1:-1]
    pairs[3:-2:2] = slopes / np.hypot(*slopes.T)[:, None]
    start = pairs[inner].ravel()
    pairs[inner] = least_squares(strains, start, method="lm", xtol=1e-12, ftol=1e-12, gtol=1e-12).x.reshape(
        -1, 2
    )
    return pairs[None]


def test_the_axial_force_is_that_of_equilibrium() -> None:
    """Between its ends nothing acts on the beam, so one force goes through it; its moments tell which.

    In elements that bend the stretch of single points is off by a multiple of what the force makes of it.
    """
    axial, bending = 2e5, 1.5
    mesh = straight(12, bending / axial)
    pairs = at_rest_between(mesh, axial, bending)
    place, (strain, bend, *_) = mesh.seen_at(PARTS, pairs, 0.0 * pairs)
    x, y = place[0].T
    (fx, fy, _), *_ = np.linalg.lstsq(
        np.stack([-y, x, 0.0 * x + 1.0], axis=1), -bending * bend[0], rcond=None
    )
    slopes = np.gradient(place[0], PARTS, axis=0)
    along = slopes / np.hypot(*slopes.T)[:, None]
    force = along @ [fx, fy]
    size = np.hypot(fx, fy)
    assert 10.0 < size < 20.0
    assert np.abs(axial * strain[0] - force).max() < 0.03 * size
    single = [strains_of(row, pairs[0, :4])[0] for row in mesh.shapes]
    assert np.abs(axial * np.array(single) - force[0]).max() > 1.5 * size


@pytest.mark.parametrize("count", [1, 2, 8])
def test_an_arc_has_its_curvature(count: int) -> None:
    mesh, radius = straight(count), 4.0
    angle = np.linspace(0.0, 2.0, count + 1) / radius
    places = radius * np.stack([np.sin(angle), 1.0 - np.cos(angle)], axis=1)
    slopes = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    pairs = np.stack([places, slopes], axis=1).reshape(1, -1, 2)
    turn = 2.0 / radius / count
    np.testing.assert_allclose(mesh.seen_at(PARTS, pairs, pairs)[1][1, 0], 1.0 / radius, rtol=0.1 * turn**2)


def test_strain_is_less_what_it_is_at_rest() -> None:
    curve = np.array([[0.0, 0.0], [1.0, 0.3], [2.0, 0.0]])
    mesh = cable_mesh(curve, 3, 1.0)
    seen = mesh.seen_at(PARTS, mesh.coordinates[None], 0.0 * mesh.coordinates[None])
    np.testing.assert_allclose(seen[1], 0.0, atol=1e-13)
