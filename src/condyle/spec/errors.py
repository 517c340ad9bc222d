"""What is wrong with a model file: all of it at once, each problem with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice

# Longer texts are cut before they are compared or shown: a strange file must not make its own error slow.
_LONGEST_SHOWN = 60
_MOST_COMPARED = 500


@dataclass(frozen=True)
class Problem:
    """One problem: where (a dotted path into the model, or file:line) and what.

    kind : of the mapping that the path leads into, with which there would be no problem; empty where none helps.
    """

    path: str
    message: str
    kind: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class SpecError(ValueError):
    """A model that cannot be used, with every problem that was found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The nearest of the known names as a hint to append, or nothing if none is near."""
    candidates = list(islice(known, _MOST_COMPARED))
    if len(name) > _LONGEST_SHOWN:
        return ""
    # Case is the commonest slip, and the one a comparison of letters rates as far apart.
    by_fold = {candidate.casefold(): candidate for candidate in reversed(candidates)}
    near = get_close_matches(name.casefold(), by_fold, n=1)
    return f" (did you mean {by_fold[near[0]]!r}?)" if near else ""


def listed(names: Sequence[str], last: str = "or") -> str:
    """Names as words of a sentence: `a, b or c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def shown(value: object) -> str:
    """A value as a person who wrote it in a model file would recognise it, in few characters."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return repr(_cut(value))
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**20 else "a number of very many digits"
    if isinstance(value, Mapping):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, Sequence):
        return _shown_list(value)
    return f"a value of type {type(value).__name__}"


def _shown_list(value: Sequence[object]) -> str:
    plain = all(isinstance(item, str | int | float | None) for item in value)
    if plain and len(value) <= 4:
        return f"[{', '.join(shown(item) for item in value)}]"
    return f"a list of {len(value)}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."
