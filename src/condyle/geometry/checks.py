"""What must hold for points to be an outline, and errors that say what does not and what to do about it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from condyle.geometry.crossing import first_crossing
from condyle.geometry.outline_error import OutlineError
from condyle.geometry.piecewise import Array

MAX_POINTS = 100_000
# Outside these sizes [m] the unit is wrong, and products of lengths leave the range of floats.
LARGEST, SMALLEST = 1e9, 1e-9
# Points closer than this, relative to the size of the outline, are the same.
SAME = 1e-9


def checked_points(points: ArrayLike, closed: bool) -> Array:
    """Points of an outline as an array [m], shape (n, 2), or an `OutlineError`.

    A closed outline may repeat its first point at the end; it is returned without the repetition. Refused are
    wrong shapes, numbers that are not finite, too few or too many points, repeated points, and outlines that
    cross or touch themselves.
    """
    array = point_array(points)
    if len(array) > 1 and extent(array) < SMALLEST:
        raise OutlineError(
            f"the outline is smaller than {SMALLEST:g} m: give coordinates in metres, or units with them"
        )
    if closed and len(array) > 1 and np.hypot(*(array[-1] - array[0])) <= SAME * extent(array):
        array = array[:-1]
    needed = 3 if closed else 2
    if len(array) < needed:
        kind = "a closed" if closed else "an open"
        raise OutlineError(f"{kind} outline needs at least {needed} different points, got {len(array)}")
    _refuse_repeated(array, closed)
    _refuse_folds(array, closed)
    _refuse_crossing(array, closed)
    return array


def extent(points: Array) -> float:
    """Diagonal of the box around points [m]."""
    return float(np.hypot(*np.ptp(points, axis=0)))


def point_array(points: ArrayLike) -> Array:
    """Finite points [m] as an array, shape (n, 2), of a copy."""
    try:
        array = np.array(points, dtype=float)
    except (TypeError, ValueError):
        raise OutlineError("points must be a list of [x, y] pairs of numbers") from None
    if array.ndim != 2 or array.shape[1] != 2:
        raise OutlineError(f"points must be a list of [x, y] pairs, got an array of shape {array.shape}")
    if len(array) > MAX_POINTS:
        raise OutlineError(f"an outline may have {MAX_POINTS} points at most, got {len(array)}")
    for wrong, sentence in (
        (~np.isfinite(array).all(axis=1), "is not finite"),
        ((np.abs(array) > LARGEST).any(axis=1), f"is more than {LARGEST:g} m away"),
    ):
        if wrong.any():
            index = int(np.argmax(wrong))
            raise OutlineError(f"points[{index}] {sentence}: {_pair(array[index])}", index)
    return array


def _refuse_repeated(points: Array, closed: bool) -> None:
    following = np.roll(points, -1, axis=0) if closed else points[1:]
    gap = np.hypot(*(following - points[: len(following)]).T)
    same = gap <= SAME * extent(points)
    if same.any():
        index = int(np.argmax(same))
        raise OutlineError(
            f"{_named(index, points)} are the same point, {_pair(points[index])}: remove one", index
        )


def _refuse_folds(points: Array, closed: bool) -> None:
    """Neighbours share a point, so a crossing check cannot see one that runs back over the other."""
    if closed:
        before, after = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    else:
        before, after = points[1:-1] - points[:-2], points[2:] - points[1:-1]
    turn = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    along = np.sum(before * after, axis=1)
    fold = (along < 0.0) & (np.abs(turn) <= SAME * -along)
    if fold.any():
        index = int(np.argmax(fold)) + (0 if closed else 1)
        raise OutlineError(
            f"the outline turns back on itself at points[{index}], {_pair(points[index])}", index
        )


def _refuse_crossing(points: Array, closed: bool) -> None:
    found = first_crossing(points, closed)
    if found is None:
        return
    one, other = found
    raise OutlineError(
        f"the outline crosses itself: the segment {_segment(one, points)} meets the segment "
        f"{_segment(other, points)}; give the points in their order along the outline",
        one,
    )


def _segment(index: int, points: Array) -> str:
    following = (index + 1) % len(points)
    return f"points[{index}]-points[{following}] ({_pair(points[index])} to {_pair(points[following])})"


def _named(index: int, points: Array) -> str:
    return f"points[{index}] and points[{(index + 1) % len(points)}]"


def _pair(point: Array) -> str:
    return f"[{point[0]:.6g}, {point[1]:.6g}]"
