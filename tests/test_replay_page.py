"""The page on replays: its commands and its Python print what it says."""

import os
import runpy
import sys
from pathlib import Path

import pytest
from tests.test_handing_pages import executed

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "replay.md"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the page is for a POSIX shell")
def test_the_page_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = PAGE.read_text(encoding="utf-8")
    carried_out = runpy.run_path(str(DOCS / "carry_out.py"))["carried_out"]
    program = page.split("<<'END'\n")[1].split("END\n")[0]
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "page", "exec"), {"__name__": "page"})

    assert carried_out(page) == page
    assert executed(page) == page


if __name__ == "__main__":  # write what it prints now
    carry = runpy.run_path(str(DOCS / "carry_out.py"))["carried_out"]
    os.chdir(sys.argv[1])
    PAGE.write_text(carry(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
