"""Faults put into good surfaces: mended and told, or refused with their count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.operations import joined, transformed
from condyle.geometry.mesh.repair import checked_mesh
from condyle.geometry.mesh.shapes import box, icosphere, plate
from condyle.geometry.mesh.surface import SurfaceMesh
from geometry.mesh.mesh_measures import surface


def test_a_clean_surface_is_left_as_it_is() -> None:
    mesh = icosphere(0.02, 2)
    checked = checked_mesh(mesh, closed=True)
    assert checked.notes == ()
    assert checked.mesh.vertices.tolist() == mesh.vertices.tolist()
    assert checked.mesh.faces.tolist() == mesh.faces.tolist()


def test_loose_triangles_become_a_surface() -> None:
    mesh = icosphere(0.02, 2)
    loose = SurfaceMesh(mesh.corners.reshape(-1, 3), np.arange(3 * mesh.n_face).reshape(-1, 3))
    assert not loose.is_closed
    checked = checked_mesh(loose, "ball.stl", closed=True)
    assert checked.mesh.n_vertex == mesh.n_vertex
    assert checked.notes == ()  # every STL file is like that


def test_vertices_without_a_face_are_told() -> None:
    mesh = icosphere(0.02, 2)
    more = SurfaceMesh(np.vstack([mesh.vertices, mesh.vertices[:2]]), mesh.faces)
    checked = checked_mesh(more, "ball.ply", closed=True)
    assert checked.mesh.n_vertex == mesh.n_vertex
    assert checked.notes == ("ball.ply: 2 repeated or unused vertices were merged or left out",)


def test_vertices_a_hair_apart_are_merged() -> None:
    mesh = icosphere(0.02, 2)
    shaken = mesh.corners + np.random.default_rng(1).uniform(-3e-10, 3e-10, mesh.corners.shape)
    loose = SurfaceMesh(shaken.reshape(-1, 3), np.arange(3 * mesh.n_face).reshape(-1, 3))
    checked = checked_mesh(loose, closed=True)
    assert checked.mesh.n_vertex == mesh.n_vertex
    assert f"{3 * mesh.n_face - mesh.n_vertex} vertices nearer than 1e-07" in checked.notes[0]


def test_bad_faces_are_dropped_and_counted() -> None:
    mesh = icosphere(0.02, 1)
    a, b = mesh.faces[0, 0], mesh.faces[0, 1]
    bad = np.array([mesh.faces[3], mesh.faces[4, [1, 2, 0]], [a, a, b], [b, b, b], [a, b, b]])
    checked = checked_mesh(SurfaceMesh(mesh.vertices, np.concatenate([mesh.faces, bad])), "ball", closed=True)
    assert checked.mesh.faces.tolist() == mesh.faces.tolist()
    assert checked.notes == (
        "ball: 3 faces with two corners at one place were dropped",
        "ball: 2 faces repeated others and were dropped",
    )


def test_a_thin_face_is_dropped_unless_that_opens_a_crack() -> None:
    # A vertex in the middle of an edge, with a face of no height to close the gap.
    vertices = np.array(
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.0], [0.0, -1.0, 0.0]]
    )
    filled = surface(vertices, [[0, 1, 2], [0, 3, 1], [0, 4, 3], [3, 4, 1]])
    checked = checked_mesh(filled)
    assert checked.mesh.n_face == 4
    assert "1 faces thinner than 1e-6 of their length were kept" in checked.notes[0]
    lonely = surface(
        np.concatenate([vertices, [[0.5, 0.5, 0.5], [0.6, 0.5, 0.5], [0.7, 0.5 + 1e-9, 0.5]]]),
        [[0, 1, 2], [5, 6, 7]],
    )
    checked = checked_mesh(lonely)
    assert checked.mesh.n_face == 1
    assert "1 faces thinner than 1e-6 of their length were dropped" in checked.notes[1]
    assert checked.mesh.vertices.tolist() == vertices[:3].tolist()


@given(st.integers(0, 2**32 - 1), st.floats(0.0, 1.0))
def test_faces_turned_at_random_are_turned_back(seed: int, share: float) -> None:
    """Those turned are turned back, or the others after them and then the whole, inside out; both are told."""
    mesh = icosphere(0.02, 2)
    turned = np.random.default_rng(seed).random(mesh.n_face) < share
    faces = np.where(turned[:, None], mesh.faces[:, ::-1], mesh.faces)
    checked = checked_mesh(SurfaceMesh(mesh.vertices, faces), closed=True)
    assert checked.mesh.volume == pytest.approx(mesh.volume, rel=1e-12)
    whole = len(checked.notes) > 0 and "inside out" in checked.notes[-1]
    # It takes more than a few to turn the others.
    assert not whole or turned.mean() > 0.4
    assert whole or turned.mean() < 0.6
    count = int((~turned).sum() if whole else turned.sum())
    told = [f"{count} faces faced against their neighbours"] if count else []
    told += [f"inside out, its {mesh.n_face} faces were turned over"] if whole else []
    assert len(checked.notes) == len(told)
    assert all(words in note for words, note in zip(told, checked.notes, strict=True))


def test_a_closed_surface_inside_out_is_turned() -> None:
    mesh = icosphere(0.02, 1, (0.1, 0.2, 0.3))
    checked = checked_mesh(SurfaceMesh(mesh.vertices, mesh.faces[:, ::-1]), "ball")
    assert checked.mesh.volume == pytest.approx(mesh.volume)
    assert checked.notes == ("ball: inside out, its 80 faces were turned over",)


def test_an_open_surface_keeps_the_side_it_came_with() -> None:
    mesh = icosphere(0.02, 2)
    cup = SurfaceMesh(mesh.vertices, mesh.faces[5:, ::-1])
    checked = checked_mesh(cup)
    assert checked.notes == ()
    assert checked.mesh.faces.tolist() == cup.faces.tolist()


def test_a_hollow_stays_inside_out_and_a_second_body_does_not() -> None:
    outer, inner = icosphere(0.02, 1), icosphere(0.01, 1)
    hollow = SurfaceMesh(inner.vertices, inner.faces[:, ::-1])
    shell = checked_mesh(joined([outer, hollow]), closed=True)
    assert shell.notes == ()
    assert shell.mesh.volume == pytest.approx(outer.volume - inner.volume)
    beside = transformed(hollow, np.eye(3), [0.05, 0.0, 0.0])
    both = checked_mesh(joined([outer, beside]), closed=True)
    assert both.mesh.volume == pytest.approx(outer.volume + inner.volume)


def test_the_parts_go_with_their_faces() -> None:
    mesh = icosphere(0.02, 1)
    part = (mesh.face_centroids[:, 0] > 0.0).astype(np.int64)
    faces = np.concatenate([mesh.faces[:1], mesh.faces])  # the first twice
    named = SurfaceMesh(mesh.vertices, faces, np.concatenate([part[:1], part]), ("left", "right"))
    checked = checked_mesh(named).mesh
    assert checked.part.tolist() == part.tolist()
    assert checked.part_names == ("left", "right")


def test_holes_are_refused_where_a_closed_surface_is_needed() -> None:
    mesh = icosphere(0.02, 2)
    open_mesh = SurfaceMesh(mesh.vertices, mesh.faces[2:])
    assert checked_mesh(open_mesh).notes == ()
    with pytest.raises(MeshError, match=r"cup\.stl: \d edges have one face only, so it is open") as caught:
        checked_mesh(open_mesh, "cup.stl", closed=True)
    assert caught.value.count in (4, 6)


def test_edges_of_three_faces_are_refused() -> None:
    mesh = box((1.0, 1.0, 1.0))
    inner_wall = [mesh.faces[0, 0], mesh.faces[0, 1], 7 - mesh.faces[0, 0]]
    with pytest.raises(MeshError, match=r"wall: [123] edges have more than two faces"):
        checked_mesh(SurfaceMesh(mesh.vertices, np.vstack([mesh.faces, inner_wall])), "wall")


def test_a_surface_with_one_side_is_refused() -> None:
    turn = np.linspace(0.0, 2.0 * np.pi, 13)[:-1]
    across = np.stack(
        [np.cos(turn / 2) * np.cos(turn), np.cos(turn / 2) * np.sin(turn), np.sin(turn / 2)], axis=1
    )
    middle = 3.0 * np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=1)
    vertices = np.concatenate([middle - across, middle + across])
    k = np.arange(12)
    low, high = np.append(k[1:], 12), np.append(12 + k[1:], 0)  # the ends meet crosswise
    faces = np.concatenate([np.stack([k, low, high], axis=1), np.stack([k, high, 12 + k], axis=1)])
    with pytest.raises(MeshError, match="strip: at 1 edges no outside can be told") as caught:
        checked_mesh(SurfaceMesh(vertices, faces), "strip")
    assert caught.value.count == 1


def test_nothing_but_points_is_refused() -> None:
    with pytest.raises(MeshError, match="dust: none of 2 faces has an area"):
        checked_mesh(surface(np.eye(3), [[0, 0, 1], [2, 2, 2]]), "dust")


def test_millimetres_are_suspected() -> None:
    assert checked_mesh(plate(0.9, 0.5, 1, 1)).notes == ()
    (note,) = checked_mesh(plate(70.0, 50.0, 1, 1), "tray.stl").notes
    assert note == "tray.stl: 70 m long, which no joint is: if the file counts in millimetres, say unit: mm"
