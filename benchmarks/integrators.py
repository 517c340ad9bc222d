"""`python -m benchmarks.integrators`: what each integrator costs on the flexible slider-crank, and how far it is off.

The table of `docs/choosing.md`, which is too long to be made with the page.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

import condyle
from condyle.results import Results

# The blow is at 1.3 s.
CASE = {"run.duration": 1.4, "run.output_step": 2e-3, "run.audit_tolerance": 0.5}
REFERENCE = {"run.step": 5e-6}
FIXED = {"rk-gill": (1e-5, 2e-5), "generalized-alpha": (1e-3, 5e-4, 1e-4, 2e-5)}
CHOSEN = {"dopri8": (1e-4, 1e-6), "radau": (1e-3, 1e-4), "ida": (1e-4, 1e-5, 1e-6, 1e-7)}

HEAD = ["integrator", "step or tolerance", "steps", "evaluations", "time [s]"]
HEAD += ["slider [mm]", "blow [%]", "forces [N]", "audit"]


def cases() -> list[tuple[str, float, dict[str, Any]]]:
    """Integrator, its step or tolerance, and the changes that ask for them."""
    fixed = [(name, h, {"run.step": h}) for name, steps in FIXED.items() for h in steps]
    chosen = [
        (name, t, {"run.relative_tolerance": t, "run.absolute_tolerance": 0.01 * t})
        for name, tolerances in CHOSEN.items()
        for t in tolerances
    ]
    return [(name, number, {"run.integrator": name, **more}) for name, number, more in fixed + chosen]


def line(name: str, number: float, results: Results, reference: xr.Dataset) -> str:
    """A row of the table: work, time, and how far the slider, the blow and the joints' forces are off."""
    data, audit = results.dataset, results.audit
    place = float(np.abs(data.position - reference.position).sel(body="slider").max())
    blow = float(data.peak_contact_force[0] / reference.peak_contact_force[0]) - 1.0
    force = float(np.abs(data.joint_force - reference.joint_force).max())
    unit = " s" if name in FIXED else ""
    return (
        f"| `{name}` | {number:.0e}{unit} | {audit.steps} | {audit.evaluations} | {results.wall_time:.2f} "
        f"| {1e3 * place:.1g} | {100.0 * abs(blow):.1g} | {force:.1g} | {audit.relative_residual:.0e} |"
    )


def main() -> None:
    """Print the table, each line twice run: the first may compile."""
    base = condyle.load("slider-crank", "flexible").updated(CASE)
    reference = condyle.simulate(base.updated(REFERENCE)).dataset
    print(f"| {' | '.join(HEAD)} |\n|:--|:--|{'--:|' * (len(HEAD) - 2)}")
    for name, number, changes in cases():
        spec = base.updated(changes)
        condyle.simulate(spec.updated({"run.duration": 0.01}))
        print(line(name, number, condyle.simulate(spec), reference), flush=True)


if __name__ == "__main__":
    main()
