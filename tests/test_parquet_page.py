"""The page on Parquet: its exports and its queries print what it says."""

import runpy
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "parquet.md"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the page is for a POSIX shell")
def test_the_page_prints_what_it_says() -> None:
    carried_out = runpy.run_path(str(DOCS / "carry_out.py"))["carried_out"]
    page = PAGE.read_text(encoding="utf-8")

    assert page.count("```sh") == 6
    assert carried_out(page) == page


if __name__ == "__main__":  # write what it prints now
    carry = runpy.run_path(str(DOCS / "carry_out.py"))["carried_out"]
    PAGE.write_text(carry(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
