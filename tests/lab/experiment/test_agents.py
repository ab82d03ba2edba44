"""What an agent may know, and that no delivered text can crash it."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lab.experiment.ran import CLASSES, world

import ullage.lab.experiment.agents
from ullage.lab.experiment.agents.policy import scripted
from ullage.lab.experiment.agents.reading import read
from ullage.lab.experiment.agents.style import STYLES
from ullage.lab.experiment.turn import Turn

AGENTS = Path(ullage.lab.experiment.agents.__file__).parent
ALLOWED = {"ullage.lab.experiment.turn"}
LISTED = json.dumps(
    world(CLASSES["resident quiet"]).ask("list_containers", {}), separators=(",", ":")
)


def imported(source: str) -> set[str]:
    """Every module of ours that a source imports, at any depth of its code."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return {name for name in found if name.startswith("ullage")}


def foreign(source: str) -> set[str]:
    """What a module of an agent imports that is neither an agent's nor the form of a turn."""
    own = "ullage.lab.experiment.agents"
    return {
        name
        for name in imported(source)
        if not name.startswith(own)
        and not any(name == one or name.startswith(f"{one}.") for one in ALLOWED)
    } - {"ullage.lab.experiment"}


@pytest.mark.parametrize("path", sorted(AGENTS.rglob("*.py")), ids=lambda path: path.stem)
def test_an_agent_imports_agents_and_turns_alone(path: Path) -> None:
    assert foreign(path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("module", ["environment.truth", "experiment.arms", "experiment.key"])
def test_an_import_of_truth_or_arms_is_seen(module: str) -> None:
    assert foreign(f"def f():\n    from ullage.lab.{module} import anything")
    assert foreign(f"import ullage.lab.{module}")


def asked(listing: str, *more: tuple[str, dict[str, Any], str]) -> dict[str, Any]:
    """A request of the investigating stage with these results in it."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Which one?"}]
    for number, (tool, arguments, text) in enumerate([("list_containers", {}, listing), *more]):
        function = {"name": tool, "arguments": json.dumps(arguments)}
        call = {"id": str(number), "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": str(number), "content": text})
    return {"messages": messages, "tools": [{"function": {"name": "record_finding"}}]}


def texts() -> st.SearchStrategy[str]:
    return st.one_of(
        st.text(),
        st.integers(0, len(LISTED)).map(lambda end: LISTED[:end]),
        st.integers(0, len(LISTED)).map(lambda begin: LISTED[begin:]),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["rows", "pid", "count", "wait_ms"]), inner)
            ),
            max_leaves=8,
        ).map(json.dumps),
    )


@given(texts(), texts(), st.sampled_from(sorted(STYLES)))
def test_no_delivered_text_crashes_an_agent(listing: str, table: str, style: str) -> None:
    ranked = ("compute", {"source": "events", "group": ["pid", "comm"]}, table)
    states = ("thread_states", {"pid": 7}, table)

    assert isinstance(scripted(style, seed=1)(asked(listing, ranked, states)), Turn)


@given(st.integers(0, len(LISTED)))
def test_every_whole_record_of_a_broken_listing_is_read(end: int) -> None:
    found = read(LISTED[:end])

    assert len(found.rows) == LISTED[:end].count("}") - (end == len(LISTED))
    assert found.whole == (end == len(LISTED))


@pytest.mark.parametrize("text", ["", "{", "[" * 5000, "{'a': [...]}", '{"error": "no such pid"}'])
def test_what_is_no_whole_result_is_not_taken_for_one(text: str) -> None:
    assert not read(text).whole


def test_what_is_asked_decides_and_nothing_that_was_asked_before() -> None:
    agent, body = scripted("retries", seed=3), asked(LISTED)

    first = agent(body)
    agent(asked("{"))

    assert agent(body) == first


def test_an_agent_that_there_is_none_of_is_named() -> None:
    with pytest.raises(ValueError, match="there is no agent 'luck'; there are retries, gives-up"):
        scripted("luck", seed=1)


@pytest.mark.parametrize(("style", "said"), [("retries", "unknown"), ("guesses", "none")])
def test_without_a_finding_only_one_style_claims_to_know(style: str, said: str) -> None:
    body = {
        "messages": [{"role": "user", "content": "Which one?"}],
        "tools": [{"function": {"name": "answer"}}],
    }

    (call,) = scripted(style, seed=1)(body).calls
    assert call.arguments == {"culprit": said}
