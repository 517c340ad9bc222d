"""A motion to and fro, mean + amplitude sin(w t + phase).

Source: elementary.
"""

from __future__ import annotations

import math

from condyle._jit import kernel


@kernel
def harmonic(
    mean: float, amplitude: float, pulsation: float, phase: float, time: float
) -> tuple[float, float, float]:
    """Value in the unit of the amplitude, and its rates; pulsation [rad/s], phase [rad], time [s]."""
    sine, cosine = math.sin(pulsation * time + phase), math.cos(pulsation * time + phase)
    return mean + amplitude * sine, amplitude * pulsation * cosine, -amplitude * pulsation * pulsation * sine
