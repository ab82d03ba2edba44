"""A real Chromium for the tests of the page; where there is none they are skipped, visibly."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """The path of a Chromium: `ULLAGE_CHROMIUM`, else one on the path."""
    named = os.environ.get("ULLAGE_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium: apt-get install chromium, or set ULLAGE_CHROMIUM to one")
    return found


@contextmanager
def launched() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Its sandbox needs rights that containers do not give; the pages are our own.
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass(kw_only=True)
class Opened:
    """A page in the browser, and what it said and asked for while it was open."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def listen(self) -> None:
        self.page.on("console", lambda one: self.said.append(f"{one.type}: {one.text}"))
        self.page.on("pageerror", lambda one: self.said.append(f"error: {one}"))
        self.page.on("request", lambda one: self.asked.append(one.url))


@contextmanager
def opened(
    browser: Browser,
    path: Path,
    *,
    width: int = 1280,
    theme: str = "light",
    fragment: str = "",
) -> Iterator[Opened]:
    """Open a file, offline; at the end nothing was said on the console or asked of anybody."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if theme == "dark" else "light",
        offline=True,
    )
    context.set_default_timeout(5000)
    shown = Opened(page=context.new_page())
    shown.listen()
    url = path.absolute().as_uri()
    shown.page.goto(url + fragment)
    yield shown
    context.close()
    assert shown.said == []
    assert [one for one in shown.asked if one.partition("#")[0] != url] == []
