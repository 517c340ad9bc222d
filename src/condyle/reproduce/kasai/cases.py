"""The runs behind the figures of Kasai 2024: the library's slider-crank in its variants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from condyle.model.spec import Spec, load
from condyle.reproduce.kasai.motion import Motion
from condyle.reproduce.running import run_all

# The models of Figure 6 a, b and c; the last is the integrated one of Figures 3 and 4.
RIGID, FLEXIBLE, SPRING = "rigid", "flexible", "flexible-spring"
MODELS = (RIGID, FLEXIBLE, SPRING)
OUTPUT_STEP = 1e-3

# --- Beside the figures ---
# The contact force has had its peak in all models by then [s].
PAST_PEAK = 1.35
# The exponent that section 2.2 prints. Its force sets in with an infinite stiffness, which costs accuracy.
PRINTED_EXPONENT, PRINTED_AUDIT = 2.0 / 3.0, 1e-5
# Sizes are not printed, so the order of the forces is looked at with others as well.
OTHERS: Mapping[str, dict[str, Any]] = {
    "a rod of 0.5 GPa": {"beams.rod.young": 0.5e9},
    "a rod of 2 GPa": {"beams.rod.young": 2e9},
    "a contact ten times softer": {"contacts.impact.law.stiffness": 4e4},
}

Runs = Mapping[str, Motion]


def printed_name(model: str) -> str:
    """Name of the case with the printed exponent."""
    return f"{model}, exponent 2/3"


def other_name(model: str, other: str) -> str:
    """Name of the case with another size."""
    return f"{model}, {other}"


def cases() -> dict[str, Spec]:
    """All cases by name."""
    models = {
        name: load("slider-crank", variant=name).updated({"run.output_step": OUTPUT_STEP}) for name in MODELS
    }
    found = dict(models)
    printed = {"contacts.impact.law.exponent": PRINTED_EXPONENT, "run.audit_tolerance": PRINTED_AUDIT}
    for name, spec in models.items():
        short = spec.updated({"run.duration": PAST_PEAK})
        found[printed_name(name)] = short.updated(printed)
        for other, changes in OTHERS.items():
            # The rigid rod has no modulus.
            if not (name == RIGID and "beams.rod.young" in changes):
                found[other_name(name, other)] = short.updated(changes)
    return found


def run_cases(told: Callable[[float], None] | None = None) -> dict[str, Motion]:
    """Run all cases; `told` hears the part that is done."""
    return {name: Motion(results) for name, results in run_all(cases(), told).items()}
