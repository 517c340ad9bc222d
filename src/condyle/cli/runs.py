"""Commands that compute: run a model, reproduce a paper."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from condyle.cli.errors import RUN_FAILED, InputError
from condyle.cli.interrupts import heard_interrupts
from condyle.cli.models import unknown
from condyle.cli.options import JsonOption, ModelArgument, OutOption, SetOption, VariantOption, chosen
from condyle.cli.output import say, show_json, show_summary
from condyle.cli.places import check_folder
from condyle.reproduce import PAPERS

if TYPE_CHECKING:
    from condyle.results import Results

REPORT = "report.html"
# A budget that no run exceeds.
MOST_STEPS = 10**15
# A paper's module is named by author and year; what else is in that room helps them.
PAPER = re.compile(r"[a-z_]+_[0-9]{4}[a-z]?")


def run(
    model: ModelArgument,
    changes: SetOption = None,
    variant: VariantOption = None,
    out: OutOption = None,
    with_report: Annotated[bool, typer.Option("--report/--no-report", help="Write the report, too.")] = True,
    force: Annotated[bool, typer.Option("--force", "--yes", help="Run even if it takes many steps.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run a model; write results and report, by default to NAME-results here.

    Ctrl-C stops a run; what it had until then is kept, marked incomplete, and the exit status is 1.

    For example:

    - `condyle run planar-knee`
    - `condyle run planar-knee --set forces.pulse.amplitude=150 --out strong`
    - `condyle run my-knee.yaml --variant lankarani --set contacts.tibiofemoral.law.restitution=0.5 --json`
    """
    spec = chosen(model, variant, changes)
    directory = out or Path(f"{spec.name}-results")
    check_folder(directory)
    spec = _within_budget(spec, force)
    results = _simulated(spec)
    written = _kept(results, directory, with_report)
    passed = results.complete and results.audit.passed
    if as_json:
        files = {path.stem: str(path) for path in written}
        show_json(
            results.summary().as_dict() | {"passed": passed, "directory": str(directory), "files": files}
        )
    else:
        show_summary(results.summary())
        typer.echo("\n" + "\n".join(f"{path.stem:8} {path}" for path in written))
    if not passed:
        reason = "the audit failed; do not trust these numbers" if results.complete else results.status
        say(f"{spec.name}: {reason}")
        raise typer.Exit(RUN_FAILED)


def _simulated(spec: Any) -> Results:
    """Run with a bar; what was done before Ctrl-C is kept."""
    from condyle.results.simulation import Interrupted, simulate

    try:
        with _interruptible(spec.name) as progress:
            return simulate(spec, progress)
    except Interrupted as stop:
        return stop.results


@contextmanager
def _interruptible(name: str) -> Iterator[Callable[[float], None]]:
    """What tells how far work is, with a bar; Ctrl-C is obeyed each time it tells, so that nothing done is lost."""
    from condyle.results.progress import bar

    with heard_interrupts() as obey, bar(name) as told:

        def progress(fraction: float) -> None:
            obey()
            if told is not None:
                told(fraction)

        yield progress


def on_terminal() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _within_budget(spec: Any, force: bool) -> Any:
    """Ask before a run of very many steps; where nobody can answer, name the flag. What was allowed has no budget."""
    settings = spec.model.run
    steps, budget, chosen_steps = settings.steps(), settings.step_budget, not settings.is_fixed_step()
    if steps > budget and not force:
        least = "at least " if chosen_steps else ""
        told = f"{spec.name} takes {least}{steps:.3g} steps, more than its budget of {budget:.3g} (run.step_budget)"
        if not on_terminal():
            raise InputError(f"{told}; --force runs it all the same")
        if not typer.confirm(f"{told}. Run it?", err=True):
            raise InputError("not run")
        force = True
    # Only methods that choose their steps can exceed it on the way.
    return spec.updated({"run.step_budget": MOST_STEPS}) if force and chosen_steps else spec


