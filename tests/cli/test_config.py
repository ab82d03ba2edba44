"""Settings of a tool, from files."""

from pathlib import Path

import pytest

from ullage import LoadError
from ullage.cli.config import ToolSettings, read_config, tool_settings


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_a_tools_settings_are_read_from_the_nearest_pyproject(tmp_path: Path) -> None:
    write(
        tmp_path / "pyproject.toml",
        '[tool.ullage.tools.list_pods]\nbudget = 4000\nkeep = ["$.total", "phase=Failed"]\n',
    )
    (tmp_path / "deep" / "er").mkdir(parents=True)

    found = tool_settings(read_config(tmp_path / "deep" / "er"), "list_pods")

    assert found == ToolSettings(budget=4000, keep=("$.total", "phase=Failed"))


def test_ullage_toml_comes_after_pyproject(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.ullage.tools.a]\nbudget = 1\n")
    write(tmp_path / "ullage.toml", "[tools.a]\nbudget = 2\n")

    assert tool_settings(read_config(tmp_path), "a").budget == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.ullage.tools.b]\nbudget = 1\n", "no settings for tool 'a'.* has b"),
        ("[tool.ullage.tools.a]\nbugdet = 1\n", "unknown bugdet: choose budget"),
        ('[tool.ullage.tools.a]\nparts = ["rows"]\n', "parts has 'rows': write a path such as"),
        ('[tool.ullage.tools.a]\nbudget = "6k"\n', "budget = '6k' is not of type int"),
        ("[tool.ullage\n", "not TOML"),
    ],
)
def test_a_mistake_in_a_file_says_where_and_what(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path / "pyproject.toml", text)

    with pytest.raises(LoadError, match=said):
        tool_settings(read_config(tmp_path), "a")


def test_without_a_file_there_are_no_settings(tmp_path: Path) -> None:
    assert read_config(tmp_path / "nowhere") == {}


def test_the_parts_of_a_tool_are_paths(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.ullage.tools.a]\nparts = ["$.errors", "$.rows"]\n')

    assert tool_settings(read_config(tmp_path), "a").parts == ("$.errors", "$.rows")
