"""Markdown: sections, tables, fences, caveats."""

import os
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ullage
from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.elements import elements
from ullage.cutter.keep import Keep, Rule, read_rules
from ullage.cutter.markdown import read
from ullage.cutter.values import Cut

SHARED = Path(os.environ.get("ULLAGE_SHARED", "../shared"))
HEADER = ["| sku | site | qty |", "|---|:---:|---:|"]
OTHERS = {
    "json": '{"# a": ["|", "---"]}\n',
    "prose": "The harbour was quiet. Nobody had told the clerk anything at all.\n\n" * 9,
    "log": "# started\n2026-02-01 10:00 INFO ok | fine\n2026-02-01 10:01 INFO ok | fine\n" * 9,
    "diff": "diff --git a/x.md b/x.md\n@@ -1,2 +1,2 @@\n # Title\n-old\n+new\n",
    "csv": "id,name\n# Cut: 1 of 2 records.\n1,a\n2,b\n",
    "tree": "".join(f"[{n}] link 'Page {n}'\n" for n in range(132, 160)),
    "yaml": "# Settings\n\nname: x\nlist:\n  - a\n  - b\n\n# Other\n\nkey: value\n",
    "python": "# Comment\n\nimport os\n\n# More\n\ndef f():\n    return os.name\n",
    "shell": "#!/bin/sh\n# Comment\n\necho hello\n",
    "psql": " id | name \n----+------\n  1 | a\n  2 | b\n",
    "box": "+----+----+\n| id | na |\n+----+----+\n| 1  | a  |\n+----+----+\n",
    "pytest": "===== FAILURES =====\n_____ test_x _____\nE  assert 1 == 2\n===== 1 failed =====\n",
}


def cut(text: str, limit: int, *keep: Rule) -> Cut:
    layout = read(text)
    assert layout is not None
    return cut_blocks(layout, text, chars(limit), keep=read_rules(keep), inside=True)


def table(count: int, *, odd: int | None = None) -> list[str]:
    sites = ["amber", "basin", "cedar"]
    rows = [f"| K{at:03d} | {sites[at % 3]} | {at % 40 + 10} |" for at in range(count)]
    if odd is not None:
        rows[odd] = f"| K{odd:03d} | basin | -5500 |"
    return [*HEADER, *rows]


def document(*groups: list[str] | str) -> str:
    return "\n\n".join(one if isinstance(one, str) else "\n".join(one) for one in groups) + "\n"


def delivered(done: Cut) -> dict[str, tuple[int, int]]:
    return {part.path: (part.delivered, part.produced) for part in done.account.parts}


@pytest.mark.parametrize("kind", OTHERS)
def test_text_of_another_format_is_not_markdown(kind: str) -> None:
    assert read(OTHERS[kind]) is None


@pytest.mark.parametrize(
    "text",
    [
        document(table(3)),
        "```python\nprint(1)\n```\n",
        "# Title\n\nSome words.\n\n## Part\n\nMore words.\n",
        "Title\n=====\n\nSome words here.\n",
        "## Steps\n\n- one\n- two\n",
    ],
    ids=["table", "fence", "headings", "underlined", "list"],
)
def test_its_own_structure_is_markdown(text: str) -> None:
    assert read(text) is not None


def test_the_blocks_put_together_are_the_source() -> None:
    text = document("# A", "Words.", table(9), "~~~\ncode\n~~~", "- one\n- two", "End.")
    layout = read(text)

    assert layout is not None
    lines = [
        one
        for block in layout.blocks
        for one in (block.head, *block.records, block.tail)
        if one is not None
    ]
    assert "\n".join(lines) + layout.after == text


def test_a_table_keeps_its_header_and_whole_rows() -> None:
    rows = table(200)
    lines = cut(document("# Stock", rows), 1500).text.split("\n")

    at = lines.index(HEADER[0])
    assert lines[at + 1] == HEADER[1]
    assert all(one in rows for one in lines[at:] if one)


def test_the_table_states_kept_of_total() -> None:
    done = cut(document("# Stock", table(200)), 1500)
    kept, total = delivered(done)['$["table 1"]']

    assert total == 200
    assert f'$["table 1"] {kept} of 200 records' in done.text


