"""All surfaces of a model in one set of arrays, so that one compiled form holds for any number of any size.

A surface is a row of offsets; `surface_at` gives views of its share. Numbers of vertices, faces and nodes count within
a surface, so nothing in the shares has to be changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from condyle._jit import kernel
from condyle.contact.foundation.surface import N_REFERENCE, N_SUM, Scratch, Surface, scratch_for
from condyle.geometry.mesh.tree import SearchTree

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

# Columns of offsets; a surface's share ends where the next row's begins.
NODES, LEAVES, FACES, VERTICES = 0, 1, 2, 3
# Columns of `SurfacePool.flag`.
_N_PART, _IS_OPEN, _SMOOTH = 0, 1, 2


class SurfacePool(NamedTuple):
    """The arrays of `Surface` of all surfaces one after the other; all are read-only.

    offset : where each surface's nodes, leaves, faces and vertices begin, shape (n_surface + 1, 4).
    flag : number of parts, whether open, whether smooth, shape (n_surface, 3).
    rise : shape (n_surface,).
    """

    boxes: Array
    corners: Array
    face: Indices
    begin: Indices
    place: Indices
    balls: Array
    rims: Indices
    vertices: Array
    vertex_normals: Array
    border: Indices
    faces: Indices
    face_vectors: Array
    corner_normals: Array
    neighbours: Indices
    part: Indices
    offset: Indices
    flag: Indices
    rise: Array


class ScratchPool(NamedTuple):
    """The arrays of `Scratch` of all sides of all contacts, one after the other.

    offset : where each side's faces and vertices begin, in the columns of `SurfacePool.offset`, shape (n_side + 1, 4).
    """

    depth: Array
    nearest: Indices
    seen: Indices
    face_load: Array
    touching: Indices
    counts: Indices
    sums: Array
    spare: Array
    reference: Array
    offset: Indices


def surface_pool(surfaces: Sequence[Surface]) -> SurfacePool:
    """Surfaces in one set of arrays; there must be one at least."""
    trees = [surface.tree for surface in surfaces]
    own = (
        "balls",
        "rims",
        "vertices",
        "vertex_normals",
        "border",
        "faces",
        "face_vectors",
        "corner_normals",
        "neighbours",
        "part",
    )
    arrays = [np.concatenate([getattr(tree, name) for tree in trees]) for name in SearchTree._fields]
    arrays += [np.concatenate([getattr(surface, name) for surface in surfaces]) for name in own]
    flags = [(surface.n_part, surface.is_open, surface.smooth) for surface in surfaces]
    arrays += [_offsets(surfaces), np.array(flags), np.array([surface.rise for surface in surfaces])]
    for array in arrays:
        array.flags.writeable = False
    return SurfacePool(*arrays)


def scratch_pool(surfaces: Sequence[Surface]) -> ScratchPool:
    """Scratch for sides of contacts, each with its surface; a surface in two contacts needs two."""
    sides = [scratch_for(surface) for surface in surfaces]
    names = ("depth", "nearest", "seen", "face_load", "touching", "counts", "spare", "reference")
    arrays: dict[str, NDArray[Any]] = {
        name: np.concatenate([getattr(side, name) for side in sides]) for name in names
    }
    return ScratchPool(**arrays, sums=np.zeros(N_SUM), offset=_offsets(surfaces))


def _offsets(surfaces: Sequence[Surface]) -> Indices:
    """Where the shares begin, and where the last one ends."""
    sizes = [(len(s.tree.boxes), len(s.tree.begin), len(s.faces), len(s.vertices)) for s in surfaces]
    return np.concatenate([np.zeros((1, 4), dtype=np.int64), np.cumsum(np.array(sizes), axis=0)])


@kernel
def surface_at(pool: SurfacePool, k: int) -> Surface:
    """Surface `k`, as views."""
    offset, flag = pool.offset, pool.flag
    node, leaf, face, vertex = offset[k, NODES], offset[k, LEAVES], offset[k, FACES], offset[k, VERTICES]
    last = offset[k + 1, FACES]
    tree = SearchTree(
        pool.boxes[node : offset[k + 1, NODES]],
        pool.corners[face:last],
        pool.face[face:last],
        pool.begin[leaf : offset[k + 1, LEAVES]],
        pool.place[face:last],
    )
    return Surface(
        tree,
        pool.balls[node : offset[k + 1, NODES]],
        pool.rims[node : offset[k + 1, NODES]],
        pool.vertices[vertex : offset[k + 1, VERTICES]],
        pool.vertex_normals[vertex : offset[k + 1, VERTICES]],
        pool.border[vertex : offset[k + 1, VERTICES]],
        pool.faces[face:last],
        pool.face_vectors[face:last],
        pool.corner_normals[face:last],
        pool.neighbours[face:last],
        pool.part[face:last],
        flag[k, _N_PART],
        flag[k, _IS_OPEN],
        flag[k, _SMOOTH],
        pool.rise[k],
    )


@kernel
def scratch_at(pool: ScratchPool, side: int) -> Scratch:
    """Scratch of one side of a contact, as views."""
    face, last = pool.offset[side, FACES], pool.offset[side + 1, FACES]
    vertex, end = pool.offset[side, VERTICES], pool.offset[side + 1, VERTICES]
    return Scratch(
        pool.depth[vertex:end],
        pool.nearest[vertex:end],
        pool.seen[vertex:end],
        pool.face_load[face:last],
        pool.touching[face:last],
        pool.counts[2 * side : 2 * side + 2],
        pool.sums,
        pool.spare[pool.offset[side, NODES] : pool.offset[side + 1, NODES]],
        pool.reference[N_REFERENCE * side : N_REFERENCE * (side + 1)],
    )
