"""Surfaces of bodies with what is told on their faces, bounded so that a page stays small and moves freely.

surface   name, body, through (whether it is drawn so that one sees what touches it), faces_told (faces in the results),
          vertices (n, 3) in the body's frame [m], faces (m, 3), touched (drawn faces that ever bear pressure),
          pressure (frame, touched) and wear (m) in steps of their largest values
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from condyle.view.columns import Array
from condyle.view.packing import packed, stepped
from condyle.view.run import Run

Whole = NDArray[np.intp]
# Faces drawn of all surfaces together; the viewer takes about 1.5 us for each at every instant.
FACE_LIMIT = 40_000
# Bytes of pressures, and frames of them; a page of the limits has some 12 MB, 5 of them the viewer.
FIELD_BYTES, FRAME_LIMIT = 4_000_000, 400
CREASE = 0.85  # cosine between the normals of a face and of its vertex, below which an edge is sharp


@dataclass(frozen=True)
class Surface:
    """One mesh: vertices (n, 3) [m], faces (m, 3), and which faces of the dataset these are, out of `told`."""

    name: str
    body: str
    vertices: Array
    faces: Whole
    numbers: Whole
    told: int


def surfaces(run: Run) -> list[Surface]:
    """All surfaces of the results, drawn with at most FACE_LIMIT faces."""
    data = run.dataset
    if "surface_face" not in data or not data.sizes.get("face", 0):
        return []
    vertices = np.asarray(data["surface_vertex"].transpose("vertex", "axis").values, dtype=float)
    faces = np.asarray(data["surface_face"].transpose("face", "corner").values, dtype=np.intp)
    owners, share = data["face_surface"].values, min(1.0, FACE_LIMIT / len(faces))
    bodies = [str(name) for name in data["surface_body"].values]
    found = []
    for k, (name, body) in enumerate(zip(run.labels("surface"), bodies, strict=True)):
        numbers = np.flatnonzero(owners == k)
        if numbers.size:
            most = max(50, int(share * numbers.size))
            kept_vertices, kept_faces, kept = coarsened(vertices, faces[numbers], most)
            found.append(Surface(name, body, kept_vertices, kept_faces, numbers[kept], numbers.size))
    return found


def coarsened(vertices: Array, faces: Whole, most: int) -> tuple[Array, Whole, Whole]:
    """Vertices in use, faces, and which faces these were: all of them, or fewer with vertices joined cell by cell.

    A face that stays keeps its number, so that what is told on it is still its own.
    """
    used, local = np.unique(faces, return_inverse=True)
    points, corners = vertices[used], local.reshape(faces.shape)
    if len(faces) <= most:
        return points, corners, np.arange(len(faces))
    extent = float(np.ptp(points, axis=0).max()) or 1.0
    # A surface in n cells along its side has some 4 n^2 faces left; halve until they are few enough.
    cells = 2.0 * np.sqrt(most)
    while True:
        places = np.round((points - points.min(axis=0)) * (cells / extent)).astype(np.int64)
        _, first, joined = np.unique(places, axis=0, return_index=True, return_inverse=True)
        merged = joined.reshape(-1)[corners]
        flat = (merged == np.roll(merged, 1, axis=1)).any(axis=1)
        _, kept = np.unique(np.sort(merged[~flat], axis=1), axis=0, return_index=True)
        kept = np.sort(np.flatnonzero(~flat)[kept])
        if len(kept) <= most or cells < 2.0:
            return points[first], merged[kept], kept
        cells *= 0.8


def creased(vertices: Array, faces: Whole) -> tuple[Array, Whole]:
    """The same faces with vertices of their own along sharp edges, where one normal would smear the light."""
    sides = vertices[faces]
    normals = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    mean = np.zeros_like(vertices)
    for corner in range(3):
        np.add.at(mean, faces[:, corner], normals)
    units = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    means = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-300)
    bent = np.einsum("fcd,fd->fc", means[faces], units) < CREASE
    # Faces at a sharp vertex that look the same way, to a coarse direction, share a vertex.
    looks = np.where(bent, (np.round(units * 1.5) @ [1.0, 3.0, 9.0])[:, None] + 14.0, 0.0)
    keys = np.stack([faces, looks.astype(np.intp)], axis=-1).reshape(-1, 2)
    found, place = np.unique(keys, axis=0, return_inverse=True)
    return vertices[found[:, 0]], place.reshape(faces.shape)


def largest_field(run: Run, name: str) -> float:
    """Largest value of a field on faces; zero without one."""
    if name not in run.dataset:
        return 0.0
    values = run.dataset[name].values
    return float(np.nanmax(values)) if values.size and np.isfinite(values).any() else 0.0


def frame_rows(run: Run, made: list[Surface]) -> Whole:
    """Rows of the results whose pressures the page takes along: even steps, and the row of the highest one."""
    count = run.dataset.sizes["time"]
    if "face_pressure" not in run.dataset or not made:
        return np.zeros(0, dtype=np.intp)
    field = run.dataset["face_pressure"].transpose("time", "face").values
    told = max(1, sum(int((field[:, one.numbers] > 0.0).any(axis=0).sum()) for one in made))
    frames = int(np.clip(FIELD_BYTES // told, 2, FRAME_LIMIT))
    if count <= frames:
        return np.arange(count)
    highest = int(np.nanargmax(np.nan_to_num(field).max(axis=1)))
    even = np.linspace(0, count - 1, frames - 1).round().astype(np.intp)
    return np.unique(np.append(even, highest))


def drawn(run: Run, one: Surface, rows: Whole, through: bool) -> dict[str, Any]:
    """A surface as the page takes it."""
    vertices, faces = creased(one.vertices, one.faces)
    found: dict[str, Any] = {
        "name": one.name,
        "body": one.body,
        "through": through,
        "faces_told": one.told,
        "vertices": packed(vertices, "f4"),
        "faces": packed(faces, "u4"),
        "touched": None,
        "wear": None,
    }
    if "face_pressure" in run.dataset:
        field = run.dataset["face_pressure"].transpose("time", "face").values[np.ix_(rows, one.numbers)]
        touched = np.flatnonzero((field > 0.0).any(axis=0))
        pressed = stepped(field[:, touched], largest_field(run, "face_pressure"))
        found |= {"touched": packed(touched, "u4"), "pressure": packed(pressed, "u1")}
    if "face_wear" in run.dataset:
        worn = stepped(run.dataset["face_wear"].values[one.numbers], largest_field(run, "face_wear"))
        found["wear"] = packed(worn, "u1") if worn.any() else None
    return found


def bears_pressure(run: Run, made: list[Surface]) -> set[str]:
    """Bodies whose surfaces ever bear pressure in the results."""
    if "face_pressure" not in run.dataset:
        return set()
    field = run.dataset["face_pressure"].transpose("time", "face").values
    pressed = np.any(field > 0.0, axis=0, keepdims=True)[0]
    return {one.body for one in made if pressed[one.numbers].any()}
