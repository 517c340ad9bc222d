"""A page in a real browser, with everything it asked for and complained about on record."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
