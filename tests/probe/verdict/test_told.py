"""What stands in the place of lost turns is graded by what it says of them."""

import pytest
from tests.probe.toy import Raw, Toy

from ullage.probe.case import Case
from ullage.probe.script import Turn
from ullage.probe.verdict.judge import judge
from ullage.probe.verdict.told import graded


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        ("12 messages were left out", "counted"),
        ("Skipped 12 earlier messages", "counted"),
        ("[messages omitted: 12]", "counted"),
        ("12 of 40 are shown", "counted"),
        ("The oldest 30% is gone", "counted"),
        ("4.5 KB of the history were dropped", "counted"),
        ("the south depot ships 40 pallets on Monday", "said"),
        ("Summarise in a text that does not exceed 5 sentences", "said"),
        ("Written at 12:30, version 2", "said"),
        ("Limited to 20 messages", "said"),
        ("12 turns are in /tmp/history.md: read it", "way-back"),
        ("The output of fetch_rows was removed, call it again", "said"),
        ("", "none"),
    ],
)
def test_a_number_counts_beside_what_histories_are_made_of(text: str, grade: str) -> None:
    assert graded(text).grade == grade


@pytest.mark.parametrize(
    ("role", "around", "text"),
    [
        ("user", "What was said before:\n", "What was said before:"),
        ("assistant", "", "Summary. The user told of a depot, and of pallets."),
    ],
)
def test_a_summary_says_that_something_is_gone(role: str, around: str, text: str) -> None:
    summary = "Summary. The user told of a depot, and of pallets."
    toy = Toy(case=Case(tag="s", kind="history", turns=4, size=0))

    def before(_: Toy, old: list[Raw], new: list[Raw]) -> None:
        asked: Raw = {"role": "user", "content": "Write a summary of this conversation: nothing"}
        toy.send([asked], Turn(text=summary), tools=False)

    def trim(messages: list[Raw]) -> list[Raw]:
        note: Raw = {"role": role, "content": f"{around}{summary}"}
        return [note, *messages[-1:]] if len(messages) > 3 else messages

    toy.trim, toy.before = trim, before
    history = judge(toy.run()).history

    assert history is not None
    assert (history.notice.grade, history.notice.text) == ("said", text)


def test_the_numbers_in_a_summary_are_no_number_of_what_is_gone() -> None:
    summary = "Summary. The user told of 12 messages, 40 pallets, 3 results, and of a depot."
    toy = Toy(case=Case(tag="s", kind="history", turns=4, size=0))

    def before(_: Toy, old: list[Raw], new: list[Raw]) -> None:
        asked: Raw = {"role": "user", "content": "Write a summary of this conversation: nothing"}
        toy.send([asked], Turn(text=summary), tools=False)

    def trim(messages: list[Raw]) -> list[Raw]:
        note: Raw = {"role": "user", "content": f"What was said before:\n{summary}"}
        return [note, *messages[-1:]] if len(messages) > 3 else messages

    toy.trim, toy.before = trim, before
    history = judge(toy.run()).history

    assert history is not None
    assert (history.notice.grade, history.notice.text) == ("said", "What was said before:")
