"""Where a function of one variable is largest, near three or more places at which it is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

# Looks that the summit of a smooth function takes, by when it is known to round-off of its value.
LOOKS = 5


def expected_summit(places: Sequence[float], values: Sequence[float]) -> float | None:
    """Where the parabola through the highest known value and its neighbours has its summit; None where it has none."""
    top = max(range(len(values)), key=values.__getitem__)
    k = min(max(top, 1), len(values) - 2)
    left, middle, right = places[k - 1 : k + 2]
    rise = (values[k] - values[k - 1]) / (middle - left)
    fall = (values[k] - values[k + 1]) / (right - middle)
    if not rise + fall > 0.0:
        return None
    return 0.5 * (left + middle) + 0.5 * (right - left) * rise / (rise + fall)


def climb(function: Callable[[float], float], places: Sequence[float], values: Sequence[float]) -> float:
    """The largest value of a function between places where it is known, by parabolas through the highest three."""
    known = list(zip(places, values, strict=True))
    near = 1e-9 * (places[-1] - places[0])
    for _ in range(LOOKS):
        summit = expected_summit(*zip(*known, strict=True))
        if summit is None:
            break
        # Beyond an end the parabola is no guide, but the summit may still lie between the end and its neighbour.
        if summit < places[0]:
            summit = 0.5 * (known[0][0] + known[1][0])
        elif summit > places[-1]:
            summit = 0.5 * (known[-1][0] + known[-2][0])
        if min(abs(summit - place) for place, _ in known) <= near:
            break
        known = sorted([*known, (summit, function(summit))])
    return max(value for _, value in known)
