"""Declarations tell all their problems at once, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError

from condyle.spec.declaration import Declaration, Fault, Name, Text, problems
from condyle.spec.errors import Problem, SpecError, did_you_mean, listed, shown
from condyle.spec.family import Family
from condyle.spec.quantity import Length, Mass
from condyle.spec.reference import Context, Reference


class Wheel(Declaration):
    radius: Length = Field(description="Radius [m].")
    mass: Mass = Field(1.0, description="Mass [kg].")
    spoked: bool = Field(default=False, strict=True, description="Whether it has spokes.")

    def faults(self, _context: Context) -> Iterator[Fault]:
        """A wheel is no heavier than it is wide."""
        if self.mass > self.radius:
            yield ("mass",), "too heavy"


class Leaf(Declaration):
    kind: Literal["leaf"] = Field(description="A leaf spring.")
    width: Length = Field(0.1, description="Width [m].")


class Coil(Declaration):
    kind: Literal["coil", "double-coil"] = Field(description="A coil spring.")
    turns: Length = Field(5.0, description="Turns.")


Spring = Annotated[Leaf | Coil, Family("a spring", (Leaf, Coil), default="leaf")]


class Cart(Declaration):
    name: Text = Field(description="Its name; anything.")
    front: Wheel | None = Field(None, alias="from", description="The front wheel.")
    wheels: dict[Name, Wheel] = Field({}, description="Its wheels.")
    pulled_by: Annotated[str, Reference("horse", "horses")] | None = Field(None, description="Who pulls it.")
    spring: Spring = Field(Leaf.model_construct(kind="leaf"), description="Its spring.")
    gauge: Literal["narrow", "broad"] = Field("narrow", description="Its gauge.")


HORSES: dict[str, Any] = {"horses": {"Hans": {}, "Sleipnir": {}}}


def told(data: object, context: Context | None = None) -> list[str]:
    """What is wrong with a cart."""
    try:
        Cart.model_validate(data, context=context)
    except ValidationError as error:
        return [str(problem) for problem in problems(error)]
    return []


def test_a_cart_in_order_has_no_problem() -> None:
    good = {"name": "a", "from": {"radius": 2}, "wheels": {"left": {"radius": 2}}, "pulled_by": "Hans"}
    assert told(good, Context(HORSES)) == []
    assert Cart.model_validate(good).front == Wheel(radius=2.0)


def test_all_problems_come_at_once_each_with_its_place() -> None:
    wheels = {
        "left": {"radius": "3 kg", "weight": 3},
        "right one": {"radius": 3},
        "mid": 7,
        "low": {"radius": 0.5},
    }
    found = told({"nam": 1, "wheels": wheels, "pulled_by": "Hanz", "gauge": "Broad"}, Context(HORSES))
    assert found == [
        "nam: no such field (did you mean 'name'?)",
        "name: missing: Its name",
        "wheels.left.weight: no such field; there are radius, mass and spoked",
        "wheels.left.radius: expected a length in m, such as 0.04 or '40 mm'; got '3 kg'",
        "wheels.right one: a name is a letter followed by letters, digits, - or _ (64 at most); got 'right one'",
        "wheels.mid: expected a mapping with radius, mass and spoked; got 7",
        "wheels.low.mass: too heavy",
        "pulled_by: no horse 'Hanz' (did you mean 'Hans'?)",
        "gauge: expected narrow or broad; got 'Broad' (did you mean 'broad'?)",
    ]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", 5, "name: expected text; got 5"),
        ("name", "x" * 10_001, "name: expected text of at most 10000 characters"),
        ("wheels", [1], "wheels: expected a mapping of names to what they stand for; got [1]"),
        ("from", {"radius": 2, "spoked": 1}, "from.spoked: expected true or false; got 1"),
        ("from", {"radius": 2, "spoked": "no"}, "from.spoked: expected true or false; got 'no'"),
        ("pulled_by", 5, "pulled_by: expected the name of a horse; got 5"),
        ("pulled_by", "Rosinante", "pulled_by: no horse 'Rosinante'; there are Hans and Sleipnir"),
    ],
)
def test_sentences(field: str, value: object, message: str) -> None:
    (found,) = told({"name": "a", field: value}, Context(HORSES))
    assert found.startswith(message)


def test_references_are_checked_against_a_file_only() -> None:
    assert told({"name": "a", "pulled_by": "Nobody"}) == []
    assert told({"name": "a", "pulled_by": "Nobody"}, Context({"horses": 3})) == [
        "pulled_by: no horse 'Nobody'; the file declares no horses"
    ]


def test_a_key_with_nothing_after_it_leaves_the_default() -> None:
    cart = Cart.model_validate({"name": "a", "spring": None, "wheels": None, "gauge": None})
    assert (cart.spring, cart.wheels, cart.gauge) == (Leaf(kind="leaf"), {}, "narrow")
    assert told({"name": None}) == ["name: expected text; got nothing"]


def test_a_member_of_a_family_is_chosen_by_its_kind() -> None:
    def spring(value: object) -> object:
        return Cart.model_validate({"name": "a", "spring": value}).spring

    assert spring("coil") == Coil(kind="coil")
    assert spring({"kind": "double-coil", "turns": 3}) == Coil(kind="double-coil", turns=3.0)
    assert spring({"width": 3}) == Leaf(kind="leaf", width=3.0)
    assert spring(Coil(kind="coil")) == Coil(kind="coil")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("coill", "spring: no spring 'coill' (did you mean 'coil'?)"),
        ({"kind": "foil"}, "spring.kind: no spring 'foil' (did you mean 'coil'?)"),
        ({"kind": "xyz"}, "spring.kind: no spring 'xyz'; there are leaf, coil and double-coil"),
        ({"kind": [1]}, "spring.kind: no spring [1]; there are leaf, coil and double-coil"),
        (
            3,
            "spring: expected a spring by its name, or a mapping with its kind (leaf, coil or double-coil); got 3",
        ),
        ({"turns": 3}, "spring.turns: leaf has no turns; coil and double-coil have"),
        ({"kind": "coil", "width": 3}, "spring.width: coil has no width; leaf has"),
        ({"kind": "coil", "turn": 3}, "spring.turn: no such field (did you mean 'turns'?)"),
        (
            {"kind": "coil", "turns": "x"},
            "spring.turns: expected a length in m, such as 0.04 or '40 mm'; got 'x'",
        ),
    ],
)
def test_only_the_chosen_member_complains(value: object, message: str) -> None:
    assert told({"name": "a", "spring": value}) == [message]


def test_declarations_are_read_only() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Wheel(radius=2.0).radius = 3.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing"),
        (True, "true"),
        ("x" * 100, f"'{'x' * 57}...'"),
        pytest.param(10**5000, "a number of very many digits", id="huge"),
        (1e-5, "1e-05"),
        ([1, "a"], "[1, 'a']"),
        ([1] * 9, "a list of 9"),
        ([[1]], "a list of 1"),
        ({}, "an empty mapping"),
        (Path(), "a value of type PosixPath"),
    ],
)
def test_values_are_shown_short(value: object, words: str) -> None:
    assert shown(value) == words


def test_hints() -> None:
    assert did_you_mean("tibai", ["femur", "tibia"]) == " (did you mean 'tibia'?)"
    assert did_you_mean("TIBIA", ["femur", "tibia"]) == " (did you mean 'tibia'?)"
    assert did_you_mean("patella", ["femur", "tibia"]) == ""
    assert did_you_mean("t" * 100_000, ["t" * 99_999]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b or c"


def test_an_error_is_all_its_problems() -> None:
    error = SpecError([Problem("a.b", "wrong"), Problem("", "no such file")])
    assert str(error) == "a.b: wrong\nno such file"
    assert isinstance(error, ValueError)
