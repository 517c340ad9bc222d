"""The runs behind the figures of Lin 2010, foundation side: the library's knee replacement in a Stanmore machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from condyle.model.spec import Spec, load
from condyle.reproduce.lin.motion import Motion
from condyle.reproduce.running import run_all

NOMINAL = "nominal"
# Beside the figures: what triangles and the start have to say in it.
FINER, THIRD = "triangles of 1 mm", "third cycle"
EDGE = 1e-3

Runs = Mapping[str, Motion]


def cases() -> dict[str, Spec]:
    """All cases by name."""
    nominal = load("stanmore-tkr")
    edges = {"surfaces.femoral.femoral.edge": EDGE, "surfaces.insert.insert.edge": EDGE}
    return {
        NOMINAL: nominal,
        FINER: nominal.updated(edges),
        THIRD: nominal.variant("three-cycles"),
    }


def run_cases(told: Callable[[float], None] | None = None) -> dict[str, Motion]:
    """Run all cases; `told` hears the part that is done."""
    return {name: Motion(results) for name, results in run_all(cases(), told).items()}
