"""What the adapters of all frameworks do with a history."""

import logging
from typing import Any

import pytest

from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.entries import Entry, Fitted, messages_of
from ullage.integrate.adapters.fitting import Fitting


def conversation(turns: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"role": "system", "content": "Help."}]
    for turn in range(turns):
        call = {
            "id": f"c{turn}",
            "type": "function",
            "function": {"name": "orders", "arguments": "{}"},
        }
        found += [
            {"role": "user", "content": f"Question {turn}."},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{turn}", "content": f"row {turn} " * 400},
            {"role": "assistant", "content": f"Answer {turn}."},
        ]
    return found


def fit(adapter: Adapter, messages: list[dict[str, Any]]) -> Fitted:
    found = adapter.history({"messages": messages})
    assert found is not None
    return found


def test_a_history_is_left_alone_without_a_budget() -> None:
    assert Adapter(Fitting()).history({"messages": conversation(1)}) is None


def test_a_history_within_its_budget_is_all_that_was_given() -> None:
    fitted = fit(Adapter(Fitting(history=100_000)), conversation(3))

    assert not fitted.changed
    assert fitted.entries == tuple(Entry(place=place) for place in range(13))


def test_what_is_untouched_is_named_by_its_place() -> None:
    messages = conversation(12)
    fitted = fit(Adapter(Fitting(history=5_000)), messages)

    assert fitted.changed
    sent = messages_of(messages, fitted.entries)
    kept = [one for one in fitted.entries if one.message is None and one.place is not None]
    assert [message for message in sent if any(message is one for one in messages)] == [
        messages[one.place or 0] for one in kept
    ]
    assert fitted.entries[0] == Entry(place=0)
    assert fitted.entries[-1] == Entry(place=len(messages) - 1)


def test_what_was_done_to_the_beginning_is_remembered() -> None:
    adapter = Adapter(Fitting(history=5_000))
    messages = conversation(12)
    first = fit(adapter, messages)
    longer = [*messages, {"role": "user", "content": "One more."}]

    second = fit(adapter, longer)

    assert second.entries[: len(first.entries)] == first.entries
    assert second.entries[-1] == Entry(place=len(messages))


def test_another_time_of_day_in_the_system_text_is_the_same_beginning() -> None:
    adapter = Adapter(Fitting(history=5_000))
    messages = conversation(12)
    first = fit(adapter, messages)

    again = fit(adapter, [{"role": "system", "content": "It is 12:01."}, *messages[1:]])

    assert again.entries == first.entries
    assert not again.compacted.changed


def test_events_name_messages_by_their_places_in_what_was_given() -> None:
    adapter = Adapter(Fitting(history=5_000))
    messages = conversation(12)
    fit(adapter, messages)
    longer = [*messages, *conversation(10)[1:]]

    second = fit(adapter, longer)

    gone = {at for event in second.events if event.action == "trim" for at in event.messages}
    sent = {one.place for one in second.entries}
    assert gone
    assert gone & sent == set()


def test_a_shortened_history_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="ullage"):
        fit(Adapter(Fitting(history=5_000)), conversation(12))

    assert any(record.name == "ullage.history" for record in caplog.records)


def test_a_body_without_messages_is_refused() -> None:
    with pytest.raises(ValueError, match="messages, input, contents"):
        Adapter(Fitting(history=5_000)).history({"prompt": "?"})


def test_what_is_marked_stays_protected_in_every_compaction_and_is_sent_without_its_mark() -> None:
    adapter = Adapter(Fitting(history=5_000))
    marked = {"role": "user", "content": "Never touch table 9.", "protected": True}
    messages = [*conversation(1), marked]
    for _ in range(4):
        messages = [*messages, *conversation(6)[1:]]
        sent = messages_of(messages, fit(adapter, messages).entries)

        assert {"role": "user", "content": "Never touch table 9."} in sent
        assert marked not in sent
