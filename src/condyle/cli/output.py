"""What the terminal shows: tables for people, one JSON document for scripts, lines on stderr for what went wrong."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

import typer

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from condyle.results.summary import Section, Summary


def say(message: str) -> None:
    """One line on stderr."""
    typer.echo(f"condyle: {message}", err=True)


def show_json(document: object) -> None:
    """The one JSON document of a command; NaN becomes null."""
    from condyle.results.plain import json_text

    typer.echo(json_text(document, indent=2))


def show_summary(summary: Summary) -> None:
    """Tables in colour on a terminal, plain text elsewhere."""
    if not sys.stdout.isatty():
        typer.echo(summary)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console()
    console.print(Text(summary.title, style="bold"))
    for section in summary.sections():
        console.print()
        console.print(_rich_table(section))
    if summary.warnings:
        console.print()
    for warning in summary.warnings:
        console.print(Text(f"! {warning}", style="yellow"))


def _rich_table(section: Section) -> Table:
    from rich.table import Table
    from rich.text import Text

    heads = any(section.columns)
    table = Table(box=None, show_header=heads, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold cyan")
    # In a narrow window heads and numbers break into lines; names stay whole, or rows could not be told apart.
    for number, (name, to_right) in enumerate(zip(section.columns, section.to_right, strict=True)):
        justify: Literal["left", "right"] = "right" if to_right else "left"
        table.add_column(Text(name), justify=justify, overflow="fold", no_wrap=number == 0)
    for row in section.rows:
        table.add_row(*(_entry(text) for text in row))
    return table


def _entry(text: str) -> Text:
    """Text as it is, not read as markup; a failed verdict and a ligament in danger stand out."""
    from rich.text import Text

    style = "bold red" if text.startswith(("FAILED", "broke", "past")) else ""
    return Text(text, style=style)
