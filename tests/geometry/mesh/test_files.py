"""Surfaces read from files in all their forms, written, and refused."""

from __future__ import annotations

import base64
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from condyle.geometry.mesh import files
from condyle.geometry.mesh.files import read_mesh, write_stl
from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.repair import checked_mesh
from condyle.geometry.mesh.shapes import icosphere
from condyle.geometry.mesh.surface import SurfaceMesh

ASCII_STL = """solid two faces
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1e1 0 0
  vertex 0 10 0
 endloop
endfacet
facet normal 0 0 1
 outer loop
  vertex 10 0 0
  vertex 10 10 0
  vertex 0 10 0
 endloop
endfacet
endsolid two faces
"""
PLY = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 1
property list uchar int vertex_indices
end_header
0 0 0
10 0 0
10 10 0
0 10 0
4 0 1 2 3
"""
OBJ = """# a square
mtllib other.mtl
v 0 0 0
v 10 0 0
v 10 10 0
v 0 10 0
usemtl red
f 1 2 3 4
"""
VTP = """<?xml version="1.0"?>
<VTKFile type="PolyData" version="0.1" byte_order="LittleEndian">
<PolyData><Piece NumberOfPoints="4" NumberOfPolys="1">
<PointData><DataArray type="Float32" Name="heat" format="ascii">1 2 3 4</DataArray></PointData>
<Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">0 0 0 10 0 0 10 10 0 0 10 0
<InformationKey name="L2_NORM_RANGE"><Value index="0">7</Value></InformationKey></DataArray></Points>
<Polys><DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">4</DataArray></Polys>
</Piece></PolyData></VTKFile>
"""


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("name", "text"), [("a.stl", ASCII_STL), ("a.ply", PLY), ("a.obj", OBJ), ("a.VTP", VTP)]
)
def test_texts_that_are_read(tmp_path: Path, name: str, text: str) -> None:
    mesh = read_mesh(written(tmp_path, name, text), unit="mm")
    assert mesh.n_face == 2
    assert mesh.area == pytest.approx(1e-4, rel=1e-12)
    assert mesh.face_normals == pytest.approx(np.tile([0.0, 0.0, 1.0], (2, 1)))
    assert checked_mesh(mesh).mesh.n_vertex == 4


@pytest.mark.parametrize("unit", ["m", "cm", "mm"])
def test_stl_comes_back_as_it_was_written(tmp_path: Path, unit: str) -> None:
    mesh = icosphere(0.02, 2, (0.1, 0.2, 0.3))
    path = write_stl(mesh, tmp_path / "sphere.stl", unit)
    assert [entry.name for entry in tmp_path.iterdir()] == ["sphere.stl"]
    assert path.stat().st_size == 84 + 50 * mesh.n_face
    back = checked_mesh(read_mesh(path, unit), closed=True).mesh
    assert (back.n_face, back.n_vertex) == (mesh.n_face, mesh.n_vertex)
    assert back.corners == pytest.approx(mesh.corners, abs=3e-8)
    assert back.volume == pytest.approx(mesh.volume, rel=1e-5)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_stl(icosphere(0.02, 0), tmp_path / "sphere.stl")
    before = path.read_bytes()

    def full(place: Path, content: bytes) -> None:
        with place.open("wb") as file:
            file.write(content[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write_stl(icosphere(0.02, 3), path)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


# --- VTK's forms ---


def vtp_file(
    mesh: SurfaceMesh, form: str, *, compressed: bool, header: str = "UInt32", big: bool = False
) -> bytes:
    """A .vtp file: `form` is binary, raw or base64, the last two appended."""
    order = ">" if big else "<"
    arrays = [
        ("Points", "", "Float64", mesh.vertices.astype(order + "f8").tobytes()),
        ("Polys", "connectivity", "Int32", mesh.faces.astype(order + "i4").tobytes()),
        ("Polys", "offsets", "Int32", (3 * np.arange(1, mesh.n_face + 1)).astype(order + "i4").tobytes()),
    ]
    kind = order + {"UInt32": "u4", "UInt64": "u8"}[header]
    appended, body = b"", {"Points": b"", "Polys": b""}
    for parent, name, what, data in arrays:
        head, tail = np.array([len(data)], dtype=kind).tobytes(), data
        if compressed:
            blocks = [data[k : k + 1000] for k in range(0, len(data), 1000)]
            packed = [zlib.compress(block) for block in blocks]
            sizes = [len(blocks), 1000, len(data) % 1000, *map(len, packed)]
            head, tail = np.array(sizes, dtype=kind).tobytes(), b"".join(packed)
        text = (
            base64.b64encode(head) + base64.b64encode(tail) if compressed else base64.b64encode(head + tail)
        )
        place = (
            b'format="binary">' + text
            if form == "binary"
            else b'format="appended" offset="%d">' % len(appended)
        )
        appended += head + tail if form == "raw" else text
        start = f'<DataArray type="{what}" Name="{name}" NumberOfComponents="3" '.encode()
        body[parent] += start + place + b"</DataArray>"
    about = f'byte_order="{"BigEndian" if big else "LittleEndian"}" header_type="{header}"'
    about += ' compressor="vtkZLibDataCompressor"' if compressed else ""
    result = f'<VTKFile type="PolyData" {about}><PolyData><Piece><Points>'.encode() + body["Points"]
    result += b"</Points><Polys>" + body["Polys"] + b"</Polys></Piece></PolyData>"
    if form != "binary":
        result += f'<AppendedData encoding="{form}">\n _'.encode() + appended + b"\n</AppendedData>"
    return result + b"</VTKFile>"


@pytest.mark.parametrize("form", ["binary", "raw", "base64"])
@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize(("header", "big"), [("UInt32", False), ("UInt64", True)])
def test_all_forms_of_vtp(tmp_path: Path, form: str, compressed: bool, header: str, big: bool) -> None:
    mesh = icosphere(0.02, 2)
    content = vtp_file(mesh, form, compressed=compressed, header=header, big=big)
    back = read_mesh(written(tmp_path, "sphere.vtp", content))
    assert back.vertices.tolist() == mesh.vertices.tolist()
    assert back.faces.tolist() == mesh.faces.tolist()


# --- files that are refused ---

BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]>' + VTP.split("\n", 1)[1]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.stl", b"", "a.stl: "),
        (
            "a.stl",
            b"x" * 80 + struct.pack("<I", 1_000_000) + b"y" * 50,
            "a.stl: says it has 1000000 faces, and holds 1: the file",
        ),
        ("a.stl", "solid nothing\nendsolid nothing\n", "a.stl: "),
        ("a.stl", ASCII_STL.replace("1e1", "nan"), "a.stl: "),
        ("a.ply", PLY.replace("4 0 1 2 3", "4 0 1 2 9"), "a.ply: "),
        ("a.ply", "ply\nformat ascii 1.0\nend_header\n", "a.ply: "),
        ("a.obj", OBJ.replace("f 1 2 3 4", ""), "a.obj: no faces in the file"),
        ("a.vtp", BOMB, "a.vtp: a type or entity declaration"),
        ("a.vtp", VTP.replace("</Polys>", ""), "a.vtp: the XML breaks off"),
        (
            "a.vtp",
            VTP.replace("PolyData", "UnstructuredGrid"),
            "a.vtp: a VTK file of type 'UnstructuredGrid'",
        ),
        (
            "a.vtp",
            VTP.replace(">0 1 2 3<", ">0 1 2 4<"),
            "a.vtp: polygons name points that are not there, 0 to 3",
        ),
        ("a.vtp", VTP.replace(">4<", ">5<"), "a.vtp: the polygons' offsets"),
        ("a.vtp", VTP.replace("Float32", "Float16"), "a.vtp: an array of type 'Float16'"),
        ("a.vtp", VTP.replace("Polys>", "Strips>"), "a.vtp: each piece needs points, and polygons"),
        ("a.vtp", VTP.replace("0 0 0 10", "0 0 inf 10"), "a.vtp: 2 vertices are not finite"),
        ("a.vtp", "<a>" * 100, "a.vtp: elements inside elements"),
        ("a.step", "", "a.step: a surface is read from .stl, .ply, .obj, .vtp, not from .step files"),
        ("a", "", "a: a surface is read from .stl, .ply, .obj, .vtp, not from no files"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, name: str, content: str | bytes, message: str) -> None:
    with pytest.raises(MeshError) as caught:
        read_mesh(written(tmp_path, name, content))
    assert str(caught.value).startswith(message)


def test_a_compressed_array_that_grows_too_large_is_refused(tmp_path: Path) -> None:
    sizes = np.array([2, 2_000_000_000, 0, 10, 10], dtype="<u4").tobytes()
    content = vtp_file(icosphere(0.02, 0), "raw", compressed=True)
    at = content.index(b"\n _") + 3
    with pytest.raises(MeshError, match="4000000000 bytes, 1000000000 at most"):
        read_mesh(written(tmp_path, "a.vtp", content[:at] + sizes + content[at + len(sizes) :]))


def test_missing_and_large_files_and_unknown_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MeshError, match=r"b\.stl: no such file"):
        read_mesh(tmp_path / "b.stl")
    path = write_stl(icosphere(0.02, 1), tmp_path / "a.stl")
    with pytest.raises(MeshError, match=r"a\.stl: no unit 'in' for a surface; use m, cm or mm"):
        read_mesh(path, unit="in")
    monkeypatch.setattr(files, "MAX_FACES", 79)
    with pytest.raises(MeshError, match=r"a\.stl: 80 faces, 79 at most") as caught:
        read_mesh(path)
    assert caught.value.count == 80
    monkeypatch.setattr(files, "LARGEST_FILE", 100)
    with pytest.raises(MeshError, match=r"a\.stl: larger than"):
        read_mesh(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([".stl", ".ply", ".obj", ".vtp"]), st.data())
def test_damaged_files_are_read_or_refused_by_name(tmp_path: Path, kind: str, data: Any) -> None:
    whole = {".stl": ASCII_STL, ".ply": PLY, ".obj": OBJ}
    content = bytearray(
        whole[kind].encode() if kind in whole else vtp_file(icosphere(1.0, 0), "raw", compressed=True)
    )
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=4))
    path = written(tmp_path, "a" + kind, bytes(content))
    try:
        assert read_mesh(path).n_face > 0
    except MeshError as error:
        assert str(error).startswith("a" + kind)  # noqa: PT017 - either outcome is right


# --- a public knee ---


def data_folder() -> Path:
    place = os.environ.get("CONDYLE_DATA")
    return Path(place) if place else Path(__file__).parents[4] / "shared" / "data"


def test_the_surfaces_of_a_public_knee() -> None:
    folder = data_folder() / "jam-lenhart2015-knee" / "meshes"
    if not folder.is_dir():
        pytest.skip(
            f"no public knee in {folder}: CONDYLE_DATA names the folder that holds jam-lenhart2015-knee"
        )
    paths = sorted(folder.iterdir())
    assert len(paths) == 18
    for path in paths:
        checked = checked_mesh(read_mesh(path), path.name)
        assert 0.02 < np.ptp(checked.mesh.bounds, axis=0).max() < 0.12
        assert all("repeated or unused vertices" in note for note in checked.notes)
