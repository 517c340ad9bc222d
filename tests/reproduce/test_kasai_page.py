"""The page of Kasai 2024: its figures, sentences whose numbers come from the runs, and what cannot be trusted."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cli.terminal import invoke
from condyle.model.spec import load
from condyle.reproduce import PAPERS, UntrustedRunsError, kasai_2024
from condyle.reproduce.kasai import cases as kasai_cases
from condyle.reproduce.kasai.cases import FLEXIBLE, RIGID, SPRING, Runs, cases, other_name, printed_name
from condyle.reproduce.kasai.motion import Motion
from reproduce.kasai_runs import kasai_runs

NUMBERS = ("4", "5", "7")


@pytest.fixture(scope="session")
def runs() -> Runs:
    return kasai_runs()


@pytest.fixture
def ready(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> Runs:
    """Reproducing takes no time: the runs are there."""
    monkeypatch.setattr(kasai_2024, "run_cases", lambda _told: runs)
    return runs


def sentences(runs: Runs) -> dict[str, str]:
    """What came out, by figure."""
    return {
        figure["title"].split(":")[0].removeprefix("Figure "): figure["found"]
        for figure in kasai_2024.figures(runs)
    }


def test_every_paper_has_a_module_and_a_place_in_the_docs() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "papers.md").read_text(encoding="utf-8")
    for name in PAPERS:
        assert f"condyle reproduce {name}" in docs
        assert invoke("reproduce", f"{name}x").exit_code != 0


def test_the_page_has_every_figure(ready: Runs, tmp_path: Path) -> None:
    page = kasai_2024.reproduce(tmp_path / "new")
    assert page == tmp_path / "new" / "kasai-2024.html"
    text = page.read_text(encoding="utf-8")
    for number in NUMBERS:
        assert len(re.findall(rf"<h2>Figure {number}: ", text)) == 1
    assert text.count("<dt>Paper</dt>") == text.count("<dt>Came out</dt>") == 3
    found = re.search(r'id="data">(.*?)</script>', text)
    assert found is not None
    panels = json.loads(found[1])["figures"]
    assert [len(panel) for panel in panels] == [6, 3, 2]
    for series in (series for figure in panels for panel in figure for series in panel["series"]):
        assert sum(value is not None for value in series["y"]["values"]) > 100, series["name"]
    assert re.search(r"https?://(?!www\.w3\.org)", text) is None
    assert len(text) < 1_000_000


def test_the_right_panel_of_figure_5_is_the_first_contact(runs: Runs) -> None:
    panel = kasai_2024.figures(runs)[1]["panels"][1]
    for series in panel["series"]:
        time = np.asarray(series["x"])
        assert (time.min(), time.max()) == pytest.approx((1.0, 1.1))
        assert time.min() < runs[RIGID].onsets[0] < time.max()


def test_every_figure_says_numbers(runs: Runs) -> None:
    assert tuple(sentences(runs)) == NUMBERS
    for number, text in sentences(runs).items():
        assert len(re.findall(r"\d+\.\d+", text)) >= 4, number
        assert not re.search(r"\b(nan|inf)\b", text), text


@pytest.mark.parametrize(
    ("name", "stand_in", "changed"),
    [
        (RIGID, FLEXIBLE, {"5", "7"}),
        (FLEXIBLE, RIGID, {"5", "7"}),
        (SPRING, FLEXIBLE, {"4", "7"}),
        (printed_name(RIGID), FLEXIBLE, {"7"}),
        (other_name(FLEXIBLE, "a rod of 2 GPa"), RIGID, {"7"}),
    ],
)
def test_another_run_gives_another_sentence(runs: Runs, name: str, stand_in: str, changed: set[str]) -> None:
    before, after = sentences(runs), sentences({**runs, name: runs[stand_in]})
    assert {number for number in before if before[number] != after[number]} == changed


def test_the_verdicts_follow_from_the_runs(runs: Runs) -> None:
    """Rods and springs that change nothing would not bear the paper out."""
    assert [figure.get("verdict") for figure in kasai_2024.figures(runs)] == [
        None,
        "reproduced",
        "reproduced",
    ]
    alike = {**runs, FLEXIBLE: runs[RIGID], SPRING: runs[RIGID]}
    assert [figure.get("verdict") for figure in kasai_2024.figures(alike)] == [None, *["not reproduced"] * 2]


def test_the_terminal_prints_the_path(ready: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = invoke("reproduce", "kasai-2024")
    assert (found.exit_code, found.stdout) == (0, "page     kasai-2024-reproduced/kasai-2024.html\n")


def test_runs_that_cannot_be_trusted_fail_after_the_page_is_written(
    runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = replace(runs[RIGID].results.audit, tolerance=0.0, energy_residual=1.0)
    bad = {**runs, RIGID: Motion(replace(runs[RIGID].results, audit=audit))}
    monkeypatch.setattr(kasai_2024, "run_cases", lambda _told: bad)
    with pytest.raises(UntrustedRunsError, match="rigid: its energy balance closes to"):
        kasai_2024.reproduce(tmp_path)
    text = (tmp_path / "kasai-2024.html").read_text(encoding="utf-8")
    assert "DO NOT TRUST THIS PAGE: rigid" in text


def test_cases_are_told_of_and_run_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    small = load("pendulum").updated({"run.duration": 0.01, "run.step": 1e-3, "run.output_step": 1e-3})
    monkeypatch.setattr(kasai_cases, "cases", lambda: {"first": small, "second": small})
    told: list[float] = []
    assert list(kasai_cases.run_cases(told.append)) == ["first", "second"]
    assert told == sorted(told)
    assert {0.5, 1.0} <= set(told)
    assert {SPRING, printed_name(SPRING)} < set(cases())
