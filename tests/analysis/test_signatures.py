"""A model is data: the standard runs leave every kernel with one compiled signature, with mechanisms or without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import condyle

# In a process of its own, as other tests call kernels in their own way. A model without springs, beams, joints and
# drivers has None for its mechanism, and kernels of its own: these two are counted as one.
STANDARD_RUNS = """
import sys
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
            alike = {str(s).replace(", none)", ", array(float64, 1d, C))") for s in signatures}
            print(f"{module.__name__}.{name}", len(alike))
"""


@pytest.mark.compiled
def test_no_kernel_is_compiled_per_model() -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(condyle.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", STANDARD_RUNS], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    counts = {name: int(count) for name, count in (line.split() for line in done.stdout.splitlines())}
    assert "condyle.analysis.march.march" in counts
    assert len(counts) > 10
    assert set(counts.values()) == {1}, counts
