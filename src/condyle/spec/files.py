"""Files that a model file names: they stay in its folder."""

from __future__ import annotations

from pathlib import PurePosixPath

from condyle.spec.errors import shown
from condyle.spec.quantity import told


def relative_file(value: str) -> str:
    """A path that stays in the model file's folder, on any system."""
    path = PurePosixPath(value)
    outside = (
        path.is_absolute() or ".." in path.parts or not path.parts or any(sign in value for sign in "\\:\0")
    )
    if outside:
        raise told(f"expected a path relative to the model file and below its folder; got {shown(value)}")
    return value
