"""The page of references, written from `references.bib`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

BIBLIOGRAPHY = Path(__file__).parents[2] / "references.bib"

_ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    '"': "\u0308",
    "^": "\u0302",
    "~": "\u0303",
    "v": "\u030c",
    "c": "\u0327",
}
_ACCENT = re.compile(r"""\{\\(?:(['`"^~])|([vc]) )\{?(\w)\}?\}""")
_LETTERS = {r"{\oe}": "œ", r"{\ss}": "ß", r"{\ae}": "æ", r"{\o}": "ø", r"\&": "&", "--": "–"}


@dataclass(frozen=True)
class Work:
    """One entry: its key and its fields, LaTeX made into text."""

    key: str
    fields: dict[str, str]

    def __str__(self) -> str:
        """The work as a line of Markdown."""
        of = self.fields.get
        parts = [f"{_people(of('author', ''))} ({of('year')}). {of('title')}."]
        if of("journal"):
            number = f"({of('number')})" if of("number") else ""
            place = " ".join(part for part in (f"*{of('journal')}*", f"{of('volume', '')}{number}") if part)
            parts.append(f"{place}, {of('pages')}." if of("pages") else f"{place}.")
        if of("booktitle"):
            parts.append(f"In: {_people(of('editor', ''))} (eds.), *{of('booktitle')}*, {of('pages')}.")
        if of("publisher"):
            edition = f"{of('edition')} edition. " if of("edition") else ""
            parts.append(f"{edition}{of('publisher')}.")
        if of("doi"):
            parts.append(f"[doi {of('doi')}](https://doi.org/{of('doi')})")
        return " ".join(parts)


def works(text: str) -> list[Work]:
    """The entries of a BibTeX file."""
    found = []
    for entry in re.split(r"^@", text, flags=re.M)[1:]:
        key = entry[entry.index("{") + 1 : entry.index(",")].strip()
        starts = re.finditer(r"^\s*(\w+)\s*=\s*\{", entry, flags=re.M)
        found.append(Work(key, {start[1]: plain(_braced(entry, start.end())) for start in starts}))
    return found


def plain(latex: str) -> str:
    """LaTeX's accents and letters as Unicode; braces that only protect go, formulas in dollars stay."""
    text = " ".join(latex.split())
    for written, letter in _LETTERS.items():
        text = text.replace(written, letter)
    text = _ACCENT.sub(lambda m: unicodedata.normalize("NFC", m[3] + _ACCENTS[m[1] or m[2]]), text)
    return re.sub(r"[{}]", "", text)


def references() -> str:
    """All works in alphabetical order, as Markdown with an anchor each."""
    entries = sorted(works(BIBLIOGRAPHY.read_text(encoding="utf-8")), key=lambda work: work.key)
    return "\n\n".join(f"({work.key.lower()})=\n\n**{_label(work.key)}** {work}" for work in entries)


def _label(key: str) -> str:
    """A key as code and docstrings write it."""
    return re.sub(r"(?<=\D)(?=\d{4})", " ", key)


def _braced(text: str, begin: int) -> str:
    """From behind an opening brace to the one that closes it."""
    depth = 1
    for k in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[k], 0)
        if depth == 0:
            return text[begin:k]
    raise ValueError(f"a brace stays open: {text[begin : begin + 60]}")


def _people(names: str) -> str:
    """`Family, Given and ...` as `Given Family, ...`."""
    people = [" ".join(reversed(name.split(", ", 1))) for name in names.split(" and ") if name]
    return people[0] if len(people) == 1 else f"{', '.join(people[:-1])} and {people[-1]}" if people else ""
