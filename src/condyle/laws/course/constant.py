"""A load that does not change.

Source: elementary.
"""

from __future__ import annotations

from condyle._jit import kernel


@kernel
def constant(amplitude: float, time: float) -> float:
    """Return the amplitude, in its own unit, at any time [s]."""
    return amplitude
