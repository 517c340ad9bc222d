"""The summary tells the numbers of the dataset, the true peaks first, and does not hide what went wrong."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
import xarray as xr

from condyle.results.peaks import Restitution
from condyle.results.plain import json_text
from condyle.results.summary import Summary, summarised
from results import synthetic

LAWS = {"tibiofemoral": Restitution("lankarani-nikravesh", 0.5, 0.7194)}
TRACKED = [name for name in synthetic.dataset() if str(name).startswith("peak_")]


def summary(data: xr.Dataset | None = None, **changes: Any) -> Summary:
    """Summary of the synthetic run, whose audit can be changed by field."""
    return summarised(synthetic.dataset() if data is None else data, synthetic.audit(**changes), LAWS)


def test_tracked_peaks_come_first() -> None:
    acl, pcl = summary().ligaments
    assert (acl.force, acl.strain, pcl.force, pcl.strain) == (160.5, 0.041, 4005.0, 0.201)
    assert (acl.force_time, acl.strain_time, pcl.force_time, pcl.strain_time) == (
        0.0391,
        0.0392,
        0.0123,
        0.0124,
    )
    (contact,) = summary().contacts
    assert (contact.force, contact.force_time) == (101.0, 0.0101)
    assert (contact.depth, contact.depth_time) == (1.01e-4, 0.0102)


def test_without_them_the_output_is_searched() -> None:
    data = synthetic.dataset().drop_vars(TRACKED)
    acl, _ = summary(data).ligaments
    at = int(np.argmax(data["ligament_strain"].values[:, 0]))
    assert 0 < at < 50
    assert acl.strain == data["ligament_strain"].values[at, 0]
    assert acl.strain_time == acl.force_time == data["time"].values[at]
    (contact,) = summary(data).contacts
    assert contact.depth == data["contact_depth"].values.max()
    assert contact.force == data["contact_normal_force"].values.max()


def test_after_it_tore_a_ligament_has_no_peaks() -> None:
    """It swings on without force, further out than it ever held."""
    data = synthetic.dataset().drop_vars(TRACKED)
    strain, before = data["ligament_strain"].values[:, 1], data["time"].values <= 0.0125
    assert strain.max() > strain[before].max()
    pcl = summary(data).ligaments[1]
    assert pcl.strain == strain[before].max()
    assert pcl.strain_time == data["time"].values[before].max()


def test_the_spots_of_a_contact_share_its_law() -> None:
    data = synthetic.dataset().assign_coords(contact=["tibiofemoral/2"])
    (spot,) = summary(data).contacts
    assert spot.name == "tibiofemoral/2"
    assert spot.restitution == LAWS["tibiofemoral"]


@pytest.mark.parametrize(("depth", "rows"), [(-1e-3, 1), (0.0, 1), (1e-9, 2)])
def test_a_further_spot_that_never_touched_has_no_row(depth: float, rows: int) -> None:
    data = synthetic.dataset().isel(contact=[0, 0])
    data = data.assign_coords(contact=["tibiofemoral", "tibiofemoral/2"])
    data["peak_contact_depth"] = ("contact", [1e-4, depth])
    assert len(summary(data).contacts) == rows
    assert len(summary(data).as_dict()["contacts"]) == rows


def test_a_gap_is_no_depth() -> None:
    data = synthetic.dataset().drop_vars(TRACKED)
    data["contact_depth"] = data["contact_depth"] * 0.0 - 1e-3
    assert summary(data).contacts[0].depth == 0.0


def test_measure_range_in_its_unit() -> None:
    (flexion,) = summary().measures
    values = synthetic.dataset()["measure_value"].values[:, 0]
    expected = (values.min(), values.max(), values[0], values[-1], "deg")
    assert (flexion.least, flexion.greatest, flexion.first, flexion.last, flexion.unit) == expected
    assert flexion.greatest > 20.0


def test_ligaments_past_what_they_are_allowed() -> None:
    found = summary()
    acl, pcl = found.ligaments
    assert acl.state == "past allowed strain"
    assert pcl.state == "broke at 0.0125 s"
    assert found.warnings == ("ligament ACL past allowed strain", "ligament PCL/posterior broke at 0.0125 s")


def test_no_bounds_no_warnings() -> None:
    bounds = ["ligament_allowed_strain", "ligament_allowed_force", "ligament_broken_time"]
    found = summary(synthetic.dataset().drop_vars(bounds))
    assert found.warnings == ()
    assert math.isnan(found.ligaments[0].allowed_strain)
    assert found.ligaments[0].broken_time is None


def test_both_bounds() -> None:
    data = synthetic.dataset()
    data["ligament_allowed_force"] = ("ligament", [160.0, 1e9])
    assert summary(data).ligaments[0].state == "past allowed strain and force"


def test_clamped_time_and_notes_are_told() -> None:
    audited: dict[str, Any] = {
        "clamped_time": {"tibiofemoral": 0.0012},
        "clamped_work": {"tibiofemoral": 3e-6},
        "notes": ("chatter",),
    }
    *_, clamped, note = summary(**audited).warnings
    assert clamped == "contact tibiofemoral would have pulled for 0.0012 s: clamped to zero, work 3e-06 J"
    assert note == "chatter"


def test_verdicts() -> None:
    assert summary().verdict == "passed: energy residual 5e-13 of the energy exchanged, allowed 1e-06"
    assert (
        summary(energy_residual=0.1).verdict
        == "FAILED: energy residual 0.05 of the energy exchanged, allowed 1e-06"
    )
    assert summary(finished=False).verdict == "FAILED: the run did not reach its end"
    at_rest = summary(unbalanced=2e-9).verdict
    assert at_rest == "passed: forces unbalanced by 2e-09 of the largest, allowed 1e-06"
    stopped = summarised(
        synthetic.dataset(), synthetic.audit(), LAWS, complete=False, status="stopped at 0.1 s"
    )
    assert stopped.verdict == "FAILED: the run did not reach its end"
    assert stopped.warnings[0] == "stopped at 0.1 s"


def test_numbers_that_are_none_do_not_crash() -> None:
    data = synthetic.dataset().drop_vars(TRACKED)
    for name in ("ligament_force", "contact_normal_force", "measure_value", "contact_depth"):
        data[name] = data[name] * np.nan
    found = summary(data, energy_residual=math.nan)
    assert math.isnan(found.ligaments[0].force)
    assert found.verdict.startswith("FAILED")
    assert json.loads(json_text(found.as_dict()))["ligaments"]["ACL"]["force"] is None
    assert "nan" not in str(found).split("audit")[0]


def test_a_pendulum_has_neither_ligaments_nor_contacts() -> None:
    data = synthetic.dataset().drop_dims(["ligament", "contact", "force", "profile", "measure"])
    found = summary(data)
    assert (found.ligaments, found.contacts, found.measures) == ((), (), ())
    assert [section.title for section in found.sections()] == [""]
    assert "0.05 s" in str(found)


def test_an_empty_run() -> None:
    found = summary(synthetic.dataset().isel(time=slice(0, 0)), steps=0)
    assert (found.duration, found.samples) == (0.0, 0)
    assert str(found)


def test_the_table_lines_up() -> None:
    lines = str(summary()).splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("Ligament"))
    head, rule, acl, pcl = lines[start : start + 4]
    assert rule.startswith("-" * len("PCL/posterior") + "  ")
    ends = [
        head.index("peak strain [%]") + len("peak strain [%]"),
        head.index("peak force [N]") + len("peak force [N]"),
    ]
    assert [acl[:end].endswith(text) for end, text in zip(ends, ["  4.1", "  160.5"], strict=True)] == [
        True,
        True,
    ]
    assert [pcl[:end].endswith(text) for end, text in zip(ends, [" 20.1", "  4005"], strict=True)] == [
        True,
        True,
    ]
    assert not any(line.endswith(" ") for line in lines)


@pytest.mark.parametrize(
    "text", ["restitution asked", "0.7194", "lankarani-nikravesh", "500; 2 events; 2004 evaluations"]
)
def test_what_a_person_looks_for_is_there(text: str) -> None:
    assert text in str(summary())


def test_the_dictionary_is_json() -> None:
    found = json.loads(json_text(summary().as_dict()))
    assert found["contacts"]["tibiofemoral"]["restitution"] == {
        "law": "lankarani-nikravesh",
        "asked": 0.5,
        "delivered": 0.7194,
    }
    assert found["ligaments"]["ACL"]["broken_time"] is None
    assert found["measures"]["flexion"]["unit"] == "deg"
    assert found["audit"]["passed"] is True
