"""Texts and folders that are either whole or not there."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from condyle._files import flush, replacing


def write_text(path: Path, text: str) -> Path:
    """Write a text file in UTF-8 with plain line ends, whole or not at all."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
    return path


@contextmanager
def filling(directory: Path, durable: bool = True) -> Iterator[Path]:
    """A fresh folder to write to, whose files go over into `directory` when the block ends well; else it is removed.

    What else `directory` holds stays. Files in sub-folders go first, so that an index file never names a missing one.
    `durable` files survive a power cut; for thousands of files that can be made again that is not worth the wait.
    """
    directory.mkdir(parents=True, exist_ok=True)
    try:
        part = Path(tempfile.mkdtemp(prefix=".writing-", suffix=".part", dir=directory))
    except OSError as error:
        error.filename = str(directory)
        raise
    try:
        yield part
        written = sorted(
            (path for path in part.rglob("*") if path.is_file()), key=lambda path: -len(path.parts)
        )
        for path in written if durable else ():
            flush(path)
        for path in written:
            place = directory / path.relative_to(part)
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    if durable:
        flush(directory)
