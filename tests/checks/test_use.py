"""What was made of what had arrived."""

import json
from collections.abc import Sequence

import pytest
from tests.checks.sessions import calls, gives, says, session, user

from ullage.checks import (
    answer_count,
    answer_covers_less,
    counter_wrong,
    handles,
    refetch,
    secret_in_clear,
)
from ullage.checks.session import Session
from ullage.checks.transcripts import session_of
from ullage.checks.used import Used
from ullage.transcript.message import Message
from ullage.transcript.served import Usage
from ullage.transcript.transcript import Compaction, Entry, Produced, Transcript

ORDERS = [{"order": f"ORD-{n:04}", "total": 10 * n} for n in range(50)]
WHOLE = json.dumps(ORDERS)
FIRST = json.dumps(ORDERS[:20])
GOES_THROUGH = "\n".join(f"- {one['order']}: {one['total']} EUR" for one in ORDERS[:20])


def test_the_id_of_a_record_is_no_way_back_whatever_word_stands_before_it() -> None:
    rows = [{"state": "stored", "id": f"row-{n:012x}"} for n in range(1, 200)]
    whole = json.dumps(rows)

    one = asked(whole[:2000], "done", produced=whole)

    assert not list(handles.check_unused(one))


def asked(delivered: str, answer: str, produced: str = WHOLE) -> Session:
    entries = [
        Entry(message=user("go through the orders")),
        Entry(message=calls("c1")),
        Entry(message=gives("c1", delivered), produced=Produced(text=produced)),
        Entry(message=says(answer)),
    ]
    return session_of(Transcript(session="s", form="test", entries=entries))


def test_an_answer_that_goes_through_what_it_was_given_of_a_list_covers_less() -> None:
    (found,) = answer_covers_less.check(asked(FIRST, GOES_THROUGH))

    figures = [found.evidence[name] for name in ("cited", "delivered", "produced")]
    assert figures == [20, 20, 50]
    assert found.boundary == "budget"


def test_an_answer_that_picks_some_or_tells_the_total_or_was_given_all_covers_what_it_should() -> (
    None
):
    some = "ORD-0003, ORD-0007, and ORD-0011 are late."
    told = f"{GOES_THROUGH}\nThese are the first 20 of 50."
    everything = "\n".join(one["order"] for one in ORDERS if isinstance(one["order"], str))

    assert not list(answer_covers_less.check(asked(FIRST, some)))
    assert not list(answer_covers_less.check(asked(FIRST, told)))
    assert not list(answer_covers_less.check(asked(WHOLE, everything)))


def test_an_answer_that_counts_what_it_was_given_is_contradicted() -> None:
    (found,) = answer_count.check(asked(FIRST, "I analysed all 20 orders: the sum is 1900 EUR."))

    assert (found.evidence["stated"], found.evidence["produced"]) == (20, 50)


def test_a_number_that_is_no_count_of_things_or_stands_beside_the_total_contradicts_nothing() -> (
    None
):
    for answer in (
        "The share is 20 %.",
        "It took 20 seconds.",
        "I looked at 20 orders of 50.",
        "Order ORD-0020 is late.",
        "It is due on 20.11. at noon",
    ):
        assert not list(answer_count.check(asked(FIRST, answer)))
    assert not list(answer_count.check(asked(WHOLE, "I analysed all 20 late orders.")))


def test_a_list_that_left_with_an_older_message_is_missed_in_the_answer() -> None:
    messages = [user(WHOLE), says("ok"), user(FIRST.replace("ORD", "NEW")), says("ok"), user("sum")]
    gone = Compaction(at=4, after=(1, 2, 3), act="trim")
    answer = says("I analysed all 20 orders.")

    kept = session(*messages, answer)
    lost = session(*messages, answer, compactions=[gone])
    assert not list(answer_count.check(kept))
    assert not list(answer_count.check(lost))  # nothing of the first list was there to be counted


SAVED = "total 900\n... [27370 characters omitted]\nFull output saved to: /tmp/out/run-17.txt"


