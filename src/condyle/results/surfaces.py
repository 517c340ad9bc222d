"""Surfaces and foundations of a model in space, as labelled numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from condyle.contact.foundation import pair as columns
from condyle.contact.foundation.pressure import BOTH
from condyle.mechanics.system import PATCHES, Array
from condyle.model.compiled import CompiledModel
from condyle.model.surfaces import WITHOUT_PARTS, SpaceSurfaces
from condyle.results.observed import Observed


def kept_patches(surfaces: SpaceSurfaces | None) -> list[int]:
    """Which rows of all patches are told: a contact without parts has one that says the same as the whole."""
    names = [] if surfaces is None else surfaces.patch_names
    return [k for k, name in enumerate(names) if not name.endswith(WITHOUT_PARTS)]


def contact_names(model: CompiledModel) -> list[str]:
    """Names of contacts: a contact's own, then contact/part."""
    surfaces = model.surfaces
    return [] if surfaces is None else [surfaces.patch_names[k] for k in kept_patches(surfaces)]


def contact_values(seen: Observed) -> dict[str, Array]:
    """Loads, centres of pressure, areas, pressures and depths of all foundations and their parts."""
    kept = kept_patches(seen.trajectory.model.surfaces)

    def of(column: int, count: int = 1) -> Array:
        found = seen.of(PATCHES, *range(column, column + count))[:, kept]
        return np.asarray(found)

    force = of(columns.PAIR_FORCE, 3)
    size = np.linalg.norm(force, axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        normal = force / size[..., None]
    depth, time = of(columns.PAIR_DEPTH), seen.trajectory.time
    peaks = {
        "peak_contact_depth": depth.max(axis=0, initial=0.0),
        "peak_contact_depth_time": time[depth.argmax(axis=0)] if depth.size else np.zeros(0),
        "peak_contact_force": size.max(axis=0, initial=0.0),
        "peak_contact_force_time": time[size.argmax(axis=0)] if size.size else np.zeros(0),
    }
    return peaks | {
        "contact_force": force,
        "contact_moment": of(columns.PAIR_MOMENT, 3),
        "contact_point": of(columns.PAIR_POINT, 3),
        "contact_normal": normal,
        "contact_normal_force": size,
        "contact_compression": of(columns.PAIR_LOAD),
        "contact_area": of(columns.PAIR_AREA),
        "contact_mean_pressure": of(columns.PAIR_MEAN),
        "contact_peak_pressure": of(columns.PAIR_PEAK),
        "contact_depth": depth,
    }


def surface_values(seen: Observed) -> dict[str, NDArray[Any]]:
    """Triangles of all surfaces, and the pressure on each, of all contacts that it takes part in."""
    model = seen.trajectory.model
    surfaces = model.surfaces
    if surfaces is None or not surfaces.names:
        return {}
    meshes = list(surfaces.meshes.values())
    vertices = np.cumsum([0, *(mesh.n_vertex for mesh in meshes)])
    faces = np.cumsum([0, *(mesh.n_face for mesh in meshes)])
    pressure = np.zeros((len(seen.work), faces[-1]), dtype=np.float32)
    begin = 0
    for pair in surfaces.pairs:
        weight = 0.5 if pair.integrated == BOTH else 1.0
        for number in pair.surfaces:
            mesh, at = meshes[number], faces[number]
            force = seen.face_force[:, begin : begin + mesh.n_face]
            area = np.where(mesh.face_areas > 0.0, mesh.face_areas, 1.0)
            pressure[:, at : at + mesh.n_face] += (weight * force / area).astype(np.float32)
            begin += mesh.n_face
    worn = _worn(seen, faces) if seen.wear is not None else {}
    numbers = range(len(meshes))
    layers = [surface.layer for surface in model.spec.model.surfaces.values()]
    return {
        "surface_layer": np.array([np.nan if layer is None else layer.thickness for layer in layers]),
        "surface_vertex": np.concatenate([mesh.vertices for mesh in meshes]),
        "surface_face": np.concatenate([mesh.faces + vertices[k] for k, mesh in enumerate(meshes)]),
        "vertex_surface": np.repeat(numbers, [mesh.n_vertex for mesh in meshes]),
        "face_surface": np.repeat(numbers, [mesh.n_face for mesh in meshes]),
        "face_part": np.concatenate([mesh.part for mesh in meshes]),
        "face_pressure": pressure,
        **worn,
    }


def _worn(seen: Observed, faces: NDArray[Any]) -> dict[str, Array]:
    """Depths worn away of all faces, and volumes of all contacts by faces and by centres of pressure."""
    surfaces = seen.trajectory.model.surfaces
    if surfaces is None or seen.wear is None:
        return {}
    meshes, begin = list(surfaces.meshes.values()), 0
    depth = np.zeros(faces[-1])
    for pair in surfaces.pairs:
        for number in pair.surfaces:
            mesh, at = meshes[number], faces[number]
            depth[at : at + mesh.n_face] += seen.wear.depth[begin : begin + mesh.n_face]
            begin += mesh.n_face
    kept = kept_patches(surfaces)
    return {
        "face_wear": depth,
        "wear_volume": seen.wear.by_face[kept],
        "wear_volume_by_centre": seen.wear.by_centre[kept],
    }


def surface_labels(model: CompiledModel) -> dict[str, Any]:
    """Names of surfaces, of the bodies that carry them, and of the bodies of contacts."""
    surfaces = model.surfaces
    if surfaces is None:
        return {}
    bodies = {name: pair.bodies for pair in surfaces.pairs for name in pair.patch_names}
    return {
        "surface": surfaces.names,
        "surface_body": ("surface", [surfaces.bodies[name] for name in surfaces.names]),
        "contact_body": (("contact", "side"), [bodies[name] for name in contact_names(model)]),
    }
