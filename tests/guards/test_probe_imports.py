"""The probe tests any harness from outside: it imports none, and no provider's SDK."""

import ast
import sys
from pathlib import Path

PROBE = Path(__file__).parents[2] / "src" / "ullage" / "probe"
ALLOWED = {"aiohttp", "ullage", *sys.stdlib_module_names}


def imported(source: str) -> set[str]:
    """The packages that a module imports, at any depth of its code."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            found.add(ast.unparse(node))
    return found


def test_the_probe_imports_no_framework_and_no_sdk() -> None:
    found = {
        path.relative_to(PROBE).as_posix(): other
        for path in sorted(PROBE.rglob("*.py"))
        if (other := imported(path.read_text(encoding="utf-8")) - ALLOWED)
    }

    assert found == {}


def test_an_import_of_a_framework_is_seen_at_any_depth() -> None:
    source = "def f():\n    from openai import OpenAI\n    importlib.import_module('agno')"

    assert imported(source) - ALLOWED == {"openai", "importlib.import_module('agno')"}
