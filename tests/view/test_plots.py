"""Pages of figures: what is said, what is drawn."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from condyle.view import figure_page
from condyle.view.plots import Figure
from view.browser import visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TIME = np.linspace(0.0, 1.0, 101)
FIGURES: list[Figure] = [
    {
        "title": "Figure 1: <i>waves</i>",
        "verdict": "reproduced",
        "paper": "They are equal.",
        "found": "They differ by 0.1 < 1.",
        "panels": [
            {
                "title": "Waves",
                "x": "Time [s]",
                "y": "Height [m]",
                "note": "Drawn thin over thick.",
                "series": [
                    {"name": "first", "x": TIME, "y": np.sin(TIME)},
                    {"name": "second", "x": TIME[::10], "y": np.sin(TIME[::10]), "style": "points"},
                ],
            },
            {
                "x": "x [mm]",
                "y": "y [mm]",
                "equal": True,
                "series": [{"name": "path", "x": [0, 1, 0], "y": [0, 1, np.nan]}],
            },
        ],
    },
    {"title": "Figure 2", "verdict": "not reproduced", "caption": "Why.", "panels": []},
    {"title": "Figure 3", "verdict": "differs", "panels": []},
]


def test_every_figure_has_its_words_and_verdict(tmp_path: Path) -> None:
    path = figure_page("A paper", "One.\n\nTwo <2>.", FIGURES, tmp_path / "sub" / "page.html")
    text = path.read_text(encoding="utf-8")
    assert text.count("<figure") == 3
    assert '<h2>Figure 1: &lt;i&gt;waves&lt;/i&gt; <span class="badge good">reproduced</span></h2>' in text
    assert (
        "<dt>Paper</dt><dd>They are equal.</dd><dt>Came out</dt><dd>They differ by 0.1 &lt; 1.</dd>" in text
    )
    assert "<p>One.</p><p>Two &lt;2&gt;.</p>" in text
    assert 'badge bad">not reproduced' in text
    assert 'badge mixed">differs' in text
    found = re.search(r'id="data">(.*?)</script>', text)
    assert found is not None
    panels = json.loads(found[1])["figures"][0]
    assert panels[1]["series"][0]["y"]["values"] == [0, 1, None]
    assert panels[1]["equal"] is True


def test_series_of_unequal_length_are_refused(tmp_path: Path) -> None:
    wrong: list[Figure] = [
        {"title": "W", "panels": [{"x": "x", "y": "y", "series": [{"name": "s", "x": [1, 2], "y": [1]}]}]}
    ]
    with pytest.raises(ValueError, match="series 's': 2 values of x, 1 of y"):
        figure_page("W", "", wrong, tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_figures_are_drawn_and_can_be_read(browser: Browser, tmp_path: Path) -> None:
    path = figure_page("A paper", "", FIGURES, tmp_path / "page.html")
    with visiting(browser, path) as visit:
        assert visit.page.locator(".chart").count() == 2
        assert visit.page.locator(".points circle").count() == 11
        # Dots are for pages with a time to show.
        assert visit.page.locator(".over circle:not([visibility=hidden])").count() == 0
        plot = f"{visit.chart('Waves')} .plot"
        visit.page.mouse.move(*visit.centre(plot))
        assert "first" in visit.text(f"{plot} .tip")
        assert "second" in visit.text(f"{plot} .tip")
        # Nothing keeps time here: a click only reads.
        visit.page.mouse.click(*visit.centre(plot))
        assert visit.complaints == []
        assert visit.requests == []
