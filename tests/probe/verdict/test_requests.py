"""Which requests are the acting model's, and which are asked beside it."""

import pytest
from tests.probe.toy import Raw, Toy

from ullage.probe.canary import prompt
from ullage.probe.case import Case
from ullage.probe.script import Turn
from ullage.probe.verdict.requests import Story, guess

SYSTEM: Raw = {"role": "system", "content": "You are a helpful agent."}
MEMORY: Raw = {"role": "system", "content": "You look after the memory of an agent."}
SCAN = "Scan the conversation that is in your context, and update the memory's files. " * 4


def tools(*names: str) -> list[Raw]:
    return [{"type": "function", "function": {"name": name}} for name in names]


def told() -> tuple[Toy, list[Raw]]:
    """Return a toy with one request of the acting model, and the messages after it."""
    case = Case(tag="r", kind="history", turns=3, size=0)
    toy = Toy(case=case)
    said: Raw = {"role": "user", "content": prompt(case, 0)}
    toy.send([SYSTEM, said], Turn(text="noted"))
    return toy, [said, {"role": "assistant", "content": "noted"}]


@pytest.mark.parametrize("with_the_users_words", [True, False])
def test_an_instruction_of_the_system_behind_all_asks_for_a_summary(
    with_the_users_words: bool,
) -> None:
    toy, history = told()
    asked: Raw = {"role": "system", "content": "Provide a summarization of the entire dialog."}
    shown = history if with_the_users_words else history[1:]
    toy.send([*shown, asked], Turn(text="Summary"), tools=False)

    story = Story(toy.observed())

    assert [one.number for one in story.acting] == [1]
    assert [one.number for one in story.auxiliary] == [2]


def test_a_reminder_of_the_system_behind_all_is_for_the_acting_model() -> None:
    toy, history = told()
    toy.send([SYSTEM, *history, {"role": "system", "content": "Be brief."}], Turn(text="done"))

    assert len(Story(toy.observed()).acting) == 2


def test_an_agent_that_looks_after_the_memory_is_beside_the_acting_one() -> None:
    toy, history = told()
    toy.send([MEMORY, *history, {"role": "user", "content": SCAN}], Turn(text="done"))
    toy.asked[-1].body["tools"] = tools("read_file", "fetch_rows")

    story = Story(toy.observed())

    assert [one.number for one in story.acting] == [1]
    assert [(one.number, guess(story, one)) for one in story.beside] == [(2, "other")]


def test_an_agent_that_is_only_told_to_go_on_is_the_acting_one() -> None:
    toy, history = told()
    toy.send([SYSTEM, *history, {"role": "user", "content": SCAN}], Turn(text="done"))
    toy.asked[-1].body["tools"] = tools("fetch_rows", "one_more")

    story = Story(toy.observed())

    assert len(story.acting) == 2
    assert not story.beside


def test_a_helper_that_is_not_given_the_conversation_is_no_agent_beside_it() -> None:
    toy, _ = told()
    toy.send([MEMORY, {"role": "user", "content": SCAN}], Turn(text="done"))
    toy.asked[-1].body["tools"] = tools("fetch_rows", "read_file")

    assert not Story(toy.observed()).beside
