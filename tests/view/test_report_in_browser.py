"""The report in a real Chromium: it moves, it answers the mouse and the keys, it calls nobody."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from condyle.view import report
from view.browser import Visit, visiting
from view.synthetic import chain_results, knee_results

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TIBIA = '[data-body="tibia"]'
FLEXION = '[data-measure="flexion"]'
HOSTILE = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked=1">'


def _flexion_at(time: float) -> float:
    flexion = knee_results().dataset["measure_value"].sel(measure="flexion")
    return float(flexion.sel(time=time, method="nearest"))


def _drag_slider(visit: Visit, share: float) -> None:
    """Take the slider's thumb where it is and pull it along."""
    now = float(visit.page.locator("#time").input_value()) / 1000
    visit.page.mouse.move(*visit.centre("#time", 0.02 + 0.96 * now))
    visit.page.mouse.down()
    visit.page.mouse.move(*visit.centre("#time", (now + share) / 2))
    visit.page.mouse.move(*visit.centre("#time", share), steps=4)
    visit.page.mouse.up()
    visit.settle()


def test_dragging_the_slider_moves_the_tibia_the_values_and_the_cursors(
    browser: Browser, knee_page: Path
) -> None:
    with visiting(browser, knee_page) as visit:
        cursor = f"{visit.chart('Flexion')} .cursor"
        before = visit.attribute(TIBIA, "transform"), visit.attribute(cursor, "x1")
        assert visit.number("#now") == 0.0
        assert visit.number(FLEXION) == pytest.approx(54.79, abs=0.01)
        _drag_slider(visit, 0.6)
        time = visit.number("#now")
        assert 0.25 < time < 0.35
        assert visit.number(FLEXION) == pytest.approx(_flexion_at(time), abs=0.006)
        assert visit.attribute(TIBIA, "transform") != before[0]
        assert visit.attribute(cursor, "x1") != before[1]
        assert visit.attribute("#time", "aria-valuetext") == visit.text("#now")
        _drag_slider(visit, 0.1)
        assert visit.number("#now") < 0.1
        assert visit.complaints == []
        assert visit.requests == []


def test_the_tibia_is_drawn_where_it_is(browser: Browser, knee_page: Path) -> None:
    """The body's matrix turns with the angle, y up, and the ligaments' ends follow."""
    with visiting(browser, knee_page) as visit:
        numbers = [float(part) for part in re.findall(r"-?[0-9.e-]+", visit.attribute(TIBIA, "transform"))]
        assert np.rad2deg(np.arctan2(-numbers[1], numbers[0])) == pytest.approx(35.21)
        assert numbers[3] < 0.0
        # The insertion of the ACL, through the tibia's matrix and as it is drawn.
        x, y = 213.0, -9.0
        line = '[data-ligament="ACL"] .ligament'
        assert float(visit.attribute(line, "x2")) == pytest.approx(
            numbers[0] * x + numbers[2] * y + numbers[4], abs=0.5
        )
        assert float(visit.attribute(line, "y2")) == pytest.approx(
            numbers[1] * x + numbers[3] * y + numbers[5], abs=0.5
        )


def test_play_goes_on_and_pause_stops(browser: Browser, knee_page: Path) -> None:
    with visiting(browser, knee_page) as visit:
        visit.page.click("#play")
        assert visit.attribute("#play", "aria-label") == "Pause"
        visit.until(lambda: visit.number("#now") > 0.02)
        visit.page.click("#play")
        visit.settle()
        stopped, pose = visit.text("#now"), visit.attribute(TIBIA, "transform")
        visit.page.wait_for_timeout(200)
        assert visit.text("#now") == stopped
        assert visit.attribute(TIBIA, "transform") == pose
        assert visit.attribute("#play", "aria-label") == "Play"
        # Faster, to the end, where it stops by itself; then it starts over.
        visit.page.select_option("#speed", "1")
        visit.page.click("#play")
        visit.until(lambda: visit.number("#now") == 0.5 and visit.attribute("#play", "aria-label") == "Play")
        # Slowly, so that a busy machine does not look again only when it has reached the end once more.
        visit.page.select_option("#speed", index=0)
        visit.page.click("#play")
        visit.until(lambda: visit.number("#now") < 0.4)
        assert visit.complaints == []


