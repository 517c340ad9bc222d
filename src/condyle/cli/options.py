"""The options that several commands share, each written once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from condyle.cli.errors import InputError, Settings

if TYPE_CHECKING:
    from condyle.spec.errors import Problem


def _note_json(context: typer.Context, wanted: bool) -> bool:
    """Let the error handler know that a script is listening."""
    context.ensure_object(Settings).json = wanted
    return wanted


ModelArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME|FILE", help="A built-in model ('condyle models' lists them) or a model file."
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="PATH=VALUE", help="Change one value of the model; may be given many times."
    ),
]
VariantOption = Annotated[
    str | None, typer.Option("--variant", metavar="VARIANT", help="One of the model's variants.")
]
JsonOption = Annotated[
    bool,
    typer.Option(
        "--json", callback=_note_json, is_eager=True, help="Print one JSON document and nothing else."
    ),
]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The folder to write to.")]
ResultsArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run's results.")]


def chosen(name: str, variant: str | None, assignments: list[str] | None) -> Any:
    """The spec of a model by name or file, with a variant and then single values changed."""
    from condyle.model.spec import load
    from condyle.spec.errors import SpecError

    spec = load(name, variant=variant)
    if not assignments:
        return spec
    try:
        return spec.updated(dict(_assignment(text) for text in assignments))
    except SpecError as error:
        raise SpecError([replace(problem, message=_advised(problem)) for problem in error.problems]) from None


def _advised(problem: Problem) -> str:
    """What is wrong, with the second change that the first one needs."""
    if not problem.kind:
        return problem.message
    around = problem.path.rpartition(".")[0]
    return f"{problem.message}; choose one of those as well, such as --set {around}.kind={problem.kind}"


def _assignment(text: str) -> tuple[str, str]:
    """`path=value` taken apart; the spec reads the value as in a model file."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        raise InputError(f"--set {text}: expected PATH=VALUE, such as --set forces.pulse.amplitude=150")
    return path.strip(), value
