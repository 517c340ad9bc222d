"""Surfaces as ParaView opens them, read back number by number."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from numpy.typing import NDArray

from condyle.io import export
from view.spatial import rolling_results

TYPES = {"Float64": "<f8", "Float32": "<f4", "Int64": "<i8", "Int32": "<i4", "UInt8": "u1"}


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    found = {}
    for node in ET.parse(path).getroot().iter("DataArray"):
        raw = base64.b64decode(node.text or "")
        assert int.from_bytes(raw[:8], "little") == len(raw) - 8
        found[node.attrib["Name"]] = np.frombuffer(raw[8:], dtype=TYPES[node.attrib["type"]])
    return found


@pytest.mark.parametrize(("to", "index"), [("vtk", "results.pvd"), ("vtu", "surfaces.pvd")])
def test_surfaces_move_with_their_bodies_and_carry_the_pressure(tmp_path: Path, to: str, index: str) -> None:
    results = rolling_results(samples=9, fine=6)
    data = results.dataset
    written = export(results, tmp_path, to)
    kind = "vtp" if to == "vtk" else "vtu"
    files = [path for path in written if path.name.startswith("surfaces_")]
    assert [path.name for path in files] == [f"surfaces_{k:05d}.{kind}" for k in range(9)]
    listed = [
        node.attrib
        for node in ET.parse(tmp_path / index).getroot().iter("DataSet")
        if node.attrib["name"] == "surfaces"
    ]
    assert [float(node["timestep"]) for node in listed] == data["time"].values.tolist()
    assert [tmp_path / node["file"] for node in listed] == files
    arrays = _arrays(files[2])
    np.testing.assert_array_equal(arrays["connectivity"].reshape(-1, 3), data["surface_face"].values)
    np.testing.assert_array_equal(arrays["offsets"], 3 * np.arange(1, data.sizes["face"] + 1))
    np.testing.assert_array_equal(arrays["pressure"], data["face_pressure"].values[2])
    np.testing.assert_array_equal(arrays["wear"], data["face_wear"].values)
    np.testing.assert_array_equal(arrays["surface"], data["face_surface"].values)
    # The ball has rolled by -1.5 rad about z, at the third of nine instants.
    place, angle = data["position"].sel(body="ball").values[2], -1.5
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    ball = data["vertex_surface"].values == 0
    points = arrays["points"].reshape(-1, 3)
    np.testing.assert_allclose(points[ball], data["surface_vertex"].values[ball] @ turn.T + place, atol=1e-8)
    np.testing.assert_allclose(points[~ball], data["surface_vertex"].values[~ball], atol=1e-8)
    if kind == "vtu":
        assert (arrays["types"] == 5).all()
        assert len(arrays["types"]) == data.sizes["face"]


def test_contacts_between_surfaces_carry_their_whole_force_and_pressure(tmp_path: Path) -> None:
    results = rolling_results(samples=5, fine=6)
    export(results, tmp_path, "vtk")
    root = ET.parse(tmp_path / "frames" / "contacts_00001.vtp").getroot()
    told = {node.attrib["Name"]: node.text or "" for node in root.iter("DataArray")}
    force = np.array(told["force"].split(), dtype=float).reshape(-1, 3)
    np.testing.assert_array_equal(force, results.dataset["contact_force"].values[1])
    peak = np.array(told["peak_pressure"].split(), dtype=float)
    np.testing.assert_array_equal(peak, results.dataset["contact_peak_pressure"].values[1])


def test_tables_leave_fields_on_faces_out(tmp_path: Path) -> None:
    (table,) = export(rolling_results(samples=3, fine=6), tmp_path, "csv")
    head = table.read_text().splitlines()[0]
    assert "orientation.ball.e0" in head
    assert "face_pressure" not in head


def test_a_shorter_export_leaves_no_old_frames(tmp_path: Path) -> None:
    export(rolling_results(samples=9, fine=6), tmp_path, "vtu")
    export(rolling_results(samples=3, fine=6), tmp_path, "vtu")
    assert len(list((tmp_path / "frames").glob("*.vtu"))) == 3
