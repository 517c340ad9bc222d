"""Single values of a model changed by their dotted paths, such as `contacts.tibiofemoral.law.restitution`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, TypeAlias

from condyle.spec.errors import Problem, SpecError, did_you_mean, listed, shown
from condyle.spec.yaml import MOST_LEVELS, Value, read_yaml, scalar

Path: TypeAlias = tuple[str, ...]
# What a model says at a path by default, where its file is silent; None if there is nothing.
Defaults: TypeAlias = Callable[[Path], Any]


def changed(
    data: dict[str, Any], changes: Mapping[str, Any], named: Collection[str], defaults: Defaults
) -> dict[str, Any]:
    """A copy of a model file's tree with values changed, in the order in which they are given.

    `named` are the sections whose entries have names of a person's choosing: there, a path must lead to a name that
    exists. Elsewhere what is missing is made, and the check that follows says whether it makes sense.
    """
    tree = copy.deepcopy(data)
    problems: list[Problem] = []
    for path, value in changes.items():
        try:
            _set(tree, path, value, named, defaults)
        except SpecError as error:
            problems += error.problems
    if problems:
        raise SpecError(problems)
    return tree


def plain(value: Any, path: str, level: int = 0) -> Value:
    """A value given from Python as a file would hold it; tuples and NumPy's numbers and arrays are welcome."""
    if level > MOST_LEVELS:
        raise SpecError([Problem(path, f"nested more than {MOST_LEVELS} levels deep")])
    if isinstance(value, bool | str | None):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item, f"{path}.{key}", level + 1) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [plain(item, f"{path}.{k}", level + 1) for k, item in enumerate(value)]
    to_list = getattr(value, "tolist", None)
    if to_list is not None:
        return plain(to_list(), path, level + 1)
    raise SpecError([Problem(path, f"expected a number, text, a list or a mapping; got {shown(value)}")])


def read_value(value: Any, path: str) -> Value:
    """A value given for a path: text is read as in a model file, so that `150` is a number and `[0, 1]` a list."""
    if not isinstance(value, str):
        return plain(value, path)
    if value.lstrip()[:1] in ("[", "{", '"', "'"):
        return read_yaml(value, path)
    return scalar(value.strip())


def _set(tree: dict[str, Any], path: str, value: Any, named: Collection[str], defaults: Defaults) -> None:
    parts = _parts(path)
    node: Any = tree
    for depth in range(len(parts) - 1):
        if depth == 1 and parts[0] in named:
            _require(node, parts, path)
        node = _entered(node, parts, depth, path, defaults)
    _put(node, parts[-1], read_value(value, path), path)


def _parts(path: object) -> Path:
    if not isinstance(path, str):
        raise SpecError([Problem(shown(path), "expected a dotted path, such as forces.pulse.amplitude")])
    parts = tuple(path.split("."))
    if not all(parts) or len(parts) > MOST_LEVELS:
        raise SpecError([Problem(path[:80], "expected a dotted path, such as forces.pulse.amplitude")])
    return parts


def _require(section: Any, parts: Path, path: str) -> None:
    """An entry with that name must exist: making it would hide a slip."""
    if isinstance(section, Mapping) and parts[1] in section:
        return
    names = list(section) if isinstance(section, Mapping) else []
    hint = did_you_mean(parts[1], names) or (
        f"; there are {listed(names, 'and')}" if names else "; there are none"
    )
    raise SpecError([Problem(path, f"no {parts[1]!r} in {parts[0]}{hint}")])


def _entered(node: Any, parts: Path, depth: int, path: str, defaults: Defaults) -> Any:
    """The container below a node, made ready to be written into."""
    key: str | int = _index(node, parts[depth], path) if isinstance(node, list) else parts[depth]
    # Nothing written there yet: a list cannot be made from one of its entries, so it starts from the default.
    found = node.get(key) if isinstance(node, dict) else node[key]
    if found is None:
        found = _listed_default(defaults(parts[: depth + 1]))
    # The bare name of a law stands for the law with its defaults; the path goes on inside it.
    if isinstance(found, str):
        found = {"kind": found}
    if not isinstance(found, dict | list):
        place = ".".join(parts[: depth + 1])
        raise SpecError([Problem(path, f"there is nothing inside {place}, which is {shown(found)}")])
    node[key] = found
    return found


def _listed_default(default: Any) -> dict[str, Any] | list[Any]:
    return list(default) if isinstance(default, tuple | list) else {}


def _put(node: Any, key: str, value: Value, path: str) -> None:
    if isinstance(node, list):
        node[_index(node, key, path)] = value
    else:
        node[key] = value


def _index(node: list[Any], key: str, path: str) -> int:
    """A place in a list, counted from 0."""
    if key.isascii() and key.isdigit() and int(key[:9]) < len(node):
        return int(key)
    last = len(node) - 1
    places = f"its entries are counted 0 to {last}" if node else "it is empty"
    raise SpecError([Problem(path, f"no entry {key!r} in a list; {places}")])
