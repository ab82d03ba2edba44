"""Checking a pipeline over a grid: where the ids are looked for, and wrong use."""

import json
from pathlib import Path
from typing import Any

import pytest
from openai import OpenAI

import ullage
from ullage import Coverage, RecordedRun, check_coverage, record_run

Texts = list[str]
Records = list[dict[str, object]]


def whole(records: Records, earlier_turns: Texts, tool_calls: Texts) -> str:
    return json.dumps([earlier_turns, tool_calls, records])


def seen(coverage: Coverage) -> list[tuple[int, ...]]:
    return [one.seen for one in coverage.cells]


def sent(run: RecordedRun, *texts: str) -> None:
    with OpenAI(base_url=run.base_url) as client:
        for text in texts:
            client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])


def test_the_grid_is_gone_through_with_every_repeat() -> None:
    found = check_coverage(whole)

    found.assert_all_seen()
    assert len(found.cells) == 3 * 3 * 2
    assert {len(one.seen) for one in found.cells} == {3}
    assert (found.cells[-1].records, found.cells[-1].turns, found.cells[-1].tool_calls) == (
        500,
        12,
        3,
    )


def test_what_the_pipeline_returned_is_looked_in_where_nothing_was_sent() -> None:
    found = check_coverage(lambda records, *_: records[:60], records=[50, 200], turns=[0])

    assert [one.least for one in found.cells] == [50, 50, 60, 60]
    assert {one.looked_in for one in found.cells} == {"returned"}


def test_the_last_request_counts_before_what_was_returned(tmp_path: Path) -> None:
    with record_run(tmp_path / "l") as run:

        def pipeline(records: Records, *_: Texts) -> str:
            sent(run, json.dumps(records), json.dumps(records[:20]))
            return json.dumps(records)

        (cell,) = check_coverage(
            pipeline, records=[50], turns=[0], tool_calls=[0], repeats=1, run=run
        ).cells

    assert (cell.seen, cell.looked_in, cell.lost_later) == ((20,), "last request", True)


def test_data_that_is_sent_in_pieces_is_seen_over_all_requests(tmp_path: Path) -> None:
    with record_run(tmp_path / "l") as run:

        def pipeline(records: Records, *_: Texts) -> None:
            pieces = [records[start : start + 20] for start in range(0, len(records), 20)]
            sent(run, *map(json.dumps, pieces))

        grid: dict[str, Any] = {"records": [50], "turns": [0], "tool_calls": [0], "run": run}
        check_coverage(pipeline, look_in="any request", **grid).assert_all_seen()
        assert seen(check_coverage(pipeline, **grid)) == [(10, 10, 10)]


def test_a_request_of_an_earlier_case_is_not_taken_for_one_of_this(tmp_path: Path) -> None:
    with record_run(tmp_path / "l") as run:
        calls = iter([True, False])

        def pipeline(records: Records, *_: Texts) -> str:
            if next(calls):
                sent(run, json.dumps(records))
            return "nothing"

        found = check_coverage(
            pipeline, records=[50], turns=[0], tool_calls=[0], repeats=2, run=run
        )

    assert seen(found) == [(50, 0)]


def test_cases_with_the_same_history_are_not_taken_for_one_conversation(tmp_path: Path) -> None:
    with record_run(tmp_path / "l") as run:

        def pipeline(records: Records, earlier_turns: Texts, _: Texts) -> None:
            texts = [*earlier_turns, json.dumps(records)]
            messages: Any = [{"role": "user", "content": text} for text in texts]
            with OpenAI(base_url=run.base_url) as client:
                client.chat.completions.create(model="m", messages=messages)

        check_coverage(pipeline, records=[50], run=run).assert_all_seen()

        assert run.findings == []


def agent(client: OpenAI, history: list[Any], question: str, result: str) -> None:
    """A loop as agents have it: call what the model asks for, until it says something."""
    function = {"name": "list_orders", "parameters": {"type": "object", "properties": {}}}
    tools: Any = [{"type": "function", "function": function}]
    messages: list[Any] = [*history, {"role": "user", "content": question}]
    while True:
        reply = client.chat.completions.create(model="m", messages=messages, tools=tools)
        message = reply.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return
        for call in message.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def test_data_that_a_tool_makes_is_asked_for_after_any_history(tmp_path: Path) -> None:
    with record_run(tmp_path / "l") as run, OpenAI(base_url=run.base_url) as client:

        def pipeline(records: Records, earlier_turns: Texts, _: Texts) -> None:
            history = [
                {"role": role, "content": said}
                for said in earlier_turns
                for role in ("user", "assistant")
            ]
            agent(client, history, "Analyse all orders.", json.dumps(records))

        check_coverage(pipeline, records=[50], run=run).assert_all_seen()


def test_a_cut_that_says_what_is_missing_is_told_and_a_slice_is_not() -> None:
    def shortened(records: Records, *_: Texts) -> str:
        return ullage.cut(records, ullage.chars(3000)).text

    def sliced(records: Records, *_: Texts) -> str:
        return json.dumps(records)[:3000]

    check_coverage(shortened).assert_seen_or_told()
    with pytest.raises(AssertionError, match="boundary: budget"):
        check_coverage(sliced).assert_seen_or_told()


def test_an_async_pipeline_is_awaited() -> None:
    async def pipeline(records: Records, *_: Texts) -> Records:
        return records

    check_coverage(pipeline, turns=[0], tool_calls=[0], repeats=1).assert_all_seen()


def test_a_pipeline_cannot_change_what_is_counted() -> None:
    def pipeline(records: Records, earlier_turns: Texts, tool_calls: Texts) -> str:
        text = json.dumps(records)
        records.clear()
        return text

    check_coverage(pipeline, turns=[0], tool_calls=[0]).assert_all_seen()


def test_records_of_another_shape_are_made_with_the_id_that_is_given() -> None:
    def make(identity: str, number: int) -> dict[str, object]:
        return {"row": number, "ref": {"of": identity}}

    found = check_coverage(
        lambda records, *_: f"rows: {[row['ref'] for row in records]}", make=make, repeats=1
    )

    found.assert_all_seen()


def test_an_error_of_the_pipeline_says_in_which_case(tmp_path: Path) -> None:
    def pipeline(records: Records, *_: Texts) -> str:
        return "" if len(records) < 200 else str(1 / 0)

    with pytest.raises(ZeroDivisionError) as failed:
        check_coverage(pipeline)

    assert failed.value.__notes__ == [
        "in the case of 200 records, 0 earlier turns and 0 further tool calls"
    ]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"records": []}, "records and repeats are 1 or more"),
        ({"records": [0]}, "records and repeats are 1 or more"),
        ({"repeats": 0}, "records and repeats are 1 or more"),
        ({"turns": []}, "turns and tool_calls are 0 or more"),
        ({"tool_calls": [-1]}, "turns and tool_calls are 0 or more"),
        ({"look_in": "everywhere"}, "use 'last request', 'any request', 'returned'"),
        ({"look_in": "any request"}, "sent no request that was recorded"),
    ],
)
def test_wrong_use_is_a_value_error(options: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        check_coverage(whole, **options)


def test_a_pipeline_that_shows_nothing_is_wrong_use() -> None:
    with pytest.raises(ValueError, match="returned nothing and sent no request"):
        check_coverage(lambda *_: None)
    with pytest.raises(TypeError, match="what the pipeline returned is object"):
        check_coverage(lambda *_: object())
