"""Driven mechanisms against closed forms: motion, reactions and torque, whichever analysis is asked.

The motion comes from dyads in closed form, the efforts from free bodies; neither knows of multipliers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import condyle
from condyle.results import Results
from condyle.testing import assert_order
from reference.mechanisms import (
    Array,
    FourBar,
    Plane,
    Point,
    SliderCrank,
    SliderMotion,
    Turn,
    fixed,
    four_bar,
    slider_crank,
    slider_crank_reactions,
    turning,
)

ANALYSES = ("forward", "kinematics", "inverse")
LINKS = FourBar(0.1, 0.3, 0.25, 0.4)
# Masses [kg] and inertias [kg m^2] of the library's bars; centres are in their middles.
BARS = {"crank": (0.2, 1.7e-4), "coupler": (0.5, 3.8e-3), "rocker": (0.4, 2.1e-3)}
ENGINE = SliderCrank(0.1, 0.4, 0.2, 0.048, 0.2, 0.2 * 0.1**2 / 12, 0.048 * 0.4**2 / 12, 0.05, 0.2)
WEIGHT = -9.81j


def steady(times: Array) -> Turn:
    """The crank of the four-bar at one turn a second."""
    return turning(np.pi / 2 + 2 * np.pi * times, 2 * np.pi)


def swinging(times: Array) -> Turn:
    """The crank of the four-bar going to and fro."""
    phase, size, pace = 2 * np.pi * times, np.deg2rad(40.0), 2 * np.pi
    return turning(
        np.pi / 2 + size * np.sin(phase), size * pace * np.cos(phase), -size * pace**2 * np.sin(phase)
    )


CRANKS = {None: steady, "swinging": swinging}


def plane(data: xr.DataArray) -> Plane:
    """Vectors of a dataset as complex numbers."""
    return np.asarray(data.sel(axis="x").values + 1j * data.sel(axis="y").values)


def ran(name: str, variant: str | None, changes: dict[str, Any]) -> Results:
    """A built-in model, run with changes; its audit passes."""
    results = condyle.simulate(condyle.load(name, variant=variant).updated(changes))
    assert results.audit.passed
    return results


def centres(crank: Turn) -> dict[str, tuple[Point, Turn]]:
    """Centre and turn of each bar of the four-bar."""
    coupler, rocker = four_bar(LINKS, crank, 1)
    tip = crank.point(LINKS.crank, fixed(0))
    return {
        "crank": (crank.point(LINKS.crank / 2, fixed(0)), crank),
        "coupler": (coupler.point(LINKS.coupler / 2, tip), coupler),
        "rocker": (rocker.point(LINKS.rocker / 2, fixed(LINKS.ground)), rocker),
    }


def free_bodies(crank: Turn) -> tuple[dict[str, Plane], Array]:
    """Forces at A, B, C and D on the second body of each, and the torque: nine equations of three free bodies."""
    bars = centres(crank)
    pins = {
        "A": fixed(0).place + 0 * crank.angle,
        "B": crank.point(LINKS.crank, fixed(0)).place,
        "C": bars["rocker"][1].point(LINKS.rocker, fixed(LINKS.ground)).place,
        "D": fixed(LINKS.ground).place + 0 * crank.angle,
    }
    held = (
        ("crank", "A", 1),
        ("crank", "B", -1),
        ("coupler", "B", 1),
        ("coupler", "C", -1),
        ("rocker", "C", 1),
    )
    matrix, wanted = np.zeros((crank.angle.size, 9, 9)), np.zeros((crank.angle.size, 9))
    for body, pin, sign in (*held, ("rocker", "D", 1)):
        row, column = 3 * list(BARS).index(body), 2 * "ABCD".index(pin)
        arm = pins[pin] - bars[body][0].place
        matrix[:, row, column] = matrix[:, row + 1, column + 1] = sign
        matrix[:, row + 2, column], matrix[:, row + 2, column + 1] = -sign * arm.imag, sign * arm.real
    matrix[:, 2, 8] = 1.0
    for k, (name, (mass, inertia)) in enumerate(BARS.items()):
        centre, turn = bars[name]
        push = mass * (centre.acceleration - WEIGHT)
        wanted[:, 3 * k], wanted[:, 3 * k + 1] = push.real, push.imag
        wanted[:, 3 * k + 2] = inertia * turn.acceleration
    found = np.linalg.solve(matrix, wanted[:, :, None])[:, :, 0]
    return {pin: found[:, 2 * k] + 1j * found[:, 2 * k + 1] for k, pin in enumerate("ABCD")}, np.asarray(
        found[:, 8]
    )


@pytest.mark.parametrize("variant", [None, "swinging"])
@pytest.mark.parametrize("analysis", ANALYSES)
def test_four_bar_moves_and_pushes_as_its_closed_form(analysis: str, variant: str | None) -> None:
    data = ran("four-bar", variant, {"run.analysis": analysis, "run.output_step": 0.02}).dataset
    crank = CRANKS[variant](data.time.values)
    for name, (centre, turn) in centres(crank).items():
        body = data.sel(body=name)
        np.testing.assert_allclose(plane(body.position), centre.place, atol=1e-10)
        np.testing.assert_allclose(plane(body.velocity), centre.velocity, atol=1e-9)
        np.testing.assert_allclose(np.exp(1j * body.angle), np.exp(1j * turn.angle), atol=1e-10)
        np.testing.assert_allclose(body.angular_velocity, turn.rate, atol=1e-8)
    forces, torque = free_bodies(crank)
    for pin, force in forces.items():
        np.testing.assert_allclose(plane(data.joint_force.sel(joint=pin)), force, atol=1e-7)
        assert np.abs(force).max() > 1.0
    np.testing.assert_allclose(data.driver_effort.sel(driver="motor"), torque, atol=1e-8)
    assert np.abs(data.joint_torque).max() < 1e-8
    assert np.ptp(torque) > 0.5


def test_an_angle_that_goes_round_is_counted_on() -> None:
    data = ran("four-bar", None, {"run.output_step": 0.02}).dataset
    np.testing.assert_allclose(data.angle.sel(body="crank"), np.pi / 2 + 2 * np.pi * data.time, atol=1e-10)


# --- the slider-crank ---------------------------------------------------------------------------------------------

# From -90 deg on with a growing speed, and once round; the slider keeps clear of the face, which is moved away.
QUICK = {"kind": "polynomial", "coefficients": [-np.pi / 2, 2 * np.pi / 5, 1.5, -0.4]}


def quick(times: Array) -> Turn:
    """The crank of the slider-crank with an acceleration of its own."""
    a, b, c = 2 * np.pi / 5, 1.5, -0.4
    return turning(
        -np.pi / 2 + a * times + b * times**2 + c * times**3,
        a + 2 * b * times + 3 * c * times**2,
        2 * b + 6 * c * times,
    )


def engine(analysis: str, **changes: object) -> Results:
    """The rigid slider-crank with an accelerated crank, and its face out of the way."""
    away = {"profiles.face.outline.line": {"from": [0.7, -0.05], "to": [0.7, 0.05]}}
    quickly = {"drivers.motor.motion": QUICK, "run.duration": 2.0, "run.step": 1e-4, "run.output_step": 0.02}
    return ran("slider-crank", "rigid", {**away, **quickly, "run.analysis": analysis, **changes})


def check_motion(data: xr.Dataset, motion: SliderMotion) -> None:
    """Slider and rod are where the closed form has them."""
    slider, rod = data.sel(body="slider"), data.sel(body="rod")
    np.testing.assert_allclose(slider.position.sel(axis="x") - 0.05, motion.place, atol=1e-10)
    np.testing.assert_allclose(slider.velocity.sel(axis="x"), motion.velocity, atol=1e-9)
    np.testing.assert_allclose(rod.angle, motion.rod.angle, atol=1e-10)
    np.testing.assert_allclose(rod.angular_velocity, motion.rod.rate, atol=1e-9)


@pytest.mark.parametrize("analysis", ANALYSES)
def test_slider_crank_moves_and_pushes_as_its_closed_form(analysis: str) -> None:
    data = engine(analysis).dataset
    crank = quick(data.time.values)
    check_motion(data, slider_crank(0.1, 0.4, crank.angle, crank.rate, crank.acceleration))
    loads = slider_crank_reactions(ENGINE, crank)
    for joint, force in {
        "O": loads.at_pivot,
        "A": loads.at_A,
        "B": loads.at_B,
        "guide": 1j * loads.guide,
    }.items():
        np.testing.assert_allclose(plane(data.joint_force.sel(joint=joint)), force, atol=1e-8)
    np.testing.assert_allclose(data.driver_effort.sel(driver="motor"), loads.torque, atol=1e-9)
    assert np.ptp(loads.torque) > 0.1
    assert np.ptp(crank.rate) > 1.0


def test_reactions_carry_the_contact_force() -> None:
    """Against the face the slider is stopped by what the closed form says of depth and rate (Kasai 2024, Eq. 8)."""
    data = ran(
        "slider-crank", "rigid", {"run.duration": 1.4, "run.step": 1e-4, "run.output_step": 0.01}
    ).dataset
    crank = turning(-np.pi / 2 + 0.4 * np.pi * data.time.values, 0.4 * np.pi)
    motion = slider_crank(0.1, 0.4, crank.angle, crank.rate)
    check_motion(data, motion)
    depth = np.maximum(motion.place + 0.1 - 0.595, 0.0)
    at_onset = -np.arccos((0.495**2 + 0.1**2 - 0.4**2) / (2 * 0.1 * 0.495))  # the pin at 0.495 m
    onset = slider_crank(0.1, 0.4, at_onset, 0.4 * np.pi).velocity
    force = 4e5 * depth**1.5 * (1 + 0.75 * (1 - 0.1**2) * motion.velocity / onset)
    seen = data.contact_normal_force.sel(contact="impact").values
    np.testing.assert_allclose(seen, force, rtol=1e-8, atol=1e-8)
    loads = slider_crank_reactions(ENGINE, crank, 9.81, -seen)
    np.testing.assert_allclose(plane(data.joint_force.sel(joint="B")), loads.at_B, atol=1e-8)
    np.testing.assert_allclose(data.driver_effort.sel(driver="motor"), loads.torque, atol=1e-9)
    assert seen.max() > 150.0


def test_order_of_the_forward_motion() -> None:
    """Order 4 by Runge-Kutta-Gill; without anything against drift, so that the method itself is seen."""
    steps, errors = [0.04, 0.02, 0.01, 0.005], []
    for step in steps:
        data = engine(
            "forward",
            **{
                "run.step": step,
                "run.output_step": 0.2,
                "run.stabilization": "none",
                "run.audit_tolerance": 1e-2,
            },
        ).dataset
        crank = quick(data.time.values)
        place = slider_crank(0.1, 0.4, crank.angle, crank.rate).place
        errors.append(float(np.abs(data.position.sel(body="slider", axis="x") - 0.05 - place).max()))
    assert_order(steps, errors, 4.0)
