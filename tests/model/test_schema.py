"""The JSON Schema agrees with what is read."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

import condyle
from condyle.model.schema import DIALECT
from condyle.spec.yaml import read_yaml
from model.small import TEXT, told_of

SCHEMA = condyle.schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == DIALECT


@pytest.mark.parametrize("name", condyle.builtin_models())
def test_built_in_models_satisfy_it(name: str) -> None:
    assert list(VALIDATOR.iter_errors(read_yaml(condyle.load(name).source))) == []


def fields(node: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every field in the schema with its place."""
    if isinstance(node, dict):
        for name, field in node.get("properties", {}).items():
            yield f"{place}.{name}", field
        for key, value in node.items():
            yield from fields(value, f"{place}/{key}")
    elif isinstance(node, list):
        for value in node:
            yield from fields(value, place)


def test_every_field_has_a_description() -> None:
    found = dict(fields(SCHEMA))
    assert len(found) > 80
    assert [place for place, field in found.items() if not field.get("description")] == []


def test_descriptions_of_quantities_give_the_unit() -> None:
    defined = SCHEMA["$defs"]
    assert "[kg]" in defined["BodySpec"]["properties"]["mass"]["description"]
    assert "[rad]" in defined["BodySpec"]["properties"]["angle"]["description"]
    assert "in m" in defined["AttachmentSpec"]["properties"]["at"]["description"]


@pytest.mark.parametrize(
    ("path", "value", "right"),
    [
        (("bodies", "tibia", "mass"), "4 kg", True),
        (("bodies", "tibia", "mass"), 4, True),
        (("bodies", "tibia", "mass"), -4, False),
        (("bodies", "tibia", "mass"), "heavy", False),
        (("bodies", "tibia", "weight"), 4, False),
        (("bodies", "tibia", "position"), [0, 1, 2, 3], False),
        (("contacts", "tibiofemoral", "law"), "flores", True),
        (("contacts", "tibiofemoral", "law"), "florse", False),
        (("contacts", "tibiofemoral", "law"), {"kind": "flores", "restitution": 0.3}, True),
        (("contacts", "tibiofemoral", "law"), {"kind": "hertz", "restitution": 0.3}, False),
        (("contacts", "tibiofemoral", "radii"), [0.04, "flat"], True),
        (("forces", "pulse", "frame"), "local", False),
        (("run", "integrator"), "rk5", False),
        (("condyle",), 2, False),
    ],
)
def test_it_knows_right_from_wrong_as_the_reader_does(
    path: tuple[str, ...], value: object, right: bool
) -> None:
    tree = copy.deepcopy(read_yaml(TEXT))
    assert isinstance(tree, dict)
    node: Any = tree
    for name in path[:-1]:
        node = node[name]
    node[path[-1]] = value
    assert VALIDATOR.is_valid(tree) == right
    assert (told_of(tree) == []) == right


def test_a_model_as_json_is_a_model() -> None:
    """What `condyle show --json` prints satisfies the schema, and says the same when read."""
    spec = condyle.load("planar-knee")
    tree = spec.model.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert list(VALIDATOR.iter_errors(tree)) == []
    assert type(spec.model).model_validate(tree) == spec.model
