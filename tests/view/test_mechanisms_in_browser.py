"""A mechanism's report in a real Chromium: beams bend, springs stretch, forces come and go."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from condyle.view import report
from view.browser import Visit, visiting
from view.synthetic import knee_results, mechanism_results

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked=1">'


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the crank with a beam on it."""
    return report(mechanism_results(), tmp_path_factory.mktemp("mechanism"))


def _go(visit: Visit, share: float) -> None:
    visit.evaluate(
        f"""() => {{
            const slider = document.getElementById("time");
            slider.value = {1000 * share};
            slider.dispatchEvent(new Event("input"));
        }}"""
    )
    visit.settle()


def _numbers(text: str) -> list[float]:
    return [float(part) for part in re.findall(r"-?[0-9]+(?:\.[0-9]+)?", text)]


def _pixels(visit: Visit, x: float, y: float) -> tuple[float, float]:
    """Where a place in the plane is drawn; the crank's body has its matrix."""
    a, b, c, d, e, f = _numbers(visit.attribute('[data-body="ground"]', "transform"))
    return 1e3 * (a * x + c * y) + e, 1e3 * (b * x + d * y) + f


def test_the_beam_is_drawn_through_its_stations_and_bends(browser: Browser, page: Path) -> None:
    data = mechanism_results().dataset["beam_position"].sel(beam="rod")
    with visiting(browser, page) as visit:
        for share, at in ((0.0, 0), (0.25, 10)):
            _go(visit, share)
            whole = _numbers(visit.attribute('[data-beam="rod"] .casing', "d"))
            # A start and three points for each of the four parts; every third pair is a station.
            drawn = np.reshape(whole, (-1, 2))[::3]
            expected = [_pixels(visit, x, y) for x, y, _ in data.values[at]]
            np.testing.assert_allclose(drawn, expected, atol=0.11)
        assert visit.page.locator('[data-beam="rod"] .part').count() == 4
        assert visit.complaints == []


def test_the_beam_is_coloured_along_its_length(browser: Browser, page: Path) -> None:
    with visiting(browser, page) as visit:

        def colours() -> list[str]:
            styles = [
                part.get_attribute("style") or ""
                for part in visit.page.locator('[data-beam="rod"] .part').all()
            ]
            return [re.sub(r".*stroke: (rgb\([^)]*\)).*", r"\1", style) for style in styles]

        assert len(set(colours())) == 1
        _go(visit, 0.25)
        first, second, third, fourth = colours()
        assert first == fourth
        assert second == third
        assert first != second
        assert "Strain of beams 0" in visit.text("#keys")
        assert "2 %" in visit.text("#keys")
        assert visit.page.locator("#beam-ramp").count() == 1


def test_springs_stretch_between_their_ends_and_wind(browser: Browser, page: Path) -> None:
    with visiting(browser, page) as visit:
        before = visit.attribute('[data-spring="coil"] .coil', "d")
        _go(visit, 0.5)
        path = np.reshape(_numbers(visit.attribute('[data-spring="buffer"] .coil', "d")), (-1, 2))
        np.testing.assert_allclose(path[0], _pixels(visit, 0.0, 0.0), atol=0.11)
        end = _pixels(visit, 0.1 * np.cos(0.5), 0.1 * np.sin(0.5))
        np.testing.assert_allclose(path[-1], end, atol=0.11)
        assert len(path) >= 10
        assert visit.attribute('[data-spring="coil"] .coil', "d") != before


def test_joint_forces_are_arrows_that_can_be_put_away(browser: Browser, page: Path) -> None:
    with visiting(browser, page) as visit:
        arrow = visit.page.locator('[data-reaction="pin"]')
        assert arrow.get_attribute("visibility") == "hidden"
        _go(visit, 0.25)
        assert arrow.get_attribute("visibility") == "visible"
        # Three along x and four along y: it points up by 53 degrees.
        turn = _numbers((arrow.get_attribute("transform") or "").split("rotate")[1])[0]
        assert turn == pytest.approx(-np.rad2deg(np.arctan2(4.0, 3.0)))
        assert "joint force" in visit.text("#keys")
        assert arrow.is_visible()
        visit.page.click("#reactions")
        assert not arrow.is_visible()
        assert visit.attribute("#reactions", "aria-pressed") == "false"
        assert "joint force" not in visit.text("#keys")
        visit.page.click("#reactions")
        assert arrow.is_visible()


