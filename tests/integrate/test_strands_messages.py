"""Strands' messages as Anthropic's and back: nothing is lost, and what says the same stays."""

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ullage.history.compact import compact
from ullage.integrate.adapters.entries import Entry
from ullage.integrate.adapters.strands_messages import KIND, as_anthropic, as_messages

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def history(texts: list[str]) -> list[dict[str, Any]]:
    """A task, then steps of two calls whose results stand in one message."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": [{"text": "List them."}]}]
    for n, text in enumerate(texts):
        ids = [f"c{n}a", f"c{n}b"]
        uses = [{"toolUse": {"toolUseId": one, "name": "rows", "input": {"n": n}}} for one in ids]
        messages.append({"role": "assistant", "content": [{"text": f"Step {n}."}, *uses]})
        blocks = [
            {"toolResult": {"toolUseId": ids[0], "status": "success", "content": [{"text": text}]}},
            {
                "toolResult": {
                    "toolUseId": ids[1],
                    "status": "success",
                    "content": [{"json": {"n": text}}, {"image": {"format": "png"}}],
                }
            },
        ]
        messages.append({"role": "user", "content": blocks})
    return messages


@given(texts=st.lists(TEXTS, max_size=4))
def test_what_is_not_touched_comes_back_as_the_very_objects(texts: list[str]) -> None:
    given_ = history(texts)
    before = copy.deepcopy(given_)
    said = as_anthropic(given_)
    entries = [Entry(place=place) for place in range(len(given_))]

    back = as_messages(given_, said, entries)

    assert all(one is other for one, other in zip(back, given_, strict=True))
    assert as_messages(given_, said, [Entry(place=n, message=m) for n, m in enumerate(said)]) == (
        given_
    )
    assert given_ == before


@given(texts=st.lists(TEXTS.map(lambda text: text * 40), min_size=6, max_size=10))
def test_after_a_compaction_calls_and_results_are_still_pairs(texts: list[str]) -> None:
    given_ = history(texts)
    said = as_anthropic(given_)
    done = compact({"messages": said, "system": "", "max_tokens": 10}, 900, tier="T1")
    entries = [
        Entry(place=place, message=None if place is not None and one is said[place] else one)
        for place, one in zip(done.trail, done.messages, strict=True)
    ]

    back = as_messages(given_, said, entries)

    blocks = [block for one in back for block in one["content"]]
    uses = [one["toolUse"]["toolUseId"] for one in blocks if "toolUse" in one]
    results = [one["toolResult"]["toolUseId"] for one in blocks if "toolResult" in one]
    assert sorted(uses) == sorted(results)
    assert all(set(one) & {"text", "toolUse", "toolResult", "image"} for one in blocks)


def test_a_pinned_message_is_marked_as_protected() -> None:
    pinned = {"role": "user", "content": [{"text": "x"}], "metadata": {"custom": {"pinned": True}}}

    assert as_anthropic([pinned])[0]["protected"] is True
    assert "protected" not in as_anthropic([{**pinned, "metadata": {}}])[0]


def test_a_reworded_result_keeps_its_status_and_the_blocks_beside_it() -> None:
    given_ = history(["one"])
    said = as_anthropic(given_)
    other = copy.deepcopy(said[2])
    other["content"][0]["content"] = "[gone]"

    (back,) = as_messages(given_, said, [Entry(place=2, message=other)])

    assert back["content"][0]["toolResult"] == {
        "toolUseId": "c0a",
        "status": "success",
        "content": [{"text": "[gone]"}],
    }
    assert back["content"][1] is given_[2]["content"][1]


def test_results_in_a_users_message_are_not_what_a_user_said() -> None:
    task, reply, results = history(["one"])

    assert [KIND.is_user(one) for one in (task, reply, results)] == [True, False, False]
