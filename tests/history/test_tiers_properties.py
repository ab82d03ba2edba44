"""Any history in: pairs intact, protected kept, budget kept, events add up, twice is once."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.history.spelled import (
    SPELLINGS,
    SYSTEM,
    Body,
    Call,
    Reply,
    Turn,
    User,
    messages_of,
    size,
    unpaired,
)

from ullage.errors import HistoryError
from ullage.history.compact import compact
from ullage.history.compacted import ACTING, Compacted

WORDS = st.sampled_from(
    [
        "Move the queue to cluster c4.",
        "Ok.",
        "Never push to main.",
        "Page 3 of 9.",
        "é中😀.",
        "Line src/shop/move.py:41 is wrong.",
        "See commit 1f0a77c2b3d4e5f6.",
        "It ended with exit code: 1.",
        "[ullage: x].",
    ]
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)
RESULTS = st.one_of(
    TEXTS,
    st.integers(20, 300).map(lambda n: "\n".join(f"step {i} of {n} ok" for i in range(n))),
    st.integers(5, 250).map(lambda n: json.dumps([{"id": i, "v": i * 7} for i in range(n)])),
    st.just(
        "Traceback (most recent call last):\n"
        '  File "a.py", line 3, in <module>\n    move(1)\nValueError: no room on c4\nexit code: 1'
    ),
    st.integers(10, 200).map(lambda n: "\n".join(f"srv/data/part-{i}.dat" for i in range(n))),
    st.integers(0, 100).map(lambda n: f"Downloading ({n}%)\n" * n + "done"),
)
LOST = st.one_of(RESULTS, RESULTS, RESULTS, RESULTS, st.none())
CALLS = st.builds(
    Call,
    name=st.sampled_from(["bash", "read_file", "list_files"]),
    arguments=st.fixed_dictionaries({"path": st.sampled_from(["a.py", "b.py", "srv/data"])}),
    result=LOST,
)
REPLIES = st.builds(Reply, text=TEXTS, calls=st.lists(CALLS, max_size=3).map(tuple))
TURNS = st.lists(st.one_of(REPLIES, REPLIES, TEXTS.map(User)), min_size=3, max_size=20)
HISTORIES = TURNS.map(lambda turns: [User("List the late orders of May."), *turns])
FORMS = st.sampled_from(sorted(SPELLINGS))
UNITS = st.sampled_from(["tokens", "chars", "messages"])
TIERS = st.sampled_from(["T1", "T2", "T3", "T4"])
SHARES = st.sampled_from([0.15, 0.4, 0.61, 0.9, 1.0])


def summary(_: object) -> str:
    return "The orders were listed, page by page."


def shortened(body: Body, budget: int, **options: Any) -> Compacted | None:
    """What came out; None where it was said that what must stay is too large."""
    try:
        return compact(body, budget, **options)
    except HistoryError:
        return None


def budget_of(body: Body, share: float, unit: Any) -> int:
    whole = compact(body, 1, tier="T0", unit=unit)
    return max(1, int(whole.before.cost * share))


@settings(max_examples=150)
@given(turns=HISTORIES, form=FORMS, unit=UNITS, tier=TIERS, share=SHARES)
def test_whatever_the_history_its_pairs_task_and_budget_are_kept(
    turns: list[Turn], form: str, unit: Any, tier: Any, share: float
) -> None:
    body = SPELLINGS[form](turns)
    before = json.dumps(body)
    budget = budget_of(body, share, unit)

    done = shortened(body, budget, unit=unit, tier=tier, summariser=summary)

    assert json.dumps(body) == before
    if done is None:
        return
    after: Any = done.body
    messages = messages_of(after)
    assert done.fits
    taken = {"chars": size(messages), "messages": len(messages)}.get(unit, 0)
    assert taken <= budget
    assert compact(after, 1, tier="T0", unit=unit).before.cost <= done.after.cost
    assert unpaired(messages) == []
    assert SYSTEM in json.dumps(after)
    users = [
        one for one in messages_of(body) if one.get("role") == "user" and "List the" in str(one)
    ]
    assert users[0] in messages
    for place, message in zip(done.trail, done.messages, strict=True):
        if place is not None and message == messages_of(body)[place]:
            assert message is messages_of(body)[place]


@settings(max_examples=150)
@given(turns=HISTORIES, form=FORMS, unit=UNITS, tier=TIERS, share=SHARES)
def test_the_events_add_up_to_the_difference(
    turns: list[Turn], form: str, unit: Any, tier: Any, share: float
) -> None:
    body = SPELLINGS[form](turns)

    done = shortened(body, budget_of(body, share, unit), unit=unit, tier=tier, summariser=summary)

    if done is None:
        return
    assert done.events
    tokens, cost = done.before.tokens, done.before.cost
    for one in done.events:
        assert (one.tokens_before, one.before) == (tokens, cost)
        tokens, cost = one.tokens_after, one.after
        assert one.action in ACTING or (one.before, one.tokens_before) == (cost, tokens)
        assert one.what
        assert one.why
    assert (done.after.tokens, done.after.cost) == (tokens, cost)
    assert sum(one.before for one in done.table) == done.before.tokens
    assert sum(one.after for one in done.table) == done.after.tokens


@settings(max_examples=150)
@given(turns=HISTORIES, form=FORMS, unit=UNITS, tier=TIERS, share=SHARES)
def test_a_second_compaction_changes_nothing(
    turns: list[Turn], form: str, unit: Any, tier: Any, share: float
) -> None:
    body = SPELLINGS[form](turns)
    budget = budget_of(body, share, unit)
    done = shortened(body, budget, unit=unit, tier=tier, summariser=summary)
    if done is None:
        return

    again = compact(done.body, budget, unit=unit, tier=tier, summariser=summary)

    refused = any(one.action == "refused" for one in done.events)
    may = {"nothing", "refused"} if refused else {"nothing"}
    assert {one.action for one in again.events} <= may
    assert again.body == done.body


@settings(max_examples=60)
@given(turns=HISTORIES, form=FORMS, tier=TIERS, share=SHARES)
def test_rules_and_stacks_of_what_left_stay_word_for_word(
    turns: list[Turn], form: str, tier: Any, share: float
) -> None:
    body = SPELLINGS[form](turns)
    done = shortened(body, budget_of(body, share, "tokens"), tier=tier, summariser=summary)
    if done is None:
        return
    ruled = any(isinstance(one, User) and "Never push to main." in one.text for one in turns)
    failed = any(
        call.result is not None and "ValueError: no room on c4" in call.result
        for one in turns
        if isinstance(one, Reply)
        for call in one.calls
    )
    text = json.dumps(done.body)
    assert "Never push to main." in text or not ruled
    assert "ValueError: no room on c4" in text or not failed


@pytest.mark.parametrize("form", sorted(SPELLINGS))
def test_a_result_of_a_call_that_is_still_open_is_waited_for(form: str) -> None:
    turns: list[User | Reply] = [
        User("Go on."),
        Reply("", (Call("bash", {}, "x " * 400),)),
        Reply("", (Call("ls", {}, None),)),
    ]
    body = SPELLINGS[form](turns)

    done = compact(body, budget_of(body, 0.5, "tokens"), tier="T1")

    assert messages_of(done.body)[-1] == messages_of(body)[-1]  # type: ignore[arg-type]  # a body
