"""The moving picture of a run with its player: planar ones are drawn by the page itself, spatial ones by plotly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from condyle.view.axes import shown_unit
from condyle.view.columns import Columns
from condyle.view.facts import Facts
from condyle.view.page import asset
from condyle.view.run import Run
from condyle.view.scene import scene
from condyle.view.space import space
from condyle.view.vectors import is_spatial

if TYPE_CHECKING:
    from condyle.results import Results

_BEFORE = ("numbers.js", "charts.js", "along.js", "scene.js", "mechanisms.js")
_SPACE = ("solids.js", "space_parts.js", "space.js", "space_controls.js")
_AFTER = ("player.js", "report.js")


@dataclass(frozen=True)
class Picture:
    """What a page needs for the picture: markup, scripts in their order, and the viewer's library, if it takes one."""

    markup: str
    scripts: tuple[str, ...]
    library: str = ""


def picture(results: Results) -> Picture:
    """The picture that fits a run; without a single sample there is none to draw."""
    player = asset("player.html")
    if "orientation" not in results.dataset or not results.dataset.sizes.get("time", 0):
        return Picture(asset("picture.html") + player, (*_BEFORE, *_AFTER))
    from plotly.offline import get_plotlyjs

    return Picture(asset("space.html") + player, (*_BEFORE, *_SPACE, *_AFTER), get_plotlyjs())


def drawn_run(results: Results) -> Run:
    """A run as the page's makers see it."""
    return Run(results.dataset, Columns(results.dataset), Facts(results.spec.model))


def picture_data(run: Run) -> dict[str, Any]:
    """What the picture and the readings under it draw."""
    measures = [
        {"name": name, "unit": shown_unit(run.unit(name)), "at": run.columns.take("measure_value", name)}
        for name in run.labels("measure")
    ]
    return {"scene": space(run) if is_spatial(run) else scene(run), "measures": measures}