def with_handle(*after: Message, failed: Sequence[int] = ()) -> Session:
    messages = [user("build"), calls("c1", "sh", command="make"), gives("c1", SAVED), *after]
    return session(*messages, failed=failed)


def test_a_way_back_that_nobody_takes_is_a_note() -> None:
    (found,) = handles.check_unused(with_handle(says("It is built.")))

    assert (found.severity, found.evidence["handle"]) == ("note", "/tmp/out/run-17.txt")


def test_a_way_back_that_is_taken_or_that_the_session_ends_at_is_not_unused() -> None:
    read = [calls("c2", "read", path="/tmp/out/run-17.txt"), gives("c2", "line 1"), says("ok")]

    assert not list(handles.check_unused(with_handle(*read)))
    assert not list(handles.check_unused(with_handle()))


def test_a_way_back_that_leads_nowhere_is_dead() -> None:
    tried = [
        calls("c2", "read", path="/tmp/out/run-17.txt"),
        gives("c2", "Error: no such file"),
        says("It is gone."),
    ]
    (found,) = handles.check_dead(with_handle(*tried))

    assert found.evidence["tried"] == 1
    assert not list(handles.check_unused(with_handle(*tried)))


def test_a_path_in_a_result_that_was_not_cut_is_no_way_back() -> None:
    text = "The report was written to /tmp/out/report.txt"
    whole = session(user("x"), calls("c1", "sh"), gives("c1", text), says("done"))

    assert not list(handles.check_unused(whole))


LONG = "\n".join(f"line {n} of the listing" for n in range(40))


def twice(text: str, again: str, compactions: Sequence[Compaction] = ()) -> Session:
    return session(
        user("look"),
        calls("c1", "ls", path="/srv"),
        gives("c1", text),
        says("next"),
        calls("c2", "ls", path="/srv"),
        gives("c2", again),
        compactions=compactions,
        tokens=12_000,
    )


def test_a_call_that_is_made_again_after_its_result_had_left_is_a_refetch() -> None:
    (found,) = refetch.check(twice(LONG, LONG, [Compaction(at=4, after=(0, 1, 3), cleared=(2,))]))

    assert found.evidence["why"] == "left-context"
    assert isinstance(found.evidence["cost"], dict)
    assert found.evidence["cost"]["input"] == 12_000


def test_a_call_that_is_made_again_because_its_result_was_cut_is_a_refetch() -> None:
    cut = f"{LONG}\n[... 27370 characters omitted ...]"
    (found,) = refetch.check(twice(cut, cut))

    assert found.evidence["why"] == "cut"


def test_a_call_that_is_made_again_without_a_loss_or_with_another_result_is_none() -> None:
    gone = [Compaction(at=4, after=(0, 1, 3), cleared=(2,))]

    assert not list(refetch.check(twice(LONG, LONG)))
    assert not list(refetch.check(twice(LONG, f"{LONG}\nnew file", gone)))
    assert not list(refetch.check(twice("ok", "ok", gone)))


def test_a_cost_is_weighed_by_what_the_cache_gave() -> None:
    found = refetch.cost(Usage(input=10_000, cached=8_000, cache_written=1_000, output=50))

    assert found is not None
    assert found["weighed_input"] == 1_000 + 800 + 1_250


def test_a_count_that_is_far_from_the_providers_is_wrong() -> None:
    def compacted(tokens: int) -> Session:
        one = Compaction(at=4, after=(3,), tokens_before=tokens)
        return session(user("a"), says("b"), user("c"), says("d"), compactions=[one], tokens=60_000)

    assert [one.evidence["ratio"] for one in counter_wrong.check(compacted(20_000))] == [0.33]
    assert not list(counter_wrong.check(compacted(62_000)))


def test_a_key_in_a_transcript_is_told_once_and_not_shown() -> None:
    key = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4" * 1
    messages = [user(f"use {key}"), calls("c1", "sh", command=f"curl -H {key}"), gives("c1", key)]
    (found,) = secret_in_clear.check(session(*messages))

    assert (found.evidence["times"], found.evidence["characters"]) == (3, len(key))
    assert key not in str(found)


