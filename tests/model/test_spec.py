"""Loading, changing and writing models."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest

import condyle
from condyle.contact.law_declarations import DampedLawSpec, HertzSpec
from condyle.model.declarations import RunSpec
from condyle.model.spec import parse
from condyle.spec.errors import SpecError
from condyle.spec.yaml import read_yaml
from model.small import TEXT, small

MODELS = [
    "ball-in-socket",
    "bouncing-ball",
    "cantilever",
    "double-pendulum",
    "flexible-pendulum",
    "four-bar",
    "knee-laxity",
    "leg-with-orthosis",
    "pendulum",
    "planar-knee",
    "planar-knee-clearance",
    "planar-knee-polycentric",
    "slider-crank",
    "sphere-on-plate",
    "stanmore-tkr",
    "top",
    "total-knee-drop",
]


def test_builtin_models_by_name_and_title() -> None:
    titles = condyle.builtin_models()
    assert list(titles) == MODELS
    for name, title in titles.items():
        assert condyle.load(name).model.title == title


def test_a_file_is_read_as_the_same_model(tmp_path: Path) -> None:
    copy = tmp_path / "my-knee.yaml"
    copy.write_text(condyle.load("planar-knee").source, encoding="utf-8")
    read = condyle.load(copy)
    assert (read.name, read.folder) == ("my-knee", tmp_path)
    assert read.model == condyle.load("planar-knee").model
    assert condyle.load(str(copy)) == read


def test_a_file_without_suffix_is_found_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "knee").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert condyle.load("knee").model.title == "A small knee"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "planar-kne",
            "no built-in model 'planar-kne' (did you mean 'planar-knee'?), and no file of that name",
        ),
        ("hip", f"no built-in model 'hip'; there are {', '.join(MODELS[:-1])} and {MODELS[-1]}, and no file"),
        ("no/knee.yaml", "no/knee.yaml: no such file"),
        ("x" * 5000, "no built-in model 'xxx"),
        ("a\0b", "no built-in model"),
        ("", ".: not a file"),
    ],
)
def test_a_model_that_is_not_there(name: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        condyle.load(name)
    assert str(caught.value).startswith(message)


def test_syntax_errors_name_the_file_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "knee.yaml"
    path.write_text(TEXT.replace("title:", "title"), encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        condyle.load(path)
    assert caught.value.problems[0].path == f"{path}:4"


def test_values_change_by_dotted_paths_and_are_checked_anew() -> None:
    spec = small()
    changed = spec.updated({"forces.pulse.amplitude": 150, "gravity.1": "-1.62", "run.step": "2e-5"})
    assert changed.model.forces["pulse"].amplitude == 150.0
    assert changed.model.gravity == (0.0, -1.62)
    assert changed.model.run.step == 2e-5
    assert changed.overrides == {"forces.pulse.amplitude": 150, "gravity.1": "-1.62", "run.step": "2e-5"}
    assert spec.model.forces["pulse"].amplitude == 50.0
    assert spec.overrides == {}
    with pytest.raises(SpecError, match=r"forces\.pulse\.amplitude: expected a force in N"):
        spec.updated({"forces.pulse.amplitude": "much"})


def test_entries_of_defaults_that_are_lists_are_changed_too() -> None:
    spec = small().updated({"bodies.femur.position.1": "5 mm", "contacts.tibiofemoral.law": "flores"})
    assert spec.model.bodies["femur"].position == (0.0, 0.005)


def test_a_laws_bare_name_stands_for_its_defaults() -> None:
    path = "contacts.tibiofemoral.law"
    assert small().updated({path: "hertz"}).model.contacts["tibiofemoral"].law == HertzSpec(kind="hertz")
    inside = small().updated({path: "gonthier", f"{path}.restitution": "0.7"})
    assert inside.model.contacts["tibiofemoral"].law == DampedLawSpec(kind="gonthier", restitution=0.7)
    assert inside == small().updated({path: "gonthier"}).updated({f"{path}.restitution": "0.7"})


def test_a_change_made_twice_holds_once_and_last() -> None:
    path = "contacts.tibiofemoral.law"
    spec = small().updated({path: "flores"}).updated({f"{path}.restitution": 0.7}).updated({path: "hertz"})
    assert spec.model.contacts["tibiofemoral"].law == HertzSpec(kind="hertz")
    assert list(spec.overrides) == [f"{path}.restitution", path]
    again = small().updated(spec.overrides)
    assert again.model == spec.model


def test_variants_are_sets_of_changes() -> None:
    strong = condyle.load("planar-knee", variant="strong-pulse")
    assert strong == condyle.load("planar-knee").variant("strong-pulse")
    assert strong.model.forces["pulse"].amplitude == 150.0
    assert strong.overrides == {"forces.pulse.amplitude": "150 N"}
    with pytest.raises(
        SpecError, match=r"planar-knee has no variant 'strong' \(did you mean 'strong-pulse'\?\)"
    ):
        condyle.load("planar-knee", variant="strong")


def test_without_changes_the_written_file_is_the_source() -> None:
    assert small().to_yaml() == TEXT


def test_the_written_file_keeps_comments_and_reads_as_the_same_model() -> None:
    changes = {
        "contacts.tibiofemoral.law.restitution": 0.7,
        "run.integrator": "adaptive",
        "gravity": np.zeros(2),
    }
    spec = small().updated(changes)
    text = spec.to_yaml()
    assert text.startswith("# A comment at the top.\n")
    assert "# hangs below" in text
    assert parse(text).model == spec.model
    assert read_yaml(text) == spec.data


@pytest.mark.parametrize("name", MODELS)
def test_every_variant_of_every_model_can_be_written_and_read(name: str) -> None:
    for variant in condyle.load(name).model.variants:
        spec = condyle.load(name, variant=variant)
        assert spec.overrides
        assert parse(spec.to_yaml()).model == spec.model


def test_a_name_that_yaml_tools_take_for_something_else_is_written_too() -> None:
    named_null = TEXT.replace("  patella: {", "  null: {mass: 1, inertia: 1}\n  patella: {")
    spec = parse(named_null).updated({"bodies.null.mass": 3})
    assert spec.model.bodies["null"].mass == 3.0
    assert parse(spec.to_yaml()).model == spec.model


def test_an_edited_file_that_says_something_else_is_not_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = small().updated({"run.step": 2e-5})
    for wrong in ("title: Another knee", "a: b: c"):
        monkeypatch.setattr("condyle.spec.yaml_writer.edited", lambda *_, wrong=wrong: wrong)
        assert parse(spec.to_yaml()).model == spec.model


def test_a_spec_is_read_only() -> None:
    with pytest.raises(FrozenInstanceError):
        small().name = "x"  # type: ignore[misc]


def test_sections_left_empty_are_as_if_not_there() -> None:
    assert small(forces=None, measures=None).model.forces == {}


def test_strands_take_from_their_ligament_what_they_do_not_say() -> None:
    strands = small().model.strands()
    assert list(strands) == ["ACL", "PCL/front", "PCL/back"]
    front, back = strands["PCL/front"], strands["PCL/back"]
    assert (front.rest_length, front.reference_strain, front.damping, front.breaks) == (
        None,
        0.02,
        2.0,
        False,
    )
    assert (back.rest_length, back.reference_strain, back.damping, back.breaks) == (0.03, None, 3.0, True)
    assert front.law == back.law
    assert (front.insertion.body, front.insertion.at) == ("tibia", (0.01, 0.25))


@pytest.mark.parametrize(
    ("run", "steps", "rows"),
    [
        ({"duration": 0.5, "output_step": 1e-3}, 50_000, 501),
        ({"duration": 0.3, "step": 0.1, "output_step": 0.1}, 3, 4),
        ({"duration": 0.07, "step": 0.01, "output_step": 0.01}, 7, 8),
        ({"duration": 0.35, "step": 0.1, "output_step": 0.1}, 4, 5),
        ({"duration": 0.5, "integrator": "adaptive"}, 500, 501),
        ({"duration": 1e60, "step": 1e-60, "output_step": 1e60}, int(1e120 * (1.0 - 1e-12)), 2),
    ],
)
def test_the_steps_of_a_run_are_known_before(run: dict[str, object], steps: int, rows: int) -> None:
    spec = RunSpec.model_validate(run)
    assert (spec.steps(), spec.rows()) == (steps, rows)


def test_aliases_of_integrators() -> None:
    found = {name: RunSpec(duration=1.0, integrator=name).method for name in ("adaptive", "stiff", "rk4")}
    assert found == {"adaptive": "dopri8", "stiff": "radau", "rk4": "rk4"}


def test_reading_a_model_loads_nothing_heavy() -> None:
    code = """
import sys
import condyle
condyle.load("planar-knee").variant("adaptive")
print(*sorted({"numba", "xarray", "plotly", "typer"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_path()
    )
    assert done.stdout.strip() == ""


def test_a_model_without_units_does_without_the_units_library() -> None:
    code = """
import sys
from condyle.model.spec import parse
parse("{condyle: 1, title: t, bodies: {a: {mass: 1, inertia: 1}}, run: {duration: 1}}")
print("pint" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_path()
    )
    assert done.stdout.strip() == "False"


def _path() -> dict[str, str]:
    return {"PYTHONPATH": str(Path(condyle.__file__).parents[1])}
