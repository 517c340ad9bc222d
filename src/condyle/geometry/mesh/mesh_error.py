"""The error of everything that makes a surface from triangles."""

from __future__ import annotations


class MeshError(ValueError):
    """Triangles that are no surface, or not one of the asked kind; the message names the place and the remedy.

    `count` says how many faces, edges or vertices are at fault, where that can be counted.
    """

    def __init__(self, message: str, count: int | None = None) -> None:
        super().__init__(message)
        self.count = count
