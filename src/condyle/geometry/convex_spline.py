"""The shape-preserving spline: the smoothest interpolant that bends the way the data bend.

In Machado 2010 the spline said to keep the shape of an outline preserves the convexity of the data; it is the
routine CSCON of the IMSL library, which follows Micchelli, Smith, Swetits & Ward 1985 and Irvine, Marin &
Smith 1986. What is written here is derived from the variational problem they state.

**Problem.** Given x_0 < ... < x_n and y_i, find g with g(x_i) = y_i that minimises 1/2 int g''^2 while,
between two data points that both bend upwards (downwards), g'' >= 0 (<= 0). The bend of the data at x_i is
the change of slope

    d_i = (y_{i+1} - y_i) / h_i - (y_i - y_{i-1}) / h_{i-1},        h_i = x_{i+1} - x_i,

and, N_i being the hat function of x_i, interpolation is the same as the linear conditions

    int g'' N_i = d_i        (integrate by parts twice).

**Solution.** With multipliers alpha_i and a = sum alpha_i N_i, the minimiser on an interval is the part of
the linear function a that is allowed there: g'' = P(a), with P(a) = max(a, 0) where both ends bend upwards,
min(a, 0) where both bend downwards, a where the ends differ, and 0 beside collinear triples. The multipliers
minimise the convex dual

    Phi(alpha) = sum_k int 1/2 P_k(a)^2 - alpha . d,        F = grad Phi = int P(a) N_i - d_i = 0.

F is piecewise smooth, its generalised Jacobian the tridiagonal Gram matrix of the hats over the part of each
interval where P(a) is not cut off. Newton on it, with a line search on Phi, is what `convex_dual.multipliers`
does. The Gram matrix of two hats over a part at one end of their interval has a correlation between 1/2 (the
whole interval) and sqrt(3)/2 (a vanishing part), so that, scaled to a unit diagonal, the Jacobian has all its
eigenvalues between 1 - sqrt(3)/2 and 1 + sqrt(3)/2 whatever the spacing: the step is always exact. The length
of the part left is never formed as a difference either, so that F is exact to round-off relative to its own
terms. Data whose bends differ by twelve decades from one point to the next therefore take more steps (about
six for each decade), and nothing else.

**Ends.** Open: g'' = 0 at both (the natural end of the same minimisation), the end intervals bend as the
nearest interior point does. Periodic: everything wraps.

**What holds.** Interpolation, and C1 to the round-off of the points (eps |y| / h); g'' is continuous (C2)
inside a stretch of strictly convex or concave data, and jumps where the kind of interval changes, so that in
general the spline is only C1. Lines are reproduced, other polynomials are not. Where the natural cubic spline
bends as the data do, it is the answer. One extra break appears in each interval where `a` changes sign.

**Round-off.** A bend that round-off of the points can have made is none: its triple is collinear. The slopes
on its two sides then differ by that much.

**Where no such C1 function exists.** A point that bends between two collinear triples, as in |x| sampled at
integers, forces a kink. There the two collinear triples are set free (P(a) = a in the intervals that touch
the kink), which rounds the kink within these two intervals and keeps the rest straight.

**Polar outlines.** The paper applies the spline to s(theta). Convexity of s(theta) is not convexity of the
outline, which is s^2 + 2 s'^2 - s s'' >= 0; `convexity.outline_is_convex` checks that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from condyle.geometry.convex_dual import (
    FREE,
    STRAIGHT,
    DualProblem,
    Kinds,
    active_part,
    gathered,
    interval_ends,
    mean_product,
    multipliers,
)
from condyle.geometry.piecewise import Array, Piecewise

# A bend this much smaller than the largest one is round-off of the points.
NOISE = 1e-13

Bools = NDArray[np.bool_]


def convex_spline(x: Array, y: Array, periodic: bool = False) -> Piecewise:
    """Interpolant of least int g''^2 that bends as the data do (Micchelli1985; Irvine1986).

    Parameters
    ----------
    x : increasing, shape (n + 1,), n >= 2. Periodic: the last one is the first plus the period.
    y : values, shape (n + 1,). Periodic: the last one repeats the first.

    Returns
    -------
    Pieces that interpolate; between data points there is at most one extra break.
    """
    width = np.diff(x)
    chord = np.diff(y) / width
    bend, noise = _bends(x, y, chord, periodic)
    label, kind = _labels(bend, noise, periodic)
    problem = DualProblem(width, kind, np.where(label == STRAIGHT, 0.0, bend), periodic)
    return _pieces(x, y, problem, multipliers(problem))


def _bends(x: Array, y: Array, chord: Array, periodic: bool) -> tuple[Array, Array]:
    """Changes of slope d_i at the unknowns, and how far round-off of x and y can have moved them."""
    eps = np.finfo(float).eps
    size = np.maximum(np.abs(y[:-1]), np.abs(y[1:])) + np.abs(chord) * np.maximum(
        np.abs(x[:-1]), np.abs(x[1:])
    )
    error = 8.0 * eps * size / np.diff(x)
    bend = gathered(-chord, chord, periodic) * -1.0
    noise = np.maximum(gathered(error, error, periodic), NOISE * np.max(np.abs(bend), initial=0.0))
    return bend, noise


def _labels(bend: Array, noise: Array, periodic: bool) -> tuple[Kinds, Kinds]:
    """How each unknown bends and what that allows on each interval."""
    label = np.where(np.abs(bend) <= noise, STRAIGHT, np.sign(bend)).astype(np.int64)
    kind = _interval_kinds(label, periodic)
    # A bend between two straight intervals has no room: its straight neighbours give way.
    begins, ends = (kind, np.roll(kind, 1)) if periodic else (kind[1:], kind[:-1])
    lone = (label != STRAIGHT) & (begins == STRAIGHT) & (ends == STRAIGHT)
    beside = np.roll(lone, 1) | np.roll(lone, -1)
    if not periodic:
        beside = np.concatenate([[False], lone])[:-1] | np.concatenate([lone, [False]])[1:]
    label = np.where(beside & (label == STRAIGHT), FREE, label)
    return label, _interval_kinds(label, periodic)


def _interval_kinds(label: Kinds, periodic: bool) -> Kinds:
    left = label if periodic else np.concatenate([label[:1], label])
    right = np.roll(label, -1) if periodic else np.concatenate([label, label[-1:]])
    alike = np.where(left == right, left, FREE)
    return np.where((left == STRAIGHT) | (right == STRAIGHT), STRAIGHT, alike)


def _pieces(x: Array, y: Array, problem: DualProblem, moments: Array) -> Piecewise:
    """The spline, interval by interval: y_i, the slope that the moments of g'' leave, then g'' itself."""
    width = problem.width
    active = active_part(problem.kind, *interval_ends(moments, problem.periodic))
    begin, finish = active.value
    length = active.length * width
    # Where nothing is active, a straight line with the slope of its two points to the bit.
    bent = active.length > 0.0
    start = np.diff(y) / width - length * mean_product(active.value, active.left_hat)
    second, third = begin / 2.0 * bent, (finish - begin) / (6.0 * width) * bent
    first = np.stack([y[:-1], start, second, third], axis=1)
    rising = active.right_hat[0] > 0.0
    falling = active.left_hat[1] > 0.0
    cut = np.where(rising, x[1:] - length, x[:-1] + length)
    cut = np.clip(cut, np.nextafter(x[:-1], np.inf), np.nextafter(x[1:], -np.inf))
    second = np.zeros_like(first)
    first[rising], second[rising] = _straight_then_bent(x, y, cut, finish * length / 2.0, rising)
    first[falling], second[falling] = _bent_then_straight(x, y, cut, begin * length / 2.0, falling)
    # Interleave: every interval's first piece, and the second one where there is one.
    keep = np.stack([width > 0.0, rising | falling], axis=1).ravel()
    breaks = np.append(np.stack([x[:-1], cut], axis=1).ravel()[keep], x[-1])
    return Piecewise(breaks, np.stack([first, second], axis=1).reshape(-1, 4)[keep])


def _straight_then_bent(x: Array, y: Array, cut: Array, turn: Array, rows: Bools) -> tuple[Array, Array]:
    """Both pieces of intervals where g'' is zero up to `cut`, the slope changing by `turn` after it.

    The length of the bent part is that between the rounded breaks: it may be a few units in the last place.
    """
    x0, x1, y0, y1 = x[:-1][rows], x[1:][rows], y[:-1][rows], y[1:][rows]
    bent, turn, zero = x1 - cut[rows], turn[rows], np.zeros(int(rows.sum()))
    slope = (y1 - y0 - turn * bent / 3.0) / (x1 - x0)
    middle = y0 + slope * (cut[rows] - x0)
    return np.stack([y0, slope, zero, zero], 1), np.stack([middle, slope, zero, turn / (3.0 * bent**2)], 1)


def _bent_then_straight(x: Array, y: Array, cut: Array, turn: Array, rows: Bools) -> tuple[Array, Array]:
    """Both pieces of intervals where g'' is zero from `cut` on, the slope changing by `turn` before it."""
    x0, x1, y0, y1 = x[:-1][rows], x[1:][rows], y[:-1][rows], y[1:][rows]
    bent, turn, zero = cut[rows] - x0, turn[rows], np.zeros(int(rows.sum()))
    last = (y1 - y0 + turn * bent / 3.0) / (x1 - x0)
    first = np.stack([y0, last - turn, turn / bent, -turn / (3.0 * bent**2)], 1)
    return first, np.stack([y1 - last * (x1 - cut[rows]), last, zero, zero], 1)
