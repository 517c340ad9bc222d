"""Surfaces made of others."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from condyle.geometry.mesh.closest import fill_closest
from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.operations import decimated, joined, offset, refined, transformed
from condyle.geometry.mesh.shapes import box, cylinder, icosphere, plate, uv_sphere
from condyle.geometry.mesh.surface import SurfaceMesh


def test_refined_is_the_same_surface_in_four_times_as_many_faces() -> None:
    mesh = joined([box((1.0, 2.0, 3.0), 2), transformed(plate(1.0, 1.0, 2, 3), np.eye(3), [0.0, 5.0, 0.0])])
    named = SurfaceMesh(mesh.vertices, mesh.faces, (np.arange(mesh.n_face) == 7).astype(np.int64), ("a", "b"))
    finer = refined(named)
    assert finer.n_face == 4 * mesh.n_face
    assert finer.area == pytest.approx(mesh.area, rel=1e-14)
    assert finer.part.tolist() == np.repeat(named.part, 4).tolist()
    assert np.unique(finer.vertices, axis=0).shape == finer.vertices.shape
    assert finer.face_normals == pytest.approx(np.repeat(mesh.face_normals, 4, axis=0), abs=1e-12)
    assert refined(box((1.0, 1.0, 1.0))).is_closed


def test_turned_moved_and_mirrored() -> None:
    mesh = icosphere(0.02, 2)
    turn = Rotation.from_rotvec([0.3, -1.0, 2.0]).as_matrix()
    moved = transformed(mesh, turn, [1.0, 2.0, 3.0])
    assert moved.volume == pytest.approx(mesh.volume, rel=1e-12)
    assert moved.vertex_normals == pytest.approx(mesh.vertex_normals @ turn.T, abs=1e-12)
    assert transformed(mesh, np.diag([1.0, 1.0, -1.0]), np.zeros(3)).volume == pytest.approx(mesh.volume)
    with pytest.raises(MeshError, match="R must be an orthogonal matrix"):
        transformed(mesh, 2.0 * np.eye(3), np.zeros(3))


def test_joined_surfaces_share_the_names_of_their_parts() -> None:
    one = SurfaceMesh(np.eye(3), np.array([[0, 1, 2]]), np.array([1]), ("a", "b"))
    other = SurfaceMesh(np.eye(3), np.array([[0, 1, 2]]), np.array([0]), ("b",))
    both = joined([one, other])
    assert both.part_names == ("a", "b")
    assert both.part.tolist() == [1, 1]
    assert both.faces.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("distance", [0.1, -0.1])
def test_offset_moves_flat_sides_by_what_is_asked(distance: float) -> None:
    moved = offset(box((1.0, 2.0, 3.0), 4), distance)
    sides = np.array([1.0, 2.0, 3.0]) + 2.0 * distance
    assert moved.volume == pytest.approx(np.prod(sides), rel=1e-12)
    assert np.ptp(moved.bounds, axis=0) == pytest.approx(sides, rel=1e-12)


@pytest.mark.parametrize(("smooth", "within"), [(True, 1e-7), (False, 1e-5)])
def test_offset_of_a_sphere_is_a_sphere(smooth: bool, within: float) -> None:
    moved = offset(icosphere(0.02, 4), 0.005, smooth)
    assert np.linalg.norm(moved.vertices, axis=1) == pytest.approx(np.full(moved.n_vertex, 0.025), abs=within)


@pytest.mark.parametrize("mesh", [cylinder(0.02, 0.1, 20, 4), icosphere(0.02, 3)])
def test_an_offset_beyond_the_centre_is_refused(mesh: SurfaceMesh) -> None:
    """Also of a ball, which is inside out then though each face looks as before."""
    with pytest.raises(MeshError, match=r"offset by -0\.03 m turns \d+ faces over"):
        offset(mesh, -0.03)


def test_decimated_keeps_the_shape() -> None:
    mesh = icosphere(0.02, 5)
    fewer = decimated(mesh, 2000)
    assert 1900 <= fewer.n_face <= 2000
    assert fewer.is_closed
    assert fewer.volume == pytest.approx(mesh.volume, rel=0.01)
    hints, places = np.full(mesh.n_vertex, -1), np.full((mesh.n_vertex, 3), np.nan)
    fill_closest(fewer.tree, mesh.vertices, hints, places)
    assert np.sqrt(places[:, 2].max()) < 2e-4
    assert decimated(mesh, mesh.n_face) is mesh
    with pytest.raises(MeshError, match="n_face = 3"):
        decimated(mesh, 3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: icosphere(0.0, 1), "radius = 0.0: must be a positive length"),
        (lambda: icosphere(1.0, 12), "level = 12: an icosphere has 20"),
        (lambda: uv_sphere(1.0, 2, 5), "n_around = 2: must be 3 or more"),
        (lambda: plate(1.0, np.nan, 1, 1), "depth = nan"),
        (lambda: box((1.0, 1.0, 1.0), 0), "n_side = 0"),
    ],
)
def test_shapes_that_cannot_be(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(MeshError, match=message):
        make()
