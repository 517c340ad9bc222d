"""Commands about models: what they print, what they refuse, and how they say so."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cli.terminal import invoke
from condyle import __version__, builtin_models, load
from results.synthetic import MODEL

NAMES = list(builtin_models())


@pytest.fixture
def knee(tmp_path: Path) -> Path:
    """A small model file."""
    path = tmp_path / "knee.yaml"
    path.write_text(MODEL)
    return path


def test_models_lists_every_model_with_a_line() -> None:
    found = invoke("models")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert [line.split()[0] for line in lines] == NAMES
    assert all(title in line for title, line in zip(builtin_models().values(), lines, strict=True))


def test_models_for_scripts() -> None:
    found = json.loads(invoke("models", "--json").stdout)
    assert {model["name"]: model["title"] for model in found["models"]} == builtin_models()


@pytest.mark.parametrize("name", NAMES)
def test_show_says_what_a_model_consists_of(name: str) -> None:
    found = invoke("show", name)
    assert found.exit_code == 0
    assert all(body in found.stdout for body in load(name).model.bodies)


def test_show_with_changes(knee: Path) -> None:
    found = invoke("show", knee, "--yaml", "--set", "bodies.tibia.mass=5 kg", "--set", "run.step=2e-4")
    assert found.exit_code == 0
    again = knee.with_name("again.yaml")
    again.write_text(found.stdout)
    shown = load(str(again)).model
    assert (shown.bodies["tibia"].mass, shown.run.step) == (5.0, 2e-4)


def test_show_for_scripts(knee: Path) -> None:
    found = json.loads(invoke("show", knee, "--json").stdout)
    assert found["name"] == "knee"
    assert found["model"]["bodies"]["tibia"]["mass"] == 4.0


@pytest.mark.parametrize("name", NAMES)
def test_a_new_copy_is_the_model_comments_included(tmp_path: Path, name: str) -> None:
    path = tmp_path / "mine.yaml"
    assert invoke("new", name, path).exit_code == 0
    assert path.read_text() == load(name).source
    assert invoke("check", path).exit_code == 0
    assert [file.name for file in tmp_path.iterdir()] == ["mine.yaml"]


def test_new_does_not_overwrite_without_force(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("dear to me")
    found = invoke("new", NAMES[0], path)
    assert (found.exit_code, found.stdout) == (2, "")
    assert "exists already; --force replaces it" in found.stderr
    assert path.read_text() == "dear to me"
    assert invoke("new", NAMES[0], path, "--force").exit_code == 0
    assert path.read_text() == load(NAMES[0]).source


@pytest.mark.parametrize("place", ["", "nowhere/mine.yaml"])
def test_new_where_no_file_can_be(tmp_path: Path, place: str) -> None:
    found = invoke("new", NAMES[0], tmp_path / place)
    assert found.exit_code == 2
    assert len(found.stderr.splitlines()) == 1
    assert ".part" not in found.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [("new", "pendulum"), ("schema", "--out")])
def test_a_folder_that_may_not_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr("os.access", lambda _, mode: not mode & os.W_OK)
    found = invoke(*command, tmp_path / "mine")
    assert (found.exit_code, found.stdout) == (2, "")
    told = f"condyle: {tmp_path}: may not be written to; name a file in another folder\n"
    assert found.stderr == told
    assert not list(tmp_path.iterdir())


def test_the_schema_does_not_replace_a_folder(tmp_path: Path) -> None:
    found = invoke("schema", "--out", tmp_path)
    assert (found.exit_code, found.stdout) == (2, "")
    assert "a folder; name the file to write" in found.stderr


def test_the_missing_version_of_a_file_does_not_stutter(tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("title: nothing\n")
    found = invoke("check", tmp_path / "empty.yaml")
    assert found.exit_code == 2
    assert "condyle: condyle" not in found.stderr
    assert found.stderr.startswith("condyle: field condyle: missing")


@pytest.mark.parametrize("command", ["new", "show", "check", "run"])
def test_an_unknown_model_brings_the_nearest(tmp_path: Path, command: str) -> None:
    found = invoke(command, "planar-kne", *([tmp_path / "x.yaml"] if command == "new" else []))
    assert (found.exit_code, found.stdout) == (2, "")
    assert "did you mean 'planar-knee'?" in found.stderr
    assert "Traceback" not in found.stderr


def test_check_is_content(knee: Path) -> None:
    found = invoke("check", knee)
    assert (found.exit_code, found.stdout) == (0, "knee: fine\n")


def test_check_lists_all_problems_one_a_line(knee: Path) -> None:
    text = MODEL.replace("to: {body: tibia, at: [0, 0.25]}", "to: {body: tibai, at: [0, 0.25]}")
    knee.write_text(text.replace("mass: 4 kg", "mass: 4 m"))
    found = invoke("check", knee)
    assert (found.exit_code, found.stdout) == (2, "")
    lines = found.stderr.splitlines()
    assert len(lines) == 2
    assert any("no body 'tibai' (did you mean 'tibia'?)" in line for line in lines)
    assert any("bodies.tibia.mass" in line for line in lines)


def test_check_builds_the_outlines(knee: Path) -> None:
    crossing = "points: [[0.04, 0], [-0.04, 0.01], [0.04, 0.03], [-0.04, -0.02], [0, -0.04]]"
    knee.write_text(MODEL.replace("circle: {radius: 40 mm}", crossing))
    found = invoke("check", knee)
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith("condyle: profiles.condyle.outline: the outline crosses itself")


def test_check_tells_of_a_contact_that_starts_deep() -> None:
    gone = ("--set", "contacts.tibiofemoral.initial_gap=null")
    place = ("--set", "bodies.tibia.position=[-0.19016, -0.16682]")  # 14 mm along the tibia
    found = invoke("check", "planar-knee", *gone, *place)
    assert found.exit_code == 0
    assert "planar-knee: fine, but\n  contact 'tibiofemoral' starts 14 mm deep" in found.stdout
    (note,) = json.loads(invoke("check", "planar-knee", "--json", *gone, *place).stdout)["notes"]
    assert "contacts.tibiofemoral.initial_gap: 0" in note
    assert "deep" not in invoke("check", "planar-knee").stdout


def test_check_for_scripts(knee: Path) -> None:
    assert json.loads(invoke("check", knee, "--json").stdout) == {
        "status": 0,
        "name": "knee",
        "problems": [],
        "notes": [],
    }
    knee.write_text(MODEL.replace("duration: 0.05", "duration: -1"))
    found = invoke("check", "--json", knee)
    assert found.exit_code == 2
    document = json.loads(found.stdout)
    assert document["status"] == 2
    assert "run.duration" in document["problems"][0]


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"a: [", b"condyle: 1", b"- 1", b"condyle: {a: &x 1, b: *x}"]
)
def test_strange_files_are_wrong_input(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "strange.yaml"
    path.write_bytes(content)
    found = invoke("check", path)
    assert found.exit_code == 2
    assert found.stderr
    assert "internal error" not in found.stderr


@pytest.mark.parametrize(
    "assignment", ["nonsense", "=3", "run.stepp=1", "run.step=[", "run.step=-1", "bodies=3", "=", ".=1"]
)
def test_wrong_assignments_are_wrong_input(knee: Path, assignment: str) -> None:
    found = invoke("check", knee, "--set", assignment)
    assert found.exit_code == 2
    assert found.stderr
    assert "internal error" not in found.stderr


def test_a_field_of_another_kind_brings_the_second_change(tmp_path: Path) -> None:
    """What the message says is what works."""
    assert invoke("new", "planar-knee", tmp_path / "knee.yaml").exit_code == 0
    change = ["--set", "contacts.tibiofemoral.law.restitution=0.5"]
    found = invoke("check", tmp_path / "knee.yaml", *change)
    assert found.exit_code == 2
    assert "law.restitution: hertz has no restitution; lankarani-nikravesh," in found.stderr
    assert found.stderr.endswith(" as well, such as --set contacts.tibiofemoral.law.kind=gonthier\n")
    assert invoke("check", tmp_path / "knee.yaml", *change, *found.stderr.split()[-2:]).exit_code == 0


def test_an_assignment_shows_its_form(knee: Path) -> None:
    found = invoke("check", knee, "--set", "run.step")
    assert found.stderr.startswith("condyle: --set run.step: expected PATH=VALUE, such as ")


def test_an_unknown_variant_is_wrong_input(knee: Path) -> None:
    found = invoke("check", knee, "--variant", "lefft")
    assert found.exit_code == 2
    assert "lefft" in found.stderr


def test_schema_is_json(tmp_path: Path) -> None:
    found = invoke("schema")
    assert found.exit_code == 0
    assert "bodies" in json.loads(found.stdout)["properties"]
    path = tmp_path / "schema.json"
    assert invoke("schema", "--out", path).exit_code == 0
    assert path.read_text() == found.stdout


def test_version() -> None:
    assert invoke("--version").stdout == f"condyle {__version__}\n"
    found = invoke("version")
    assert found.stdout.startswith("condyle ")
    assert set(json.loads(invoke("version", "--json").stdout)) >= {
        "condyle",
        "python",
        "numpy",
        "scipy",
        "numba",
    }
