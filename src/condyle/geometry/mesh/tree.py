"""The search tree of a surface: boxes inside boxes, halved along their longest side.

The tree is complete, so nothing but the boxes is stored: node 1 is the root, nodes 2 i and 2 i + 1 are the halves of
node i, and the leaves are the last half of the rows. The faces are put in the order of the leaves. With this
numbering a walk over the tree needs no stack: one integer remembers, a bit for each level, whether the sibling there
is still to be seen (`closest`, `rays`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from condyle._jit import kernel

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

# Faces in a leaf, at most: measured, see benchmarks.
LEAF = 4


class SearchTree(NamedTuple):
    """What a search needs of a surface; all arrays are read-only.

    boxes : lowest x, y, z and highest x, y, z of each node [m], shape (2 n_leaf, 6); row 0 is not used.
    corners : places of the three corners of each face [m], in the tree's order, shape (n_face, 9).
    face : number in the mesh of the face at each place of the order, shape (n_face,).
    begin : where each leaf begins in that order, and where the last one ends, shape (n_leaf + 1,).
    place : place in the order of each face of the mesh, shape (n_face,).
    """

    boxes: Array
    corners: Array
    face: Indices
    begin: Indices
    place: Indices


def search_tree(vertices: Array, faces: Indices) -> SearchTree:
    """The tree of the triangles `faces` (n_face, 3) between `vertices` (n_vertex, 3) [m]."""
    corners = vertices[faces]
    n_level = 0
    while len(faces) > LEAF << n_level:
        n_level += 1
    order = np.arange(len(faces))
    fill_order(order, corners.mean(axis=1), n_level)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    corners = np.ascontiguousarray(corners[order])
    begin = len(faces) * np.arange((1 << n_level) + 1) // (1 << n_level)
    arrays = (_boxes(corners, begin[:-1]), corners.reshape(-1, 9), order, begin, place)
    for array in arrays:
        array.flags.writeable = False
    return SearchTree(*arrays)


@kernel
def fill_order(order: Indices, middle: Array, n_level: int) -> None:
    """Put the faces with these middles (n_face, 3) [m] in the order of a tree's leaves."""
    n_face = len(order)
    for level in range(n_level):
        n_node = 1 << level
        for k in range(n_node):
            begin, end = n_face * k // n_node, n_face * (k + 1) // n_node
            axis = longest_side(order, middle, begin, end)
            select(order, middle, axis, (begin, n_face * (2 * k + 1) // (2 * n_node), end))


@kernel
def longest_side(order: Indices, middle: Array, begin: int, end: int) -> int:
    """The axis along which the middles of some faces spread farthest."""
    best, widest = 0, -1.0
    for axis in range(3):
        low = high = middle[order[begin], axis]
        for k in range(begin + 1, end):
            low, high = min(low, middle[order[k], axis]), max(high, middle[order[k], axis])
        if high - low > widest:
            best, widest = axis, high - low
    return best


@kernel
def select(order: Indices, middle: Array, axis: int, bounds: tuple[int, int, int]) -> None:
    """Of the faces from `bounds[0]` to before `bounds[2]`, put the lower ones along `axis` before `bounds[1]`."""
    low, wanted, high = bounds[0], bounds[1], bounds[2] - 1
    while low < high:
        pivot = middle[order[(low + high) // 2], axis]
        i, j = low, high
        while i <= j:
            while middle[order[i], axis] < pivot:
                i += 1
            while middle[order[j], axis] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if wanted <= j:
            high = j
        elif wanted >= i:
            low = i
        else:
            return


@kernel
def following(node: int, pending: int) -> tuple[int, int]:
    """The next node of a walk that is done with `node`, and what is left after it; node 0 at the end.

    Up to the lowest level whose bit of `pending` is set, and over to the sibling there.
    """
    if pending == 0:
        return 0, 0
    while pending & 1 == 0:
        pending >>= 1
        node >>= 1
    return node ^ 1, pending - 1


def _boxes(corners: Array, begin: Indices) -> Array:
    """Boxes of all nodes, shape (2 n_leaf, 6), of faces in the tree's order; leaves begin at `begin`."""
    n_leaf = len(begin)
    boxes = np.zeros((2 * n_leaf, 6))
    boxes[n_leaf:, :3] = np.minimum.reduceat(corners.min(axis=1), begin)
    boxes[n_leaf:, 3:] = np.maximum.reduceat(corners.max(axis=1), begin)
    first = n_leaf // 2
    while first:
        halves = boxes[2 * first : 4 * first].reshape(first, 2, 6)
        boxes[first : 2 * first, :3] = halves[:, :, :3].min(axis=1)
        boxes[first : 2 * first, 3:] = halves[:, :, 3:].max(axis=1)
        first //= 2
    return boxes
