"""Trajectories of mini-swe-agent."""

import pytest
from tests.sources.agent_files import Record, calls, judged, only, packed, texts

from ullage.sources.files import read_bytes

FIRST = [
    {"role": "system", "content": "You help."},
    {"role": "user", "content": "Fix it."},
    {"role": "assistant", "content": "I look.\n\n```mswea_bash_command\nls -l\n```"},
    {"role": "user", "content": "<returncode>0</returncode>\n<output>\na\n</output>"},
    {"role": "assistant", "content": "Two:\n```bash\na\n```\n```bash\nb\n```"},
    {"role": "user", "content": "Please give EXACTLY ONE action."},
]
WHOLE = "\n".join(f"row {number}" for number in range(2000))
ANSWER = {
    "model": "gpt-4o",
    "choices": [{"finish_reason": "tool_calls"}],
    "usage": {"prompt_tokens": 100, "completion_tokens": 7},
}


def call(key: str, command: str) -> Record:
    function = {"name": "bash", "arguments": f'{{"command": "{command}"}}'}
    return {"id": key, "type": "function", "function": function}


def output(call_id: str, text: str, raw: str, code: int = 0) -> Record:
    extra = {"raw_output": raw, "returncode": code, "timestamp": 1_760_000_000.5}
    return {"role": "tool", "tool_call_id": call_id, "content": text, "extra": extra}


SECOND = {
    "info": {
        "exit_status": "Submitted",
        "mini_version": "2.4.6",
        "config": {"model": {"model_name": "openai/gpt-4o"}},
    },
    "trajectory_format": "mini-swe-agent-1.1",
    "messages": [
        *FIRST[:2],
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [call("c1", "cat x"), call("c2", "ls")],
            "extra": {"response": ANSWER, "cost": 0.1},
        },
        output("c1", f"<output_head>\n{WHOLE[:495]}\n</output_head>", WHOLE),
        output("c2", "a", "a", code=1),
        {"role": "exit", "content": "a patch", "extra": {"exit_status": "Submitted"}},
    ],
}


def test_the_first_version_is_a_list_of_commands_and_outputs() -> None:
    one = only(packed(FIRST))

    assert calls(one) == [("bash", FIRST[3]["content"], '{"command":"ls -l"}')]
    assert one.entries[5].message.role == "user"  # two blocks are refused: it is no output


def test_later_ones_hold_what_was_put_out_whole() -> None:
    one = only(packed(SECOND))
    first, second = judged(one).results

    assert [tool for tool, _, _ in calls(one)] == ["bash", "bash"]
    assert (one.version, one.model) == ("2.4.6", "openai/gpt-4o")
    assert first.measured is not None
    assert first.measured.produced == WHOLE
    assert first.measured.arrival is not None
    assert 0 < (first.measured.arrival.rate or 0) < 0.05
    assert second.measured is not None
    assert second.measured.arrival is not None
    assert second.measured.arrival.rate == 1
    assert [entry.failed for entry in one.entries] == [False] * 4 + [True, False]


def test_a_reply_brings_its_tokens_and_its_end() -> None:
    entry = only(packed(SECOND)).entries[2]

    assert entry.usage is not None
    assert (entry.usage.input, entry.usage.output) == (100, 7)
    assert (entry.label, entry.model) == ("complete", "gpt-4o")


def test_what_ends_a_run_is_given_to_no_model() -> None:
    one = only(packed(SECOND))

    assert texts(one, [5]) == ["a patch"]
    assert not one.entries[5].in_context
    assert one.unread == {}


def test_in_text_the_outputs_answer_the_actions_in_their_order() -> None:
    document = {
        "trajectory_format": "mini-swe-agent-1.1",
        "messages": [
            {"role": "assistant", "content": "x", "extra": {"actions": [{"command": "ls"}]}},
            {"role": "user", "content": "a", "extra": {"raw_output": "a", "returncode": 0}},
            {"role": "user", "content": "Stop.", "extra": {}},
        ],
    }

    assert calls(only(packed(document))) == [("bash", "a", '{"command":"ls"}')]


@pytest.mark.parametrize(
    "other",
    [
        FIRST[:2],
        [{**one, "name": "x"} for one in FIRST],
        [*FIRST[:3], {"role": "user", "content": "Thank you."}],
        [*FIRST[:2], {"role": "assistant", "content": "Hello."}],
        {"messages": FIRST},
    ],
)
def test_any_other_list_of_messages_is_not_taken_for_one(other: object) -> None:
    assert read_bytes(packed(other), "x").form != "mini-swe-agent"
