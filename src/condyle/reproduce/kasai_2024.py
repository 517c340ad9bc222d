"""The results of Kasai 2024, run again: the three slider-cranks behind Figures 4, 5 and 7, and one page with them.

Judged is what the paper says in words; its curves are not digitised. Sizes, masses and sections are not printed: those
of the library's slider-crank are Condyle's own, so numbers compare with the paper's in kind and order only.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from condyle.reproduce import PAPERS, UntrustedRunsError, running
from condyle.reproduce.findings import NEGLIGIBLE
from condyle.reproduce.kasai.cases import MODELS, Runs, run_cases
from condyle.reproduce.kasai.figures import figure_4, figure_5, figure_7
from condyle.results.progress import bar
from condyle.view.plots import Figure, figure_page

NAME = "kasai-2024"
FIGURES: tuple[Callable[[Runs], Figure], ...] = (figure_4, figure_5, figure_7)


def reproduce(directory: Path, progress: bool | Callable[[float], None] = False) -> Path:
    """Run all cases and write `kasai-2024.html`; raises `UntrustedRunsError` after writing where an audit failed.

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
    return figure_page("Kasai 2024, run again", introduction(runs), figures(runs), path)


def distrusted(runs: Runs) -> list[str]:
    """Sentences about runs that did not finish or whose energy balance does not close."""
    return running.distrusted({name: motion.results for name, motion in runs.items()})


def introduction(runs: Runs) -> str:
    """What was run and how it is judged."""
    distrust = distrusted(runs)
    balance = max(runs[name].results.audit.relative_residual for name in MODELS)
    drift = max(motion.results.audit.constraint_drift for motion in runs.values())
    audit = (
        f"All {len(runs)} runs finished; the energy balances of the three close to {balance:.0e} of the energy "
        f"exchanged, and no joint drifts by more than {drift:.0e} m."
        if not distrust
        else f"DO NOT TRUST THIS PAGE: {'; '.join(distrust)}."
    )
    return "\n\n".join(
        (
            f"Kasai, Batbaatar, Wagatsuma: {PAPERS[NAME]}, 2024. "
            "The three models of Figure 6, variants of the library's slider-crank, over 5 s by Runge-Kutta-Gill with "
            f"steps of 1e-5 s, as in the paper. {audit}",
            "Judged is what the paper's text says of its figures; the curves of the paper are not compared. What is "
            f"said to differ or to be smaller must be so by more than {NEGLIGIBLE:.0%}. A sentence marked ✓ bears the "
            "paper out, one marked ✗ does not; a figure is 'reproduced' where all do. Nothing is tuned to fit.",
            "Lengths, masses and sections of the mechanism are not printed; ours are a crank of 0.10 m, a rod of "
            "0.40 m, 10 mm square, of 1 GPa, and a slider of 0.2 kg. Spring, damper and contact have the "
            "paper's numbers: k = 50, c = 0.1, K = 4e5, a restitution of 0.1. Friction does not act: nothing slides.",
        )
    )
