"""The five properties that a cut has in every format, on generated records at any budget.

Within its budget; the syntax stays; kept records are the source's own bytes; the account adds up; a
second cut of the same budget changes nothing. Run once with 10,000 examples for each format:

    ULLAGE_EXAMPLES=10000 python -m pytest tests/cutter/test_every_format.py -o timeout=0
"""

import ast
import csv
import io
import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast, get_args
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.cutter.examples import examples
from tests.cutter.json_tokens import tokens
from tests.cutter.test_layers import LAYERS

from ullage import Cut, chars, cut
from ullage.cutter import spans
from ullage.cutter.content import content
from ullage.cutter.values import Format

Row = dict[str, Any]

PRINTED = st.characters(
    exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\ufffe\uffff"
)
TEXTS = st.text(PRINTED, max_size=14) | st.sampled_from(
    [
        "",
        "plain words",
        "a, b; c\td",
        'it\'s "so"',
        "line\none\n\nmore",
        "x" * 300,
        "é👩‍👩‍👧" * 40,
        "a | b",
        "# no heading",
        "- no item",
        "[132] link",
        "key: value",
        "<b>&amp;</b>",
        "```",
        "ERROR: no such file",
        "… [3 of 9 characters]",
        "Cut: 1 of 2 records.",
        "\\ \\n \\u0041",
        "data " * 90,
    ]
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {"id": st.integers(0, 10**6), "name": TEXTS, "ok": st.booleans()},
        optional={"cpu": st.floats(0, 99).map(lambda one: round(one, 2)), "note": TEXTS},
    ),
    min_size=4,
    max_size=30,
)
SHARES = st.floats(min_value=0, max_value=1)


def one_line(text: str) -> str:
    """A text as it can stand on a line of its own."""
    return " ".join(text.split())


def as_csv(rows: Sequence[Row], delimiter: str) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["id", "name", "ok", "cpu", "note"])
    writer.writerows(
        [r["id"], r["name"], r["ok"], r.get("cpu", ""), r.get("note", "")] for r in rows
    )
    return out.getvalue()


def in_a_cell(text: str) -> str:
    """A text as it can stand in a cell of a pipe table."""
    return one_line(text).replace("|", "\\|")


def as_markdown(rows: Sequence[Row]) -> str:
    table = "".join(f"| {r['id']} | {in_a_cell(r['name'])} | {r['ok']} |\n" for r in rows)
    words = "".join(f"\n{one_line(r.get('note', ''))}\n" for r in rows[:9])
    return (
        f"# Stock\n\n| id | name | ok |\n|---|---|---|\n{table}\n## Notes\n{words}\n- one\n- two\n"
    )


def as_table(rows: Sequence[Row]) -> str:
    cells = [[str(r["id"]), "-".join(r["name"].split())[:20] or "-", str(r["ok"])] for r in rows]
    cells = [["ID", "NAME", "STATUS"], *cells]
    widths = [max(map(len, column)) + 3 for column in zip(*cells, strict=True)]
    return "".join(
        "".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n"
        for row in cells
    )


def as_log(rows: Sequence[Row]) -> str:
    return "".join(
        f"2026-03-01T10:{at % 60:02d}:00 {'INFO' if r['ok'] else 'ERROR'} {one_line(r['name'])}\n"
        + (f'Traceback (most recent call last):\n  File "a.py", line {at}\nKeyError: {r["id"]}\n')
        * (r["id"] % 7 == 0)
        for at, r in enumerate(rows)
    )


def as_diff(rows: Sequence[Row]) -> str:
    return "".join(
        f"diff --git a/f{at}.py b/f{at}.py\n--- a/f{at}.py\n+++ b/f{at}.py\n@@ -1,2 +1,2 @@\n"
        f" same\n-{one_line(r['name'])}\n+{one_line(r.get('note', ''))}\n"
        for at, r in enumerate(rows)
    )


def as_tests(rows: Sequence[Row]) -> str:
    lines = [f"tests/test_a.py::test_{r['id']} {'PASSED' if r['ok'] else 'FAILED'}" for r in rows]
    words = [f"E   {one_line(r['name'])}" for r in rows if not r["ok"]]
    failed = len(words)
    end = f"=========== {failed} failed, {len(rows) - failed} passed in 1.20s ==========="
    return "\n".join([*lines, "======== FAILURES ========", *words, end]) + "\n"


