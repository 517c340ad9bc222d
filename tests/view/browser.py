"""A page in a real browser, with everything it asked for and complained about on record."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# With WebGL, drawn by the processor where there is no graphics card.
SPACE_ARGUMENTS = [
    *(argument for argument in ARGUMENTS if argument != "--disable-gpu"),
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
# What browsers advise the viewer's library, or say of their own drawing, is no complaint about a page.
ADVICE = ("willReadFrequently", "GL Driver Message")
DECODE = """async (shot) => {
    const image = new Image();
    image.src = "data:image/png;base64," + shot;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let raw = "";
    for (let k = 0; k < data.length; k += 8192) raw += String.fromCharCode(...data.subarray(k, k + 8192));
    return [image.width, image.height, btoa(raw)];
}"""


@dataclass
class Visit:
    """One opened page; `requests` leaves out the page itself."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def text(self, selector: str) -> str:
        """Text of the first element, without blanks around it."""
        return (self.page.locator(selector).first.text_content() or "").strip()

    def number(self, selector: str) -> float:
        """The number an element starts with."""
        found = re.match(r"[−-]?[0-9.]+", self.text(selector))
        assert found is not None, self.text(selector)
        return float(found[0].replace("−", "-"))

    def attribute(self, selector: str, name: str) -> str:
        """Attribute of the first element; empty where it is missing."""
        return self.page.locator(selector).first.get_attribute(name) or ""

    def chart(self, title: str) -> str:
        """Selector of a chart."""
        return f'.chart[aria-label="{title}"]'

    def centre(self, selector: str, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
        """A place inside an element, scrolled into view."""
        target = self.page.locator(selector).first
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        return box["x"] + across * box["width"], box["y"] + down * box["height"]

    def until(self, holds: Callable[[], bool], seconds: float = 20.0) -> None:
        """Wait until something holds; the page's policy forbids the browser to look for itself."""
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, "waited in vain"
            self.page.wait_for_timeout(10)

    def real_complaints(self) -> list[str]:
        """Complaints without the advice that comes with WebGL."""
        return [text for text in self.complaints if not any(known in text for known in ADVICE)]

    def pixels(self, selector: str) -> NDArray[np.uint8]:
        """What an element looks like, shape (height, width, 3), decoded in a page without a policy."""
        shot = base64.b64encode(self.page.locator(selector).screenshot()).decode()
        blank = self.page.context.new_page()
        width, height, raw = blank.evaluate(DECODE, shot)
        blank.close()
        return np.frombuffer(base64.b64decode(raw), dtype=np.uint8).reshape(height, width, 4)[..., :3]

    def settle(self) -> None:
        """Wait until what was asked for has been drawn."""
        self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def evaluate(self, code: str) -> Any:
        """Run code beside the page's own."""
        return self.page.evaluate(code)


@contextmanager
def visiting(
    browser: Browser, path: Path, width: int = 1440, height: int = 900, **options: Any
) -> Iterator[Visit]:
    """Open a file in a fresh context."""
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    page = context.new_page()
    visit = Visit(page)
    own = path.as_uri()
    page.on("request", lambda request: visit.requests.append(request.url) if request.url != own else None)
    page.on("console", lambda message: visit.complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    page.goto(own)
    visit.settle()
    try:
        yield visit
    finally:
        context.close()
