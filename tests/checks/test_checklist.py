"""The four silent failures: passed, failed, or not observable."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.checks.exchanges import CHAT, asked, chat, exchange
from tests.checks.exchanges import user as asks
from tests.checks.findings import finding
from tests.checks.sessions import says, session, user

from ullage.checks.checklist import ROWS, Item, checklist
from ullage.checks.measure import Run, measure_exchanges
from ullage.checks.observable import Observable, observable
from ullage.checks.transcripts import measurement_of, session_of
from ullage.transcript.finding import Finding
from ullage.transcript.transcript import Compaction

EVERYTHING = Observable(follow_ups=4, results=3, results_known=3, replies=5, compactions=0)


def statuses(can: Observable, *findings: Finding) -> dict[str, str]:
    return {one.failure: one.status for one in checklist(can, findings)}


def only(failure: str, can: Observable, *findings: Finding) -> Item:
    (found,) = [one for one in checklist(can, findings) if one.failure == failure]
    return found


def test_of_nothing_nothing_can_be_said() -> None:
    assert set(statuses(Observable()).values()) == {"not observable"}


def test_what_could_have_shown_and_did_not_passes() -> None:
    assert set(statuses(EVERYTHING).values()) == {"pass"}


@pytest.mark.parametrize(
    ("check", "failure"),
    [(check, failure) for failure, row in ROWS.items() for check in sorted(row.checks)],
)
def test_a_finding_fails_its_failure_however_little_was_seen(check: str, failure: str) -> None:
    found = only(failure, Observable(), finding(check))

    assert (found.status, found.found) == ("fail", {check: 1})


def test_each_check_shows_one_failure_at_most() -> None:
    every = [check for row in ROWS.values() for check in row.checks]

    assert len(every) == len(set(every))


def test_a_note_is_no_failure() -> None:
    assert statuses(EVERYTHING, finding("context-edited", severity="note")) == statuses(EVERYTHING)


def test_one_request_shows_no_trimming() -> None:
    assert statuses(Observable(replies=1))["history-trimmed"] == "not observable"


def test_results_that_were_only_delivered_show_no_cut() -> None:
    found = only("result-cut", Observable(results=7))

    assert found.status == "not observable"
    assert "of 7 only what was delivered is known" in found.why


def test_results_of_which_some_are_known_are_judged_by_those() -> None:
    found = only("result-cut", Observable(results=7, results_known=2))

    assert (found.status, found.judged) == ("pass", 2)
    assert "of 5 more" in found.why


def test_results_that_show_by_themselves_that_they_were_cut_fail() -> None:
    found = only("result-cut", Observable(results=7, results_shortened=3))

    assert (found.status, found.found) == ("fail", {})
    assert "3 show by themselves" in found.why


def test_a_history_that_only_grew_was_not_summarised() -> None:
    assert statuses(Observable(follow_ups=2))["history-summarised"] == "pass"


def test_a_history_that_changed_may_have_been_summarised() -> None:
    found = statuses(Observable(follow_ups=2), finding("prefix-broken", severity="warning"))

    assert found["history-trimmed"] == "fail"
    assert found["history-summarised"] == "not observable"


def test_recorded_compactions_are_what_is_judged() -> None:
    can = Observable(follow_ups=2, compactions=3)
    changed = finding("prefix-broken", severity="warning")

    found = only("history-summarised", can, changed)

    assert (found.status, found.judged, found.unit) == ("pass", 3, "compaction")


def test_every_item_has_a_defence_and_a_reason() -> None:
    for can in (Observable(), EVERYTHING):
        assert all(one.defence and one.why for one in checklist(can, []))
    assert json.dumps([one.to_dict() for one in checklist(EVERYTHING, [])])


def measured(*turns: tuple[Any, Any]) -> Observable:
    return observable(
        measure_exchanges(
            exchange(CHAT, request, reply, number)
            for number, (request, reply) in enumerate(turns, start=1)
        )
    )


def test_recorded_exchanges_say_what_can_be_judged_of_them() -> None:
    first = [asks("list")]
    then = [*first, {"role": "assistant", "content": "a"}, asks("more")]

    can = measured((asked(*first), chat(content="a")), (asked(*then), chat(content="b")))

    assert can == Observable(follow_ups=1, replies=2)


def test_one_exchange_of_a_conversation_has_nothing_before_it() -> None:
    can = measured((asked(asks("list")), chat(content="a")))

    assert (can.follow_ups, can.replies, can.compactions) == (0, 1, None)


def test_a_reply_without_a_reason_is_not_counted() -> None:
    can = measured((asked(asks("list")), {"choices": [{"message": {"content": "a"}}]}))

    assert can.replies == 0


def test_a_transcript_shows_no_trimming_and_what_its_replies_say() -> None:
    whole = session(user("a"), says("b"), user("c"), says("d"), compactions=[Compaction(at=2)])
    told = replace(whole.transcript.entries[1], finish_reason="stop")
    kept = [whole.transcript.entries[0], told, *whole.transcript.entries[2:]]
    one = session_of(replace(whole.transcript, entries=kept))

    can = observable(Run(measurement=measurement_of(one), sessions=[one]))

    assert can == Observable(follow_ups=0, replies=1, compactions=1)


def test_two_inputs_are_judged_together() -> None:
    one = Observable(follow_ups=1, results=2, results_known=1, replies=3)

    assert one.plus(Observable()) == one
    assert one.plus(one).replies == 6
    assert one.plus(Observable(compactions=2)).plus(Observable(compactions=1)).compactions == 3
