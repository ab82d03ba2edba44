"""Coding CLIs: their packages, their constants, and the settings of the user that win."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.doctor.site import item

from ullage.doctor.diagnosis import Diagnosis
from ullage.doctor.look import diagnose
from ullage.doctor.node import modules_in, of_command
from ullage.doctor.surroundings import Surroundings
from ullage.errors import LoadError

QWEN = """\
var a = 1;
var DEFAULT_TRUNCATE_TOOL_OUTPUT_THRESHOLD = 25e3;
var DEFAULT_TRUNCATE_TOOL_OUTPUT_LINES = 1e3;
var COMPRESSION_TOKEN_THRESHOLD = 0.7;
"""


def package(modules: Path, name: str, version: str, files: Mapping[str, str]) -> Path:
    folder = modules / name
    folder.mkdir(parents=True)
    members = json.dumps({"name": name, "version": version})
    (folder / "package.json").write_text(members, encoding="utf-8")
    for file, source in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(source, encoding="utf-8")
    return folder


def look(
    folder: Path,
    *,
    commands: Mapping[str, Path] | None = None,
    variables: Mapping[str, str] | None = None,
) -> Diagnosis:
    modules = folder / "node_modules"
    return diagnose(
        [],
        Surroundings(environment=variables or {}, home=folder / "home", folder=folder),
        commands=commands or {},
        modules=modules if modules.is_dir() else None,
    )


def settings(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_the_constants_of_packed_javascript_are_read(tmp_path: Path) -> None:
    package(tmp_path / "node_modules", "@qwen-code/qwen-code", "0.15.10", {"cli.js": QWEN})

    found = item(look(tmp_path), "qwen.tool-output")

    assert [(one.value, one.line) for one in found.values] == [("25000", 2), ("1000", 3)]


def test_a_limit_that_is_gone_is_not_claimed_because_another_is_there(tmp_path: Path) -> None:
    source = QWEN.replace("THRESHOLD = 25e3", "MOVED = 25e3")
    package(tmp_path / "node_modules", "@qwen-code/qwen-code", "1", {"cli.js": source})

    found = item(look(tmp_path), "qwen.tool-output")

    assert [one.value for one in found.values] == [None, "1000"]
    assert (found.standing, found.severity) == ("unknown", "note")


def test_a_setting_of_the_project_wins_over_the_package(tmp_path: Path) -> None:
    package(tmp_path / "node_modules", "@qwen-code/qwen-code", "0.15.10", {"cli.js": QWEN})
    text = '{"tools": {"truncateToolOutputLines": 9}} // ours'
    settings(tmp_path / ".qwen" / "settings.json", text)

    threshold, lines = item(look(tmp_path), "qwen.tool-output").values

    assert (threshold.value, threshold.chosen) == ("25000", False)
    assert (lines.value, lines.chosen) == ("9", True)
    assert lines.path == str(tmp_path / ".qwen" / "settings.json")


def test_a_setting_that_switches_a_loss_off_is_believed(tmp_path: Path) -> None:
    package(tmp_path / "node_modules", "@qwen-code/qwen-code", "0.15.10", {"cli.js": QWEN})
    text = '{"model": {"chatCompression": {"contextPercentageThreshold": 0}}}'
    settings(tmp_path / "home" / ".qwen" / "settings.json", text)

    assert item(look(tmp_path), "qwen.compression").standing == "off"


def test_a_command_is_led_back_to_its_package(tmp_path: Path) -> None:
    folder = package(tmp_path / "lib", "opencode-ai", "1.18.33", {"bin/opencode.exe": ""})
    link = tmp_path / "opencode"
    link.symlink_to(folder / "bin" / "opencode.exe")

    found = of_command(link, ["opencode-ai"])

    assert found is not None
    assert found.version == "1.18.33"


def test_a_command_of_another_package_has_no_version(tmp_path: Path) -> None:
    (tmp_path / "codex").touch()

    (one,) = look(tmp_path, commands={"codex": tmp_path / "codex"}).installed

    assert (one.name, one.version) == ("@openai/codex", "")


def test_what_is_only_published_says_where(tmp_path: Path) -> None:
    (tmp_path / "codex").touch()

    found = item(look(tmp_path, commands={"codex": tmp_path / "codex"}), "codex.tool-output")

    (value,) = found.values
    assert (value.value, value.path) == ("by the model", None)
    assert value.source is not None
    assert "2026-11" in value.source


@pytest.mark.parametrize(
    ("command", "key", "file", "text", "value", "standing"),
    [
        (
            "codex",
            "codex.tool-output",
            "home/.codex/config.toml",
            "tool_output_token_limit = 5",
            "5",
            "on",
        ),
        (
            "opencode",
            "opencode.compaction",
            "opencode.json",
            '{"compaction": {"auto": false}}',
            "false",
            "off",
        ),
        (
            "claude",
            "claude.compaction",
            ".claude/settings.json",
            '{"autoCompactEnabled": false}',
            "false",
            "off",
        ),
        (
            "claude",
            "claude.bash-output",
            "home/.claude/settings.json",
            '{"env": {"BASH_MAX_OUTPUT_LENGTH": "9"}}',
            "9",
            "on",
        ),
    ],
)
def test_the_settings_of_each_cli_are_read(
    command: str, key: str, file: str, text: str, value: str, standing: str, tmp_path: Path
) -> None:
    (tmp_path / command).touch()
    settings(tmp_path / file, text)

    found = item(look(tmp_path, commands={command: tmp_path / command}), key)

    assert (found.values[0].value, found.standing) == (value, standing)


def test_a_variable_switches_compaction_off(tmp_path: Path) -> None:
    (tmp_path / "claude").touch()
    commands = {"claude": tmp_path / "claude"}

    found = item(
        look(tmp_path, commands=commands, variables={"DISABLE_AUTO_COMPACT": "1"}),
        "claude.compaction",
    )

    assert (found.standing, found.values[0].name) == ("off", "DISABLE_AUTO_COMPACT")


@pytest.mark.parametrize(
    "text", ["tool_output_token_limit = = 5", "[tool_output_token_limit]\nshell = 5", ""]
)
def test_settings_that_cannot_be_read_change_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "codex").touch()
    settings(tmp_path / "home" / ".codex" / "config.toml", text)

    found = item(look(tmp_path, commands={"codex": tmp_path / "codex"}), "codex.tool-output")

    assert found.values[0].chosen is False


def test_a_folder_without_packages_of_node_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no node_modules there"):
        modules_in(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"name": "other"}'])
def test_a_damaged_package_is_passed_over(text: str, tmp_path: Path) -> None:
    folder = package(tmp_path / "node_modules", "@qwen-code/qwen-code", "1", {"cli.js": QWEN})
    (folder / "package.json").write_text(text, encoding="utf-8")

    assert look(tmp_path).installed == []
