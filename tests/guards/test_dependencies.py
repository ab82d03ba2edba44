"""Every package that the product imports is declared."""

import ast
import re
import sys
import tomllib
from pathlib import Path

from tests.guards.hosts import HOSTS, is_hosted

ROOT = Path(__file__).parents[2]
NAMES = {"yaml": "pyyaml", "backports": "backports.zstd", "compression": ""}
# Looked for at run time and done without: a decoder of replies that were packed with Brotli, a
# faster loop, a cluster, Parquet.
OPTIONAL = {"brotli", "brotlicffi", "distributed", "pyarrow", "uvloop"}


def packages(path: Path) -> set[str]:
    """The packages that a module imports, at any depth of its code."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def imported() -> set[str]:
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        hosts = HOSTS.get(path.relative_to(ROOT / "src").as_posix(), frozenset())
        found |= packages(path) - hosts
    return found - set(sys.stdlib_module_names) - {"ullage"} - OPTIONAL


def test_every_import_is_a_declared_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[^\w.-]", one)[0].lower() for one in project["dependencies"]}
    wanted = {NAMES.get(name, name) for name in imported()} - {""}

    missing = {name for name in wanted if not any(one.startswith(name) for one in declared)}
    assert missing == set()


def test_only_a_hosted_module_imports_a_hosted_module() -> None:
    hosted = {name.removesuffix(".py").replace("/", ".") for name in HOSTS}
    loads = {}
    for path in sorted((ROOT / "src").rglob("*.py")):
        name = path.relative_to(ROOT / "src").as_posix().removesuffix(".py").replace("/", ".")
        text = path.read_text(encoding="utf-8")
        wanted = {one for one in hosted if f"from {one} import" in text}
        if wanted and not is_hosted(name):
            loads[name] = wanted
    assert loads == {}


def test_the_readme_names_every_package_that_is_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    names = [re.split(r"[^\w.-]", one)[0] for one in project["dependencies"]]

    assert [name for name in names if f"`{name}`" not in text] == []