def test_keys(browser: Browser, knee_page: Path) -> None:
    with visiting(browser, knee_page) as visit:

        def pressed(key: str) -> float:
            visit.page.keyboard.press(key)
            visit.settle()
            return visit.number("#now")

        assert pressed("ArrowRight") == pytest.approx(0.001)
        assert pressed("Shift+ArrowRight") == pytest.approx(0.011)
        assert pressed("ArrowLeft") == pytest.approx(0.010)
        assert pressed("End") == pytest.approx(0.5)
        assert pressed("Home") == 0.0
        visit.page.keyboard.press("Space")
        visit.until(lambda: visit.number("#now") > 0.005)
        visit.page.keyboard.press("Space")
        assert visit.attribute("#play", "aria-label") == "Play"
        # On the button itself the space bar plays once, not twice.
        visit.page.focus("#play")
        visit.page.keyboard.press("Space")
        assert visit.attribute("#play", "aria-label") == "Pause"
        visit.page.keyboard.press("Space")
        # On any other button it does what that button does.
        button = f"{visit.chart('Ligament strain')} .choice button:text('Flexion')"
        visit.page.focus(button)
        visit.page.keyboard.press("Space")
        assert visit.attribute(button, "aria-pressed") == "true"
        assert visit.attribute("#play", "aria-label") == "Play"
        # On the slider the arrows step by samples too.
        visit.page.focus("#time")
        assert pressed("Home") == 0.0
        assert pressed("ArrowUp") == pytest.approx(0.001)


def test_hovering_reads_values(browser: Browser, knee_page: Path) -> None:
    with visiting(browser, knee_page) as visit:
        plot = f"{visit.chart('Flexion')} .plot"
        tip = f"{plot} .tip"
        assert visit.page.locator(tip).is_hidden()
        visit.page.mouse.move(*visit.centre(plot, 0.6, 0.3))
        assert visit.page.locator(tip).is_visible()
        rows = dict(re.findall(r"<th>(?:<svg.*?</svg>)?(.*?)</th><td>(.*?)</td>", visit.page.inner_html(tip)))
        assert float(rows["flexion"]) == pytest.approx(_flexion_at(float(rows["Time [s]"])), abs=0.006)
        assert visit.number("#now") == 0.0
        visit.page.mouse.move(5, 5)
        assert visit.page.locator(tip).is_hidden()


def test_clicking_and_dragging_in_a_plot_sets_the_time(browser: Browser, knee_page: Path) -> None:
    with visiting(browser, knee_page) as visit:
        plot = f"{visit.chart('Contact depth')} .plot"
        visit.page.mouse.click(*visit.centre(plot, 0.5))
        visit.settle()
        clicked = visit.number("#now")
        assert 0.15 < clicked < 0.3
        visit.page.mouse.move(*visit.centre(plot, 0.5))
        visit.page.mouse.down()
        visit.page.mouse.move(*visit.centre(plot, 0.9))
        visit.page.mouse.up()
        visit.settle()
        assert visit.number("#now") > clicked + 0.1


def test_ligaments_against_flexion(browser: Browser, knee_page: Path) -> None:
    with visiting(browser, knee_page) as visit:
        chart = visit.chart("Ligament strain")
        path = visit.attribute(f"{chart} .series", "d")
        visit.page.click(f"{chart} .choice button:text('Flexion')")
        visit.settle()
        assert visit.attribute(f"{chart} .series", "d") != path
        assert visit.attribute(f"{chart} .cursor", "visibility") == "hidden"
        plot = f"{chart} .plot"
        visit.page.mouse.click(*visit.centre(plot, 0.3, 0.4))
        visit.settle()
        assert "Time [s]" in visit.text(f"{plot} .tip")
        assert visit.number("#now") > 0.0


def test_a_series_can_be_hidden_but_not_the_last(browser: Browser, knee_page: Path) -> None:
    with visiting(browser, knee_page) as visit:
        chart = visit.chart("Ligament force")
        shown = visit.page.locator(f"{chart} .series")
        for left in (3, 2, 1, 1):
            visit.page.locator(f'{chart} .legend button[aria-pressed="true"]').first.click()
            assert shown.count() == left


def test_the_frame_can_show_the_whole_model(browser: Browser, knee_page: Path) -> None:
    with visiting(browser, knee_page, reduced_motion="reduce") as visit:

        def scale() -> float:
            return abs(float(visit.attribute(TIBIA, "transform").removeprefix("matrix(").split()[0]))

        joint = scale()
        visit.page.click("[data-frame=whole]")
        visit.until(lambda: scale() < 0.5 * joint)
        visit.page.click("[data-frame=joint]")
        visit.until(lambda: scale() == pytest.approx(joint))


