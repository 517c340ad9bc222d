"""The page of a paper run again: all figures, sentences whose numbers come from the runs, nothing from elsewhere."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cli.terminal import invoke
from condyle.model.spec import load
from condyle.reproduce import UntrustedRunsError, machado_2010
from condyle.reproduce.findings import Finding, verdict
from condyle.reproduce.machado import cases as machado_cases
from condyle.reproduce.machado.cases import DENSE, DRAWS, Runs, bearing_name, digitised_name
from condyle.reproduce.machado.motion import Motion
from condyle.reproduce.machado.splines import table_2
from reproduce.machado_runs import machado_runs

NUMBERS = ("9", "10", "11", "12", "13", "14", "15", "17", "18", "19")


@pytest.fixture(scope="session")
def runs() -> Runs:
    return machado_runs()


@pytest.fixture
def ready(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> Runs:
    """Reproducing takes no time: the runs are there."""
    monkeypatch.setattr(machado_2010, "run_cases", lambda _told: runs)
    return runs


def untrusted(motion: Motion) -> Motion:
    """The same run with an audit that fails."""
    audit = replace(motion.results.audit, tolerance=0.0, energy_residual=1.0)
    return Motion(replace(motion.results, audit=audit))


def sentences(runs: Runs) -> dict[str, str]:
    """What came out, by figure."""
    return {
        figure["title"].split(":")[0].removeprefix("Figure "): figure["found"]
        for figure in machado_2010.figures(runs)
    }


def test_the_page_has_every_figure(ready: Runs, tmp_path: Path) -> None:
    page = machado_2010.reproduce(tmp_path / "new")
    assert page == tmp_path / "new" / "machado-2010.html"
    text = page.read_text(encoding="utf-8")
    for number in NUMBERS:
        assert len(re.findall(rf"<h2>Figure {number}: ", text)) == 1
    assert text.count("<dt>Paper</dt>") == text.count("<dt>Came out</dt>") == len(NUMBERS) + 2
    assert text.count('<span class="badge') == 2 * (len(NUMBERS) + 1)
    found = re.search(r'id="data">(.*?)</script>', text)
    assert found is not None
    panels = json.loads(found[1])["figures"]
    assert [len(panel) for panel in panels] == [0, 2, 2, 2, 3, 2, 2, 2, 2, 3, 2, 2]
    for series in (series for figure in panels for panel in figure for series in panel["series"]):
        assert sum(value is not None for value in series["y"]["values"]) > 100, series["name"]


def test_the_page_is_one_file_and_asks_nobody(ready: Runs, tmp_path: Path) -> None:
    text = machado_2010.reproduce(tmp_path).read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["machado-2010.html"]
    assert re.search(r"https?://(?!www\.w3\.org)", text) is None
    assert re.search(r"\b(src|href)=\"(?!#)", text) is None
    assert "default-src 'none'" in text
    assert len(text) < 2_000_000


def test_every_figure_says_numbers(runs: Runs) -> None:
    assert set(sentences(runs)) > set(NUMBERS)
    for number, text in sentences(runs).items():
        assert len(re.findall(r"\d+\.\d+", text)) >= 2 or len(re.findall(r"\d+", text)) > 6, number
        assert not re.search(r"\b(nan|inf)\b", text), text


@pytest.mark.parametrize(
    ("name", "stand_in", "changed"),
    [
        ("akima", "strong", {"9"}),
        (digitised_name("cubic", DRAWS[1]), "lankarani", {"9"}),
        (digitised_name("cubic", DRAWS[0], DENSE), "strong", {"Beside Figure 9"}),
        ("lankarani", "strong", {"10", "11"}),
        ("onset floor 100 mm/s", "hertz", {"11"}),
        ("strong", "lankarani", {"12", "14", "15"}),
        (bearing_name(1.0), "strong", {"17", "18", "19"}),
        (bearing_name(0.3), "strong", {"17"}),
    ],
)
def test_another_run_gives_another_sentence(runs: Runs, name: str, stand_in: str, changed: set[str]) -> None:
    before, after = sentences(runs), sentences({**runs, name: runs[stand_in]})
    assert {number for number in before if before[number] != after[number]} == changed


def test_the_main_run_is_in_every_sentence(runs: Runs) -> None:
    """Table 2 needs a run that starts elsewhere: the amplitude does not change the start."""
    before, after = sentences(runs), sentences({**runs, "hertz": runs["strong"]})
    same = {number for number in before if before[number] == after[number]}
    assert same == {"Table 2", "Beside Figure 9"}
    elsewhere = runs["hertz"].results.dataset.isel(time=slice(100, None))
    other = {"hertz": Motion(replace(runs["hertz"].results, dataset=elsewhere))}
    assert table_2(runs).get("verdict") == "reproduced"
    assert table_2(other).get("verdict") == "not reproduced"


def test_a_verdict_follows_from_what_holds() -> None:
    yes, no, remark = (
        Finding("So it is", holds=True),
        Finding("So it is not", holds=False),
        Finding("By the way"),
    )
    assert verdict([yes, remark]) == "reproduced"
    assert verdict([yes, no]) == "differs"
    assert verdict([no, remark]) == "not reproduced"
    assert [str(finding) for finding in (yes, no, remark)] == [
        "✓ So it is.",
        "✗ So it is not.",
        "· By the way.",
    ]


# --- what happens on the way ---


def test_the_part_done_rises_to_one_over_all_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    small = load("pendulum").updated({"run.duration": 0.01, "run.step": 1e-3, "run.output_step": 1e-3})
    monkeypatch.setattr(machado_cases, "cases", lambda: {"first": small, "second": small})
    told: list[float] = []
    assert list(machado_cases.run_cases(told.append)) == ["first", "second"]
    assert told == sorted(told)
    assert told[0] > 0.0
    assert {0.5, 1.0} <= set(told)


def test_the_terminal_prints_the_path(ready: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = invoke("reproduce", "machado-2010")
    assert (found.exit_code, found.stdout) == (0, "page     machado-2010-reproduced/machado-2010.html\n")
    assert (tmp_path / "machado-2010-reproduced" / "machado-2010.html").is_file()


def test_runs_that_cannot_be_trusted_fail_after_the_page_is_written(
    runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = {**runs, "strong": untrusted(runs["strong"])}
    monkeypatch.setattr(machado_2010, "run_cases", lambda _told: bad)
    with pytest.raises(UntrustedRunsError, match="strong: its energy balance closes to"):
        machado_2010.reproduce(tmp_path)
    text = (tmp_path / "machado-2010.html").read_text(encoding="utf-8")
    assert "DO NOT TRUST THIS PAGE: strong" in text
    found = invoke("reproduce", "machado-2010", "--out", tmp_path)
    assert (found.exit_code, found.stdout) == (1, f"page     {tmp_path / 'machado-2010.html'}\n")
    assert "do not trust this page; strong: its energy balance closes to" in found.stderr


def test_a_run_that_stopped_is_not_trusted_either(runs: Runs) -> None:
    stopped = Motion(replace(runs["akima"].results, complete=False, status="The step collapsed."))
    assert machado_2010.distrusted({**runs, "akima": stopped}) == ["akima: The step collapsed."]
