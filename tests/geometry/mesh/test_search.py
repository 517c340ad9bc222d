"""The search tree against plain search over all faces, on ordinary and on broken surfaces."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from condyle.geometry.mesh.closest import (
    blended,
    closest_point,
    closest_point_within,
    fill_closest,
    place_on_face,
)
from condyle.geometry.mesh.nearness import near_faces
from condyle.geometry.mesh.rays import fill_hits, ray_hit
from condyle.geometry.mesh.shapes import box, cylinder, icosphere, plate, uv_sphere
from condyle.geometry.mesh.surface import SurfaceMesh
from geometry.mesh.mesh_measures import distance, distance_to_segment, line_hits, place_on, soups, surface

coordinate = st.floats(-3.0, 3.0, allow_subnormal=False) | st.sampled_from([-1.0, 0.0, 0.5, 1.0])
points = st.tuples(coordinate, coordinate, coordinate)


# --- the tree itself ---


@pytest.mark.parametrize("n_face", [1, 3, 4, 5, 8, 9, 63, 100])
def test_boxes_hold_their_faces_and_their_halves(n_face: int) -> None:
    random = np.random.default_rng(n_face)
    mesh = SurfaceMesh(random.normal(size=(3 * n_face, 3)), np.arange(3 * n_face).reshape(-1, 3))
    tree = mesh.tree
    n_leaf = len(tree.boxes) // 2
    assert sorted(tree.face) == list(range(n_face))
    assert tree.face[tree.place].tolist() == list(range(n_face))
    assert tree.corners == pytest.approx(mesh.corners[tree.face].reshape(-1, 9), abs=0.0)
    sizes = np.diff(tree.begin)
    assert sizes.min() >= 1
    assert sizes.max() <= 4
    for leaf in range(n_leaf):
        inside = tree.corners[tree.begin[leaf] : tree.begin[leaf + 1]].reshape(-1, 3)
        assert tree.boxes[n_leaf + leaf].tolist() == [*inside.min(axis=0), *inside.max(axis=0)]
    middles = mesh.face_centroids[tree.face]
    for node in range(1, n_leaf):
        # The faces of a node stand together: those of its first half lie lower along its longest side.
        level = int(math.log2(node))
        first, middle, last = (n_face * k // (2 << level) for k in (2 * node - (2 << level) + np.arange(3)))
        axis = int(np.argmax(np.ptp(middles[first:last], axis=0)))
        assert middles[first:middle, axis].max() <= middles[middle:last, axis].min()
        halves = tree.boxes[2 * node : 2 * node + 2]
        assert tree.boxes[node].tolist() == [*halves[:, :3].min(axis=0), *halves[:, 3:].max(axis=0)]


# --- closest points ---


@given(soups(), points, st.integers(-1, 1000))
def test_closest_point_is_that_of_plain_search(
    mesh: SurfaceMesh, point: tuple[float, float, float], hint: int
) -> None:
    face, u, v, square = closest_point(mesh.tree, point, min(hint, mesh.n_face - 1))
    assert min(u, v, 1.0 - u - v) >= -1e-12
    there = np.linalg.norm(place_on(mesh, face, u, v) - point)
    assert math.sqrt(square) == pytest.approx(there, rel=1e-12, abs=1e-14)
    assert there == pytest.approx(distance(mesh, point), rel=1e-10, abs=1e-12)


@given(soups(), st.integers(0, 1000), st.floats(0.0, 1.0), st.floats(0.0, 1.0), points)
def test_places_on_the_surface_are_their_own_closest(
    mesh: SurfaceMesh, face: int, u: float, v: float, point: tuple[float, float, float]
) -> None:
    on_edge = place_on(mesh, face % mesh.n_face, u, 0.0)
    at_corner = mesh.vertices[face % mesh.n_vertex]
    for place in (on_edge, at_corner):
        _, _, _, square = closest_point(mesh.tree, (place[0], place[1], place[2]), -1)
        assert square < 1e-28


@given(soups(), points, st.floats(0.0, 4.0))
def test_a_limit_finds_the_same_or_nothing(
    mesh: SurfaceMesh, point: tuple[float, float, float], limit: float
) -> None:
    full = closest_point(mesh.tree, point, -1)
    found = closest_point_within(mesh.tree, point, limit, -1)
    if full[3] <= limit * limit:
        assert found[3] == full[3]
    else:
        assert found == (-1, 0.0, 0.0, np.inf)


def test_a_sliver_is_measured_by_its_inside_where_that_can_be_trusted() -> None:
    for height in (1e-3, 1e-5, 1e-7, 1e-9, 1e-12):
        mesh = surface([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, height, 0.0]], [[0, 1, 2]])
        for y in (-height, 0.0, 0.3 * height, height, 2.0 * height):
            point = (0.4, y, 0.25 * height)
            _, _, _, square = closest_point(mesh.tree, point, -1)
            assert math.sqrt(square) == pytest.approx(distance(mesh, point), rel=1e-9, abs=1e-15)


def test_the_inside_of_a_sliver_is_never_preferred_to_a_nearer_edge() -> None:
    random = np.random.default_rng(11)
    for height in 10.0 ** random.uniform(-14.0, -3.0, 300):
        turn = Rotation.random(rng=random).as_matrix()
        corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, height, 0.0]]) @ turn.T + random.normal(
            size=3
        )
        mesh = surface(corners, [[0, 1, 2]])
        way = np.array([random.uniform(-0.1, 1.1), *random.normal(size=2) * 10.0 ** random.uniform(-12, 0)])
        point = corners[0] + turn @ way
        edges = min(distance_to_segment(point, corners[k], corners[(k + 1) % 3]) for k in range(3))
        _, _, _, square = closest_point(mesh.tree, (point[0], point[1], point[2]), -1)
        assert math.sqrt(square) <= edges * (1.0 + 1e-12) + 1e-15


@pytest.mark.compiled  # plain Python warns of inf - inf
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_point_that_is_not_finite_has_no_closest_face(bad: float) -> None:
    mesh = icosphere(1.0, 1)
    assert closest_point(mesh.tree, (bad, 0.0, 0.0), -1)[0] == -1
    assert ray_hit(mesh.tree, (0.0, 0.0, 0.0), (bad, 1.0, 0.0), (0.0, 2.0), 0, -1)[0] == -1
    # A hint from another surface is no hint.
    assert closest_point(mesh.tree, (2.0, 0.0, 0.0), 10**9)[0] >= 0


def test_places_and_fields_on_a_face() -> None:
    mesh = icosphere(1.0, 1)
    for face in (0, 33, 79):
        expected = place_on(mesh, face, 0.2, 0.3)
        assert place_on_face(mesh.tree, face, 0.2, 0.3) == pytest.approx(tuple(expected), rel=1e-14)
        assert blended(mesh.faces, mesh.vertices, face, 0.2, 0.3) == pytest.approx(tuple(expected), rel=1e-14)


def test_many_points_at_once() -> None:
    mesh = icosphere(0.02, 2)
    places = np.random.default_rng(3).normal(size=(50, 3)) * 0.02
    hints, found = np.full(50, -1), np.full((50, 3), np.nan)
    fill_closest(mesh.tree, places, hints, found)
    expected = [distance(mesh, place) for place in places]
    assert np.sqrt(found[:, 2]) == pytest.approx(expected, rel=1e-12)
    again = np.full((50, 3), np.nan)
    fill_closest(mesh.tree, places, hints, again)
    assert again[:, 2].tolist() == found[:, 2].tolist()


# --- rays ---


@given(soups(), points, points, st.sampled_from([-1, 0, 1]), st.booleans(), st.integers(-1, 1000))
def test_hits_are_those_of_plain_search(
    mesh: SurfaceMesh,
    origin: tuple[float, float, float],
    direction: tuple[float, float, float],
    facing: int,
    both: bool,
    hint: int,
) -> None:
    if np.linalg.norm(direction) < 1e-3:
        direction = (direction[0], direction[1], 1.0)
    way = np.array(direction)
    reach = (-2.0 if both else 0.0, 2.0)
    face, u, v, along, front = ray_hit(
        mesh.tree, origin, direction, reach, facing, min(hint, mesh.n_face - 1)
    )
    hits = [
        (other, at)
        for other, at in line_hits(mesh, np.array(origin), way)
        if reach[0] <= at <= reach[1] and (facing * -(mesh.face_vectors[other] @ way) >= 0.0)
    ]
    if face >= 0:
        assert place_on(mesh, face, u, v) == pytest.approx(np.array(origin) + along * way, abs=1e-10)
        assert front == (mesh.face_vectors[face] @ way < 0.0)
        assert facing == 0 or front == (facing > 0)
        assert reach[0] <= along <= reach[1]
        assert all(abs(at) > abs(along) - 1e-9 or is_grazed(mesh, other, origin, way) for other, at in hits)
    else:
        # A plain solution lets in what lies outside by round-off; the kernel doesn't.
        assert all(is_grazed(mesh, other, origin, way) or abs(abs(at) - 2.0) < 1e-9 for other, at in hits)


def is_grazed(
    mesh: SurfaceMesh, face: int, origin: tuple[float, float, float], direction: np.ndarray
) -> bool:
    """Whether a line passes an edge of a face, or the face's plane at its start, too closely to say on which side."""
    a, b, c = mesh.corners[face]
    u, v, along = np.linalg.solve(np.column_stack([b - a, c - a, -direction]), np.array(origin) - a)
    return bool(min(abs(u), abs(v), abs(1.0 - u - v), abs(along)) < 1e-9)


