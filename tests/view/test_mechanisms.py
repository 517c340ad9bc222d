"""Beams, joints, drivers and springs: what the page is told of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from condyle import load, simulate
from condyle.model.spec import parse
from condyle.results import Results
from condyle.view import report
from condyle.view.charts import sections
from condyle.view.columns import Columns
from condyle.view.facts import Facts
from condyle.view.mechanisms import stations
from condyle.view.run import Run
from condyle.view.scene import scene
from results import mechanisms
from view.synthetic import knee_results, mechanism_results

ONLY_BEAMS = """\
condyle: 1
title: Nothing but a beam
bodies:
  wall: {fixed: true}
beams:
  bar:
    from: [0, 0]
    to: [1, 0]
    elements: 2
    section: {width: 10 mm, height: 10 mm}
    young: 1 MPa
    density: 1000
run: {duration: 0.01, step: 1e-4, output_step: 1e-3}
"""


def _run(results: Results) -> Run:
    return Run(results.dataset, Columns(results.dataset), Facts(results.spec.model))


def _charts(results: Results) -> dict[str, dict[str, Any]]:
    return {
        chart["title"]: chart | {"section": part["title"]}
        for part in sections(_run(results))
        for chart in part["charts"]
    }


def _with(changes: dict[str, Any]) -> Results:
    results = mechanism_results()
    return replace(results, spec=results.spec.updated(changes))


def test_beams_are_lines_through_their_stations_in_the_colours_of_their_strain() -> None:
    results = mechanism_results()
    run = _run(results)
    made = scene(run)
    rod, reed = made["beams"]
    assert (rod["thick"], reed["thick"]) == (0.01, 0.0)
    assert [len(rod[key]) for key in ("x", "y", "strain")] == [mechanisms.LONG] * 3
    assert len(reed["x"]) == mechanisms.SHORT
    columns = run.columns.thinned()
    at = results.dataset["beam_position"].sel(beam="rod", axis="y").values
    np.testing.assert_allclose(columns[rod["y"][4]], at[:, 4], atol=1e-6)
    strain = results.dataset["beam_surface_strain"].sel(beam="rod").values
    np.testing.assert_allclose(columns[rod["strain"][2]], strain[:, 2], atol=1e-6)
    assert made["beam_strain"] == pytest.approx(0.02)


def test_a_beam_of_many_stations_is_drawn_by_fewer_with_both_its_ends() -> None:
    data = mechanisms.dataset().sel(beam=["rod"])
    fine = data.interp(station=np.linspace(0.0, 4.0, 201)).assign_coords(station=np.arange(201))
    fine["beam_arc"] = (("beam", "station"), np.linspace(0.0, 0.4, 201)[None])
    found = stations(_run(replace(mechanism_results(), dataset=fine)), "rod")
    assert 30 < len(found) <= 66
    assert (found[0], found[-1]) == ("0", "200")
    assert len(set(found)) == len(found)


def test_frames_on_beams_are_no_bodies() -> None:
    assert [body["name"] for body in scene(_run(mechanism_results()))["bodies"]] == ["ground", "crank"]


def test_joints_have_their_kind_their_force_and_the_line_they_slide_on() -> None:
    run = _run(mechanism_results())
    made = scene(run)
    pin, guide = made["joints"]
    assert (pin["kind"], pin["torque"], pin["turn"], pin["x0"]) == ("revolute", None, None, None)
    assert (guide["kind"], guide["along"]) == ("translational", pytest.approx(np.pi / 2))
    columns = run.columns.thinned()
    np.testing.assert_array_equal(columns[guide["turn"]], 0.0)
    assert min(columns[guide["torque"]]) == pytest.approx(-0.5)
    assert made["joint_force"] == pytest.approx(5.0)


def test_a_rod_reaches_from_point_to_point() -> None:
    link = {"kind": "distance", "from": {"body": "crank", "at": [0.1, 0]}, "to": {"body": "tip"}}
    run = _run(_with({"joints.guide": link}))
    rod = scene(run)["joints"][1]
    columns, time = run.columns.thinned(), run.values("time")
    np.testing.assert_allclose(columns[rod["x0"]], 0.2 * np.cos(time))
    np.testing.assert_allclose(columns[rod["y0"]], 0.2 * np.sin(time))


def test_what_holds_a_measure_has_no_place() -> None:
    results = _with({"joints.guide": {"kind": "hold", "measure": "turn"}})
    results.dataset["joint_point"].values[:, 1] = 1e6
    made = scene(_run(results))
    assert [joint["name"] for joint in made["joints"]] == ["pin"]
    assert max(map(abs, made["whole"])) < 10.0
    assert "guide" in {one["name"] for one in _charts(results)["Joint forces"]["series"]}


def test_a_driver_of_an_angle_turns_about_the_pin() -> None:
    run = _run(mechanism_results())
    (motor,) = scene(run)["drivers"]
    assert (motor["unit"], motor["fx"]) == ("N m", None)
    columns = run.columns.thinned()
    np.testing.assert_allclose(columns[motor["x"]], 0.0, atol=1e-15)
    np.testing.assert_array_equal(columns[motor["effort"]], run.values("driver_effort", "motor"))


@pytest.mark.parametrize(
    ("measure", "along"),
    [
        ({"kind": "coordinate", "of": {"body": "tip"}, "axis": "y", "sign": -1}, (0.0, -1.0)),
        (
            {"kind": "coordinate", "of": {"body": "tip"}, "axis": "x", "in": "crank"},
            (np.cos(1.0), np.sin(1.0)),
        ),
        ({"kind": "distance", "from": {"body": "ground"}, "to": {"body": "tip"}}, (1.0, 0.0)),
    ],
)
def test_a_driver_of_a_length_pushes_along_it(measure: dict[str, Any], along: tuple[float, float]) -> None:
    results = _with({"measures.way": measure, "drivers.motor.measure": "way"})
    results = replace(results, dataset=results.dataset.assign_coords(driver_unit=("driver", ["N"])))
    run = _run(results)
    made = scene(run)
    (motor,) = made["drivers"]
    columns, effort = run.columns.thinned(), run.values("driver_effort", "motor")
    # At the end the crank has turned by 1 rad and the tip is level with the ground's origin.
    pushed = [columns[motor[key]][-1] for key in ("fx", "fy")]
    assert pushed == pytest.approx([effort[-1] * part for part in along], abs=1e-12)
    assert columns[motor["x"]][-1] == pytest.approx(0.6)
    assert made["driver_force"] == pytest.approx(2.5)


def test_springs_have_their_ends_or_the_pin_they_wind_about() -> None:
    run = _run(mechanism_results())
    buffer, coil = scene(run)["springs"]
    columns = run.columns.thinned()
    assert (buffer["turns"], buffer["unit"], coil["turns"], coil["unit"]) == (False, "N", True, "N m")
    np.testing.assert_allclose(columns[buffer["ends"][2]], 0.1 * np.cos(run.values("time")))
    # The crank's pin, not its centre, is where the spiral is.
    np.testing.assert_allclose([columns[end] for end in coil["ends"]], 0.0, atol=1e-15)


def test_the_frame_holds_beams_joints_and_springs() -> None:
    made = scene(_run(mechanism_results()))
    assert made["joint"] is None
    x0, x1, y0, y1 = made["whole"]
    assert x0 < 0.0
    assert x1 > 0.6
    assert y0 < -0.1
    assert y1 > 0.1
    # The arrow of the pin's force has room as well.
    assert min(x0, y0) < -0.15


@pytest.mark.parametrize("name", ["joint", "driver", "spring", "beam"])
def test_names_that_the_model_does_not_know_draw_least(name: str) -> None:
    results = mechanism_results()
    labels = [f"other{k}" for k in range(results.dataset.sizes[name])]
    made = scene(_run(replace(results, dataset=results.dataset.assign_coords({name: labels}))))
    assert len(made["joints"]) == (0 if name == "joint" else 2)
    assert len(made["drivers"]) == (0 if name == "driver" else 1)
    assert [spring["turns"] for spring in made["springs"]] == [False, name != "spring"]
    assert len(made["beams"]) == 2


def test_charts_of_a_mechanism() -> None:
    charts = _charts(mechanism_results())
    titles = [
        ("Joints", "Joint forces"),
        ("Joints", "Joint torques"),
        ("Drivers", "Driver torques"),
        ("Springs", "Spring forces"),
        ("Springs", "Spring torques"),
        ("Springs", "Spring lengths"),
        ("Springs", "Spring angles"),
        ("Beams", "Largest surface strain"),
        ("Beams", "Bending moment along the beams"),
        ("Beams", "Axial force along the beams"),
    ]
    assert [(chart["section"], title) for title, chart in charts.items()][1:11] == titles
    assert [one["name"] for one in charts["Joint torques"]["series"]] == ["guide"]
    assert [one["name"] for one in charts["Spring angles"]["series"]] == ["coil"]
    assert (charts["Spring angles"]["y"], charts["Spring lengths"]["y"]) == ("Angle [°]", "Length [mm]")


def test_joint_forces_are_magnitudes_and_parts_on_demand() -> None:
    results = mechanism_results()
    run = _run(results)
    chart = next(c for s in sections(run) for c in s["charts"] if c["title"] == "Joint forces")
    columns = run.columns.thinned()
    pin = columns[chart["series"][0]["y"]["at"]]
    np.testing.assert_allclose(pin, 5.0 * np.abs(np.sin(2.0 * np.pi * run.values("time"))), atol=1e-12)
    x, y = chart["x"][-2:]
    assert (x["name"], y["name"], y["y"]) == ("x", "y", "Force along y [N]")
    series = columns[y["series"][0]["y"]["at"]]
    np.testing.assert_array_equal(series, run.values("joint_force", "pin", "y"))


def test_what_runs_along_beams_has_its_range_over_all_time() -> None:
    run = _run(mechanism_results())
    chart = next(c for s in sections(run) for c in s["charts"] if c["title"].startswith("Bending"))
    rod, reed = chart["series"]
    np.testing.assert_allclose(rod["x"]["values"], [0, 100, 200, 300, 400])
    np.testing.assert_allclose(rod["low"]["values"], [0, -1.5, -3, -1.5, 0], atol=1e-12)
    np.testing.assert_allclose(rod["high"]["values"], [0, 1.5, 3, 1.5, 0], atol=1e-12)
    assert (len(rod["along"]), len(reed["along"])) == (mechanisms.LONG, mechanisms.SHORT)
    columns = run.columns.thinned()
    assert columns[rod["along"][2]][10] == pytest.approx(-3.0)


def test_shear_forces_are_drawn_for_beams_that_can_shear() -> None:
    results = mechanism_results()
    assert not [title for title in _charts(results) if title.startswith("Shear")]
    shear = results.dataset["beam_axial_force"].where(results.dataset["beam"] == "rod")
    (chart,) = [
        chart
        for title, chart in _charts(
            replace(results, dataset=results.dataset.assign(beam_shear_force=shear))
        ).items()
        if title.startswith("Shear force along")
    ]
    assert [one["name"] for one in chart["series"]] == ["rod"]


def test_the_largest_strain_is_over_all_stations() -> None:
    run = _run(mechanism_results())
    chart = next(c for s in sections(run) for c in s["charts"] if c["title"].startswith("Largest"))
    strain = run.columns.thinned()[chart["series"][0]["y"]["at"]]
    np.testing.assert_allclose(strain, 0.02 * np.abs(np.sin(2.0 * np.pi * run.values("time"))), atol=1e-12)


def test_kinds_of_energy_that_are_zero_throughout_are_left_out() -> None:
    names = [one["name"] for one in _charts(mechanism_results())["Energy and work"]["series"]]
    assert names == ["kinetic", "beam"]


def test_many_columns_of_beams_do_not_crowd_out_the_samples_that_matter() -> None:
    """What follows has no say in which samples are kept."""
    columns = Columns(knee_results().dataset)
    noise = np.zeros(501)
    noise[17] = 1.0
    number = columns.follow(noise, "seen", "noise")
    kept = columns.thinned(50)
    assert len(kept[0]) <= 50
    assert 0.017 not in kept[0]
    assert len(kept[number]) == len(kept[0])
    columns.add(noise, "loud")
    assert 0.017 in columns.thinned(50)[0]


@pytest.mark.compiled
def test_a_model_with_nothing_but_beams_has_a_report(tmp_path: Path) -> None:
    results = simulate(parse(ONLY_BEAMS, "beam"))
    assert report(results, tmp_path).stat().st_size > 10_000
    made = scene(_run(results))
    assert len(made["beams"][0]["x"]) == 5
    assert made["joints"] == made["contacts"] == made["ligaments"] == []
    assert made["whole"][1] > 1.0
    assert {chart["section"] for chart in _charts(results).values()} == {"Beams", "Energy"}


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "variant", "parts"),
    [
        ("cantilever", None, {"beams": 1, "joints": 1, "loads": 1}),
        ("cantilever", "moment", {"beams": 1, "joints": 1, "loads": 1}),
        ("flexible-pendulum", None, {"beams": 1, "joints": 1}),
        ("double-pendulum", "damped", {"joints": 2, "springs": 1}),
        ("four-bar", None, {"joints": 4, "drivers": 1}),
        (
            "slider-crank",
            "flexible-spring",
            {"beams": 1, "joints": 5, "drivers": 1, "springs": 1, "contacts": 1},
        ),
        ("slider-crank", "rigid", {"joints": 4, "drivers": 1, "contacts": 1}),
    ],
)
def test_built_in_mechanisms_have_reports(
    tmp_path: Path, name: str, variant: str | None, parts: dict[str, int]
) -> None:
    """The seam between what a run gives and what is drawn."""
    spec = load(name, variant=variant).updated({"run.duration": 0.02, "run.output_step": 1e-3})
    results = simulate(spec)
    assert results.complete
    assert report(results, tmp_path).stat().st_size > 10_000
    made = scene(_run(results))
    every = ("beams", "joints", "drivers", "springs", "contacts", "loads", "ligaments")
    assert {part: len(made[part]) for part in every if made[part]} == parts
    assert len(results.summary().joints) == parts["joints"]


def test_runs_of_hardly_any_samples(tmp_path: Path) -> None:
    results = mechanism_results()
    for samples in (0, 1, 2):
        short = replace(results, dataset=results.dataset.isel(time=slice(0, samples)))
        assert report(short, tmp_path).stat().st_size > 10_000


def test_numbers_that_stopped_being_finite_leave_the_frame_alone(tmp_path: Path) -> None:
    results = mechanism_results()
    for name in ("position", "angle", "joint_force", "joint_point", "spring_point", "beam_position"):
        results.dataset[name].values[20:] = np.nan
    results.dataset["beam_bending_moment"].values[20:] = np.nan
    assert max(map(abs, scene(_run(results))["whole"])) < 2.0
    assert report(results, tmp_path).stat().st_size > 10_000
