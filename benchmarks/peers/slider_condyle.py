"""Condyle on its own model file `slider-crank`: with joints, by an explicit or an implicit method, or with springs.

"penalty": joints and drive are springs, see `work.Penalty.overrides`. "constraints": the file as it is, joints and
driver as equations kept by multipliers. "implicit": the same without contact, by generalised alpha.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import condyle
from benchmarks.peers.process import floats, send, task, timed
from benchmarks.work import Answer, Penalty, Slider


@dataclass(frozen=True)
class Choice:
    """Of the form "implicit"."""

    newton_tolerance: float = 1e-7
    spectral_radius: float = 0.9


def overrides(case: Slider, form: str, choice: Choice, penalty: Penalty) -> dict[str, Any]:
    """What the model file is changed by."""
    if form == "penalty":
        return penalty.overrides(case)
    if form == "constraints":
        return case.overrides()
    method = {f"run.{name}": value for name, value in vars(choice).items()}
    return {**case.overrides("generalized-alpha"), **method, "contacts": {}, "profiles": {}}


def named(case: Slider, form: str, choice: Choice) -> str:
    """What the row is called."""
    if form == "penalty":
        return "Condyle, penalty pins, rk4"
    if form == "constraints":
        return f"Condyle, {case.variant}, joints, rk-gill"
    tolerance = f"tolerance {choice.newton_tolerance:g}"
    return f"Condyle, generalized-alpha at {case.step:g} s, {tolerance}{case.often}"


def main() -> None:
    """Run and answer; the curve is the place of the slider's pin."""
    given = task()
    form, choice = given.pop("form"), Choice(**given.pop("choice", {}))
    penalty = Penalty(**given.pop("penalty", {}))
    case = Slider(**given)
    variant = None if case.variant == "flexible" else case.variant
    spec = condyle.load("slider-crank", variant=variant).updated(overrides(case, form, choice, penalty))
    times, results = timed(lambda: condyle.simulate(spec), case.repeats)
    found = results.dataset
    more = {"y_mid": floats(1e-3 * found["measure_value"].sel(measure="sag").values)}
    if form != "implicit":
        force, when = (found[name].values[-1] for name in ("peak_contact_force", "peak_contact_force_time"))
        more["peak"] = (float(force.max()), float(when.max()))
    pin = 1e-3 * found["measure_value"].sel(measure="slider").values - case.slider_length
    name = named(case, form, choice)
    send(Answer(name, f"condyle {condyle.__version__}", times, floats(pin), more=more))


if __name__ == "__main__":
    main()
