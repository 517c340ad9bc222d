"""Files for other programs hold the numbers of the dataset, under names and units one can find again."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import xarray as xr

from condyle.io import ExportError, export
from results import mechanisms, synthetic


def export_of(data: xr.Dataset, folder: Path, to: str, every: int | None = None) -> list[Path]:
    """Export looks at the dataset alone."""
    results: Any = SimpleNamespace(dataset=data)
    return export(results, folder, to, every)


def test_csv_reads_back_to_the_same_numbers(tmp_path: Path) -> None:
    data = synthetic.dataset()
    written = export_of(data, tmp_path / "out", "csv")
    assert [path.name for path in written] == ["outlines.csv", "timeseries.csv"]
    with (tmp_path / "out" / "timeseries.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == data.sizes["time"]

    def column(name: str) -> list[float]:
        return [float(row[name]) if row[name] else math.nan for row in rows]

    assert column("time [s]") == data["time"].values.tolist()
    assert column("position.tibia.y [m]") == data["position"].sel(body="tibia", axis="y").values.tolist()
    assert column("ligament_force.PCL/posterior [N]") == data["ligament_force"].values[:, 1].tolist()
    assert column("measure_value.flexion [deg]") == data["measure_value"].values[:, 0].tolist()
    point = data["contact_point"].sel(contact="tibiofemoral", axis="y").values
    np.testing.assert_array_equal(column("contact_point.tibiofemoral.y [m]"), point)
    assert np.isnan(point).any(), "no open contact: empty cells were not tried"
    assert not any("nan" in entry for row in rows for entry in row.values())


def test_csv_outlines_leave_the_padding_out(tmp_path: Path) -> None:
    export_of(synthetic.dataset(), tmp_path, "csv")
    with (tmp_path / "outlines.csv").open(newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["profile"] == "plateau"]
    assert [(row["body"], float(row["x [m]"]), float(row["y [m]"])) for row in rows] == [
        ("tibia", 0.03, 0.26),
        ("tibia", -0.03, 0.26),
    ]


def read_sto(path: Path) -> tuple[dict[str, str], list[str], np.ndarray]:
    """Header, names and numbers of a storage file."""
    lines = path.read_text().splitlines()
    end = lines.index("endheader")
    header = dict(line.split("=") for line in lines[1:end])
    numbers = np.array([[float(entry) for entry in line.split("\t")] for line in lines[end + 2 :]])
    return header, lines[end + 1].split("\t"), numbers


def test_sto_is_what_opensim_reads(tmp_path: Path) -> None:
    data = synthetic.dataset()
    data.attrs["title"] = "A knee\tof two\nlines"
    (path,) = export_of(data, tmp_path, "sto")
    assert path.read_text().splitlines()[0] == "A knee of two lines"
    header, names, numbers = read_sto(path)
    rows, columns = numbers.shape
    assert header == {"version": "1", "nRows": str(rows), "nColumns": str(columns), "inDegrees": "yes"}
    assert names[0] == "time"
    assert len(names) == columns == len(set(names))
    assert not any(character.isspace() for name in names for character in name)
    assert (np.diff(numbers[:, 0]) > 0.0).all()


def test_sto_has_degrees_and_metres(tmp_path: Path) -> None:
    data = synthetic.dataset()
    data["measure_unit"] = ("measure", ["mm"])
    (path,) = export_of(data, tmp_path, "sto")
    _, names, numbers = read_sto(path)
    angle = numbers[:, names.index("angle.tibia")]
    np.testing.assert_allclose(angle, np.degrees(data["angle"].sel(body="tibia").values), rtol=1e-14)
    length = numbers[:, names.index("measure_value.flexion")]
    np.testing.assert_allclose(length, 1e-3 * data["measure_value"].values[:, 0], rtol=1e-14)
    force = numbers[:, names.index("ligament_force.ACL")]
    np.testing.assert_array_equal(force, data["ligament_force"].values[:, 0])


def arrays(path: Path) -> dict[str, list[float]]:
    """All arrays of a PolyData file by name."""
    found = ET.parse(path).iter()
    return {
        e.attrib["Name"]: [float(n) for n in (e.text or "").split()] for e in found if e.tag.endswith("Array")
    }


def test_vtk_frames_by_the_collection(tmp_path: Path) -> None:
    data = synthetic.dataset()
    export_of(data, tmp_path, "vtk", every=10)
    entries = list(ET.parse(tmp_path / "results.pvd").iter("DataSet"))
    times = [float(entry.attrib["timestep"]) for entry in entries if entry.attrib["part"] == "0"]
    assert times == data["time"].values[::10].tolist()
    assert all((tmp_path / entry.attrib["file"]).is_file() for entry in entries)
    assert len(list((tmp_path / "frames").iterdir())) == len(entries) == 3 * len(times)


def test_vtk_ligaments_carry_their_data(tmp_path: Path) -> None:
    data = synthetic.dataset()
    export_of(data, tmp_path, "vtk")
    found = arrays(tmp_path / "frames" / "ligaments_00007.vtp")
    assert found["strain"] == data["ligament_strain"].values[7].tolist()
    assert found["force"] == data["ligament_force"].values[7].tolist()
    assert found["points"] == data["ligament_point"].values[7].ravel().tolist()
    assert (found["connectivity"], found["offsets"]) == ([0, 1, 2, 3], [2, 4])
    text = bytes(int(byte) for byte in found["name"]).decode()
    assert text.split("\0")[:-1] == synthetic.LIGAMENTS


def test_vtk_outlines_move_with_their_bodies(tmp_path: Path) -> None:
    data = synthetic.dataset()
    export_of(data, tmp_path, "vtk")
    found = arrays(tmp_path / "frames" / "bodies_00030.vtp")
    points = np.reshape(found["points"], (-1, 3))
    angle = data["angle"].values[30, 1]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    expected = turn @ [0.03, 0.26] + data["position"].values[30, 1, :2]
    assert abs(angle) > 0.1
    np.testing.assert_allclose(points[24, :2], expected, rtol=1e-14)
    assert found["offsets"] == [24, 26]


def test_vtk_contact_force_is_a_vector_while_in_contact(tmp_path: Path) -> None:
    data = synthetic.dataset()
    export_of(data, tmp_path, "vtk")
    touching = arrays(tmp_path / "frames" / "contacts_00010.vtp")
    force = float(data["contact_normal_force"].values[10, 0])
    assert force > 1.0
    assert touching["force"] == [0.0, force, 0.0]
    assert arrays(tmp_path / "frames" / "contacts_00040.vtp")["points"] == []


def test_vtk_bounds_the_number_of_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("condyle.io.formats.FRAME_LIMIT", 10)
    export_of(synthetic.dataset(51), tmp_path, "vtk")
    assert len(list((tmp_path / "frames").glob("bodies_*"))) == 9  # every sixth of 51


def test_a_shorter_vtk_export_leaves_no_old_frames(tmp_path: Path) -> None:
    export_of(synthetic.dataset(), tmp_path, "vtk")
    (tmp_path / "frames" / "notes.txt").write_text("keep me")
    export_of(synthetic.dataset(), tmp_path, "vtk", every=25)
    assert len(list((tmp_path / "frames").iterdir())) == 3 * 3 + 1


def test_csv_of_a_mechanism_has_units_by_label_and_no_padding(tmp_path: Path) -> None:
    data = mechanisms.dataset()
    written = export_of(data, tmp_path, "csv")
    assert [path.name for path in written] == ["beams.csv", "timeseries.csv"]
    with (tmp_path / "timeseries.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    effort = [float(row["spring_effort.coil [N m]"]) for row in rows]
    assert effort == data["spring_effort"].sel(spring="coil").values.tolist()
    heads = set(rows[0])
    assert {
        "joint_force.guide.x [N]",
        "joint_torque.guide [N m]",
        "joint_point.pin.y [m]",
        "driver_effort.motor [N m]",
        "spring_extent.buffer [m]",
        "spring_extent.coil [rad]",
        "spring_effort.buffer [N]",
        "beam_bending_moment.rod.4 [N m]",
        "beam_surface_strain.reed.2 [1]",
    } <= heads
    # The reed has three stations, the rod five.
    assert not [head for head in heads if ".reed.3" in head or ".reed.4" in head]
    with (tmp_path / "beams.csv").open(newline="") as stream:
        places = [(row["beam"], row["station"], float(row["along [m]"])) for row in csv.DictReader(stream)]
    assert places[3:] == [
        ("rod", "3", float(data["beam_arc"][0, 3])),
        ("rod", "4", 0.4),
        *(("reed", str(k), 0.05 * k) for k in range(3)),
    ]


def test_sto_of_a_mechanism_has_coordinates_and_joint_forces_but_nothing_along_beams(tmp_path: Path) -> None:
    data = mechanisms.dataset()
    (path,) = export_of(data, tmp_path, "sto")
    _, names, numbers = read_sto(path)
    force = numbers[:, names.index("joint_force.pin.y")]
    np.testing.assert_array_equal(force, data["joint_force"].sel(joint="pin", axis="y").values)
    turn = numbers[:, names.index("spring_extent.coil")]
    np.testing.assert_allclose(turn, np.degrees(data["time"].values), rtol=1e-14)
    assert "driver_effort.motor" in names
    assert "angle.crank" in names
    assert not [name for name in names if name.startswith("beam")]


def test_vtk_of_a_mechanism(tmp_path: Path) -> None:
    data = mechanisms.dataset()
    export_of(data, tmp_path, "vtk", every=10)
    parts = {entry.attrib["name"] for entry in ET.parse(tmp_path / "results.pvd").iter("DataSet")}
    assert parts == {"bodies", "ligaments", "contacts", "beams", "springs", "joints"}
    beams = arrays(tmp_path / "frames" / "beams_00001.vtp")
    # Five stations of the rod, three of the reed, none of what only fills up the table.
    assert beams["offsets"] == [5, 8]
    rod = data["beam_position"].sel(beam="rod").values[10]
    assert np.reshape(beams["points"], (-1, 3))[:5].tolist() == rod.tolist()
    assert beams["surface_strain"][:5] == data["beam_surface_strain"].sel(beam="rod").values[10].tolist()
    assert beams["bending_moment"][6] == pytest.approx(-3.0)
    assert len(beams["axial_force"]) == len(beams["axial_strain"]) == len(beams["curvature"]) == 8
    springs = arrays(tmp_path / "frames" / "springs_00002.vtp")
    assert springs["points"] == data["spring_point"].values[20].ravel().tolist()
    assert springs["effort"] == data["spring_effort"].values[20].tolist()
    joints = arrays(tmp_path / "frames" / "joints_00001.vtp")
    assert joints["force"][:3] == pytest.approx([3.0, 4.0, 0.0])
    assert joints["torque"] == data["joint_torque"].values[10].tolist()


def test_a_shorter_vtk_export_leaves_no_old_frames_of_beams(tmp_path: Path) -> None:
    export_of(mechanisms.dataset(), tmp_path, "vtk")
    export_of(mechanisms.dataset(), tmp_path, "vtk", every=20)
    assert len(list((tmp_path / "frames").iterdir())) == 3 * 6


def test_names_are_escaped(tmp_path: Path) -> None:
    data = synthetic.dataset().assign_coords(ligament=['A<"&>', "B, C"])
    export_of(data, tmp_path, "vtk", every=50)
    export_of(data, tmp_path, "csv")
    text = bytes(int(byte) for byte in arrays(tmp_path / "frames" / "ligaments_00000.vtp")["name"]).decode()
    assert text == 'A<"&>\0B, C\0'
    with (tmp_path / "timeseries.csv").open(newline="") as stream:
        assert "ligament_force.B, C [N]" in next(csv.reader(stream))


@pytest.mark.parametrize("to", ["csv", "sto", "vtk"])
def test_a_model_of_bodies_only(tmp_path: Path, to: str) -> None:
    data = synthetic.dataset().drop_dims(["ligament", "contact", "force", "measure", "profile"])
    assert export_of(data, tmp_path, to)


@pytest.mark.parametrize(
    ("to", "told"),
    [
        ("vtu", "fields on meshes.*formats that fit: csv, sto, vtk"),
        ("cvs", r"no format 'cvs' \(did you mean 'csv'\?\); formats that fit: csv, sto, vtk"),
        ("", "formats that fit"),
    ],
)
def test_an_unfit_format_says_which_fit(tmp_path: Path, to: str, told: str) -> None:
    with pytest.raises(ExportError, match=told):
        export_of(synthetic.dataset(), tmp_path, to)
    assert not list(tmp_path.iterdir())


def test_a_format_that_lacks_what_it_needs(tmp_path: Path) -> None:
    data = synthetic.dataset().drop_dims(["body", "profile"])
    with pytest.raises(ExportError, match="vtk does not fit these results; formats that fit: csv, sto"):
        export_of(data, tmp_path, "vtk")


def test_every_must_be_positive(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="every must be 1 or more, not 0"):
        export_of(synthetic.dataset(), tmp_path, "csv", every=0)


def test_a_failing_writer_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export_of(synthetic.dataset(11), tmp_path, "csv")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr("condyle.io.tables._write_outlines", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export_of(synthetic.dataset(21), tmp_path, "csv")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
