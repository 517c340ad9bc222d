"""The spatial picture in a real Chromium, drawn without a graphics card: it moves, answers, calls nobody."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from condyle.view import report, viewer
from view.browser import Visit, visiting
from view.spatial import MODEL, rolling_results

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked=1">'
SCENE, EYE = "#space", "() => document.getElementById('space').layout.scene.camera.eye"
Pixels = NDArray[np.uint8]


def _drawn(visit: Visit, sample: int = 0) -> None:
    """Wait until the picture shows a sample."""
    visit.until(lambda: visit.attribute(SCENE, "data-sample") == str(sample), 60.0)
    visit.settle()


def _changed(before: Pixels, after: Pixels) -> float:
    """Share of the picture that looks otherwise; a shot may have a row more or less, by where it stands."""
    rows = min(len(before), len(after))
    before, after = before[:rows], after[:rows]
    return float((np.abs(after.astype(int) - before.astype(int)).max(axis=2) > 24).mean())


def _coloured(pixels: Pixels, low: tuple[int, int, int], high: tuple[int, int, int]) -> int:
    """Pixels within a range of colours."""
    return int(((pixels >= low) & (pixels <= high)).all(axis=2).sum())


def test_the_picture_is_there_moves_with_the_slider_and_calls_nobody(
    space_browser: Browser, rolling_page: Path
) -> None:
    with visiting(space_browser, rolling_page, 900, 700) as visit:
        _drawn(visit)
        first = visit.pixels(SCENE)
        # Not blank: shades of the solids, the orange of contact forces, the red of the path.
        assert len(np.unique(first.reshape(-1, 3) // 8, axis=0)) > 100
        assert _coloured(first, (170, 60, 0), (255, 160, 90)) > 50
        assert _coloured(first, (150, 0, 30), (215, 60, 100)) > 50
        # Drawn about the middle, with room around.
        solid = np.argwhere(np.abs(first.astype(int) - first[2, 2]).max(axis=2) > 24)
        low, high = solid.min(axis=0) / first.shape[:2], solid.max(axis=0) / first.shape[:2]
        assert (high - low > 0.4).all()
        visit.page.mouse.click(*visit.centre("#time", 0.26))
        visit.until(lambda: visit.number("#now") > 0.2)
        _drawn(visit, round(visit.number("#now") * 80))
        second = visit.pixels(SCENE)
        assert 0.02 < _changed(first, second) < 0.9
        assert visit.number("#readings tr:nth-child(3) td:last-child") > 500.0
        visit.page.keyboard.press("Home")
        _drawn(visit)
        assert _changed(first, visit.pixels(SCENE)) < 0.002
        assert visit.real_complaints() == []
        assert visit.requests == []


def test_colours_tell_pressure_or_wear_and_surfaces_are_seen_through_or_hidden(
    space_browser: Browser, rolling_page: Path
) -> None:
    with visiting(space_browser, rolling_page, 900, 700) as visit:
        _drawn(visit)
        assert visit.text("#ramp p").startswith("Pressure [MPa]")
        pressure = visit.pixels(SCENE)
        visit.page.click("#fields button:nth-child(2)")
        visit.page.wait_for_timeout(1500)
        worn = visit.pixels(SCENE)
        assert visit.text("#ramp p").startswith("Worn depth [mm]")
        assert 0.002 < _changed(pressure, worn) < 0.2
        ball = '[data-surface="ball"]'
        assert visit.attribute(ball, "data-look") == "through"
        visit.page.click(ball)
        visit.page.wait_for_timeout(1500)
        hidden = visit.pixels(SCENE)
        assert visit.attribute(ball, "data-look") == "hidden"
        visit.page.click(ball)
        visit.page.wait_for_timeout(1500)
        solid = visit.pixels(SCENE)
        assert _changed(hidden, solid) > _changed(hidden, worn) > 0.0
        assert visit.real_complaints() == []


def test_the_view_turns_also_while_it_plays_and_goes_to_the_axes(
    space_browser: Browser, rolling_page: Path
) -> None:
    with visiting(space_browser, rolling_page, 900, 700) as visit:
        _drawn(visit)
        start: dict[str, float] = visit.evaluate(EYE)
        visit.page.click("#play")
        x, y = visit.centre(SCENE)
        visit.page.mouse.move(x, y)
        visit.page.mouse.down()
        for step in range(6):
            visit.page.mouse.move(x + 15 * step, y)
            visit.page.wait_for_timeout(60)
        visit.page.mouse.up()
        visit.until(lambda: visit.evaluate(EYE) != start)
        turned: dict[str, float] = visit.evaluate(EYE)
        # About the axis that is up, and it stays so while the motion goes on.
        assert turned["z"] == pytest.approx(start["z"])
        assert turned["x"] != pytest.approx(start["x"], abs=0.05)
        before = visit.attribute(SCENE, "data-sample")
        visit.until(lambda: visit.attribute(SCENE, "data-sample") != before)
        assert visit.evaluate(EYE)["x"] == pytest.approx(turned["x"])
        visit.page.click("#play")
        visit.page.click("#views button:nth-child(3)")
        visit.until(lambda: visit.evaluate(EYE)["z"] > 1.5)
        assert visit.real_complaints() == []


def test_what_lies_under_the_pointer_is_told(space_browser: Browser, rolling_page: Path) -> None:
    with visiting(space_browser, rolling_page, 900, 700) as visit:
        _drawn(visit)
        visit.page.click('[data-surface="ball"]')
        visit.page.click("#fields button:nth-child(2)")
        visit.page.wait_for_timeout(1500)

        def told(across: float, down: float) -> str:
            visit.page.mouse.move(*visit.centre(SCENE, across, down))
            visit.page.wait_for_timeout(400)
            return str(visit.page.locator(f"{SCENE} .tip").inner_text())

        found = [told(0.3 + 0.04 * k, 0.6) for k in range(11)]
        values = [re.fullmatch(r"plate: ([0-9.]+) mm", text) for text in found]
        assert any("plate: untouched" in text for text in found), found
        assert all(float(value[1]) <= 0.401 for value in values if value)
        assert any(values), found
        assert visit.real_complaints() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_has_the_same_picture_beside_its_plots(
    space_browser: Browser, tmp_path: Path, scheme: Any
) -> None:
    path = report(rolling_results(1, fine=8, face_wear=None), tmp_path)
    with visiting(space_browser, path, 1200, 900, color_scheme=scheme) as visit:
        _drawn(visit)
        first = visit.pixels(SCENE)
        corner = first[3, 3].mean()
        assert (corner > 200) == (scheme == "light")
        assert visit.page.locator("#fields").is_hidden()
        # A plot takes the picture along.
        visit.page.mouse.click(*visit.centre(f"{visit.chart('Contact forces')} .plot", 0.3, 0.5))
        visit.until(lambda: visit.number("#now") > 0.1)
        _drawn(visit, round(visit.number("#now") * 80))
        assert _changed(first, visit.pixels(SCENE)) > 0.01
        assert visit.real_complaints() == []
        assert visit.requests == []


def test_strangers_words_are_shown_and_never_run(space_browser: Browser, tmp_path: Path) -> None:
    results = rolling_results(fine=6, samples=5)
    names = {
        "surface": [HOSTILE, "plate"],
        "ligament": [HOSTILE, "far"],
        "contact": [f"rolling{HOSTILE}", f"rolling{HOSTILE}/medial", "x/lateral"],
    }
    results.dataset.coords.update(names)
    with visiting(space_browser, viewer(results, tmp_path), 900, 700) as visit:
        _drawn(visit)
        assert HOSTILE in visit.text("#keys")
        assert visit.page.locator("img").count() == 0
        assert visit.evaluate("() => window.hacked") is None
        assert visit.real_complaints() == []
        assert visit.requests == []
    assert HOSTILE not in MODEL
