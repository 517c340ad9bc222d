"""Declared forces and torques as rows."""

from __future__ import annotations

import math

import numpy as np

from condyle.math.polynomial import block
from condyle.mechanics.system import LOADS, Array, Integers
from condyle.model.pool import Pool
from condyle.model.spec import Spec
from condyle.model.tables import course_pieces, table_of
from condyle.multibody import loads
from condyle.multibody.declarations import AnyCourse, DecayingSineSpec, EffortSpec, ForceSpec, TableSpec
from condyle.spec.errors import Problem, SpecError

# So many instants at which a course has a kink are stopped at in a run.
MOST_STOPS = 1_000_000


def fill_loads(
    spec: Spec, body_rows: dict[str, int], layout: Integers, index: Integers, value: Array, pool: Pool
) -> Courses:
    """Fill the rows of all loads; returns their courses."""
    model, courses = spec.model, Courses(pool, spec)
    for row, (name, load) in enumerate(model.forces.items(), int(layout[LOADS])):
        if isinstance(load, EffortSpec):
            raise TypeError(load.kind)
        index[row, loads.BODY] = body_rows[load.body]
        index[row, loads.IS_TORQUE] = not isinstance(load, ForceSpec)
        value[row, loads.AMPLITUDE] = load.amplitude
        if isinstance(load, ForceSpec):
            length = math.hypot(*load.direction)
            index[row, loads.TURNS] = load.frame == "body"
            value[row, loads.PLACE_X : loads.PLACE_Y + 1] = load.at
            value[row, loads.DIRECTION_X] = load.direction[0] / length
            value[row, loads.DIRECTION_Y] = load.direction[1] / length
        courses.fill(row, name, load.course, index, value)
    return courses


class Courses:
    """Time courses of loads: tables end to end, smooth ones in the pool.

    ends : when the table of each load that has one ends [s].
    """

    def __init__(self, pool: Pool, spec: Spec) -> None:
        self._rows: list[tuple[float, float]] = []
        self._pool, self._folder, self._duration = pool, spec.folder, spec.model.run.duration
        self.ends: dict[str, float] = {}
        self._repeats: list[tuple[float, list[float]]] = []

    def fill(self, row: int, name: str, course: AnyCourse, index: Integers, value: Array) -> None:
        """Fill a load's columns of its course."""
        index[row, loads.COURSE] = loads.CONSTANT
        if isinstance(course, DecayingSineSpec):
            index[row, loads.COURSE] = loads.DECAYING_SINE
            value[row, loads.DURATION], value[row, loads.DECAY] = course.duration, course.decay
        elif isinstance(course, TableSpec):
            place = f"forces.{name}.course"
            times, values = table_of(course, place, self._folder)
            if course.repeat:
                self._check_cycle(times, values, course.smooth, place)
            value[row, loads.PERIOD] = times[-1] if course.repeat else 0.0
            self.ends[name] = np.inf if course.repeat else float(times[-1])
            if course.smooth:
                breaks, terms = course_pieces(times, values, course.repeat)
                index[row, loads.COURSE] = loads.SMOOTH
                index[row, loads.FIRST] = self._pool.add(block(breaks, terms))
                index[row, loads.LAST] = len(breaks)
                return
            index[row, loads.COURSE] = loads.TABLE
            index[row, loads.FIRST] = len(self._rows)
            self._rows += zip(times.tolist(), values.tolist(), strict=True)
            index[row, loads.LAST] = len(self._rows)
            self._repeats.append((times[-1] if course.repeat else 0.0, times.tolist()))

    def _check_cycle(self, times: Array, values: Array, smooth: bool, place: str) -> None:
        """A cycle takes time, is not too short to be stopped at its instants, and if smooth ends where it began."""
        period = float(times[-1])
        if len(times) * self._duration > MOST_STOPS * period:
            told = f"its cycle takes {period:g} s, too little for a run of {self._duration:g} s; take a longer one"
            raise SpecError([Problem(place, told)])
        if smooth and values[0] != values[-1]:
            told = f"a smooth course that repeats ends where it began, at {values[0]:g}; got {values[-1]:g}"
            raise SpecError([Problem(place, told)])

    @property
    def table(self) -> Array:
        """All tables, shape (2, n): time [s] and factor."""
        return np.array(self._rows, dtype=float).reshape(-1, 2).T.copy()

    def stops(self, duration: float) -> Array:
        """Instants at which a table has a kink [s], in all its cycles."""
        found = [np.zeros(0)]
        for period, times in self._repeats:
            cycles = int(duration // period) + 1 if period > 0.0 else 1
            found += [np.array(times) + k * period for k in range(cycles)]
        stops = np.unique(np.concatenate(found))
        return np.asarray(stops[(stops > 0.0) & (stops < duration)])
