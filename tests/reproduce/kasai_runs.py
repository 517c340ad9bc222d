"""The cases of Kasai 2024, run once for all tests of a session."""

from __future__ import annotations

from functools import cache

from condyle.reproduce.kasai.cases import Runs, run_cases


@cache
def kasai_runs() -> Runs:
    """All cases by name; whoever changes one makes a copy of the mapping."""
    return run_cases()
