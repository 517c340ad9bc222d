"""The error of everything that makes a curve from points."""

from __future__ import annotations


class OutlineError(ValueError):
    """Points that are no outline, or not one of the asked form; the message names the place and the remedy.

    `index` is the offending point's, counted from 0, where there is one.
    """

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index
