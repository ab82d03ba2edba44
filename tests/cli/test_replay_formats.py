"""The forms of `ullage replay`, as a user has them written."""

import csv
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt
from tests.policies.recordings import in_lines, rows

from ullage.cli.replay import command


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return in_lines(Path("results.jsonl"), rows(2, 1))


def written(form: str) -> str:
    words = ["results.jsonl", "--no-tokens", "--format", form, "--output", f"out.{form}"]
    done = CliRunner().invoke(
        command, [*words, "--workers", "1", "--quiet"], catch_exceptions=False
    )
    assert (done.exit_code, done.stdout) == (0, "")
    return Path(f"out.{form}").read_text(encoding="utf-8")


@pytest.mark.usefixtures("results")
def test_a_file_takes_the_rows_and_they_are_the_same_again() -> None:
    first = written("csv")
    head, *found = csv.reader(first.splitlines())

    assert head[:3] == ["policy", "of", "level"]
    assert {len(row) for row in found} == {len(head)}
    assert written("csv") == first


@pytest.mark.usefixtures("results")
def test_a_file_takes_markdown_with_its_tables() -> None:
    html = MarkdownIt().enable("table").render(written("md"))

    assert html.count("<table>") == 5
    assert "<th>records:6000 less prefix:6000</th>" in html


@pytest.mark.usefixtures("results")
def test_a_file_takes_the_page_and_nothing_in_it_is_loaded() -> None:
    addresses: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            addresses.extend(str(value) for name, value in attrs if name in ("src", "href"))

    page = written("html")
    Reader().feed(page)

    assert "What other policies would have delivered" in page
    assert addresses
    assert all(one.startswith("#") for one in addresses)
