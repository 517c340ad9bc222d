"""Whether what stands in a results file is what results are made of; a stranger's file may hold anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from condyle.results.audit import Audit
from condyle.results.variables import COUNTED, FIXED_LABELS, LABELLED, needed_of, variables_of

if TYPE_CHECKING:
    import xarray as xr

# Of the fields of an audit, by how their type is written.
_KINDS: dict[str, tuple[type, ...]] = {
    "float": (int, float),
    "float | None": (int, float, type(None)),
    "int": (int,),
    "bool": (bool,),
}


def check_dataset(dataset: xr.Dataset) -> None:
    """Raise ValueError with what is missing, of another shape, or no number."""
    _check_sizes(dataset)
    if "time" not in dataset.coords or dataset["time"].dims != ("time",):
        raise ValueError("no coordinate 'time'")
    _check_numbers(dataset["time"], ("time",))
    for dimension in map(str, dataset.dims):
        if dimension in dataset.coords and dimension != "time":
            _check_labels(dataset[dimension], dimension)
    for name, dims in LABELLED.items():
        if name in dataset.variables:
            _check_texts(dataset[name], dims)
    spatial = "orientation" in dataset
    for name, (dims, _, _) in variables_of(spatial).items():
        if name in dataset:
            _check_numbers(dataset[name], dims)
            _check_labelled(dataset, name, dims)
    _check_needed(dataset, spatial)
    if "surface_face" in dataset:
        _check_surfaces(dataset)


def checked_audit(values: object) -> Audit:
    """An audit whose fields are what they should be; raises ValueError with the one that is not."""
    if not isinstance(values, Mapping):
        raise ValueError("the audit is no mapping")  # noqa: TRY004  a file's mistake, told as one
    for field in fields(Audit):
        if field.name in values and not _fits(values[field.name], str(field.type)):
            raise ValueError(f"the audit's {field.name} is not what it should be")
    return Audit.from_dict(dict(values))


def checked(value: Any, kind: type, name: str) -> Any:
    """A value of a kind, whole numbers being numbers as well; raises ValueError with its name."""
    wanted = (int, float) if kind is float else (kind,)
    if not isinstance(value, wanted) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{name} is not what it should be")
    return value


def _fits(value: object, written: str) -> bool:
    """Whether a value is of the type that an audit's field is declared with."""
    if written.startswith("dict"):
        return isinstance(value, Mapping) and all(_fits(item, "float") for item in value.values())
    if written.startswith("tuple"):
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if written.endswith(" | None"):
        return value is None or _fits(value, written.removesuffix(" | None"))
    return isinstance(value, _KINDS[written]) and isinstance(value, bool) == (written == "bool")


def _check_surfaces(dataset: xr.Dataset) -> None:
    """Faces have three vertices that are there, surfaces have bodies that are there."""
    for name in ("surface_vertex", "surface_body", "face_surface", "vertex_surface"):
        if name not in dataset.variables:
            raise ValueError(f"no variable {name!r}")
    for name, dims, most in (
        ("surface_face", ("face", "corner"), dataset.sizes["vertex"]),
        ("face_surface", ("face",), dataset.sizes.get("surface", 0)),
        ("vertex_surface", ("vertex",), dataset.sizes.get("surface", 0)),
    ):
        values = dataset[name].values
        if dataset[name].dims != dims or dataset[name].dtype.kind not in "iu":
            raise ValueError(f"{name!r} does not count {dims[0]}s")
        if values.size and not 0 <= values.min() <= values.max() < most:
            raise ValueError(f"{name!r} names what is not there")
    if dataset.sizes["corner"] != 3:
        raise ValueError(f"'surface_face' has faces of {dataset.sizes['corner']} vertices, not 3")
    if set(dataset["surface_body"].values.tolist()) - set(dataset["body"].values.tolist()):
        raise ValueError("'surface_body' names bodies that are not there")


def _check_needed(dataset: xr.Dataset, spatial: bool) -> None:
    """What every reader relies on: a family whose labels are there has its variables."""
    for name, dims in needed_of(spatial).items():
        always = dims[1] in ("body", "kind")
        if name not in dataset.variables and (always or dims[1] in dataset.coords):
            raise ValueError(f"no variable {name!r}")
    if "outline" in dataset and "profile_body" not in dataset.variables:
        raise ValueError("no variable 'profile_body'")
    if "profile_body" in dataset.variables:
        strangers = set(dataset["profile_body"].values.tolist()) - set(dataset["body"].values.tolist())
        if strangers:
            raise ValueError("'profile_body' names bodies that are not there")


def _check_sizes(dataset: xr.Dataset) -> None:
    """A damaged file gives one dimension several sizes, which goes unseen while it is read."""
    sizes: dict[Any, int] = {}
    for name, variable in dataset.variables.items():
        for dimension, size in zip(variable.dims, variable.shape, strict=True):
            if sizes.setdefault(dimension, size) != size:
                raise ValueError(f"{name!r} has {size} of {dimension!r}, others {sizes[dimension]}")


def _check_numbers(variable: xr.DataArray, dims: tuple[str, ...]) -> None:
    if variable.dims != dims:
        raise ValueError(f"{variable.name!r} is over {_listed(variable.dims)}, not over {_listed(dims)}")
    if variable.dtype.kind not in "fiu":
        raise ValueError(f"{variable.name!r} is not made of numbers")


def _check_labelled(dataset: xr.Dataset, name: str, dims: tuple[str, ...]) -> None:
    bare = [dim for dim in dims if dim not in dataset.coords and dim not in COUNTED]
    if bare:
        raise ValueError(f"{name!r} is over {bare[0]!r}, which has no labels")


def _check_labels(labels: xr.DataArray, dimension: str) -> None:
    found = labels.values.tolist()
    if dimension == "station":  # counted along each beam
        if labels.dims != ("station",) or labels.dtype.kind not in "iu" or found != list(range(len(found))):
            raise ValueError("'station' does not count from 0")
        return
    _check_texts(labels, (dimension,))
    if len(set(found)) < len(found):
        raise ValueError(f"two of {dimension!r} have one name")
    if found != FIXED_LABELS.get(dimension, found):
        raise ValueError(f"{dimension!r} is not {_listed(tuple(FIXED_LABELS[dimension]))}")


def _check_texts(variable: xr.DataArray, dims: tuple[str, ...]) -> None:
    if variable.dims != dims or not all(isinstance(item, str) for item in np.ravel(variable.values).tolist()):
        raise ValueError(f"{variable.name!r} is not made of names")


def _listed(names: tuple[Any, ...]) -> str:
    return ", ".join(map(str, names)) or "nothing"
