"""Declared springs as rows: every law becomes a potential of polynomial pieces."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

from condyle.math.polynomial import block
from condyle.mechanics.system import SPRINGS, Array, Integers
from condyle.model.declarations import ModelSpec
from condyle.model.placement import Placement
from condyle.model.pool import Pool
from condyle.multibody import springs
from condyle.multibody.spring_declarations import (
    AnySpring,
    ForceTableSpec,
    RotationalSpringSpec,
    TorqueTableSpec,
    TranslationalSpringSpec,
)

Pieces = tuple[Array, Array]


def fill_springs(
    model: ModelSpec,
    placement: Placement,
    rows: dict[str, int],
    layout: Integers,
    index: Integers,
    value: Array,
    pool: Pool,
) -> None:
    """Fill the rows of all springs."""
    for row, spring in enumerate(model.springs.values(), int(layout[SPRINGS])):
        if isinstance(spring, TranslationalSpringSpec):
            index[row, springs.KIND] = springs.TRANSLATIONAL
            bodies = spring.origin.body, spring.target.body
            value[row, springs.ORIGIN_X : springs.ORIGIN_Y + 1] = spring.origin.at
            value[row, springs.INSERTION_X : springs.INSERTION_Y + 1] = spring.target.at
            rest, at_start = spring.rest_length, placement.distance(spring.origin, spring.target)
        elif isinstance(spring, RotationalSpringSpec):
            index[row, springs.KIND] = springs.ROTATIONAL
            bodies = spring.origin, spring.target
            rest, at_start = spring.rest_angle, placement.angle(spring.origin, spring.target)
        else:
            raise TypeError(spring.kind)
        index[row, springs.ORIGIN_BODY], index[row, springs.INSERTION_BODY] = (rows[name] for name in bodies)
        value[row, springs.DAMPING] = spring.damping
        fill_potential(row, spring, at_start if rest is None else rest, index, pool)


def fill_potential(row: int, spring: AnySpring, rest: float, index: Integers, pool: Pool) -> None:
    """Put a spring's potential into the pool; `rest` is the extent without effort [m or rad]."""
    breaks, efforts = _efforts(spring.stiffness, spring.table, rest)
    if spring.stops is not None:
        breaks, efforts = _stopped(
            breaks, efforts, spring.stops.least, spring.stops.most, spring.stops.stiffness
        )
    potential = _potential(breaks, efforts)
    index[row, springs.POTENTIAL] = pool.add(block(breaks, potential))
    index[row, springs.N_PIECE], index[row, springs.N_TERM] = potential.shape


def _efforts(stiffness: float | None, table: ForceTableSpec | TorqueTableSpec | None, rest: float) -> Pieces:
    """Effort over distance or angle as cubic pieces: breaks (n,), coefficients in ascending powers (n, 4)."""
    if table is None:
        return np.array([rest]), np.array([[0.0, stiffness or 0.0, 0.0, 0.0]])
    if isinstance(table, ForceTableSpec):
        x, y = np.array(table.elongations), np.array(table.forces)
    else:
        x, y = np.array(table.angles), np.array(table.torques)
    slopes = table_slopes(x, y)
    curve = CubicHermiteSpline(x, y, slopes)
    # Straight on before the first and after the last value.
    before = [y[0] - slopes[0], slopes[0], 0.0, 0.0]
    after = [y[-1], slopes[-1], 0.0, 0.0]
    pieces = np.vstack([before, curve.c[::-1].T, after])
    return rest + np.concatenate([[x[0] - 1.0], x]), pieces


def table_slopes(x: Array, y: Array) -> Array:
    """Slopes of a table at its values that make no extremes between them, shape (n,).

    Inside they are those of Fritsch and Butland, zero at extremes only. At the ends theirs are zero as well where the
    table flattens out, and the stiffness beyond would be gone; see `_end_slope`.
    """
    secants, lengths = np.diff(y) / np.diff(x), np.diff(x)
    slopes = np.asarray(PchipInterpolator(x, y)(x, 1))
    if len(x) > 2:
        slopes[0] = _end_slope(*secants[:2], *lengths[:2])
        slopes[-1] = _end_slope(*secants[:-3:-1], *lengths[:-3:-1])
    return slopes


def _end_slope(last: float, other: float, length: float, other_length: float) -> float:
    """Slope at an end from the last two secants and the lengths they span, of the sign of the last one.

    That of the parabola through three values where the table gets steeper towards the end or has turned round, at most
    three times the secant, which keeps it monotone. Where it flattens out the parabola may turn round before the end;
    there slopes go down by a constant ratio instead. Both are exact for a line, and of second order.
    """
    if last * other > 0.0 and abs(last) < abs(other):
        return float(last * (last / other) ** (length / (length + other_length)))
    parabola = last + (last - other) * length / (length + other_length)
    return float(np.sign(last) * min(abs(parabola), 3.0 * abs(last)))


def _stopped(
    breaks: Array, efforts: Array, least: float | None, most: float | None, stiffness: float
) -> Pieces:
    """The pieces with stops added beyond two bounds."""
    bounds = [bound for bound in (least, most) if bound is not None]
    inner = np.unique(np.concatenate([breaks, bounds]))
    # What lies before the first break needs a beginning of its own, on which nothing depends.
    starts = np.concatenate([[inner[0] - 1.0], inner])
    pieces = np.array([_shifted(breaks, efforts, start) for start in starts])
    ends = np.append(starts[1:], np.inf)
    for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if least is not None and end <= least:
            pieces[k, :2] += stiffness * (start - least), stiffness
        if most is not None and start >= most:
            pieces[k, :2] += stiffness * (start - most), stiffness
    return starts, pieces


def _shifted(breaks: Array, efforts: Array, start: float) -> Array:
    """Coefficients about a new beginning of the piece that serves there."""
    k = max(int(np.searchsorted(breaks, start, side="right")) - 1, 0)
    a, b, c, d = efforts[k]
    u = start - breaks[k]
    return np.array([a + u * (b + u * (c + u * d)), b + u * (2.0 * c + 3.0 * u * d), c + 3.0 * u * d, d])


def _potential(breaks: Array, efforts: Array) -> Array:
    """Antiderivative of the pieces, continuous, least value 0 at the breaks and where efforts vanish between."""
    powers = np.arange(1, efforts.shape[1] + 1)
    pieces = np.hstack([np.zeros((len(breaks), 1)), efforts / powers])
    for k in range(1, len(breaks)):
        u = breaks[k] - breaks[k - 1]
        pieces[k, 0] = np.polynomial.polynomial.polyval(u, pieces[k - 1])
    pieces[:, 0] -= pieces[:, 0].min()
    return pieces
