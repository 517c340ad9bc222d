"""What follows from the triangles, on bodies whose measures are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from condyle.geometry.mesh.curvature import fitted_surface
from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.shapes import box, cylinder, grid, icosphere, plate, uv_sphere
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.testing import assert_order
from geometry.mesh.mesh_measures import surface


def test_a_box_has_its_measures() -> None:
    mesh = box((1.0, 2.0, 3.0), n_side=3)
    assert (mesh.n_face, mesh.n_vertex, mesh.is_closed) == (108, 56, True)
    assert mesh.volume == pytest.approx(6.0, rel=1e-14)
    assert mesh.area == pytest.approx(22.0, rel=1e-14)
    assert mesh.bounds.tolist() == [[-0.5, -1.0, -1.5], [0.5, 1.0, 1.5]]
    outward = np.einsum("ij,ij->i", mesh.face_normals, mesh.face_centroids)
    assert outward.min() > 0.0
    assert mesh.face_vectors.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-14)


def test_a_corner_of_a_box_has_the_normal_of_its_three_sides_however_they_are_cut() -> None:
    mesh = box((1.0, 1.0, 1.0))
    assert np.abs(mesh.vertex_normals) == pytest.approx(np.full((8, 3), 1.0 / math.sqrt(3.0)), rel=1e-12)


def test_spheres_converge_to_the_sphere() -> None:
    radius, levels = 0.02, (1, 2, 3, 4)
    meshes = [icosphere(radius, level, (1.0, 2.0, 3.0)) for level in levels]
    assert [mesh.n_face for mesh in meshes] == [20 * 4**level for level in levels]
    steps = [0.5**level for level in levels]
    volume, area = 4.0 / 3.0 * math.pi * radius**3, 4.0 * math.pi * radius**2
    assert_order(steps, [1.0 - mesh.volume / volume for mesh in meshes], 2.0)
    assert_order(steps, [1.0 - mesh.area / area for mesh in meshes], 2.0)
    for mesh in meshes:
        away = (mesh.vertices - [1.0, 2.0, 3.0]) / radius
        assert np.linalg.norm(away, axis=1) == pytest.approx(np.ones(mesh.n_vertex), rel=1e-12)
    exact = [(mesh.vertices - [1.0, 2.0, 3.0]) / radius for mesh in meshes[1:]]
    pairs = list(zip(meshes[1:], exact, strict=True))
    smooth = [float(np.abs(mesh.smooth_normals - n).max()) for mesh, n in pairs]
    assert_order(steps[1:], smooth, 2.4, tolerance=0.4)
    assert smooth[-1] < 4e-5
    # Weighted by angles they are worse by an order where five faces meet beside six.
    weighted = [float(np.abs(mesh.vertex_normals - n).max()) for mesh, n in pairs]
    assert_order(steps[1:], weighted, 1.0)


@pytest.mark.parametrize(
    ("mesh", "n_face", "volume", "within"),
    [
        (uv_sphere(0.5, 40, 20), 2 * 40 * 19, math.pi / 6.0, 0.02),
        (cylinder(0.5, 2.0, 60, 4), 2 * 60 * 5, math.pi / 2.0, 0.002),
    ],
)
def test_other_closed_bodies(mesh: SurfaceMesh, n_face: int, volume: float, within: float) -> None:
    assert mesh.n_face == n_face
    assert mesh.is_closed
    assert volume * (1.0 - within) < mesh.volume < volume


def test_a_plate_is_open_and_faces_up() -> None:
    mesh = plate(2.0, 3.0, 4, 5)
    assert mesh.face_normals == pytest.approx(np.tile([0.0, 1.0, 0.0], (40, 1)))
    assert (mesh.neighbours == -1).sum() == 2 * (4 + 5)
    assert not mesh.is_closed
    with pytest.raises(MeshError, match="encloses no volume"):
        _ = mesh.volume


def test_neighbours_share_the_edge_and_know_each_other() -> None:
    mesh = icosphere(1.0, 2)
    for face in range(mesh.n_face):
        for k in range(3):
            other = mesh.neighbours[face, k]
            edge = {mesh.faces[face, k], mesh.faces[face, (k + 1) % 3]}
            assert edge <= set(mesh.faces[other])
            assert face in mesh.neighbours[other]


def test_a_face_turned_over_or_missing_leaves_the_surface_open() -> None:
    mesh = icosphere(1.0, 1)
    turned = mesh.faces.copy()
    turned[5] = turned[5, ::-1]
    assert not SurfaceMesh(mesh.vertices, turned).is_closed
    assert not SurfaceMesh(mesh.vertices, mesh.faces[1:]).is_closed


def test_an_edge_of_three_faces_has_no_neighbours() -> None:
    fin = surface(np.eye(5)[:, :3], [[0, 1, 2], [1, 0, 3], [0, 1, 4]])
    assert (fin.neighbours == -1).all()


def torus(ring: float, tube: float, n: int) -> tuple[SurfaceMesh, np.ndarray]:
    """An open piece of a torus around y, and both principal curvatures at its vertices."""
    around, along = np.linspace(-0.5, 0.5, n + 1)[:, None], np.linspace(-1.0, 2.5, 2 * n + 1)[None, :]
    reach = ring + tube * np.cos(along)
    places = (reach * np.cos(around), tube * np.sin(along), reach * np.sin(around))
    curvatures = (1.0 / tube, np.cos(along) / reach)
    shape = (n + 1, 2 * n + 1)
    return (
        grid(np.stack([np.broadcast_to(place, shape) for place in places], axis=-1)),
        np.stack([np.broadcast_to(curvature, shape) for curvature in curvatures], axis=-1).reshape(-1, 2),
    )


def test_curvature_of_a_sphere_a_cylinder_and_a_torus_is_of_second_order_inside() -> None:
    errors: dict[str, list[float]] = {"sphere": [], "cylinder": [], "torus": []}
    for level in (2, 3, 4):
        sphere = icosphere(0.02, level)
        errors["sphere"].append(float(np.abs(sphere.principal_curvatures * 0.02 - 1.0).max()))
        pipe = cylinder(0.02, 0.1, 10 * 2**level, 6 * 2**level)
        middle = np.abs(pipe.vertices[:, 1]) < 0.03
        error = pipe.principal_curvatures[middle] * 0.02 - [1.0, 0.0]
        errors["cylinder"].append(float(np.abs(error).max()))
        piece, exact = torus(0.05, 0.02, 6 * 2**level)
        inside = np.ones((6 * 2**level + 1, 12 * 2**level + 1), dtype=bool)
        inside[:4], inside[-4:], inside[:, :4], inside[:, -4:] = False, False, False, False
        error = (piece.principal_curvatures - exact)[inside.ravel()] * 0.02
        errors["torus"].append(float(np.abs(error).max()))
    for found in errors.values():
        assert_order([1.0, 0.5, 0.25], found, 2.0, tolerance=0.25)
        assert found[-1] < 0.01
    assert icosphere(0.02, 3).mean_curvature == pytest.approx(np.full(642, 50.0), rel=0.03)


def test_the_fit_does_not_depend_on_the_normals_it_starts_from() -> None:
    sphere = icosphere(0.02, 4)
    across = np.cross(sphere.vertices, [1.0, 2.0, 3.0])
    tilted = sphere.vertices / 0.02 + 0.3 * across / np.linalg.norm(across, axis=1, keepdims=True)
    tilted /= np.linalg.norm(tilted, axis=1, keepdims=True)
    curvatures, normals = fitted_surface(sphere.vertices, sphere.faces, tilted)
    assert curvatures * 0.02 == pytest.approx(np.ones_like(curvatures), abs=0.04)
    assert normals == pytest.approx(sphere.vertices / 0.02, abs=0.004)


@pytest.mark.parametrize(
    ("vertices", "faces", "message"),
    [
        (np.eye(3), np.zeros((0, 3), dtype=int), "without faces"),
        (np.eye(3)[:, :2], [[0, 1, 2]], "three columns"),
        ([[0, 0, 0], [1, 0, 0], [0, np.nan, 0]], [[0, 1, 2]], "1 vertices are not finite"),
        (np.eye(3), [[0, 1, 3], [0, 1, 2]], "1 faces name vertices that are not there"),
    ],
)
def test_what_is_no_surface(vertices: np.ndarray, faces: np.ndarray, message: str) -> None:
    with pytest.raises(MeshError, match=message):
        SurfaceMesh(vertices, faces)


def test_arrays_cannot_be_written_and_are_copies() -> None:
    vertices = np.eye(3)
    mesh = surface(vertices, [[0, 1, 2]])
    vertices[0] = 7.0
    assert mesh.vertices.tolist() == np.eye(3).tolist()
    for array in (mesh.vertices, mesh.faces, mesh.part, mesh.face_normals, mesh.neighbours, mesh.tree.boxes):
        assert array.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_parts_are_found_by_name() -> None:
    mesh = SurfaceMesh(
        np.eye(4)[:, :3], np.array([[0, 1, 2], [0, 1, 3]]), np.array([1, 0]), ("medial", "lateral")
    )
    assert mesh.part_faces("lateral").tolist() == [0]
    with pytest.raises(MeshError, match="no part 'inner'; the parts are 'medial', 'lateral'"):
        mesh.part_faces("inner")
