"""A dataset goes into one file and comes back the same, or a sentence says why not."""

from __future__ import annotations

from pathlib import Path

import h5netcdf
import numpy as np
import pytest
import xarray as xr

from condyle.results.store import ResultsFileError, read_dataset, write_dataset
from results import synthetic

AWKWARD = {
    "complete": True,
    "nothing": None,
    "empty": "",
    "zero byte": "a\0b",
    "word": "Länge",
    "whole": 3,
    "large": 2**70,
    "fraction": 0.1,
    "endless": float("inf"),
    "list": [1, 2.5, "x", None, False],
    "nested": {"deep": {"er": [float("-inf")]}},
    "row": np.array([1.0, 2.0]),
    "long": "spec\n" * 200_000,
}


def awkward() -> xr.Dataset:
    """All kinds of numbers, labels and attributes, sizes of zero among them."""
    return xr.Dataset(
        {
            "a": (("time", "part"), [[1.0, np.nan], [np.inf, -np.inf]], dict(AWKWARD)),
            "flag": (("time",), [True, False]),
            "count": (("time",), np.array([1, 2], dtype=np.int32), {"units": "s"}),
            "none": (("time", "absent"), np.zeros((2, 0)), {"units": "seconds since 2000-01-01"}),
            "scalar": ((), 1.5),
            "word": (("part",), ["é", ""]),
        },
        {
            "time": ("time", [0.0, 1e-3], {"units": "seconds"}),
            "part": ["ACL/anteromedial", "PCL"],
            "absent": np.array([], dtype=str),
        },
        dict(AWKWARD),
    )


def test_everything_comes_back(tmp_path: Path) -> None:
    data = awkward()
    path = write_dataset(tmp_path / "deep" / "results.nc", data)
    found = read_dataset(path.parent)
    xr.testing.assert_identical(found, data)
    assert {name: variable.dtype for name, variable in found.variables.items()} == {
        name: variable.dtype for name, variable in data.variables.items()
    }
    for attributes in (found.attrs, found["a"].attrs):
        assert list(attributes) == list(AWKWARD)
        assert [type(value) for value in attributes.values()] == [type(value) for value in AWKWARD.values()]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["results.nc"]


def test_writing_leaves_the_dataset_as_it_was(tmp_path: Path) -> None:
    data = awkward()
    write_dataset(tmp_path / "results.nc", data)
    xr.testing.assert_identical(data, awkward())


def test_a_second_write_replaces_the_first(tmp_path: Path) -> None:
    path = write_dataset(tmp_path / "results.nc", synthetic.dataset(11))
    before = read_dataset(path)
    write_dataset(path, synthetic.dataset(21))
    assert (before.sizes["time"], read_dataset(path).sizes["time"]) == (11, 21)


def test_what_was_read_can_be_written_again(tmp_path: Path) -> None:
    path = write_dataset(tmp_path / "results.nc", awkward())
    write_dataset(path, read_dataset(path))
    xr.testing.assert_identical(read_dataset(path), awkward())


def test_no_stranger_needs_this_package_to_read_the_numbers(tmp_path: Path) -> None:
    data = synthetic.dataset()
    path = write_dataset(tmp_path / "results.nc", data)
    with h5netcdf.File(path, "r") as file:
        np.testing.assert_array_equal(file["ligament_force"][:], data["ligament_force"].values)
        assert file["ligament_force"].attrs["units"] == "N"


@pytest.mark.parametrize("place", ["", "results.nc", "nowhere"])
def test_missing(tmp_path: Path, place: str) -> None:
    with pytest.raises(ResultsFileError, match=r"no such results; 'condyle run' writes them"):
        read_dataset(tmp_path / place)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.999])
def test_cut_short(tmp_path: Path, share: float) -> None:
    path = write_dataset(tmp_path / "results.nc", synthetic.dataset())
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ResultsFileError, match="cannot be read"):
        read_dataset(path)


def test_damaged_in_the_middle(tmp_path: Path) -> None:
    # Noise does not compress, so only a checksum can see the damage.
    noise = np.random.default_rng(1).integers(-(2**63), 2**63 - 1, 20_000)
    data = xr.Dataset({"noise": ("time", noise)})
    path = write_dataset(tmp_path / "results.nc", data)
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 1
    path.write_bytes(bytes(whole))
    with pytest.raises(ResultsFileError, match="cannot be read"):
        read_dataset(path)


def test_text_is_not_results(tmp_path: Path) -> None:
    path = tmp_path / "results.nc"
    path.write_text("condyle: 1\n" * 100)
    with pytest.raises(ResultsFileError, match="not NetCDF"):
        read_dataset(path)


def test_a_strangers_netcdf(tmp_path: Path) -> None:
    path = tmp_path / "results.nc"
    synthetic.dataset().to_netcdf(path, engine="h5netcdf")
    with pytest.raises(ResultsFileError, match="not one with results of Condyle"):
        read_dataset(path)


def test_a_later_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("condyle.results.store.FORMAT_VERSION", 2)
    path = write_dataset(tmp_path / "results.nc", synthetic.dataset())
    monkeypatch.undo()
    with pytest.raises(ResultsFileError, match="format version 2; this Condyle reads version 1"):
        read_dataset(path)
