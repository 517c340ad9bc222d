"""The pool of a model under construction: blocks of numbers end to end."""

from __future__ import annotations

import numpy as np

from condyle.mechanics.system import Array


class Pool:
    """Blocks of numbers, each known by where it begins."""

    def __init__(self) -> None:
        self._blocks: list[Array] = []
        self._size = 0

    def add(self, block: Array) -> int:
        """Put a block at the end and return where it begins."""
        begin = self._size
        self._blocks.append(np.ravel(np.asarray(block, dtype=np.float64)))
        self._size += self._blocks[-1].size
        return begin

    def joined(self) -> Array:
        """All blocks."""
        return np.concatenate([np.zeros(0), *self._blocks])
