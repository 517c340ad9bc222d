"""Force, moment and area of the elastic foundation against closed forms, and what they may not depend on."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from condyle._jit import kernel
from condyle.contact.foundation.load import (
    FoundationLoad,
    FoundationSettings,
    foundation_load,
    foundation_of,
    motion_of,
    outputs_for,
)
from condyle.contact.foundation.pair import Outputs, fill_pair
from condyle.contact.foundation.pool import (
    ScratchPool,
    SurfacePool,
    scratch_at,
    scratch_pool,
    surface_at,
    surface_pool,
)
from condyle.contact.foundation.pressure import Foundation, Motion
from condyle.contact.foundation.surface import surface_of
from condyle.geometry.mesh.shapes import box, cylinder, icosphere, plate, uv_sphere
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.laws.foundation.layers import LINEAR, LOGARITHMIC, layers_in_series
from condyle.testing import assert_order
from contact.foundation_cases import (
    LAW,
    MODULUS,
    RADIUS,
    Array,
    below_plane,
    evaluator,
    moved,
    random_turn,
    renumbered,
    turn,
)

compiled = pytest.mark.compiled
FIRST, SECOND = FoundationSettings(LAW, integrate="first"), FoundationSettings(LAW, integrate="second")
BOTH = FoundationSettings(LAW)
EACH_SIDE = pytest.mark.parametrize("settings", [FIRST, SECOND, BOTH], ids=["first", "second", "both"])


def flat(mesh: SurfaceMesh):  # type: ignore[no-untyped-def]
    return surface_of(mesh, smooth=False)


@pytest.mark.parametrize(
    "mesh",
    [
        icosphere(RADIUS, 1),
        pytest.param(icosphere(RADIUS, 3), marks=compiled),
        box((0.03, 0.03, 0.03)),
        pytest.param(cylinder(0.015, 0.03, 17), marks=compiled),
        pytest.param(uv_sphere(RADIUS, 23, 15), marks=compiled),
    ],
    ids=["icosahedron", "sphere", "box", "cylinder", "globe"],
)
def test_a_polyhedron_on_a_plate_floats_like_one_in_water(mesh: SurfaceMesh) -> None:
    rng = np.random.default_rng(4)
    floor = flat(plate(0.1, 0.1, 3, 5))
    for height in (0.0165, 0.012, 0.002):
        R, p = random_turn(rng), np.array([0.004, height, -0.003])
        volume, first, area = below_plane(mesh, R, p)
        assert volume > 0.0
        load = foundation_load(flat(mesh), floor, (R, p), FIRST)
        force = np.array([0.0, MODULUS * volume, 0.0])
        moment = np.cross(first / volume - p, force)
        assert_allclose(R @ load.force, force, atol=1e-10 * force[1])
        assert_allclose(R @ load.moment, moment, atol=1e-10 * force[1] * RADIUS)
        assert load.area == pytest.approx(area, rel=1e-10)
        assert load.depth == pytest.approx(-(mesh.vertices @ R.T + p)[:, 1].min(), rel=1e-12)
        assert load.peak_pressure == pytest.approx(MODULUS * load.depth, rel=1e-12)
        assert load.mean_pressure == pytest.approx(load.normal_load / load.area, rel=1e-14)
        assert load.beyond_border == ()


@compiled
@pytest.mark.parametrize(("level", "within"), [(4, 0.01), (5, 0.002)])
def test_a_smooth_sphere_on_a_plate(level: int, within: float) -> None:
    rng = np.random.default_rng(81)
    evaluated = evaluator(surface_of(icosphere(RADIUS, level)), surface_of(plate(0.06, 0.06, 48, 32)), FIRST)
    turns = [random_turn(rng) for _ in range(20)]
    places = rng.uniform(-0.005, 0.005, (20, 2))
    worst = 0.0
    for depth in np.linspace(0.6e-3, 1.4e-3, 81):
        exact = MODULUS * math.pi * depth**2 * (RADIUS - depth / 3.0)
        for R, (x, z) in zip(turns, places, strict=True):
            loads, _ = evaluated(R, (x, RADIUS - depth, z))
            worst = max(worst, float(np.linalg.norm(R @ loads[:3] - [0.0, exact, 0.0])) / exact)
    assert worst < within / 4.0


@compiled
def test_the_smooth_sphere_converges_at_second_order() -> None:
    depth, sizes, errors = 1e-3, [], []
    exact = MODULUS * math.pi * depth**2 * (RADIUS - depth / 3.0)
    floor, rng = surface_of(plate(0.06, 0.06, 4, 4)), np.random.default_rng(2)
    turns = [random_turn(rng) for _ in range(40)]
    for level in (3, 4, 5, 6):
        evaluated = evaluator(surface_of(icosphere(RADIUS, level)), floor, FIRST)
        forces = [(R @ evaluated(R, (0.0, RADIUS - depth, 0.0))[0][:3])[1] for R in turns]
        sizes.append(0.5**level)
        errors.append(float(np.sqrt(np.mean((np.array(forces) / exact - 1.0) ** 2))))
    assert_order(sizes, errors, 2.0, tolerance=0.25)


@compiled
@pytest.mark.parametrize("kind", [LINEAR, LOGARITHMIC])
def test_two_equal_layers_are_one_of_twice_the_thickness(kind: int) -> None:
    one, two = (layers_in_series(kind, layers) for layers in ([(1e9, 8e-3)], [(1e9, 4e-3), (1e9, 4e-3)]))
    ball, floor = icosphere(RADIUS, 3), plate(0.06, 0.06, 8, 8)
    pose = (turn(0.3, 0.2, 0.1), (0.0, 0.019, 0.0))
    loads = [foundation_load(ball, floor, pose, FoundationSettings(law)) for law in (one, two)]
    assert_allclose(loads[1].force, loads[0].force, rtol=1e-13)
    assert loads[0].force[1] > 1.0


@compiled
@EACH_SIDE
def test_action_is_reaction_and_neither_surface_comes_first(settings: FoundationSettings) -> None:
    rng = np.random.default_rng(7)
    one, other = surface_of(icosphere(RADIUS, 3)), surface_of(icosphere(0.03, 3, (0.0, -0.03, 0.0)))
    swap = {"first": "second", "second": "first", "both": "both"}
    damped = replace(settings, damping=0.7, friction=(0.1, 0.0, 1e-3), stiffness=True)
    for _ in range(5):
        R, p, twist = random_turn(rng), np.array([0.001, 0.0193, -0.001]), rng.normal(size=6) * 0.1
        there = foundation_load(one, other, (R, p), damped, twist)
        # The same seen from the other body, whose velocity is taken at its own origin.
        w = -R @ twist[3:]
        back = np.concatenate([-R @ twist[:3] - np.cross(w, p), w])
        swapped = replace(damped, integrate=swap[settings.integrate])  # type: ignore[arg-type]
        here = foundation_load(other, one, (R.T, -R.T @ p), swapped, back)
        size = float(np.linalg.norm(there.force))
        assert size > 1.0
        assert_allclose(here.force, -R @ there.force, atol=1e-12 * size)
        moment = -(R @ there.moment + np.cross(p, R @ there.force))
        assert_allclose(here.moment, moment, atol=1e-13 * size)
        assert_allclose(here.centre_of_pressure, R @ there.centre_of_pressure + p, atol=1e-13)
        same = ("area", "mean_pressure", "peak_pressure", "depth", "normal_load", "elastic_power", "loss")
        assert_allclose([getattr(here, n) for n in same], [getattr(there, n) for n in same], rtol=1e-11)
        assert_allclose(
            here.first_face_pressure, there.second_face_pressure, atol=1e-12 * there.peak_pressure
        )


@compiled
@EACH_SIDE
def test_the_pose_of_the_world_and_the_numbering_do_not_matter(settings: FoundationSettings) -> None:
    rng = np.random.default_rng(11)
    one, other = icosphere(RADIUS, 3), icosphere(0.03, 3, (0.0, -0.03, 0.0))
    R, p = random_turn(rng), np.array([0.001, 0.0193, -0.001])
    plain = foundation_load(one, other, (R, p), settings)
    size = float(np.linalg.norm(plain.force))
    turned, shift = random_turn(rng), rng.normal(size=3)
    # The second body's axes somewhere else, and so the first one's pose in them.
    elsewhere = foundation_load(one, moved(other, turned, shift), (turned @ R, turned @ p + shift), settings)
    assert_allclose(elsewhere.force, plain.force, atol=1e-9 * size)
    # The first body's axes somewhere else.
    inside = moved(one, turned, shift)
    again = foundation_load(inside, other, (R @ turned.T, p - R @ turned.T @ shift), settings)
    assert_allclose(turned.T @ again.force, plain.force, atol=1e-9 * size)
    assert again.area == pytest.approx(plain.area, rel=1e-9)
    mixed = foundation_load(renumbered(one, rng), renumbered(other, rng), (R, p), settings)
    assert_allclose(mixed.force, plain.force, atol=1e-12 * size)
    assert_allclose(mixed.moment, plain.moment, atol=1e-12 * size * RADIUS)


def test_far_apart_nothing_happens() -> None:
    load = foundation_load(icosphere(RADIUS, 0), plate(0.1, 0.1, 1, 1), (np.eye(3), (0.0, 0.05, 0.0)), BOTH)
    assert (load.area, load.depth, load.peak_pressure, load.mean_pressure) == (0.0, 0.0, 0.0, 0.0)
    assert not load.force.any()
    assert np.isnan(load.centre_of_pressure).all()


def halves(mesh: SurfaceMesh) -> SurfaceMesh:
    """Two parts: x below zero, and the rest."""
    return SurfaceMesh(
        mesh.vertices, mesh.faces, (mesh.face_centroids[:, 0] > 0.0).astype(int), ("left", "right")
    )


@compiled
@EACH_SIDE
def test_parts_add_up_and_may_be_of_either_surface(settings: FoundationSettings) -> None:
    ball, floor = icosphere(RADIUS, 3), plate(0.06, 0.06, 20, 20)
    pose = (np.eye(3), (0.0, 0.019, 0.0))
    for one, other in ((halves(ball), floor), (ball, halves(floor))):
        load = foundation_load(one, other, pose, settings)
        left, right = load.parts
        assert_allclose(left.force + right.force, load.force, atol=1e-12 * load.force[1])
        assert_allclose(left.moment + right.moment, load.moment, atol=1e-12 * load.force[1])
        assert min(left.force[1], right.force[1]) > 0.2 * load.force[1]
        assert left.centre_of_pressure[0] < -5e-4 < 5e-4 < right.centre_of_pressure[0]
        assert left.area + right.area == pytest.approx(load.area, rel=1e-12)


def faces_carry_the_load(load: FoundationLoad, mesh: SurfaceMesh) -> Array:
    return np.asarray(-(load.first_face_pressure[:, None] * mesh.face_vectors).sum(axis=0))


@compiled
def test_pressures_of_the_faces_add_up_to_the_force() -> None:
    ball = icosphere(RADIUS, 3)
    load = foundation_load(ball, plate(0.06, 0.06, 8, 8), (turn(0.1, 0.2, 0.3), (0.0, 0.019, 0.0)), FIRST)
    assert_allclose(
        faces_carry_the_load(load, ball), load.force, atol=1e-12 * float(np.linalg.norm(load.force))
    )
    assert load.first_face_area.sum() == pytest.approx(load.area, rel=1e-13)
    assert np.all(load.first_face_area <= ball.face_areas * (1.0 + 1e-12))
    assert not load.second_face_pressure.any()


@compiled
@pytest.mark.parametrize(
    ("settings", "x", "named"),
    [(FIRST, 0.0, ()), (FIRST, 0.029, ("second",)), (SECOND, 0.029, ("second",)), (BOTH, 0.029, ("second",))],
)
def test_contact_that_leaves_the_edge_is_told(
    settings: FoundationSettings, x: float, named: tuple[str, ...]
) -> None:
    load = foundation_load(
        icosphere(RADIUS, 3), plate(0.06, 0.06, 8, 8), (np.eye(3), (x, 0.019, 0.0)), settings
    )
    assert load.beyond_border == named


@compiled
def test_scratch_of_one_pose_leaves_nothing_to_the_next() -> None:
    one, other = surface_of(icosphere(RADIUS, 3)), surface_of(plate(0.06, 0.06, 8, 8))
    used = evaluator(one, other, BOTH)
    for k in range(5):
        pose = (turn(0.1 * k, 0.2, 0.1), (0.001 * k, 0.019 - 0.0003 * k, 0.0))
        assert np.array_equal(used(*pose)[0], evaluator(one, other, BOTH)(*pose)[0])


@kernel
def pooled_pair(
    surfaces: SurfacePool,
    scratches: ScratchPool,
    pair: int,
    motion: Motion,
    foundation: Foundation,
    outputs: Outputs,
) -> int:
    """Pair 0 is of surfaces 0 and 1, pair 1 of 1 and 2."""
    return fill_pair(
        surface_at(surfaces, pair),
        surface_at(surfaces, pair + 1),
        motion,
        foundation,
        scratch_at(scratches, 2 * pair),
        scratch_at(scratches, 2 * pair + 1),
        outputs,
    )


@compiled
def test_surfaces_of_a_pool_are_the_surfaces_put_in() -> None:
    given = [
        surface_of(icosphere(RADIUS, 3)),
        surface_of(plate(0.06, 0.06, 8, 8)),
        surface_of(icosphere(RADIUS, 2), smooth=False),
    ]
    surfaces, scratches = surface_pool(given), scratch_pool([given[0], given[1], given[1], given[2]])
    R = turn(0.3, 0.2, 0.1)
    for k, pair in enumerate((0, 1, 0, 1, 1, 0)):
        place = np.array([0.001 * k, 0.0185 - 0.0002 * k, 0.0])
        pose = motion_of(R, place) if pair == 0 else motion_of(R.T, -R.T @ place)
        outputs = outputs_for(given[pair], given[pair + 1])
        pooled_pair(surfaces, scratches, pair, pose, foundation_of(BOTH), outputs)
        alone = evaluator(given[pair], given[pair + 1], BOTH)(pose.R, pose.p)[0]
        assert alone[9] > 0.0
        assert np.array_equal(outputs.loads[0], alone)
    assert len(getattr(fill_pair, "signatures", [0])) == 1


@compiled
@pytest.mark.parametrize("place", ["rotation", "position", "twist"])
def test_a_pose_that_is_no_number_gives_no_number(place: str) -> None:
    R, p, twist = np.eye(3), np.array([0.0, 0.019, 0.0]), np.zeros(6)
    {"rotation": R[0], "position": p, "twist": twist}[place][1] = np.nan
    load = foundation_load(icosphere(RADIUS, 2), plate(0.06, 0.06, 8, 8), (R, p), BOTH, twist)
    assert np.isnan(load.force).all()
    assert np.isnan(load.area)
