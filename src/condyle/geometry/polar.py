"""Points seen from the body's origin: angles that must rise (or fall) all the way."""

from __future__ import annotations

import math

import numpy as np

from condyle.geometry.outline_error import OutlineError
from condyle.geometry.piecewise import Array

_REMEDY = "use form: plain"
TURN = 2.0 * math.pi


def polar_coordinates(points: Array, closed: bool) -> tuple[Array, Array]:
    """Angles [rad], strictly increasing, and radii [m], shape (n,) (Machado 2010, Eqs. 7-8 solved for both).

    Points listed clockwise are reversed. Closed: begins at the smallest angle in [-pi, pi) and repeats the
    first point a turn later, shape (n + 1,).
    """
    radius = np.hypot(points[:, 0], points[:, 1])
    if radius.min() <= 1e-12 * radius.max():
        index = int(np.argmin(radius))
        raise OutlineError(
            f"points[{index}] is the body's origin, where a polar outline has no angle: {_REMEDY}", index
        )
    angle = np.arctan2(points[:, 1], points[:, 0])
    angle[angle == math.pi] = -math.pi
    step = _steps(angle, closed)
    _refuse_windings(step, closed)
    direction = _direction(step, angle)
    if direction < 0.0:
        angle, radius = angle[::-1], radius[::-1]
    if closed:
        first = int(np.argmin(angle))
        angle, radius = np.roll(angle, -first), np.roll(radius, -first)
        return np.append(angle, angle[0] + TURN), np.append(radius, radius[0])
    # Whole turns are added to the angles themselves: a running sum of steps would collect round-off.
    return angle + TURN * np.cumsum(np.concatenate([[0.0], np.diff(angle) < 0.0])), radius


def covers_turn(points: Array) -> bool:
    """Whether points go once around the body's origin: the gap left is at most twice the others' largest."""
    angle = np.arctan2(points[:, 1], points[:, 0])
    if len(points) > 1 and np.allclose(points[0], points[-1], rtol=1e-9, atol=0.0):
        angle = angle[:-1]
    if len(angle) < 3:
        return False
    step = np.abs(_steps(angle, closed=True))
    gap = abs(TURN - step[:-1].sum())
    return bool(gap < math.pi and gap <= 2.0 * step[:-1].max())


def _steps(angle: Array, closed: bool) -> Array:
    """Angles from each point to the next, in [-pi, pi), the last one back to the first point if closed."""
    step = np.roll(angle, -1) - angle if closed else np.diff(angle)
    return (step + math.pi) % TURN - math.pi


def _refuse_windings(step: Array, closed: bool) -> None:
    total = abs(float(step.sum())) / TURN
    if closed and round(total) == 0:
        raise OutlineError(
            f"the body's origin lies outside the closed outline, so it has no polar form: {_REMEDY}"
        )
    if round(total) > 1 or (not closed and total >= 1.0):
        raise OutlineError(f"the outline goes {total:.2f} times around the body's origin: {_REMEDY}")


def _direction(step: Array, angle: Array) -> float:
    """+1 if the angles rise, -1 if they fall, an error naming the first point that breaks the rule."""
    half = np.abs(step) >= math.pi - 1e-9
    if half.any():
        index = (int(np.argmax(half)) + 1) % len(angle)
        raise OutlineError(
            f"points[{index}] is half a turn about the body's origin from the point before it: "
            f"give points between, or {_REMEDY}",
            index,
        )
    direction = 1.0 if step.sum() >= 0.0 else -1.0
    wrong = direction * step <= 0.0
    if wrong.any():
        index = (int(np.argmax(wrong)) + 1) % len(angle)
        before, here = math.degrees(angle[index - 1]), math.degrees(angle[index])
        expected = "increase" if direction > 0.0 else "decrease"
        raise OutlineError(
            f"points[{index}] is at {here:.3f} deg about the body's origin after {before:.3f} deg, where the "
            f"angles should {expected}: a polar outline has one radius for each angle; {_REMEDY}",
            index,
        )
    return direction
