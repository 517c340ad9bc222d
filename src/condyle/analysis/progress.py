"""Who wants to hear how far a run is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float], None]
