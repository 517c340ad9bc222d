"""How the time per step grows with the elements of a beam: the run, its table, its plot, its bars."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks.harness import Entry, ask
from benchmarks.work import Answer, Scaling

Bar = tuple[str, float, str, bool]
METHODS = {"explicit": "rk4, step as the square of an element", "implicit": "generalized-alpha, 1e-3 s"}
LINEAR = 1.1  # what noise and caches may add to an exponent of 1


def measured(case: Scaling) -> Answer:
    """Seconds per step of both methods, in a process of its own."""
    return ask(Entry("scaling_condyle", asdict(case), case.steps))


def exponent(case: Scaling, answer: Answer, form: str) -> float:
    """Slope of the straight line through logarithms of elements and of seconds per step, by least squares."""
    x = [math.log(n) for n in case.elements]
    y = [math.log(seconds) for seconds in answer.more[form]]
    mean_x, mean_y = (sum(values) / len(x) for values in (x, y))
    products = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return products / sum((a - mean_x) ** 2 for a in x)


def scaling_table(case: Scaling, answer: Answer) -> Table:
    """Microseconds per step, and per step and element."""
    table = Table(title="A swinging beam in ever more elements, Condyle", title_justify="left")
    table.add_column("")
    for n in case.elements:
        table.add_column(str(n), justify="right")
    table.add_column("exponent", justify="right")
    if answer.absent:
        table.add_row("absent", answer.absent)
        return table
    for form in case.forms:
        times = answer.more[form]
        fitted = f"{exponent(case, answer, form):.3f}"
        table.add_row(f"{METHODS[form]} [us a step]", *(f"{1e6 * time:.3g}" for time in times), fitted)
        shares = (f"{1e6 * time / n:.3g}" for n, time in zip(case.elements, times, strict=True))
        table.add_row("    a step and element", *shares)
    return table


def bars(case: Scaling, answer: Answer) -> list[Bar]:
    """Linear growth."""
    if answer.absent:
        return []
    found = {form: exponent(case, answer, form) for form in case.forms}
    return [
        (f"elements, exponent of the time a step takes, {form}", value, f"<= {LINEAR}", value <= LINEAR)
        for form, value in found.items()
    ]


def draw(case: Scaling, answer: Answer, to: Path) -> str:
    """Write the plot as PNG; returns what to say of it, or why there is none."""
    if answer.absent:
        return "no plot: nothing was measured"
    curves = {
        f"{METHODS[form]}: exponent {exponent(case, answer, form):.2f}": (case.elements, answer.more[form])
        for form in case.forms
    }
    first = 0.5 * answer.more[case.forms[0]][0]
    curves["linear"] = (case.elements, tuple(first * n / case.elements[0] for n in case.elements))
    return plotted(curves, ("elements", "time per step [us]", "Time per step of a swinging beam"), to)


def plotted(curves: dict[str, tuple[Any, tuple[float, ...]]], words: tuple[str, str, str], to: Path) -> str:
    """Write seconds over sizes, by label, as PNG; `words` are those of both axes and the title."""
    try:
        import matplotlib as mpl
    except ImportError:
        return "no plot: matplotlib is not installed"
    mpl.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5))
    for label, (sizes, seconds) in curves.items():
        style = {"linestyle": "--", "color": "grey"} if label == "linear" else {"marker": "o"}
        axes.loglog(sizes, [1e6 * time for time in seconds], label=label, **style)
    sizes = next(iter(curves.values()))[0]
    axes.set(xlabel=words[0], ylabel=words[1], title=words[2])
    axes.set_xticks(sizes, [f"{size:,.0f}" for size in sizes])
    axes.minorticks_off()
    axes.legend(loc="best")
    to.parent.mkdir(parents=True, exist_ok=True)
    partial = to.with_suffix(".part.png")
    figure.savefig(partial, dpi=150, bbox_inches="tight")
    plt.close(figure)
    partial.replace(to)
    return f"plot in {to}"
