"""Declared forces and torques as rows."""

from __future__ import annotations

import math

import numpy as np

from condyle.mechanics.system import LOADS, Array, Integers
from condyle.model.declarations import ModelSpec
from condyle.multibody import loads
from condyle.multibody.declarations import AnyCourse, DecayingSineSpec, EffortSpec, ForceSpec, TableSpec


def fill_loads(
    model: ModelSpec, body_rows: dict[str, int], layout: Integers, index: Integers, value: Array
) -> tuple[Array, Array]:
    """Fill the rows of all loads; returns their tables end to end, shape (2, n), and the instants of kinks [s]."""
    courses = Courses()
    for row, load in enumerate(model.forces.values(), int(layout[LOADS])):
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
        courses.fill(row, load.course, index, value)
    return courses.table, courses.stops(model.run.duration)


class Courses:
    """Time courses of loads under construction: tables end to end."""

    def __init__(self) -> None:
        self._rows: list[tuple[float, float]] = []

    def fill(self, row: int, course: AnyCourse, index: Integers, value: Array) -> None:
        """Fill a load's columns of its course."""
        index[row, loads.COURSE] = loads.CONSTANT
        if isinstance(course, DecayingSineSpec):
            index[row, loads.COURSE] = loads.DECAYING_SINE
            value[row, loads.DURATION], value[row, loads.DECAY] = course.duration, course.decay
        elif isinstance(course, TableSpec):
            index[row, loads.COURSE] = loads.TABLE
            index[row, loads.FIRST] = len(self._rows)
            self._rows += zip(course.times, course.values, strict=True)
            index[row, loads.LAST] = len(self._rows)

    @property
    def table(self) -> Array:
        """All tables, shape (2, n): time [s] and factor."""
        return np.array(self._rows, dtype=float).reshape(-1, 2).T.copy()

    def stops(self, duration: float) -> Array:
        """Instants at which a table has a kink [s]."""
        stops = np.unique(self.table[0])
        return np.asarray(stops[(stops > 0.0) & (stops < duration)])
