"""The package's docstrings in the form that Sphinx reads."""

from __future__ import annotations

import re
from typing import Any

_ENTRY = re.compile(r"(\w+(?:, \w+)*) : (.*)")


def without_signature(_app: Any, what: str, _name: str, _thing: Any, *_rest: Any) -> tuple[str, None] | None:
    """Leave out what makes an object of a class: readers get theirs from functions."""
    return ("", None) if what in ("class", "exception") else None


def process(_app: Any, what: str, _name: str, _thing: Any, _options: Any, lines: list[str]) -> None:
    """Turn entries that read `name : words`, in a class or a section `Parameters`, into fields."""
    role = "ivar" if what == "class" else "param"
    changed: list[str] = []
    inside = what == "class"
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line == "Parameters" and set(following) == {"-"}:
            inside = True
        elif not (inside and line and set(line) == {"-"}):
            entry = _ENTRY.fullmatch(line) if inside else None
            changed.append(f":{role} {entry[1]}: {entry[2]}" if entry else line)
    lines[:] = changed
