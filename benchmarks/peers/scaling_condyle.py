"""Condyle's time per step as the beam of its model file `flexible-pendulum` is divided finer and finer.

What is timed are the steps alone, between two calls of `progress`.
"""

from __future__ import annotations

import time

import condyle
from benchmarks.peers.process import send, task
from benchmarks.work import Answer, Scaling


def main() -> None:
    """Time all divisions in turn, as often as asked, and answer with seconds per step, the least of each."""
    case = Scaling(**task())
    found: dict[str, tuple[float, ...]] = {}
    for form in case.forms:
        per_step(case, form, case.elements[0])  # compiles
        rounds = [[per_step(case, form, n) for n in case.elements] for _ in range(case.repeats)]
        found[form] = tuple(min(times) for times in zip(*rounds, strict=True))
    send(Answer("Condyle, flexible-pendulum", f"condyle {condyle.__version__}", more=found))


def per_step(case: Scaling, form: str, elements: int) -> float:
    """Processor seconds that a step takes."""
    spec = condyle.load("flexible-pendulum").updated(case.overrides(form, elements))
    told = [(0.0, 0.0)]
    condyle.simulate(spec, progress=lambda part: told.append((part, time.process_time())))
    # Told first behind the first steps, last at the end: reading, meshing, starting and storing lie outside.
    (begun, first), (ended, last) = told[1], told[-1]
    return (last - first) / ((ended - begun) * case.steps)


if __name__ == "__main__":
    main()
