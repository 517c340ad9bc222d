"""Triangles as they come from files, made into a surface that can be relied on, or refused.

What is mended leaves a sentence, what can't be mended an error; both name the file and the count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components
from scipy.spatial import cKDTree

from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.geometry.mesh.topology import edge_runs, half_edges

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

# Of the surface's size: vertices nearer than this are one, and faces thinner than this in proportion are slivers.
MERGED = 1e-7
SLIVER = 1e-6
# A joint's surfaces are smaller than this [m]; a file in millimetres read as metres is larger.
SUSPECT_SIZE = 1.0


@dataclass(frozen=True)
class CheckedMesh:
    """A surface that was checked, and what was done to it, a sentence for each repair or suspicion."""

    mesh: SurfaceMesh
    notes: tuple[str, ...]


def checked_mesh(mesh: SurfaceMesh, name: str = "surface", closed: bool = False) -> CheckedMesh:
    """The surface with its faults mended, told in `notes`; an error says what can't be.

    Vertices closer than 1e-7 of the surface's size become one; faces with two corners at
    one place are dropped, of equal faces all but one, and faces thinner than 1e-6 of their length unless that would
    open a crack; neighbours are made to agree on the outside; a closed piece
    that is inside out is turned. Refused are edges of more than two faces, surfaces with one side only, and, where a
    `closed` one is asked for, holes. `name` is what the messages call it, such as the file's name. A surface of more
    than 1 m is suspected to be in millimetres.
    """
    notes: list[str] = []
    mesh = _merged(mesh, name, notes)
    mesh = _without_bad_faces(mesh, name, notes)
    _refuse_branching(mesh, name)
    mesh = _oriented(mesh, name, notes)
    if closed:
        _refuse_holes(mesh, name)
    mesh = _turned_outward(mesh, name, notes)
    size = float(np.ptp(mesh.bounds, axis=0).max())
    if size > SUSPECT_SIZE:
        notes.append(
            f"{name}: {size:.3g} m long, which no joint is: if the file counts in millimetres, say unit: mm"
        )
    return CheckedMesh(mesh, tuple(notes))


def _merged(mesh: SurfaceMesh, name: str, notes: list[str]) -> SurfaceMesh:
    """Vertices at one place become one; unused ones go. An STL file repeats each corner, which is not worth a note."""
    size = float(np.ptp(mesh.bounds, axis=0).max())
    places, number = _distinct(mesh.vertices)
    pairs = cKDTree(places).query_pairs(MERGED * size, output_type="ndarray")
    if len(pairs):
        links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(places), len(places)))
        n_place, label = connected_components(links, directed=False)
        first = np.unique(label, return_index=True)[1]
        number, places = label.astype(np.int64)[number], places[first]
        notes.append(
            f"{name}: {len(label) - n_place} vertices nearer than {MERGED:g} of the surface's size to another "
            "were merged with it"
        )
    used, faces = np.unique(number[mesh.faces], return_inverse=True)
    # In the order in which the file has them, so that a clean surface stays as it is.
    rank = np.full(len(used), mesh.n_vertex)
    np.minimum.at(rank, faces.ravel(), mesh.faces.ravel())
    order = np.argsort(rank, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    doubles = mesh.n_vertex - len(used)
    if doubles and not len(pairs) and mesh.n_vertex != 3 * mesh.n_face:
        notes.append(f"{name}: {doubles} repeated or unused vertices were merged or left out")
    return replace(mesh, vertices=places[used[order]], faces=place[faces.reshape(-1, 3)])


def _distinct(vertices: Array) -> tuple[Array, Indices]:
    """The different rows of a table, and which of them each row is."""
    order = np.lexsort(vertices.T)
    new = np.any(np.diff(vertices[order], axis=0) != 0.0, axis=1)
    number = np.empty(len(vertices), dtype=np.int64)
    number[order] = np.concatenate([[0], np.cumsum(new)])
    return vertices[order][np.concatenate([[True], new])], number


def _without_bad_faces(mesh: SurfaceMesh, name: str, notes: list[str]) -> SurfaceMesh:
    corners = np.sort(mesh.faces, axis=1)
    collapsed = (corners[:, :2] == corners[:, 1:]).any(axis=1)
    double = np.ones(mesh.n_face, dtype=bool)
    double[np.unique(corners, axis=0, return_index=True)[1]] = False
    dropped = collapsed | double
    longest = np.linalg.norm(np.roll(mesh.corners, -1, axis=1) - mesh.corners, axis=2).max(axis=1)
    thin = ~dropped & (2.0 * mesh.face_areas <= SLIVER * longest**2)
    # A thin face with three corners may be what closes a crack.
    opens = thin.any() and _n_border(mesh.faces[~dropped & ~thin]) > _n_border(mesh.faces[~dropped])
    told = [
        (collapsed, "with two corners at one place were dropped"),
        (double & ~collapsed, "repeated others and were dropped"),
        (
            thin,
            "thinner than 1e-6 of their length were "
            + ("kept: without them it would gape" if opens else "dropped"),
        ),
    ]
    notes.extend(f"{name}: {int(bad.sum())} faces {what}" for bad, what in told if bad.any())
    kept = ~dropped if opens else ~(dropped | thin)
    if not kept.any():
        raise MeshError(
            f"{name}: none of {mesh.n_face} faces has an area: export the surface again", mesh.n_face
        )
    used, faces = np.unique(mesh.faces[kept], return_inverse=True)
    return replace(mesh, vertices=mesh.vertices[used], faces=faces.reshape(-1, 3), part=mesh.part[kept])


def _n_border(faces: Indices) -> int:
    return int((edge_runs(faces).n_faces == 1).sum())


def _refuse_branching(mesh: SurfaceMesh, name: str) -> None:
    branching = int((edge_runs(mesh.faces).n_faces > 2).sum())
    if branching:
        raise MeshError(
            f"{name}: {branching} edges have more than two faces, so it isn't one surface: "
            "remove inner walls or export the bodies one by one",
            branching,
        )


def _oriented(mesh: SurfaceMesh, name: str, notes: list[str]) -> SurfaceMesh:
    """Each piece flooded from its first face; what disagrees with the faces before it is turned over."""
    start, _ = half_edges(mesh.faces)
    runs = edge_runs(mesh.faces)
    pair = runs.first[runs.n_faces == 2]
    one, other = runs.order[pair], runs.order[pair + 1]
    # Two faces agree where they run along their edge in opposite senses.
    agree = start[one] != start[other]
    turned, pieces = _flooded(mesh.n_face, one // 3, other // 3, agree)
    twisted = int((agree == (turned[one // 3] != turned[other // 3])).sum())
    if twisted:
        raise MeshError(
            f"{name}: at {twisted} edges no outside can be told, as on a Moebius strip: export the surface again",
            twisted,
        )
    # Of each piece the smaller part by area is turned, however it was flooded.
    area = np.bincount(pieces, mesh.face_areas)
    turned ^= (np.bincount(pieces, mesh.face_areas * turned) > area / 2.0)[pieces]
    if not turned.any():
        return mesh
    notes.append(f"{name}: {int(turned.sum())} faces faced against their neighbours and were turned over")
    return _with_turned(mesh, turned)


def _flooded(
    n_face: int, one: Indices, other: Indices, agree: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], Indices]:
    """Which faces must be turned to agree with the first of their piece, and the piece of each."""
    links = coo_array((np.ones(len(one)), (one, other)), shape=(n_face, n_face)).tocsr()
    n_piece, pieces = connected_components(links, directed=False)
    # A face beyond the others leads to the first of each piece: one walk reaches all of them.
    roots = np.unique(pieces, return_index=True)[1]
    rows, columns = np.concatenate([one, np.full(n_piece, n_face)]), np.concatenate([other, roots])
    shape = (n_face + 1, n_face + 1)
    # 1 where two faces agree and 2 where they don't.
    value = np.concatenate([np.where(agree, 1, 2), np.ones(n_piece, dtype=np.int64)])
    links = coo_array(
        (np.r_[value, value], (np.r_[rows, columns], np.r_[columns, rows])), shape=shape
    ).tocsr()
    order, before = breadth_first_order(links, n_face, directed=False)
    against = np.zeros(n_face + 1, dtype=bool)
    against[order[1:]] = np.asarray(links[before[order[1:]], order[1:]]).ravel() == 2
    return _summed(against, before.astype(np.int64), n_face), pieces.astype(np.int64)


def _summed(against: NDArray[np.bool_], before: Indices, root: int) -> NDArray[np.bool_]:
    """For each face whether an odd number of those on its way to the root disagree, by doubling the stride."""
    ahead = before
    ahead[root] = root
    odd = against.copy()
    while (ahead != root).any():
        odd, ahead = odd ^ odd[ahead], ahead[ahead]
    return odd[:root]


def _refuse_holes(mesh: SurfaceMesh, name: str) -> None:
    border = _n_border(mesh.faces)
    if border:
        raise MeshError(
            f"{name}: {border} edges have one face only, so it is open where a closed surface is needed: "
            "close its holes, or use it as an open surface",
            border,
        )


def _turned_outward(mesh: SurfaceMesh, name: str, notes: list[str]) -> SurfaceMesh:
    """Closed pieces whose volume is negative are turned; a piece within another bounds a hollow and stays."""
    neighbours = mesh.neighbours
    face, k = np.nonzero(neighbours >= 0)
    links = coo_array((np.ones(len(face)), (face, neighbours[face, k])), shape=(mesh.n_face, mesh.n_face))
    n_piece, pieces = connected_components(links, directed=False)
    open_piece = np.zeros(n_piece, dtype=bool)
    open_piece[pieces[(neighbours < 0).any(axis=1)]] = True
    offset = mesh.face_centroids - mesh.bounds.mean(axis=0)
    volume = np.bincount(pieces, np.einsum("ij,ij->i", offset, mesh.face_vectors), n_piece)
    inverted = ~open_piece & (volume < 0.0)
    low, high = np.full((n_piece, 3), np.inf), np.full((n_piece, 3), -np.inf)
    np.minimum.at(low, pieces, mesh.corners.min(axis=1))
    np.maximum.at(high, pieces, mesh.corners.max(axis=1))
    # A hollow is inside out by right: its piece lies in the box of a larger closed one that isn't.
    for hollow in np.flatnonzero(inverted):
        around = ((low < low[hollow]) & (high > high[hollow])).all(axis=1)
        inverted[hollow] = not (around & ~open_piece & (volume > -volume[hollow])).any()
    turned = inverted[pieces]
    if not turned.any():
        return mesh
    notes.append(f"{name}: inside out, its {int(turned.sum())} faces were turned over")
    return _with_turned(mesh, turned)


def _with_turned(mesh: SurfaceMesh, turned: NDArray[np.bool_]) -> SurfaceMesh:
    return replace(mesh, faces=np.where(turned[:, None], mesh.faces[:, ::-1], mesh.faces))
