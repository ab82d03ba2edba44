"""The page of the adapters: each framework's section is one program, which prints what it says."""

import re
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from benchmarks.survey.manifest import harnesses
from tests.frameworks.harness import Server, run, skip_without

from ullage.integrate.adapters.fitting import Fitting
from ullage.probe.script import first_tool_once

PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"
NEEDS = {
    "LangChain and LangGraph": ("langchain", "langchain_openai"),
    "OpenAI Agents SDK": ("agents",),
    "Pydantic AI": ("pydantic_ai",),
    "smolagents": ("smolagents",),
    "Agno": ("agno",),
    "Strands": ("strands",),
    "LlamaIndex": ("llama_index.core", "llama_index.llms.openai"),
    "A loop of your own": ("openai",),
    "MCP servers": ("fastmcp",),
}
SECTION = re.compile(r"^## (?P<title>.+)\n(?P<text>(?:(?!## ).*\n)*)", re.MULTILINE)
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n(?:\n```text\n(?P<printed>.*?)```)?", re.DOTALL)
MARK = "=== end of a block ==="


def sections(text: str) -> dict[str, str]:
    """Return what stands under each heading."""
    return {one["title"]: one["text"] for one in SECTION.finditer(text)}


def printed(section: str, server: Server, folder: Path) -> list[str]:
    """Run a section's blocks as one program; return what each of them prints."""
    program = folder / "program.py"
    blocks = [one["code"] for one in BLOCK.finditer(section)]
    program.write_text(f"\nprint({MARK!r})\n".join(blocks), encoding="utf-8")
    settings = {"OPENAI_BASE_URL": f"{server.url}/v1"}
    return run([sys.executable, str(program)], folder, settings).stdout.split(f"{MARK}\n")


def executed(section: str, server: Server, folder: Path) -> str:
    """Return a section with what its programs print now."""
    said = iter(printed(section, server, folder))

    def block(found: re.Match[str]) -> str:
        now = next(said)
        if found["printed"] is None:
            assert now == ""
            return found[0]
        return f"```python\n{found['code']}```\n\n```text\n{now}```"

    return BLOCK.sub(block, section)


@pytest.mark.slow
@pytest.mark.parametrize("title", NEEDS)
def test_the_programs_of_a_section_print_what_it_says(
    title: str, server: Server, tmp_path: Path
) -> None:
    skip_without(*NEEDS[title])
    section = sections(PAGE.read_text(encoding="utf-8"))[title]
    server.model._default = first_tool_once

    assert executed(section, server, tmp_path) == section


def test_every_setting_has_a_row() -> None:
    text = sections(PAGE.read_text(encoding="utf-8"))["The settings"]
    settings = [row.split("|")[1] for row in text.splitlines() if row.startswith("| `")]
    named = {name for one in settings for name in re.findall(r"`(\w+)`", one)}

    assert named == {one.name for one in fields(Fitting)}


def test_every_adapter_of_a_framework_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")

    adapters = [one.adapter for one in harnesses() if one.adapter]
    assert [name for name in adapters if f"`{name}`" not in text] == []
