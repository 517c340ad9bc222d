"""Commands about models: list, show, copy, check, and the schema of their files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from condyle.cli.errors import InputError
from condyle.cli.options import JsonOption, ModelArgument, SetOption, VariantOption, chosen
from condyle.cli.output import show_json
from condyle.cli.places import check_file


def models(as_json: JsonOption = False) -> None:
    """List the built-in models.

    Example: `condyle models`
    """
    from condyle.model.spec import builtin_models

    titles = builtin_models()
    if as_json:
        show_json({"models": [{"name": name, "title": title} for name, title in titles.items()]})
        return
    width = max(map(len, titles), default=0)
    for name, title in titles.items():
        typer.echo(f"{name:{width}}  {title}")


def show(
    model: ModelArgument,
    variant: VariantOption = None,
    changes: SetOption = None,
    as_yaml: Annotated[bool, typer.Option("--yaml", help="Print the effective model file instead.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Say what a model consists of.

    For example:

    - `condyle show planar-knee`
    - `condyle show my-knee.yaml --yaml`
    """
    spec = chosen(model, variant, changes)
    if as_json:
        show_json({"name": spec.name, "model": spec.model.model_dump(mode="json", by_alias=True)})
    else:
        typer.echo((spec.to_yaml() if as_yaml else str(spec)).rstrip("\n"))


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A built-in model.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write an editable copy of a built-in model, comments included.

    Example: `condyle new planar-knee my-knee.yaml`
    """
    from condyle.model.spec import builtin_models, load
    from condyle.results.files import write_text

    known = builtin_models()
    if name not in known:
        raise InputError(unknown("model", name, known))
    if file.is_dir():
        raise InputError(f"{file}: a folder; name the file to write, such as {file / (name + '.yaml')}")
    if file.exists() and not force:
        raise InputError(f"{file}: exists already; --force replaces it")
    check_file(file)
    write_text(file, load(name).source)
    if as_json:
        show_json({"file": str(file)})
    else:
        typer.echo(f"wrote {file}; edit it, then: condyle run {file}")


def check(
    model: ModelArgument,
    variant: VariantOption = None,
    changes: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a model file: every mistake with its place, or that it is fine.

    Outlines and contacts are built as for a run, so what is fine will also start. A contact that starts deep is told.

    Example: `condyle check my-knee.yaml`
    """
    from condyle.model.compiled import compiled
    from condyle.model.starts import pressed_at_start

    spec = chosen(model, variant, changes)
    compiled(spec)
    notes = pressed_at_start(spec)
    if as_json:
        show_json({"status": 0, "name": spec.name, "problems": [], "notes": notes})
        return
    typer.echo(f"{spec.name}: fine" + (", but" if notes else ""))
    for note in notes:
        typer.echo(f"  {note}")


def schema(
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write to a file instead.")
    ] = None,
) -> None:
    """Print the JSON Schema of model files, from which editors complete and check them.

    Example: `condyle schema --out condyle.schema.json`
    """
    from condyle.model.schema import schema as model_schema
    from condyle.results.files import write_text
    from condyle.results.plain import json_text

    text = json_text(model_schema(), indent=2) + "\n"
    if out is None:
        typer.echo(text, nl=False)
    else:
        if out.is_dir():
            raise InputError(
                f"{out}: a folder; name the file to write, such as {out / 'condyle.schema.json'}"
            )
        check_file(out)
        typer.echo(f"wrote {write_text(out, text)}")


def version(as_json: JsonOption = False) -> None:
    """Say which version this is, and on what it runs.

    Example: `condyle version`
    """
    from condyle.results.results import versions

    found = versions()
    if as_json:
        show_json(found)
    else:
        typer.echo("\n".join(f"{name} {number}" for name, number in found.items()))


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """A sentence about a name that does not exist, with the nearest that does."""
    from condyle.spec.errors import did_you_mean

    names = sorted(known)
    hint = did_you_mean(name, names) or f"; there are: {', '.join(names) or 'none'}"
    return f"no {kind} {name!r}{hint}"
