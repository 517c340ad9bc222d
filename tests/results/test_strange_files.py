"""Results of a stranger are read, or refused in one sentence; nothing in a file is taken on trust."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from cli.terminal import invoke
from condyle.io import FORMATS, export
from condyle.model.spec import parse
from condyle.results import read_results
from condyle.results.store import ResultsFileError
from condyle.results.variables import NEEDED
from condyle.view import report
from results import mechanisms, synthetic

DEEP = "[" * 100_000 + "]" * 100_000
AUDIT = synthetic.audit().as_dict()
ATTRIBUTES = {
    "a format that is no number": {"format_version": "abc"},
    "a list of formats": {"format_version": np.array([1, 2])},
    "overrides that are a list": {"spec_overrides": "[1, 2]"},
    "overrides that are no JSON": {"spec_overrides": "{"},
    "overrides that are nested": {"spec_overrides": DEEP},
    "files that are nested": {"spec_files": DEEP},
    "no number": {"spec_overrides": '{"a": {"not a finite number": []}}'},
    "a model that is none": {"spec_source": "bodies: 3"},
    "a model that is a number": {"spec_source": 3},
    "a name that is a number": {"spec_name": 3.5},
    "an audit that is a list": {"audit": "[]"},
    "an audit that is nested": {"audit": DEEP},
    "an audit of nothing": {"audit": "{}"},
    "a word for complete": {"complete": "perhaps", "attributes_in_json": "[]"},
    "a word for the time it took": {"wall_time": "long"},
    "a number for the status": {"status": 3, "attributes_in_json": "[]"},
    "attributes that are nested": {"attributes_in_json": DEEP},
    "attributes that are a number": {"attributes_in_json": "3"},
    "attributes that are lists": {"attributes_in_json": "[[]]"},
    "times clamped to null": {"audit": json.dumps(AUDIT | {"clamped_time": {"tibiofemoral": None}})},
    "no time clamped": {"audit": json.dumps(AUDIT | {"clamped_time": None})},
    "a list of depths": {"audit": json.dumps(AUDIT | {"deepest_penetration": [1.0]})},
    "a residual of words": {"audit": json.dumps(AUDIT | {"energy_residual": "none"})},
    "notes that are numbers": {"audit": json.dumps(AUDIT | {"notes": [1, 2]})},
    "half a step": {"audit": json.dumps(AUDIT | {"steps": 0.5})},
    "finished, a number": {"audit": json.dumps(AUDIT | {"finished": 1})},
    "unbalanced by a word": {"audit": json.dumps(AUDIT | {"unbalanced": "much"})},
}


@pytest.fixture(params=["knee", "mechanism"])
def file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Results of a small run, with ligaments and a contact or with joints, drivers, springs and beams."""
    if request.param == "knee":
        return synthetic.results(parse(synthetic.MODEL, "knee")).save(tmp_path / "out")
    spec = parse(mechanisms.MODEL, "mechanism")
    audit = synthetic.audit(deepest_penetration={}, clamped_time={}, clamped_work={}, unbalanced=1e-9)
    return synthetic.results(spec, dataset=mechanisms.dataset(11), audit=audit).save(tmp_path / "out")


def used(place: Path) -> None:
    """Everything that is done with results that were read."""
    results = read_results(place)
    str(results.summary())
    report(results, place.parent / "page")
    for name, form in FORMATS.items():
        if set(form.needs) <= set(results.dataset.dims):
            export(results, place.parent / name, name)


def assert_refused(place: Path) -> None:
    """One sentence and status 2, whatever is asked of the file."""
    with pytest.raises(ResultsFileError):
        read_results(place)
    for command in (["report"], ["export", "--to", "csv"]):
        found = invoke(*command, place, "--out", place.parent / "elsewhere")
        assert (found.exit_code, found.stdout) == (2, "")
        (line,) = found.stderr.splitlines()
        assert line.startswith(f"condyle: {place}: ")
        assert len(line) < 500
        assert "internal error" not in line


