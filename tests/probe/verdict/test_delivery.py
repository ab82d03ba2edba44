"""The verdict on one payload: known cutters, and the verdict says exactly what they did."""

import json
import textwrap
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ullage.probe.canary import Payload, payload
from ullage.probe.case import Case, Format
from ullage.probe.verdict.delivery import Delivery, delivery

FORMATS = get_args(Format)
LINES: tuple[Format, ...] = ("ndjson", "csv", "markdown", "log")
PAYLOADS = st.builds(
    Case,
    tag=st.just("t"),
    kind=st.just("result"),
    format=st.sampled_from(FORMATS),
    size=st.integers(1_200, 12_000),
    lines=st.integers(130, 300),
    wide=st.booleans(),
    seed=st.text("abc", max_size=3),
).map(lambda case: payload(case, 0))


def made(format: Format, size: int = 33_000, *, wide: bool = False) -> Payload:
    return payload(Case(tag="t", kind="result", format=format, size=size, wide=wide), 0)


def whole_until(produced: Payload, end: int) -> int:
    return sum(place.end <= end for place in produced.places.values())


def whole_from(produced: Payload, start: int) -> int:
    return sum(place.start >= start for place in produced.places.values())


@given(produced=PAYLOADS)
def test_a_whole_payload_is_whole(produced: Payload) -> None:
    seen = delivery(produced, produced.text)

    assert (seen.syntax, seen.side_lost, seen.lost) == ("valid", "none", False)
    assert seen.rows_delivered == seen.rows_produced == len(produced.places)
    assert seen.chars_delivered == seen.chars_produced
    assert (seen.notice.grade, seen.around) == ("none", "")
    assert not seen.lines_cut


@settings(max_examples=40)
@given(produced=PAYLOADS, data=st.data())
def test_a_prefix_loses_its_tail(produced: Payload, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(produced.text) - 1))
    seen = delivery(produced, produced.text[:end])

    whole = whole_until(produced, end)
    assert seen.rows_delivered == whole
    assert seen.side_lost == (
        "all" if not whole else "none" if whole == len(produced.places) else "tail"
    )
    given = produced.text[:end]
    assert seen.chars_delivered in (len(given), len(given.rstrip())) or end < 40
    assert seen.lost
    assert seen.notice.grade == "none"


@settings(max_examples=40)
@given(produced=PAYLOADS, data=st.data())
def test_a_tail_loses_its_head(produced: Payload, data: st.DataObject) -> None:
    start = data.draw(st.integers(1, len(produced.text) - 1))
    seen = delivery(produced, produced.text[start:])

    whole = whole_from(produced, start)
    assert seen.rows_delivered == whole
    if whole < len(produced.places):
        assert seen.side_lost == ("head" if whole else "all")
    assert seen.lost == (seen.syntax in ("broken", "nothing") or whole < len(produced.places))


