"""Outlines of bodies: where points come from, what must hold for them, on which side the material lies.

The front door to `sampling`, `points_file`, `checks` and `polar`; `splines` turns the points into curves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from condyle.geometry.checks import MAX_POINTS, checked_points, point_array
from condyle.geometry.outline_error import OutlineError
from condyle.geometry.piecewise import Array
from condyle.geometry.points_file import read_points
from condyle.geometry.polar import covers_turn, polar_coordinates
from condyle.geometry.sampling import ArcPiece, LinePiece, Point, circle_points, line_points, path_points

__all__ = [
    "MAX_POINTS",
    "ArcPiece",
    "LinePiece",
    "OutlineError",
    "Point",
    "checked_points",
    "circle_points",
    "covers_turn",
    "line_points",
    "outward_side",
    "path_points",
    "point_array",
    "polar_coordinates",
    "read_points",
    "signed_area",
]

# Of an outline's length, the part that must face outwards more than inwards for the side to be certain.
CERTAIN = 0.2


def signed_area(points: Array) -> float:
    """Area inside a closed outline [m^2], positive when its points go counter-clockwise."""
    offset = points - points.mean(axis=0)
    following = np.roll(offset, -1, axis=0)
    return float(np.sum(offset[:, 0] * following[:, 1] - offset[:, 1] * following[:, 0]) / 2.0)


def outward_side(
    points: ArrayLike, closed: bool, direction: Point | None = None, hollow: bool = False
) -> float:
    """+1 if the outward normal is the tangent turned clockwise, else -1 (Machado 2010, Eqs. 18-19).

    The tangent follows the order of the points [m], shape (n, 2).

    Closed outlines enclose their material, hollow ones lie inside it (a bearing). Open ones face along
    `direction`, or away from the body's origin, in the greater part of their length.
    """
    outline = checked_points(points, closed)
    if closed and direction is None:
        side = 1.0 if signed_area(outline) > 0.0 else -1.0
        return -side if hollow else side
    if closed:
        raise OutlineError(
            "a closed outline has its material inside: leave out the outward direction, or use hollow: true"
        )
    balance = _balance(outline, direction)
    if abs(balance) < CERTAIN:
        reason = (
            "does not face the given direction"
            if direction is not None
            else "neither faces the body's origin nor turns away"
        )
        raise OutlineError(
            f"the outline {reason} clearly: give outward: [x, y], a direction out of the material"
        )
    side = 1.0 if balance > 0.0 else -1.0
    return -side if hollow else side


def _balance(points: Array, direction: Point | None) -> float:
    """Share of the length whose clockwise normal faces outwards less that which faces inwards, in [-1, 1]."""
    step = np.diff(points, axis=0)
    length = np.hypot(*step.T)
    outward = (
        (points[1:] + points[:-1]) / 2.0 if direction is None else np.broadcast_to(direction, step.shape)
    )
    facing = step[:, 1] * outward[:, 0] - step[:, 0] * outward[:, 1]
    # Within half a degree of neither, a segment has no say.
    facing[np.abs(facing) <= 0.01 * length * np.hypot(*outward.T)] = 0.0
    return float(np.sum(length * np.sign(facing)) / length.sum())
