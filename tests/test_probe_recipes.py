"""The recipes of the probe say of themselves what the manifest says of them."""

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

RECIPES = Path(__file__).parents[1] / "examples" / "probe"
MANIFEST: dict[str, dict[str, Any]] = tomllib.loads(
    (RECIPES / "harnesses.toml").read_text(encoding="utf-8")
)
PINNED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(\[[a-z0-9,_-]+\])?==[0-9][^\s*]*( ?; .+)?")
SOURCE = re.compile(r"[\w./-]+\.\w+:[0-9]+ \S.*")

FRAMEWORKS = {name: one for name, one in MANIFEST.items() if one.get("kind") != "cli"}

harness = pytest.mark.parametrize("section", MANIFEST.values(), ids=MANIFEST)
framework = pytest.mark.parametrize("section", FRAMEWORKS.values(), ids=FRAMEWORKS)


def keywords(recipe: str) -> set[str]:
    """Return the names that a recipe gives its functions in its call of `probe`."""
    tree = ast.parse((RECIPES / recipe).read_text(encoding="utf-8"))
    return {
        keyword.arg
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "probe"
        for keyword in node.keywords
        if keyword.arg
    }


def requirements(section: dict[str, Any]) -> list[str]:
    """Return the lines of a harness's requirements that are no comment."""
    text = (RECIPES / section["requirements"]).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


@harness
def test_a_harness_names_files_that_are_there(section: dict[str, Any]) -> None:
    assert (RECIPES / section["recipe"]).is_file()
    assert (RECIPES / section.get("requirements", "requirements")).exists()


@harness
def test_a_recipe_has_a_function_for_each_variant(section: dict[str, Any]) -> None:
    assert set(section["variants"]) <= keywords(section["recipe"])


@harness
def test_a_recipe_has_no_function_that_no_case_asks_for(section: dict[str, Any]) -> None:
    assert keywords(section["recipe"]) <= {*section["variants"], "handoff"}


@harness
def test_a_harness_that_hands_over_has_a_function_and_a_tool_for_it(
    section: dict[str, Any],
) -> None:
    tried = any("handoff" in one["cases"] for one in section["variants"].values())
    assert tried == ("handoff" in keywords(section["recipe"])) == ("delegate" in section)


@harness
def test_a_harness_is_tried_as_it_comes_and_has_one_best_setting(section: dict[str, Any]) -> None:
    variants = section["variants"]
    assert not variants["default"].get("opt_in")
    assert [one.get("best", False) for one in variants.values()].count(True) == 1


@harness
def test_a_setting_that_is_not_the_default_says_how_it_is_made(section: dict[str, Any]) -> None:
    assert all(one.get("how") for one in section["variants"].values() if one.get("opt_in"))
    assert all(one.get("opt_in") for name, one in section["variants"].items() if name != "default")


@harness
def test_a_source_is_a_file_and_a_line(section: dict[str, Any]) -> None:
    sources = [source for one in section["variants"].values() for source in one.get("source", ())]
    assert [source for source in sources if not SOURCE.fullmatch(source)] == []


@framework
def test_an_environment_is_pinned_and_holds_the_harness(section: dict[str, Any]) -> None:
    lines = requirements(section)
    assert [line for line in lines if not PINNED.fullmatch(line)] == []
    assert any(line.startswith(f"{section['package']}==") for line in lines)


def test_the_harnesses_are_in_alphabetical_order() -> None:
    assert list(MANIFEST) == sorted(MANIFEST)


def test_a_recipe_is_not_named_like_what_it_imports() -> None:
    for section in MANIFEST.values():
        tree = ast.parse((RECIPES / section["recipe"]).read_text(encoding="utf-8"))
        imported = {
            node.module.partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
        }
        assert Path(section["recipe"]).stem not in imported
