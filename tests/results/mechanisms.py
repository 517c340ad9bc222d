"""A dataset of a mechanism made without an engine: joints, a driver, springs and beams, by closed formulas."""

from __future__ import annotations

import numpy as np
import xarray as xr

LONG, SHORT = 5, 3
MODEL = """\
condyle: 1
title: A small mechanism
bodies:
  ground: {fixed: true}
  crank: {mass: 1, inertia: 0.01, position: [0.1, 0]}
beams:
  rod: {from: [0.2, 0], to: [0.6, 0], elements: 2, section: {width: 10 mm, height: 10 mm}, young: 1 GPa, density: 1e3}
  reed:
    from: [0, 0]
    to: [0, 0.1]
    elements: 1
    axial_stiffness: 1e3
    bending_stiffness: 1
    mass_per_length: 1
frames:
  tip: {beam: rod, along: 1}
joints:
  pin: {kind: revolute, from: {body: ground}, to: {body: crank, at: [-0.1, 0]}}
  guide: {kind: translational, from: {body: ground}, to: {body: tip}, direction: [0, 1]}
measures:
  turn: {kind: angle, from: ground, to: crank, unit: deg}
drivers:
  motor: {measure: turn, motion: {kind: constant-speed, speed: 1}}
springs:
  buffer: {from: {body: ground}, to: {body: crank}, stiffness: 50}
  coil: {kind: rotational, from: ground, to: crank, stiffness: 2}
run: {duration: 1}
"""


def dataset(count: int = 41) -> xr.Dataset:
    """The crank turns by 1 rad, the rod's tip goes up and down, and efforts are sines."""
    time = np.linspace(0.0, 1.0, count)
    zero, swing = np.zeros(count), np.sin(2.0 * np.pi * time)
    crank = _spatial(0.1 * np.cos(time), 0.1 * np.sin(time))
    axis, arcs = _axis(crank, swing)
    along = np.where(np.isnan(arcs), np.nan, 1.0)[None]
    part = np.array([[0.0, 0.5, 1.0, 0.5, 0.0], [0.0, 1.0, 0.0, np.nan, np.nan]])
    bend = swing[:, None, None] * part
    ends = np.stack([np.stack([_spatial(zero, zero), crank], axis=1)] * 2, axis=1)
    places = np.stack([_spatial(zero, zero), crank, axis[:, 0, LONG - 1]], axis=1)
    joints = np.stack([_spatial(zero, zero), axis[:, 0, LONG - 1]], axis=1)
    force = np.stack([_spatial(3.0 * swing, 4.0 * swing), _spatial(1.0 + zero, zero)], axis=1)
    series = {
        "position": (("body", "axis"), places, "m"),
        "angle": (("body",), np.stack([zero, time, zero], axis=1), "rad"),
        "joint_force": (("joint", "axis"), force, "N"),
        "joint_torque": (("joint",), np.stack([1e-15 * swing, -0.5 * swing], axis=1), "N m"),
        "joint_point": (("joint", "axis"), joints, "m"),
        "driver_effort": (("driver",), 2.0 * swing[:, None] - 0.5, "driver_unit"),
        "spring_extent": (("spring",), np.stack([0.1 + 0.01 * swing, time], axis=1), "spring_unit"),
        "spring_effort": (("spring",), np.stack([0.5 * swing, 2.0 * time], axis=1), "N or N m"),
        "spring_point": (("spring", "end", "axis"), ends, "m"),
        "beam_position": (("beam", "station", "axis"), axis, "m"),
        "beam_axial_strain": (("beam", "station"), 0.001 * bend, "1"),
        "beam_curvature": (("beam", "station"), bend, "1/m"),
        "beam_axial_force": (("beam", "station"), (5.0 * swing - 1.0)[:, None, None] * along, "N"),
        "beam_bending_moment": (("beam", "station"), -3.0 * bend, "N m"),
        "beam_surface_strain": (("beam", "station"), 0.02 * np.abs(bend), "1"),
        "measure_value": (("measure",), np.degrees(time)[:, None], ""),
        "energy": (("kind",), np.stack([1.0 + swing, 0.5 + 0.5 * swing, zero], axis=1), "J"),
    }
    variables = {
        name: (("time", *dims), values, {"units": units}) for name, (dims, values, units) in series.items()
    }
    labels = {
        "body": ["ground", "crank", "tip"],
        "axis": ["x", "y", "z"],
        "joint": ["pin", "guide"],
        "driver": ["motor"],
        "driver_unit": ("driver", ["N m"]),
        "spring": ["buffer", "coil"],
        "spring_unit": ("spring", ["m", "rad"]),
        "end": ["origin", "insertion"],
        "beam": ["rod", "reed"],
        "station": np.arange(LONG),
        "measure": ["turn"],
        "measure_unit": ("measure", ["deg"]),
        "kind": ["kinetic", "beam", "spring"],
    }
    fixed = {"beam_arc": (("beam", "station"), arcs, {"units": "m"})}
    return xr.Dataset(variables | fixed, {"time": time} | labels)


def _spatial(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.stack([x, y, np.zeros_like(x)], axis=-1)


def _axis(crank: np.ndarray, swing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places of the stations, NaN behind the end of the shorter beam, and lengths along the beams."""
    axis, arcs = np.full((len(swing), 2, LONG, 3), np.nan), np.full((2, LONG), np.nan)
    arcs[0], arcs[1, :SHORT] = np.linspace(0.0, 0.4, LONG), np.linspace(0.0, 0.1, SHORT)
    for k in range(LONG):
        axis[:, 0, k] = 2.0 * crank * (1.0 - k / 4) + _spatial(0.6 + 0.0 * swing, 0.1 * swing) * k / 4
    for k in range(SHORT):
        axis[:, 1, k] = _spatial(0.0 * swing, 0.05 * k + 0.0 * swing)
    return axis, arcs