def test_a_row_far_out_is_kept_wherever_it_stands() -> None:
    for odd in (20, 101, 180):
        text = document("# Stock", table(200, odd=odd))
        assert f"| K{odd:03d} | basin | -5500 |" in cut(text, 1500).text


def test_numbers_with_currency_and_grouping_are_compared_as_numbers() -> None:
    rows = ["| id | price |", "|---|---|", *(f"| {at} | €{at % 7 + 10}.50 |" for at in range(90))]
    rows[47] = "| 45 | €1,250.00 |"

    assert rows[47] in cut(document(rows), 500).text


def test_keep_by_equation_reads_the_columns() -> None:
    assert "| K137 |" in cut(document(table(200)), 900, "sku=K137").text


def test_a_pipe_in_a_code_span_is_no_border() -> None:
    rows = ["| call | n |", "|---|---|", *(f"| `a|b` {at} | {at} |" for at in range(60))]

    assert "| 37 |" in cut(document(rows), 400, "n=37").text


@pytest.mark.parametrize("mark", ["```", "~~~", "~~~~", "``````"])
def test_a_fence_is_closed_with_its_own_mark(mark: str) -> None:
    lines = [f"line {at}" for at in range(100)]
    text = document("# Code", [mark + "text", *lines, mark], "Verdict: fine.")
    done = cut(text, 600)

    assert done.text.split("\n").count(mark) == 1
    assert "Verdict: fine." in done.text.partition(f"\n{mark}\n")[2]


def test_a_fence_inside_a_longer_fence_does_not_close_it() -> None:
    lines = ["~~~~python", *(f"x{at} = 0" for at in range(50)), "~~~", "```", "~~~~"]
    done = cut(document("# Code", lines), 300)

    assert list(elements(done.text.split("\n")))[-1].close == "~~~~"


def test_a_fence_that_the_source_leaves_open_is_closed() -> None:
    text = "# Code\n\n```\nok\n```\n\n```sh\n" + "\n".join(f"echo {at}" for at in range(90))

    assert cut(text, 400).text.rstrip().endswith("```")


def test_a_fenced_error_line_is_kept() -> None:
    lines = [f"step {at} done" for at in range(200)]
    lines[90] = "step 90 failed: permission denied"

    assert lines[90] in cut(document("# Log", ["```", *lines, "```"]), 900).text


def test_a_verdict_after_long_parts_is_kept() -> None:
    text = document("# Report", table(300), "## Verdict", "Reorder **K117** first.")

    assert "## Verdict\n\nReorder **K117** first." in cut(text, 1200).text


def test_a_caveat_among_many_paragraphs_is_kept() -> None:
    found = [f"Paragraph {at} tells of the same thing as all the others do." for at in range(90)]
    found[41] = "> **Warning**: the pump must not run dry."

    assert found[41] in cut(document("# Manual", *found), 1200).text


def test_of_many_sections_whole_ones_are_kept() -> None:
    found = [f"## Result {at}\n\nFound page {at} with the words." for at in range(90)]
    done = cut(document("# Search", *found), 1500)

    body = done.text.partition("# Search\n\n")[2].rstrip("\n")
    assert len(body.split("\n\n## ")) > 10
    assert all(one in found for one in re.split(r"\n\n(?=## )", body))


def test_list_items_are_whole_with_what_is_indented_under_them() -> None:
    found = [f"- item {at}\n  - below {at}\n\n  more {at}" for at in range(90)]
    done = cut(document("# List", "\n".join(found)), 1500)

    kept = re.findall(r"- item (\d+)\n  - below (\d+)\n\n  more (\d+)", done.text)
    assert len(kept) == done.text.count("- item") > 5
    assert all(len(set(one)) == 1 for one in kept)


def test_front_matter_is_whole() -> None:
    front = "---\ntitle: Report\ntags: [a, b]\n---"

    assert front in cut(document(front, "# Report", table(200)), 900).text


