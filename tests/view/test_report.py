"""The report as a file: what it says, how large it is, how long it takes."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from condyle import load, simulate
from condyle.results import Results
from condyle.view import report
from view.synthetic import ball_results, chain_results, knee_results

HOSTILE = '</title></script><script>window.hacked = 1</script><img src=x onerror="window.hacked=1"> "quoted" & $script'


def _text(results: Results, folder: Path) -> str:
    return report(results, folder).read_text(encoding="utf-8")


def _data(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_the_page_is_written_where_asked_small_and_at_once(tmp_path: Path) -> None:
    results = knee_results()
    report(results, tmp_path)
    start = time.process_time()
    path = report(results, tmp_path / "new" / "folder")
    # Takes 0.05 s of a processor where it was written; the bound leaves room for slow and busy ones.
    assert time.process_time() - start < 0.7
    assert path == tmp_path / "new" / "folder" / "report.html"
    assert path.stat().st_size < 1_000_000
    assert [found.name for found in path.parent.iterdir()] == ["report.html"]


def test_the_series_are_those_of_the_dataset(tmp_path: Path) -> None:
    results = knee_results()
    data = _data(_text(results, tmp_path))
    np.testing.assert_allclose(data["columns"][0], results.dataset["time"], rtol=1e-6)
    flexion = data["columns"][data["measures"][0]["at"]]
    np.testing.assert_allclose(flexion, results.dataset["measure_value"].sel(measure="flexion"), rtol=1e-6)
    assert data["measures"][0]["unit"] == "°"


def test_long_runs_are_thinned_without_losing_their_peaks(tmp_path: Path) -> None:
    results = knee_results(samples=20_001)
    results.dataset["contact_normal_force"].values[12_345] = 2000.0
    text = _text(results, tmp_path)
    data = _data(text)
    assert len(data["columns"][0]) <= 1500
    assert max(data["columns"][data["scene"]["contacts"][0]["force"]]) == 2000.0
    assert len(text) < 2_000_000


def test_a_good_run_says_so_quietly(tmp_path: Path) -> None:
    text = _text(knee_results(), tmp_path)
    assert 'class="status good"' in text
    assert 'class="status bad" role="alert"' not in text
    assert "allowed 10⁻⁶" in text


def test_a_run_that_stopped_says_so_loudly(tmp_path: Path) -> None:
    sentence = "stopped at 0.31 s: the step collapsed in contact <tibiofemoral>"
    results = knee_results(complete=False, status=sentence)
    results = replace(results, audit=replace(results.audit, finished=False, notes=("a note",)))
    text = _text(results, tmp_path)
    assert 'class="status bad" role="alert"' in text
    assert "This run did not reach its end" in text
    assert text.count("stopped at 0.31 s: the step collapsed in contact &lt;tibiofemoral&gt;") == 1
    assert "<li>a note</li>" in text


def test_a_failed_audit_says_so_loudly(tmp_path: Path) -> None:
    results = knee_results()
    audit = replace(
        results.audit,
        energy_residual=-0.1,
        clamped_time={"tibiofemoral": 2e-3},
        clamped_work={"tibiofemoral": -1e-5},
    )
    text = _text(replace(results, audit=audit), tmp_path)
    assert "<strong>Audit failed</strong>" in text
    assert '<span class="badge bad">failed</span>' in text
    assert "<td>−0.1 J</td>" in text
    assert '<th scope="row">clamped pull, tibiofemoral</th><td>0.002 s, −10⁻⁵ J</td>' in text


def test_strangers_words_stay_words(tmp_path: Path) -> None:
    results = knee_results(HOSTILE)
    spec = results.spec.updated({"description": HOSTILE})
    results = replace(results, spec=replace(spec, source=f"title: {HOSTILE}\n# {HOSTILE}"), status=HOSTILE)
    text = _text(results, tmp_path)
    assert "window.hacked = 1</script>" not in text
    assert "<img" not in text
    assert text.count("<script") == 2
    assert text.count("</script>") == 2


@pytest.mark.parametrize("samples", [0, 1, 2])
def test_runs_of_hardly_any_samples(tmp_path: Path, samples: int) -> None:
    results = knee_results(complete=False, status="stopped at the start")
    results = replace(results, dataset=results.dataset.isel(time=slice(0, samples)))
    assert len(_data(_text(results, tmp_path))["columns"][0]) == samples


def test_numbers_that_stopped_being_finite_are_gaps(tmp_path: Path) -> None:
    results = knee_results()
    for name in (
        "position",
        "angle",
        "ligament_force",
        "contact_depth",
        "energy",
        "measure_value",
        "ligament_point",
    ):
        results.dataset[name].values[400:] = np.nan
    data = _data(_text(results, tmp_path))
    assert data["columns"][data["measures"][0]["at"]][400] is None
    assert all(abs(value) < 10 for value in data["scene"]["whole"])


@pytest.mark.parametrize(
    "results", [ball_results(), chain_results(1), chain_results(30)], ids=["ball", "one", "thirty"]
)
def test_what_is_missing_leaves_no_trace(tmp_path: Path, results: Results) -> None:
    text = _text(results, tmp_path)
    assert "<h2>Ligaments</h2>" not in text
    assert "<h2>Overrides</h2>" not in text
    assert "<h2>Measures</h2>" not in text
    assert _data(text)["measures"] == []


@pytest.mark.compiled
def test_a_run_of_the_engine_has_all_that_the_page_asks_for(tmp_path: Path) -> None:
    """The seam between what a run gives and what is drawn: every part of the knee's page is there."""
    results = simulate(load("planar-knee").updated({"run.duration": 0.2}))
    data = _data(_text(results, tmp_path))
    assert [section["title"] for section in data["sections"]] == [
        "Measures",
        "Ligaments",
        "Contact",
        "Loads",
        "Energy",
        "Motion of the bodies",
    ]
    scene = data["scene"]
    assert [len(scene[name]) for name in ("bodies", "ligaments", "contacts", "loads")] == [2, 4, 1, 1]
    assert [one["allowed"] for one in scene["ligaments"]] == [0.17, None, 0.22, 0.19]
    assert scene["contacts"][0]["on"] == [{"body": "tibia", "sign": -1}]
    assert all(body["shapes"] for body in scene["bodies"])
    # The femur pushes the tibia down and so does the arrow.
    contact = scene["contacts"][0]
    pressed = [k for k, force in enumerate(data["columns"][contact["force"]]) if force]
    assert pressed
    assert all(data["columns"][contact["ny"]][k] > 0 for k in pressed)
    written = {chart["title"] for section in data["sections"] for chart in section["charts"]}
    assert {"Tibiofemoral: on condyle", "Tibiofemoral: on plateau", "Energy balance residual"} <= written
