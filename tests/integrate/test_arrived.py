"""`assert_arrived`: what it lets pass, and what it says where it does not."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage import Ledger, assert_arrived, chars, cut
from ullage.ledger.records import ExchangeRecord, ProducedRecord

ROWS = [{"id": f"ORD-{n}", "total": n * 3} for n in range(50)]
IDS = [str(row["id"]) for row in ROWS]
WHOLE = json.dumps(ROWS)


def failure(*sides: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as failed:
        assert_arrived(*sides, **options)
    return str(failed.value)


def test_what_arrived_whole_passes_in_any_form() -> None:
    assert_arrived(ROWS, "Observation: " + WHOLE)
    assert_arrived(WHOLE.encode(), repr(ROWS), key="id")
    assert_arrived("a line\nanother", "a line\nanother")


def test_a_slice_fails_with_what_arrived_what_is_missing_and_what_to_do() -> None:
    words = failure(ROWS, WHOLE[:700], key="id", what="orders")

    assert words.startswith("23 of 50 orders arrived")
    assert "(0.46; asked for: 1.00)" in words
    assert "missing: id ORD-23, ORD-24, ORD-25, ORD-26, ORD-27 and 22 more" in words
    assert "syntax: broken; notice to the model: none" in words
    assert "ullage.cut(result, ullage.chars(700)).text" in words


def test_each_part_and_each_field_that_lost_is_named() -> None:
    made = {"early": [{"n": 1, "v": 1}, {"n": 2, "v": 2}], "late": [{"n": 3}, {"n": 4}]}
    given = {"early": [{"n": 1, "v": 1}, {"n": 2}], "late": []}

    words = failure(made, given)

    assert "parts: $.early 1 of 2; $.late 0 of 2" in words
    assert "$.early v 1 of 2" in words


def test_a_share_that_is_asked_for_is_enough() -> None:
    half = json.dumps(ROWS[:25])

    assert_arrived(ROWS, half, least=0.5)
    assert "(0.50; asked for: 0.51)" in failure(ROWS, half, least=0.51)


def test_a_loss_of_which_the_text_says_how_much_is_accepted_where_that_is_asked() -> None:
    done = cut(WHOLE, chars(700)).text

    assert_arrived(ROWS, done, or_told=True)
    assert_arrived(IDS, done, or_told=True)
    assert "asked for: 1.00" in failure(ROWS, done)
    assert "asked for: 1.00" in failure(ROWS, WHOLE[:700], or_told=True)


def test_every_id_must_stand_in_the_answer_at_token_borders() -> None:
    words = failure(["ORD-1", "ORD-17"], "ORD-17 is late")

    assert words.startswith("1 of 2 ids arrived (0.50; asked for: 1.00)")
    assert "missing: ORD-1\n" in words


def test_ids_are_found_in_escaped_text_and_in_values() -> None:
    assert_arrived(["größe/1"], json.dumps(json.dumps({"id": "größe/1"})))
    assert_arrived([17, 18], {"rows": [17, 18]})
    assert_arrived(set(IDS), ROWS)


def test_a_count_in_the_answer_that_is_not_how_many_there_were_is_named() -> None:
    answer = ", ".join(IDS) + ". 20 orders analysed."

    assert_arrived(IDS, answer)
    words = failure(IDS, answer, what="orders")

    assert words.startswith("50 of 50 orders arrived")
    assert "the text claims: '20 orders analysed'; produced: 50" in words


def test_a_wrong_count_is_named_beside_missing_ids_whatever_was_counted() -> None:
    assert "'20 orders analysed'; produced: 50" in failure(IDS, "20 orders analysed, 1 late")


def test_a_right_count_is_no_fault() -> None:
    assert_arrived(IDS, ", ".join(IDS) + ". All 50 orders analysed.", what="orders")


@pytest.mark.parametrize("nothing", [[], "", {}, "  ", {"rows": []}, b""])
def test_nothing_produced_shows_nothing_and_fails(nothing: object) -> None:
    assert "nothing was produced" in failure(nothing, "20 orders analysed")


def test_records_in_a_form_that_is_not_read_are_looked_for_by_their_ids() -> None:
    table = "\n".join(f"| {row['id']} | {row['total']} |" for row in ROWS)

    assert "assert_arrived([ids], delivered)" in failure(ROWS, table)
    assert_arrived(IDS, table)


@pytest.mark.parametrize(
    ("sides", "options", "error", "words"),
    [
        (("a", "b"), {"least": 0}, ValueError, "least is a share"),
        (("a", "b"), {"least": 1.5}, ValueError, "least is a share"),
        ((ROWS, WHOLE), {"key": "ident"}, ValueError, "no record that was produced has"),
        ((IDS, WHOLE), {"key": "id"}, ValueError, "but ids were produced"),
        ((["ORD-1", " "], "x"), {}, ValueError, "an id is blank"),
        (("a", "b"), {"run": "monday"}, ValueError, "for a recorded run"),
        (("a", "b"), {"tool": "fetch"}, ValueError, "for a recorded run"),
        ((object(), "b"), {}, TypeError, "produced is object"),
        (("a", object()), {}, TypeError, "delivered is object"),
        (("a text",), {}, TypeError, "give what was delivered as the second argument"),
        ((Path("x"),), {"what": "orders"}, ValueError, "what= counts records"),
    ],
)
def test_wrong_use_is_no_assertion(
    sides: Any, options: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        assert_arrived(*sides, **options)


@given(st.lists(st.integers(), min_size=1, unique=True), st.data())
def test_an_answer_without_one_of_the_ids_fails(ids: list[int], data: st.DataObject) -> None:
    left_out = data.draw(st.sampled_from(ids))
    answer = " ".join(str(one) for one in ids if one != left_out)

    assert_arrived(ids, f"{answer} {left_out}")
    # "-5" beside "5" is the one id that holds another: a sign is no token of its own.
    if str(abs(left_out)) not in answer:
        assert f"missing: {left_out}" in failure(ids, answer)


def record(ledger: Ledger, run: str, produced: str, delivered: str, tool: str = "fetch") -> None:
    ledger.add_produced(
        ProducedRecord(
            run=run, tool=tool, kind="tool", arguments="{}", text=produced, at=1.0, key="id"
        )
    )
    body = {"model": "m", "messages": [{"role": "user", "content": delivered}]}
    ledger.add_exchange(
        ExchangeRecord(
            run=run,
            method="POST",
            path="/v1/chat/completions",
            upstream="http://model.test",
            request_headers=[],
            request_body=json.dumps(body).encode(),
            status=200,
            response_headers=[],
            response_body=b'{"choices": []}',
            started=1.0,
            first_byte=1.0,
            ended=2.0,
        )
    )


def test_a_ledger_whose_results_arrived_passes(tmp_path: Path) -> None:
    with Ledger(tmp_path / "l") as ledger:
        record(ledger, "monday", WHOLE, WHOLE)

        assert_arrived(ledger)
        assert_arrived(ledger, run="monday", tool="fetch", key="total")
    assert_arrived(tmp_path / "l")


def test_a_ledger_says_which_result_lost_what_where(tmp_path: Path) -> None:
    with Ledger(tmp_path / "l") as ledger:
        record(ledger, "monday", WHOLE, WHOLE[:700])

        words = failure(ledger)

    assert words.startswith("run monday: 0 of 1 results arrived\n  fetch: 23 of 50 records")
    assert "missing: id ORD-23" in words
    assert "lost at: budget" in words


def test_a_result_that_no_request_carried_is_named(tmp_path: Path) -> None:
    with Ledger(tmp_path / "l") as ledger:
        record(ledger, "monday", WHOLE, "What is late?")

        words = failure(ledger)

    assert f"fetch: in no request that was read (characters produced: {len(WHOLE)})" in words


def test_a_run_in_which_nothing_was_produced_fails(tmp_path: Path) -> None:
    with Ledger(tmp_path / "l") as ledger:
        record(ledger, "monday", WHOLE, WHOLE)

        words = failure(ledger, tool="search")

    assert "no result of 'search' was recorded as produced (recorded: fetch)" in words


def test_a_ledger_of_several_runs_asks_which(tmp_path: Path) -> None:
    with Ledger(tmp_path / "l") as ledger:
        record(ledger, "monday", WHOLE, WHOLE)
        record(ledger, "tuesday", WHOLE, WHOLE[:700])

        with pytest.raises(ValueError, match=r"name one with run=; its runs: monday, tuesday"):
            assert_arrived(ledger)
        with pytest.raises(ValueError, match="there is no run 'friday'"):
            assert_arrived(ledger, run="friday")
        assert_arrived(ledger, run="monday")
