"""Files that are either whole or not there: written beside their place, then renamed over it."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; it takes the place of `path` when the block ends well, else it is removed.

    A process killed inside the block leaves at most a hidden `.NAME.*.part`, which nothing here reads as results.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(3)}.part")
    try:
        yield part
        _flush(part)
        part.replace(path)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError) and error.filename in (part, str(part)):
            error.filename = str(path)  # nobody knows the other name
        raise
    _flush(path.parent)


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
            _flush(path)
        for path in written:
            place = directory / path.relative_to(part)
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    if durable:
        _flush(directory)


def _flush(path: Path) -> None:
    """Ask the system to put a file or a folder's entries on the disk; not every file system can for folders."""
    folder = path.is_dir()
    if folder and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
    try:
        os.fsync(descriptor)
    except OSError:
        if not folder:
            raise
    finally:
        os.close(descriptor)
