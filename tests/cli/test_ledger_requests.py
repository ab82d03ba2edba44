"""`ullage ledger requests` and `stats`: what was sent, what was not any more, what arrived."""

import io
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from ullage.checks.measure import measure
from ullage.checks.request_log import request_log
from ullage.checks.settle import settle, write_down
from ullage.cli.ledger import command
from ullage.ledger.held import hold
from ullage.ledger.keep import read_policy
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger
from ullage.report.ledger import print_requests

ROWS = json.dumps([{"id": f"order-{n:03d}"} for n in range(20)])
SYSTEM = {"role": "system", "content": "be brief"}
TASK = {"role": "user", "content": "count the orders"}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "function": {"name": "fetch", "arguments": "{}"}}],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": ROWS[:200]}


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(one) for one in arguments])


def send(
    ledger: Ledger,
    messages: Sequence[dict[str, Any]],
    *,
    path: str = "/v1/chat/completions",
    status: int | None = 200,
    run: str = "r",
    **members: Any,
) -> None:
    reply = {
        "choices": [{"message": {"role": "assistant", "content": "20"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 31, "completion_tokens": 2},
    }
    ledger.add_exchange(
        ExchangeRecord(
            run=run,
            agent="planner",
            method="POST",
            path=path,
            upstream="http://model.test",
            request_headers=[],
            request_body=json.dumps(
                {"model": "gpt-4o", "max_tokens": 50, "messages": messages, **members}
            ).encode(),
            status=status,
            response_headers=[],
            response_body=b"" if status is None else json.dumps(reply).encode(),
            started=1_700_000_000.0,
            first_byte=None,
            ended=1_700_000_001.0,
            error="the upstream closed the connection" if status is None else None,
        )
    )


def record(ledger: Ledger) -> None:
    """A task, a result of 20 rows that is cut, and a request that has lost the task."""
    ledger.add_produced(
        ProducedRecord(run="r", tool="fetch", kind="tool", arguments="{}", text=ROWS, at=1.0)
    )
    send(ledger, [SYSTEM, TASK])
    send(ledger, [SYSTEM, TASK, CALL, RESULT])
    send(ledger, [SYSTEM, TASK, CALL, {**RESULT, "content": "[cleared]"}, TASK])
    send(ledger, [], path="/v1/models", status=None)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "a.ledger"
    with Ledger(place) as ledger:
        record(ledger)
        write_down(ledger, measure(ledger, "r"), at=9.0)
    return place


def document(place: Path) -> list[dict[str, Any]]:
    found = json.loads(run("requests", place, "--format", "json").stdout)
    assert found["schema"] == "ullage.requests/1"
    requests: list[dict[str, Any]] = found["requests"]
    return requests


def test_each_request_has_its_messages_by_role_and_its_tokens_by_part(place: Path) -> None:
    second = document(place)[1]

    assert (second["number"], second["run"], second["agent"]) == (2, "r", "planner")
    assert (second["messages"], second["conversation"]) == (4, 1)
    assert second["roles"] == {"system": 1, "user": 1, "assistant": 1, "tool": 1}
    table = {one["part"]: one["tokens"] for one in second["table"]}
    assert table["reserve"] == 50
    assert sum(table.values()) == second["tokens"]["tokens"] + 50
    assert table["data"] > table["system"] > 0
    assert second["tokens"]["method"] == "exact"


def test_a_message_that_was_there_before_is_a_trim(place: Path) -> None:
    assert [one["trims"] for one in document(place)] == [
        [],
        [],
        [
            {
                "act": "changed",
                "index": 3,
                "role": "tool",
                "chars": 200,
                "chars_left": 9,
                "answers": "c1",
            }
        ],
        None,
    ]


def test_what_came_back_is_named(place: Path) -> None:
    first, *_, last = document(place)

    assert first["usage"]["input"] == 31
    assert (first["label"], first["finish_reason"]) == ("complete", "stop")
    assert (last["kind"], last["status"]) == (None, None)
    assert last["failure"] == "the upstream closed the connection"


def test_what_arrived_stands_at_the_request_that_carried_it_first(place: Path) -> None:
    assert [one["carried"] for one in document(place)] == [
        [],
        [{"result": 1, "rate": 0.45, "boundary": "budget"}],
        [],
        [],
    ]


def test_the_table_says_the_same_for_people(place: Path) -> None:
    run("outcome", "r", "0.5", "--ledger", place)

    lines = run("requests", place).stdout.splitlines()

    assert lines[0] == "run r, score 0.5"
    assert lines[1].split()[:4] == ["#", "time", "(UTC)", "request"]
    assert "planner gpt-4o" in lines[3]
    assert "4 (1 system, 1 user, 1 assistant, 1 tool)" in lines[3]
    assert "45.0 %" in lines[3]
    assert "planner /v1/models" in lines[5]
    assert "failed" in lines[5]
    assert lines[6:] == [
        "request 3: message 3, tool (answer to c1), was 200 characters and is 9 now",
        "request 4: the upstream closed the connection",
    ]


def test_a_narrow_terminal_gets_sentences_of_which_nothing_is_cropped(place: Path) -> None:
    out = io.StringIO()
    with Ledger.read(place) as ledger:
        print_requests(Console(file=out, width=60), list(request_log(ledger)), {})

    text = " ".join(out.getvalue().split())
    assert (
        "#2 22:13:20 200 planner gpt-4o: 4 (1 system, 1 user, 1 assistant, 1 tool) messages, "
        "85 tokens (system 2, data 78, history 5, reserve 50), server read 31, trims 0, "
        "arrived 45.0 %, reply complete / stop"
    ) in text


def test_a_server_that_keeps_the_history_leaves_trims_unknown(tmp_path: Path) -> None:
    place = tmp_path / "b.ledger"
    with Ledger(place) as ledger:
        send(ledger, [], path="/v1/responses", input="count", model="gpt-4o")
        send(
            ledger,
            [],
            path="/v1/responses",
            input="go on",
            previous_response_id="resp_1",
        )

    assert [one["trims"] for one in document(place)] == [[], None]


def test_an_unknown_run_is_wrong_usage(place: Path) -> None:
    assert run("requests", place, "--run", "none").exit_code == 2


def test_a_run_kept_as_counts_has_the_same_log_without_its_words(
    place: Path, tmp_path: Path
) -> None:
    counts = tmp_path / "counts.ledger"
    with Ledger(counts) as ledger:
        held = hold(ledger, "r", read_policy({"default": "counts"}))
        with Ledger(held.path) as aside:
            record(aside)
        settle(held, ledger, at=9.0)

    assert document(counts) == document(place)
    assert "order-0" not in run("export", counts).stdout
    assert "order-0" in run("export", place).stdout


def test_stats_show_what_arrived_in_a_run_beside_its_outcome(place: Path) -> None:
    run("outcome", "r", "1", "--ledger", place, "--note", "right")

    found = json.loads(run("stats", place, "--format", "json").stdout)

    (one,) = found["runs"]
    assert (one["measured"], one["seen"], one["exchanges"]) == (1, 1, 4)
    assert (one["records"], one["rate"]) == ({"produced": 20, "delivered": 9}, 0.45)
    assert (one["score"], one["note"]) == (1.0, "right")
    assert run("stats", place).stdout.splitlines()[-1].split() == [
        "r",
        "4",
        "1",
        "1",
        *["9", "of", "20", "(45.0", "%)"],
        "1",
    ]


def test_what_is_not_measured_is_no_rate(tmp_path: Path) -> None:
    place = tmp_path / "b.ledger"
    with Ledger(place) as ledger:
        record(ledger)

    (one,) = json.loads(run("stats", place, "--format", "json").stdout)["runs"]

    assert (one["measured"], one["rate"], one["score"]) == (0, None, None)


def test_stats_say_what_was_pruned(place: Path) -> None:
    with Ledger(place) as ledger:
        send(ledger, [TASK], run="old")
    run("prune", place, "--older-than", "1d")

    found = json.loads(run("stats", place, "--format", "json").stdout)

    assert found["pruned"] == {"runs": 2, "exchanges": 5, "tool_results": 1}
    assert found["runs"] == []
    assert run("stats", place).stdout.splitlines()[-1].split() == ["runs", "taken", "out", "2"]


def test_measure_writes_what_arrived_beside_the_results(tmp_path: Path) -> None:
    place = tmp_path / "b.ledger"
    with Ledger(place) as ledger:
        record(ledger)

    done = run("measure", place)

    assert done.stderr == "ullage ledger: 1 results of 1 runs measured\n"
    (one,) = json.loads(run("stats", place, "--format", "json").stdout)["runs"]
    assert (one["measured"], one["rate"]) == (1, 0.45)
    with closing(sqlite3.connect(place)) as db:
        view = db.execute(
            "SELECT tool, produced_chars, delivered_chars, parts_arrived, valid, boundary, exchange"
            " FROM arrival"
        ).fetchall()
    assert view == [("fetch", 420, 200, 1, 0, "budget", 2)]


def test_measuring_again_counts_once(place: Path) -> None:
    run("measure", place)
    run("measure", place, "--run", "r")

    (one,) = json.loads(run("stats", place, "--format", "json").stdout)["runs"]
    assert (one["measured"], one["seen"]) == (1, 1)
    assert run("verify", place).exit_code == 0


def test_measure_of_an_unknown_run_says_so(place: Path) -> None:
    assert "has no run 'none'" in str(run("measure", place, "--run", "none").exception)
