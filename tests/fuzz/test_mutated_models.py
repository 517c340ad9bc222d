"""Damaged model files end in a clear error or in a run: no traceback, no hang, no file left half-written.

`CONDYLE_FUZZ_CASES` files are made, 3000 unless it says otherwise, always the same ones.
"""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import condyle
from condyle.model.spec import Spec, parse
from condyle.results.results import Results
from fuzz.mutations import mutated

CASES = int(os.environ.get("CONDYLE_FUZZ_CASES", "3000"))
BATCH = 50
# More processor time than this [s] is a hang, however busy the machine; a case takes some hundredths of a second
# once its kernels are compiled.
PATIENCE = 60
# A run is cut to this many steps: what is looked for shows in the first ones.
STEPS = 20

SOURCES = [condyle.load(name).source for name in condyle.builtin_models()]


@contextmanager
def patience(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in what computes for longer."""

    def ring(_signal: int, _frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def capped(spec: Spec) -> Spec:
    """The model with a run of a few steps."""
    run = spec.model.run
    step = min(run.step, run.duration / STEPS)
    span = min(STEPS * step, run.duration)
    limits = {"run.duration": span, "run.step": step, "run.output_step": span, "run.step_budget": 200}
    return spec.updated(limits)


def assert_clear(refused: condyle.SpecError) -> None:
    """A refusal says at least one thing, and each of them in words."""
    assert refused.problems
    assert all(problem.message.strip() for problem in refused.problems)
    assert "Traceback" not in str(refused)


def outcome(text: str, folder: Path) -> str:
    """How a damaged file ends: `refused` or `ran`; everything else is an exception that fails the test."""
    try:
        spec = capped(parse(text, "damaged", folder))
        results = condyle.simulate(spec)
    except condyle.SpecError as refused:
        assert_clear(refused)
        return "refused"
    assert isinstance(results, Results)
    assert results.complete or results.status
    assert not (results.audit.passed and not results.complete)
    assert results.summary().as_dict()
    saved = results.save(folder / "out")
    assert sorted(path.name for path in saved.parent.iterdir()) == [saved.name]
    return "ran"


@pytest.fixture(scope="module")
def compiled_kernels() -> None:
    """Every kernel that a model needs is compiled before patience counts."""
    for source in SOURCES:
        condyle.simulate(capped(parse(source, "whole")))


@pytest.mark.fuzz
@pytest.mark.usefixtures("compiled_kernels")
@pytest.mark.parametrize("batch", range(-(-CASES // BATCH)))
def test_damaged_files_are_refused_or_run(batch: int, tmp_path: Path) -> None:
    ended: Counter[str] = Counter()
    for case in range(batch * BATCH, min((batch + 1) * BATCH, CASES)):
        rng = random.Random(case)
        text = mutated(rng.choice(SOURCES), rng)
        try:
            with patience(PATIENCE):
                ended[outcome(text, tmp_path)] += 1
        except Exception as error:
            raise AssertionError(f"case {case} ended in {type(error).__name__}: {error}\n{text}") from error
    # A harness that never runs, or never refuses, looks at nothing.
    assert sum(ended.values()) < 20 or min(ended["ran"], ended["refused"]) > 0