def test_a_long_paragraph_is_shortened_with_its_length_stated() -> None:
    done = cut(document("# A", "word " * 2000, "# B", "Short."), 900)

    assert "of 9999 characters]" in done.text or "of 10000 characters]" in done.text
    assert "Short." in done.text


def test_parts_are_named_by_their_headings() -> None:
    words = [f"Sentence {at} of this part." for at in range(40)]
    done = cut(document("# First part", *words, "# First part", *words), 900)

    assert list(delivered(done)) == ['$["First part"]', '$["First part (2)"]']


def test_a_second_cut_keeps_one_notice_and_the_first_totals() -> None:
    text = document("# Stock", table(300), "## Code", ["```", *map(str, range(200)), "```"], "End.")
    once = cut(text, 3000)
    twice = cut(once.text, 900)

    assert twice.text.count("[Cut") == 1
    assert "of 300 records" in twice.text
    assert "of 200 lines" in twice.text


def test_a_part_that_an_earlier_cut_left_out_is_still_stated() -> None:
    said = '[Cut: $["table 1"] 0 of 50 records; $["table 2"] 30 of 80 records]'
    parts = delivered(cut(f"{said}\n\n{document('# A', table(30))}", 600))

    assert parts['$["table 1"]'] == (0, 50)
    assert parts['$["table 2"]'][1] == 80


def test_below_its_floor_nothing_is_left() -> None:
    done = cut(document("# Stock", table(200)), 10)

    assert (done.text, done.account.below_floor) == ("", True)


WORDS = st.sampled_from(["alpha", "beta", "gamma.", "**delta**", "`a|b`", "é👩‍👩‍👧", "x" * 90])
LINES = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)
ROWS = st.lists(st.tuples(LINES, st.integers()), min_size=1, max_size=40)
PARTS = st.one_of(
    LINES,
    LINES.map(lambda line: f"## {line}"),
    st.lists(LINES, min_size=1, max_size=12).map(lambda found: "\n".join(f"- {x}" for x in found)),
    ROWS.map(
        lambda rows: "\n".join(["| a | b |", "|--|--|", *(f"| {a} | {b} |" for a, b in rows)])
    ),
    st.tuples(st.sampled_from(["```", "~~~~"]), st.lists(LINES | st.just(""), max_size=30)).map(
        lambda one: "\n".join([one[0], *one[1], one[0]])
    ),
    LINES.map(lambda line: f"> {line}"),
)
DOCUMENTS = st.lists(PARTS, min_size=1, max_size=14).map(lambda found: document("# Top", *found))


@settings(max_examples=50, deadline=None)
@given(text=DOCUMENTS, share=st.floats(0, 1))
def test_any_document_within_any_budget_keeps_its_syntax(text: str, share: float) -> None:
    if read(text) is None or len(text) < 2:
        return
    limit = max(1, round(share * (len(text) - 1)))
    done = cut(text, limit)

    assert len(done.text) <= limit
    if limit >= done.account.floor + 20 and done.text:
        assert done.text.startswith("[Cut")
    for part in done.account.parts:
        gone = sum(last - first + 1 for first, last in part.left_out)
        assert part.produced == part.delivered + gone
    check_syntax(text, done)


def check_syntax(text: str, done: Cut) -> None:
    """Fences are closed, tables have their header, and whole lines are the source's, in order."""
    parsed = list(elements(done.text.split("\n")))
    assert all(one.closed for one in parsed if one.kind == "fence")
    source = text.split("\n")
    lines = done.text.split("\n")
    for at, line in enumerate(lines):
        if line.startswith("| ") and line in source and line != "| a | b |":
            above = next(
                one for one in reversed(lines[:at]) if not one.startswith("| ") or "a | b" in one
            )
            assert above in ("|--|--|", "| a | b |") or above.startswith(("```", "~~~~")), above
    at = 0
    for line in lines[1:]:
        if line and " characters]" not in line:
            at = source.index(line, at) + 1


