"""The dual of the shape-preserving spline, and Newton on it. What is solved is derived in `convex_spline`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

from condyle.geometry.outline_error import OutlineError
from condyle.geometry.piecewise import Array

CONVERGED = 1e-13
MAX_ITERATIONS = 200

# What g'' may be on an interval: not negative, not positive, zero, anything. Points carry the same labels.
UP, DOWN, STRAIGHT, FREE = 1, -1, 0, 2

Kinds = NDArray[np.int64]


class DualProblem(NamedTuple):
    """Widths and kinds of intervals, bends at the unknowns: interior points if open, all if periodic."""

    width: Array
    kind: Kinds
    bend: Array
    periodic: bool


class Active(NamedTuple):
    """The part of each interval where P(a) is not cut off.

    value, left_hat, right_hat : P(a) and the two hats of the interval at both ends of the part.
    length : of the part, as a share of the interval's.
    """

    value: tuple[Array, Array]
    left_hat: tuple[Array, Array]
    right_hat: tuple[Array, Array]
    length: Array


class _State(NamedTuple):
    """The dual with its gradient and Jacobian at one vector, and the size of the terms of the gradient."""

    dual: float
    gradient: Array
    diagonal: Array
    beside: Array
    scale: Array


def multipliers(problem: DualProblem) -> Array:
    """Minimiser of the dual by Newton with a line search; its whole gradient is zero to round-off."""
    near = gathered(problem.width, problem.width, problem.periodic)
    current = problem.bend / near
    state = _state(problem, current)
    for _ in range(MAX_ITERATIONS):
        if np.all(np.abs(state.gradient) <= CONVERGED * state.scale):
            return current
        # The diagonal is zero where both intervals are cut off entirely, and tiny at a spike of curvature: what
        # is added must matter to the former only.
        diagonal = state.diagonal + 1e-60 * near
        step = _tridiagonal_solution(diagonal, state.beside, -state.gradient, problem.periodic)
        current, state = _searched(problem, current, state, step)
    raise OutlineError(
        f"the shape-preserving spline did not settle in {MAX_ITERATIONS} iterations: use another kind"
    )


def _searched(problem: DualProblem, start: Array, state: _State, step: Array) -> tuple[Array, _State]:
    """Halve the step until the dual falls enough, or falls at its end, and so by convexity all along it."""
    slope = float(state.gradient @ step)
    share = 1.0
    while True:
        trial = start + share * step
        there = _state(problem, trial)
        if there.gradient @ step <= 0.0 or there.dual <= state.dual + 1e-4 * share * slope or share < 1e-9:
            return trial, there
        share /= 2.0


def _tridiagonal_solution(diagonal: Array, beside: Array, right: Array, periodic: bool) -> Array:
    """Solution of a symmetric positive definite tridiagonal system, cyclic if periodic.

    Scaled to a unit diagonal first. A cyclic system in the order 0, n-1, 1, n-2, ... has two bands beside the
    diagonal.
    """
    count = len(diagonal)
    scale = 1.0 / np.sqrt(diagonal)
    place = np.arange(count)
    if periodic:
        place = np.where(2 * place < count, 2 * place, 2 * (count - 1 - place) + 1)
        scaled = beside * scale * np.roll(scale, -1)
        one, other = place, np.roll(place, -1)
    else:
        scaled = beside * scale[:-1] * scale[1:]
        one, other = place[:-1], place[1:]
    bands = np.zeros((3, count))
    bands[2] = 1.0
    low, high = np.minimum(one, other), np.maximum(one, other)
    np.add.at(bands, (2 - (high - low), high), scaled)
    ordered = np.empty(count)
    ordered[place] = right * scale
    solution: Array = solveh_banded(bands, ordered, check_finite=False)
    return solution[place] * scale


def active_part(kind: Kinds, left: Array, right: Array) -> Active:
    """The part of each interval where a linear function with the given end values is allowed."""
    sign = np.where(kind == DOWN, -1.0, 1.0)
    a, b = sign * left, sign * right
    free = kind == FREE
    one_signed = (kind == UP) | (kind == DOWN)
    rising = one_signed & (a < 0) & (b > 0)
    falling = one_signed & (a > 0) & (b < 0)
    nothing = (kind == STRAIGHT) | (one_signed & (a <= 0) & (b <= 0))
    # The zero divides the interval as |a| : |b|; both parts are quotients, neither is 1 minus the other.
    total = np.where(rising | falling, np.abs(a) + np.abs(b), 1.0)
    from_left = np.where(rising | falling, np.abs(a) / total, 0.0)
    from_right = np.where(rising | falling, np.abs(b) / total, 0.0)
    value = np.where(free, a, np.maximum(a, 0.0)) * sign, np.where(free, b, np.maximum(b, 0.0)) * sign
    left_hat = np.where(rising, from_right, 1.0), np.where(falling, from_right, 0.0)
    right_hat = np.where(rising, from_left, 0.0), np.where(falling, from_left, 1.0)
    share = np.where(rising, from_right, np.where(falling, from_left, 1.0))
    return Active(value, left_hat, right_hat, np.where(nothing, 0.0, share))


def mean_product(f: tuple[Array, Array], g: tuple[Array, Array]) -> Array:
    """Mean over an interval of the product of two linear functions given by their end values."""
    return (2.0 * f[0] * g[0] + f[0] * g[1] + f[1] * g[0] + 2.0 * f[1] * g[1]) / 6.0


def _state(problem: DualProblem, multipliers: Array) -> _State:
    width, kind, bend, periodic = problem
    active = active_part(kind, *interval_ends(multipliers, periodic))
    length = active.length * width
    value, hat, other = active.value, active.left_hat, active.right_hat
    size = np.abs(value[0]), np.abs(value[1])
    beside = length * mean_product(hat, other)
    moment = gathered(length * mean_product(value, hat), length * mean_product(value, other), periodic)
    return _State(
        dual=float(np.sum(length * mean_product(value, value)) / 2.0 - multipliers @ bend),
        gradient=moment - bend,
        diagonal=gathered(length * mean_product(hat, hat), length * mean_product(other, other), periodic),
        beside=beside if periodic else beside[1:-1],
        scale=np.abs(bend)
        + gathered(length * mean_product(size, hat), length * mean_product(size, other), periodic),
    )


def gathered(left: Array, right: Array, periodic: bool) -> Array:
    """Sum at each unknown: `left` of the interval that begins there, `right` of the one that ends there."""
    return left + np.roll(right, 1) if periodic else left[1:] + right[:-1]


def interval_ends(nodal: Array, periodic: bool, outer: float = 0.0) -> tuple[Array, Array]:
    """Values at the left and right end of each interval; `outer` at the two ends of an open spline."""
    if periodic:
        return nodal, np.roll(nodal, -1)
    return np.concatenate([[outer], nodal]), np.concatenate([nodal, [outer]])
