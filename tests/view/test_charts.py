"""Each run gets the charts it has something to show in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from condyle.results import Results
from condyle.view.axes import length_unit
from condyle.view.charts import sections
from condyle.view.columns import Columns
from condyle.view.facts import Facts
from condyle.view.run import Run
from view.synthetic import ball_results, chain_results, knee_results


def _run(results: Results) -> Run:
    return Run(results.dataset, Columns(results.dataset), Facts(results.spec.model))


def _charts(results: Results) -> dict[str, dict[str, Any]]:
    made = sections(_run(results))
    return {
        chart["title"]: chart | {"section": section["title"]}
        for section in made
        for chart in section["charts"]
    }


def test_the_knee_has_them_all() -> None:
    charts = _charts(knee_results())
    assert list(charts) == [
        "Flexion",
        "Ligament strain",
        "Ligament force",
        "Contact depth",
        "Normal contact force",
        "Tibiofemoral: on condyle",
        "Tibiofemoral: on plateau",
        "Force against depth",
        "Applied forces",
        "Energy and work",
        "Energy balance residual",
        "Horizontal position",
        "Vertical position",
        "Angle",
    ]
    assert [axis["label"] for axis in charts["Ligament strain"]["x"]] == ["Time [s]", "Flexion [°]"]
    assert charts["Flexion"]["y"] == "Flexion [°]"
    assert [one["name"] for one in charts["Angle"]["series"]] == ["tibia"]


def test_the_ball_has_no_ligaments_measures_or_loads() -> None:
    charts = _charts(ball_results())
    assert {chart["section"] for chart in charts.values()} == {"Contact", "Energy", "Motion of the bodies"}
    # It moves up and down only.
    assert "Horizontal position" not in charts
    assert "Angle" not in charts
    assert [axis["label"] for axis in charts["Contact depth"]["x"]] == ["Time [s]"]


def test_a_gap_far_larger_than_the_depth_does_not_flatten_it() -> None:
    depth = _charts(ball_results())["Contact depth"]
    peak = float(ball_results().dataset["contact_depth"].max()) * 1e3
    assert depth["y"] == "Depth [mm]"
    assert depth["floor"] == pytest.approx(-0.25 * peak)


def test_a_contact_that_never_closes_shows_its_gap_only() -> None:
    results = knee_results()
    results.dataset["contact_depth"].values[:] = -0.002
    results.dataset["contact_normal_force"].values[:] = 0.0
    charts = _charts(results)
    assert [title for title, chart in charts.items() if chart["section"] == "Contact"] == ["Contact depth"]
    assert "floor" not in charts["Contact depth"]


def test_a_spot_without_a_single_number_is_left_out() -> None:
    results = knee_results()
    results.dataset["contact_depth"].values[:] = np.nan
    assert "Contact" not in {chart["section"] for chart in _charts(results).values()}


def test_friction_is_drawn_where_there_is_some() -> None:
    results = knee_results()
    results.dataset["contact_friction"].values[5:] = 2.0
    series = _charts(results)["Contact force"]["series"]
    assert [one["name"] for one in series] == ["tibiofemoral", "tibiofemoral friction"]


def test_the_loop_starts_and_ends_on_the_axis() -> None:
    results = ball_results()
    run = _run(results)
    loop = next(
        chart
        for section in sections(run)
        for chart in section["charts"]
        if chart["title"] == "Force against depth"
    )
    depth, force = (run.columns.thinned()[loop["series"][0][axis]["at"]] for axis in "xy")
    seen = np.flatnonzero(np.isfinite(depth))
    assert 0 < len(seen) < 20
    assert depth[seen[0]] == force[seen[0]] == 0.0
    assert np.nanmax(depth) == results.dataset["contact_depth"].max()


def test_corners_of_short_contacts_are_explained() -> None:
    assert "output_step" in _charts(ball_results())["Force against depth"]["note"]
    assert "output_step" not in _charts(knee_results())["Force against depth"]["note"]


def test_torques_have_their_own_chart() -> None:
    results = knee_results()
    torque = np.ones((501, 1))
    charts = _charts(
        replace(results, dataset=results.dataset.assign(load_torque=(("time", "force"), torque)))
    )
    assert [one["name"] for one in charts["Applied torques"]["series"]] == ["pulse"]
    assert [one["name"] for one in charts["Applied forces"]["series"]] == ["pulse, x", "pulse, y"]


def test_any_number_of_bodies() -> None:
    charts = _charts(chain_results(23))
    assert list(charts) == ["Horizontal position", "Vertical position", "Angle"]
    assert [one["tone"] for one in charts["Angle"]["series"]] == list(range(23))


def test_gravity_is_counted_from_the_start() -> None:
    results = knee_results()
    series = {one["name"]: one["y"] for one in _charts(results)["Energy and work"]["series"]}
    assert series["gravity"]["offset"] == -float(results.dataset["energy"].sel(kind="gravity")[0])
    assert series["kinetic"]["offset"] == 0.0


@pytest.mark.parametrize(("size", "unit"), [(3e-6, "µm"), (3e-4, "mm"), (0.3, "mm"), (3.0, "m"), (0.0, "mm")])
def test_lengths_get_a_unit_that_reads_well(size: float, unit: str) -> None:
    assert length_unit(np.array([-size, np.nan]))[1] == unit


def test_energy_that_no_contact_stores_is_explained() -> None:
    """Where the stiffness follows the outline there is no line of stored energy to look for."""
    results = knee_results()
    assert "follows the outline" not in _charts(results)["Energy and work"]["note"]
    change = {
        "materials": {"cartilage": {"young": "5 MPa", "poisson": 0.46}},
        "profiles.condyle.material": "cartilage",
        "profiles.plateau.material": "cartilage",
        "contacts.tibiofemoral.law": "hertz",
        "contacts.tibiofemoral.radii": ["profile", "flat"],
    }
    note = _charts(replace(results, spec=results.spec.updated(change)))["Energy and work"]["note"]
    assert note.startswith(
        "Gravity counted from the start. The stiffness of tibiofemoral follows the outline"
    )
    assert "integrated and counted as dissipated" in note
