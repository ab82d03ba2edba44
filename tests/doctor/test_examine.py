"""Packages held against the table: values in force, defaults that changed, settings that win."""

import json
from pathlib import Path

import pytest
from tests.doctor.site import SMOL, environment, install, item, look_in

CODE_OUTPUT = "smolagents.code-output"
AGNO = """\
class Agent:
    # add_history_to_context=true adds messages
    add_history_to_context: bool = False
"""


def test_a_value_comes_from_the_installed_file_with_its_line(tmp_path: Path) -> None:
    python = environment(tmp_path)
    site = install(
        python, "smolagents", "1.27.0", {"smolagents/utils.py": "\nMAX_LENGTH_TRUNCATE_CONTENT = 7"}
    )

    found = item(look_in(python), CODE_OUTPUT)

    (value,) = found.values
    assert (value.value, value.unit) == ("7", "characters")
    assert (value.path, value.line) == (str(site / "smolagents" / "utils.py"), 2)
    assert (found.severity, found.standing, found.version) == ("warning", "on", "1.27.0")


@pytest.mark.parametrize(
    "source",
    ["MOVED = 20000\n", "MAX_LENGTH_TRUNCATE_CONTENT = = 20000\n", ""],
    ids=["another name", "no Python", "an empty file"],
)
def test_a_value_that_is_not_found_is_not_claimed(source: str, tmp_path: Path) -> None:
    python = environment(tmp_path)
    install(python, "smolagents", "9.0", {"smolagents/utils.py": source})

    found = item(look_in(python), CODE_OUTPUT)

    (value,) = found.values
    assert (value.value, value.line) == (None, None)
    assert (value.known, value.known_in) == ("20000", "1.26.0, 2026-11")
    assert (found.severity, found.standing) == ("note", "unknown")


def test_a_file_that_is_gone_is_not_claimed(tmp_path: Path) -> None:
    python = environment(tmp_path)
    install(python, "smolagents", "9.0", {})

    assert {one.standing for one in look_in(python).items} == {"unknown"}


def test_a_default_that_loses_is_an_error(tmp_path: Path) -> None:
    python = environment(tmp_path)
    install(python, "agno", "3.1.10", {"agno/agent/agent.py": AGNO})

    found = item(look_in(python), "agno.history")

    assert (found.severity, found.boundary, found.loss) == ("error", "retain", "silent")
    assert found.values[0].line == 3


def test_a_default_that_was_switched_is_no_loss_any_more(tmp_path: Path) -> None:
    python = environment(tmp_path)
    install(python, "agno", "4.0", {"agno/agent/agent.py": AGNO.replace("False", "True")})

    found = item(look_in(python), "agno.history")

    assert (found.severity, found.standing) == ("note", "off")


def test_a_safe_default_is_no_item(tmp_path: Path) -> None:
    python = environment(tmp_path)
    source = "self._model_context = UnboundedChatCompletionContext()\n"
    file = "autogen_agentchat/agents/_assistant_agent.py"
    install(python, "autogen-agentchat", "0.7.5", {file: source})

    assert look_in(python).items == []


def test_a_safe_default_that_changed_is_told(tmp_path: Path) -> None:
    python = environment(tmp_path)
    source = "self._model_context = BufferedChatCompletionContext(10)\n"
    file = "autogen_agentchat/agents/_assistant_agent.py"
    install(python, "autogen-agentchat", "0.9", {file: source})

    found = item(look_in(python), "autogen.unbounded")

    assert (found.severity, found.standing) == ("note", "unknown")
    assert found.values[0].value == "BufferedChatCompletionContext"


def test_a_template_is_read_as_it_is_installed(tmp_path: Path) -> None:
    python = environment(tmp_path)
    template = "a: |\n  {% if output.output | length < 9000 %}\n  {{ output.output[:4500] }}\n"
    file = "minisweagent/config/mini.yaml"
    install(python, "mini-swe-agent", "2.4.6", {file: template})

    found = item(look_in(python), "mini-swe-agent.mini")

    assert [(one.value, one.line) for one in found.values] == [("9000", 2), ("4500", 3)]


def test_a_variable_of_yours_wins_over_a_default(tmp_path: Path) -> None:
    python = environment(tmp_path)
    source = "def truncate_tool_output(n):\n    active_max_output = 16 * 1024\n"
    install(python, "inspect-ai", "0.3.285", {"inspect_ai/model/_call_tools.py": source})

    usual = item(look_in(python), "inspect.tool-output").values[0]
    yours = item(
        look_in(python, variables={"INSPECT_EVAL_MAX_TOOL_OUTPUT": "999"}), "inspect.tool-output"
    ).values[0]

    assert (usual.value, usual.chosen) == ("16384", False)
    assert (yours.value, yours.chosen, yours.path) == ("999", True, "your environment")
    assert yours.name == "INSPECT_EVAL_MAX_TOOL_OUTPUT"


def test_worst_comes_first(tmp_path: Path) -> None:
    python = environment(tmp_path)
    install(python, "agno", "3.1.10", {"agno/agent/agent.py": AGNO})
    install(python, "smolagents", "1.26.0", {"smolagents/utils.py": SMOL})

    severities = [one.severity for one in look_in(python).items]

    assert severities[:2] == ["error", "warning"]
    assert set(severities[2:]) == {"note"}


def test_a_document_holds_everything(tmp_path: Path) -> None:
    python = environment(tmp_path)
    install(python, "agno", "3.1.10", {"agno/agent/agent.py": AGNO})

    document = json.loads(json.dumps(look_in(python).to_dict()))

    assert document["installed"][0]["name"] == "agno"
    assert document["code"] is None
    first = document["items"][0]
    assert first["values"][0]["known"] == {"value": "False", "version": "3.1.10, 2026-11"}
    assert first["remedy"].startswith("Agent(")
