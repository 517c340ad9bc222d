"""The report of one run: one HTML file with the moving joint, the plots, the summary and the model that made it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from condyle.results.plain import from_json
from condyle.view.charts import sections
from condyle.view.model_text import model_markup
from condyle.view.page import escaped, write_page
from condyle.view.picture import drawn_run, picture, picture_data

if TYPE_CHECKING:
    from condyle.results import Audit, Results, Summary
    from condyle.results.summary import Section

FILE_NAME = "report.html"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def report(results: Results, directory: str | PathLike[str]) -> Path:
    """Write DIR/report.html, whole or not at all, and return its path; makes the folder if need be."""
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    made = picture(results)
    fields = _fields(results) | {"picture": made.markup}
    return write_page(folder / FILE_NAME, "report.html", made.scripts, fields, _data(results), made.library)


def _data(results: Results) -> dict[str, Any]:
    """What the page draws; without a single sample there is nothing."""
    if not results.dataset.sizes.get("time", 0):
        return {"columns": [[]]}
    run = drawn_run(results)
    return picture_data(run) | {"sections": sections(run), "columns": run.columns.thinned()}


def _fields(results: Results) -> dict[str, str]:
    summary, model = results.summary(), results.spec.model
    tables = [section for section in summary.sections() if any(section.columns)]
    versions = _mapping(results.dataset.attrs.get("versions", ""))
    return {
        "title": escaped(summary.title or model.title),
        "description": escaped(model.description).strip(),
        "facts": _facts(summary),
        "status": _status(summary),
        "tables": "".join(map(_section, tables)),
        "audit": _audit(summary.audit),
        "model": model_markup(results.spec.source),
        "overrides": _pairs("Overrides", results.spec.overrides),
        "versions": _pairs(
            "Versions", versions or {"condyle": results.dataset.attrs.get("condyle_version", "")}
        ),
    }


def _facts(summary: Summary) -> str:
    """The run in one line."""
    audit = summary.audit
    parts = [f"{summary.duration:.6g} s simulated", f"{audit.steps:,} steps".replace(",", "\u202f")]
    parts += [f"{audit.rejected_steps} rejected"] if audit.rejected_steps else []
    parts += [
        f"{audit.events} event{'s' if audit.events != 1 else ''}",
        f"{summary.wall_time:.3g} s to compute",
    ]
    return "".join(f"<li>{escaped(part)}</li>" for part in parts)


def _status(summary: Summary) -> str:
    """A loud box for a run that cannot be trusted, a quiet line for one that can, then what else should be known."""
    whole = summary.complete and summary.audit.finished
    good = whole and summary.audit.passed
    head = (
        "Run complete, audit passed"
        if good
        else "Audit failed"
        if whole
        else "This run did not reach its end"
    )
    text = _balance(summary.audit) if whole else summary.status or "The results up to there are shown."
    box = (
        f'<div class="status {"good" if good else "bad"}" role="{"status" if good else "alert"}">'
        f'<span class="mark" aria-hidden="true">{"✓" if good else "!"}</span>'
        f"<p><strong>{head}</strong> <span>{escaped(text)}</span></p></div>"
    )
    warnings = [text for text in summary.warnings if whole or text != summary.status]
    items = "".join(f"<li>{escaped(text)}</li>" for text in warnings)
    return box + (f'<ul class="warnings" aria-label="Warnings">{items}</ul>' if items else "")


def _balance(audit: Audit) -> str:
    if audit.unbalanced is not None:
        return (
            f"Forces open by {_number(audit.unbalanced)} of the largest, allowed {_number(audit.tolerance)}"
        )
    return f"Energy balance open by {_number(audit.relative_residual)}, allowed {_number(audit.tolerance)}"


def _section(section: Section) -> str:
    return _table(
        section.title, section.columns, section.rows, left=[not right for right in section.to_right]
    )


def _audit(audit: Audit) -> str:
    clamped = [
        (f"clamped pull, {name}", f"{_number(time)} s, {_number(audit.clamped_work.get(name, 0.0))} J")
        for name, time in audit.clamped_time.items()
        if time > 0.0
    ]
    rows = [
        ("energy residual", f"{_number(audit.energy_residual)} J"),
        (
            "of the energy exchanged",
            f"{_number(audit.relative_residual)} (allowed {_number(audit.tolerance)})",
        ),
        ("constraint drift", _number(audit.constraint_drift)),
        *(
            (f"deepest penetration, {name}", f"{_number(v * 1e3)} mm")
            for name, v in audit.deepest_penetration.items()
        ),
        *(clamped or [("clamped pull", "none")]),
    ]
    verdict = "passed" if audit.passed else "failed"
    badge = f' <span class="badge {"good" if audit.passed else "bad"}">{verdict}</span>'
    return _table("Audit", ("", ""), rows, badge)


def _table(
    title: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    badge: str = "",
    left: Sequence[bool] = (),
) -> str:
    """A titled table of text; its badge is markup. `left` says which columns hold words."""
    sides = [' class="words"' if words else "" for words in left] or [""] * len(heads)
    head = "".join(
        f'<th scope="col"{side}>{escaped(name)}</th>' for name, side in zip(heads, sides, strict=True)
    )
    body = "".join(f"<tr>{_cells(row, sides)}</tr>" for row in rows)
    thead = f"<thead><tr>{head}</tr></thead>" if any(heads) else ""
    return (
        f'<section class="card c{len(heads)}"><h2>{escaped(title)}{badge}</h2><div class="scroll">'
        f'<table class="{"numbers" if thead else "pairs"}">{thead}<tbody>{body}</tbody></table></div></section>'
    )


def _cells(row: Sequence[str], sides: Sequence[str]) -> str:
    first = f'<th scope="row">{escaped(row[0])}</th>'
    rest = zip(row[1:], sides[1:], strict=True)
    return first + "".join(f"<td{side}>{escaped(_minus(entry))}</td>" for entry, side in rest)


def _minus(text: str) -> str:
    """A dash for what is missing, a real minus before a number."""
    if text == "-":
        return "–"
    return "−" + text[1:] if text[:1] == "-" and text[1:2].isdigit() else text


def _pairs(title: str, values: Mapping[str, object]) -> str:
    """A small table of names and values; nothing where there are none."""
    rows = [(str(name), str(value)) for name, value in values.items() if str(value)]
    return _table(title, ("", ""), rows) if rows else ""


def _mapping(text: object) -> Mapping[str, object]:
    """A mapping kept as JSON; empty where it is not one."""
    if isinstance(text, Mapping):
        return text
    try:
        found = from_json(str(text))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _number(value: float) -> str:
    """Three digits, powers of ten as people write them."""
    if not math.isfinite(value):
        return "not a number"
    mantissa, _, exponent = f"{value:.3g}".partition("e")
    text = _minus(mantissa)
    if not exponent:
        return text
    power = f"10{str(int(exponent)).translate(_RAISED)}"
    return text.replace("1", power) if text in ("1", "−1") else f"{text}·{power}"