@pytest.mark.parametrize(
    "mesh",
    [icosphere(0.02, 2), uv_sphere(0.02, 24, 12), box((0.01, 0.02, 0.03), 3), cylinder(0.01, 0.03, 17, 3)],
)
def test_no_ray_slips_out_of_a_closed_surface(mesh: SurfaceMesh) -> None:
    corners = mesh.corners
    middles = (corners + np.roll(corners, 1, axis=1)).reshape(-1, 3) / 2.0
    targets = np.concatenate([mesh.vertices, middles, mesh.face_centroids])
    for origin in [np.zeros(3), *np.random.default_rng(5).uniform(-0.003, 0.003, (4, 3))]:
        directions = targets - origin
        hints, places = np.full(len(targets), -1), np.full((len(targets), 4), np.nan)
        fill_hits(mesh.tree, np.tile(origin, (len(targets), 1)), directions, (0.0, 2.0), 0, hints, places)
        assert hints.min() >= 0
        assert places[:, 2] == pytest.approx(np.ones(len(targets)), rel=1e-9)
        assert (places[:, 3] == 0.0).all()


def test_rays_in_the_planes_of_boxes_and_along_axes() -> None:
    mesh = plate(2.0, 2.0, 4, 4)
    for x in np.linspace(-1.0, 1.0, 9):
        for z in np.linspace(-1.0, 1.0, 9):
            face, _, _, along, front = ray_hit(mesh.tree, (x, 1.0, z), (0.0, -1.0, 0.0), (0.0, 2.0), 0, -1)
            assert (face >= 0, along, front) == (True, 1.0, True)
    assert ray_hit(mesh.tree, (-2.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 4.0), 0, -1)[0] == -1
    assert ray_hit(mesh.tree, (0.0, 1.0, 0.0), (0.0, 0.0, 0.0), (0.0, 4.0), 0, -1)[0] == -1
    assert ray_hit(mesh.tree, (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.9), 0, -1)[0] == -1


