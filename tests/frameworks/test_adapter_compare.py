"""LangChain's own summariser beside Ullage's middleware: figures from the wire."""

import json
import re
import runpy
import sys
from pathlib import Path

import pytest
from tests.frameworks.harness import run, skip_without

COMPARE = Path(__file__).parents[2] / "examples" / "adapters" / "langchain_compare.py"
PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"
SMALL, LARGE = 20_000, 60_000

pytestmark = [pytest.mark.slow]


Figures = dict[str, dict[str, int]]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Figures:
    return compared(SMALL, tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Figures:
    return compared(LARGE, tmp_path_factory.mktemp("large"))


def compared(budget: int, folder: Path) -> Figures:
    skip_without("langchain", "langchain_openai")
    words = [sys.executable, str(COMPARE), "--budget", str(budget), "--format", "json"]
    found: Figures = json.loads(run(words, folder).stdout)
    return found


def test_langchains_summariser_is_shown_no_record_and_every_rule_is_lost(small: Figures) -> None:
    found = small["SummarizationMiddleware"]

    assert found["summariser_requests"] > 0
    assert found["records_that_left"] > 0
    assert found["of_them_summariser_saw"] == 0
    assert found["rules_in_last_request"] == 0


def test_ullage_keeps_the_rules_and_the_budget_in_the_same_run(small: Figures) -> None:
    found = small
    assert found["no middleware"]["tokens_of_largest"] > 5 * SMALL
    for name in ("Ullage", "Ullage, protect", "Ullage, summary alone"):
        assert found[name]["tokens_of_largest"] <= SMALL
        assert found[name]["requests"] == found["no middleware"]["requests"]
    # One of the seven is worded as a statement: it is known as a rule only where it is named.
    assert found["Ullage"]["rules_in_last_request"] == 6
    assert found["Ullage, protect"]["rules_in_last_request"] == 7


def test_ullages_summariser_is_shown_every_record_that_leaves(large: Figures) -> None:
    ours = large["Ullage, summary alone"]
    assert ours["summariser_requests"] > 0
    assert ours["of_them_summariser_saw"] == ours["records_that_left"] > 0
    assert ours["rules_in_last_request"] == 7
    assert large["SummarizationMiddleware"]["of_them_summariser_saw"] == 0


def test_langchains_summariser_keeps_the_rules_where_it_is_shown_everything(small: Figures) -> None:
    found = small["its input not trimmed"]

    assert found["of_them_summariser_saw"] == found["records_that_left"] > 0
    assert found["rules_in_last_request"] == 7
    assert found["tokens_of_largest"] > 2 * SMALL


def test_the_page_has_the_figures_of_both_runs(small: Figures, large: Figures) -> None:
    lines = runpy.run_path(str(COMPARE), run_name="compared")["lines"]
    tables = [f"{chr(10).join(lines(found))}\n" for found in (small, large)]

    shown = r"```sh\npython \S*langchain_compare.py.*\n```\n\n```text\n((?:.*\n)*?)```"
    assert re.findall(shown, PAGE.read_text(encoding="utf-8")) == tables