@settings(max_examples=40)
@given(produced=PAYLOADS, data=st.data())
def test_a_cut_in_the_middle_loses_the_middle_and_says_so(
    produced: Payload, data: st.DataObject
) -> None:
    keep = data.draw(st.integers(320, len(produced.text) // 2 - 200))
    text = f"{produced.text[:keep]}\n[... output shortened ...]\n{produced.text[-keep:]}"
    seen = delivery(produced, text)

    head, tail = whole_until(produced, keep), whole_from(produced, len(produced.text) - keep)
    assert seen.rows_delivered == head + tail
    assert seen.syntax == "broken"
    assert seen.notice.grade == "said"
    assert "output shortened" in seen.notice.text
    if head and tail:
        assert seen.side_lost == "middle"


@settings(max_examples=40)
@given(produced=PAYLOADS, data=st.data())
def test_a_window_in_the_middle_loses_both_ends(produced: Payload, data: st.DataObject) -> None:
    places = list(produced.places.values())
    first = data.draw(st.integers(1, len(places) - 2))
    last = data.draw(st.integers(first, len(places) - 2))
    seen = delivery(produced, produced.text[places[first].start : places[last].end])

    assert seen.side_lost == "both"
    assert seen.rows_delivered == last - first + 1
    assert seen.by_part["$.early_list"].delivered + seen.by_part["$.late_list"].delivered == (
        last - first + 1
    )


@given(produced=PAYLOADS, data=st.data())
def test_what_stands_in_a_string_is_double_encoded(produced: Payload, data: st.DataObject) -> None:
    text = data.draw(
        st.sampled_from([json.dumps(produced.text), json.dumps({"result": produced.text})])
    )
    seen = delivery(produced, text)

    assert seen.syntax == "double-encoded"
    assert not seen.lost
    assert seen.notice.grade == "none"


@given(produced=PAYLOADS, before=st.sampled_from(["Observation:\n", "Exit code: 0\nOutput:\n"]))
def test_words_around_a_whole_payload_wrap_it(produced: Payload, before: str) -> None:
    seen = delivery(produced, before + produced.text)

    assert seen.syntax == "wrapped"
    assert not seen.lost
    assert seen.notice.grade == "none"


@given(produced=PAYLOADS.filter(lambda one: one.format == "json"))
def test_an_object_in_python_spelling_is_a_repr(produced: Payload) -> None:
    seen = delivery(produced, str(produced.value))

    assert (seen.syntax, seen.rows_delivered, seen.lost) == (
        "python-repr",
        len(produced.places),
        False,
    )


@pytest.mark.parametrize("format", LINES)
def test_a_text_in_python_spelling_is_a_repr(format: Format) -> None:
    seen = delivery(made(format), repr({"result": made(format).text}))

    assert (seen.syntax, seen.lost) == ("python-repr", False)


@given(
    produced=PAYLOADS.filter(lambda one: one.format == "json"), indent=st.sampled_from([None, 2])
)
def test_an_object_written_anew_in_json_is_valid(produced: Payload, indent: int | None) -> None:
    seen = delivery(produced, json.dumps(produced.value, indent=indent, separators=(",", ":")))

    assert (seen.syntax, seen.lost) == ("valid", False)


def test_an_object_in_an_envelope_is_wrapped() -> None:
    produced = made("json")
    seen = delivery(produced, json.dumps({"result": produced.value}))

    assert (seen.syntax, seen.lost) == ("wrapped", False)


def test_fewer_records_that_decode_are_a_part() -> None:
    produced = made("json")
    value = {name: rows[:5] for name, rows in produced.value.items() if isinstance(rows, list)}
    seen = delivery(produced, json.dumps(value))

    assert (seen.syntax, seen.valid, seen.rows_delivered) == ("partial", True, 10)
    assert seen.side_lost == "scattered"


@pytest.mark.parametrize("format", LINES)
@pytest.mark.parametrize("keep", [slice(None, 60), slice(0, 1)])
def test_whole_lines_are_a_part(format: Format, keep: slice) -> None:
    produced = made(format)
    lines = produced.text.split("\n")
    text = "\n".join(lines[:60] if keep.stop == 60 else lines[:20])
    seen = delivery(produced, text)

    assert (seen.syntax, seen.side_lost) == ("partial", "tail")
    assert seen.lines_cut == 0
    assert seen.lines_whole == seen.rows_delivered


@pytest.mark.parametrize("format", LINES)
def test_a_cut_line_is_counted(format: Format) -> None:
    produced = made(format)
    text = produced.text[:10_000] + "\n…\n" + produced.text[-10_000:]
    seen = delivery(produced, text)

    places = produced.places.values()
    torn = [
        one
        for one in places
        if one.start < 10_000 < one.end or one.start < len(produced.text) - 10_000 < one.end
    ]
    assert seen.lines_cut == len(torn) == 2
    assert seen.syntax == "broken"


def test_lines_without_their_head_are_broken() -> None:
    for format in ("csv", "markdown"):
        produced = made(format)
        first = next(iter(produced.places.values()))
        seen = delivery(produced, produced.text[first.start :])
        assert (seen.syntax, seen.side_lost, seen.lost) == ("broken", "none", True)


@pytest.mark.parametrize("text", ["", "[cleared]", "The output was removed.", "null"])
@pytest.mark.parametrize("format", FORMATS)
def test_a_placeholder_has_nothing(format: Format, text: str) -> None:
    seen = delivery(made(format), text)

    assert (seen.syntax, seen.side_lost, seen.rows_delivered) == ("nothing", "all", 0)


def test_a_notice_is_found_in_no_list_of_words() -> None:
    produced = made("ndjson")
    text = produced.text[-20_000:] + "\n\n[Weiteres liegt unter /tmp/rest.log]"

    seen = delivery(produced, text, around="")

    assert seen.notice.text == "[Weiteres liegt unter /tmp/rest.log]"
    assert seen.notice.grade == "way-back"


def test_what_a_harness_always_writes_is_no_notice() -> None:
    head = "Command: cat /data/rows.json\nWall time: {} seconds\nTotal lines shown: {}\nOutput:\n"
    produced = made("json")
    uncut = delivery(made("json", 2_000), head.format("0.1", 1) + made("json", 2_000).text)
    cut = head.format("0.3", 1) + produced.text[:9_000]

    assert uncut.notice.grade == "none"
    assert delivery(produced, cut).notice.grade != "none"
    assert delivery(produced, cut, around=uncut.around).notice.grade == "none"


CODEX = """\
Warning: truncated output (original token count: 8250)
Total output lines: 1

{head}…{gone} chars truncated…{tail}"""
PI = "{tail}\n\n[Showing last 50.0KB of line 1 (line is 195.3KB). Full output: /tmp/pi-bash-1f.log]"
SMOLAGENTS = (
    "{head}\n..._This content has been truncated to stay below 20000 characters_...\n{tail}"
)
CREWAI = """\
[Result stored as artifact tool-results/fetch_rows-1.txt ({size} characters). Preview truncated:]
{head}
[Read the file tool-results/fetch_rows-1.txt for the full result]"""
DEEPAGENTS = """\
Tool result too large, the result of this tool call call_0 was saved in the filesystem at this \
path: /large_tool_results/call_0

You can read the result from the filesystem by using the read_file tool, with offset and limit.

Here is a preview showing the head of the result:

{head}
"""
MINI_SWE = (
    '{{"returncode": 0, "output_head": {head}, "output_tail": {tail}, "elided_chars": {gone}}}'
)


def shown(form: str, produced: Payload, keep: int, *, quoted: bool = False) -> Delivery:
    text = produced.text
    head, tail = text[:keep], text[-keep:]
    if quoted:
        head, tail = json.dumps(head), json.dumps(tail)
    gone = len(text) - 2 * keep
    return delivery(produced, form.format(head=head, tail=tail, gone=gone, size=len(text)))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    ("form", "keep", "side", "grade"),
    [
        (CODEX, 5_000, "middle", "counted"),
        (SMOLAGENTS, 10_000, "middle", "said"),
        (CREWAI, 2_000, "tail", "way-back"),
        (DEEPAGENTS, 1_500, "tail", "way-back"),
        (PI, 12_000, "head", "way-back"),
    ],
    ids=["codex", "smolagents", "crewai", "deepagents", "pi"],
)
def test_the_shapes_of_real_harnesses(
    format: Format, form: str, keep: int, side: str, grade: str
) -> None:
    produced = made(format)
    seen = shown(form, produced, keep)

    assert (seen.side_lost, seen.notice.grade, seen.syntax) == (side, grade, "broken")
    assert seen.lost
    expected = keep if side != "middle" else 2 * keep
    assert seen.chars_delivered == expected


@pytest.mark.parametrize("format", FORMATS)
def test_head_and_tail_in_members_of_an_object(format: Format) -> None:
    seen = shown(MINI_SWE, made(format), 5_000, quoted=True)

    assert (seen.notice.grade, seen.lost) == ("counted", True)
    assert seen.side_lost == "middle"


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("format", FORMATS)
def test_the_tail_by_whole_lines_or_bytes_as_pi_does(format: Format, wide: bool) -> None:
    produced = made(format, 200_000, wide=wide)
    kept = produced.text.encode()[-51_200:].decode("utf-8", "ignore")
    seen = delivery(produced, PI.format(tail=kept))

    assert seen.side_lost == "head"
    assert seen.rows_delivered == whole_from(produced, len(produced.text) - len(kept))
    assert seen.notice.grade == "way-back"
    assert textwrap.shorten(seen.notice.text, 30).startswith("[Showing last 50.0KB")
