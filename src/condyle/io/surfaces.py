"""Surfaces of spatial results where their bodies are, with the pressure on their faces, as ParaView opens them."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from condyle.io.columns import labels
from condyle.math.orientations import rotation_matrices

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]
_TYPES = {"f8": "Float64", "f4": "Float32", "i8": "Int64", "i4": "Int32", "u1": "UInt8"}
_TRIANGLE = 5  # as VTK counts kinds of cells


class Surfaces(NamedTuple):
    """All surfaces of some results.

    vertices (n_vertex, 3) in the frames of the bodies that carry them, vertex_body (n_vertex,), faces (n_face, 3),
    face_surface (n_face,), position (n_frame, n_body, 3), rotation (n_frame, n_body, 3, 3), pressure (n_frame, n_face)
    or None, wear (n_face,) or None.
    """

    vertices: Array
    vertex_body: NDArray[np.intp]
    faces: NDArray[np.int64]
    face_surface: NDArray[np.int32]
    position: Array
    rotation: Array
    pressure: NDArray[np.float32] | None
    wear: Array | None

    def points(self, at: int) -> Array:
        """Vertices in the global frame [m], shape (n_vertex, 3)."""
        turned = np.einsum("vij,vj->vi", self.rotation[at][self.vertex_body], self.vertices)
        return np.asarray(turned + self.position[at][self.vertex_body])


def has_surfaces(dataset: xr.Dataset) -> bool:
    """Whether there are surfaces to be written."""
    return "surface_face" in dataset and "orientation" in dataset and dataset.sizes.get("face", 0) > 0


def surfaces(dataset: xr.Dataset) -> Surfaces:
    """The surfaces of spatial results."""
    bodies = labels(dataset, "body")
    carriers = np.array([bodies.index(str(name)) for name in dataset["surface_body"].values], dtype=np.intp)
    pressure, wear = (dataset.get(name) for name in ("face_pressure", "face_wear"))
    return Surfaces(
        vertices=dataset["surface_vertex"].transpose("vertex", "axis").values,
        vertex_body=carriers[dataset["vertex_surface"].values],
        faces=dataset["surface_face"].transpose("face", "corner").values.astype(np.int64),
        face_surface=dataset["face_surface"].values.astype(np.int32),
        position=dataset["position"].transpose("time", "body", "axis").values,
        rotation=rotation_matrices(dataset["orientation"].transpose("time", "body", "quaternion").values),
        pressure=None if pressure is None else pressure.transpose("time", "face").values.astype(np.float32),
        wear=None if wear is None else wear.values,
    )


def surface_vtp(told: Surfaces, at: int) -> str:
    """The surfaces at one output time as PolyData."""
    count = len(told.faces)
    others = " ".join(f'NumberOf{kind}="0"' for kind in ("Verts", "Lines", "Strips"))
    head = f'<Piece NumberOfPoints="{len(told.vertices)}" {others} NumberOfPolys="{count}">'
    return _file(
        "PolyData", [head, *_points(told, at), "<Polys>", *_cells(told), "</Polys>", *_data(told, at)]
    )


def surface_vtu(told: Surfaces, at: int) -> str:
    """The surfaces at one output time as an UnstructuredGrid of triangles."""
    count = len(told.faces)
    head = f'<Piece NumberOfPoints="{len(told.vertices)}" NumberOfCells="{count}">'
    kinds = _numbers("types", np.full(count, _TRIANGLE, dtype=np.uint8))
    cells = ["<Cells>", *_cells(told), kinds, "</Cells>"]
    return _file("UnstructuredGrid", [head, *_points(told, at), *cells, *_data(told, at)])


def write_vtu(dataset: xr.Dataset, folder: Path) -> None:
    """Write `surfaces.pvd` and, under `frames/`, all surfaces where they are at every output time.

    Faces carry the pressure [Pa], the worn depth [m] where wear was asked for, and the number of their surface.
    """
    told = surfaces(dataset)
    (folder / "frames").mkdir()
    entries = []
    for at, time in enumerate(dataset["time"].values.tolist()):
        file = f"frames/surfaces_{at:05d}.vtu"
        (folder / file).write_text(surface_vtu(told, at), encoding="utf-8")
        entries.append(f'<DataSet timestep="{time!r}" part="0" name="surfaces" file="{file}"/>')
    (folder / "surfaces.pvd").write_text(_file("Collection", entries), encoding="utf-8")


def _points(told: Surfaces, at: int) -> list[str]:
    return ["<Points>", _numbers("points", told.points(at).astype(np.float32)), "</Points>"]


def _cells(told: Surfaces) -> list[str]:
    ends = 3 * np.arange(1, len(told.faces) + 1, dtype=np.int64)
    return [_numbers("connectivity", told.faces.reshape(-1)), _numbers("offsets", ends)]


def _data(told: Surfaces, at: int) -> list[str]:
    known = {"pressure": None if told.pressure is None else told.pressure[at], "wear": told.wear}
    arrays = [_numbers(name, values) for name, values in known.items() if values is not None]
    return ["<CellData>", *arrays, _numbers("surface", told.face_surface), "</CellData>", "</Piece>"]


def _file(kind: str, body: list[str]) -> str:
    head = f'<VTKFile type="{kind}" version="1.0" byte_order="LittleEndian" header_type="UInt64">'
    return "\n".join(['<?xml version="1.0"?>', head, f"<{kind}>", *body, f"</{kind}>", "</VTKFile>"]) + "\n"


def _numbers(name: str, values: NDArray[np.generic]) -> str:
    """An array in base64 after its length in bytes: a mesh has too many numbers to be written out."""
    plain = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
    width = f' NumberOfComponents="{values.shape[1]}"' if values.ndim == 2 else ""
    raw = np.array([plain.nbytes], dtype="<u8").tobytes() + plain.tobytes()
    text = base64.b64encode(raw).decode("ascii")
    kind = _TYPES[values.dtype.str[1:]]
    return f'<DataArray type="{kind}" Name="{name}"{width} format="binary">{text}</DataArray>'
