"""Running the cases of a paper one after the other, and what is to be said about runs that cannot be trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from condyle.model.spec import Spec
from condyle.results import Results
from condyle.results.simulation import simulate


def run_all(specs: Mapping[str, Spec], told: Callable[[float], None] | None = None) -> dict[str, Results]:
    """Run all cases; `told` hears the part that is done."""
    found = {}
    for k, (name, spec) in enumerate(specs.items()):
        share = None if told is None else _share(told, k, len(specs))
        found[name] = simulate(spec, progress=share)
    return found


def _share(told: Callable[[float], None], k: int, count: int) -> Callable[[float], None]:
    """What tells of run `k` of several as of a part of the whole."""
    return lambda done: told((k + done) / count)


def distrusted(runs: Mapping[str, Results]) -> list[str]:
    """Sentences about runs that did not finish or whose energy balance does not close."""
    reasons = []
    for name, results in runs.items():
        if not results.complete:
            reasons.append(f"{name}: {results.status}")
        elif not results.audit.passed:
            reasons.append(f"{name}: its energy balance closes to {results.audit.relative_residual:.1e} only")
    return reasons
