"""One run on disk: a dataset in one NetCDF file, whole or not there, with every attribute coming back as it was."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from condyle._files import replacing
from condyle.results.plain import from_json, json_text

if TYPE_CHECKING:
    import xarray as xr

FILE_NAME = "results.nc"
FORMAT = "condyle-results"
FORMAT_VERSION = 1

# Names of the attributes that NetCDF has no type for and that stand in the file as JSON.
_AS_JSON = "attributes_in_json"
# Bytes that are read at most; a run's rows are bounded likewise, in model/memory.py.
MOST_BYTES = 2e9
# The checksum that comes with zlib also shows damage.
_COMPRESSION = {"zlib": True, "complevel": 4, "shuffle": True}


class ResultsFileError(ValueError):
    """A file that is missing, damaged, not of this package, or of a format that this version does not know."""


def write_dataset(path: Path, dataset: xr.Dataset) -> Path:
    """Write one NetCDF file beside its place and rename it when it is whole; makes the folder if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    stored = _mapped_attributes(dataset, _encoded)
    stored.attrs |= {"format": FORMAT, "format_version": FORMAT_VERSION}
    with replacing(path) as part:
        stored.to_netcdf(
            part, engine="h5netcdf", encoding={str(n): _encoding(v) for n, v in stored.variables.items()}
        )
    return path


def read_dataset(place: str | os.PathLike[str]) -> xr.Dataset:
    """The dataset kept in a folder's `results.nc` or in the file given."""
    import xarray as xr

    path = Path(place)
    if path.is_dir():
        path = path / FILE_NAME
    if not path.is_file():
        raise ResultsFileError(f"{path}: no such results; 'condyle run' writes them")
    if not os.access(path, os.R_OK):
        raise ResultsFileError(f"{path}: may not be read; ask its owner for the right to")
    # Nothing is guessed from units and nothing is masked: what was written is what is read.
    plainly = {"decode_times": False, "decode_timedelta": False, "mask_and_scale": False}
    try:
        size = _declared_bytes(path)
        stored = None if size > MOST_BYTES else xr.load_dataset(path, engine="h5netcdf", **plainly)
    except Exception as error:  # what a stranger's file makes of three libraries is anybody's guess
        raise ResultsFileError(
            f"{path}: cannot be read; cut short or not NetCDF ({_first_line(error)})"
        ) from error
    if stored is None:
        raise ResultsFileError(f"{path}: declares {size / 1e9:.3g} GB of numbers, more than any run has")
    _check_format(path, stored.attrs)
    try:
        dataset = _mapped_attributes(stored, _decoded)
    except (TypeError, ValueError) as error:
        raise ResultsFileError(f"{path}: results with attributes damaged ({_first_line(error)})") from error
    for name in ("format", "format_version"):
        del dataset.attrs[name]
    return dataset


def _declared_bytes(path: Path) -> float:
    """Size of all numbers once they are read; a few bytes of a compressed file can stand for any number of them."""
    import h5py

    sizes: list[float] = []

    def note(_name: str, found: Any) -> None:
        if isinstance(found, h5py.Dataset):
            sizes.append(float(found.dtype.itemsize) * math.prod(map(float, found.shape or ())))

    with h5py.File(path, "r") as file:
        file.visititems(note)
    return sum(sizes)


def _check_format(path: Path, attributes: Mapping[str, Any]) -> None:
    if str(attributes.get("format")) != FORMAT:
        raise ResultsFileError(f"{path}: a NetCDF file, but not one with results of Condyle")
    version = _number(attributes.get("format_version", 0))
    if not isinstance(version, int) or version != FORMAT_VERSION:
        advice = f"this Condyle reads version {FORMAT_VERSION}"
        raise ResultsFileError(f"{path}: results in format version {str(version)[:20]}; {advice}")


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _encoding(variable: xr.Variable) -> dict[str, Any]:
    """No fill value, so that a NaN stays a NaN; numbers in bulk are compressed."""
    if variable.dtype.kind not in "fiub":
        return {}
    return {"_FillValue": None} | (_COMPRESSION if variable.ndim and variable.size else {})


def _mapped_attributes(dataset: xr.Dataset, change: Any) -> xr.Dataset:
    """A copy that shares the data, with all attributes passed through `change`."""
    changed = dataset.copy()
    changed.attrs = change(dataset.attrs)
    for name, variable in dataset.variables.items():
        changed[name].attrs = change(variable.attrs)
    return changed


def _encoded(attributes: Mapping[Any, Any]) -> dict[str, Any]:
    """Attributes that NetCDF can hold: text and numbers as they are, the rest as JSON and listed as such."""
    names = [str(name) for name, value in attributes.items() if not _native(value)]
    stored = {
        str(name): json_text(value, exact=True) if name in names else value
        for name, value in attributes.items()
    }
    return stored | ({_AS_JSON: json_text(names)} if names else {})


def _native(value: object) -> bool:
    if isinstance(value, str):
        return value != "" and "\0" not in value
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fiu" and value.ndim == 1 and value.size > 1
    fits = isinstance(value, int) and -(2**63) <= value < 2**63
    return (fits or isinstance(value, float)) and not isinstance(value, bool)


def _decoded(attributes: Mapping[Any, Any]) -> dict[str, Any]:
    names = set(from_json(str(attributes.get(_AS_JSON, "[]"))))
    kept = {str(name): value for name, value in attributes.items() if name != _AS_JSON}
    return {name: from_json(str(value)) if name in names else _number(value) for name, value in kept.items()}


def _number(value: Any) -> Any:
    """Single numbers as Python's own; NetCDF gives them back as NumPy's."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.size == 1):
        return value.item()
    return value
