"""Which faces meet at which edges, from the corners' numbers alone.

The three edges of a face go from its corner k to its corner k + 1. All edges of a mesh in a row, face by face, are
its half-edges: number 3 f + k is edge k of face f.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]


class EdgeRuns(NamedTuple):
    """Half-edges sorted so that those between the same two vertices stand together.

    order : half-edges, shape (3 n_face,).
    first : where each edge begins in `order`, shape (n_edge,).
    n_faces : how many faces meet there, shape (n_edge,).
    """

    order: Indices
    first: Indices
    n_faces: Indices


def half_edges(faces: Indices) -> tuple[Indices, Indices]:
    """Vertices where each half-edge begins and ends, shape (3 n_face,) each."""
    return faces.ravel(), np.roll(faces, -1, axis=1).ravel()


def edge_runs(faces: Indices) -> EdgeRuns:
    """The half-edges of `faces` (n_face, 3) gathered by the edge they lie on."""
    start, end = half_edges(faces)
    key = np.minimum(start, end) * (int(faces.max(initial=0)) + 1) + np.maximum(start, end)
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    return EdgeRuns(order, first, np.diff(first, append=len(order)))


def neighbours(faces: Indices) -> Indices:
    """The face across each edge, shape (n_face, 3); -1 at a border, and where more than two faces meet."""
    runs = edge_runs(faces)
    pair = runs.first[runs.n_faces == 2]
    one, other = runs.order[pair], runs.order[pair + 1]
    across = np.full(faces.size, -1, dtype=np.int64)
    across[one], across[other] = other // 3, one // 3
    return across.reshape(-1, 3)


def is_closed(faces: Indices) -> bool:
    """Whether every edge has two faces, whose orientations agree: they run along it in opposite senses."""
    runs = edge_runs(faces)
    if len(faces) == 0 or not (runs.n_faces == 2).all():
        return False
    start, _ = half_edges(faces)
    return bool((start[runs.order[0::2]] != start[runs.order[1::2]]).all())
