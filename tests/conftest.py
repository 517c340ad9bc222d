"""What all tests share: seeded randomness, and which of them also run as plain Python."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent
KERNEL_ROOMS = ("math", "laws", "geometry", "solve", "mechanics", "contact", "multibody")
PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

# A first call compiles and a busy machine is slow, which no bound on wall time survives; a failure must come again in
# the next run.
BASE = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("compiled", BASE)
settings.register_profile("plain", BASE, max_examples=20)
settings.load_profile("plain" if PLAIN else "compiled")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The small tests of the rooms with kernels are run without compiling too (`nox -s nojit`)."""
    for item in items:
        room = item.path.relative_to(TESTS).parts[0]
        left_out = any(item.get_closest_marker(name) for name in ("compiled", "fuzz"))
        if room in KERNEL_ROOMS and not left_out:
            item.add_marker(pytest.mark.nojit)
