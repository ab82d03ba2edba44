"""Defaults that the user's code overrules everywhere, or not everywhere."""

from pathlib import Path

import pytest
from tests.doctor.site import environment, install, item, look_in

from ullage.doctor.answers import ANSWERS
from ullage.doctor.diagnosis import Item
from ullage.doctor.look import FRAMEWORKS

STRANDS = "from strands import Agent\n"
WINDOW = "strands/agent/conversation_manager/sliding_window_conversation_manager.py"
SOURCE = "class SlidingWindowConversationManager:\n    def __init__(self, window_size=40): ...\n"


def window(tmp_path: Path, source: str) -> Item:
    python = environment(tmp_path / "env")
    install(python, "strands-agents", "1.62.0", {WINDOW: SOURCE})
    (tmp_path / "agent.py").write_text(STRANDS + source, encoding="utf-8")
    return item(look_in(python, code=tmp_path / "agent.py"), "strands.window")


def test_a_default_that_every_call_overrules_is_off(tmp_path: Path) -> None:
    found = window(tmp_path, "Agent(conversation_manager=keep_all)\nAgent(context_manager=False)\n")

    assert (found.standing, found.severity) == ("off", "note")
    assert [(one.value, one.line) for one in found.values] == [("keep_all", 2), ("False", 3)]


@pytest.mark.parametrize(
    "source",
    [
        "",
        "Agent()",
        "Agent(conversation_manager=keep_all)\nAgent()",
        "Agent(conversation_manager=keep_all, **more)",
        "def Agent2(conversation_manager): ...\nAgent2(conversation_manager=1)",
    ],
)
def test_a_default_that_some_call_leaves_alone_is_in_force(source: str, tmp_path: Path) -> None:
    found = window(tmp_path, source)

    assert (found.standing, found.severity) == ("on", "error")
    assert found.values[0].value == "40"


def test_a_method_decides_in_a_file_that_imports_its_framework(tmp_path: Path) -> None:
    python = environment(tmp_path / "env")
    file = "llama_index/core/memory/chat_memory_buffer.py"
    source = "DEFAULT_TOKEN_LIMIT_RATIO = 0.75\nDEFAULT_TOKEN_LIMIT = 3000\n"
    install(python, "llama-index-core", "0.14.25", {file: source})
    program = tmp_path / "agent.py"
    text = "from llama_index.core.agent import FunctionAgent\nagent.run('x', memory=memory)\n"
    program.write_text(text, encoding="utf-8")

    assert item(look_in(python, code=program), "llama-index.agent-memory").standing == "off"


def test_every_answer_is_to_a_setting_of_the_table() -> None:
    known = {setting.key for one in FRAMEWORKS for setting in one.settings}

    assert {one.key for one in ANSWERS} - known == set()
