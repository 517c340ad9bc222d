"""Bulk numbers as text in the page: base64 of little-endian numbers, fields in 255 steps of their largest value."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

STEPS = 255
_KINDS = {"u1": np.uint8, "u4": np.uint32, "f4": np.float32}


def packed(values: NDArray[Any], kind: str) -> dict[str, str]:
    """Numbers as the page's script takes them apart again; `kind` is u1, u4 or f4."""
    plain = np.ascontiguousarray(values, dtype=np.dtype(_KINDS[kind]).newbyteorder("<"))
    return {"kind": kind, "bytes": base64.b64encode(plain.tobytes()).decode("ascii")}


def stepped(values: NDArray[Any], most: float) -> NDArray[np.uint8]:
    """Values from 0 to `most` in steps; whatever is above zero gets at least the first one, so that it shows."""
    if not most > 0.0:
        return np.zeros(values.shape, dtype=np.uint8)
    shares = np.clip(np.nan_to_num(values) / most, 0.0, 1.0)
    return np.asarray(np.ceil(shares * STEPS - 1e-6), dtype=np.uint8)
