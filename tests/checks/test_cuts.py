"""Silent cuts by length, cuts with room, cuts without a way back: over all sessions."""

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given as for_any
from hypothesis import settings
from hypothesis import strategies as st
from tests.checks.by_hand import (
    KINDS,
    asked,
    gathered,
    given,
    log,
    of_results,
    prose,
    rows_as_json,
    session,
    user,
    wrote,
)

from ullage.checks.caps import caps
from ullage.checks.cuts import Cuts
from ullage.checks.seen import Uncounted, seen_of
from ullage.checks.session import Session
from ullage.counting.exact import exact
from ullage.transcript.finding import Finding
from ullage.transcript.message import Message
from ullage.transcript.transcript import Entry, Produced


def found(*sessions: Session, check: str = "silent-cut") -> list[Finding]:
    return [one for one in gathered(Cuts(), *sessions) if one.check == check]


def by_chars(text: str, size: int) -> str:
    return text[:size]


def by_bytes(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")


def by_lines(text: str, size: int) -> str:
    return "\n".join(text.split("\n")[: size // 40])


def by_tokens(text: str, size: int) -> str:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if exact(text[:middle], "o200k_base") <= size // 4 else (low, middle - 1)
        )
    return text[:low]


WAYS: dict[str, Callable[[str, int], str]] = {
    "characters": by_chars,
    "bytes": by_bytes,
    "lines": by_lines,
    "tokens": by_tokens,
}


def mixed(kind: str, way: str, size: int, cut: int, clean: int) -> tuple[list[str], list[bool]]:
    """Texts of one kind, some of them cut to a size, and which those are."""
    draw = random.Random(f"{kind} {way} {size}")
    short = [KINDS[kind](draw, draw.randrange(40, size // 2)) for _ in range(clean)]
    long = [
        WAYS[way](KINDS[kind](draw, draw.randrange(2 * size, 4 * size)), size) for _ in range(cut)
    ]
    rows = [(one, False) for one in short] + [(one, True) for one in long]
    draw.shuffle(rows)
    return [one for one, _ in rows], [is_cut for _, is_cut in rows]


@pytest.mark.parametrize("size", [700, 4321, 10_000])
@pytest.mark.parametrize("kind", list(KINDS))
def test_unmarked_results_of_one_length_are_each_reported_at_their_line(
    kind: str, size: int
) -> None:
    texts, cut = mixed(kind, "characters", size, cut=6, clean=40)

    reported = found(of_results(texts))

    lines = [2 * number for number, is_cut in enumerate(cut, start=1) if is_cut]
    assert [one.source.line for one in reported] == lines
    assert {one.evidence["length"] for one in reported} == {size}
    first = reported[0]
    assert (first.evidence["distinct"], first.evidence["unit"], first.boundary) == (
        6,
        "characters",
        "budget",
    )
    assert str(size) in first.advice


@pytest.mark.parametrize(
    ("kind", "way"), [("prose", "bytes"), ("log", "lines"), ("json", "tokens"), ("prose", "tokens")]
)
def test_a_cap_in_another_unit_is_found(kind: str, way: str) -> None:
    texts, cut = mixed(kind, way, 4000, cut=8, clean=40)

    reported = found(of_results(texts))

    lines = {2 * number for number, is_cut in enumerate(cut, start=1) if is_cut}
    hit = {one.source.line for one in reported}
    assert hit <= lines
    assert len(hit) >= 7  # one that ends with a sentence does not look cut
    assert all(str(one.evidence["unit"]).startswith(way) for one in reported)


def test_a_cap_is_found_over_sessions_that_hold_one_cut_each() -> None:
    draw = random.Random(7)
    sessions = [
        of_results([prose(draw, 300), rows_as_json(draw, 9000)[:6000]], name=f"s{number}")
        for number in range(5)
    ]

    assert [one.session for one in found(*sessions)] == ["s0", "s1", "s2", "s3", "s4"]


def test_two_tools_with_caps_of_their_own_are_told_apart() -> None:
    draw = random.Random(8)
    shell = of_results([log(draw, 9000)[:3000] for _ in range(5)], name="a", tool="shell")
    search = of_results([rows_as_json(draw, 9000)[:7000] for _ in range(5)], name="b")

    assert Counter(one.evidence["cap"] for one in found(shell, search)) == {3000: 5, 7000: 5}


def test_dots_behind_a_cut_and_space_taken_off_do_not_hide_it() -> None:
    draw = random.Random(9)
    dots = [rows_as_json(draw, 3000)[:1024] + "..." for _ in range(5)]
    stripped = [rows_as_json(draw, 3000, indent=2)[:1500].rstrip() for _ in range(12)]

    assert len(found(of_results(dots))) == 5
    assert len(found(of_results(stripped))) >= 11


def test_the_cut_text_in_an_envelope_is_looked_at() -> None:
    draw = random.Random(10)
    texts = [
        json.dumps({"exit": 0, "took": draw.random(), "output": log(draw, 5000)[:2500]})
        for _ in range(6)
    ]

    assert len(found(of_results(texts))) == 6


def padded(draw: random.Random, size: int) -> str:
    """A JSON list of exactly so many characters."""
    rows = json.loads(rows_as_json(draw, size // 2))
    rows.append({"pad": ""})
    rows[-1]["pad"] = "x" * (size - len(json.dumps(rows)))
    return json.dumps(rows)


NAMES = ("a", "order", "invoice", "supplier", "gateway_report", "b", "parcel_route")
SILENT: dict[str, Callable[[random.Random], Sequence[str]]] = {
    "one text many times": lambda draw: [rows_as_json(draw, 900)[:900]] * 13,
    "two texts many times": lambda draw: [prose(draw, 900)[:900], log(draw, 900)[:900]] * 9,
    "short equal lengths": lambda draw: [f"order {draw.randrange(1000, 9999)}" for _ in range(60)],
    "one form": lambda draw: [
        json.dumps({"id": draw.randrange(10**5, 10**6), "note": "n" * 900}) for _ in range(30)
    ],
    "one form of other values": lambda draw: [
        "\n".join(f"field_{n}: {draw.getrandbits(64):016x}" for n in range(40)) for _ in range(12)
    ],
    "a table of so many rows": lambda draw: [
        "\n".join(
            f"-rw-r--r-- 1 dev dev {draw.randrange(10_000, 99_999)} {draw.choice(NAMES)}.py"
            for _ in range(9)
        )
        for _ in range(40)
    ],
    "one form as text": lambda draw: [
        "\n".join(
            f"{name}: {draw.randrange(1000, 9999)} items in stock of the store"
            for name in "abcdefghijklmn"
        )
        for _ in range(30)
    ],
    "a notice behind each": lambda draw: [
        log(draw, 3000)[:2000] + "\n[output truncated: the limit is 2000 characters]"
        for _ in range(12)
    ],
    "all lengths": lambda draw: [prose(draw, draw.randrange(300, 9000)) for _ in range(150)],
    "two of one length": lambda draw: [rows_as_json(draw, 5000)[:4000] for _ in range(2)],
    "whole JSON": lambda draw: [padded(draw, 1000) for _ in range(9)],
}


@pytest.mark.parametrize("name", list(SILENT))
def test_equal_lengths_with_another_reason_are_silent(name: str) -> None:
    assert found(of_results(SILENT[name](random.Random(name)))) == []


def test_a_part_that_the_call_asked_for_is_no_cut() -> None:
    draw = random.Random(11)
    texts = [log(draw, 3000)[:2000] for _ in range(8)]

    assert found(of_results(texts, arguments={"path": "a.log", "max_chars": 2000})) == []
    assert len(found(of_results(texts, arguments={"path": "a.log"}))) == 8


def test_a_window_of_lines_that_the_call_asked_for_is_no_cut() -> None:
    draw = random.Random(12)
    texts = ["\n".join(log(draw, 9000).split("\n")[:100]) for _ in range(8)]

    assert found(of_results(texts, arguments={"path": "a", "start_line": 1, "end_line": 900})) == []
    assert len(found(of_results(texts, arguments={"path": "a"}))) == 8


@settings(max_examples=25, deadline=None)
@for_any(
    st.integers(0, 10**6), st.integers(500, 9000), st.integers(5, 20), st.sampled_from(list(KINDS))
)
def test_a_cut_at_any_length_is_found_and_nothing_else(
    seed: int, size: int, number: int, kind: str
) -> None:
    draw = random.Random(seed)
    clean = [KINDS[kind](draw, draw.randrange(40, max(60, size // 2))) for _ in range(30)]
    cut = [KINDS[kind](draw, 2 * size)[:size] for _ in range(number)]

    reported = found(of_results([*clean, *cut]))

    assert {one.call_id for one in reported} == {f"c{31 + at}" for at in range(number)}


def test_a_size_that_the_log_tells_is_enough() -> None:
    entry = Entry(
        message=Message(role="tool", text="x" * 100, answers="c1"), produced=Produced(size=5000)
    )
    whole = Entry(
        message=Message(role="tool", text="x" * 100, answers="c2"), produced=Produced(size=100)
    )

    (one,) = found(session([asked("c1"), entry, asked("c2"), whole]))

    assert (one.call_id, one.evidence["produced"]) == ("c1", 5000)


def lost(tokens: int | None, produced: int = 30_000, model: str | None = "gpt-4o") -> Session:
    """A session that cut a result known as produced, at a prompt of so many tokens."""
    text = rows_as_json(random.Random(1), produced)
    entries = [user("go"), asked("c1"), given("c1", text[:6000], text), wrote("done", tokens)]
    return session(entries, model=model)


def test_a_cut_in_a_nearly_empty_window_states_the_fill() -> None:
    (one,) = found(lost(6400), check="cut-with-room")

    assert (one.evidence["fill_percent"], one.evidence["prompt_tokens"]) == (5.0, 6400)
    assert (one.evidence["window"], one.evidence["prompt_by"]) == (128_000, "usage")
    assert "5.0 % full" in one.advice


def test_a_prompt_that_nobody_counted_is_bounded_from_above() -> None:
    (one,) = found(lost(None), check="cut-with-room")

    assert one.evidence["prompt_by"] == "estimate"


@pytest.mark.parametrize(
    "one",
    [lost(110_000), lost(6400, model=None), lost(6400, produced=600_000)],
    ids=["nearly full", "window unknown", "larger than the window"],
)
def test_a_cut_that_was_needed_or_may_have_been_is_silent(one: Session) -> None:
    assert found(one, check="cut-with-room") == []


def test_a_cluster_without_a_known_size_needs_much_room() -> None:
    draw = random.Random(13)
    texts = [rows_as_json(draw, 9000)[:6000] for _ in range(5)]

    assert len(found(of_results(texts, model="gpt-4o"), check="cut-with-room")) == 1
    assert found(of_results(texts, window=20_000), check="cut-with-room") == []


def test_a_mark_with_a_total_is_a_known_size() -> None:
    draw = random.Random(14)
    short = log(draw, 2000) + "[... 9000 characters truncated ...]"
    long = log(draw, 2000) + "[... 9000000 characters truncated ...]"

    assert len(found(of_results([short], model="gpt-4o"), check="cut-with-room")) == 1
    assert found(of_results([long], model="gpt-4o"), check="cut-with-room") == []


def test_a_marked_cut_without_a_pointer_has_no_way_back() -> None:
    text = log(random.Random(15), 2000) + "[... 9000 characters truncated ...]"

    (one,) = found(of_results([text, text]), check="cut-no-way-back")

    assert (one.evidence["results"], one.evidence["by_sign"]) == (2, {"marked": 2})


def test_a_silent_cut_has_no_way_back() -> None:
    (one,) = found(lost(100_000), check="cut-no-way-back")

    assert (one.evidence["sign"], one.evidence["notice"]) == ("compared", "none")


def test_members_that_stand_behind_a_whole_list_were_cut_too() -> None:
    whole = json.dumps({"rows": [{"id": 1}], "created": "2025-01-02", "note": "x" * 300})
    one = session([asked("c1"), given("c1", whole[:60], whole)])

    assert len(found(one, check="cut-no-way-back")) == 1


def test_a_path_an_offset_or_a_tool_with_pages_is_a_way_back() -> None:
    text = log(random.Random(16), 2000)
    path = text + "[... 9000 characters truncated; read the full output in /tmp/out/7.txt ...]"
    bare = text + "[... 9000 characters truncated ...]"
    entries = [
        asked("c1", path="a"),
        given("c1", bare),
        asked("c2", path="a", offset=50),
        given("c2", "x"),
    ]

    assert found(of_results([path]), check="cut-no-way-back") == []
    assert found(session(entries), check="cut-no-way-back") == []


def test_a_notice_that_names_the_way_back_is_judged_against_the_produced_text() -> None:
    whole = rows_as_json(random.Random(17), 20_000)
    told = (
        whole[:5000] + "\n[cut: 15000 characters left out; call read_result(handle='r7') for all]"
    )

    one = session([asked("c1"), given("c1", told, whole), wrote("done")])

    assert found(one, check="cut-no-way-back") == []


def test_a_result_that_arrived_whole_is_silent_in_every_way() -> None:
    whole = rows_as_json(random.Random(18), 9000)

    assert gathered(Cuts(), session([asked("c1"), given("c1", whole, whole)], model="gpt-4o")) == []


def test_tokens_are_counted_once_there_are_so_many_texts_that_a_cap_may_be() -> None:
    draw = random.Random(21)
    texts = [log(draw, 700) for _ in range(3)]
    cuts = Cuts()

    cuts.add(of_results([*texts, texts[0]]))
    assert not any("tokens (o200k_base)" in one.sizes for one in cuts.seen)

    cuts.add(of_results([log(draw, 700)]))
    assert all("tokens (o200k_base)" in one.sizes for one in cuts.seen)


def test_a_slope_of_very_many_lengths_is_no_cap() -> None:
    draw = random.Random(19)
    (uncounted,) = seen_of(of_results([log(draw, 700)]))
    assert isinstance(uncounted, Uncounted)
    one = uncounted.seen
    unit = "tokens (o200k_base)"
    many = [
        replace(one, key=number, sizes={unit: round(draw.gauss(300, 40))})
        for number in range(20_000)
    ]
    # Texts of very many lengths have nothing in common but their number.
    many = [replace(each, pattern=draw.randbytes(len(one.pattern))) for each in many]

    assert caps(many) == {}
