"""`condyle run` around an engine that is not there: what is written, what is said, which status comes back."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cli.terminal import invoke
from condyle import read_results
from condyle.cli.output import _rich_table
from condyle.results import Results
from condyle.results.tables import Section
from results import synthetic


@pytest.fixture
def knee(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small model file in the current folder, with results ready for it."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "knee.yaml"
    path.write_text(synthetic.MODEL)
    answer(monkeypatch, synthetic.results)
    return path


def answer(monkeypatch: pytest.MonkeyPatch, make: Callable[[Any], Results]) -> None:
    """Let the engine answer with made results."""
    monkeypatch.setattr("condyle.results.simulation.simulate", lambda spec, _: make(spec))


def names(folder: Path) -> list[str]:
    """What stands in a folder, hidden things too."""
    return sorted(path.name for path in folder.iterdir())


def test_results_and_report_go_beside_the_model(knee: Path) -> None:
    found = invoke("run", "knee.yaml")
    assert (found.exit_code, found.stderr) == (0, "")
    assert names(knee.parent / "knee-results") == ["report.html", "results.nc"]
    assert names(knee.parent) == ["knee-results", "knee.yaml"]
    assert "knee-results/results.nc" in found.stdout
    assert "knee-results/report.html" in found.stdout
    assert "peak force" in found.stdout


def test_out_and_no_report(knee: Path) -> None:
    assert invoke("run", "knee.yaml", "--out", "deep/er", "--no-report").exit_code == 0
    assert names(knee.parent / "deep" / "er") == ["results.nc"]


def test_changes_reach_the_results(knee: Path) -> None:
    assert invoke("run", "knee.yaml", "--no-report", "--set", "bodies.tibia.mass=5").exit_code == 0
    spec = read_results("knee-results").spec
    assert spec.model.bodies["tibia"].mass == 5.0
    assert spec.overrides == {"bodies.tibia.mass": "5"}


def test_json_is_one_document_and_nothing_else(knee: Path) -> None:
    found = invoke("run", "knee.yaml", "--json")
    document = json.loads(found.stdout)
    assert found.stderr == ""
    assert document["passed"] is True
    assert document["ligaments"]["ACL"]["force"] == 160.5
    assert Path(document["files"]["results"]).is_file()
    assert Path(document["files"]["report"]).is_file()


@pytest.mark.parametrize("changes", [{"energy_residual": 1.0}, {"finished": False}])
def test_a_failed_audit_is_status_1_and_keeps_the_results(
    knee: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, object]
) -> None:
    answer(monkeypatch, lambda spec: synthetic.results(spec, audit=synthetic.audit(**changes)))
    found = invoke("run", "knee.yaml")
    assert found.exit_code == 1
    assert "FAILED" in found.stdout
    assert found.stderr.startswith("condyle: knee: ")
    assert names(knee.parent / "knee-results") == ["report.html", "results.nc"]


def test_an_incomplete_run_says_why_and_keeps_what_it_had(
    knee: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "stopped at 0.02 s: tibia is no longer finite"
    answer(monkeypatch, lambda spec: synthetic.results(spec, complete=False, status=told))
    found = invoke("run", "knee.yaml", "--json")
    assert found.exit_code == 1
    assert json.loads(found.stdout)["passed"] is False
    assert found.stderr == f"condyle: knee: {told}\n"
    assert not read_results("knee-results").complete


def test_a_later_run_replaces_an_earlier_one(knee: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    invoke("run", "knee.yaml")
    answer(monkeypatch, lambda spec: synthetic.results(spec, dataset=synthetic.dataset(11)))
    assert invoke("run", "knee.yaml").exit_code == 0
    assert read_results("knee-results").dataset.sizes["time"] == 11


def test_no_old_report_beside_new_numbers(knee: Path) -> None:
    invoke("run", "knee.yaml")
    (knee.parent / "knee-results" / "notes.txt").write_text("keep me")
    assert invoke("run", "knee.yaml", "--no-report").exit_code == 0
    assert names(knee.parent / "knee-results") == ["notes.txt", "results.nc"]


def test_a_run_that_cannot_be_saved_leaves_the_old_results(
    knee: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoke("run", "knee.yaml")
    before = {path.name: path.read_bytes() for path in (knee.parent / "knee-results").iterdir()}

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "results.nc")

    monkeypatch.setattr("xarray.Dataset.to_netcdf", fail)
    found = invoke("run", "knee.yaml")
    assert found.exit_code == 1
    assert found.stderr == "condyle: results.nc: No space left on device\n"
    assert {path.name: path.read_bytes() for path in (knee.parent / "knee-results").iterdir()} == before


def test_a_report_that_fails_does_not_cost_the_results(knee: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("condyle.view.report", lambda *_: 1 / 0)
    found = invoke("run", "knee.yaml")
    assert found.exit_code == 1
    assert "internal error" in found.stderr
    assert "--debug" in found.stderr
    assert len(found.stderr.splitlines()) == 1
    assert names(knee.parent / "knee-results") == ["results.nc"]
    assert read_results("knee-results").complete


def test_debug_shows_where_an_internal_error_comes_from(knee: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, lambda _: 1 / 0)  # type: ignore[arg-type, return-value]
    assert invoke("run", "knee.yaml").exit_code == 1
    found = invoke("--debug", "run", "knee.yaml")
    assert isinstance(found.exception, ZeroDivisionError)


def test_an_internal_error_is_told_in_one_short_line(knee: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> Results:
        raise RuntimeError("so\nlong " * 1000)

    answer(monkeypatch, fail)
    found = invoke("run", "knee.yaml")
    assert (found.exit_code, found.stdout) == (1, "")
    (line,) = found.stderr.splitlines()
    assert line.startswith("condyle: internal error, not your mistake: RuntimeError: so long so long")
    assert len(line) < 500


def test_ctrl_c_where_nothing_can_be_kept(knee: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: object) -> Results:
        raise KeyboardInterrupt

    answer(monkeypatch, stop)
    found = invoke("run", "knee.yaml")
    assert (found.exit_code, found.stderr) == (1, "condyle: stopped\n")
    assert names(knee.parent) == ["knee.yaml"]


def test_over_the_budget_a_script_must_say_so(knee: Path) -> None:
    found = invoke("run", "knee.yaml", "--set", "run.step_budget=100")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "more than its budget of 100 (run.step_budget); --force runs it all the same" in found.stderr
    assert names(knee.parent) == ["knee.yaml"]
    for flag in ("--force", "--yes"):
        assert invoke("run", "knee.yaml", "--set", "run.step_budget=100", "--no-report", flag).exit_code == 0


def test_a_method_that_chooses_its_steps_is_not_told_how_many(knee: Path) -> None:
    few = ["--set", "run.step_budget=10", "--set", "run.integrator=adaptive"]
    found = invoke("run", "knee.yaml", *few)
    assert (found.exit_code, found.stdout) == (2, "")
    assert "knee takes at least 50 steps, more than its budget of 10" in found.stderr


def test_force_lifts_the_budget_of_the_run_itself(knee: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The least number of steps is within the budget, the number they come to is not."""
    monkeypatch.undo()
    monkeypatch.chdir(knee.parent)
    few = ["--set", "run.step_budget=4", "--no-report"]
    short = ["--set", "run.duration=0.3", "--set", "run.output_step=0.1", "--set", "run.integrator=adaptive"]
    short += ["--set", "run.relative_tolerance=1e-9"]
    found = invoke("run", "bouncing-ball", *few, *short)
    assert found.exit_code == 1
    assert "more steps than run.step_budget allows" in found.stderr
    assert "(--force)" in found.stderr
    assert invoke("run", "bouncing-ball", *few, *short, "--force").exit_code == 0
    assert read_results("bouncing-ball-results").audit.steps > 4


