"""The summary's tables of joints, drivers, springs and beams."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from condyle.results.plain import json_text
from condyle.results.summary import Summary, summarised
from results import mechanisms, synthetic


def summary(**variables: object) -> Summary:
    return summarised(mechanisms.dataset().assign(variables), synthetic.audit(), {})


def section(found: Summary, title: str) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    table = next(part for part in found.sections() if part.title == title)
    assert all(len(row) == len(table.columns) for row in table.rows)
    return table.columns, {row[0]: row[1:] for row in table.rows}


def test_largest_force_and_torque_of_joints() -> None:
    pin, guide = summary().joints
    assert (pin.force, pin.force_time) == pytest.approx((5.0, 0.25))
    assert (guide.force, guide.torque, guide.torque_time) == pytest.approx((1.0, 0.5, 0.25))
    columns, rows = section(summary(), "Joints")
    assert columns == ("Joint", "largest force [N]", "at [s]", "largest torque [N m]", "at [s]")
    # The pin's torque is what rounding leaves.
    assert rows == {"pin": ("5", "0.25", "-", "-"), "guide": ("1", "0", "0.5", "0.25")}


def test_joints_that_all_turn_freely_have_no_torques() -> None:
    pins = mechanisms.dataset().sel(joint=["pin"])
    columns, rows = section(summarised(pins, synthetic.audit(), {}), "Joints")
    assert columns == ("Joint", "largest force [N]", "at [s]")
    assert rows == {"pin": ("5", "0.25")}


def test_efforts_of_drivers_and_springs_have_their_units() -> None:
    found = summary()
    (motor,) = found.drivers
    assert (motor.least, motor.least_time, motor.unit) == (-2.5, 0.75, "N m")
    assert (motor.greatest, motor.greatest_time) == pytest.approx((1.5, 0.25))
    assert section(found, "Drivers")[1]["motor"] == ("-2.5", "0.75", "1.5", "0.25", "N m")
    _, springs = section(found, "Springs")
    assert springs == {
        "buffer": ("-0.5", "0.75", "0.5", "0.25", "N"),
        "coil": ("0", "0", "2", "1", "N m"),
    }


def test_beams_tell_where_and_when_they_are_strained_most() -> None:
    rod, reed = summary().beams
    assert (rod.strain, rod.strain_time, rod.strain_arc) == pytest.approx((0.02, 0.25, 0.2))
    assert (rod.moment, rod.moment_time, rod.moment_arc) == pytest.approx((3.0, 0.25, 0.2))
    assert (rod.least_force, rod.greatest_force) == pytest.approx((-6.0, 4.0))
    # The shorter beam has NaN behind its end.
    assert (reed.strain, reed.strain_arc) == pytest.approx((0.02, 0.05))
    assert section(summary(), "Beams")[1]["rod"] == ("2", "0.25", "200", "3", "0.25", "200", "-6 to 4")


def test_numbers_that_are_none_leave_the_row() -> None:
    data = mechanisms.dataset()
    found = summary(
        joint_force=data["joint_force"] * np.nan,
        beam_surface_strain=data["beam_surface_strain"] * np.nan,
        driver_effort=data["driver_effort"] * np.nan,
    )
    assert math.isnan(found.joints[0].force)
    assert math.isnan(found.beams[0].strain_arc)
    assert section(found, "Drivers")[1]["motor"] == ("-", "-", "-", "-", "N m")
    assert "nan" not in str(found)


def test_a_run_without_a_row() -> None:
    empty = summarised(mechanisms.dataset().isel(time=slice(0, 0)), synthetic.audit(), {})
    assert math.isnan(empty.joints[0].force)
    assert str(empty)


def test_json_has_them_by_name() -> None:
    told = json.loads(json_text(summary().as_dict()))
    assert told["joints"]["guide"]["torque"] == pytest.approx(0.5)
    assert told["drivers"]["motor"]["unit"] == "N m"
    assert told["springs"]["coil"]["greatest"] == 2.0
    assert told["beams"]["rod"]["strain_arc"] == 0.2
    knee = json.loads(json_text(summarised(synthetic.dataset(), synthetic.audit(), {}).as_dict()))
    assert knee["joints"] == knee["beams"] == {}
