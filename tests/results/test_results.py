"""Results keep together the numbers, the exact model and the audit, on disk as in memory."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import h5netcdf
import pytest

import condyle
from condyle.model.spec import Spec, load, parse
from condyle.results import Results, read_results
from condyle.results.store import ResultsFileError
from results import synthetic


@pytest.fixture(scope="module")
def spec() -> Spec:
    """The model of the synthetic run, one value changed."""
    return parse(synthetic.MODEL, "knee").updated({"bodies.tibia.mass": "5 kg", "gravity": [0, -9.8]})


def test_saved_and_read_they_are_equal(spec: Spec, tmp_path: Path) -> None:
    results = synthetic.results(
        spec, audit=synthetic.audit(notes=("a", "b")), complete=False, status="stopped"
    )
    path = results.save(tmp_path / "out")
    assert path == tmp_path / "out" / "results.nc"
    for place in (path, path.parent, str(path.parent)):
        found = read_results(place)
        assert found == results
        assert (found.audit, found.complete, found.status) == (results.audit, False, "stopped")
        assert found.wall_time == results.wall_time
        assert str(found.summary()) == str(results.summary())


def test_the_exact_spec_comes_back(spec: Spec, tmp_path: Path) -> None:
    synthetic.results(spec).save(tmp_path)
    found = read_results(tmp_path).spec
    assert found.source == synthetic.MODEL
    assert found.overrides == spec.overrides
    assert found.model == spec.model
    assert found.model.bodies["tibia"].mass == 5.0
    assert found.name == "knee"


def test_equality_sees_every_part(spec: Spec) -> None:
    results = synthetic.results(spec)
    assert results == synthetic.results(spec)
    others = [
        synthetic.results(spec, dataset=synthetic.dataset(11)),
        synthetic.results(spec.updated({"bodies.tibia.mass": 6})),
        synthetic.results(spec, audit=synthetic.audit(steps=1)),
        synthetic.results(spec, complete=False),
        synthetic.results(spec, status="x"),
        synthetic.results(spec, wall_time=9.0),
    ]
    assert all(results != other for other in others)
    assert results != "results"


def test_they_are_frozen(spec: Spec) -> None:
    with pytest.raises(FrozenInstanceError):
        synthetic.results(spec).status = "better"  # type: ignore[misc]


def test_the_dataset_alone_says_where_it_comes_from(spec: Spec) -> None:
    data = synthetic.dataset()
    attributes = synthetic.results(spec, dataset=data).dataset.attrs
    assert data.attrs == {}, "the dataset that was handed in was changed"
    assert attributes["title"] == "A knee of few words"
    assert attributes["condyle_version"] == condyle.__version__
    assert json.loads(attributes["versions"])["python"] == ".".join(map(str, sys.version_info[:3]))
    assert json.loads(attributes["audit"])["steps"] == 500
    assert parse(attributes["spec"]).model == spec.model


def test_the_file_is_readable_without_this_package(spec: Spec, tmp_path: Path) -> None:
    path = synthetic.results(spec).save(tmp_path)
    with h5netcdf.File(path, "r") as file:
        assert file.attrs["spec_source"] == synthetic.MODEL
        assert set(json.loads(file.attrs["versions"])) >= {"condyle", "numpy", "scipy", "numba", "python"}
        assert json.loads(file.attrs["audit"])["energy_throughput"] == 2.0


def test_versions_of_the_day_of_the_run_stay(
    spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = synthetic.results(spec)
    results.save(tmp_path)
    monkeypatch.setattr("condyle.results.results.__version__", "99.0")
    found = read_results(tmp_path)
    assert found == results
    found.save(tmp_path)
    assert read_results(tmp_path).dataset.attrs["condyle_version"] == condyle.__version__


def test_an_audit_without_finite_numbers_survives(spec: Spec, tmp_path: Path) -> None:
    results = synthetic.results(
        spec, audit=synthetic.audit(energy_residual=math.nan, energy_throughput=math.inf)
    )
    results.save(tmp_path)
    found = read_results(tmp_path)
    assert found == results
    assert math.isnan(found.audit.energy_residual)
    assert found.audit.energy_throughput == math.inf
    assert not found.audit.passed


def test_outlines_in_files_are_kept_as_well(tmp_path: Path) -> None:
    points = "x, y\n0.04, 0\n0, 0.04\n-0.04, 0\n0, -0.04\n"
    (tmp_path / "condyle.csv").write_text(points)
    model = tmp_path / "model.yaml"
    model.write_text(synthetic.MODEL.replace("{circle: {radius: 40 mm}}", "{file: condyle.csv}"))
    results = synthetic.results(load(str(model)))
    results.save(tmp_path / "out")
    (tmp_path / "condyle.csv").unlink()
    found = read_results(tmp_path / "out")
    assert found == results
    assert json.loads(found.dataset.attrs["spec_files"]) == {"condyle.csv": points}
    found.save(tmp_path / "again")
    assert read_results(tmp_path / "again") == results


def test_missing_attributes_are_told(spec: Spec, tmp_path: Path) -> None:
    path = synthetic.results(spec).save(tmp_path)
    with h5netcdf.File(path, "a") as file:
        del file.attrs["audit"]
    with pytest.raises(ResultsFileError, match="attributes missing or damaged"):
        read_results(path)


def test_the_summary_knows_what_each_law_delivers() -> None:
    base = parse(synthetic.MODEL)

    def restitution(law: object) -> tuple[str, float | None, float | None]:
        results: Results = synthetic.results(base.updated({"contacts.tibiofemoral.law": law}))
        found = results.summary().contacts[0].restitution
        return found.law, found.asked, found.delivered

    name, asked, delivered = restitution(
        {"kind": "lankarani-nikravesh", "stiffness": 1e6, "restitution": 0.5}
    )
    assert (name, asked) == ("lankarani-nikravesh", 0.5)
    assert delivered == pytest.approx(0.72, abs=0.01)
    name, asked, delivered = restitution({"kind": "gonthier", "stiffness": 1e6, "restitution": 0.7})
    assert asked == 0.7
    assert delivered == pytest.approx(0.7, abs=1e-6)
    assert restitution({"kind": "gonthier", "stiffness": 1e6})[1] == 0.5
    assert restitution({"kind": "hertz", "stiffness": 1e6}) == ("hertz", None, 1.0)
    assert restitution({"kind": "kelvin-voigt", "stiffness": 1e6, "damping": 1})[1:] == (None, None)


def test_materials_are_asked_for_their_restitution() -> None:
    text = synthetic.MODEL.replace(
        "profiles:\n  condyle: {body: femur,",
        "materials:\n  bone: {young: 1 GPa, poisson: 0.3, restitution: 0.6}\n"
        "profiles:\n  condyle: {material: bone, body: femur,",
    ).replace("restitution: 0.5}}", "}}")
    found = synthetic.results(parse(text)).summary().contacts[0].restitution
    assert found.asked == 0.6


def test_a_spot_that_never_touched_is_in_the_dataset_only() -> None:
    """A journal in a bearing is given room for two contacts, of which the motion needs one."""
    spec = load("planar-knee-clearance").updated({"contacts.tibiofemoral.spots": 2, "run.duration": 0.02})
    results = condyle.simulate(spec)
    assert list(results.dataset["contact"].values)[:2] == ["tibiofemoral", "tibiofemoral/2"]
    assert "tibiofemoral/2" not in str(results.summary())
    assert "tibiofemoral/2" not in json.dumps(results.audit.as_dict())