def as_xml(rows: Sequence[Row]) -> str:
    items = "".join(
        f"\n  <pod id={quoteattr(str(r['id']))}><name>{escape(r['name'])}</name>"
        f"<note>{escape(r.get('note', ''))}</note></pod>"
        for r in rows
    )
    return f'<?xml version="1.0"?>\n<pods kind="all">{items}\n</pods>\n'


def as_html(rows: Sequence[Row]) -> str:
    cells = "".join(f"<tr><td>{r['id']}</td><td>{escape(r['name'])}</td></tr>" for r in rows)
    words = "".join(f"<p>{escape(r.get('note', ''))}</p>" for r in rows)
    table = f"<table><tr><th>id</th><th>name</th></tr>{cells}</table>"
    return f"<!doctype html><html><body><h1>Stock</h1>{words}{table}</body></html>"


def as_prose(rows: Sequence[Row]) -> str:
    return "\n\n".join(
        f"The clerk wrote {one_line(r['name'])} on that day. Nobody had asked for it, and still"
        f" it was read with care by all. {one_line(r.get('note', ''))} It ended so."
        for r in rows
    )


WRITERS: dict[str, Callable[[list[Row]], str]] = {
    "json": lambda rows: json.dumps({"rows": rows, "more": rows[:3], "total": len(rows)}),
    "json list": lambda rows: json.dumps(rows, indent=1, ensure_ascii=False),
    "ndjson": lambda rows: "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows),
    "csv": lambda rows: as_csv(rows, ","),
    "csv with tabs": lambda rows: as_csv(rows, "\t"),
    "table": as_table,
    "markdown": as_markdown,
    "log": as_log,
    "diff": as_diff,
    "test-report": as_tests,
    "xml": as_xml,
    "html": as_html,
    "yaml": lambda rows: yaml.safe_dump(rows, sort_keys=False, allow_unicode=True),
    "yaml of lists": lambda rows: yaml.safe_dump({"early": rows, "late": rows[:5], "n": 3}),
    "repr": repr,
    "repr of lists": lambda rows: repr({"early": rows, "late": tuple(rows[:5]), "n": None}),
    "text": as_prose,
}
"""A writer for each format, some with two; the first word is the format's name."""

MARKED = re.compile(r"… \[|\[\d+ of \d+ characters\]|\[\d+ more")


def same_root(text: str, value: object, source: object) -> None:
    assert type(value) is type(source), text


def json_stays(done: Cut, source: str) -> None:
    same_root(done.text, json.loads(done.text), json.loads(source))


def ndjson_stays(done: Cut, source: str) -> None:
    assert all(spans.is_json(line) for line in done.text.split("\n") if line)


def xml_stays(done: Cut, source: str) -> None:
    root = ElementTree.fromstring(done.text.encode())
    assert root.tag == ElementTree.fromstring(source.encode()).tag


def yaml_stays(done: Cut, source: str) -> None:
    value, whole = yaml.safe_load(done.text), yaml.safe_load(source)
    same_root(done.text, value, whole)
    if isinstance(value, dict):
        for key, one in value.items():
            same_root(done.text, one, whole[key])


def repr_stays(done: Cut, source: str) -> None:
    same_root(done.text, ast.literal_eval(done.text), ast.literal_eval(source))


def csv_stays(done: Cut, source: str) -> None:
    header, _, rest = done.text.partition("\n")
    assert header == source.partition("\n")[0]
    assert rest.startswith("# Cut") or not rest


def fences_close(done: Cut, source: str) -> None:
    fences = [line for line in done.text.split("\n") if line.lstrip().startswith("```")]
    whole = [line for line in source.split("\n") if line.lstrip().startswith("```")]
    assert len(fences) % 2 == 0 or len(whole) % 2


SYNTAX: dict[Format, Callable[[Cut, str], None]] = {
    "json": json_stays,
    "ndjson": ndjson_stays,
    "xml": xml_stays,
    "yaml": yaml_stays,
    "repr": repr_stays,
    "csv": csv_stays,
    "markdown": fences_close,
}
"""What reads a text of a format again; the others have no grammar but their lines."""


def json_records(text: str) -> Iterator[str]:
    """The records of a list, or of the lists of an object, white space between tokens aside."""
    lists = [text]
    if text.lstrip().startswith("{"):
        lists = [value for _, value in spans.members(text.strip()) if value.startswith("[")]
    for one in lists:
        yield from ("".join(tokens(record)) for record in spans.items(one.strip()))


def xml_records(text: str) -> Iterator[str]:
    yield from re.findall(r"<pod .*?</pod>", text, re.DOTALL)


