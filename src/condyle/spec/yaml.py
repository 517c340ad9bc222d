"""Model files read as YAML 1.2 (core schema): mappings, lists, text, numbers, true, false and nothing.

The tree is built here from ruamel's stream of events, which never holds more than it has read. So a file that is
too deep or too large is refused while it is read, repeated keys are seen with their lines, and what YAML can do
beyond data (aliases that multiply, tags that name classes, dates) has no way in. Keys are always text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from condyle.spec.errors import Problem, SpecError, shown

Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value] | None"

MOST_BYTES = 2_000_000
MOST_NODES = 100_000
MOST_LEVELS = 40

_NOTHING = {"", "~", "null", "Null", "NULL"}
_TRUTH = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_REAL = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
# An integer of more digits than this is read as a real number: Python refuses to convert very long ones.
_MOST_DIGITS = 30


def read_yaml(text: str, name: str = "text") -> Value:
    """The one document in a text; problems are placed at `name:line`."""
    if len(text) > MOST_BYTES:
        raise SpecError([Problem(name, f"larger than {MOST_BYTES:,} characters")])
    reader = _Reader(text, name)
    value = reader.document()
    if reader.problems:
        raise SpecError(reader.problems)
    return value


def read_text(path: Path) -> str:
    """The text of a file, UTF-8 and of bounded size."""
    try:
        if not path.is_file():
            raise SpecError([Problem(str(path), "no such file" if not path.exists() else "not a file")])
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SpecError([Problem(str(path), f"cannot be read: {error.strerror or error}")]) from error
    if len(content) > MOST_BYTES:
        raise SpecError([Problem(str(path), f"larger than {MOST_BYTES:,} bytes; no model file is")])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SpecError([Problem(f"{path}:{line}", "not UTF-8 text")]) from error


def scalar(text: str) -> str | int | float | bool | None:
    """A word as YAML's core schema reads it when it is not quoted: `1e-5` is a number, `40 mm` is text."""
    if text in _NOTHING:
        return None
    if text in _TRUTH:
        return _TRUTH[text]
    if len(text) <= _MOST_DIGITS and _INTEGER.fullmatch(text):
        return int(text, 0) if text.startswith(("0o", "0x")) else int(text)
    if _REAL.fullmatch(text):
        return float(text.replace(".", "") if text[-1].isalpha() else text)
    return text


class _Reader:
    """Events in, a tree out; problems that do not end the reading are gathered on the way."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.problems: list[Problem] = []
        self._left = MOST_NODES
        self._events: Iterator[Event] = iter(YAML(typ="safe", pure=True).parse(text))

    def document(self) -> Value:
        """The first document, and nothing after it."""
        value: Value = None
        seen = False
        while (event := self._next()) is not None:
            if not isinstance(event, DocumentStartEvent):
                continue
            if seen:
                self._note(event, "a second document starts here; a model file holds one")
                break
            value, seen = self._value(self._expected(), 0), True
        return value

    def _next(self) -> Event | None:
        """The next event; what is wrong with the text comes out of here."""
        try:
            return next(self._events, None)
        except MarkedYAMLError as error:
            raise self._syntax_error(error) from error
        except YAMLError as error:
            raise SpecError([self._unreadable(error)]) from error
        except (ValueError, TypeError, AttributeError, LookupError, AssertionError) as error:
            # The scanner stumbles over some broken texts (such as a bad escape) without an error of its own.
            raise SpecError([Problem(self.name, f"not valid YAML: {shown(str(error))}")]) from error

    def _expected(self) -> Event:
        event = self._next()
        if event is None:
            raise SpecError([Problem(self.name, "not valid YAML: it ends too early")])
        return event

    def _value(self, event: Event, level: int) -> Value:
        """The value that starts with an event."""
        self._left -= 1
        if self._left < 0:
            told = f"more than {MOST_NODES:,} values; keep long outlines in a CSV file"
            raise SpecError([self._placed(event, told)])
        if level > MOST_LEVELS:
            raise SpecError([self._placed(event, f"nested more than {MOST_LEVELS} levels deep")])
        if isinstance(event, NodeEvent) and event.anchor is not None:
            self._note(event, "anchors and aliases (& and *) are not part of a model file; write it out")
        tag = getattr(event, "tag", None)
        if tag is not None:
            self._note(event, f"tags such as {shown(str(tag))} are not part of a model file")
        if isinstance(event, SequenceStartEvent):
            return self._list(level)
        if isinstance(event, MappingStartEvent):
            return self._mapping(level)
        if isinstance(event, ScalarEvent):
            return self._scalar(event)
        return None

    def _scalar(self, event: ScalarEvent) -> Value:
        if event.implicit[0]:
            return scalar(event.value)
        # Escapes can write what the reader refuses in plain sight, and what no file or page could hold later.
        if _UNPRINTABLE.search(event.value):
            self._note(event, "text with control characters")
        return str(event.value)

    def _list(self, level: int) -> list[Value]:
        items: list[Value] = []
        while not isinstance(event := self._expected(), SequenceEndEvent):
            items.append(self._value(event, level + 1))
        return items

    def _mapping(self, level: int) -> dict[str, Value]:
        items: dict[str, Value] = {}
        lines: dict[str, int] = {}
        while not isinstance(event := self._expected(), MappingEndEvent):
            key = self._key(event, level + 1)
            line = event.start_mark.line + 1
            if key and key in items:
                self._note(event, f"{shown(key)} is given twice (first in line {lines[key]})")
            lines.setdefault(key, line)
            items[key] = self._value(self._expected(), level + 1)
        return items

    def _key(self, event: Event, level: int) -> str:
        """A key as the text it is written with: `1`, `on` and `null` are names like any other."""
        value = self._value(event, level)
        if isinstance(event, ScalarEvent):
            return str(event.value)
        self._note(event, f"expected a name before the colon; got {shown(value)}")
        return ""

    def _note(self, event: Event, message: str) -> None:
        self.problems.append(self._placed(event, message))

    def _placed(self, event: Event, message: str) -> Problem:
        return Problem(f"{self.name}:{event.start_mark.line + 1}", message)

    def _syntax_error(self, error: MarkedYAMLError) -> SpecError:
        mark: Any = error.problem_mark or error.context_mark
        place = self.name if mark is None else f"{self.name}:{mark.line + 1}"
        told = " ".join(str(part) for part in (error.context, error.problem) if part)
        hint = " (indent with spaces, not with tabs)" if "\\t" in told else ""
        return SpecError([*self.problems, Problem(place, f"not valid YAML: {told}{hint}")])

    def _unreadable(self, error: YAMLError) -> Problem:
        position = getattr(error, "position", None)
        line = "" if position is None else f":{self.text.count(chr(10), 0, position) + 1}"
        return Problem(f"{self.name}{line}", "not valid YAML: it holds characters that no text has")