def test_ligaments_show_slack_strain_excess_and_breaking(browser: Browser, tmp_path: Path) -> None:
    results = knee_results()
    results.dataset["ligament_allowed_strain"].values[2] = 0.02
    results.dataset["ligament_broken_time"].values[3] = 0.3
    with visiting(browser, report(results, tmp_path)) as visit:
        states = {name: f'[data-ligament="{name}"]' for name in ("ACL", "PCL", "LCL")}
        assert visit.attribute(states["LCL"], "class") == "slack"
        strain = results.dataset["ligament_strain"].sel(time=0.4, method="nearest")
        _drag_slider(visit, 0.8)
        assert visit.attribute(states["PCL"], "class") == "broken"
        assert visit.attribute(states["LCL"], "class") == "taut"
        assert "rgb" in visit.attribute(f"{states['LCL']} .ligament", "style")
        assert float(strain.sel(ligament="ACL")) > 0.02
        assert visit.attribute(states["ACL"], "class") == "over"
        assert visit.page.locator("#keys .broken").count() == 1
        assert visit.page.locator("#keys .over").count() == 1
        assert visit.complaints == []


def test_the_ball_bounces_without_ligaments_and_measures(browser: Browser, ball_page: Path) -> None:
    with visiting(browser, ball_page) as visit:
        assert visit.page.locator(".group > h2").all_text_contents() == [
            "Contact",
            "Energy",
            "Motion of the bodies",
        ]
        assert visit.page.locator("#ramp").count() == 0
        assert visit.page.locator("#framing").is_hidden()
        # The ground reaches across the picture and is hatched below.
        ground = visit.page.locator("#scene .hatch").bounding_box()
        scene = visit.page.locator("#scene").bounding_box()
        assert ground is not None
        assert scene is not None
        assert ground["width"] >= scene["width"]
        _drag_slider(visit, 0.5)
        assert visit.attribute('[data-body="ball"]', "transform") != ""
        assert visit.complaints == []
        assert visit.requests == []


def test_a_run_that_went_astray_leaves_its_bodies_where_they_were(browser: Browser, tmp_path: Path) -> None:
    results = knee_results()
    for name in ("position", "angle", "ligament_point", "contact_point", "measure_value"):
        results.dataset[name].values[400:] = np.nan
    with visiting(browser, report(results, tmp_path)) as visit:
        _drag_slider(visit, 0.7)
        line = '[data-ligament="ACL"] .ligament'
        before = [float(part) for part in re.findall(r"-?[0-9.e-]+", visit.attribute(TIBIA, "transform"))]
        # Through the last sample that is known, on to one that is not.
        visit.page.keyboard.press("End")
        visit.settle()
        after = [float(part) for part in re.findall(r"-?[0-9.e-]+", visit.attribute(TIBIA, "transform"))]
        assert after == pytest.approx(before)
        assert float(visit.attribute(line, "x1")) > 0.0
        assert visit.text(FLEXION) == "–"
        assert visit.complaints == []


def test_torques_turn(browser: Browser, tmp_path: Path) -> None:
    results = knee_results()
    torque = np.linspace(1.0, -1.0, 501)[:, None]
    turned = replace(results, dataset=results.dataset.assign(load_torque=(("time", "force"), torque)))
    with visiting(browser, report(turned, tmp_path)) as visit:
        counter_clockwise = visit.attribute("[data-torque]", "d")
        assert " 1 0 " in counter_clockwise
        assert "1.000 N m" in visit.text("#readings")
        _drag_slider(visit, 0.5)
        assert visit.attribute("[data-torque]", "visibility") == "hidden"
        _drag_slider(visit, 0.98)
        assert " 1 1 " in visit.attribute("[data-torque]", "d")
        assert visit.complaints == []


def test_many_bodies(browser: Browser, tmp_path: Path) -> None:
    with visiting(browser, report(chain_results(40), tmp_path)) as visit:
        assert visit.page.locator("#scene .body").count() == 40
        assert visit.page.locator("#readings").is_hidden()
        assert visit.complaints == []


def test_strangers_words_are_shown_and_never_run(browser: Browser, tmp_path: Path) -> None:
    results = knee_results(HOSTILE)
    spec = results.spec.updated({"description": HOSTILE})
    spec = replace(spec, source=f"title: {HOSTILE}")
    names = {
        "ligament": [f"{HOSTILE}{k}" for k in range(4)],
        "measure": [HOSTILE],
        "measure_unit": ("measure", [HOSTILE]),
        "force": [HOSTILE],
        "kind": [f"{HOSTILE}{k}" for k in range(7)],
    }
    results = replace(results, spec=spec, dataset=results.dataset.assign_coords(names))
    with visiting(browser, report(results, tmp_path)) as visit:
        visit.page.mouse.move(*visit.centre(".plot"))
        assert visit.text("h1") == HOSTILE
        assert HOSTILE in visit.text("pre")
        assert visit.page.locator("img").count() == 0
        assert visit.evaluate("() => window.hacked") is None
        assert visit.complaints == []
        assert visit.requests == []


