"""The pages on hand-off and chunks, and the README: their Python runs, and prints what they say."""

import io
import os
import re
import runpy
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PYTHON = re.compile(r"```python\n(?P<code>.*?)```(?:\n\n```text\n(?P<printed>.*?)```)?", re.DOTALL)
PAGES = ["handoff.md", "chunks.md"]
README = "../README.md"


def executed(text: str) -> str:
    """Return a page with what its Python prints now, all in one namespace."""
    names: dict[str, object] = {"__name__": "page"}

    def run(found: re.Match[str]) -> str:
        out = io.StringIO()
        with redirect_stdout(out):
            exec(compile(found["code"], "page", "exec"), names)
        if found["printed"] is None:
            assert out.getvalue() == ""
            return found[0]
        return f"```python\n{found['code']}```\n\n```text\n{out.getvalue()}```"

    return PYTHON.sub(run, text)


@pytest.mark.parametrize("name", [*PAGES, README])
def test_the_python_of_a_page_prints_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (DOCS / name).read_text(encoding="utf-8")

    assert executed(page) == page


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the pages are for a POSIX shell")
@pytest.mark.parametrize("name", PAGES)
def test_the_programs_of_a_page_print_what_it_says(name: str) -> None:
    carried_out = runpy.run_path(str(DOCS / "carry_out.py"))["carried_out"]
    page = (DOCS / name).read_text(encoding="utf-8")

    assert carried_out(page) == page


if __name__ == "__main__":  # write what they print now
    os.chdir(sys.argv[1])
    carry = runpy.run_path(str(DOCS / "carry_out.py"))["carried_out"]
    for one in PAGES:
        path = DOCS / one
        path.write_text(carry(executed(path.read_text(encoding="utf-8"))), encoding="utf-8")
    readme = DOCS / README
    readme.write_text(executed(readme.read_text(encoding="utf-8")), encoding="utf-8")
