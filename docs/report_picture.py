"""Make `_static/report.png`, the picture of a report: `python docs/report_picture.py DIR/report.html`.

Needs a Chromium, as the browser tests do.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parent / "_static" / "report.png"
WIDTH, HEIGHT = 1400, 1212
# Where on the time slider the joint is shown, from 0 to 1: near full extension, where the contact presses hardest.
SHOWN = 0.824
SLIDE = """(slider, part) => {
    slider.value = part * slider.max
    slider.dispatchEvent(new Event('input', {bubbles: true}))
}"""


def main(report: Path) -> None:
    """Open the report, move its time, keep what is seen."""
    with sync_playwright() as playwright:
        program = next(
            filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
        )
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(report.absolute().as_uri())
        page.locator("#time").evaluate(SLIDE, SHOWN)
        page.wait_for_timeout(500)
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
