"""A Chromium for the tests of pages; they skip without one, unless CONDYLE_REQUIRE_BROWSER=1 says that is a failure."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from condyle.view import report, viewer
from view.browser import ARGUMENTS, BROWSERS, SPACE_ARGUMENTS
from view.spatial import rolling_results
from view.synthetic import ball_results, knee_results

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def _without(reason: str) -> NoReturn:
    if os.environ.get("CONDYLE_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{reason}, and CONDYLE_REQUIRE_BROWSER=1 asks for one")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Callable[[list[str]], Browser]]:
    """Starts a headless Chromium with some arguments."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _without("playwright is not installed, so no browser can be driven")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        _without(f"no Chromium on the search path ({', '.join(BROWSERS)})")
    with sync_playwright() as playwright:
        yield lambda arguments: playwright.chromium.launch(executable_path=found, args=arguments)


@pytest.fixture(scope="session")
def browser(chromium: Callable[[list[str]], Browser]) -> Iterator[Browser]:
    """A headless Chromium that calls nobody."""
    browser = chromium(ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def space_browser(chromium: Callable[[list[str]], Browser]) -> Iterator[Browser]:
    """One that draws in space as well, slowly."""
    browser = chromium(SPACE_ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def rolling_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The picture alone of balls that roll on a plate."""
    return viewer(rolling_results(fine=12), tmp_path_factory.mktemp("rolling"))


@pytest.fixture(scope="session")
def knee_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The knee's report."""
    return report(knee_results(), tmp_path_factory.mktemp("knee"))


@pytest.fixture(scope="session")
def ball_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ball's report."""
    return report(ball_results(), tmp_path_factory.mktemp("ball"))