@settings(max_examples=50, deadline=None)
@given(text=DOCUMENTS, first=st.floats(0.4, 0.9), second=st.floats(0.3, 0.9))
def test_a_second_cut_of_any_document_leaves_one_notice(
    text: str, first: float, second: float
) -> None:
    if read(text) is None or len(text) < 300:
        return
    once = cut(text, round(first * len(text)))
    if read(once.text) is None:
        return
    twice = cut(once.text, max(1, round(second * len(once.text))))

    assert len(re.findall(r"^\[Cut", twice.text, re.MULTILINE)) <= 1


HOSTILE = {
    "open fences": "# A\n\n" + "```x\n" * 30_000,
    "fences": "# A\n\n" + "```\n" * 30_000,
    "quotes": "# A\n\n" + "> " * 100_000 + "\n",
    "brackets": "# A\n\n" + "[" * 100_000,
    "headings": "# x\n\ny\n\n" * 20_000,
    "spaces": "# " + " " * 200_000 + "x\n\ny\n",
    "pipes": "|" * 200_000 + "\n" + "|-" * 100_000 + "\n" + "|" * 200_000,
    "ticks": "# A\n\n|" + "".join("`" * (at % 900) + "a" for at in range(5000)) + "|\n|-|\n",
    "one line": "# A\n\n" + "word " * 1_000_000,
    "items": "# A\n\n" + "".join(" " * (at % 50) + "- x\n" for at in range(30_000)),
    "dashes": "# A\n\n" + "-" * 500_000 + "x\n",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_markdown_is_cut_in_bounded_time(kind: str) -> None:
    layout = read(HOSTILE[kind])
    if layout is not None:
        done = cut_blocks(layout, HOSTILE[kind], chars(2000), keep=Keep(), inside=True)
        assert len(done.text) <= 2000


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared cases (ULLAGE_SHARED)")
def test_the_case_of_a_long_table_and_a_long_fence() -> None:
    text = (SHARED / "cases/32-markdown-fence-table/input.md").read_text(encoding="utf-8")
    done = cut(text, 2000)

    assert HEADER[0] in done.text
    assert "Reorder **K117** first." in done.text
    assert done.text.count("~~~~") == 2
    assert "of 120 records" in done.text


@pytest.mark.parametrize("seed", range(20))
def test_an_odd_row_and_a_closing_sentence_survive(seed: int) -> None:
    rng = random.Random(seed)
    rows = [
        f"| SKU-{at:04d} | WH{rng.randrange(6)} | {rng.randrange(10, 400)} |"
        f" {rng.uniform(1, 90):.2f} | 2026-02-{1 + at % 28:02d} |"
        for at in range(300)
    ]
    odd = rng.randrange(300)
    rows[odd] = f"| SKU-{odd:04d} | WH9 | -55 | 12.00 | 1970-01-01 |"
    head = ["| sku | warehouse | qty | price | updated |", "|---|---|---:|---:|---|"]
    closing = "Footer: figures are provisional until audit 77-B closes."
    done = cut(document("# Inventory", [*head, *rows], closing), 6000)

    assert rows[odd] in done.text
    assert closing in done.text


def test_a_blank_line_in_a_fence_takes_no_room_of_its_own() -> None:
    code = "".join(f"step {n} of many\n\n\n" for n in range(60))
    done = ullage.cut(f"# A\n\nWords.\n\n```\n{code}```\n", ullage.chars(400))
    inside = done.text.split("```")[1].split("\n")[1:-1]
    kept = [line for line in inside if line]

    assert len(kept) > 10
    assert len(inside) == 3 * len(kept)
    assert f"{len(inside)} of 180 lines" in done.notice


@pytest.mark.parametrize("limit", [700, 1500])
def test_a_section_that_is_cut_keeps_the_beginning_of_a_paragraph(limit: int) -> None:
    sections = [f"## Part {n}\n\n" + f"Sentence {n} goes on. " * 18 for n in range(30)]
    done = ullage.cut("# All\n\n" + "\n\n".join(sections), ullage.chars(limit))

    assert len(done.text) > 0.8 * limit
    assert "## Part 0\n\nSentence 0 goes on. Sentence 0" in done.text
    assert len(ullage.cut(done.text, ullage.chars(limit - 100)).text) <= limit - 100
