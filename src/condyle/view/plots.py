"""A page of figures with numbers one can read off: what a paper reports beside what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from condyle.view.maps import Map, drawn
from condyle.view.page import escaped, write_page

Verdict = Literal["reproduced", "differs", "not reproduced"]
BADGES = {"reproduced": "good", "differs": "mixed", "not reproduced": "bad"}


class Series(TypedDict):
    """One line: x and y of equal length, NaN where it is broken; `style` "points" draws single points."""

    name: str
    x: ArrayLike
    y: ArrayLike
    style: NotRequired[Literal["line", "points"]]


class Panel(TypedDict):
    """One pair of axes; `equal` gives both the same scale, `note` is a line of text under it."""

    x: str
    y: str
    series: Sequence[Series]
    title: NotRequired[str]
    equal: NotRequired[bool]
    note: NotRequired[str]


class Figure(TypedDict):
    """Panels side by side over what is to be said about them; all texts are plain text.

    paper : what the paper reports. found : what came out, numbers included. verdict : how the two compare.
    caption : anything else. maps : pictures of surfaces beside the panels.
    """

    title: str
    panels: Sequence[Panel]
    maps: NotRequired[Sequence[Map]]
    caption: NotRequired[str]
    paper: NotRequired[str]
    found: NotRequired[str]
    verdict: NotRequired[Verdict]


def figure_page(title: str, intro: str, figures: Sequence[Figure], path: str | PathLike[str]) -> Path:
    """Write one page of figures to `path`, whole or not at all; makes the folder if need be.

    Blank lines part the paragraphs of the intro.
    """
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    fields = {
        "title": escaped(title),
        "intro": "".join(f"<p>{escaped(part)}</p>" for part in intro.split("\n\n") if part.strip()),
        "contents": _contents(figures),
        "figures": "".join(_figure(k, figure) for k, figure in enumerate(figures)),
    }
    data = {"figures": [[_panel(panel) for panel in figure["panels"]] for figure in figures]}
    return write_page(place, "figures.html", ("numbers.js", "charts.js", "figures.js"), fields, data)


def _contents(figures: Sequence[Figure]) -> str:
    items = "".join(
        f'<li><a href="#figure{k}">{escaped(figure["title"])}{_badge(figure)}</a></li>'
        for k, figure in enumerate(figures)
    )
    return f'<nav aria-label="Figures"><ul class="contents">{items}</ul></nav>' if len(figures) > 1 else ""


def _figure(k: int, figure: Figure) -> str:
    told = "".join(
        f"<dt>{label}</dt><dd>{escaped(text)}</dd>"
        for label, text in (("Paper", figure.get("paper", "")), ("Came out", figure.get("found", "")))
        if text
    )
    caption = f"<p>{escaped(figure['caption'])}</p>" if figure.get("caption") else ""
    return (
        f'<figure class="card" id="figure{k}"><h2>{escaped(figure["title"])}{_badge(figure)}</h2>'
        f'<div class="grid" data-figure="{k}">{"".join(map(drawn, figure.get("maps", ())))}</div>'
        f"<figcaption>{caption}{f'<dl>{told}</dl>' if told else ''}</figcaption></figure>"
    )


def _badge(figure: Figure) -> str:
    verdict = figure.get("verdict")
    return f' <span class="badge {BADGES[verdict]}">{verdict}</span>' if verdict else ""


def _panel(panel: Panel) -> Mapping[str, Any]:
    optional = {name: panel[name] for name in ("equal", "note") if name in panel}
    return {
        "title": panel.get("title", ""),
        "y": panel["y"],
        "x": [{"label": panel["x"]}],
        "series": [_series(tone, series) for tone, series in enumerate(panel["series"])],
    } | optional


def _series(tone: int, series: Series) -> Mapping[str, Any]:
    x, y = _numbers(series["x"]), _numbers(series["y"])
    if x.shape != y.shape:
        raise ValueError(f"series {series['name']!r}: {x.size} values of x, {y.size} of y")
    drawn = {"name": series["name"], "tone": tone, "style": series.get("style", "line")}
    return drawn | {"x": {"values": x}, "y": {"values": y}}


def _numbers(values: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(values, dtype=float).reshape(-1)
