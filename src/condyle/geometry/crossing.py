"""Where an outline of many segments crosses itself, in about n log n.

Neighbours along an outline are near each other, so boxes around runs of 1, 2, 4, ... segments make a tree for
nothing. The tree is walked against itself, many pairs of boxes at a time, and only pairs that overlap are
opened.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from condyle.geometry.piecewise import Array

Pairs = NDArray[np.int64]

# Pairs opened at once: bounds the memory on outlines that overlap everywhere.
CHUNK = 100_000


def first_crossing(points: Array, closed: bool) -> tuple[int, int] | None:
    """Two segments that cross or touch and are not neighbours, by the indices of their first points, or None.

    Which pair is reported if there are several is not specified. Points [m], shape (n, 2).
    """
    ends = np.roll(points, -1, axis=0) if closed else points[1:]
    starts = points[: len(ends)]
    levels = _box_levels(starts, ends)
    pending = [(len(levels) - 1, np.zeros((1, 2), dtype=np.int64))]
    while pending:
        level, pairs = pending.pop()
        if level == 0:
            crossing = _crossing_pairs(starts, ends, pairs, closed)
            if len(crossing):
                first = crossing[np.lexsort((crossing[:, 1], crossing[:, 0]))[0]]
                return int(first[0]), int(first[1])
            continue
        opened = _opened(levels[level - 1], pairs)
        pending += [(level - 1, opened[k : k + CHUNK]) for k in range(0, len(opened), CHUNK)][::-1]
    return None


def _box_levels(starts: Array, ends: Array) -> list[Array]:
    """Boxes (x low, y low, -x high, -y high) around one segment each, two, four, ... up to all of them."""
    boxes = np.hstack([np.minimum(starts, ends), -np.maximum(starts, ends)])
    levels = [boxes]
    while len(boxes) > 1:
        if len(boxes) % 2:
            boxes = np.vstack([boxes, boxes[-1:]])
        boxes = np.minimum(boxes[0::2], boxes[1::2])
        levels.append(boxes)
    return levels


def _opened(boxes: Array, pairs: Pairs) -> Pairs:
    """Pairs of children whose boxes overlap; a box is paired with itself too, to be opened further."""
    one, other = pairs[:, 0], pairs[:, 1]
    first = np.concatenate([2 * one, 2 * one, 2 * one + 1, 2 * one + 1])
    second = np.concatenate([2 * other, 2 * other + 1, 2 * other, 2 * other + 1])
    exists = (first <= second) & (first < len(boxes)) & (second < len(boxes))
    first, second = first[exists], second[exists]
    a, b = boxes[first], boxes[second]
    overlap = (a[:, :2] <= -b[:, 2:]).all(axis=1) & (b[:, :2] <= -a[:, 2:]).all(axis=1)
    return np.stack([first[overlap], second[overlap]], axis=1)


def _crossing_pairs(starts: Array, ends: Array, pairs: Pairs, closed: bool) -> Pairs:
    """Those of `pairs` (boxes known to overlap) whose segments share a point, neighbours left out."""
    apart = pairs[:, 1] - pairs[:, 0]
    neighbours = (apart <= 1) | (closed & (apart == len(starts) - 1))
    pairs = pairs[~neighbours]
    p, q = starts[pairs[:, 0]], starts[pairs[:, 1]]
    p_end, q_end = ends[pairs[:, 0]], ends[pairs[:, 1]]
    parted = _side(p, p_end, q) * _side(p, p_end, q_end) > 0.0
    parted |= _side(q, q_end, p) * _side(q, q_end, p_end) > 0.0
    return pairs[~parted]


def _side(start: Array, end: Array, point: Array) -> Array:
    """On which side of the line from start to end a point lies: +1 left, -1 right, 0 on it."""
    along, across = end - start, point - start
    return np.sign(along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0])
