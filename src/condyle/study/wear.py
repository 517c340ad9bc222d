"""Wear in blocks of cycles: after each block the surfaces are worn down, and the next one runs on what is left.

A folder holds a folder for each block: `block-0` the model as it begins, `block-1` the results of the first block, the
surfaces worn by it as STL files, and the model that goes on with them; and so on. A model file is written last, so a
study that was stopped goes on from the last block that has one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from condyle.geometry.mesh.files import write_stl
from condyle.geometry.mesh.operations import worn_down
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.model.spec import Spec, load
from condyle.results import Results, read_results
from condyle.results.files import filling, write_text
from condyle.results.progress import bar
from condyle.results.simulation import simulate
from condyle.spec.errors import Problem, SpecError

MODEL = "model.yaml"
# What a surface of a file keeps; where and how it is placed is in the file already.
KEPT = ("layer", "smooth", "closed")


def worn(
    spec: Spec,
    blocks: int,
    directory: str | os.PathLike[str],
    progress: bool | Callable[[float], None] | None = None,
) -> list[Results]:
    """Run a model in blocks of cycles, its surfaces worn down after each; the results of all blocks.

    Each block has its part of the cycles of `contacts.NAME.wear`; the wear of its run is taken for all of them. Where
    the folder holds a part of the same study, that is not run again.

    Parameters
    ----------
    spec : a model with a contact that asks for its wear.
    blocks : in how many the cycles are parted; more follow the shape more closely.
    directory : where the study is kept: for each block results, worn surfaces as STL files [m] in their bodies' frames,
        and the model that goes on with them.
    progress : True shows a bar on a terminal; a function hears the part that is done, from 0 to 1.
    """
    place = Path(directory)
    now = _begun(spec, blocks, place)
    found: list[Results] = []
    with bar(spec.name) if progress is True else nullcontext(progress or None) as told:
        for k in range(blocks):
            folder = place / f"block-{k + 1}"
            if (folder / MODEL).is_file():
                found.append(read_results(folder))
            else:
                found.append(simulate(now, None if told is None else _share(told, k, blocks)))
                _keep(now, found[-1], folder)
            if not found[-1].complete:
                break
            now = load(folder / MODEL)
    return found


def _share(told: Callable[[float], None], k: int, count: int) -> Callable[[float], None]:
    return lambda done: told((k + done) / count)


def _begun(spec: Spec, blocks: int, place: Path) -> Spec:
    """The model of the first block, in its folder; refused where another study is there."""
    wears = {
        f"contacts.{name}.wear.cycles": one.wear for name, one in spec.model.foundations.items() if one.wear
    }
    if not wears:
        told = "none asks for its wear; give a foundation wear: {factor: ..., cycles: ...}"
        raise SpecError([Problem("contacts", told)])
    if blocks < 1:
        raise SpecError([Problem("blocks", f"expected 1 or more; got {blocks}")])
    begun = spec.updated({path: wear.cycles / blocks for path, wear in wears.items()})
    file = place / "block-0" / MODEL
    if file.is_file():
        if file.read_text(encoding="utf-8") != begun.to_yaml():
            told = "holds a study of another model or of other blocks; name another folder"
            raise SpecError([Problem(str(place), told)])
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        _copy_files(begun, file.parent)
        write_text(file, begun.to_yaml())
    return load(file)


def _keep(spec: Spec, results: Results, folder: Path) -> None:
    """Write what a block found, the surfaces it wore down, and last the model that goes on."""
    changes: dict[str, Any] = {}
    with filling(folder) as part:
        results.save(part)
        if results.complete:
            _copy_files(spec, part)
            for name, mesh in worn_surfaces(results):
                write_stl(mesh, part / f"{name}-{folder.name}.stl")
                changes[f"surfaces.{name}"] = _from_file(spec, results, name, f"{name}-{folder.name}.stl")
    if results.complete:
        changes |= _closed_up(spec, results)
        write_text(folder / MODEL, replace(spec, folder=folder).updated(changes).to_yaml())


def worn_surfaces(results: Results) -> Iterator[tuple[str, SurfaceMesh]]:
    """Surfaces that lost something in a run, by name, as they are after it, in their bodies' frames."""
    data = results.dataset
    places, faces = data["surface_vertex"].values, data["surface_face"].values
    for k, name in enumerate(data["surface"].values):
        own, first = data["face_surface"].values == k, int(np.argmax(data["vertex_surface"].values == k))
        depth = data["face_wear"].values[own]
        if depth.any():
            used = places[data["vertex_surface"].values == k]
            yield str(name), worn_down(SurfaceMesh(used, faces[own] - first), depth)


def _from_file(spec: Spec, results: Results, name: str, file: str) -> dict[str, Any]:
    """The declaration of a surface that is now in a file, in the frame of the body that carries it."""
    given = spec.data["surfaces"][name]
    body = str(results.dataset["surface_body"].sel(surface=name).item())
    return {"body": body, "file": file} | {key: given[key] for key in KEPT if key in given}


def _closed_up(spec: Spec, results: Results) -> dict[str, Any]:
    """Bodies moved after what gave way, where a run seeks its start: nothing holds what hangs in the air."""
    if spec.model.run.start != "equilibrium":
        return {}
    data, changes = results.dataset, {}
    for name, contact in spec.model.foundations.items():
        first, second = (str(body) for body in data["contact_body"].sel(contact=name).values)
        deepest = float(data["face_wear"].max())
        force = data["contact_force"].sel(contact=name).isel(time=0).values
        if contact.wear is None or not force.any():
            continue
        moving, sign = (second, 1.0) if spec.model.bodies[first].fixed else (first, -1.0)
        moved = np.array(spec.model.bodies[moving].position) + sign * deepest * force / np.linalg.norm(force)
        changes[f"bodies.{moving}.position"] = moved.tolist()
    return changes


def _copy_files(spec: Spec, folder: Path) -> None:
    """Copy the files that a model names, so that a model file in another folder finds them."""
    for name in sorted(set(_named_files(spec.data))):
        if spec.folder is not None and (spec.folder / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(spec.folder / name, folder / name)


def _named_files(tree: Any) -> Iterator[str]:
    """Values of all fields `file`."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            if key == "file" and isinstance(value, str):
                yield value
            else:
                yield from _named_files(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _named_files(value)
