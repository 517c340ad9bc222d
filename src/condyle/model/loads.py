"""Declared forces and torques as rows."""

from __future__ import annotations

import math

import numpy as np

from condyle.mechanics.system import LOADS, Array, Integers
from condyle.model.declarations import ModelSpec
from condyle.multibody import loads
from condyle.multibody.declarations import DecayingSineSpec, ForceSpec, TableSpec


def fill_loads(
    model: ModelSpec, body_rows: dict[str, int], layout: Integers, index: Integers, value: Array
) -> tuple[Array, Array]:
    """Fill the rows of all loads; returns their tables end to end, shape (2, n), and the instants of kinks [s]."""
    tables: list[tuple[float, float]] = []
    for row, load in enumerate(model.forces.values(), int(layout[LOADS])):
        course = load.course
        index[row, loads.BODY] = body_rows[load.body]
        index[row, loads.IS_TORQUE] = not isinstance(load, ForceSpec)
        index[row, loads.COURSE] = loads.CONSTANT
        value[row, loads.AMPLITUDE] = load.amplitude
        if isinstance(load, ForceSpec):
            length = math.hypot(*load.direction)
            index[row, loads.TURNS] = load.frame == "body"
            value[row, loads.PLACE_X : loads.PLACE_Y + 1] = load.at
            value[row, loads.DIRECTION_X] = load.direction[0] / length
            value[row, loads.DIRECTION_Y] = load.direction[1] / length
        if isinstance(course, DecayingSineSpec):
            index[row, loads.COURSE] = loads.DECAYING_SINE
            value[row, loads.DURATION], value[row, loads.DECAY] = course.duration, course.decay
        elif isinstance(course, TableSpec):
            index[row, loads.COURSE] = loads.TABLE
            index[row, loads.FIRST] = len(tables)
            tables += zip(course.times, course.values, strict=True)
            index[row, loads.LAST] = len(tables)
    course_table = np.array(tables, dtype=float).reshape(-1, 2).T.copy()
    stops = np.unique(course_table[0])
    return course_table, stops[(stops > 0.0) & (stops < model.run.duration)]
