"""Wear in blocks: surfaces that are worn down, files that the next block runs on, studies that go on."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import condyle
from cli.terminal import invoke
from condyle.geometry.mesh.files import read_mesh
from condyle.geometry.mesh.mesh_error import MeshError
from condyle.geometry.mesh.operations import worn_down
from condyle.geometry.mesh.shapes import icosphere, plate
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.model.spec import Spec
from condyle.spec.errors import SpecError
from condyle.study import wear
from small_models import Section
from space_models import in_space, short

BLOCKS = 3


def rubbing(start: str = "equilibrium") -> Spec:
    """A ball that is pressed on a soft plate and drawn to and fro over it, the plate on a frame that is turned."""
    bodies = {
        "ground": {"fixed": True},
        "ball": {"position": [0, 19.8e-3, 0], "mass": 0.1, "inertia": [1.6e-5] * 3},
    }
    frames = {
        "bench": {"body": "ground", "at": [1e-3, 0, 2e-3], "orientation": {"axis": [0, 1, 0], "angle": 0.4}}
    }
    layer = {"thickness": 5e-3, "young": 10e6, "poisson": 0.4}
    surfaces = {
        "ball": {"body": "ball", "ball": {"radius": 20e-3, "level": 4}},
        "table": {
            "body": "bench",
            "at": [0, -1e-5, 0],
            "plate": {"width": 0.03, "depth": 0.02, "divisions": [30, 20]},
            "layer": layer,
        },
    }
    contacts = {
        "touch": {
            "kind": "foundation",
            "between": ["ball", "table"],
            "wear": {"factor": 1e-14, "cycles": 6e6},
        }
    }
    held = ["z", "first", "second", "third"]
    joints = {
        "ram": {"kind": "six-degree", "from": {"body": "ground"}, "to": {"body": "ball"}, "held": held},
    }
    measures = {
        name: {"kind": "coordinate", "of": {"body": "ball"}, "axis": name, "unit": "mm"} for name in "xy"
    }
    drivers = {
        "to-and-fro": {
            "measure": "x",
            "motion": {"kind": "harmonic", "mean": 0.0, "amplitude": 4e-3, "frequency": 2.0},
        }
    }
    forces = {"weight": {"kind": "effort", "measure": "y", "amplitude": -50.0}}
    springs = {"bearing": {"kind": "measure", "measure": "y", "damping": 40.0}}
    settings = short(
        0.5,
        integrator="generalized-alpha",
        step=2e-3,
        output_step=1e-2,
        start=start,
        audit_tolerance=1e-2,
    )
    sections: dict[str, Section] = {
        "frames": frames,
        "surfaces": surfaces,
        "contacts": contacts,
        "joints": joints,
        "measures": measures,
        "drivers": drivers,
        "forces": forces,
        "springs": springs,
    }
    return in_space(bodies, settings, **sections)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[condyle.Results]]:
    """A whole study and its folder."""
    place = tmp_path_factory.mktemp("study")
    return place, condyle.worn(rubbing(), BLOCKS, place)


def test_a_plate_loses_area_times_depth() -> None:
    flat = plate(0.03, 0.02, 12, 8)
    depth = 1e-4 * np.random.default_rng(4).random(flat.n_face)
    lower = worn_down(flat, depth)
    assert lower.vertices[:, [0, 2]] == pytest.approx(flat.vertices[:, [0, 2]], abs=1e-18)
    # Under a plane the volume is the projected area times the mean height of each triangle's corners.
    lost = -(flat.face_areas * lower.vertices[lower.faces][:, :, 1].mean(axis=1)).sum()
    assert lost == pytest.approx((flat.face_areas * depth).sum(), rel=1e-12)


def test_a_ball_loses_nearly_area_times_depth_and_keeps_its_parts() -> None:
    ball = icosphere(0.02, 4)
    halves = SurfaceMesh(
        ball.vertices, ball.faces, (ball.face_centroids[:, 1] > 0.0).astype(int), ("low", "up")
    )
    depth = np.where(ball.face_centroids[:, 1] > 0.015, 5e-5, 0.0)
    smaller = worn_down(halves, depth)
    assert smaller.part_names == ("low", "up")
    assert ball.volume - smaller.volume == pytest.approx((ball.face_areas * depth).sum(), rel=1e-2)


def test_wear_deeper_than_the_shape_is_refused() -> None:
    ball = icosphere(0.01, 2)
    with pytest.raises(MeshError, match="faces over: wear less at a time"):
        worn_down(ball, np.where(ball.face_centroids[:, 1] > 0.005, 0.015, 0.0))


@pytest.mark.compiled
def test_each_block_runs_on_what_the_last_one_left(study: tuple[Path, list[condyle.Results]]) -> None:
    place, found = study
    assert len(found) == BLOCKS
    assert all(results.complete and results.audit.passed for results in found)
    for k, (before, after) in enumerate(pairwise(found), 1):
        left = dict(wear.worn_surfaces(before))
        assert list(left) == ["table"]
        mesh = read_mesh(place / f"block-{k}" / f"table-block-{k}.stl")
        assert mesh.corners == pytest.approx(left["table"].corners, abs=1e-8)  # single precision
        data = after.dataset
        own = data["face_surface"].values == 1
        run_on = data["surface_vertex"].values[data["surface_face"].values[own]]
        assert run_on == pytest.approx(mesh.corners, abs=1e-8)
    peaks = [float(results.dataset["contact_peak_pressure"].max()) for results in found]
    areas = [float(results.dataset["contact_area"].max()) for results in found]
    assert peaks[0] > 1.05 * peaks[1] > 1.05 * peaks[2], peaks
    assert areas[0] < areas[1] < areas[2]
    volumes = [float(results.dataset["wear_volume"].sel(contact="touch")) for results in found]
    # Load and way stay the same, and so does the volume, whatever its shape.
    assert volumes == pytest.approx([volumes[0]] * BLOCKS, rel=2e-2)
    heights = [float(results.dataset["position"].sel(body="ball", axis="y")[0]) for results in found]
    assert heights[0] > heights[1] > heights[2]


def test_blocks_share_the_cycles(study: tuple[Path, list[condyle.Results]]) -> None:
    whole = condyle.simulate(rubbing()).dataset["wear_volume"].sel(contact="touch").item()
    first = study[1][0].dataset["wear_volume"].sel(contact="touch").item()
    assert BLOCKS * first == pytest.approx(whole, rel=1e-9)


def test_a_study_goes_on_where_it_was(
    study: tuple[Path, list[condyle.Results]], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, found = study
    runs: list[Spec] = []

    def counted(spec: Spec, told: Callable[[float], None] | None = None) -> condyle.Results:
        runs.append(spec)
        return condyle.simulate(spec, told)

    monkeypatch.setattr(wear, "simulate", counted)
    again = condyle.worn(rubbing(), BLOCKS, place)
    assert not runs
    assert again == found
    (place / f"block-{BLOCKS}" / wear.MODEL).unlink()
    told: list[float] = []
    anew = condyle.worn(rubbing(), BLOCKS, place, told.append)
    assert len(runs) == 1
    last = anew[-1].dataset["face_wear"].values
    assert last == pytest.approx(found[-1].dataset["face_wear"].values, rel=1e-9)
    assert told == sorted(told)
    assert told[0] > (BLOCKS - 1) / BLOCKS


def test_a_folder_holds_one_study(study: tuple[Path, list[condyle.Results]]) -> None:
    with pytest.raises(SpecError, match="holds a study of another model or of other blocks"):
        condyle.worn(rubbing(), BLOCKS + 1, study[0])


def test_files_of_a_model_go_along(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "load.csv").write_text("t,part\n0,1\n0.25,0.8\n0.5,1\n", encoding="utf-8")
    course = {"kind": "table", "file": "load.csv", "column": "part"}
    text = rubbing().updated({"run.duration": 0.1}).to_yaml()
    (tmp_path / "here" / "model.yaml").write_text(text, encoding="utf-8")
    spec = condyle.load(tmp_path / "here" / "model.yaml").updated({"forces.weight.course": course})
    found = condyle.worn(spec, 2, tmp_path / "there")
    assert [results.complete for results in found] == [True, True]
    assert (tmp_path / "there" / "block-2" / "load.csv").is_file()


def test_a_model_without_wear_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="none asks for its wear"):
        condyle.worn(condyle.load("sphere-on-plate"), 2, tmp_path)
    with pytest.raises(SpecError, match="expected 1 or more; got 0"):
        condyle.worn(rubbing(), 0, tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_terminal_tells_what_wore_away(study: tuple[Path, list[condyle.Results]], tmp_path: Path) -> None:
    file = tmp_path / "rubbing.yaml"
    file.write_text(rubbing().to_yaml(), encoding="utf-8")
    place, found = study
    done = invoke("wear", str(file), "--blocks", str(BLOCKS), "--out", str(place))
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    total = 1e9 * sum(results.dataset["wear_volume"].sel(contact="touch").item() for results in found)
    assert lines[BLOCKS].split()[:2] == [str(BLOCKS), f"{total:.2f}"]
    assert lines[-1].endswith(f"block-{BLOCKS}")
    told = json.loads(
        invoke("wear", str(file), "--blocks", str(BLOCKS), "--out", str(place), "--json").stdout
    )
    assert told["blocks"][-1]["volume"] == pytest.approx(1e-9 * total)
