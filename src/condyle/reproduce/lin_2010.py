"""The results of Lin 2010, run again as far as the elastic foundation goes, and one page with them.

That is the nominal cycle of a knee replacement in a Stanmore machine: motions, loads of both sides, wear.

Judged is what the paper says in words and numbers; its curves are not digitised. Implant, masses, load curves and the
places of the springs are not printed: those of the library's stanmore-tkr are Condyle's own.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from condyle.reproduce import PAPERS, UntrustedRunsError, running
from condyle.reproduce.lin.cases import NOMINAL, Runs, run_cases
from condyle.reproduce.lin.figures import figure_3, figure_4, figure_5, sensitive_directions, wear
from condyle.results.progress import bar
from condyle.view.plots import Figure, figure_page

NAME = "lin-2010"
FIGURES: tuple[Callable[[Runs], Figure], ...] = (sensitive_directions, figure_3, figure_4, figure_5, wear)


def reproduce(directory: Path, progress: bool | Callable[[float], None] = False) -> Path:
    """Run all cases and write `lin-2010.html`; raises `UntrustedRunsError` after writing where an audit failed.

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
    return figure_page("Lin 2010, run again", introduction(runs), figures(runs), path)


def distrusted(runs: Runs) -> list[str]:
    """Sentences about runs that did not finish or whose energy balance does not close."""
    return running.distrusted({name: motion.results for name, motion in runs.items()})


def introduction(runs: Runs) -> str:
    """What was run and how it is judged."""
    distrust = distrusted(runs)
    balance = max(motion.results.audit.relative_residual for motion in runs.values())
    audit = (
        f"All {len(runs)} runs finished and their energy balances close to {balance:.0e} of the energy exchanged, by a "
        "method that damps on purpose."
        if not distrust
        else f"DO NOT TRUST THIS PAGE: {'; '.join(distrust)}."
    )
    step = runs[NOMINAL].results.spec.model.run.step
    return "\n\n".join(
        (
            f"Lin, Haftka, Queipo, Fregly: {PAPERS[NAME]}, Medical Engineering & Physics 32 (2010) 584-594. The "
            "library's stanmore-tkr: six degrees of freedom as in Figure 1, an elastic foundation of 463 MPa and a "
            f"Poisson's ratio of 0.46, generalised alpha with steps of {1e3 * step:g} ms, one cycle of 1 s. {audit}",
            "Only what the paper did with the elastic foundation is done again; surrogates and Monte Carlo studies are "
            "not here yet. Judged is what the paper says in words and numbers; its curves are not compared. A sentence "
            "marked ✓ bears the paper out, one marked ✗ does not; a figure without a verdict has nothing that could be "
            "judged. Nothing is tuned to fit.",
            "Not printed are the implant (the manufacturer's), masses, thickness of the insert, damping, where the "
            "springs are, and the input curves: ours is an implant of a few radii with an insert of 10 mm, under "
            "smooth curves with the extremes of ISO 14243-1. Loads of the contact are conjugate to the coordinates of "
            "Figure 1 (with z and β as there), so that each side's T_α includes the arm of its force.",
        )
    )
