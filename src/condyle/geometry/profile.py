"""From points to the curve of an outline in one call."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from condyle.geometry.curve import PlaneCurve
from condyle.geometry.outline import (
    OutlineError,
    Point,
    checked_points,
    covers_turn,
    outward_side,
    point_array,
    polar_coordinates,
)
from condyle.geometry.splines import plain_curve, polar_curve

FORMS = ("polar", "plain")


def outline_curve(
    points: ArrayLike,
    kind: str = "shape-preserving",
    form: str = "polar",
    closed: bool | None = None,
    outward: Point | None = None,
    hollow: bool = False,
) -> PlaneCurve:
    """Curve through points [m], shape (n, 2), with its outward side found; they may go either way round.

    form : `polar` about the body's origin (Machado 2010, Eqs. 1-8) or `plain`.
    closed : None: yes if the form is polar and the points go once around the origin.
    outward : a direction out of the material, for open outlines; None: away from the body's origin.
    hollow : the material is on the other side (a bearing).
    """
    if form not in FORMS:
        raise OutlineError(f"no form {form!r}; there are {' and '.join(FORMS)}")
    array = point_array(points)
    if closed is None:
        closed = form == "polar" and covers_turn(array)
    outline = checked_points(array, closed)
    if form == "plain":
        return plain_curve(outline, kind, closed, outward_side(outline, closed, outward, hollow))
    # Angles increase along a polar curve, so that away from the origin is always the same side.
    side = -1.0 if hollow else 1.0
    if outward is not None:
        angle, radius = polar_coordinates(outline, closed)
        rising = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
        side = outward_side(rising, closed, outward, hollow)
    return polar_curve(outline, kind, closed, side)
