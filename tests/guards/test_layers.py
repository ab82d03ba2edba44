"""Imports go one way: the layers of the design, read from the source."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "ullage"

LAYERS = [
    {"errors", "imported"},
    {"transcript", "counting"},
    {"cutter", "stats"},
    {"arrivals"},
    {"wire", "sources", "ledger"},
    {"history", "checks", "tap", "policies"},
    {"probe", "doctor"},
    {"lab"},
    {"report", "integrate"},
    {"cli"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
# Packages of one layer do not import each other, with these exceptions.
# What a shortened history says of itself is read by what wrote it. A replay reads sessions as the
# checks do: exchanges are put together into conversations in one place.
SIDEWAYS = {
    ("sources", "wire"),
    ("sources", "ledger"),
    ("checks", "history"),
    ("policies", "checks"),
}


def imported(source: str) -> list[str]:
    """The packages below `ullage` that a module imports, at any depth of its code."""
    found = []
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = (
                [f"ullage.{alias.name}" for alias in node.names]
                if node.module == "ullage"
                else [node.module]
            )
        found += [name.split(".")[1] for name in names if name.startswith("ullage.")]
    return found


def faults(package: str, source: str, where: str) -> list[str]:
    """What is wrong with the imports of one module of `package`, in words."""
    return [
        f"{where}: {package} (layer {LEVEL[package]}) imports {other} (layer {LEVEL[other]})"
        for other in imported(source)
        if other != package
        and (LEVEL[other] > LEVEL[package] or LEVEL[other] == LEVEL[package])
        and (package, other) not in SIDEWAYS
    ]


def modules() -> list[Path]:
    return [path for path in sorted(SOURCE.rglob("*.py")) if path.parent != SOURCE]


def test_no_module_imports_upward_or_sideways() -> None:
    found = []
    for path in modules():
        package = path.relative_to(SOURCE).parts[0]
        found += faults(package, path.read_text(encoding="utf-8"), str(path.relative_to(SOURCE)))
    assert found == []


def test_every_package_has_a_layer() -> None:
    packages = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert packages <= set(LEVEL)


@pytest.mark.parametrize(
    ("package", "line", "other"),
    [
        ("transcript", "from ullage.cutter.budget import chars", "cutter"),
        ("wire", "import ullage.ledger.store", "ledger"),
        ("ledger", "from ullage import wire", "wire"),
        ("checks", "def f():\n    from ullage.tap import tool", "tap"),
        ("arrivals", "from ullage.cli.main import main", "cli"),
    ],
)
def test_an_upward_or_sideways_import_is_named(package: str, line: str, other: str) -> None:
    (fault,) = faults(package, line, "somewhere.py")

    assert fault.startswith(f"somewhere.py: {package} ")
    assert f"imports {other} " in fault


def test_a_downward_import_is_allowed() -> None:
    assert faults("cli", "from ullage.cutter.budget import chars", "somewhere.py") == []


def test_a_source_may_use_the_wire_and_the_ledger() -> None:
    assert faults("sources", "from ullage.wire import openai_chat", "x.py") == []
