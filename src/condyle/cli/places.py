"""Whether what a command makes will have a place, found out before the work."""

from __future__ import annotations

import os
from pathlib import Path

from condyle.cli.errors import InputError


def check_folder(directory: Path) -> None:
    """A folder that can be written to or be made; it is made afterwards."""
    standing = next(path for path in (directory, *directory.absolute().parents) if path.exists())
    if not standing.is_dir():
        raise InputError(f"{standing}: a file; --out wants a folder")
    if not os.access(standing, os.W_OK | os.X_OK):
        raise InputError(f"{standing}: may not be written to; --out names another folder")


def check_file(file: Path) -> None:
    """A file whose folder stands and can be written to."""
    folder = file.absolute().parent
    if not folder.is_dir():
        raise InputError(f"{file.parent}: {'a file' if folder.exists() else 'no such folder'}; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{file.parent}: may not be written to; name a file in another folder")
