"""Files that are either whole or not there: written beside their place, then renamed over it."""

from __future__ import annotations

import os
import secrets
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
        flush(part)
        part.replace(path)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError) and error.filename in (part, str(part)):
            error.filename = str(path)  # nobody knows the other name
        raise
    flush(path.parent)


def flush(path: Path) -> None:
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
