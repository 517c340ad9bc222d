"""A pulse: a sine under a Gaussian that has all but died after one half wave.

    F = A exp(-b (t / t_d)^2) sin(pi t / t_d),    b = 4.73 in the paper

It is not cut off at t_d: what is left of it there, a factor exp(-4.73) = 0.009 and then a negative half wave, acts as
printed.

Source: Machado 2010, Eq. 30.
"""

from __future__ import annotations

import math

from condyle._jit import kernel


@kernel
def decaying_sine(amplitude: float, duration: float, decay: float, time: float) -> float:
    """Load at a time [s], in the unit of the amplitude; duration t_d [s], decay b [-]."""
    tau = time / duration
    return amplitude * math.exp(-decay * tau * tau) * math.sin(math.pi * tau)  # Machado 2010, Eq. 30
