"""`ullage scan`, as a command of its own."""

import io
import json
import re
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.checks.exchanges import asked, chat, user
from tests.wire.bodies import CHAT_STREAM, body

from ullage.cli.main import main
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger

ROOT = Path(__file__).parents[2]
ROWS = json.dumps([{"id": f"order-{number:04d}", "note": "n" * 20} for number in range(60)])


@dataclass(frozen=True, kw_only=True)
class Done:
    """What a command printed, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


def scan(*words: str | Path, cwd: Path | None = None) -> Done:
    out, err = io.StringIO(), io.StringIO()
    here = chdir(cwd or ".")
    with here, redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main(["scan", *map(str, words)])
    code = ended.value.code
    assert code is None or isinstance(code, int)
    return Done(returncode=code or 0, stdout=out.getvalue(), stderr=err.getvalue())


def document(done: Done) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Three lines of replies, of which one was cut, and a torn one."""
    lines = [
        {"id": "r1", **chat(content="a")},
        {"id": "r2", **chat("length", content="half a")},
        {"id": "r3", **chat(content="b")},
    ]
    path = tmp_path / "replies.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + '\n{"id": "r', encoding="utf-8")
    return path


def test_the_document_has_its_schema_first_and_all_members(log: Path) -> None:
    done = scan(log, "--format", "json")

    found = document(done)
    assert done.returncode == 0
    assert list(found) == [
        "schema",
        "sessions",
        "exchanges",
        "tool_results",
        "findings",
        "arrival",
        "read",
        "summary",
        "mistakes",
        "use",
        "compactions",
        "gate",
        "checklist",
    ]
    assert found["schema"] == "ullage.scan/1"
    assert found["read"] == {
        "files": 1,
        "records": 3,
        "damaged": 1,
        "plain": 0,
        "unread": {},
        "passed_over": [],
    }
    assert found["summary"]["by_check"] == {"damaged-line": 1, "output-cut": 1}
    assert found["summary"]["by_boundary"] == {"none": 1, "serve": 1}
    damaged, cut = found["findings"]
    assert (damaged["source"]["line"], damaged["boundary"]) == (4, None)
    assert (cut["source"]["line"], cut["evidence"]["id"]) == (2, "r2")


def test_words_for_people_name_the_places_and_what_to_do(log: Path) -> None:
    done = scan("replies.jsonl", cwd=log.parent)

    lines = done.stdout.splitlines()
    assert lines[0] == "Read: 1 file, 3 records, 1 damaged line."
    assert "warning output-cut · boundary serve" in lines
    assert "  replies.jsonl:2" in lines
    assert any(line.startswith("  Raise the output limit") for line in lines)
    assert done.stderr == ""


def test_fail_on_gives_one_where_it_hits(log: Path) -> None:
    assert scan(log, "--fail-on", "output-cut").returncode == 1
    assert scan(log, "--fail-on", "warning").returncode == 1
    assert scan(log, "--fail-on", "error", "--fail-on", "served-short").returncode == 0

    wrong = scan(log, "--fail-on", "cut-output")
    assert wrong.returncode == 2
    assert "did you mean cut-upstream or cut-to-empty or output-cut?" in wrong.stderr