def _kept(results: Results, directory: Path, with_report: bool) -> list[Path]:
    """Results and report written, taking the place of an earlier run's when both are whole.

    A report that cannot be made does not cost the results; one of an earlier run does not stay beside new numbers.
    """
    from condyle.results.files import filling
    from condyle.view import report as write_report

    failure: BaseException | None = None
    with filling(directory) as part:
        written = [results.save(part)]
        try:
            written += [write_report(results, part)] if with_report else []
        except BaseException as error:  # noqa: BLE001  also Ctrl-C; raised again below
            failure = error
    if len(written) == 1:
        (directory / REPORT).unlink(missing_ok=True)
    if failure is not None:
        raise failure
    return [directory / path.name for path in written]


def wear(
    model: ModelArgument,
    blocks: Annotated[
        int, typer.Option("--blocks", metavar="N", min=1, help="In how many the cycles are parted.")
    ] = 5,
    changes: SetOption = None,
    variant: VariantOption = None,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Wear surfaces down in blocks of cycles; write results and worn surfaces of each, by default to NAME-wear here.

    Each block runs on the surfaces that the last one left. A study that was stopped goes on where it was.

    Example: `condyle wear stanmore-tkr --blocks 10 --out worn`
    """
    from condyle.results.simulation import Interrupted
    from condyle.study.wear import worn

    spec = chosen(model, variant, changes)
    directory = out or Path(f"{spec.name}-wear")
    check_folder(directory)
    try:
        with _interruptible(spec.name) as progress:
            found = worn(spec, blocks, directory, progress)
    except Interrupted:
        say(f"{spec.name}: stopped; the same command goes on from the last whole block")
        raise typer.Exit(RUN_FAILED) from None
    if as_json:
        show_json({"directory": str(directory), "blocks": _worn_rows(found)})
    else:
        _show_worn(found, directory)
    failed = [k for k, results in enumerate(found, 1) if not (results.complete and results.audit.passed)]
    for k in failed:
        say(
            f"block {k}: {found[k - 1].status if not found[k - 1].complete else 'the audit failed; do not trust it'}"
        )
    if failed:
        raise typer.Exit(RUN_FAILED)


def _worn_rows(found: list[Results]) -> list[dict[str, float]]:
    """What has worn away after each block [m^3], and the deepest that a face lost in it [m]."""
    volume, rows = 0.0, []
    for results in found:
        lost = results.dataset["wear_volume"]
        volume += float(
            lost.sel(contact=[name for name in lost["contact"].values if "/" not in str(name)]).sum()
        )
        rows.append({"volume": volume, "deepest_of_block": float(results.dataset["face_wear"].max())})
    return rows


def _show_worn(found: list[Results], directory: Path) -> None:
    typer.echo("block  volume so far [mm³]  deepest in the block [µm]")
    for k, row in enumerate(_worn_rows(found), 1):
        typer.echo(f"{k:5}  {1e9 * row['volume']:20.2f}  {1e6 * row['deepest_of_block']:25.1f}")
    typer.echo(f"\nworn     {directory / f'block-{len(found)}'}")


def reproduce(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"A paper: {', '.join(sorted(PAPERS))}.")],
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run every case behind a paper's figures and write one page that sets them beside what the paper says.

    Ctrl-C stops at once, without a page; the exit status is 1.

    Example: `condyle reproduce machado-2010`
    """
    import condyle.reproduce as papers

    modules = [module.name for module in pkgutil.iter_modules(papers.__path__)]
    known = [module.replace("_", "-") for module in modules if PAPER.fullmatch(module)]
    if name not in known:
        raise InputError(unknown("reproduced paper", name, known))
    module = importlib.import_module(f"condyle.reproduce.{name.replace('-', '_')}")
    directory = out or Path(f"{name}-reproduced")
    check_folder(directory)
    distrust: tuple[str, ...] = ()
    try:
        with _interruptible(name) as progress:
            page = module.reproduce(directory, progress)
    except papers.UntrustedRunsError as error:
        page, distrust = error.page, error.reasons
    except KeyboardInterrupt:
        say(f"{name}: stopped; no page is written")
        raise typer.Exit(RUN_FAILED) from None
    if as_json:
        show_json({"page": str(page)})
    else:
        typer.echo(f"page     {page}")
    for reason in distrust:
        say(f"do not trust this page; {reason}")
    if distrust:
        raise typer.Exit(RUN_FAILED)
