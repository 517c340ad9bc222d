"""Beams at rest: the extensible elastica, a full circle, and beams that are curved without load."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from scipy.interpolate import CubicSpline

from beam_models import TIP, beam, end_force, free_beam, held_beam, still
from condyle.mechanics.system import Array
from condyle.model.spec import Spec
from condyle.results.simulation import simulate
from condyle.testing import assert_order
from mechanism_models import GROUND, joint
from reference.beams import Beam, Bent, bent_to_arc, cantilever, transverse_cantilever
from reference.shared import shared
from small_models import Section, model, run

SOFT, STIFF = Beam(1.0, 1.0, 20.0), Beam(1.0, 1.0, 1e3)


def resting(spec: Spec) -> xr.Dataset:
    """A model at rest under load."""
    results = simulate(spec)
    assert results.audit.passed, results.status
    return results.dataset


def clamped(of: Beam, elements: int, load: Section, rows: int = 1) -> xr.Dataset:
    """A clamped beam at rest under a load on its tip."""
    return resting(held_beam("weld", beam(of, elements), still(rows=rows), forces={"load": load}))


def apart(data: xr.Dataset, bent: Bent) -> tuple[float, float]:
    """How far tip [m] and tip angle [rad] are from where they should be."""
    x, y, angle = data.measure_value.isel(time=-1).values
    return abs(complex(x, y) - bent.tip), abs(angle - bent.angle)


@pytest.mark.parametrize("of", [SOFT, STIFF], ids=["soft", "stiff"])
@pytest.mark.parametrize("alpha", [1.0, 5.0, 10.0])
def test_cantilever_under_an_end_force(alpha: float, of: Beam) -> None:
    """Up to P L^2 / EI = 10, where the tip has turned by more than 80 deg; the reactions are those of statics."""
    data, bent = clamped(of, 16, end_force(alpha, 1j)), transverse_cantilever(of, alpha)
    place, angle = apart(data, bent)
    assert place < 5e-6
    assert angle < 1e-6
    last = data.isel(time=-1)
    np.testing.assert_allclose(last.joint_force.sel(joint="root")[:2], [0.0, -alpha], atol=1e-8)
    assert last.joint_torque.sel(joint="root") == pytest.approx(-bent.root_moment, rel=1e-5)
    assert last.beam_bending_moment.isel(station=0).item() == pytest.approx(bent.root_moment, rel=0.02)


@pytest.mark.parametrize(("axial", "bound"), [(1e3, 0.01), (1e5, 0.5)])
def test_the_axial_force_of_a_sharply_bent_beam_is_that_of_its_load(axial: float, bound: float) -> None:
    """10 N across: none of it along the clamp, nearly all along the tip; directions are those of a fine mesh.

    The mean stretch of an element would tell 42 N at the clamp of the stiffer beam in four elements, 22 N in eight.
    """
    of, load = Beam(1.0, 1.0, axial), 10.0
    fine = clamped(of, 32, end_force(load, 1j)).isel(time=-1, beam=0)
    slope = CubicSpline(fine.beam_arc, fine.beam_position.values[:, :2])(np.linspace(0.0, 1.0, 9), 1)
    force, errors = load * slope[:, 1] / np.hypot(*slope.T), []
    for count in (4, 8, 16):
        data = clamped(of, count, end_force(load, 1j)).isel(time=-1, beam=0)
        told = data.beam_axial_force.values[:: count // 4]
        assert abs(told[0]) < 1e-8
        errors.append(float(np.abs(told - force).max()))
    assert force[-1] > 9.8
    assert errors[0] < bound
    assert errors[1] < 0.2 * errors[0]
    assert errors[2] < max(0.2 * errors[1], 2e-4)


@pytest.mark.parametrize("of", [SOFT, STIFF], ids=["soft", "stiff"])
def test_order_of_the_cantilever(of: Beam) -> None:
    """Order 4 in place and angle."""
    counts, bent = (4, 8, 16, 32), transverse_cantilever(of, 10.0)
    errors = np.array([apart(clamped(of, count, end_force(10.0, 1j)), bent) for count in counts])
    steps = [1.0 / count for count in counts]
    assert_order(steps, errors[:, 0], 4.0, tolerance=0.2)
    assert_order(steps, errors[:, 1], 4.0, tolerance=0.25)


def test_cantilever_of_the_shared_table() -> None:
    """The inextensible elastica, by a beam that stretches by 1e-6 of its length at most."""
    rows = np.array(shared("rod-references/elastica.json")["rows"], float)
    rows = rows[rows[:, 0] > 0.0][::4]
    assert len(rows) > 1
    for force, shortening, deflection, angle in rows:
        x, y, turned = (
            clamped(Beam(1.0, 1.0, 1e6), 32, end_force(force, 1j)).measure_value.isel(time=-1).values
        )
        np.testing.assert_allclose([1 - x, y, turned], [shortening, deflection, angle], atol=1e-4)


def test_cantilever_under_a_skew_pull_and_a_moment() -> None:
    loads = {"pull": end_force(2.0, 0.6 - 0.8j), "twist": {"kind": "torque", "body": "tip", "amplitude": 1.2}}
    data = resting(held_beam("weld", beam(SOFT, 16), still(), forces=loads))
    place, angle = apart(data, cantilever(SOFT, 1.2 - 1.6j, 1.2))
    assert place < 1e-6
    assert angle < 1e-6


def bent_by_moment(elements: int) -> xr.Dataset:
    """A moment of 2 pi EI / L, brought on in quarters."""
    course = {"kind": "table", "times": [0, 1], "values": [0, 1]}
    twist = {"kind": "torque", "body": "tip", "amplitude": 2 * np.pi, "course": course}
    return clamped(STIFF, elements, twist, rows=4)


def test_a_moment_bends_it_into_a_full_circle() -> None:
    """The tip is back at the clamp, turned once; every cross-section carries the same moment, and no force."""
    data = bent_by_moment(16)
    tip = data.measure_value.values
    for row, part in enumerate((0.0, 0.25, 0.5, 0.75, 1.0)):
        arc = bent_to_arc(STIFF, part * 2 * np.pi)
        np.testing.assert_allclose(tip[row], [arc.tip.real, arc.tip.imag, arc.angle], atol=6e-4)
    assert np.hypot(*tip[-1, :2]) < 1e-4
    np.testing.assert_allclose(data.joint_torque.sel(joint="root")[-1], -2 * np.pi, rtol=1e-6)
    np.testing.assert_allclose(data.joint_force.sel(joint="root")[-1], 0.0, atol=1e-8)
    middle = data.beam_position.isel(time=-1, station=data.sizes["station"] // 2).values.ravel()
    np.testing.assert_allclose(middle[:2], [0.0, 1 / np.pi], atol=1e-4)


def test_order_of_the_full_circle() -> None:
    counts = (4, 8, 16)
    errors = [float(np.hypot(*bent_by_moment(count).measure_value.values[-1, :2])) for count in counts]
    assert_order([1.0 / count for count in counts], errors, 4.0, tolerance=0.25)


# --- beams that are curved without load ------------------------------------------------------------------------------

RADIUS = 0.5


def quarter(elements: int, points: int = 33) -> Section:
    """A quarter of a ring about the origin, from (R, 0) to (0, R)."""
    angle = np.linspace(0.0, np.pi / 2, points)
    line = RADIUS * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    stiffness = {"axial_stiffness": 400.0, "bending_stiffness": 1.0, "mass_per_length": 1.0}
    return {"points": line.tolist(), "elements": elements, **stiffness}


def ring(load: Section | None = None, elements: int = 16) -> Spec:
    """The quarter ring, held at its beginning where it is."""
    clamp = joint("weld", "ground", (RADIUS, 0.0), "root", (0.0, 0.0))
    sections = {"joints": {"clamp": clamp}, "measures": TIP, "beams": {"bar": quarter(elements)}}
    frames = {"root": {"beam": "bar", "along": 0.0}, "tip": {"beam": "bar", "along": 1.0}}
    return model(GROUND, still(), frames=frames, forces={} if load is None else {"load": load}, **sections)


def test_a_curved_beam_rests_without_load() -> None:
    """In a run as in equilibrium, held or free: no strain, no motion."""
    moving = simulate(free_beam(quarter(6), run(0.2, 1e-4))).dataset
    assert np.abs(moving.beam_position - moving.beam_position.isel(time=0)).max() < 1e-9
    for data in (moving, resting(ring())):
        assert np.abs(data.beam_axial_strain).max() < 1e-11
        assert np.abs(data.beam_curvature).max() < 1e-9
    straight = simulate(free_beam(quarter(6) | {"points": [[0, 0], [0.3, 0], [0.7, 0]]}, run(0.01, 1e-4)))
    assert np.ptp(moving.beam_position.sel(axis="x").values) > 0.4
    assert np.abs(straight.dataset.beam_position.sel(axis="y")).max() == 0.0


def test_its_points_lie_on_the_line_given() -> None:
    place = resting(ring(elements=4)).beam_position.isel(time=0, beam=0).values[:, :2]
    np.testing.assert_allclose(np.hypot(*place[::2].T), RADIUS, atol=1e-7)
    np.testing.assert_allclose(np.hypot(*place[1::2].T), RADIUS, atol=5e-5)


def deflected(force: float, elements: int = 16) -> Array:
    """By how much a small force along y moves the tip of the quarter ring, per newton."""
    at_rest, loaded = (
        resting(ring(load, elements)).measure_value.isel(time=-1).values[:2]
        for load in (None, end_force(force, 1j))
    )
    return np.asarray((loaded - at_rest) / force)


def test_a_curved_beam_is_as_stiff_as_castigliano_says() -> None:
    """Bending pi R^3 / 4 EI and R^3 / 2 EI, stretching pi R / 4 EA and -R / 2 EA, along and across the force."""
    wanted = [RADIUS**3 / 2 - RADIUS / (2 * 400.0), np.pi / 4 * (RADIUS**3 + RADIUS / 400.0)]
    small = (deflected(1e-3) + deflected(-1e-3)) / 2
    np.testing.assert_allclose(small, wanted, rtol=1e-4)