def test_a_gate_with_nothing_to_judge_does_not_pass(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_text('{"seq": 1}\n{"seq": 2}\n', encoding="utf-8")

    assert scan(path).returncode == 0
    assert scan(path, "--fail-on", "damaged-line").returncode == 0
    done = scan(path, "--fail-on", "error")
    assert (done.returncode, "nothing to judge" in done.stderr) == (3, True)


def test_a_stream_comes_from_stdin() -> None:
    command = [sys.executable, "-m", "ullage", "scan", "-", "--format", "json"]

    done = subprocess.run(command, input=CHAT_STREAM[:-200], capture_output=True, check=True)

    (one,) = json.loads(done.stdout)["findings"]
    assert (one["check"], one["source"]) == (
        "stream-incomplete",
        {"path": "<stdin>", "line": None},
    )


def test_a_folder_is_read_whole_and_what_is_passed_over_is_said(log: Path) -> None:
    (log.parent / "notes.txt").write_text("nothing here", encoding="utf-8")
    (log.parent / "request.json").write_bytes(body(asked(user("a"))))

    done = scan(log.parent, "--format", "json")

    assert document(done)["read"] == {
        "files": 2,
        "records": 4,
        "damaged": 1,
        "plain": 0,
        "unread": {},
        "passed_over": document(done)["read"]["passed_over"],
    }
    assert len(document(done)["read"]["passed_over"]) == 1
    assert "passed over" in done.stderr
    assert "notes.txt" in done.stderr


def test_output_writes_a_file(log: Path, tmp_path: Path) -> None:
    done = scan(log, "--format", "json", "--output", tmp_path / "out.json")

    assert done.stdout == ""
    assert json.loads((tmp_path / "out.json").read_bytes())["exchanges"] == 3


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nothing.json"], 2, "nothing.json"),
        ([], 2, "Missing argument"),
        (["notes.txt"], 3, "neither JSON"),
        (["notes.txt", "--from", "body"], 3, "not one JSON document"),
        (["empty"], 3, "nothing that could be read"),
    ],
)
def test_what_cannot_be_read_is_said_with_a_code(
    tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    (tmp_path / "notes.txt").write_text("nothing here", encoding="utf-8")
    (tmp_path / "empty").mkdir()

    done = scan(*words, cwd=tmp_path)

    assert done.returncode == code
    assert said in done.stderr


def test_a_ledger_is_measured_run_by_run(tmp_path: Path) -> None:
    path = tmp_path / "my.ledger"
    with Ledger(path) as ledger:
        for run in ("monday", "tuesday"):
            ledger.add_produced(
                ProducedRecord(
                    run=run, tool="orders", kind="tool", arguments="{}", text=ROWS, at=1.0
                )
            )
            result = {"role": "tool", "tool_call_id": "c1", "content": ROWS[:900]}
            ledger.add_exchange(
                ExchangeRecord(
                    run=run,
                    method="POST",
                    path="/v1/chat/completions",
                    upstream="http://model.test",
                    request_headers=[],
                    request_body=body(asked(user("list"), result)),
                    status=200,
                    response_headers=[("content-type", "application/json")],
                    response_body=body(chat("length", content="half a")),
                    started=1.0,
                    first_byte=1.1,
                    ended=1.2,
                )
            )

    found = document(scan(path, "--format", "json"))

    assert (found["sessions"], found["exchanges"], found["tool_results"]) == (2, 2, 2)
    assert found["read"] == {
        "files": 1,
        "records": 4,
        "damaged": 0,
        "plain": 0,
        "unread": {},
        "passed_over": [],
    }
    # The request holds a result without its call, cut with room for all of it and no way back.
    checks = {
        "invalid-syntax",
        "silent-cut",
        "output-cut",
        "orphan-result",
        "cut-with-room",
        "cut-no-way-back",
    }
    assert {one["session"] for one in found["findings"]} == {"monday", "tuesday"}
    assert found["summary"]["by_check"] == dict.fromkeys(checks, 2)
    assert [one["tool"] for one in found["arrival"]["tools"]] == ["orders"]


def test_the_page_of_the_checks_shows_the_screen_as_it_is() -> None:
    text = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    (sample,) = re.findall(r"```text\n(Read: .*?)```", text, re.DOTALL)

    assert scan("examples/scan/exchanges.jsonl", cwd=ROOT).stdout == sample


REFUSED = {
    "request": {"url": "http://model.test/v1/chat/completions", "body": asked(user("list"))},
    "response": {"status": 503, "body": '{"error": {"message": "the model is loading"}}'},
}


def test_requests_that_failed_are_shown_with_what_was_said(tmp_path: Path) -> None:
    path = tmp_path / "refused.json"
    path.write_text(json.dumps(REFUSED), encoding="utf-8")

    lines = scan(path).stdout.splitlines()

    assert "Failed, or answered with an error: 1 request." in lines
    assert "  1 x 503 the model is loading" in lines


def test_a_gate_over_nothing_but_failed_requests_does_not_pass(tmp_path: Path) -> None:
    path = tmp_path / "refused.json"
    path.write_text(json.dumps(REFUSED), encoding="utf-8")

    done = scan(path, "--fail-on", "error")

    assert (done.returncode, "none was answered" in done.stderr) == (3, True)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "reply.json"
    path.write_text(json.dumps({"id": "r", **chat("length", content="half")}), encoding=encoding)

    assert "warning output-cut · boundary serve" in scan(path).stdout.splitlines()


def test_an_empty_file_is_said_to_be_empty(tmp_path: Path) -> None:
    path = tmp_path / "nothing.json"
    path.write_bytes(b" \n")

    assert "nothing.json: is empty" in scan(path).stderr


def test_a_result_that_ends_inside_a_value_is_said_to_be_cut(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    answer = {"role": "tool", "tool_call_id": "c1", "content": ROWS[:500]}
    path.write_text(json.dumps(asked(user("list"), answer)), encoding="utf-8")

    assert "  1 of them was shortened before the first request" in scan(path).stdout
    assert document(scan(path, "--format", "json"))["arrival"]["unknown_shortened"] == 1


def saved(folder: Path, rows: int, model: str = "m-1") -> Path:
    folder.mkdir()
    for number in range(3):
        orders = json.dumps([{"order": f"ORD-{n:04}"} for n in range(rows)])
        messages = [user(f"sum up month {number}"), {"role": "tool", "content": orders}]
        log = {"model": model, "messages": messages}
        (folder / f"{number}.json").write_text(json.dumps(log), encoding="utf-8")
    return folder


def test_two_folders_are_compared_and_what_else_changed_is_named(tmp_path: Path) -> None:
    sides = (saved(tmp_path / "old", 30), saved(tmp_path / "new", 30, model="m-2"))

    words = scan("--compare", *sides)
    found = document(scan("--compare", *sides, "--format", "json"))

    assert "Not attributable to the cut: models changed as well." in words.stdout
    assert found["schema"] == "ullage.compare/1"
    assert found["pairs"] == 3
    assert [one["what"] for one in found["changed"]] == ["models"]


def test_a_comparison_takes_no_path_beside_it_and_needs_sessions(log: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    both = scan(log, "--compare", tmp_path / "empty", log)
    none = scan("--compare", tmp_path / "empty", log)

    assert (both.returncode, none.returncode) == (2, 3)
    assert "not both" in both.stderr
    assert "no session in" in none.stderr


def test_experimental_checks_can_be_asked_for(log: Path) -> None:
    assert scan(log, "--experimental").returncode == 0
