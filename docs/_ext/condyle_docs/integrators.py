"""What each integrator costs on the planar knee, and how far it is off: measured while the page is read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import condyle
from condyle import Results, Spec

CASES = (
    ("rk-gill", 1e-3),
    ("rk-gill", 1e-4),
    ("rk-gill", 1e-5),
    ("rk4", 1e-4),
    ("rk4", 1e-5),
    ("dopri5", 1e-4),
    ("dopri5", 1e-6),
    ("dopri5", 1e-8),
    ("dopri8", 1e-4),
    ("dopri8", 1e-6),
    ("dopri8", 1e-8),
    ("radau", 1e-4),
    ("radau", 1e-6),
)
TIGHT = {"run.integrator": "dopri8", "run.relative_tolerance": 1e-13, "run.absolute_tolerance": 1e-13}
FIXED = ("rk-gill", "rk4")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Errors(NamedTuple):
    """Largest differences over the whole run: place [m], flexion [deg], contact force [N]."""

    place: float
    flexion: float
    force: float


def integrators() -> str:
    """A table of work, error and audit for each case."""
    base = condyle.load("planar-knee")
    reference = condyle.simulate(base.updated(TIGHT))
    rows = [
        "| integrator | step or tolerance | steps | evaluations | time [s] | flexion off by [deg] "
        "| contact force off by [N] | audit |",
        "|:--|:--|--:|--:|--:|--:|--:|--:|",
    ]
    for method, number in CASES:
        results = _run(base, method, number)
        errors = _errors(results, reference)
        audit = results.audit
        setting = f"{_power(number)} s" if method in FIXED else _power(number)
        rows.append(
            f"| `{method}` | {setting} | {audit.steps:,} | {audit.evaluations:,} | {results.wall_time:.2f} "
            f"| {_power(errors.flexion)} | {_power(errors.force)} | {_power(audit.relative_residual)} |".replace(
                ",", "\u202f"
            )
        )
    return "\n".join(rows)


def _run(base: Spec, method: str, number: float) -> Results:
    """One case, twice: the first run may compile."""
    setting = (
        {"run.step": number}
        if method in FIXED
        else {
            "run.relative_tolerance": number,
            "run.absolute_tolerance": 1e-2 * number,
        }
    )
    spec = base.updated({"run.integrator": method, **setting})
    condyle.simulate(spec.updated({"run.duration": 0.02}))
    return condyle.simulate(spec)


def _errors(results: Results, reference: Results) -> Errors:
    one, other = results.dataset, reference.dataset
    return Errors(
        *(
            float(np.abs(one[name] - other[name]).max())
            for name in ("position", "measure_value", "contact_normal_force")
        )
    )


def _power(value: float) -> str:
    """One or two digits and a power of ten."""
    mantissa, exponent = f"{value:.0e}".split("e")
    power = f"10{str(int(exponent)).translate(_RAISED)}"
    return power if mantissa == "1" else f"{mantissa}·{power}"
