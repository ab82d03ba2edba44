"""Produced and sent are joined by content."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.arrivals.join import sightings

Rows = dict[str, list[dict[str, Any]]]
SYSTEM = "You are a careful agent. Call the tool, then answer in one line."


def log(seed: int, lines: int = 60) -> str:
    rng = random.Random(seed)
    return "\n".join(
        f"2026-01-0{rng.randint(1, 9)} host-{rng.randint(1, 99)} request {rng.getrandbits(40):x}"
        for _ in range(lines)
    )


def test_a_result_that_stands_as_it_is_is_exact(published_text: str) -> None:
    (one,) = sightings([published_text], [SYSTEM, "Observation:\n" + published_text + "\n"])

    assert one is not None
    assert (one.index, one.start, one.end) == (1, 13, 13 + 33_370)
    assert (one.matched, one.certainty) == (33_370, "exact")


def test_a_head_cut_joins(published_text: str) -> None:
    (one,) = sightings([published_text], [SYSTEM, "Go on.", published_text[:6_000]])

    assert one is not None
    assert (one.index, one.start, one.end) == (2, 0, 6_000)
    assert (one.matched, one.certainty) == (6_000, "high")


@given(st.integers(40, 200), st.integers(1, 40), st.integers(2, 5), st.booleans())
def test_records_that_stood_apart_are_seen_to_the_last_character(
    records: int, width: int, step: int, named: bool
) -> None:
    """What two of them have in common runs on into the next, whose rest is a short run."""
    rows = [
        {"pid": 5_000 + at, "name": f"late-{at}" + "x" * (at * 7 % width)} for at in range(records)
    ]
    produced, delivered = (
        json.dumps({"late_list": some} if named else some, separators=(",", ":"))
        for some in (rows, rows[::step])
    )
    (one,) = sightings([produced], [delivered])

    assert one is not None
    assert (one.start, one.end) == (0, len(delivered))


def test_a_middle_cut_joins_with_its_mark_inside(published_text: str, middle_cut: str) -> None:
    texts = [SYSTEM, "Observation:\n" + middle_cut]

    (one,) = sightings([published_text], texts)

    assert one is not None
    assert texts[one.index][one.start : one.end] == middle_cut
    assert (one.matched, one.certainty) == (20_000, "high")


@pytest.mark.parametrize(
    "rewrite",
    [
        repr,
        lambda value: json.dumps(value, indent=2),
        lambda value: json.dumps(json.dumps(value)),
        lambda value: json.dumps({"result": json.dumps(value)}),
        lambda value: json.dumps(value, sort_keys=True),
    ],
)
def test_a_copy_in_another_spelling_joins(
    published: Rows, published_text: str, rewrite: Any
) -> None:
    text = rewrite(published)

    (one,) = sightings([published_text], [SYSTEM, text])

    assert one is not None
    assert (one.index, one.start, one.end, one.certainty) == (1, 0, len(text), "exact")


def test_a_cut_copy_in_another_spelling_joins(published: Rows, published_text: str) -> None:
    (one,) = sightings([published_text], [SYSTEM, "Observation: " + repr(published)[:9_000]])

    assert one is not None
    assert one.index == 1
    assert one.matched > 6_000


def test_equal_results_are_seen_in_different_places(published_text: str) -> None:
    whole = sightings([published_text] * 3, [published_text, SYSTEM, published_text])
    cut = sightings([published_text] * 2, [published_text[:6_000], SYSTEM, published_text[:6_000]])

    assert [one and one.index for one in whole] == [0, 2, None]
    assert [one and one.index for one in cut] == [0, 2]


def test_equal_results_in_one_message_are_seen_side_by_side() -> None:
    text = log(1)

    one, other = sightings([text, text], [f"First:\n{text}\nSecond:\n{text}"])

    assert one is not None
    assert other is not None
    assert one.end <= other.start


def test_similar_results_are_not_mixed_up() -> None:
    texts = [log(1) + f"\npoll {n}\n" + log(2) for n in range(6)]
    sent = [SYSTEM] + [text[:3_600] for text in texts if "poll 3" not in text]

    found = sightings(texts, sent)

    assert [one and one.index for one in found] == [1, 2, 3, None, 4, 5]


def test_a_result_that_was_never_sent_is_seen_nowhere() -> None:
    assert sightings([log(1)], [SYSTEM, log(2), log(3)]) == [None]


def test_the_first_message_that_carries_it_is_the_one(published_text: str) -> None:
    cut = published_text[:6_000]

    (one,) = sightings([published_text], [SYSTEM, cut, "and again: " + cut])

    assert one is not None
    assert one.index == 1


def test_a_short_result_is_joined_with_a_message_that_says_nothing_else() -> None:
    texts = ["The answer is ok, 3 of 3", "ok", "Observation:\n3", "ok then"]

    found = sightings(["ok", "3", "ok", "no"], texts)

    assert [one and (one.index, texts[one.index][one.start : one.end]) for one in found] == [
        (1, "ok"),
        (2, "3"),
        None,
        None,
    ]


def test_a_sentence_is_not_found_inside_another_result() -> None:
    sentence = "error: file not found"
    texts = [f"{log(1)}\nnote that error: file not found was seen before\n{log(2)}"]

    assert sightings([sentence], texts) == [None]


def test_a_small_object_is_not_taken_for_a_record_of_another_result() -> None:
    small = {"id": 5, "name": "five", "ok": True}
    rows = [{"id": n, "name": "x" * 40, "ok": True} for n in range(9)] + [small]

    assert sightings([json.dumps(small)], [repr(rows)]) == [None]
    (one,) = sightings([json.dumps(small)], [SYSTEM, repr(small)])
    assert one is not None
    assert (one.index, one.certainty) == (1, "exact")


@pytest.mark.parametrize(
    ("before", "after", "inside"),
    [
        ("", "\n[truncated 27370 characters]", "\n[truncated 27370 characters]"),
        ("", "...\n\nNow answer, in three lines at most.", "..."),
        ("", "\n\nNow answer. Limit yourself to three lines.", ""),
        ("Data: ", "", ""),
    ],
)
def test_a_notice_belongs_to_the_stretch_and_a_prompt_does_not(
    published_text: str, before: str, after: str, inside: str
) -> None:
    texts = [before + published_text[:6_000] + after]

    (one,) = sightings([published_text], texts)

    assert one is not None
    assert texts[0][one.start : one.end] == published_text[:6_000] + inside


def test_a_notice_behind_the_kept_tail_belongs_to_the_stretch(published_text: str) -> None:
    notice = "[Showing last 5.9KB of line 1 (line is 32.6KB). Full output: /tmp/output-9f.log]"
    cut = f"{published_text[-6_000:]}\n\n{notice}"

    (one,) = sightings([published_text], [SYSTEM, cut])

    assert one is not None
    assert cut[one.start : one.end] == cut


def test_a_notice_before_a_middle_cut_belongs_to_the_stretch(published_text: str) -> None:
    notice = "Output too large. Showing first 2,000 and last 8,000 characters. "
    notice += "For full output see: /tmp/output-9f.log"
    cut = f"{published_text[:2_000]}\n\n... [omitted] ...\n\n{published_text[-8_000:]}"
    text = f"{notice}\n{cut}"

    (one,) = sightings([published_text], [SYSTEM, text])

    assert one is not None
    assert text[one.start : one.end] == text


def test_what_is_said_behind_a_whole_copy_in_another_spelling_is_no_notice_of_it(
    published: Rows,
) -> None:
    copy = repr(published)
    text = f"{copy}\nThe output of the next tool was truncated."

    (one,) = sightings([json.dumps(published)], [SYSTEM, text])

    assert one is not None
    assert text[one.start : one.end] == copy


def test_a_notice_before_the_kept_tail_belongs_to_the_stretch(published_text: str) -> None:
    texts = ["Observation:\n[Showing last 9.8KB of 32.6KB]\n" + published_text[-10_000:]]

    (one,) = sightings([published_text], texts)

    assert one is not None
    assert texts[0][one.start :].startswith("[Showing last")
    assert one.end == len(texts[0])


def test_a_join_that_other_results_fit_as_well_is_of_low_certainty() -> None:
    head = log(1, 80)

    found = sightings([head + log(2), head + log(3)], [SYSTEM, head[:3_000]])

    assert [one and (one.index, one.certainty) for one in found] == [(1, "low"), None]


def test_many_results_and_messages_are_joined_in_bounded_time() -> None:
    produced = [log(n, 200) for n in range(60)]
    texts = [text for made in produced for text in (SYSTEM, made[:4_000], "call the tool again")]

    found = sightings(produced, texts)

    assert [one and one.index for one in found] == [3 * n + 1 for n in range(60)]


@pytest.mark.parametrize("write", [repr, lambda rows: json.dumps(rows, indent=2)])
@pytest.mark.parametrize("behind", ["", "\n\nNow answer in one line."])
def test_a_cut_copy_in_another_spelling_is_seen_to_its_last_character(
    write: Any, behind: str
) -> None:
    rows = [{"id": n, "ok": n % 3 == 0, "note": None, "name": f"item {n}"} for n in range(99)]
    text = write(rows)

    for size in range(2_000, 2_080):
        cut = text[:size].rstrip()
        for sent in (cut + behind, text[-size:].lstrip() if not behind else cut):
            (one,) = sightings([json.dumps(rows)], [sent])
            assert one is not None
            kept = sent.removesuffix(behind) if behind else sent
            assert (one.start, one.end) == (0, len(kept))


def test_the_space_around_a_result_belongs_to_it_where_it_was_sent() -> None:
    text = "  " + log(1) + "\n\n"

    whole, bare = sightings([text, log(2)], [f"Observation:\n{text}", log(2) + "\n"])

    assert whole is not None
    assert bare is not None
    assert (whole.start, whole.end) == (13, 13 + len(text))
    assert (bare.start, bare.end) == (0, len(log(2)))


def test_equal_values_in_another_spelling_are_seen_side_by_side_in_one_message(
    published: Rows, published_text: str
) -> None:
    text = f"Observation:\n{published!r}\n{published!r}"

    first, second = sightings([published_text] * 2, [SYSTEM, text])

    assert first is not None
    assert second is not None
    assert text[first.start : first.end] == text[second.start : second.end] == repr(published)
    assert first.end < second.start


def test_short_results_of_one_step_are_found_in_its_message_a_line_each() -> None:
    texts = ["go", "Observation:\nok\n\nno\nok"]

    found = sightings(["ok", "no", "ok"], texts)

    assert [one and (one.index, one.start, one.end) for one in found] == [
        (1, 13, 15),
        (1, 17, 19),
        (1, 20, 22),
    ]


def test_short_results_beside_a_long_one_are_found(published_text: str) -> None:
    text = f"Observation:\n{published_text}\nok"

    long, short = sightings([published_text, "ok"], [text])

    assert long is not None
    assert short is not None
    assert text[short.start : short.end] == "ok"


@pytest.mark.parametrize(
    "text",
    [
        "Observation:\nok\nand more",  # something else stands there
        "Observation:\nok\nok",  # more of them than were made
        "ok\nno",  # no result by its first words
    ],
)
def test_short_lines_are_not_joined_where_they_are_not_all_of_a_result_message(text: str) -> None:
    assert sightings(["ok", "no"], [text]) == [None, None]