def test_nothing_else_runs_and_nothing_is_fetched_even_if_it_got_in(
    browser: Browser, knee_page: Path
) -> None:
    with visiting(browser, knee_page) as visit:
        visit.evaluate(
            """() => {
                const script = document.createElement("script");
                script.textContent = "window.hacked = 1";
                const image = document.createElement("img");
                image.src = "http://127.0.0.1:9/image.png";
                document.body.append(script, image);
            }"""
        )
        fetched = visit.evaluate("() => fetch('http://127.0.0.1:9/').then(() => 'yes', () => 'no')")
        assert fetched == "no"
        assert visit.evaluate("() => window.hacked") is None
        assert len([text for text in visit.complaints if "Content Security Policy" in text]) >= 3


def test_the_record_of_requests_and_complaints_has_ears(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "bad.html"
    page.write_text('<img src="http://127.0.0.1:9/image.png"><script>nowhere()</script>', encoding="utf-8")
    with visiting(browser, page) as visit:
        visit.until(lambda: visit.requests == ["http://127.0.0.1:9/image.png"])
        visit.until(lambda: any("nowhere" in text for text in visit.complaints))


@pytest.mark.parametrize("width", [400, 1000, 1280, 1440])
def test_no_width_needs_scrolling_sideways(browser: Browser, knee_page: Path, width: int) -> None:
    with visiting(browser, knee_page, width, 800) as visit:
        assert visit.evaluate("() => document.documentElement.scrollWidth") <= width
        wide = visit.evaluate(
            """() => [...document.querySelectorAll(".chart, #scene, .player")]
                .map((node) => node.getBoundingClientRect()).map((box) => [box.left, box.right])"""
        )
        assert len(wide) == 16
        assert all(left >= 0 and right <= width and right - left > 250 for left, right in wide)
        _drag_slider(visit, 0.5)
        assert 0.2 < visit.number("#now") < 0.3
        assert visit.complaints == []


def test_the_page_is_ready_within_a_second(browser: Browser, knee_page: Path) -> None:
    with visiting(browser, knee_page) as visit:
        # Seconds of a processor on the page's thread, which a busy machine does not change. 0.1 where it was written.
        devtools = visit.page.context.new_cdp_session(visit.page)
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        visit.page.reload()
        visit.settle()
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        spent = {metric["name"]: metric["value"] for metric in metrics}["TaskDuration"]
        assert 0.0 < spent < 1.0


def test_printed_it_is_paper(browser: Browser, knee_page: Path) -> None:
    with visiting(browser, knee_page, color_scheme="dark") as visit:
        dark = visit.evaluate("() => getComputedStyle(document.body).backgroundColor")
        visit.page.emulate_media(media="print")
        white = visit.evaluate("() => getComputedStyle(document.body).backgroundColor")
        assert white == "rgb(255, 255, 255)"
        assert white != dark
        assert visit.page.locator("#play").is_hidden()


def test_controls_have_names_and_charts_too(browser: Browser, knee_page: Path) -> None:
    with visiting(browser, knee_page) as visit:
        nameless = visit.evaluate(
            """() => [...document.querySelectorAll("button, input, select, svg[role=img]")]
                .filter((node) => !(node.ariaLabel || node.textContent.trim() || node.closest("label")))
                .map((node) => node.outerHTML.slice(0, 80))"""
        )
        assert nameless == []


@pytest.mark.parametrize("width", [1440, 420])
def test_names_of_bundles_do_not_lie_on_each_other(browser: Browser, tmp_path: Path, width: int) -> None:
    """Four bundles side by side whose names are longer than they are, at any time of the run."""
    results = knee_results()
    points = results.dataset["ligament_point"].values
    for k in range(3):
        points[:, k] = points[:, 3] + np.array([2e-3 * k - 6e-3, 0.0, 0.0])
    names = [
        f"MCL/{part}"
        for part in ("superficial-anterior", "superficial-posterior", "deep", "oblique-posterior")
    ]
    results = replace(results, dataset=results.dataset.assign_coords(ligament=names))
    with visiting(browser, report(results, tmp_path), width=width) as visit:
        for part in (0.0, 0.25, 0.5, 0.75, 1.0):
            _drag_slider(visit, part)
            boxes = visit.evaluate(
                "() => [...document.querySelectorAll('#scene .layer-text text')]"
                ".filter((text) => text.getAttribute('visibility') !== 'hidden')"
                ".map((text) => text.getBBox()).map(({ x, y, width, height }) => [x, y, width, height])"
            )
            assert len(boxes) >= 2
            for k, (x, y, w, h) in enumerate(boxes):
                for ox, oy, ow, oh in boxes[:k]:
                    apart = x > ox + ow - 1 or ox > x + w - 1 or y > oy + oh - 3 or oy > y + h - 3
                    assert apart, (part, boxes)
        assert visit.complaints == []