def changed(file: Path, change: Callable[[Any], None]) -> Path:
    """The file with something changed in it."""
    with h5py.File(file, "a") as opened:
        change(opened)
    return file


def put(opened: Any, name: str, values: Any) -> None:
    """Other values for a variable, over the dimensions that it had where they are as many."""
    old = opened[name]
    scales = [axis[0].name for axis in old.dims if len(axis)]
    del opened[name]
    made = opened.create_dataset(name, data=values)
    for k, scale in enumerate(scales[: made.ndim]):
        made.dims[k].attach_scale(opened[scale])


def test_what_is_not_changed_can_be_used(file: Path) -> None:
    used(file)


@pytest.mark.parametrize("attributes", ATTRIBUTES.values(), ids=ATTRIBUTES.keys())
def test_strange_attributes(file: Path, attributes: dict[str, Any]) -> None:
    assert_refused(changed(file, lambda opened: opened.attrs.update(attributes)))


def test_stations_count_from_the_beginning(tmp_path: Path) -> None:
    data = mechanisms.dataset()
    for strange in (data.assign_coords(station=data["station"] + 1), data.drop_vars("station")):
        place = synthetic.results(parse(mechanisms.MODEL, "mechanism"), dataset=strange).save(tmp_path)
        with pytest.raises(ResultsFileError, match="station"):
            read_results(place)


@pytest.mark.parametrize("name", [*NEEDED, "time", "profile_body"])
def test_what_is_missing(file: Path, name: str) -> None:
    with h5py.File(file) as opened:
        there = name in opened
    if not there:
        pytest.skip(f"the small run has no {name}")
    assert_refused(changed(file, lambda opened: opened.__delitem__(name)))


@pytest.mark.parametrize("kind", ["words", "none", "flat", "turned", "bare"])
def test_variables_of_another_kind_are_refused_or_used(file: Path, kind: str) -> None:
    """A third of the variables for each kind; most cannot be used, and none ends in anything but a sentence."""
    whole, refused = file.read_bytes(), 0
    with h5py.File(file) as opened:
        names = list(opened)
    changes: dict[str, Callable[[str, Any], None]] = {
        "words": lambda name, opened: put(opened, name, np.full(opened[name].shape, b"word", dtype="S4")),
        "none": lambda name, opened: opened.__delitem__(name),
        "flat": lambda name, opened: put(opened, name, 1.0),
        "turned": lambda name, opened: put(opened, name, np.zeros(opened[name].shape[::-1])),
        "bare": lambda name, opened: put(opened, name, np.zeros((*opened[name].shape, 1))),
    }
    for name in names[list(changes).index(kind) % 3 :: 3]:
        file.write_bytes(whole)
        try:
            changed(file, partial(changes[kind], name))
        except (OSError, RuntimeError, ValueError, KeyError):
            continue  # not a file that could be made
        try:
            used(file)
        except ResultsFileError:
            refused += 1
    assert refused > 2


def test_more_numbers_than_any_run_has(file: Path) -> None:
    """Ten bytes of a file can declare ten terabytes."""

    def declare(opened: Any) -> None:
        opened.create_dataset("more", shape=(10**13,), dtype="f8", chunks=(10**6,), compression="gzip")

    assert_refused(changed(file, declare))
    with pytest.raises(ResultsFileError, match=r"declares 8e\+04 GB of numbers, more than any run has"):
        read_results(file)


def test_names_that_occur_twice(file: Path) -> None:
    def double(opened: Any) -> None:
        name = "ligament" if "ligament" in opened else "joint"
        opened[name][1] = opened[name][0]

    assert_refused(changed(file, double))


def test_a_file_that_may_not_be_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda _, mode: not mode & os.R_OK)
    with pytest.raises(ResultsFileError, match="may not be read"):
        read_results(file)


def test_no_samples_at_all(tmp_path: Path) -> None:
    """A run can end before its first row."""
    data = synthetic.dataset().isel(time=slice(0, 0))
    used(synthetic.results(parse(synthetic.MODEL, "knee"), dataset=data).save(tmp_path))
