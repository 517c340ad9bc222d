"""Where a function of one variable crosses zero."""

from __future__ import annotations

from collections.abc import Callable


def crossing(
    function: Callable[[float], float], at_left: float, at_right: float, width: float = 1e-9
) -> float:
    """Right end of an interval no wider than `width` in (0, 1] over which a function changes from above zero to below.

    False position with halved weights (the Illinois rule), a bisection at every third step, so that both ends close
    in whatever the function does. A function that is not above zero at the left end crosses there: 0.
    """
    left, right = 0.0, 1.0
    if at_left <= 0.0:
        return 0.0
    step = 0
    while right - left > width:
        middle = 0.5 * (left + right)
        if step % 3 != 2 and at_left < 1e300 and at_right > -1e300:
            middle = right - at_right * (right - left) / (at_right - at_left)
            # A little off the ends, so that both move.
            middle = min(max(middle, left + 0.25 * width), right - 0.25 * width)
        value = function(middle)
        if value < 0.0:
            right, at_right, at_left = middle, value, 0.5 * at_left
        else:
            left, at_left, at_right = middle, value, 0.5 * at_right
        step += 1
    return right