@pytest.mark.parametrize(("reply", "status"), [("y", 0), ("n", 2)])
def test_over_the_budget_a_person_is_asked(
    knee: Path, monkeypatch: pytest.MonkeyPatch, reply: str, status: int
) -> None:
    monkeypatch.setattr("condyle.cli.runs.on_terminal", lambda: True)
    monkeypatch.setattr("typer.confirm", lambda *_, **__: reply == "y")
    found = invoke("run", "knee.yaml", "--set", "run.step_budget=100", "--no-report")
    assert found.exit_code == status


@pytest.mark.parametrize("out", ["knee.yaml", "knee.yaml/deeper"])
def test_out_must_not_be_a_file(knee: Path, out: str) -> None:
    found = invoke("run", "knee.yaml", "--out", out)
    assert found.exit_code == 2
    assert "a file; --out wants a folder" in found.stderr


def test_report_again(knee: Path) -> None:
    invoke("run", "knee.yaml", "--no-report")
    found = invoke("report", "knee-results")
    assert (found.exit_code, found.stdout) == (0, "report   knee-results/report.html\n")
    found = invoke("report", "knee-results/results.nc", "--out", "elsewhere", "--json")
    assert json.loads(found.stdout) == {"report": "elsewhere/report.html"}


@pytest.mark.parametrize("command", [["report"], ["view"], ["export", "--to", "csv"]])
def test_results_in_other_forms_want_a_folder_they_may_write_to(
    knee: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    invoke("run", "knee.yaml", "--no-report")
    found = invoke(*command, "knee-results", "--out", "knee.yaml")
    assert (found.exit_code, found.stderr) == (2, "condyle: knee.yaml: a file; --out wants a folder\n")
    monkeypatch.setattr("os.access", lambda _, mode: not mode & os.W_OK)
    found = invoke(*command, "knee-results")
    told = "condyle: knee-results: may not be written to; --out names another folder\n"
    assert (found.exit_code, found.stderr) == (2, told)


@pytest.mark.parametrize("command", [["report"], ["view"], ["export", "--to", "csv"]])
@pytest.mark.parametrize("place", ["nowhere", ".", "knee.yaml"])
def test_no_results_is_wrong_input(knee: Path, command: list[str], place: str) -> None:
    found = invoke(*command, place)
    assert (found.exit_code, found.stdout) == (2, "")
    assert len(found.stderr.splitlines()) == 1


def test_view(knee: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    invoke("run", "knee.yaml", "--no-report")
    opened: list[str] = []

    def browser(place: str) -> bool:
        opened.append(place)
        return True

    monkeypatch.setattr("webbrowser.open", browser)
    found = invoke("view", "knee-results")
    assert (found.exit_code, found.stdout) == (0, "view     knee-results/view.html\n")
    assert opened == []
    found = invoke("view", "knee-results", "--open", "--out", "film", "--json")
    assert json.loads(found.stdout) == {"view": "film/view.html"}
    assert opened == [(Path.cwd() / "film" / "view.html").as_uri()]
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    found = invoke("view", "knee-results", "--open")
    assert (found.exit_code, found.stderr) == (0, "condyle: no browser found; open the file in one\n")


def test_export(knee: Path) -> None:
    invoke("run", "knee.yaml", "--no-report")
    found = invoke("export", "knee-results", "--to", "csv")
    assert found.stdout.splitlines() == [
        "wrote knee-results/outlines.csv",
        "wrote knee-results/timeseries.csv",
    ]
    found = invoke("export", "knee-results", "--to", "vtk", "--every", "10", "--out", "film")
    assert found.stdout.splitlines() == ["wrote film/results.pvd", "wrote 18 files in film/frames"]
    found = invoke("export", "knee-results", "--to", "sto", "--json")
    assert json.loads(found.stdout) == {"files": ["knee-results/results.sto"]}


def test_an_unfit_format_is_wrong_input(knee: Path) -> None:
    invoke("run", "knee.yaml", "--no-report")
    found = invoke("export", "knee-results", "--to", "vtu")
    assert found.exit_code == 2
    assert "formats that fit: csv, sto, vtk" in found.stderr


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A paper that takes no time, and a helper that is none."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "figures.py").write_text("")
    (folder / "nobody_1900.py").write_text(
        "def reproduce(directory, progress):\n"
        "    directory.mkdir()\n"
        "    progress(0.5)\n"
        "    (directory / 'page.html').write_text('')\n"
        "    return directory / 'page.html'\n"
    )
    monkeypatch.setattr("condyle.reproduce.__path__", [str(folder)])
    monkeypatch.delitem(sys.modules, "condyle.reproduce.nobody_1900", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_reproduce_runs_the_papers_module(papers: Path) -> None:
    found = invoke("reproduce", "nobody-1900")
    assert (found.exit_code, found.stdout) == (0, "page     nobody-1900-reproduced/page.html\n")
    found = invoke("reproduce", "nobody-1900", "--out", "here", "--json")
    assert json.loads(found.stdout) == {"page": "here/page.html"}


def test_reproduce_stops_at_ctrl_c(papers: Path) -> None:
    stop = "import os, signal\ndef reproduce(directory, progress):\n    os.kill(os.getpid(), signal.SIGINT)\n"
    (papers / "papers" / "nobody_1900.py").write_text(stop + "    progress(0.5)\n    1 / 0\n")
    found = invoke("reproduce", "nobody-1900")
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr.splitlines()[-1] == "condyle: nobody-1900: stopped; no page is written"
    assert "internal" not in found.stderr


@pytest.mark.parametrize("name", ["nobody-1901", "figures", ""])
def test_an_unknown_paper_brings_those_there_are(papers: Path, name: str) -> None:
    found = invoke("reproduce", name)
    assert found.exit_code == 2
    assert f"no reproduced paper '{name}'" in found.stderr
    assert "nobody-1900" in found.stderr


def test_names_stay_whole_in_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    names = ["tibiofemoral", "tibiofemoral/medial", "tibiofemoral/lateral"]
    heads = ("Contact", "peak force [N]", "at [s]", "peak pressure [MPa]", "at [s]", "largest area [mm²]")
    rows = tuple((name, "2600", "0.13", "30.61", "0.13", "199.5") for name in names)
    Console().print(_rich_table(Section("Contacts", heads, rows)))
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[-3:]] == names
