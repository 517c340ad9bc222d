"""A load given at instants: straight between them, held before the first and after the last.

Source: elementary.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from condyle._jit import kernel


@kernel
def tabulated(times: NDArray[np.float64], values: NDArray[np.float64], time: float) -> float:
    """Value at a time [s], in the unit of the values; times [s] ascending, both of shape (n,) with n >= 1.

    Two rows at one time are a jump: the later row holds from that time on.
    """
    last = times.shape[0] - 1
    if time < times[0]:
        return float(values[0])
    if time >= times[last]:
        return float(values[last])
    # Invariant: times[low] <= time < times[high], so the interval found has a length.
    low, high = 0, last
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] <= time:
            low = middle
        else:
            high = middle
    share = (time - times[low]) / (times[high] - times[low])
    return float(values[low] + share * (values[high] - values[low]))