def csv_records(text: str) -> Iterator[str]:
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    lines = [line for line in text.split("\n") if not line.startswith("# Cut")]
    for row in csv.reader(io.StringIO("\n".join(lines), newline=""), delimiter=delimiter):
        yield repr(row)


def repr_records(text: str) -> Iterator[str]:
    value = ast.literal_eval(text)
    lists = [value] if isinstance(value, list) else value.values()
    for one in lists:
        yield from map(repr, one if isinstance(one, list | tuple) else [])


def yaml_records(text: str) -> Iterator[str]:
    value = yaml.safe_load(text)
    lists = [value] if isinstance(value, list) else value.values()
    for one in lists:
        yield from map(repr, one if isinstance(one, list) else [])


def lines_of(text: str) -> Iterator[str]:
    yield from text.split("\n")


RECORDS: dict[Format, Callable[[str], Iterator[str]]] = {
    "json": json_records,
    "xml": xml_records,
    "csv": csv_records,
    "repr": repr_records,
    "yaml": yaml_records,
}
"""What splits a text of a format into records; of all others each line is one."""


def is_ours(record: str, done: Cut) -> bool:
    """Whether a record is our notice, or says itself that it is not whole."""
    said = done.notice.removesuffix(".")
    return "_ullage" in record or MARKED.search(record) is not None or said[:40] in record


def check_syntax(done: Cut, source: str) -> None:
    if done.account.format in SYNTAX:
        SYNTAX[done.account.format](done, source)


def check_records(done: Cut, source: str) -> None:
    if done.account.format == "html":
        source = content(source)
    if done.account.format in ("markdown", "html", "text"):
        source += "\n```"  # a fence that the source leaves open is closed
    split = RECORDS.get(done.account.format, lines_of)
    rest = iter([one.rstrip() for one in split(source)])
    not_whole = sum(part.shortened for part in done.account.parts)
    # Where not even one line fits, what is left is the beginning of the text.
    not_whole += done.account.format == "text" and done.account.parts[0].unit == "characters"
    for record in split(done.text):
        if not record.strip() or is_ours(record, done):
            continue
        rest, here = itertools.tee(rest)
        if any(one == record.rstrip() for one in here):
            rest = here
        else:
            not_whole -= 1
            assert not_whole >= 0, record


def check_account(done: Cut) -> None:
    for part in done.account.parts:
        left_out = sum(last - first + 1 for first, last in part.left_out)
        assert part.produced == part.delivered + left_out, part
        assert 0 <= part.shortened <= part.delivered
    assert done.account.delivered.chars == len(done.text)


def check(source: str, limit: int) -> Cut:
    """Cut a text and assert all five properties of it."""
    done = cut(source, chars(limit))
    assert len(done.text) <= limit
    check_account(done)
    if limit >= done.account.floor:
        assert done.text
        check_syntax(done, source)
        check_records(done, source)
    again = cut(done.text, chars(limit))
    assert again.text == done.text
    return done


def test_every_format_has_a_writer() -> None:
    assert {name.split(" ")[0] for name in WRITERS} == set(get_args(Format))


@pytest.mark.parametrize("name", WRITERS)
def test_any_records_at_any_budget(name: str) -> None:
    found = set()

    @examples(30)
    @given(rows=ROWS, share=SHARES)
    def holds(rows: list[Row], share: float) -> None:
        source = WRITERS[name](rows)
        done = check(source, 1 + round((len(source) - 2) * share))
        found.add(done.account.format)

    holds()
    assert cast("Format", name.split(" ")[0]) in found


SMALL: list[Row] = [
    {"id": at, "name": name, "ok": at % 2 == 0, "note": "é👩‍👩‍👧 words"}
    for at, name in enumerate(["amber", "it's, so", "x" * 60, "line\ntwo", "<b>&"])
]


@pytest.mark.parametrize("name", WRITERS)
def test_every_budget_from_one_to_the_length(name: str) -> None:
    source = WRITERS[name](SMALL)
    for limit in range(1, len(source)):
        check(source, limit)


@pytest.mark.parametrize("name", LAYERS)
def test_every_budget_of_a_wrapped_result(name: str) -> None:
    wrap, unwrap = LAYERS[name]
    source = wrap(json.dumps({"rows": SMALL, "total": 5}))
    for limit in range(1, len(source)):
        done = cut(source, chars(limit))
        assert len(done.text) <= limit
        check_account(done)
        if limit >= done.account.floor:
            assert isinstance(json.loads(unwrap(done.text)), dict)
        assert cut(done.text, chars(limit)).text == done.text
