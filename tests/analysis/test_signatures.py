"""A model is data: the standard runs leave every kernel with one compiled signature for each kind of model."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import condyle

# In a process of its own, as other tests call kernels in their own way. Models in space have kernels of their own, and
# so have those in the plane without springs, beams, joints and drivers, which have None for their mechanism.
STANDARD_RUNS = """
import sys
from collections import Counter
import condyle
for name in condyle.builtin_models():
    spec = condyle.load(name)
    step = spec.model.run.step
    condyle.simulate(spec.updated({"run.duration": 20 * step, "run.output_step": 10 * step}))
for integrator in ("rk4", "dopri5", "dopri8", "radau"):
    condyle.simulate(condyle.load("planar-knee").updated({"run.integrator": integrator, "run.duration": 1e-3}))
for module in [found for name, found in sys.modules.items() if name.startswith("condyle.")]:
    for name, value in vars(module).items():
        signatures = getattr(value, "overloads", None)
        if signatures and value.__module__ == module.__name__:
            texts = map(str, signatures)
            bare = ", none, array(float64, 1d, C), none)"
            kinds = Counter("space" if "Space(" in text else bare in text for text in texts)
            print(f"{module.__name__}.{name}", max(kinds.values()), len(kinds))
"""


@pytest.mark.compiled
def test_no_kernel_is_compiled_per_model() -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(condyle.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", STANDARD_RUNS], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    counts = {name: int(count) for name, count, _ in lines}
    assert {name: int(kinds) for name, _, kinds in lines}["condyle.analysis.march.march"] == 3
    assert len(counts) > 10
    assert set(counts.values()) == {1}, counts
