"""The checks of single results in sessions: each fires on its fault, and not on a look-alike."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.checks.by_hand import (
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

from ullage.checks import (
    broken_result,
    count_contradicted,
    error_in_body,
    json_faults,
    said_cut,
    unstable_source,
)
from ullage.checks.page_limit_hit import Pages
from ullage.checks.result_forms import Forms
from ullage.checks.session import Session
from ullage.transcript.finding import Finding
from ullage.transcript.transcript import Entry

DRAW = random.Random(20)
ROWS = rows_as_json(DRAW, 4000)
PRINTED = f"meta=None content=[TextContent(type='text', text={ROWS!r}, annotations=None)]"
INSIDE = json.dumps({"_meta": None, "content": [{"type": "text", "text": ROWS}]})
BROKEN = {
    "a list": ROWS[:2000],
    "an object": ('{"error": "", "rows": ' + ROWS)[:2000],
    "a string that comes after an empty member": '{"error": "", "text": "' + "words " * 99,
    "dots behind it": ROWS[:1024] + "...",
    "a word before it": "Observation: " + ROWS[:2000],
    "a Python literal": str(json.loads(ROWS))[:2000],
    "JSON in a printed object": PRINTED[:2000],
    "JSON in JSON in a printed object": f"content=[TextContent(text={INSIDE!r})]"[:2500],
    "cut text in an envelope": json.dumps({"exit": 0, "output": ROWS[:2000]}),
    "JSON in a JSON string": json.dumps({"error": "", "response": ROWS})[:2000],
}
WHOLE = {
    "whole JSON": ROWS,
    "an accessibility tree": "[132] RootWebArea 'Shop'\n  [133] link 'Home'\n  [134] button 'Buy'",
    "a log in brackets": "[12:01:03] started\n[12:01:04] {ready",
    "words behind it": ROWS + "\nThese are all rows.",
    "prose that opens a brace": "{ this is how a block begins",
    "a printed object": PRINTED,
    "JSON lines": "\n".join(json.dumps(one) for one in json.loads(ROWS)),
    "a program": "const a = {\n  b: [1, 2\n",
    "an answer that quotes": 'He said: "{name} is here',
    "nothing": "",
    "an open bracket": "[",
}


def checks(check: Callable[[Session], Any], one: Session) -> list[Finding]:
    return list(check(one))


@pytest.mark.parametrize("name", list(BROKEN))
def test_a_result_that_ends_inside_a_value_is_reported(name: str) -> None:
    (one,) = checks(broken_result.check, of_results([BROKEN[name]]))

    assert (one.check, one.boundary, one.source.line) == ("invalid-syntax", "budget", 2)


@pytest.mark.parametrize("name", list(WHOLE))
def test_what_never_was_json_or_is_whole_is_silent(name: str) -> None:
    assert checks(broken_result.check, of_results([WHOLE[name]])) == []


@pytest.mark.parametrize(
    "arguments",
    [{"command": "head -c 2000 a.json"}, {"path": "a.json", "limit": 50}, {"start_line": 1}],
)
def test_a_part_that_was_asked_for_may_end_inside_a_value(arguments: dict[str, Any]) -> None:
    assert checks(broken_result.check, of_results([ROWS[:2000]], arguments=arguments)) == []


def test_a_limit_of_records_explains_no_broken_json() -> None:
    one = of_results([ROWS[:2000]], arguments={"q": "x", "limit": 50, "offset": 10})

    assert len(checks(broken_result.check, one)) == 1


def test_a_result_is_judged_once_where_its_produced_text_is_known() -> None:
    one = session([asked("c1"), given("c1", ROWS[:2000], ROWS)])

    assert checks(broken_result.check, one) == []


@pytest.mark.parametrize(
    "mark",
    [
        "\n[... 9000 characters truncated ...]",
        "\n<response clipped: 120 lines omitted>",
        "\n... (37 more items not shown)",
    ],
)
def test_a_result_that_says_it_was_shortened_is_reported(mark: str) -> None:
    (one,) = checks(said_cut.check, of_results([log(DRAW, 900) + mark]))

    assert (one.check, one.boundary) == ("cut-upstream", "produce")
    assert one.evidence["shown_by"]


@pytest.mark.parametrize(
    "text",
    [
        "print('long outputs are truncated')",
        "[File: a.py (900 lines total)]\nx = 1\n(839 more lines below)",
        "The list was cut by 12 people.",
        json.dumps({"truncated": False, "rows": [1]}),
    ],
)
def test_words_about_cutting_are_no_mark(text: str) -> None:
    assert checks(said_cut.check, of_results([text])) == []


def mcp(text: str, **more: Any) -> str:
    return json.dumps({"content": [{"type": "text", "text": text}], **more})


def printed(text: str, *, is_error: bool) -> str:
    """An MCP result as Python prints it."""
    return f"meta=None content=[TextContent(type='text', text={text!r})] isError={is_error}"


CLAIMS = {
    "success beside an error": json.dumps({"success": True, "error": "quota exceeded"}),
    "a code beside an error": json.dumps({"status_code": 200, "errors": ["no such table"]}),
    "ok around an error": json.dumps({"ok": True, "data": {"error": {"code": 7}}}),
    "a flag that was lost": printed(mcp("no", isError=True), is_error=False),
    "an error as a text": printed(mcp("Error: no such file"), is_error=False),
    "an MCP result": mcp("Error executing tool x: timed out", isError=False),
}
HONEST = {
    "an error that says so": json.dumps({"success": False, "error": "quota exceeded"}),
    "an error alone": json.dumps({"error": "quota exceeded"}),
    "an empty error": json.dumps({"success": True, "error": "", "errors": [], "data": [1]}),
    "no error": json.dumps({"success": True, "error": "none"}),
    "a job that failed": json.dumps({"success": True, "job": {"id": 3, "status": "failed"}}),
    "an error that is marked": printed("Error: x", is_error=True),
    "a text about errors": printed("Errors are rare", is_error=False),
    "prose": "Error: no such file",
    "rows about errors": json.dumps([{"level": "error", "message": "x"}]),
}


@pytest.mark.parametrize("name", list(CLAIMS))
def test_an_error_behind_a_claim_of_success_is_reported(name: str) -> None:
    (one,) = checks(error_in_body.check, of_results([CLAIMS[name]]))

    assert (one.check, one.boundary) == ("error-in-body", "produce")
    assert one.evidence["claim"]


@pytest.mark.parametrize("name", list(HONEST))
def test_an_error_that_claims_nothing_is_silent(name: str) -> None:
    assert checks(error_in_body.check, of_results([HONEST[name]])) == []


def test_where_failures_are_marked_an_unmarked_error_claims_success() -> None:
    entries = [
        *(asked("c1"), given("c1", "Error: denied", failed=True)),
        *(asked("c2"), given("c2", "Error: denied")),
        *(asked("c3"), given("c3", json.dumps({"error": "denied"}))),
        *(asked("c4", "other"), given("c4", "Error: denied")),
    ]

    assert [one.call_id for one in checks(error_in_body.check, session(entries))] == ["c2", "c3"]


def test_a_key_that_stands_twice_is_named() -> None:
    (one,) = checks(json_faults.check, of_results(['{"a": [{"id": 1, "tag": 2, "tag": 3}]}']))

    assert (one.check, one.evidence["key"]) == ("duplicate-key", "tag")


@pytest.mark.parametrize("text", ['{"a": "\\ud83d"}', 'x\ud83d"'])
def test_half_of_a_character_is_reported(text: str) -> None:
    (one,) = checks(json_faults.check, of_results([text]))

    assert (one.check, one.evidence["count"]) == ("lone-surrogate", 1)


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1}, {"a": 2}]',
        '{"a": "\\ud83d\\ude00 😀"}',
        "pattern = '\\ud83d'",
        '{"a": "\\\\ud83d"}',
    ],
)
def test_clean_json_and_source_about_surrogates_are_silent(text: str) -> None:
    assert checks(json_faults.check, of_results([text])) == []


def counted(count: int, rows: int, **more: Any) -> str:
    return json.dumps({"count": count, "rows": [{"id": one} for one in range(rows)], **more})


def test_a_count_that_is_larger_than_its_list_is_reported() -> None:
    (one,) = checks(count_contradicted.check, of_results([counted(120, 30)]))

    assert (one.evidence["count"], one.evidence["rows"], one.boundary) == (120, 30, "budget")


def test_a_total_counts_where_nothing_speaks_of_pages() -> None:
    text = json.dumps({"total": 120, "rows": [{"id": one} for one in range(30)]})

    assert len(checks(count_contradicted.check, of_results([text]))) == 1
    assert checks(count_contradicted.check, of_results([text], arguments={"limit": 30})) == []


@pytest.mark.parametrize(
    "text",
    [
        counted(30, 30),
        counted(2, 30),
        json.dumps({"total": 120, "page": 1, "rows": [{"id": 1}, {"id": 2}]}),
        json.dumps({"count": 120, "a": [1, 2], "b": [3, 4]}),
        json.dumps({"count": 120, "rows": []}),
        counted(120, 30, truncated=True),
        json.dumps({"total": 764.0, "currency": "EUR", "items": [{"id": 1}, {"id": 2}]}),
        json.dumps({"total": 764, "tax": 76, "rows": [{"id": 1}, {"id": 2}]}),
    ],
)
def test_a_count_that_fits_or_is_of_something_else_is_silent(text: str) -> None:
    assert checks(count_contradicted.check, of_results([text])) == []


def test_a_count_is_judged_by_the_produced_rows_where_they_are_known() -> None:
    fits = session([asked("c1"), given("c1", counted(30, 12), counted(30, 30))])
    never_fitted = session([asked("c1"), given("c1", counted(99, 12), counted(99, 30))])

    assert len(checks(count_contradicted.check, fits)) == 1
    assert checks(count_contradicted.check, never_fitted) == []


def listing(*ids: int, **more: Any) -> str:
    return json.dumps({"rows": [{"id": one, "n": one * 3} for one in ids], **more})


def twice(
    first: str, second: str, *between: Entry, tool: str = "list_orders", **arguments: Any
) -> Session:
    return session(
        [
            user("go"),
            asked("c1", tool, **arguments),
            given("c1", first, at=0.0),
            *between,
            asked("c2", tool, **arguments),
            given("c2", second, at=5.0),
        ]
    )


@pytest.mark.parametrize("name", ["number", "code", "sku", "order_id"])
def test_an_id_is_known_by_any_of_its_usual_names(name: str) -> None:
    def rows(*ids: int) -> str:
        return json.dumps([{name: f"A-{one}", "n": one * 3} for one in ids])

    assert len(checks(unstable_source.check, twice(rows(1, 2, 3), rows(2, 3, 4)))) == 1


def test_the_same_call_with_other_ids_is_reported() -> None:
    (one,) = checks(unstable_source.check, twice(listing(1, 2, 3), listing(2, 3, 4)))

    assert (one.call_id, one.boundary) == ("c2", "produce")
    assert (one.evidence["only_first"], one.evidence["only_second"]) == (1, 1)


@pytest.mark.parametrize(
    "one",
    [
        twice(listing(1, 2, 3), listing(3, 2, 1)),
        twice(listing(1, 2, 3), listing(1, 2, 4), asked("w", "update_order"), given("w", "ok")),
        twice(listing(1, 2, 3), listing(1, 2, 4), user("I have just ordered one more")),
        twice(listing(1, 2, 3), listing(1, 2, 4), tool="get_random_orders"),
        twice(listing(1, 2, 3), listing(1, 2, 4), sort="latest"),
        twice(listing(1, 2, 3), listing(1, 2, 4), tool="run_query"),
        twice("a, b, c", "a, b, d"),
    ],
    ids=["order", "a write", "a user", "chance", "time", "may write", "text"],
)
def test_other_ids_with_a_reason_are_silent(one: Session) -> None:
    assert checks(unstable_source.check, one) == []


def pages(*sizes: int, limit: int | None = None, **more: Any) -> Session:
    texts = [listing(*range(at * 1000, at * 1000 + size), **more) for at, size in enumerate(sizes)]
    arguments = None if limit is None else {"q": "x", "limit": limit}
    return of_results(texts, arguments=arguments)


def test_a_limit_that_several_calls_hit_is_reported_once_a_tool() -> None:
    (one,) = gathered(Pages(), pages(7, 7, limit=7), pages(7, 3, limit=7))

    assert (one.evidence["hits"], one.evidence["calls"], one.evidence["limit"]) == (3, 4, ["limit"])
    assert (one.check, one.boundary) == ("page-limit-hit", "produce")


def test_a_round_number_on_several_calls_is_a_limit_that_nobody_named() -> None:
    (one,) = gathered(Pages(), pages(50, 12, 50, 50))

    assert (one.evidence["by"], one.evidence["records"]) == ("round-number", 50)


@pytest.mark.parametrize(
    "one",
    [
        pages(7, 3, 4, limit=7),
        pages(7, 7, 9, limit=7),
        pages(7, 7, limit=7, has_more=True),
        pages(7, 7, limit=7, total=7),
        pages(50, 50),
        pages(50, 50, 50, 63),
        pages(7, 7, 7),
        of_results([listing(*range(50))] * 5),
    ],
    ids=["once", "passed", "told", "a total", "too few", "more", "not round", "one text"],
)
def test_a_full_page_that_may_be_all_is_silent(one: Session) -> None:
    assert gathered(Pages(), one) == []


FORMS = {
    "python-repr": [
        "{'id': 1, 'open': True, 'note': None}",
        "[('a', 1), ('b', 2)]",
        PRINTED,
        "CallToolResult(meta=None, content=[TextContent(type='text', text='a')])",
    ],
    "double-encoded": [
        json.dumps(json.dumps({"a": [1, 2, 3], "b": "text"})),
        json.dumps({"error": "", "response": json.dumps([{"id": 1, "name": "a"}])}),
    ],
}


@pytest.mark.parametrize(
    ("check", "text"), [(check, text) for check, texts in FORMS.items() for text in texts]
)
def test_a_form_that_makes_readers_stumble_is_reported_once_a_tool(check: str, text: str) -> None:
    found = gathered(Forms(), of_results([text, text]), of_results([text, "plain"]))

    assert [(one.check, one.evidence["results"], one.evidence["of"]) for one in found] == [
        (check, 3, 4)
    ]
    assert found[0].boundary == "serialise"


@pytest.mark.parametrize(
    "text",
    [
        ROWS,
        "[1, 2, 3]",
        "it's {fine}",
        "x=1 y=2",
        "PATH=/usr/bin HOME=/root",
        json.dumps({"quote": 'he said "{a}" to me and to all others'}),
        prose(DRAW, 300),
    ],
)
def test_other_forms_are_silent(text: str) -> None:
    assert gathered(Forms(), of_results([text])) == []


def test_code_that_prints_a_value_is_no_fault() -> None:
    one = of_results(["{'a': None}"], tool="python", arguments={"code": "print(x)"})

    assert gathered(Forms(), one) == []


def test_no_check_speaks_of_an_ordinary_session() -> None:
    from ullage.checks.result_checks import CHECKS, GATHERERS

    draw = random.Random(30)
    texts = [make(draw, draw.randrange(50, 4000)) for make in (log, prose, rows_as_json) * 20]
    one = session([*of_results(texts).entries, wrote("done", 9000)], model="gpt-4o")

    alone = [found for check in CHECKS.values() for found in check(one)]
    together = [found for make in GATHERERS.values() for found in gathered(make(), one)]
    assert [*alone, *together] == []
