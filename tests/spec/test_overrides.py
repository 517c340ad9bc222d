"""Values changed by dotted paths."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from condyle.spec.errors import SpecError
from condyle.spec.overrides import changed

TREE: dict[str, Any] = {
    "title": "x",
    "bodies": {"tibia": {"mass": 3}},
    "contacts": {"knee": {"law": "hertz", "between": ["a", "b"]}},
    "forces": None,
}
NAMED = ("bodies", "contacts", "forces")
DEFAULTS: dict[tuple[str, ...], Any] = {("gravity",): (0.0, -9.81)}


def after(changes: dict[Any, Any]) -> dict[str, Any]:
    return changed(TREE, changes, NAMED, lambda path: DEFAULTS.get(path))  # noqa: PLW0108 (types)


def refused(changes: dict[Any, Any]) -> list[str]:
    with pytest.raises(SpecError) as caught:
        after(changes)
    return [str(problem) for problem in caught.value.problems]


def test_a_value_is_set_and_the_rest_and_the_original_stay() -> None:
    before = copy.deepcopy(TREE)
    assert after({"bodies.tibia.mass": 4}) == TREE | {"bodies": {"tibia": {"mass": 4}}}
    assert before == TREE


def test_text_is_read_as_in_a_file() -> None:
    found = after({"a.b": "150", "a.c": "1e-5", "a.d": "40 mm", "a.e": "[0, 1]", "a.f": '"7"', "a.g": "null"})
    assert found["a"] == {"b": 150, "c": 1e-5, "d": "40 mm", "e": [0, 1], "f": "7", "g": None}


def test_values_from_python_become_those_of_a_file() -> None:
    found = after(
        {"a": (1, np.float64(2.5)), "b": np.arange(2), "c": {"d": np.int64(3)}, "e": Fraction(1, 2)}
    )
    assert (found["a"], found["b"], found["c"], found["e"]) == ([1, 2.5], [0, 1], {"d": 3}, 0.5)
    assert [type(value) for value in (*found["a"], found["c"]["d"])] == [int, float, int]


def test_a_bare_name_gives_way_to_what_is_set_inside_it() -> None:
    law = after({"contacts.knee.law": "flores", "contacts.knee.law.restitution": 0.5})["contacts"]["knee"][
        "law"
    ]
    assert law == {"kind": "flores", "restitution": 0.5}


def test_later_changes_replace_earlier_ones() -> None:
    law = after({"contacts.knee.law.stiffness": 1, "contacts.knee.law": "flores"})["contacts"]["knee"]["law"]
    assert law == "flores"


def test_entries_of_lists_and_of_defaults_that_are_lists() -> None:
    found = after({"contacts.knee.between.1": "c", "gravity.1": -1.62})
    assert found["contacts"]["knee"]["between"] == ["a", "c"]
    assert found["gravity"] == [0.0, -1.62]


def test_what_is_missing_outside_named_sections_is_made() -> None:
    assert after({"run.step": 1})["run"] == {"step": 1}
    assert after({"contacts.knee.friction.slow": 1})["contacts"]["knee"]["friction"] == {"slow": 1}
    assert after({"bodies.fibula": {"mass": 1}})["bodies"]["fibula"] == {"mass": 1}


def test_all_wrong_paths_are_told_with_the_nearest_right_name() -> None:
    assert refused({"bodies.tibai.mass": 3, "forces.pulse.at": 1, "contacts.knee.between.2": "x"}) == [
        "bodies.tibai.mass: no 'tibai' in bodies (did you mean 'tibia'?)",
        "forces.pulse.at: no 'pulse' in forces; there are none",
        "contacts.knee.between.2: no entry '2' in a list; its entries are counted 0 to 1",
    ]


@pytest.mark.parametrize("path", ["", ".", "a..b", "a.", 3, None, "a." * 60 + "b"])
def test_what_is_no_path(path: object) -> None:
    assert "expected a dotted path" in refused({path: 1})[0]


def test_a_path_that_goes_through_a_number() -> None:
    assert refused({"bodies.tibia.mass.x": 1}) == [
        "bodies.tibia.mass.x: there is nothing inside bodies.tibia.mass, which is 3"
    ]


def test_values_that_no_file_could_hold() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert "levels deep" in refused({"a": endless})[0]
    assert "expected a number, text, a list or a mapping" in refused({"a": object()})[0]
    assert "expected a number, text, a list or a mapping" in refused({"a": b"x"})[0]
