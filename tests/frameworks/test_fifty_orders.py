"""The page on the fifty orders, carried out in AutoGen: `make fifty-orders`."""

import importlib.util
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "fifty-orders.md"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_the_page_shows_what_its_commands_print() -> None:
    if importlib.util.find_spec("autogen_agentchat") is None:
        pytest.skip("not installed: autogen_agentchat (make fifty-orders installs it)")
    page = PAGE.read_text(encoding="utf-8")

    now = runpy.run_path(str(DOCS / "carry_out.py"))["carried_out"](page)

    assert now == page, "look at what has changed, then: make fifty-orders-page"
