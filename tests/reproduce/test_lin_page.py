"""The page of Lin 2010: its figures, sentences whose numbers come from the runs, maps, and what cannot be trusted."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cli.terminal import invoke
from condyle.reproduce import UntrustedRunsError, lin_2010
from condyle.reproduce.lin.cases import FINER, NOMINAL, THIRD, Runs
from condyle.reproduce.lin.motion import COORDINATES, LATERAL, MEDIAL, NET, Motion
from reproduce.lin_runs import lin_runs

TITLES = ("Sensitive directions", "Figure 3", "Figure 4", "Figure 5", "Table 1")


@pytest.fixture(scope="session")
def runs() -> Runs:
    return lin_runs()


@pytest.fixture
def ready(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> Runs:
    """Reproducing takes no time: the runs are there."""
    monkeypatch.setattr(lin_2010, "run_cases", lambda _told: runs)
    return runs


def sentences(runs: Runs) -> dict[str, str]:
    """What came out, by figure."""
    return {figure["title"].split(":")[0]: figure["found"] for figure in lin_2010.figures(runs)}


def worn_more(motion: Motion, part: float) -> Motion:
    """The same run with less wear by centres of pressure."""
    dataset = motion.results.dataset.copy()
    dataset["wear_volume_by_centre"] = part * dataset["wear_volume_by_centre"]
    return Motion(replace(motion.results, dataset=dataset))


def test_the_terminal_writes_a_page_with_every_figure(
    ready: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = invoke("reproduce", "lin-2010")
    assert (found.exit_code, found.stdout) == (0, "page     lin-2010-reproduced/lin-2010.html\n")
    text = (tmp_path / "lin-2010-reproduced" / "lin-2010.html").read_text(encoding="utf-8")
    for title in TITLES:
        assert len(re.findall(rf"<h2>{title}", text)) == 1
    data = re.search(r'id="data">(.*?)</script>', text)
    assert data is not None
    panels = json.loads(data[1])["figures"]
    assert [len(panel) for panel in panels] == [2, 6, 3, 3, 0]
    for series in (series for figure in panels for panel in figure for series in panel["series"]):
        values = series["y"]["values"]
        assert sum(value is not None for value in values) == len(values) > 40, series["name"]
    assert text.count('class="chart map"') == 2
    assert re.search(r"https?://(?!www\.w3\.org)", text) is None
    assert len(text) < 1_500_000


def test_what_the_paper_says_comes_out(runs: Runs) -> None:
    verdicts = [figure.get("verdict") for figure in lin_2010.figures(runs)]
    assert verdicts == ["reproduced", None, None, None, "reproduced"]
    for title, text in sentences(runs).items():
        assert len(re.findall(r"\d+\.\d+", text)) >= 2, title
        assert not re.search(r"\b(nan|inf)\b", text), text


def test_the_verdicts_follow_from_the_runs(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    far = {**runs, NOMINAL: worn_more(runs[NOMINAL], 0.9)}
    assert lin_2010.figures(far)[-1].get("verdict") == "differs"
    alike = dict.fromkeys(COORDINATES, 1.0)
    monkeypatch.setattr(Motion, "sensitivity", lambda _motion, _time: alike)
    assert lin_2010.figures(runs)[0].get("verdict") == "not reproduced"


@pytest.mark.parametrize(
    ("name", "stand_in", "changed"),
    [(FINER, THIRD, {"Table 1"}), (THIRD, FINER, {"Figure 3", "Table 1"})],
)
def test_another_run_gives_another_sentence(runs: Runs, name: str, stand_in: str, changed: set[str]) -> None:
    before, after = sentences(runs), sentences({**runs, name: runs[stand_in]})
    assert {title for title in before if before[title] != after[title]} == changed


def test_the_nominal_run_is_in_every_sentence(runs: Runs) -> None:
    """Half of it says something else everywhere, but of wear, which is that of the whole run."""
    half = Motion(
        replace(runs[NOMINAL].results, dataset=runs[NOMINAL].results.dataset.isel(time=slice(30, 120)))
    )
    before, after = sentences(runs), sentences({**runs, NOMINAL: half})
    assert {title for title in before if before[title] != after[title]} == set(TITLES[:4])


def test_loads_of_both_sides_make_the_net_load(runs: Runs) -> None:
    motion = runs[NOMINAL]
    for name in COORDINATES:
        both = motion.load(name, MEDIAL) + motion.load(name, LATERAL)
        assert motion.load(name, NET) == pytest.approx(both, abs=1e-9 * np.abs(both).max())
    machine = motion.results.dataset["joint_force"].sel(joint="tray", axis="y").values
    assert np.abs(motion.load("y", NET) - np.abs(machine)).max() < 1.0


def test_results_do_not_hang_on_triangles(runs: Runs) -> None:
    nominal, finer = runs[NOMINAL], runs[FINER]
    assert finer.wear() == pytest.approx(nominal.wear(), rel=5e-3)
    for name in COORDINATES:
        assert np.abs(finer.value(name) - nominal.value(name)).max() < 5e-3 * np.ptp(nominal.value(name))


def test_runs_that_cannot_be_trusted_fail_after_the_page_is_written(
    runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = replace(runs[FINER].results.audit, tolerance=0.0, energy_residual=1.0)
    bad = {**runs, FINER: Motion(replace(runs[FINER].results, audit=audit))}
    monkeypatch.setattr(lin_2010, "run_cases", lambda _told: bad)
    with pytest.raises(UntrustedRunsError, match="triangles of 1 mm: its energy balance closes to"):
        lin_2010.reproduce(tmp_path)
    text = (tmp_path / "lin-2010.html").read_text(encoding="utf-8")
    assert "DO NOT TRUST THIS PAGE: triangles of 1 mm" in text
