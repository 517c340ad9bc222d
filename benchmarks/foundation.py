"""The elastic foundation: Condyle beside OpenSim, and how its time grows with the meshes."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from benchmarks.harness import Entry, Row
from benchmarks.scaling import plotted
from benchmarks.work import EVALUATIONS, Foundation

Bar = tuple[str, float, str, bool]
SIZES = (2_000, 8_000, 32_000, 128_000, 500_000)
GROWTHS = (("wide", "first"), ("wide", "second"), ("fine", "first"), ("fine", "second"))


def entries(case: Foundation) -> list[Entry]:
    """Condyle first, the sphere integrated; then both sides, flat faces, and OpenSim."""
    task, steps = asdict(case), case.passes * len(case.poses)
    variants: tuple[dict[str, object], ...] = (
        {},
        {"integrate": "both"},
        {"smooth": False},
        {"smooth": False, "integrate": "both"},
    )
    condyle = [Entry("foundation_condyle", {**task, **variant}, steps) for variant in variants]
    return [*condyle, Entry("foundation_opensim", task, steps)]


def growth_entries(quick: bool) -> list[Entry]:
    """Plates of more and more faces."""
    sizes = SIZES[::2] if quick else SIZES
    task = {"repeats": 5}
    return [
        Entry("foundation_growth", {**task, "growth": growth, "integrate": side, "faces": size}, EVALUATIONS)
        for growth, side in GROWTHS
        for size in sizes
    ]


def error(row: Row) -> float:
    """Largest error of the force over all poses, relative to what the row's own law gives without faces."""
    pairs = zip(row.answer.samples, row.answer.more["exact"], strict=True)
    return max(abs(force / exact - 1.0) for force, exact in pairs)


def table(title: str, rows: list[Row]) -> Table:
    """Time of an evaluation and error."""
    found = Table(title=title, title_justify="left")
    for heading in ("", "ms each", "best", "spread", "Condyle is", "largest error"):
        found.add_column(heading, justify="right" if heading else "left")
    for row in rows:
        if row.answer.absent:
            found.add_row(row.answer.peer, "absent", "", "", "", row.answer.absent)
            continue
        ratio = "" if row is rows[0] or rows[0].answer.absent else f"{rows[0].rate / row.rate:.3g} x"
        times = (f"{1e3 / row.rate:.4f}", f"{1e3 * row.best / row.steps:.4f}", f"{row.spread:.0%}")
        found.add_row(row.answer.peer, *times, ratio, f"{error(row):.2%}")
    return found


def growth_table(rows: list[Row]) -> Table:
    """Time of an evaluation over the faces of the plate and over those in contact."""
    found = Table(title="Elastic foundation, one sphere on larger and finer plates", title_justify="left")
    for heading in ("", "faces", "in contact", "us each", "us per face in contact", "memory [MiB]"):
        found.add_column(heading, justify="right" if heading else "left")
    for row in rows:
        if row.answer.absent:
            found.add_row(row.answer.peer, "absent", row.answer.absent)
            continue
        faces, touching, memory = (row.answer.more[name][0] for name in ("faces", "touching", "memory"))
        each = 1e6 / row.rate
        cells = (f"{faces:.0f}", f"{touching:.0f}", f"{each:.1f}", f"{each / touching:.2f}", f"{memory:.0f}")
        found.add_row(row.answer.peer, *cells)
    return found


def draw_growth(rows: list[Row], to: Path) -> str:
    """Write time over faces as PNG, a curve for each kind of plate; returns what to say of it."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if not row.answer.absent:
            point = row.answer.more["faces"][0], 1.0 / row.rate
            curves.setdefault(row.answer.peer, []).append(point)
    if not curves:
        return "no plot: nothing was measured"
    drawn = {
        kind: (tuple(x for x, _ in points), tuple(y for _, y in points)) for kind, points in curves.items()
    }
    words = ("faces of the plate", "time of an evaluation [us]", "The same contact on ever more faces")
    return plotted(drawn, words, to)


def bars(rows: list[Row], growth: list[Row]) -> list[Bar]:
    """What the project asks: under 0.3 ms, five times OpenSim at no larger error, memory under 1 GiB."""
    found: list[Bar] = []
    if rows and not rows[0].answer.absent:
        first = rows[0]
        found.append(("foundation, ms each", 1e3 / first.rate, "<= 0.3", first.rate >= 1e3 / 0.3))
        for row in rows:
            if row.answer.version.startswith("opensim"):
                ratio, share = first.rate / row.rate, error(first) / error(row)
                found.append(("foundation, times OpenSim", ratio, ">= 5", ratio >= 5.0))
                found.append(("foundation, error over OpenSim's", share, "<= 1", share <= 1.0))
    memory = [row.answer.more["memory"][0] for row in growth if not row.answer.absent]
    if memory:
        found.append(("foundation, most memory [MiB]", max(memory), "<= 1024", max(memory) <= 1024.0))
    return found
