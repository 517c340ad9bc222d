"""Points from a text file of two columns."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import numpy as np

from condyle.geometry.checks import MAX_POINTS
from condyle.geometry.outline_error import OutlineError
from condyle.geometry.piecewise import Array

LARGEST_FILE = 5_000_000
LONGEST_LINE = 1000
# What Python would read as a number, and no column is called.
_NO_NAMES = ("nan", "inf", "infinity")
METRES = {"m": 1.0, "cm": 1e-2, "mm": 1e-3}

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+")
_UNIT_IN_NAME = re.compile(r".*[\s_./-](mm|cm|dm|m|um|µm|in|inch|inches)", re.IGNORECASE)
_HEADING = re.compile(r"(?P<name>[^\[\]()]*?)\s*(?:\[(?P<square>[^\]]*)\]|\((?P<round>[^)]*)\))?")


def read_points(path: str | Path) -> Array:
    """Points [m] of a text file, shape (n, 2): columns x and y, parted by a comma, semicolon or blanks.

    The first line may name the columns, with units: `x [mm], y [mm]` or `x (cm), y (cm)`; without units they
    are metres. Empty lines and what follows a `#` are skipped. At most 5 MB and 100,000 points. Errors name
    the file and the line.
    """
    path = Path(path)
    lines = [
        (number, text)
        for number, line in enumerate(_text(path).splitlines(), start=1)
        if (text := line.partition("#")[0].strip())
    ]
    for number, text in lines:
        if len(text) > LONGEST_LINE:
            raise OutlineError(f"{path.name}:{number}: longer than {LONGEST_LINE} characters")
    factors = (1.0, 1.0)
    if lines and any(character.isalpha() for character in re.sub(_NUMBER, "", lines[0][1])):
        factors = _factors(f"{path.name}:{lines[0][0]}", lines[0][1])
        lines = lines[1:]
    if len(lines) > MAX_POINTS:
        raise OutlineError(f"{path.name}: {len(lines)} points, {MAX_POINTS} at most are read")
    if not lines:
        raise OutlineError(f"{path.name}: no points")
    rows = [_row(f"{path.name}:{number}", text) for number, text in lines]
    return np.array(rows) * factors


def _text(path: Path) -> str:
    if not path.is_file():
        raise OutlineError(f"{path.name}: no such file")
    try:
        # One byte more than allowed tells that there is more, whatever the file's size claims to be.
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise OutlineError(f"{path.name}: cannot be read, {error.strerror}") from None
    if len(content) > LARGEST_FILE:
        raise OutlineError(f"{path.name}: larger than {LARGEST_FILE / 1e6:g} MB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise OutlineError(f"{path.name}: not a text file in UTF-8") from None


def _factors(place: str, text: str) -> tuple[float, float]:
    """Metres in the units of the two columns that a header names."""
    headings = [heading for heading in re.split(r"[,;]|(?<=[\])])\s+", text) if heading.strip()]
    if len(headings) == 1:
        headings = text.split()
    if len(headings) != 2:
        raise OutlineError(
            f"{place}: expected a header of two columns such as 'x [mm], y [mm]', got {_short(text)}"
        )
    first, second = (_heading(place, heading.strip()) for heading in headings)
    if (first[0].lower(), second[0].lower()) == ("y", "x"):
        raise OutlineError(f"{place}: the columns must be x and then y")
    return first[1], second[1]


def _heading(place: str, heading: str) -> tuple[str, float]:
    match = _HEADING.fullmatch(heading)
    if match is None:
        raise OutlineError(f"{place}: cannot read the heading {_short(heading)}; write it like 'x [mm]'")
    name = match["name"].strip()
    if not name[:1].isalpha() or name.lower() in _NO_NAMES:
        raise OutlineError(f"{place}: {_short(heading)} is neither a number nor the name of a column")
    written = match["square"] if match["square"] is not None else match["round"]
    if written is None and _UNIT_IN_NAME.fullmatch(name):
        raise OutlineError(f"{place}: write the unit of {_short(name)} in brackets, like 'x [mm]'")
    unit = "m" if written is None else written.strip()
    if unit not in METRES:
        raise OutlineError(f"{place}: no unit {_short(unit)} for a column of points; use m, cm or mm")
    return name, METRES[unit]


def _row(place: str, text: str) -> tuple[float, float]:
    words = list(islice(_SEPARATOR.split(text), 4))
    if len(words) != 2:
        raise OutlineError(f"{place}: expected two numbers, got {_short(text)}")
    for word in words:
        if not _NUMBER.fullmatch(word):
            raise OutlineError(f"{place}: {_short(word)} is not a number")
    x, y = float(words[0]), float(words[1])
    if not np.isfinite([x, y]).all():
        raise OutlineError(f"{place}: {_short(text)} is out of range")
    return x, y


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
