"""Trajectories of SWE-agent."""

from collections.abc import Sequence

import pytest
from tests.sources.agent_files import (
    Record,
    calls,
    judged,
    only,
    packed,
    post,
    pre,
    sessions,
    texts,
)

from ullage.transcript.transcript import Transcript

SYSTEM = {"role": "system", "content": "You fix.", "agent": "main", "message_type": "system_prompt"}
TASK = {"role": "user", "content": "Fix it.", "agent": "main", "message_type": "observation"}
SIZES = (3, 5, 2, 4, 6)
"""Lines that the commands of the run put out."""


def observed(step: int) -> str:
    return "\n".join(f"step {step} line {line}" for line in range(SIZES[step]))


def given(step: int) -> str:
    return f"OBSERVATION:\n{observed(step)}"


def omitted(step: int) -> str:
    lines = len(given(step).splitlines())
    return f"Old environment output: ({lines} lines omitted)"


def action(step: int, *, calling: bool) -> Record:
    called = {"name": "bash", "arguments": f'{{"command":"run {step}"}}'}
    more = {"tool_calls": [{"id": f"call_{step}", "type": "function", "function": called}]}
    return {
        "role": "assistant",
        "content": f"I do {step}",
        "thought": f"I do {step}",
        "action": f"run {step}",
        "agent": "main",
        "message_type": "action",
        **(more if calling else {}),
    }


def observation(step: int, *, calling: bool) -> Record:
    more = {"role": "tool", "tool_call_ids": [f"call_{step}"]} if calling else {"role": "user"}
    text = {"content": given(step), "agent": "main", "message_type": "observation"}
    return {**text, **more}


def history(count: int, *, calling: bool = True) -> list[Record]:
    turns = [
        one
        for step in range(count)
        for one in (action(step, calling=calling), observation(step, calling=calling))
    ]
    return [SYSTEM, TASK, *turns]


def prompt(step: int, keep: int, *, calling: bool = True) -> list[Record]:
    """What the last N observations, and no more, leave of the history before a step."""
    elided = range(max(0, step - keep))
    place = {3 + 2 * one: one for one in elided}
    return [
        {**one, "content": omitted(place[number])} if number in place else one
        for number, one in enumerate(history(step, calling=calling))
    ]


def trajectory(
    count: int, keep: int | None = None, member: str = "query", *, calling: bool = True
) -> bytes:
    steps: list[Record] = [
        {
            "action": f"run {step}",
            "observation": observed(step),
            "response": f"I do {step}",
            "thought": f"I do {step}",
            "state": {},
        }
        for step in range(count)
    ]
    for step, one in enumerate(steps):
        if keep is not None:
            asked = step if member == "query" else step + 1
            one[member] = prompt(asked, keep, calling=calling)
    whole = history(count, calling=calling)
    return packed({"environment": "swe_main", "trajectory": steps, "history": whole, "info": {}})


@pytest.mark.parametrize("calling", [True, False])
def test_a_result_answers_the_action_before_it(calling: bool) -> None:
    one = only(trajectory(2, calling=calling))

    arguments = '{"command":"run %d"}'
    assert calls(one) == [
        ("bash", given(0), arguments % 0),
        ("bash", given(1), arguments % 1),
    ]
    assert [entry.message.role for entry in one.entries][:4] == [
        "system",
        "user",
        "assistant",
        "tool",
    ]
    assert one.compactions == []


def test_what_the_environment_returned_is_what_was_produced() -> None:
    cut = history(1)
    whole = "\n".join(f"row {number}" for number in range(1000))
    cut[3]["content"] = whole.partition("row 100\n")[0] + "<response clipped>"
    step = {"action": "run 0", "observation": whole, "response": "I do 0"}

    (result,) = judged(only(packed({"trajectory": [step], "history": cut}))).results

    assert result.measured is not None
    assert result.measured.produced == whole
    assert result.measured.arrival is not None
    assert result.measured.arrival.rate == pytest.approx(0.1)


def elisions(one: Transcript) -> list[list[str]]:
    return [texts(one, compaction.cleared) for compaction in one.compactions]


