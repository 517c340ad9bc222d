"""Values made plain for JSON: strict text that any reader takes, with numbers JSON lacks handled in one of two ways."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

_NUMBER = "not a finite number"
# Of lists and mappings in each other; nothing here needs more.
MOST_LEVELS = 100


def json_text(value: object, exact: bool = False, indent: int | None = None) -> str:
    """Strict JSON. A NaN or an infinity becomes null or, when `exact`, an object that `from_json` turns back."""
    return json.dumps(_plain(value, exact), indent=indent, allow_nan=False, ensure_ascii=False)


def from_json(text: str) -> Any:
    """The value that `json_text(..., exact=True)` wrote, tuples as lists; raises ValueError for anything else."""
    try:
        found = json.loads(text, object_hook=_restored)
    except RecursionError:
        found, levels = None, MOST_LEVELS + 1
    else:
        levels = _levels(found)
    if levels > MOST_LEVELS:
        raise ValueError(f"JSON nested more than {MOST_LEVELS} levels deep")
    return found


def _levels(value: object) -> int:
    """How deep a value is nested, as far as that matters; no recursion, since that is what it guards."""
    level, layer = 0, [value]
    while layer and level <= MOST_LEVELS:
        parts = (
            item.values() if isinstance(item, dict) else item
            for item in layer
            if isinstance(item, dict | list)
        )
        level, layer = level + 1, [item for part in parts for item in part]
    return level


def _restored(found: dict[str, Any]) -> Any:
    return float(str(found[_NUMBER])) if list(found) == [_NUMBER] else found


def _plain(value: object, exact: bool) -> object:
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        unwritable = {_NUMBER: str(value)} if exact else None
        return value if math.isfinite(value) else unwritable
    if isinstance(value, Mapping):
        return {str(key): _plain(item, exact) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item, exact) for item in value]
    return str(value)
