"""Points on outlines that are described by circles, lines and arcs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from condyle.geometry.checks import MAX_POINTS
from condyle.geometry.outline_error import OutlineError
from condyle.geometry.piecewise import Array

Point = tuple[float, float]

# Ends of an arc typed with a few digits: its two radii may differ this much, relative to the radius.
ARC_TOLERANCE = 1e-3


class LinePiece(NamedTuple):
    """Straight on to a point [m]."""

    to: Point


class ArcPiece(NamedTuple):
    """Around a centre to a point [m]; a full circle when the point is where the arc begins."""

    centre: Point
    to: Point
    clockwise: bool = False


class _Arc(NamedTuple):
    """A piece with its place and length: radius and angle go linearly from begin to begin + change."""

    centre: Point
    begin: Point
    change: Point
    length: float


def circle_points(radius: float, centre: Point = (0.0, 0.0), samples: int = 72) -> Array:
    """`samples` points on a circle [m], shape (samples, 2), counter-clockwise from the angle 0."""
    if not radius > 0.0:
        raise OutlineError(f"the radius of a circle must be positive, got {radius:g}")
    _refuse_count(samples, 3, "a circle")
    angle = 2.0 * math.pi * np.arange(samples) / samples
    return np.stack([centre[0] + radius * np.cos(angle), centre[1] + radius * np.sin(angle)], axis=1)


def line_points(start: Point, end: Point, samples: int = 2) -> Array:
    """`samples` evenly spaced points from `start` to `end` [m], shape (samples, 2)."""
    _refuse_count(samples, 2, "a line")
    return _line_inside(start, end, np.linspace(0.0, 1.0, samples))


def path_points(start: Point, pieces: Sequence[LinePiece | ArcPiece], samples: int) -> tuple[Array, bool]:
    """Points along lines and arcs [m], shape (samples, 2), and whether the path ends where it began.

    The ends of all pieces are among the points; within a piece they are evenly spaced by arc length, and the
    spacing is as nearly the same in all pieces as whole numbers allow. A closed path does not repeat its
    first point. Tangents may jump.
    """
    if not pieces:
        raise OutlineError("a path needs at least one line or arc")
    begins = [start, *(piece.to for piece in pieces[:-1])]
    arcs = [_arc(begin, piece, k) for k, (begin, piece) in enumerate(zip(begins, pieces, strict=True))]
    lengths = [_length(begin, piece, arc) for begin, piece, arc in zip(begins, pieces, arcs, strict=True)]
    for index, length in enumerate(lengths):
        if not 0.0 < length < math.inf:
            raise OutlineError(f"path[{index}] ends where it begins: remove it", index)
    closed = math.dist(start, pieces[-1].to) <= 1e-9 * sum(lengths)
    needed = max(len(pieces) if closed else len(pieces) + 1, 3 if closed else 2)
    _refuse_count(samples, needed, f"this path of {len(pieces)} pieces")
    counts = _shared(samples if closed else samples - 1, np.array(lengths))
    parts = [
        _inside(begin, piece, arc, np.arange(count) / count)
        for begin, piece, arc, count in zip(begins, pieces, arcs, counts, strict=True)
    ]
    if not closed:
        parts.append(np.array([pieces[-1].to], dtype=float))
    return np.vstack(parts), closed


def _refuse_count(samples: int, needed: int, what: str) -> None:
    if not needed <= samples <= MAX_POINTS:
        raise OutlineError(f"{what} needs {needed} to {MAX_POINTS} samples, got {samples}")


def _arc(begin: Point, piece: LinePiece | ArcPiece, index: int) -> _Arc | None:
    if isinstance(piece, LinePiece):
        return None
    (cx, cy), (x, y) = piece.centre, piece.to
    radius, last = math.dist(begin, piece.centre), math.dist(piece.to, piece.centre)
    if not abs(radius - last) <= ARC_TOLERANCE * radius:
        raise OutlineError(
            f"path[{index}] is no arc: it begins {radius:.6g} m from its centre and ends {last:.6g} m away",
            index,
        )
    angle = math.atan2(begin[1] - cy, begin[0] - cx)
    sweep = (math.atan2(y - cy, x - cx) - angle) % (2.0 * math.pi)
    # Round-off must not turn a full circle into nothing.
    if sweep < 1e-9:
        sweep = 2.0 * math.pi
    if piece.clockwise:
        sweep = sweep - 2.0 * math.pi if sweep < 2.0 * math.pi - 1e-9 else -2.0 * math.pi
    return _Arc(piece.centre, (radius, angle), (last - radius, sweep), abs(sweep) * (radius + last) / 2.0)


def _length(begin: Point, piece: LinePiece | ArcPiece, arc: _Arc | None) -> float:
    return math.dist(begin, piece.to) if arc is None else arc.length


def _inside(begin: Point, piece: LinePiece | ArcPiece, arc: _Arc | None, share: Array) -> Array:
    """Points at given shares of a piece; the first one, share 0, is its beginning to the bit."""
    if arc is None:
        return _line_inside(begin, piece.to, share)
    radius = arc.begin[0] + arc.change[0] * share
    angle = arc.begin[1] + arc.change[1] * share
    points = np.stack(
        [arc.centre[0] + radius * np.cos(angle), arc.centre[1] + radius * np.sin(angle)], axis=1
    )
    points[0] = begin
    return points


def _line_inside(start: Point, end: Point, share: Array) -> Array:
    return np.outer(1.0 - share, start) + np.outer(share, end)


def _shared(total: int, lengths: Array) -> list[int]:
    """Intervals for each piece, at least one: `total` in all, the longest as short as can be."""
    # Rounded up for a total less by the number of pieces, they are too few by that number at most.
    counts = np.maximum(1, np.ceil((total - len(lengths)) * lengths / lengths.sum())).astype(int)
    for _ in range(total - int(counts.sum())):
        counts[np.argmax(lengths / counts)] += 1
    return [int(count) for count in counts]
