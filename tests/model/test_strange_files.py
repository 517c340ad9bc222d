"""Damaged models and changes end in a model or in plain problems, never in another exception.

`tests/fuzz` runs what is left of damaged files; here it is their words, and changes from Python and the terminal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

import condyle
from condyle.model.spec import Spec, parse
from condyle.spec.errors import SpecError
from condyle.spec.yaml import read_yaml
from fuzz.mutations import TEXTS, VALUES, mutated
from model.small import TEXT

SOURCES = [TEXT, *(condyle.load(name).source for name in condyle.builtin_models())]
FOREIGN = [10**400, b"x", object(), (1, 2), {1: 2}, {"a": object()}, "[1, 2", '"', "{a: *b}", "-.inf", 1 + 2j]


def outcome(make: Callable[[], Spec]) -> str:
    """`model`, or the problems in lines; any other exception passes through and fails the test."""
    try:
        spec = make()
    except SpecError as refused:
        problems = refused.problems
    else:
        assert str(spec)
        assert spec.to_yaml()
        return "model"
    assert problems
    assert not [problem for problem in problems if not problem.message or "Input should" in problem.message]
    return "\n".join(map(str, problems))


def places(tree: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a tree, the root left out."""
    if place:
        yield place
    if isinstance(tree, dict | list):
        for key in tree if isinstance(tree, dict) else range(len(tree)):
            yield from places(tree[key], (*place, key))


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files(seed: int) -> None:
    dice = random.Random(seed)
    texts = [mutated(dice.choice(SOURCES), dice) for _ in range(40)]
    found = [outcome(partial(parse, text, "m")) for text in texts]
    assert 0 < found.count("model") < len(found)
    assert len(set(found)) > 10


@pytest.mark.parametrize("seed", range(4))
def test_damaged_changes(seed: int) -> None:
    dice = random.Random(seed)
    spec, everywhere = parse(TEXT), [".".join(map(str, place)) for place in places(read_yaml(TEXT))]
    found = []
    for _ in range(80):
        path = dice.choice(everywhere)
        path = dice.choice([path, path, path, f"{path}.x", path[:-1], f".{path}", f"{path}.0", path.upper()])
        value = dice.choice([*VALUES, *TEXTS, *FOREIGN])
        found.append(outcome(partial(spec.updated, {path: value})))
    assert 0 < found.count("model") < len(found)
    assert len(set(found)) > 20
