"""Tables over time that a model file writes out, or names a file for."""

from __future__ import annotations

import csv
import math
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator

from condyle.mechanics.system import Array
from condyle.multibody.declarations import TableFields
from condyle.spec.errors import Problem, SpecError, did_you_mean, listed, shown

LARGEST_FILE = 20_000_000
# Of a model that came as a text, such as that kept with results: what lies in the current folder is another's.
NO_FOLDER = (
    "cannot look for {}: this model was not read from a file, so it has no folder; load it by its path"
)
MOST_ROWS = 100_000
MOST_COLUMNS = 200
# Numbers beyond this cannot be computed with, as in a model file.
LARGEST_NUMBER = 1e60
# What one of the unit is in SI units.
_UNITS = {None: 1.0, "rad": 1.0, "m": 1.0, "deg": math.pi / 180.0, "mm": 1e-3}


def table_of(
    table: TableFields, place: str, folder: Path | None, unit: str | None = None
) -> tuple[Array, Array]:
    """Instants [s] and values of a table, from its file where it names one; `place` is what errors name."""
    if table.file is None:
        return np.array(getattr(table, "times", None) or []), np.array(getattr(table, "values", None) or [])
    if folder is None:
        raise SpecError([Problem(f"{place}.file", NO_FOLDER.format(table.file))])
    path = folder / table.file
    times, values = _columns(path, table, place)
    values = values * _UNITS[unit]
    if len(times) < 2:
        raise SpecError([Problem(f"{place}.file", f"{path.name} has fewer than two rows")])
    for k, (before, after) in enumerate(pairwise(times.tolist())):
        if not after > before:
            message = f"instants must increase; {path.name} has {after:g} after {before:g} in row {k + 3}"
            raise SpecError([Problem(f"{place}.file", message)])
    if table.repeat:
        times = times - times[0]
    return times, values


def check_motion(times: Array, values: Array, table: TableFields, place: str, duration: float) -> None:
    """A motion from a file is no motion before its first instant and behind its last one, and never jumps."""
    if table.file is None:
        return
    if table.repeat:
        if values[0] != values[-1]:
            message = f"a motion that repeats ends where it began, at {values[0]:g}; {table.file} has {values[-1]:g}"
            raise SpecError([Problem(f"{place}.file", message)])
        return
    if times[0] > 0.0:
        message = f"begins at {times[0]:g} s; a driver must know where to be from the start on, 0 s"
        raise SpecError([Problem(f"{place}.file", message)])
    if times[-1] < duration * (1.0 - 1e-9):
        message = f"ends at {times[-1]:g} s, before the run does, {duration:g} s; shorten run.duration or set repeat"
        raise SpecError([Problem(f"{place}.file", message)])


def _columns(path: Path, table: TableFields, place: str) -> tuple[Array, Array]:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise SpecError(
                [Problem(f"{place}.file", f"{path.name} is larger than {LARGEST_FILE // 10**6} MB")]
            )
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file)
            head = [name.strip() for name in next(rows, [])][:MOST_COLUMNS]
            at = [_column(head, table.time_column or (head or [""])[0], f"{place}.time_column", path.name)]
            at.append(_column(head, table.column or "", f"{place}.column", path.name))
            counted = ((number, row) for number, row in enumerate(rows, 2) if row)
            # One row more than allowed tells that there are more.
            found = [
                _numbers(row, at, number, place, path.name) for number, row in islice(counted, MOST_ROWS + 1)
            ]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SpecError([Problem(f"{place}.file", f"cannot read {path.name}: {error}")]) from None
    if len(found) > MOST_ROWS:
        raise SpecError([Problem(f"{place}.file", f"{path.name} has more than {MOST_ROWS} rows")])
    columns = np.array(found, dtype=float).reshape(-1, 2).T
    return columns[0], columns[1]


def _column(head: list[str], name: str, place: str, file: str) -> int:
    if name not in head:
        known = f"; there are {listed(head, 'and')}" if 0 < len(head) <= 12 else ""
        raise SpecError(
            [Problem(place, f"no column {shown(name)} in {file}{did_you_mean(name, head) or known}")]
        )
    return head.index(name)


def _numbers(row: list[str], at: list[int], number: int, place: str, file: str) -> tuple[float, float]:
    try:
        first, second = (float(row[column]) for column in at)
    except (ValueError, IndexError):
        raise SpecError(
            [Problem(f"{place}.file", f"{file}, row {number}: expected numbers; got {shown(','.join(row))}")]
        ) from None
    if not (math.isfinite(first) and math.isfinite(second)):
        raise SpecError([Problem(f"{place}.file", f"{file}, row {number}: a number is not finite")])
    if max(abs(first), abs(second)) > LARGEST_NUMBER:
        told = (
            f"{file}, row {number}: a number is larger than {LARGEST_NUMBER:g}, and cannot be computed with"
        )
        raise SpecError([Problem(f"{place}.file", told)])
    return first, second


def motion_pieces(times: Array, values: Array, repeat: bool) -> tuple[Array, Array]:
    """A cubic spline as breaks (n,) and coefficients in ascending powers (n, 4); two continuous derivatives."""
    spline = CubicSpline(times, values, bc_type="periodic" if repeat else "not-a-knot")
    return spline.x[:-1], spline.c[::-1].T


def course_pieces(times: Array, values: Array, repeat: bool) -> tuple[Array, Array]:
    """A smooth curve without new extremes, held at its ends, as breaks and coefficients in ascending powers."""
    if repeat:
        # Cycles before and after give the ends their slopes.
        period, count = times[-1], len(times) - 1
        long = np.concatenate([times[:-1] - period, times, times[1:] + period])
        curve = PchipInterpolator(long, np.concatenate([values[:-1], values, values[1:]]))
        return times[:-1], curve.c[::-1].T[count : 2 * count]
    curve = PchipInterpolator(times, values)
    ends = np.array([[values[0], 0.0, 0.0, 0.0], [values[-1], 0.0, 0.0, 0.0]])
    return np.concatenate([[times[0] - 1.0], times]), np.vstack([ends[:1], curve.c[::-1].T, ends[1:]])
