"""What the spatial picture and its charts are told, from runs made without the engine."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from condyle.results import Results
from condyle.view import report, viewer
from condyle.view.charts import sections
from condyle.view.columns import Columns
from condyle.view.facts import Facts
from condyle.view.packing import STEPS, packed, stepped
from condyle.view.run import Run
from condyle.view.space import space
from condyle.view.surfaces import FACE_LIMIT, FRAME_LIMIT, coarsened, creased, frame_rows, surfaces
from view.spatial import RADIUS, ball_mesh, plate_mesh, rolling_results

KINDS = {"u1": np.uint8, "u4": np.uint32, "f4": np.float32}


def _unpacked(told: dict[str, str]) -> NDArray[Any]:
    return np.frombuffer(base64.b64decode(told["bytes"]), dtype=KINDS[told["kind"]])


def _run(results: Results) -> Run:
    return Run(results.dataset, Columns(results.dataset), Facts(results.spec.model))


def _area(points: NDArray[Any], faces: NDArray[Any]) -> float:
    sides = points[faces]
    return float(
        0.5 * np.linalg.norm(np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0]), axis=1).sum()
    )


def test_numbers_come_through_and_fields_keep_a_255th() -> None:
    values = np.random.default_rng(1).uniform(0.0, 3e7, 1000)
    values[:10] = 0.0
    values[10] = 1.0
    steps = stepped(values, 3e7)
    assert (steps[:10] == 0).all()
    assert steps[10] == 1  # the least pressure is still seen as one
    assert np.abs(steps / STEPS * 3e7 - values).max() <= 3e7 / STEPS
    np.testing.assert_array_equal(_unpacked(packed(steps, "u1")), steps)
    np.testing.assert_array_equal(_unpacked(packed(values, "f4")), values.astype(np.float32))


def test_few_faces_stay_as_they_are_and_many_become_few_that_are_some_of_them() -> None:
    points, faces = ball_mesh(40, np.zeros(3))
    same_points, same_faces, kept = coarsened(points, faces, len(faces))
    np.testing.assert_array_equal(same_points[same_faces], points[faces])
    np.testing.assert_array_equal(kept, np.arange(len(faces)))
    few_points, few_faces, kept = coarsened(points, faces, 1500)
    assert 400 < len(few_faces) <= 1500
    assert len(kept) == len(few_faces) == len(set(kept.tolist()))
    # Where a face stays it covers the place it had, and all of them still make a ball.
    apart = few_points[few_faces].mean(axis=1) - points[faces[kept]].mean(axis=1)
    assert np.linalg.norm(apart, axis=1).max() < 0.3 * RADIUS
    assert _area(few_points, few_faces) == pytest.approx(4 * np.pi * RADIUS**2, rel=0.06)


def test_sharp_edges_part_their_vertices_and_smooth_ones_do_not() -> None:
    points, faces = ball_mesh(24, np.zeros(3))
    same, _ = creased(points, faces)
    assert len(same) == len(points)
    points, faces = plate_mesh(4)
    more, parted = creased(points, faces)
    np.testing.assert_array_equal(more[parted], points[faces])
    # Eight corners belong to three sides each; the plate's top has vertices of its own already.
    assert len(more) > len(points)
    sides = more[parted]
    normals = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    for vertex in np.unique(parted):
        around = normals[(parted == vertex).any(axis=1)]
        around /= np.linalg.norm(around, axis=1, keepdims=True)
        assert (around @ around.T).min() > 0.7


def test_what_is_drawn_of_surfaces_is_in_their_bodies_frames_with_their_pressures() -> None:
    results = rolling_results(fine=16)
    made = space(_run(results))
    ball, plate = made["surfaces"]
    assert [(one["name"], one["body"], one["through"]) for one in made["surfaces"]] == [
        ("ball", "ball", True),
        ("plate", "plate", False),
    ]
    faces = _unpacked(plate["faces"]).reshape(-1, 3)
    field = results.dataset["face_pressure"].values[:, results.dataset["face_surface"].values == 1]
    assert len(faces) == plate["faces_told"] == field.shape[1]
    touched = _unpacked(plate["touched"])
    np.testing.assert_array_equal(touched, np.flatnonzero(field.max(axis=0) > 0.0))
    pressure = _unpacked(plate["pressure"]).reshape(-1, len(touched)) / STEPS * field.max()
    assert np.abs(pressure - field[:, touched]).max() <= field.max() / STEPS
    assert len(_unpacked(ball["touched"])) == 0
    vertices = _unpacked(ball["vertices"]).reshape(-1, 3)
    assert np.abs(vertices[:, 0]).max() == pytest.approx(RADIUS, rel=0.01)
    assert [one["name"] for one in made["fields"]] == ["pressure", "wear"]
    assert made["fields"][0]["most"] == field.max()


def test_the_force_that_is_seen_is_the_one_on_the_upper_body_by_parts() -> None:
    run = _run(rolling_results())
    made = space(run)
    assert [one["name"] for one in made["contacts"]] == ["rolling/medial", "rolling/lateral"]
    assert all((run.values("contact_push", one["name"], "y") > 0.0).all() for one in made["contacts"])
    # Named the other way round it is the same arrow.
    swapped = rolling_results()
    bodies = [["plate", "ball"]] * 3
    dataset = swapped.dataset.assign_coords(contact_body=(("contact", "side"), bodies))
    dataset["contact_force"] = -dataset["contact_force"]
    again = Run(dataset, Columns(dataset), run.facts)
    space(again)
    for axis in "xyz":
        key = ("contact_push", "rolling/medial", axis)
        np.testing.assert_array_equal(again.values(*key), run.values(*key))
    assert space(again)["paths"][0]["body"] == "plate"
    np.testing.assert_allclose(space(again)["paths"][0]["lift"], made["paths"][0]["lift"])


def test_a_path_lies_in_the_frame_of_the_body_that_bears_the_pressure() -> None:
    results = rolling_results(1)
    dataset = results.dataset
    # The plate's place and turn change; what is told on it does not.
    half = np.tile([np.cos(0.5), 0.0, np.sin(0.5), 0.0], (dataset.sizes["time"], 1))
    dataset["orientation"].loc[{"body": "plate"}] = half
    dataset["position"].loc[{"body": "plate"}] = [0.1, 0.2, 0.3]
    cosine, sine = np.cos(1.0), np.sin(1.0)
    turn = np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])
    local = dataset["contact_point"].values.copy()
    dataset["contact_point"].values[:] = local @ turn.T + [0.1, 0.2, 0.3]
    dataset["contact_force"].values[:] = dataset["contact_force"].values @ turn.T
    run = _run(results)
    (path,) = space(run)["paths"]
    for k, axis in enumerate("xyz"):
        np.testing.assert_allclose(run.values("path", "rolling", "plate", axis), local[:, 0, k], atol=1e-12)
    np.testing.assert_allclose(path["lift"], [0.0, 1.0, 0.05] / np.hypot(1.0, 0.05), atol=1e-12)


def test_the_box_holds_surfaces_and_ligaments_at_all_times() -> None:
    results = rolling_results()
    made = space(_run(results))
    (x0, x1), (y0, y1), (z0, z1) = made["box"]
    ends = results.dataset["ligament_point"].values.reshape(-1, 3)
    assert (ends.min(axis=0) > [x0, y0, z0]).all()
    assert (ends.max(axis=0) < [x1, y1, z1]).all()
    assert x1 - x0 < 0.16
    assert (made["up"], made["unit"], made["scale"]) == ("y", "mm", 1e3)


def test_frames_are_bounded_and_hold_the_highest_pressure() -> None:
    results = rolling_results(1, samples=1501, fine=6)
    results.dataset["face_pressure"].values[777, -50] = 9e7
    run = _run(results)
    rows = frame_rows(run, surfaces(run))
    assert 777 in rows
    assert len(rows) <= FRAME_LIMIT
    assert (rows[0], rows[-1]) == (0, 1500)
    made = space(run)
    np.testing.assert_array_equal(made["fields"][0]["times"], results.dataset["time"].values[rows])
    assert made["fields"][0]["told"] == 1501


def test_a_page_of_many_faces_stays_small_and_says_what_it_left_out(tmp_path: Any) -> None:
    results = rolling_results(2, samples=30, fine=90)
    results.dataset["face_pressure"].values[:] += 1.0
    assert results.dataset.sizes["face"] > 3 * FACE_LIMIT
    path = report(results, tmp_path)
    assert path.stat().st_size < 15_000_000
    drawn = sum(len(_unpacked(one["faces"])) // 3 for one in space(_run(results))["surfaces"])
    assert FACE_LIMIT / 3 < drawn <= FACE_LIMIT


LEFT_OUT = [
    "contact_force",
    "contact_point",
    "contact_peak_pressure",
    "contact_depth",
    "face_pressure",
    "face_wear",
    "surface_face",
    "spring_point",
    "load",
    "load_point",
    "angular_velocity",
    "contact_body",
    "measure_unit",
]


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_missing_is_left_out(tmp_path: Any, name: str) -> None:
    changes: dict[str, Any] = {name: None}
    results = rolling_results(samples=5, fine=6, **changes)
    assert report(results, tmp_path).is_file()
    made = space(_run(results))
    assert len(made["bodies"]) == 3
    assert bool(made["surfaces"]) == (name != "surface_face")
    assert bool(made["contacts"]) == (name not in ("contact_force", "contact_point"))


@pytest.mark.parametrize("samples", [0, 1, 2])
def test_runs_of_hardly_any_samples(tmp_path: Any, samples: int) -> None:
    results = rolling_results(samples=max(samples, 2), fine=6)
    short = Results(results.dataset.isel(time=slice(0, samples)), results.spec, results.audit)
    assert report(short, tmp_path).is_file()
    assert viewer(short, tmp_path).is_file()


def test_charts_of_a_spatial_run() -> None:
    run = _run(rolling_results())
    space(run)
    found = {section["title"]: section["charts"] for section in sections(run)}
    titles = [chart["title"] for chart in found["Contact"]]
    assert titles == [
        "Contact depth",
        "Contact forces",
        "Contact moments",
        "Peak pressure",
        "Mean pressure",
        "Contact area",
        "Centre of pressure on plate",
    ]
    forces = found["Contact"][1]
    assert [choice.get("name") for choice in forces["x"]][-3:] == ["x", "y", "z"]
    size = run.columns.values("contact_force_size", "rolling")
    expected = np.linalg.norm(run.dataset["contact_force"].sel(contact="rolling").values, axis=1)
    np.testing.assert_allclose(size, expected)
    motions = [chart["title"] for chart in found["Motion of the bodies"]]
    assert motions == ["Position along x", "Position along y", "Turned from the start"]
    turned = run.columns.values("turned", "ball")
    np.testing.assert_allclose(
        turned, np.abs(np.rad2deg(0.03 * np.sin(2 * np.pi * run.values("time")) / RADIUS)), atol=1e-6
    )
    assert [chart["title"] for chart in found["Loads"]] == ["Applied forces"]
