"""Seeded damage to model files: to their text, as a slip of the hand, and to their tree, as a slip of the mind."""

from __future__ import annotations

import copy
import io
import random
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

# What ends up in the wrong place in files that people write.
VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1, 2, 3, 1e-12, 1e-5, 0.5, 1e6, 1e308, -1e308, 10**30, float("nan"), float("inf")),
    *(1e-308, 1e-59, 1e-30, 1e30, -1e59, 1e59),
    *("", " ", "a", "x", "x" * 5000, "femur", "tibia", "ball", "flat", "profile", "fixed", "polar", "plain"),
    *("40 mm", "-40 mm", "35 deg", "5 MPa", "5 MPaa", "1e-5", "1 kg m", "9**9**9 m", "1/0", "∞ m"),
    *("hertz", "lankarani-nikravesh", "kelvin-voigt", "gonthier", "coulomb", "cubic", "akima", "exact"),
    *(
        "kinematics",
        "inverse",
        "equilibrium",
        "baumgarte",
        "radau",
        "rk4",
        "adaptive",
        "../outline.csv",
        "/etc/passwd",
        "<script>alert(1)</script>",
        "{{7*7}}",
    ),
    *("\u0000", "\ud83e\uddb4", [], [0], [0, 0], [1, 1], [0, 0, 0], [[0, 0], [1, 1]], [1e300, -1e300], {}),
    *({"kind": "hertz"}, {"kind": "table", "times": [0, 1], "values": [0, 1]}, {"body": "tibia"}),
)
TEXTS = (
    *("\t", ":", "- ", "{", "}", "[", "]", "&a", "*a", "|", ">", "'", '"', "#", "\n", "é", "---\n", "%"),
    "!!python/object:os.system",
)


def mutated(text: str, rng: random.Random) -> str:
    """A model file with one to three things wrong with it."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        slip = rng.choice((_cut, _doubled, _inserted, _swapped)) if rng.random() < 0.35 else _replanted
        text = slip(text, rng)
    return text


def _cut(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text) + 1)
    return text[:start] + text[start + rng.choice((1, 5, 40, len(text))) :]


def _doubled(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    k = rng.randrange(len(lines)) if lines else 0
    return "".join(lines[:k] + lines[k : k + 1] * 2 + lines[k + 1 :])


def _inserted(text: str, rng: random.Random) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice(TEXTS) + text[place:]


def _swapped(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return text
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return "".join(lines)


def _replanted(text: str, rng: random.Random) -> str:
    """The tree with one value replaced, removed, renamed or put elsewhere; text that is no tree stays as it is."""
    yaml = YAML(typ="safe", pure=True)
    try:
        tree = yaml.load(text)
    except (YAMLError, ValueError):  # no tree
        return text
    places = list(_places(tree))
    if not places:
        return text
    parent, key = rng.choice(places)
    kind = rng.randrange(5)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, dict):
        parent[rng.choice(("a", "boddy", "kind", "from", str(key) + "x", "run"))] = parent.pop(key)
    elif kind == 2:
        other, name = rng.choice(places)
        parent[key] = copy.deepcopy(other[name])
    else:
        parent[key] = copy.deepcopy(rng.choice(VALUES))
    stream = io.StringIO()
    try:
        yaml.dump(tree, stream)
    except (YAMLError, ValueError):  # what the writer refuses is no file
        return text
    return stream.getvalue()


def _places(tree: Any) -> Any:
    """Every (container, key) in a tree."""
    if isinstance(tree, dict):
        for key, value in list(tree.items()):
            yield tree, key
            yield from _places(value)
    elif isinstance(tree, list):
        for key, value in enumerate(tree):
            yield tree, key
            yield from _places(value)
