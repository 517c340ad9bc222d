"""The slider-crank: what runs, what is compared, what is asked of it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np
from rich.markup import escape
from rich.table import Table

from benchmarks.harness import Entry, Row, run
from benchmarks.work import QUADRATURES, Slider

VARIANTS = ("rigid", "flexible", "flexible-spring")
Bar = tuple[str, float, str, bool]


def penalty_entries(case: Slider) -> list[Entry]:
    """Springs for joints, Condyle first; its form with joints beside them."""
    task = asdict(case)
    condyle = [
        Entry("slider_condyle", {**task, "form": form}, case.steps) for form in ("penalty", "constraints")
    ]
    exudyn = [
        Entry(
            "slider_speed_exudyn",
            {**task, "form": "penalty", "penalty": {"quadrature": points}},
            case.steps,
        )
        for points in QUADRATURES[:3]
    ]
    floors = [
        Entry("slider_floor", {**task, "penalty": {"quadrature": points}}, case.steps)
        for points in (QUADRATURES[3], QUADRATURES[0])
    ]
    return [*condyle, *exudyn, *floors]


def implicit_entries(case: Slider) -> list[Entry]:
    """Generalised alpha without contact: Newton's tolerances that are fastest at the same error, those that each has by
    itself, and every step stored instead of every tenth.
    """
    task = {**asdict(case), "form": "implicit"}
    every = {"output_step": case.step}
    entries: list[tuple[str, dict[str, Any]]] = [
        ("slider_condyle", {}),
        ("slider_condyle", {"choice": {"newton_tolerance": 1e-9}}),
        ("slider_condyle", every),
        ("slider_speed_exudyn", {}),
        ("slider_speed_exudyn", {"choice": {"relative_tolerance": 1e-8, "absolute_tolerance": 1e-10}}),
        ("slider_speed_exudyn", every),
    ]
    return [Entry(peer, {**task, **more}, case.steps) for peer, more in entries]


def converged(case: Slider) -> dict[str, Row]:
    """Both programs with steps a hundred times shorter, once, by the name of their package."""
    fine = replace(case, step=0.01 * case.step, repeats=0)
    task = {**asdict(fine), "form": "implicit"}
    peers = {"condyle": "slider_condyle", "exudyn": "slider_speed_exudyn"}
    strict = {"condyle": {"newton_tolerance": 1e-11}, "exudyn": {}}
    rows = run([Entry(peer, {**task, "choice": strict[name]}, fine.steps) for name, peer in peers.items()], 1)
    return dict(zip(peers, rows, strict=True))


def variant_entries(case: Slider) -> list[Entry]:
    """The three slider-cranks, Condyle and Exudyn in turn."""
    tasks = [asdict(replace(case, variant=name, repeats=0)) for name in VARIANTS]
    pairs = [
        (Entry("slider_condyle", {**task, "form": "constraints"}, case.steps),
         Entry("slider_exudyn", task, case.steps))
        for task in tasks
    ]  # fmt: skip
    return [entry for pair in pairs for entry in pair]


def apart(one: Row, other: Row, curve: str = "") -> float:
    """Largest difference of two curves, the slider's place unless another is named."""
    first, second = (
        np.array(row.answer.more[curve] if curve else row.answer.samples) for row in (one, other)
    )
    if len(first) > len(second):
        return apart(other, one, curve)
    # The one may be stored more often than the other.
    return float(np.abs(first - second[:: (len(second) - 1) // (len(first) - 1)]).max())


def implicit_table(rows: list[Row], fine: dict[str, Row]) -> Table:
    """Speeds with the errors against the converged run of the same program."""
    table = Table(title="Slider-crank with joints, no contact, implicit", title_justify="left")
    table.add_column("", no_wrap=False)
    for heading in (
        "CPU s",
        "spread",
        "steps/s",
        "Condyle is",
        "slider off by [m]",
        "middle of rod off by [m]",
    ):
        table.add_column(escape(heading), justify="right")
    for row in rows:
        if row.answer.absent:
            table.add_row(row.answer.peer, "absent", "", "", "", "", row.answer.absent)
            continue
        exact = fine[package(row)]
        errors = (
            ("", "") if exact.answer.absent else (f"{apart(row, exact, name):.2e}" for name in ("", "y_mid"))
        )
        ratio = "" if row is rows[0] else f"{rows[0].rate / row.rate:.3g} x"
        table.add_row(
            row.answer.peer,
            f"{row.typical:.4f}",
            f"{row.spread:.0%}",
            f"{row.rate / 1e6:.4f} M",
            ratio,
            *errors,
        )
    first, second = fine["condyle"], fine["exudyn"]
    if not first.answer.absent and not second.answer.absent:
        both = (f"{apart(first, second, name):.2e}" for name in ("", "y_mid"))
        table.add_row("the two converged runs, from each other", "", "", "", "", *both)
    return table


def package(row: Row) -> str:
    """The package that answered."""
    return row.answer.version.split()[0]


def variants_table(rows: list[Row]) -> Table:
    """Peaks and places, each variant's two programs side by side."""
    table = Table(title="Three slider-cranks with joints at 1e-5 s", title_justify="left")
    for heading in ("", "peak force [N]", "at [s]", "differs", "slider differs [mm]", "middle of rod [mm]"):
        table.add_column(escape(heading), justify="right" if heading else "left")
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        for row in (one, other):
            if row.answer.absent:
                table.add_row(row.answer.peer, "absent", row.answer.absent)
                continue
            force, when = row.answer.more["peak"]
            cells = [f"{force:.5f}", f"{when:.5f}"]
            if row is other and not one.answer.absent:
                share = abs(force / one.answer.more["peak"][0] - 1.0)
                cells += [f"{share:.4%}", *(f"{1e3 * apart(one, other, name):.1e}" for name in ("", "y_mid"))]
            table.add_row(row.answer.peer, *cells)
    return table


def bars(groups: dict[str, list[Row]], fine: dict[str, Row]) -> list[Bar]:
    """What the project asks: penalty pins 1.5 times Exudyn, implicit no slower at no larger error, the same peaks."""
    return [
        *penalty_bars(groups.get("slider penalty", [])),
        *implicit_bars(groups.get("slider implicit", []), fine),
        *variant_bars(groups.get("slider variants", [])),
    ]


def penalty_bars(rows: list[Row]) -> list[Bar]:
    """Condyle's steps per second over those of each Exudyn row."""
    return [
        (
            f"slider, times {row.answer.peer}",
            rows[0].rate / row.rate,
            ">= 1.5, aim 3",
            rows[0].rate >= 1.5 * row.rate,
        )
        for row in present(rows)
        if package(row) == "exudyn"
    ]


def implicit_bars(rows: list[Row], fine: dict[str, Row]) -> list[Bar]:
    """Condyle's steps per second over Exudyn's, fastest against fastest and every step stored; and their errors."""
    of = {name: [row for row in present(rows) if package(row) == name] for name in fine}
    if not of or not all(of.values()) or any(row.answer.absent for row in fine.values()):
        return []
    ours, theirs = of["condyle"][0], of["exudyn"][0]
    speed, stored = ours.rate / theirs.rate, of["condyle"][-1].rate / of["exudyn"][-1].rate
    share = apart(ours, fine["condyle"], "y_mid") / apart(theirs, fine["exudyn"], "y_mid")
    return [
        ("slider implicit, times Exudyn", speed, ">= 1", speed >= 1.0),
        ("slider implicit, error over Exudyn's", share, "<= 1.01", share <= 1.01),
        ("slider implicit, times Exudyn, every step stored", stored, ">= 1", stored >= 1.0),
    ]


def variant_bars(rows: list[Row]) -> list[Bar]:
    """Peaks within 1 %, places within 0.1 mm."""
    found: list[Bar] = []
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        if one.answer.absent or other.answer.absent:
            continue
        name = other.answer.peer
        share = 100.0 * abs(one.answer.more["peak"][0] / other.answer.more["peak"][0] - 1.0)
        off = 1e3 * apart(one, other)
        found.append((f"{name}, peak differs [%]", share, "<= 1", share <= 1.0))
        found.append((f"{name}, slider differs [mm]", off, "<= 0.1", off <= 0.1))
    return found


def present(rows: list[Row]) -> list[Row]:
    """Rows that can be compared with the first."""
    return [row for row in rows if not row.answer.absent] if rows and not rows[0].answer.absent else []
