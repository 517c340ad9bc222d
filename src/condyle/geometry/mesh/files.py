"""Surfaces from and to files."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from condyle._files import replacing
from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.geometry.mesh.vtp import vtp_triangles
from condyle.geometry.points_file import METRES

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

LARGEST_FILE = 500_000_000
MAX_FACES = 5_000_000


def read_mesh(path: str | Path, unit: str = "m") -> SurfaceMesh:
    """The surface in an STL, PLY, OBJ or VTP file, as it stands there; polygons are cut into triangles.

    `unit` says in what the file counts, which none of these formats tells: m, cm or mm. An STL file repeats the
    corners of neighbours: `checked_mesh` puts them together, mends what can be mended and refuses the rest. At
    most 500 MB and 5 million faces. Errors name the file.
    """
    path = Path(path)
    readers: dict[str, Callable[[bytes], tuple[Array, Indices]]] = {
        ".stl": lambda content: _trimesh_triangles(content, "stl"),
        ".ply": lambda content: _trimesh_triangles(content, "ply"),
        # Names and remarks in other alphabets change no triangle.
        ".obj": lambda content: _trimesh_triangles(content.decode("utf-8", "replace").encode(), "obj"),
        ".vtp": vtp_triangles,
    }
    kind = path.suffix.lower()
    if kind not in readers:
        raise MeshError(
            f"{path.name}: a surface is read from {', '.join(readers)}, not from {kind or 'no'} files"
        )
    factor = _factor(path, unit)
    content = _content(path)
    try:
        vertices, faces = readers[kind](content)
        _refuse_too_many(len(faces))
        return SurfaceMesh(vertices * factor, faces)
    except MeshError as error:
        raise MeshError(f"{path.name}: {error}", error.count) from None
    except Exception as error:  # what a stranger's file makes of a library is anybody's guess
        raise MeshError(f"{path.name}: no {kind[1:].upper()} file, or a damaged one ({error})") from error


def write_stl(mesh: SurfaceMesh, path: str | Path, unit: str = "m") -> Path:
    """Write a binary STL file in `unit` (m, cm or mm), whole or not at all.

    The format keeps single precision, and no parts.
    """
    path = Path(path)
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    records = np.zeros(mesh.n_face, dtype=record)
    records["normal"] = mesh.face_normals
    records["corners"] = mesh.corners / _factor(path, unit)
    # A header that began with "solid" would be taken for a text.
    header = f"Condyle surface, unit {unit}".encode().ljust(80) + struct.pack("<I", mesh.n_face)
    with replacing(path) as part:
        part.write_bytes(header + records.tobytes())
    return path


def _factor(path: Path, unit: str) -> float:
    if unit not in METRES:
        raise MeshError(f"{path.name}: no unit {unit!r} for a surface; use m, cm or mm")
    return METRES[unit]


def _content(path: Path) -> bytes:
    if not path.is_file():
        raise MeshError(f"{path.name}: no such file")
    try:
        # One byte more than allowed tells that there is more, whatever the file's size claims to be.
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise MeshError(f"{path.name}: cannot be read, {error.strerror}") from None
    if len(content) > LARGEST_FILE:
        raise MeshError(f"{path.name}: larger than {LARGEST_FILE / 1e6:g} MB")
    return content


def _refuse_too_many(n_face: int) -> None:
    if n_face > MAX_FACES:
        raise MeshError(f"{n_face} faces, {MAX_FACES} at most are read: decimate the surface", n_face)


def _refuse_short_stl(content: bytes) -> None:
    """A binary STL file says how many faces it has; where that is wrong trimesh looks for a text instead."""
    if content[:5].lower() == b"solid" or len(content) < 84:
        return
    said, held = int.from_bytes(content[80:84], "little"), (len(content) - 84) / 50
    if said != held:
        raise MeshError(f"says it has {said} faces, and holds {held:g}: the file is damaged or cut short")


def _trimesh_triangles(content: bytes, kind: str) -> tuple[Array, Indices]:
    """Vertices and faces, read by trimesh from memory: no other file, such as a texture, can be opened."""
    import trimesh

    if kind == "stl":
        _refuse_short_stl(content)
    mesh = trimesh.load_mesh(
        io.BytesIO(content), file_type=kind, process=False, skip_materials=True, maintain_order=True
    )
    if len(mesh.faces) == 0:
        raise MeshError("no faces in the file", 0)
    return np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces, dtype=np.int64)
