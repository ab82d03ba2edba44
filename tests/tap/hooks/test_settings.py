"""Our hooks among others'."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.errors import LoadError
from ullage.tap.hooks.settings import EVENTS, installed, read_settings, uninstalled, written

COMMAND = "ullage hook claude-code"
ENTRY = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(["lint.sh", "ullage cut x", "a b"])}
)
GROUP = st.fixed_dictionaries(
    {"matcher": st.sampled_from(["*", "Bash", "Edit|Write"]), "hooks": st.lists(ENTRY, min_size=1)}
)
EVENT = st.sampled_from(["PostToolUse", "PreCompact", "Stop", "PreToolUse"])
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "model": st.text(max_size=3),
        "hooks": st.dictionaries(EVENT, st.lists(GROUP, min_size=1), min_size=1),
        "permissions": st.dictionaries(st.text(max_size=3), st.integers()),
    },
)


def entries(settings: Any) -> list[Any]:
    return [
        (event, entry["command"])
        for event, groups in settings.get("hooks", {}).items()
        for group in groups
        for entry in group["hooks"]
    ]


@given(settings=SETTINGS)
def test_installing_keeps_all_that_was_there_and_adds_ours_once(settings: dict[str, Any]) -> None:
    new = installed(settings, COMMAND, "f")

    assert sorted(entries(new)) == sorted(
        [*entries(settings), *((event, COMMAND) for event in EVENTS)]
    )
    assert {**new, "hooks": None} == {**settings, "hooks": None}


@given(settings=SETTINGS)
def test_installing_twice_is_installing_once(settings: dict[str, Any]) -> None:
    once = installed(settings, COMMAND, "f")

    assert installed(once, COMMAND, "f") == once


@given(settings=SETTINGS)
def test_uninstalling_leaves_no_trace(settings: dict[str, Any]) -> None:
    there_and_back = uninstalled(installed(settings, COMMAND, "f"), "f")

    assert written(there_and_back) == written(settings)


@given(settings=SETTINGS)
def test_another_ledger_replaces_our_command_and_adds_none(settings: dict[str, Any]) -> None:
    other = f"{COMMAND} --default-ledger /x"
    new = installed(installed(settings, COMMAND, "f"), other, "f")

    assert [command for _, command in entries(new)].count(other) == len(EVENTS)
    assert COMMAND not in [command for _, command in entries(new)]


def test_hooks_that_were_put_in_after_ours_stay_where_they_are() -> None:
    settings = installed({}, COMMAND, "f")
    hooks: Any = settings["hooks"]
    hooks["PostToolUse"].append({"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]})

    assert installed(settings, COMMAND, "f") == settings


@pytest.mark.parametrize("text", ["{", "[]", "3", '{"a": 1,}'])
def test_settings_that_cannot_be_read_are_left_alone(text: str) -> None:
    with pytest.raises(LoadError, match="nothing was changed"):
        read_settings(text, "settings.json")


@pytest.mark.parametrize("hooks", [[], "x", {"PostToolUse": "x"}])
def test_hooks_in_another_form_are_left_alone(hooks: object) -> None:
    for change in (uninstalled, lambda old, where: installed(old, COMMAND, where)):
        with pytest.raises(LoadError, match="nothing was changed"):
            change({"hooks": hooks}, "f")


def test_an_empty_file_has_no_settings() -> None:
    assert read_settings("\n", "f") == {}


def test_other_alphabets_stay_readable() -> None:
    assert "é" in written({"model": "é"})
    assert json.loads(written({"model": "é"})) == {"model": "é"}
