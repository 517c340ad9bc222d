"""The cases of Lin 2010, run once for all tests of a session."""

from __future__ import annotations

from functools import cache

from condyle.reproduce.lin.cases import Runs, run_cases


@cache
def lin_runs() -> Runs:
    """All cases by name; whoever changes one makes a copy of the mapping."""
    return run_cases()