def test_a_transcript_without_keys_is_clean() -> None:
    text = "the commit is 3f2a9c, the class is sk-fading-circle, the token limit is 4096"

    assert not list(secret_in_clear.check(session(user(text))))


@pytest.mark.parametrize(
    "text",
    [
        '{"csrf-token": "NGR8WXpbKQMQQRg7BQEaISlFBiB3aRQ"}',  # a page shows it to everybody
        '{"originTrialToken": "A1L3tx5CzccqjN3lK6stfXMwhf9EeokCPf8XCt0DVI8JPbg37BWq0zKv"}',
        '{"next_page_token": "Cj0KEQiA8onEBRDFy9vW7Zq2oYgBEiQA"}',
        'api_key = "YOUR_GOOGLE_MAPS_API_KEY"',
        "AWS_ACCESS_KEY_ID=AKI" + "AIOSFODNN7EXAMPLE",
        "GITHUB_TOKEN=gh" + "p_" + "x" * 36,
        "Set it to sk-" + "your-api-key-1A-here-please",
        "-----BEGIN " + "PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    ],
)
def test_public_tokens_and_stand_ins_for_keys_are_no_secrets(text: str) -> None:
    assert not list(secret_in_clear.check(session(user(text))))


def test_a_private_key_is_a_secret() -> None:
    body = "\n".join(("Zx9q" * 16)[n:] + ("b7Kd" * 16)[:n] for n in range(3))
    text = "-----BEGIN " + f"PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----"

    assert [one.check for one in secret_in_clear.check(session(user(text)))] == ["secret-in-clear"]


@pytest.mark.parametrize(
    "notice",
    [
        "[cut: 40 of 9000 characters shown; the rest is in /tmp/results/a1b2.txt]",
        "[8960 characters omitted. Read /tmp/results/a1b2.txt for the whole output.]",
        "<output truncated, see /tmp/results/a1b2.txt>",
    ],
)
def test_a_way_back_is_known_by_the_path_in_its_notice(notice: str) -> None:
    text = "\n".join(f"line {n} of the report" for n in range(300))
    entries = [
        Entry(message=user("go")),
        Entry(message=calls("c1")),
        Entry(message=gives("c1", f"{text[:400]}\n{notice}"), produced=Produced(text=text)),
        Entry(message=says("done")),
    ]
    one = session_of(Transcript(session="s", form="test", entries=entries))

    (found,) = handles.check_unused(one)
    assert found.evidence["handle"] == "/tmp/results/a1b2.txt"


def test_an_answer_about_a_table_is_held_against_its_rows() -> None:
    rows = [f"ORD-{n:04},{10 * n},Lagos" for n in range(50)]
    whole, part = ("\n".join(["order,total,city", *rows[:n]]) for n in (50, 20))
    answer = "\n".join(f"- ORD-{n:04} is fine" for n in range(20))

    assert len(list(answer_covers_less.check(asked(part, answer, produced=whole)))) == 1
    assert not list(answer_covers_less.check(asked(whole, answer, produced=whole)))
    assert len(list(answer_count.check(asked(part, "20 orders analysed.", produced=whole)))) == 1


def test_what_arrived_is_split_from_what_was_used() -> None:
    used = Used()
    used.add(asked(FIRST, "ORD-0003 and ORD-0007 are late."))

    (one,) = used.done()
    assert (one.never_arrived, one.used, one.unused) == (30, 2, 18)


def test_what_a_later_call_asks_for_was_used_and_what_was_said_before_was_not() -> None:
    used = Used()
    used.add(
        session(
            user("look"),
            says("I will look at ORD-0009."),
            calls("c1"),
            gives("c1", WHOLE),
            calls("c2", "show", order="ORD-0002"),
            gives("c2", "{}"),
        )
    )

    (one,) = used.done()
    assert (one.results, one.measured, one.used, one.unused) == (1, 0, 1, 49)