@pytest.mark.parametrize("calling", [True, False])
def test_what_leaves_between_two_prompts_is_a_compaction(calling: bool) -> None:
    one = only(trajectory(4, keep=2, calling=calling))

    # The last N are kept: at the fourth prompt the first of three went.
    assert elisions(one) == [[given(0)]]
    (compaction,) = one.compactions
    assert (compaction.act, compaction.recorded) == ("elide", False)
    whole = ["You fix.", "Fix it.", "I do 0", given(0), "I do 1", given(1), "I do 2", given(2)]
    assert pre(one) == post(one) == whole
    assert one.entries[compaction.at].message.text == "I do 3"
    assert len(calls(one)) == 4


def test_older_files_hold_the_prompt_of_the_next_step() -> None:
    one = only(trajectory(4, keep=1, member="messages"))

    assert elisions(one) == [[given(0)], [given(1)]]
    assert [one.entries[each.at].message.text for each in one.compactions] == ["I do 2", "I do 3"]


def test_what_was_delivered_is_what_the_first_prompt_with_it_said() -> None:
    def without(prompts: Sequence[Record]) -> list[Record]:
        return [
            {**one, "content": "Old environment output: (4 lines omitted)"}
            if one["content"] == given(0)
            else one
            for one in prompts
        ]

    steps = [
        {"action": f"run {step}", "observation": observed(step), "response": f"I do {step}"}
        | {"query": without(history(step))}
        for step in range(3)
    ]
    one = only(packed({"trajectory": steps, "history": history(3)}))

    assert calls(one)[0][1] == "Old environment output: (4 lines omitted)"
    assert one.compactions == []
    (first, *_) = judged(one).results
    assert first.measured is not None
    assert first.measured.arrival is not None
    assert first.measured.arrival.rate == 0


def test_messages_that_a_prompt_left_out_are_trimmed() -> None:
    steps = [
        {"action": f"run {step}", "observation": observed(step), "response": f"I do {step}"}
        | {"query": history(step)}
        for step in range(4)
    ]
    steps[3]["query"] = [*history(3)[:2], *history(3)[6:]]
    one = only(packed({"trajectory": steps, "history": history(4)}))

    (compaction,) = one.compactions
    assert compaction.act == "trim"
    whole = ["You fix.", "Fix it.", "I do 0", given(0), "I do 1", given(1), "I do 2", given(2)]
    assert pre(one) == whole
    assert post(one) == ["You fix.", "Fix it.", "I do 2", given(2)]


def test_a_retry_that_only_one_prompt_holds_changes_nothing() -> None:
    steps = [
        {"action": f"run {step}", "observation": observed(step), "response": f"I do {step}"}
        | {"query": history(step)}
        for step in range(3)
    ]
    retry = [
        {"role": "assistant", "content": "not a call"},
        {"role": "user", "content": "That did not parse."},
    ]
    steps[2]["query"] = [*history(2), *retry]
    one = only(packed({"trajectory": steps, "history": history(3)}))

    assert one.compactions == []
    assert len(one.entries) == 8


def test_a_demonstration_is_no_run_of_its_own() -> None:
    demo = [{**one, "is_demo": True} for one in history(2)[2:]]
    whole = [SYSTEM, *demo, TASK, *history(1)[2:]]
    steps = [{"action": "run 0", "observation": observed(0), "response": "I do 0"}]
    one = only(packed({"trajectory": steps, "history": whole}))

    assert len(one.entries) == 8
    assert calls(one) == [("bash", given(0), '{"command":"run 0"}')]


def test_commands_of_its_own_are_tools_in_text_too() -> None:
    whole = history(1, calling=False)
    whole[2]["action"] = "open src/a.py 12\n"
    one = only(packed({"history": whole}))

    assert [tool for tool, _, _ in calls(one)] == ["open"]


def test_each_attempt_is_a_run() -> None:
    attempt = {"trajectory": [{"action": "", "observation": ""}], "history": history(1)}
    found = sessions(packed({"attempts": [attempt, attempt], **attempt}))

    assert [one.session for one in found] == ["x#1", "x#2"]


@pytest.mark.parametrize(
    ("info", "outcome"),
    [({"resolved": True}, 1.0), ({"score": 0.5}, 0.5), ({"exit_status": "submitted"}, None)],
)
def test_only_an_evaluation_says_how_it_went(info: Record, outcome: float | None) -> None:
    document = {"trajectory": [{"action": "", "observation": ""}], "history": history(1)}

    assert only(packed({**document, "info": info})).outcome == outcome
