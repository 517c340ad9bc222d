"""The knee replacement's surfaces against their radii."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import dblquad

from condyle.geometry.mesh.closest import fill_closest
from condyle.geometry.mesh.implants import FemoralShape, InsertShape, femoral_component, scaled, tibial_insert
from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.operations import transformed
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.testing import assert_order

FEMUR, INSERT = FemoralShape(), InsertShape()
EDGES = (0.004, 0.002, 0.001, 0.0005)


def turned(angle: float) -> np.ndarray:
    return np.array(
        [[math.cos(angle), -math.sin(angle), 0.0], [math.sin(angle), math.cos(angle), 0.0], [0.0, 0.0, 1.0]]
    )


def nearest_vertex(mesh: SurfaceMesh, place: np.ndarray) -> int:
    return int(np.argmin(np.linalg.norm(mesh.vertices - place, axis=1)))


def test_the_profile_is_smooth_and_has_its_radii() -> None:
    angle = np.linspace(-FEMUR.posterior_end, FEMUR.anterior_end, 4001)
    place, normal = FEMUR.profile(angle)
    step = np.diff(place, axis=0)
    # No jumps, and each step square to the normals beside it: one tangent where arcs meet.
    assert np.linalg.norm(step, axis=1).max() < 1.01 * FEMUR.distal_radius * (angle[1] - angle[0])
    middle = (normal[1:] + normal[:-1]) / 2.0
    assert np.abs(np.einsum("ij,ij->i", step, middle)).max() < 1e-8
    for at, radius in (
        (-1.0, FEMUR.posterior_radius),
        (0.0, FEMUR.distal_radius),
        (0.5, FEMUR.anterior_radius),
    ):
        near, _ = FEMUR.profile([at - 1e-4, at + 1e-4])
        assert np.linalg.norm(near[1] - near[0]) / 2e-4 == pytest.approx(radius, rel=1e-6)


@pytest.mark.parametrize(
    ("angle", "radius"),
    [(-1.2, FEMUR.posterior_radius), (-0.1, FEMUR.distal_radius), (0.7, FEMUR.anterior_radius)],
)
def test_curvature_on_the_crest_is_that_of_the_radii_in_second_order(angle: float, radius: float) -> None:
    errors = []
    exact = np.sort([1.0 / radius, 1.0 / FEMUR.coronal_radius])[::-1]
    for edge in EDGES[1:]:
        mesh = femoral_component(FEMUR, edge)
        for name, z in (("medial", -0.023), ("lateral", 0.023)):
            vertex = nearest_vertex(mesh, np.array([*FEMUR.profile(angle)[0][0], z]))
            assert mesh.vertices[vertex, 2] == pytest.approx(z, abs=1e-12)
            assert vertex in mesh.faces[mesh.part_faces(name)]
        errors.append(float(np.abs(mesh.principal_curvatures[vertex] / exact - 1.0).max()))
    assert_order(EDGES[1:], errors, 2.0, tolerance=0.35)
    assert errors[-1] < 1e-3


def test_vertices_lie_on_the_tube_and_normals_follow() -> None:
    mesh = femoral_component(FEMUR, 0.001)
    angle = np.linspace(-FEMUR.posterior_end, FEMUR.anterior_end, 20001)
    crest, normal = FEMUR.profile(angle)
    axis = crest - FEMUR.coronal_radius * normal
    chosen = np.random.default_rng(2).integers(0, mesh.n_vertex, 200)
    for vertex in mesh.vertices[chosen]:
        away = np.hypot(*(axis - vertex[:2]).T)
        across = abs(vertex[2]) - FEMUR.spacing / 2.0
        k = int(np.argmin(np.abs(away**2 + across**2 - FEMUR.coronal_radius**2)))
        assert math.hypot(away[k], across) == pytest.approx(FEMUR.coronal_radius, rel=1e-4)
    inside = (mesh.neighbours >= 0).all(axis=1)
    for edge, within in ((0.002, 0.06), (0.001, 0.03)):
        mesh = femoral_component(FEMUR, edge)
        inside = (mesh.neighbours >= 0).all(axis=1)
        lean = np.arcsin(
            np.abs(mesh.face_centroids[:, 2]) / FEMUR.coronal_radius
            - FEMUR.spacing / 2.0 / FEMUR.coronal_radius
        )
        sideways = np.abs(mesh.face_normals[:, 2]) - np.abs(np.sin(lean))
        assert np.abs(sideways[inside]).max() < within


def test_the_lowest_place_follows_flexion() -> None:
    for flexion in np.radians([-20.0, 0.0, 10.0, 20.0, 45.0, 90.0, 119.0]):
        place, _ = FEMUR.profile(np.linspace(-FEMUR.posterior_end, FEMUR.anterior_end, 100001))
        low = place @ turned(flexion)[:2, :2].T
        x, y = FEMUR.lowest(flexion)
        assert y == pytest.approx(low[:, 1].min(), abs=1e-9)
        assert x == pytest.approx(low[np.argmin(low[:, 1]), 0], abs=2e-6)
    # On the posterior arc the component turns about its own centre.
    assert FEMUR.lowest(1.0) == pytest.approx((0.0, -FEMUR.posterior_radius), abs=1e-12)


def test_the_insert_has_its_radii_at_the_bottoms_in_second_order() -> None:
    exact = -np.sort([1.0 / INSERT.sagittal_radius, 1.0 / INSERT.coronal_radius])
    errors = []
    for edge in EDGES:
        mesh = tibial_insert(INSERT, edge)
        vertex = nearest_vertex(mesh, np.array([0.0, 0.0, INSERT.spacing / 2.0]))
        errors.append(float(np.abs(mesh.principal_curvatures[vertex] / exact - 1.0).max()))
    assert_order(EDGES, errors, 2.0, tolerance=0.35)
    assert errors[-1] < 1e-3
    assert INSERT.height(0.0, INSERT.spacing / 2.0) == pytest.approx(0.0, abs=1e-15)


def test_dishes_and_eminence_share_their_tangents() -> None:
    z = np.linspace(-INSERT.width / 2.0, INSERT.width / 2.0, 20001)
    slope = np.gradient(INSERT.coronal_profile(z), z)
    assert np.abs(np.diff(slope)).max() < 1.5 * (z[1] - z[0]) * (2.0 / INSERT.eminence_radius)
    assert INSERT.coronal_profile(0.0) == pytest.approx(
        INSERT.coronal_radius
        + INSERT.eminence_radius
        - math.sqrt((INSERT.coronal_radius + INSERT.eminence_radius) ** 2 - INSERT.spacing**2 / 4.0)
    )


def test_the_closed_insert_converges_to_its_volume() -> None:
    exact, _ = dblquad(
        lambda z, x: float(INSERT.height(x, z)) + INSERT.thickness,
        0.0,
        INSERT.depth / 2.0,
        0.0,
        INSERT.width / 2.0,
        epsabs=1e-13,
    )
    meshes = [tibial_insert(INSERT, edge, closed=True) for edge in EDGES]
    assert all(mesh.is_closed for mesh in meshes)
    assert meshes[0].part_names == ("medial", "lateral", "body")
    # The coarsest cuts the eminence into one piece a side, the next into three.
    errors = [mesh.volume / (4.0 * exact) - 1.0 for mesh in meshes[1:]]
    assert_order(EDGES[1:], errors, 2.0)
    top = tibial_insert(INSERT, EDGES[0])
    assert meshes[0].part_faces("medial").tolist() == top.part_faces("medial").tolist()
    assert meshes[0].corners[: top.n_face].tolist() == top.corners.tolist()


@pytest.mark.parametrize(("side", "sign"), [("right", 1.0), ("left", -1.0)])
def test_lateral_is_on_the_right_of_a_right_knee(side: str, sign: float) -> None:
    for mesh in (femoral_component(edge=0.003, side=side), tibial_insert(edge=0.003, side=side)):
        medial, lateral = (mesh.face_centroids[mesh.part_faces(part), 2] for part in ("medial", "lateral"))
        assert (sign * lateral > 0.0).all()
        assert (sign * medial < 0.0).all()
        assert len(medial) == len(lateral) == mesh.n_face / 2


@pytest.mark.compiled
@pytest.mark.parametrize("degrees", [0.0, 15.0, 45.0, 90.0])
def test_the_femur_sits_in_the_dishes_with_two_patches(degrees: float) -> None:
    flexion, depth = math.radians(degrees), 2e-4
    x, y = FEMUR.lowest(flexion)
    femur = transformed(femoral_component(FEMUR, 0.0005), turned(flexion), [-x, -y - depth, 0.0])
    inside = (np.abs(femur.vertices[:, 0]) < INSERT.depth / 2.0) & (
        np.abs(femur.vertices[:, 2]) < INSERT.width / 2.0
    )
    vertices = femur.vertices[inside]
    below = INSERT.height(vertices[:, 0], vertices[:, 2]) - vertices[:, 1]
    assert below.max() == pytest.approx(depth, abs=5e-6)
    patch = vertices[below > 0.0]
    for sign in (-1.0, 1.0):
        one = patch[sign * patch[:, 2] > 0.0]
        assert len(one) > 50
        # Parted from the eminence and the rim, and no longer than two round bodies' overlap.
        assert np.abs(one - [0.0, 0.0, sign * INSERT.spacing / 2.0])[:, [0, 2]].max() < 0.0095
    hints, places = np.full(len(vertices), -1), np.full((len(vertices), 3), np.nan)
    fill_closest(tibial_insert(INSERT, 0.0005).tree, vertices, hints, places)
    deepest = below > 0.5 * depth
    assert np.sqrt(places[deepest, 2]) == pytest.approx(below[deepest], abs=6e-6)


def test_sizes_and_densities() -> None:
    larger = scaled(FEMUR, 1.1)
    assert larger.distal_radius == pytest.approx(0.044)
    assert larger.transition == FEMUR.transition
    box = femoral_component(FEMUR, 0.002).bounds
    assert femoral_component(larger, 0.0022).bounds == pytest.approx(1.1 * box, rel=1e-12)
    assert scaled(INSERT, 0.5).width == pytest.approx(0.036)
    counts = [femoral_component(FEMUR, edge).n_face for edge in EDGES]
    assert all(3.5 < finer / coarser < 4.5 for coarser, finer in pairwise(counts))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: replace(FEMUR, distal_radius=-0.1), "distal_radius = -0.1: must be positive"),
        (lambda: replace(FEMUR, width=0.05), "narrower than twice its coronal radius"),
        (lambda: replace(FEMUR, spacing=0.02), "would overlap"),
        (lambda: replace(FEMUR, posterior_radius=0.002), "a sagittal radius of 0.002 is too small"),
        (lambda: replace(FEMUR, transition=2.5), "angles of the profile must rise"),
        (lambda: replace(INSERT, width=0.04), "width = 0.04: must be more than the spacing"),
        (lambda: replace(INSERT, spacing=0.1, width=0.12), "don't meet"),
        (lambda: replace(INSERT, sagittal_radius=0.02), "doesn't reach so far"),
        (lambda: femoral_component(side="both"), "side = 'both'"),
        (lambda: tibial_insert(edge=0.0), "edge must be a positive length"),
        (lambda: tibial_insert(edge=1e-6), "at most are made: take a longer edge"),
    ],
)
def test_shapes_that_cannot_be(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(MeshError, match=message):
        make()
