"""The results of Machado 2010, run again: every case behind Figures 9 to 15 and 17 to 19, and one page with them.

Judged is what the paper says in words; its curves are not digitised. Nothing is tuned: where a number is not printed
(where the outlines lie, the bearing's radius), the choice and its reason stand with the model or the case.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from condyle.reproduce import PAPERS, UntrustedRunsError, running
from condyle.reproduce.findings import NEGLIGIBLE, SIMILAR
from condyle.reproduce.machado.amplitudes import figure_12, figure_13, figure_14, figure_15
from condyle.reproduce.machado.cases import DENSE, Runs, run_cases
from condyle.reproduce.machado.clearance import figure_17, figure_18, figure_19
from condyle.reproduce.machado.laws import figure_10, figure_11
from condyle.reproduce.machado.splines import bumps, figure_9, table_2
from condyle.results.progress import bar
from condyle.view.plots import Figure, figure_page

NAME = "machado-2010"
FIGURES: tuple[Callable[[Runs], Figure], ...] = (
    table_2,
    figure_9,
    bumps,
    figure_10,
    figure_11,
    figure_12,
    figure_13,
    figure_14,
    figure_15,
    figure_17,
    figure_18,
    figure_19,
)


def reproduce(directory: Path, progress: bool | Callable[[float], None] = False) -> Path:
    """Run all cases and write `machado-2010.html`; raises `UntrustedRunsError` after writing where an audit failed.

    `progress`: True shows a bar on a terminal; a function hears the part that is done, from 0 to 1.
    """
    with bar(NAME) if progress is True else nullcontext(progress or None) as told:
        runs = run_cases(told)
    path = page(runs, Path(directory) / f"{NAME}.html")
    reasons = distrusted(runs)
    if reasons:
        raise UntrustedRunsError(path, reasons)
    return path


def figures(runs: Runs) -> list[Figure]:
    """All figures of some runs, in the paper's order."""
    return [make(runs) for make in FIGURES]


def page(runs: Runs, path: Path) -> Path:
    """Write the page of some runs."""
    return figure_page("Machado 2010, run again", introduction(runs), figures(runs), path)


def distrusted(runs: Runs) -> list[str]:
    """Sentences about runs that did not finish or whose energy balance does not close."""
    return running.distrusted({name: motion.results for name, motion in runs.items()})


def introduction(runs: Runs) -> str:
    """What was run and how it is judged."""
    distrust = distrusted(runs)
    usual = [motion.results.audit for name, motion in runs.items() if f"{DENSE} points" not in name]
    balance = max(audit.relative_residual for audit in usual)
    audit = (
        f"All {len(runs)} runs finished and their energy balances close: to {balance:.0e} of the energy "
        "exchanged, but for the outlines that are read off too densely."
        if not distrust
        else f"DO NOT TRUST THIS PAGE: {'; '.join(distrust)}."
    )
    return "\n\n".join(
        (
            f"Machado, Flores, Claro, Ambrósio, Silva, Completo, Lankarani: {PAPERS[NAME]}, Nonlinear "
            "Dynamics 60 (2010) 459-478. Every case behind Figures 9 to 15 and 17 to 19, with the library's "
            f"planar-knee and planar-knee-clearance: Tables 1 to 3, steps of 1e-5 s, 0.5 s. {audit}",
            "Judged is what the paper's text says of its figures; the curves of the paper are not compared. "
            "Where it says that things are practically the same, or differ insignificantly or minimally, "
            f"they may differ by {NEGLIGIBLE:.0%} of their range, and where they differ, it must be by "
            f"more; similar curves correlate by more than {SIMILAR:g}. A sentence marked ✓ bears the paper "
            "out, one marked ✗ does not; a figure is 'reproduced' where all do and 'differs' where only "
            "some do. Nothing is tuned to fit.",
            "Not printed are where the outlines lie (a circle about the femur's origin and a plateau that "
            "touches it at the start are taken), the points of the outlines, and the radius of the bearing; "
            "each is dealt with at the figure it matters for.",
        )
    )
