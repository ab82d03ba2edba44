"""What `import ullage` offers, and what it costs."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

from tests.guards.hosts import is_hosted

import ullage

SOURCE = Path(ullage.__file__).parent
# Each takes tens of milliseconds or more; an agent that imports ullage must not pay for them.
HEAVY = ["aiohttp", "blake3", "click", "msgspec", "regex", "rich", "sqlite3", "asyncio"]


def in_a_fresh_process(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)


def typed_names() -> list[str]:
    """The names imported for type checkers at the top of the package."""
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    return [
        alias.name
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]


def test_exports_are_sorted() -> None:
    assert ullage.__all__ == sorted(ullage.__all__)


def test_exports_loaded_lazily_and_seen_by_type_checkers_are_the_same() -> None:
    assert set(ullage.__all__) == set(ullage._WHERE) == set(typed_names())


def test_every_public_name_is_callable_after_every_submodule_was_imported() -> None:
    for module in pkgutil.walk_packages([str(SOURCE)], "ullage."):
        if module.name != "ullage.__main__" and not is_hosted(module.name):
            importlib.import_module(module.name)

    assert [name for name in ullage.__all__ if not callable(getattr(ullage, name))] == []


def test_no_submodule_has_the_name_of_a_public_function() -> None:
    submodules = {module.name for module in pkgutil.iter_modules([str(SOURCE)])}

    assert submodules & set(ullage.__all__) == set()


def test_importing_prints_nothing_and_loads_nothing_heavy() -> None:
    done = in_a_fresh_process(
        "import sys; before = set(sys.modules); import ullage;"
        f"print([name for name in {HEAVY} if name in set(sys.modules) - before])"
    )

    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_cutting_loads_neither_a_server_nor_a_database() -> None:
    done = in_a_fresh_process(
        "import sys, ullage; ullage.cut('[1,2,3,4]' * 9, ullage.chars(20));"
        "print([name for name in ('aiohttp', 'sqlite3', 'click', 'rich') if name in sys.modules])"
    )

    assert done.stdout.strip() == "[]"


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    assert not hasattr(ullage, "shorten")
