"""What the moving picture is told to draw and to look at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from condyle.results import Results
from condyle.view.columns import Columns
from condyle.view.facts import Facts
from condyle.view.framing import bounds, hull, joined, padded, placed
from condyle.view.run import Run
from condyle.view.scene import scene
from view.synthetic import ball_results, chain_results, knee_results


def _scene(results: Results) -> tuple[dict[str, Any], Columns]:
    columns = Columns(results.dataset)
    return scene(Run(results.dataset, columns, Facts(results.spec.model))), columns


def test_the_joint_frame_holds_ligaments_and_contact_and_little_else() -> None:
    results = knee_results()
    made, _ = _scene(results)
    x0, x1, y0, y1 = made["joint"]
    points = results.dataset["ligament_point"].values.reshape(-1, 3)
    assert points[:, 0].min() > x0
    assert points[:, 0].max() < x1
    assert points[:, 1].min() > y0
    assert points[:, 1].max() < y1
    whole = made["whole"]
    assert max(x1 - x0, y1 - y0) < 0.5 * (whole[3] - whole[2])
    tibia = results.dataset["position"].sel(body="tibia").values
    assert whole[2] < tibia[:, 1].min()


def test_a_long_floor_does_not_push_the_ball_away() -> None:
    made, _ = _scene(ball_results())
    assert made["joint"] is None
    assert made["whole"][1] - made["whole"][0] < 1.0
    assert [shape["kind"] for body in made["bodies"] for shape in body["shapes"]] == [
        "bone",
        "surface",
        "ground",
    ]


def test_the_contact_arrow_is_drawn_for_the_body_that_can_move() -> None:
    made, columns = _scene(knee_results())
    assert made["contacts"][0]["on"] == [{"body": "tibia", "sign": -1}]
    assert made["contact_force"] == columns.values("contact_normal_force", "tibiofemoral").max()


def test_drawings_stand_for_the_body_and_a_hull_where_there_is_none() -> None:
    results = knee_results()
    bare = results.spec.updated({"bodies.tibia.drawing": []})
    made, _ = _scene(replace(results, spec=bare, dataset=results.dataset.drop_vars("outline")))
    tibia = next(body for body in made["bodies"] if body["name"] == "tibia")
    bone = next(shape for shape in tibia["shapes"] if shape["kind"] == "bone")
    assert bone["filled"]
    # Where ACL and PCL are at the start, in the tibia's frame, and its centre of mass.
    for corner in ((0.213, -0.009), (0.210, 0.035), (0.0, 0.0)):
        assert np.hypot(bone["x"] - corner[0], bone["y"] - corner[1]).min() < 1e-12


def test_bounds_and_breaks_of_ligaments_reach_the_page() -> None:
    results = knee_results()
    results.dataset["ligament_broken_time"].values[1] = 0.2
    made, _ = _scene(results)
    ligaments = {one["name"]: one for one in made["ligaments"]}
    assert ligaments["LCL"]["broken"] == 0.2
    assert ligaments["LCL"]["allowed"] is None
    assert ligaments["ACL"]["broken"] is None
    assert ligaments["ACL"]["allowed"] == 0.22
    # Without a bound of its own a ligament is coloured up to the highest of the others.
    assert made["strain"] == 0.22


def test_a_model_without_joint_is_seen_whole() -> None:
    made, _ = _scene(chain_results(9))
    assert made["joint"] is None
    assert len(made["bodies"]) == 9
    assert made["ligaments"] == made["contacts"] == made["loads"] == []


def test_hull_is_counter_clockwise_closed_and_bears_no_inner_points() -> None:
    points = np.array([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [1, 0]], dtype=float)
    ring = hull(points)
    np.testing.assert_array_equal(ring[0], ring[-1])
    assert {tuple(point) for point in ring} == {(0, 0), (2, 0), (2, 2), (0, 2)}
    assert np.sum(ring[:-1, 0] * ring[1:, 1] - ring[1:, 0] * ring[:-1, 1]) == 8.0
    assert hull(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])).size == 0


def test_open_lines_enclose_a_bone_together() -> None:
    left, right = np.array([[0.0, 0.0], [0.0, 5.0]]), np.array([[1.0, 0.0], [1.0, 5.0]])
    np.testing.assert_array_equal(joined([left, right]), [[0, 0], [0, 5], [1, 5], [1, 0]])
    made, _ = _scene(knee_results())
    femur, tibia = ([shape["kind"] for shape in body["shapes"]] for body in made["bodies"])
    # The thigh is an open line; of the tibia only the plateau is open, its drawing ends where it starts.
    assert femur == ["solid", "bone", "surface"]
    assert tibia == ["solid", "bone", "surface"]


def test_a_spot_that_was_never_needed_is_not_drawn() -> None:
    results = knee_results()
    results.dataset["contact_depth"].values[:] = np.nan
    made, _ = _scene(results)
    assert made["contacts"] == []


def test_a_torque_is_told_from_a_force() -> None:
    results = knee_results()
    assert _scene(results)[0]["loads"][0]["torque"] is None
    torque = np.sin(results.dataset["time"].values)[:, None]
    made, columns = _scene(
        replace(results, dataset=results.dataset.assign(load_torque=(("time", "force"), torque)))
    )
    np.testing.assert_array_equal(columns.thinned()[made["loads"][0]["torque"]], torque[:, 0])


def test_boxes_have_room_even_about_one_point() -> None:
    assert padded(bounds([np.array([[1.0, 2.0]])]), 0.1) == [0.5, 1.5, 1.5, 2.5]
    assert padded(bounds([]), 0.0) == [-1.0, 1.0, -1.0, 1.0]
    turned = placed(np.array([[1.0, 0.0]]), np.array([[5.0, 0.0]]), np.array([np.pi / 2]))
    np.testing.assert_allclose(turned, [[5.0, 1.0]], atol=1e-15)


def test_a_socket_is_solid_around_its_circle() -> None:
    """Not the hull of what is attached to the body, which would fill the hollow."""
    results = knee_results()
    hollow = {
        "bodies.femur.drawing": [],
        "bodies.tibia.drawing": [],
        "profiles.condyle.outline": {"circle": {"radius": "40 mm", "hollow": True}},
        "profiles.plateau.outline": {"circle": {"radius": "35 mm"}},
    }
    made, _ = _scene(replace(results, spec=results.spec.updated(hollow)))
    femur = next(body for body in made["bodies"] if body["name"] == "femur")
    assert [shape["kind"] for shape in femur["shapes"]] == ["solid", "bone", "surface"]
    assert [shape["filled"] for shape in femur["shapes"]] == [True, False, False]
    ring = femur["shapes"][0]
    radius = np.hypot(ring["x"], ring["y"])
    assert radius.min() > 0.0399
    assert radius.max() > 0.045
    # Outwards and back inwards it encloses the ring alone.
    area = 0.5 * abs(np.sum(ring["x"] * np.roll(ring["y"], -1) - np.roll(ring["x"], -1) * ring["y"]))
    assert np.isclose(area, np.pi * (radius.max() ** 2 - radius.min() ** 2), rtol=0.01)
    assert made["whole"][0] < -radius.max()