def test_marks_names_and_readings(browser: Browser, page: Path) -> None:
    with visiting(browser, page) as visit:
        _go(visit, 0.25)
        assert visit.page.locator('[data-joint="pin"] .revolute circle').count() == 1
        # The rails of the guide run along its line, which is upright.
        turned = visit.attribute('[data-joint="guide"] .translational', "transform").split("rotate")[1]
        assert _numbers(turned)[0] == pytest.approx(-90.0, abs=1e-3)
        names = visit.page.locator("#scene .name").all_text_contents()
        assert names == ["pin", "guide"]
        text = visit.text("#readings")
        for words in ("5.000 N", "−0.5000 N m", "1.500 N m", "110.0 mm", "0.5000 N", "14.32°", "2.000 %"):
            assert words in text, (words, text)
        assert visit.attribute("[data-driver]", "visibility") == "visible"
        assert " 0 0 " in visit.attribute("[data-driver]", "d") or " 1 0 " in visit.attribute(
            "[data-driver]", "d"
        )


def test_what_runs_along_the_beam_follows_the_time(browser: Browser, page: Path) -> None:
    with visiting(browser, page) as visit:
        chart = visit.chart("Bending moment along the beams")
        visit.page.locator(chart).scroll_into_view_if_needed()
        visit.settle()
        before = visit.attribute(f"{chart} .series", "d")
        band = visit.attribute(f"{chart} .band", "d")
        _go(visit, 0.25)
        visit.until(lambda: visit.attribute(f"{chart} .series", "d") != before)
        assert visit.attribute(f"{chart} .band", "d") == band
        drawn = np.reshape(_numbers(visit.attribute(f"{chart} .series", "d")), (-1, 2))
        # The moment is largest in the middle, downwards.
        assert int(np.argmax(drawn[:, 1])) == 2
        # A press on it does not change the time.
        visit.page.mouse.click(*visit.centre(f"{chart} .plot", 0.8))
        visit.settle()
        assert visit.number("#now") == 0.25
        assert "Along the beam" in visit.text(f"{chart} .tip")
        assert visit.complaints == []


def test_parts_of_joint_forces_on_demand(browser: Browser, page: Path) -> None:
    with visiting(browser, page) as visit:
        chart = visit.chart("Joint forces")
        path = visit.attribute(f"{chart} .series", "d")
        visit.page.click(f"{chart} .choice button:text-is('y')")
        visit.settle()
        assert visit.attribute(f"{chart} .series", "d") != path
        labels = visit.page.locator(f"{chart} .plot .label").all_text_contents()
        assert labels == ["Force along y [N]", "Time [s]"]
        # Time stays the axis, so that the cursor does.
        assert visit.attribute(f"{chart} .cursor", "visibility") == "visible"


def test_a_knee_has_neither_switch_nor_colours_of_beams(browser: Browser, tmp_path: Path) -> None:
    with visiting(browser, report(knee_results(), tmp_path)) as visit:
        assert visit.page.locator("#reactions").is_hidden()
        assert visit.page.locator("#beam-ramp").count() == 0
        assert visit.complaints == []


def test_strangers_names_are_shown_and_never_run(browser: Browser, tmp_path: Path) -> None:
    results = mechanism_results()
    names = {"beam": [HOSTILE, "b"], "spring": [HOSTILE, "s"]}
    object.__setattr__(results, "dataset", results.dataset.assign_coords(names))
    with visiting(browser, report(results, tmp_path)) as visit:
        visit.page.mouse.move(*visit.centre(visit.chart("Axial force along the beams") + " .plot"))
        assert HOSTILE in visit.text("#readings")
        assert visit.page.locator("img").count() == 0
        assert visit.evaluate("() => window.hacked") is None
        assert visit.complaints == []


def test_the_picture_stays_where_numbers_cease(browser: Browser, tmp_path: Path) -> None:
    results = mechanism_results()
    for name in (
        "position",
        "angle",
        "joint_force",
        "joint_point",
        "spring_point",
        "beam_position",
        "driver_effort",
    ):
        results.dataset[name].values[20:] = np.nan
    with visiting(browser, report(results, tmp_path)) as visit:
        _go(visit, 0.4)
        before = visit.attribute('[data-beam="rod"] .casing', "d")
        _go(visit, 1.0)
        assert visit.attribute('[data-beam="rod"] .casing', "d") == before
        assert visit.complaints == []


@pytest.mark.parametrize("width", [400, 1440])
def test_no_width_needs_scrolling_sideways(browser: Browser, page: Path, width: int) -> None:
    with visiting(browser, page, width, 800) as visit:
        assert visit.evaluate("() => document.documentElement.scrollWidth") <= width