def test_a_line_in_both_senses_takes_the_nearer_hit() -> None:
    mesh = box((2.0, 2.0, 2.0))
    _, _, _, along, front = ray_hit(mesh.tree, (0.3, 0.1, 0.2), (1.0, 0.0, 0.0), (-5.0, 5.0), 0, -1)
    assert along == pytest.approx(0.7)
    assert not front
    _, _, _, along, front = ray_hit(mesh.tree, (0.3, 0.1, 0.2), (1.0, 0.0, 0.0), (-5.0, 5.0), 1, -1)
    assert along == pytest.approx(-1.3)
    assert front


# --- faces near another surface ---


@given(soups(), soups(), points, st.floats(0.0, 2.0), st.integers(0, 1000))
def test_no_near_face_is_left_out(
    mesh: SurfaceMesh, other: SurfaceMesh, place: tuple[float, float, float], margin: float, seed: int
) -> None:
    turn = Rotation.random(rng=np.random.default_rng(seed))
    R: Any = tuple(turn.as_matrix().ravel().tolist())
    found = np.full(mesh.n_face, -1)
    count = near_faces(mesh.tree, other.tree, R, place, margin, found)
    named = set(found[:count])
    assert len(named) == count
    assert -1 not in named
    # Of each face the corners and the centroid, as far as they are within the margin, vouch for it.
    samples = np.concatenate([mesh.corners, mesh.face_centroids[:, None]], axis=1)
    for face in set(range(mesh.n_face)) - named:
        for sample in turn.apply(samples[face]) + place:
            assert closest_point(other.tree, (sample[0], sample[1], sample[2]), -1)[3] > margin**2 * (
                1.0 - 1e-9
            )


def test_no_face_of_a_ball_is_near_the_shell_around_it() -> None:
    ball, shell, found = icosphere(0.02, 4), icosphere(0.03, 4), np.full(5120, -1)
    pose = ((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    assert near_faces(ball.tree, shell.tree, *pose, 0.001, found) == 0
    assert near_faces(ball.tree, shell.tree, *pose, 0.0105, found) == ball.n_face
    moved = near_faces(ball.tree, shell.tree, pose[0], (0.01, 0.0, 0.0), 0.0005, found)
    # 188 are; boxes along the axes are thicker than what they hold by about the faces' size.
    assert 188 <= moved < 1500
    assert ball.face_centroids[found[:moved], 0].min() > 0.0


def test_near_faces_are_few_and_told_when_the_buffer_is_short() -> None:
    sphere, flat = icosphere(0.02, 4), plate(0.06, 0.06, 32, 48)
    depth = 0.001
    pose = ((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.02 - depth, 0.0))
    found = np.full(sphere.n_face, -1)
    count = near_faces(sphere.tree, flat.tree, *pose, depth, found)
    below = np.flatnonzero(sphere.corners[..., 1].min(axis=1) < depth - 0.02)
    assert set(below) <= set(found[:count])
    assert count < 3 * len(below)
    short = np.full(10, -1)
    assert near_faces(sphere.tree, flat.tree, *pose, depth, short) == count
    assert short.tolist() == found[:10].tolist()
    assert near_faces(sphere.tree, flat.tree, pose[0], (0.0, 0.03, 0.0), depth, short) == 0
