"""A notice is what the delivered text says beyond the produced one."""

import json
from typing import Any

import pytest

from ullage.arrivals.arrival import arrival
from ullage.arrivals.join import sightings

Rows = dict[str, list[dict[str, Any]]]


@pytest.mark.parametrize(
    ("mark", "grade"),
    [
        ("", "none"),
        ("...", "cut"),
        ("\n[truncated]", "cut"),
        ("\n[Output exceeds 6000 characters and was shortened]", "cut"),
        ("\n[27370 characters omitted]", "counts"),
        ("\n[27,370 of 33,370 characters omitted]", "counts"),
        ("\n[showing 6.0KB of 33.4KB]", "counts"),
        ("\n[30 of 118 rows shown]", "counts"),
        ("\n[early_list: 30 of 118; late_list: 0 of 128]", "parts"),
        ("\n[late_list was cut]", "cut"),
        ("\n[truncated, full output saved to /tmp/out/result-3.json]", "way-back"),
        ("\n[cut; call read_file with offset=6000 to continue]", "way-back"),
        (
            "\nThe output of your call to fetch_rows was too long. Here is a truncated version",
            "cut",
        ),
        ("\nThe result of `fetch_rows` was cut; call it again for fewer", "cut"),
        ("\nThe output of fetch_rows was too long, use read_file for the rest", "way-back"),
        ("\n[skipped some rows]", "cut"),
        ("\n[skipped 55 of 246 rows]", "counts"),
        ("\n(the rest is not shown)", "cut"),
        ("\nOutput too large, a preview is above", "cut"),
        ("\nNow answer. Limit yourself to three lines, and save the rest for later.", "none"),
        ("\nThanks for waiting, here is what you asked for", "none"),
    ],
)
def test_a_notice_is_graded_by_what_it_says(published_text: str, mark: str, grade: str) -> None:
    one = arrival(published_text, published_text[:6_000] + mark)

    assert one.notice.grade == grade
    assert one.notice.text == mark.strip()


def test_a_figure_that_is_not_true_of_the_pair_counts_for_nothing(published_text: str) -> None:
    one = arrival(published_text, published_text[:6_000] + "\n[12345 characters omitted]")

    assert one.notice.grade == "cut"


def test_a_produced_text_that_speaks_of_a_truncation_is_no_notice() -> None:
    rows = [{"id": n, "msg": f"request {n} was truncated: 3 of 9 rows omitted"} for n in range(40)]
    text = json.dumps(rows)

    assert arrival(text, text[:1_000]).notice.grade == "none"
    assert arrival(text, json.dumps(rows[:10], indent=1)).notice.grade == "none"
    assert arrival(text, repr(rows)[:1_000]).notice.grade == "none"


def test_a_mark_is_found_in_a_text_that_speaks_of_truncations_itself() -> None:
    text = "\n".join(f"line {n}: output truncated" for n in range(100))

    one = arrival(text, text[:1_000] + "\n[truncated]")

    assert (one.notice.text, one.notice.grade) == ("[truncated]", "cut")


@pytest.mark.parametrize(
    "wrap",
    ["Observation:\n{}", "Execution logs:\nLast output from code snippet:\n{}", "```json\n{}\n```"],
)
def test_a_wrapper_is_no_notice(published_text: str, wrap: str) -> None:
    one = arrival(published_text, wrap.format(published_text[:6_000]))

    assert (one.notice.text, one.notice.grade) == ("", "none")


def test_members_beside_the_records_are_a_notice(published: Rows, published_text: str) -> None:
    cut = {"early_list": published["early_list"][:10], "truncated": True, "total_early": 118}

    one = arrival(published_text, json.dumps(cut))

    assert one.notice.text == "truncated: true\ntotal_early: 118"
    assert one.notice.grade == "counts"


def test_a_notice_inside_an_envelope_s_string_is_found(published_text: str) -> None:
    one = arrival(
        published_text, json.dumps({"output": published_text[:6_000] + " [27370 chars cut]"})
    )

    assert one.notice.text == "[27370 chars cut]"
    assert one.notice.grade == "counts"


def test_where_nothing_was_lost_there_is_nothing_to_tell(published_text: str) -> None:
    one = arrival(published_text, published_text + "\n[nothing truncated: 246 of 246 rows]")

    assert one.notice.grade == "none"
    assert one.notice.text != ""


def test_the_name_of_a_part_is_not_taken_for_a_pointer_to_the_rest() -> None:
    produced = json.dumps({"early_list": list(range(1000, 1200)), "late_list": list(range(300))})
    delivered = json.dumps(
        {
            "_ullage": "Cut: $.early_list 2 of 200 records. Call again: you get the same.",
            "early_list": [1000, 1001],
            "late_list": list(range(300)),
        }
    )

    assert arrival(produced, delivered).notice.grade == "parts"


MARKS = [
    "[skipped 55 rows]",
    "[55 rows removed]",
    "... 12 more rows ...",
    "(rows dropped: too large)",
    "<response clipped>",
    "[only a preview]",
    "Output exceeds the limit.",
    "…",
]


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("between", ["", "\n", "\n\n"])
def test_what_is_a_notice_of_a_pair_is_one_in_a_message(
    published_text: str, mark: str, between: str
) -> None:
    kept = published_text[:6_000]
    message = f"{kept}{between}{mark}\n\nNow answer in one line."
    (seen,) = sightings([published_text], [message])
    assert seen is not None
    in_message = arrival(published_text, message[seen.start : seen.end])

    assert in_message.notice.grade == arrival(published_text, kept + between + mark).notice.grade
    assert in_message.notice.grade != "none"
    assert "Now answer" not in in_message.notice.text
