"""An adapter where its framework is missing, and what importing the others' parts loads."""

import subprocess
import sys

import pytest

EXTRAS = {
    "agno": ("agno", "agno"),
    "fastmcp": ("fastmcp", "fastmcp"),
    "langchain": ("langchain", "langchain"),
    "llama_index": ("llama_index", "llama-index"),
    "openai_agents": ("agents", "openai-agents"),
    "pydantic_ai": ("pydantic_ai", "pydantic-ai"),
    "smolagents": ("smolagents", "smolagents"),
    "strands": ("strands", "strands"),
}


def in_a_fresh_process(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


@pytest.mark.parametrize("name", EXTRAS)
def test_an_adapter_without_its_framework_says_what_to_install(name: str) -> None:
    package, extra = EXTRAS[name]
    code = f"import sys; sys.modules[{package!r}] = None; import ullage.integrate.{name}"
    done = in_a_fresh_process(code)

    assert done.returncode == 1
    assert f"pip install 'ullage[{extra}]'" in done.stderr


def test_the_core_of_the_adapters_prints_nothing_and_loads_no_framework() -> None:
    packages = sorted({package for package, _ in EXTRAS.values()})
    code = (
        "import sys; import ullage.integrate.adapters.adapter;"
        f"print([one for one in {packages} if one in sys.modules])"
    )
    done = in_a_fresh_process(code)

    assert (done.stdout.strip(), done.stderr) == ("[]", "")
