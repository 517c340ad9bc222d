"""What beams, frames, joints, drivers and springs are told to be, in one line each."""

from __future__ import annotations

from typing import Any

import pytest

import condyle
from condyle.model.describe import describe
from condyle.model.spec import parse

TEXT = """\
condyle: 1
title: Something of everything that holds and drives
bodies:
  ground: {fixed: true}
  crank: {mass: 1, inertia: 1, position: [0.1, 0]}
  slider: {mass: 1, inertia: 1, position: [0.3, 0]}
beams:
  rod: {from: [0, 0], to: [0.4, 0], section: {width: 10 mm, height: 10 mm}, young: 1 GPa, density: 1e3, damping: 2 ms}
  bow: {points: [[0, 0], [1, 1], [2, 0]], axial_stiffness: 1e3, bending_stiffness: 2, mass_per_length: 0.5}
frames:
  tip: {beam: rod, along: 1}
  third: {beam: rod, along: 0.3}
joints:
  pin: {kind: revolute, from: {body: ground}, to: {body: crank, at: [-0.1, 0]}}
  clamp: {kind: weld, from: {body: ground}, to: {body: tip}, angle: 30 deg}
  guide: {kind: translational, from: {body: ground}, to: {body: slider}, direction: [1, 0]}
  slot: {kind: point-on-line, from: {body: crank}, to: {body: slider}, direction: [0, 1]}
  link: {kind: distance, from: {body: crank}, to: {body: slider}, length: 0.5}
  bar: {kind: distance, from: {body: crank}, to: {body: tip}}
  lock: {kind: hold, measure: turn, value: 30 deg}
  latch: {kind: hold, measure: reach}
measures:
  turn: {kind: angle, from: ground, to: crank}
  reach: {kind: distance, from: {body: ground}, to: {body: slider}}
drivers:
  steady: {measure: turn, motion: {kind: constant-speed, speed: 1 rev/s, start: 90 deg}}
  swing: {measure: reach, motion: {kind: harmonic, mean: 0.3, amplitude: 40 mm, frequency: 2}}
  course: {measure: reach, motion: {kind: polynomial, coefficients: [0, 0, 1]}}
  steps: {measure: reach, motion: {kind: table, times: [0, 1, 2, 3], values: [0, 1, 2, 3]}}
springs:
  buffer: {from: {body: ground}, to: {body: slider}, stiffness: 50, damping: 2, rest_length: 60 mm}
  soft: {from: {body: ground}, to: {body: crank}, table: {elongations: [0, 0.1], forces: [0, 3]}}
  coil: {kind: rotational, from: ground, to: crank, stiffness: 2, stops: {least: -30 deg, most: 1 rad, stiffness: 9}}
run: {duration: 1}
"""

WORDS = {
    "beams": {
        "rod": "straight, 400 mm in 8 cable elements, EA = 100000 N, EI = 0.833333 N m^2, 0.1 kg/m, "
        "damping time 0.002 s",
        "bow": "curved through 3 points in 8 cable elements, EA = 1000 N, EI = 2 N m^2, 0.5 kg/m",
    },
    "frames": {"tip": "the end of rod", "third": "0.3 of the length of rod"},
    "joints": {
        "pin": "revolute, ground (0, 0) and crank (-0.1, 0)",
        "clamp": "weld, ground (0, 0) and tip (0, 0), turned by 30 deg",
        "guide": "translational, ground (0, 0) and slider (0, 0), along (1, 0) of ground",
        "slot": "point-on-line, crank (0, 0) and slider (0, 0), along (0, 1) of crank",
        "link": "distance, crank (0, 0) and slider (0, 0), 500 mm apart",
        "bar": "distance, crank (0, 0) and tip (0, 0), apart as the file places them",
        "lock": "holds turn at 30 deg",
        "latch": "holds reach as the file places them",
    },
    "drivers": {
        "steady": "turn at 360 deg/s from 90 deg",
        "swing": "reach to and fro by 40 mm about 300 mm, 2 Hz",
        "course": "reach as a polynomial of time of degree 2",
        "steps": "reach through a table of 4 instants",
    },
    "springs": {
        "buffer": "ground (0, 0) to slider (0, 0), 50 N/m, damping 2 N s/m, without effort at 60 mm",
        "soft": "ground (0, 0) to crank (0, 0), a table of 2 values, without effort as the file places them",
        "coil": "angle from ground to crank, 2 N m/rad, stops at -30 deg and 57.2958 deg, "
        "without effort as the file places them",
    },
}


def sections(changes: dict[str, Any] | None = None) -> dict[str, dict[str, str]]:
    return {part.title: dict(part.rows) for part in describe(parse(TEXT).updated(changes or {}))}


@pytest.mark.parametrize("title", WORDS)
def test_every_one_has_its_line(title: str) -> None:
    assert sections()[title] == WORDS[title]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "by projection where they drift by more than 1e-10"),
        (
            {"run.stabilization": "baumgarte", "run.baumgarte_rate": 50},
            "Baumgarte's method, alpha = beta = 50 1/s",
        ),
        ({"run.stabilization": "none"}, "not kept from drifting"),
    ],
)
def test_the_run_says_what_keeps_joints_together(changes: dict[str, Any], words: str) -> None:
    assert sections(changes)["run"]["joints"].endswith(words)


def test_what_is_not_integrated_has_no_steps() -> None:
    assert sections({"run.analysis": "equilibrium"})["run"]["method"] == "equilibrium"
    assert "steps" in sections()["run"]["method"]


def test_without_joints_nothing_is_said_of_them() -> None:
    found = {part.title: dict(part.rows) for part in describe(condyle.load("bouncing-ball"))}
    assert not set(WORDS) & set(found)
    assert "joints" not in found["run"]


def test_efforts_along_a_measure_have_its_unit() -> None:
    found = {part.title: dict(part.rows) for part in describe(condyle.load("stanmore-tkr"))}
    assert found["springs"]["bearing-height"] == "on height, damping 2000 N s/m"
    assert found["springs"]["bearing-varus"] == "on varus, damping 1.5 N m s/rad"
    assert found["forces"]["anterior"].startswith("effort of 265 N along")
    assert found["forces"]["torque"].startswith("effort of 5.9 N m along")
