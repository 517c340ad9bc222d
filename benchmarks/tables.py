"""The printed tables and the JSON file."""

from __future__ import annotations

import json
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.harness import Row
from benchmarks.start import Wait


def rows_table(title: str, rows: list[Row], unit: str) -> Table:
    """Speeds with the first row, Condyle, as the measure: ratio = its steps per second over the row's."""
    table = Table(title=title, title_justify="left")
    table.add_column("", no_wrap=False)
    for heading in ("wall s", "best", "CPU s", "spread", "steps/s", "Condyle is", f"differs [{unit}]"):
        table.add_column(escape(heading), justify="right")
    first = rows[0]
    for row in rows:
        if row.answer.absent:
            table.add_row(row.answer.peer, "absent", "", "", "", "", "", row.answer.absent)
            continue
        ratio = "" if row is first else f"{first.rate / row.rate:.3g} x"
        speed = f"{row.rate / 1e6:.3f} M"
        differs = "" if row is first else f"{row.apart(first):.1e}"
        table.add_row(
            row.answer.peer,
            f"{row.wall:.4f}",
            f"{row.best:.4f}",
            f"{row.typical:.4f}",
            f"{row.spread:.0%}",
            speed,
            ratio,
            differs,
        )
    return table


def waits_table(waits: list[Wait]) -> Table:
    """What a person waits for, beside what is asked."""
    table = Table(title="Waiting", title_justify="left")
    for heading in ("", "s", "bar", ""):
        table.add_column(heading, justify="left" if not heading else "right")
    for wait in waits:
        word = wait.absent or ("met" if wait.seconds <= wait.bar else "missed")
        table.add_row(wait.name, f"{wait.seconds:.2f}", f"{wait.bar:g}", word)
    return table


def bars_table(bars: list[tuple[str, float, str, bool]]) -> Table:
    """Each bar: what, measured, asked, met."""
    table = Table(title="Bars", title_justify="left")
    for heading in ("", "measured", "asked", ""):
        table.add_column(heading, justify="left" if not heading else "right")
    for name, value, asked, met in bars:
        table.add_row(escape(name), f"{value:.3g}", asked, "met" if met else "missed")
    return table


def as_json(groups: dict[str, list[Row]], waits: list[Wait]) -> dict[str, Any]:
    """Everything measured; the curves are left out."""
    first = {name: rows[0] for name, rows in groups.items()}
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": platform.processor() or platform.machine(),
        "runs": {
            name: [
                {
                    "peer": row.answer.peer,
                    "version": row.answer.version,
                    "absent": row.answer.absent,
                    "wall_seconds": row.times.wall,
                    "processor_seconds": row.times.processor,
                    "steps": row.steps,
                    "steps_per_second": None if row.answer.absent else row.rate,
                    "condyle_ratio": None if row.answer.absent else first[name].rate / row.rate,
                    "largest_difference": None if row.answer.absent else row.apart(first[name]),
                }
                for row in rows
            ]
            for name, rows in groups.items()
        },
        "waits": [{"name": w.name, "seconds": w.seconds, "bar": w.bar, "absent": w.absent} for w in waits],
    }


def write(path: Path, content: dict[str, Any]) -> None:
    """JSON, with NaN as null."""
    path.parent.mkdir(parents=True, exist_ok=True)
    clean = json.loads(json.dumps(content), parse_constant=lambda _: None)
    path.write_text(json.dumps(clean, indent=2) + "\n", encoding="utf-8")


def console() -> Console:
    """Wide enough for the tables where there is no terminal."""
    shown = Console()
    return shown if shown.is_terminal else Console(width=140)
