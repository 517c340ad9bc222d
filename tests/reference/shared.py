"""Reference numbers that lie beside the checkout, where there are any."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("CONDYLE_DATA", Path(__file__).parents[3] / "shared" / "data"))


def shared(name: str) -> dict[str, list[str]]:
    """A file of the shared data, by its path in there; the test is skipped where it is not."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"no {name} in CONDYLE_DATA or ../shared/data")
    return dict(json.loads(path.read_text(encoding="utf-8")))
