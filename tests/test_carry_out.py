"""Pages whose commands are carried out: what they print is written under them."""

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "fifty-orders.md"
SERVER = """
import http.server
at = ('127.0.0.1', 8080)
server = http.server.HTTPServer(at, http.server.SimpleHTTPRequestHandler)
print('up', flush=True)
server.serve_forever()
"""
ASK = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8080/').status)"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the pages are for a POSIX shell")


@pytest.fixture(scope="module")
def carried_out() -> Any:
    return runpy.run_path(str(ROOT / "docs" / "carry_out.py"))["carried_out"]


def block(commands: str, printed: str | None = None) -> str:
    shown = "" if printed is None else f"\n\n```text\n{printed}```"
    return f"```sh\n{commands}```{shown}\n"


def test_what_a_command_prints_now_takes_the_place_of_what_stood_there(carried_out: Any) -> None:
    page = "Words.\n\n" + block("echo one; echo two >&2\n", "old\n") + "\nMore.\n"

    assert carried_out(page) == page.replace("old\n", "one\ntwo\n")


def test_a_command_without_a_block_of_text_keeps_none(carried_out: Any) -> None:
    page = block("echo one\n") + "\nWords.\n" + block("echo two\n", "two\n")

    assert carried_out(page) == page


def test_what_is_exported_holds_for_later_blocks(carried_out: Any) -> None:
    page = block("export SAID=hello\n") + block("echo $SAID\n", "hello\n")

    assert carried_out(page) == page


def test_a_failing_command_is_told_with_what_it_printed(carried_out: Any) -> None:
    with pytest.raises(RuntimeError, match="ended with 3:\nwhy\n"):
        carried_out(block("echo why; exit 3\n", ""))


def test_a_server_runs_beside_on_a_port_of_its_own(carried_out: Any) -> None:
    page = block(f'# in another terminal\npython -c "{SERVER}"\n')
    page += block(f'python -c "{ASK}"; echo 127.0.0.1:8080 127.0.0.1:9 $PWD\n', "")

    assert "200\n127.0.0.1:8080 127.0.0.1:… …\n" in carried_out(page)


def test_every_command_of_the_page_that_prints_shows_it() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert "```text\n```" not in text
    assert text.count("```sh\n") == text.count("```text\n") + 1  # the server
