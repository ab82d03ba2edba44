"""`ullage ledger export` and `import`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ullage.cli.ledger import command
from ullage.errors import LoadError
from ullage.ledger.records import ProducedRecord
from ullage.ledger.store import Ledger

KEY = "sk-" + "proj-" + "Aq7Zk2Wx9Tn4Rb6Vm1Lp8Hd3"


def run(*arguments: str | Path, given: bytes | None = None) -> Result:
    return CliRunner().invoke(command, [str(one) for one in arguments], input=given)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "a.ledger"


@pytest.fixture
def filled(place: Path) -> Path:
    with Ledger(place) as ledger:
        for tag in ("monday", "tuesday"):
            ledger.add_produced(
                ProducedRecord(
                    run=tag, tool="t", kind="tool", arguments="{}", text=f"rows of {tag}", at=1.0
                )
            )
    return place


def write(path: Path, *values: object) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in values), encoding="utf-8")
    return path


def exchanges(place: Path) -> list[tuple[str, str, bytes, bytes | None]]:
    with Ledger.read(place) as ledger:
        return [
            (one.upstream, one.path, one.request_body, one.response_body)
            for one in ledger.exchanges()
        ]


def test_an_export_is_one_object_a_line_that_names_its_schema(filled: Path) -> None:
    lines = [json.loads(line) for line in run("export", filled).stdout.splitlines()]

    assert [(one["schema"], one["record"], one["text"]) for one in lines] == [
        ("ullage.export/1", "result", "rows of monday"),
        ("ullage.export/1", "result", "rows of tuesday"),
    ]


def test_one_run_can_be_exported(filled: Path) -> None:
    (line,) = run("export", filled, "--run", "tuesday").stdout.splitlines()

    assert json.loads(line)["run"] == "tuesday"


def test_an_export_comes_in_through_stdin(filled: Path, tmp_path: Path) -> None:
    lines = run("export", filled).stdout_bytes

    done = run("import", "-", "--ledger", tmp_path / "b.ledger", given=lines)

    assert done.stderr == (
        f"ullage ledger: 2 records imported into {tmp_path}/b.ledger: 0 exchanges, 2 tool results\n"
    )
    assert run("export", tmp_path / "b.ledger").stdout_bytes == lines


def test_a_run_that_is_there_already_is_refused_unless_it_gets_a_prefix(
    filled: Path, tmp_path: Path
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(run("export", filled).stdout_bytes)

    refused = run("import", file, "--ledger", filled)
    assert isinstance(refused.exception, LoadError)
    assert "run 'monday' is in" in str(refused.exception)
    assert run("import", file, "--ledger", filled, "--prefix", "copy-").exit_code == 0
    with Ledger.read(filled) as ledger:
        assert set(ledger.runs()) == {"monday", "tuesday", "copy-monday", "copy-tuesday"}


def test_two_exports_come_into_one_new_ledger(filled: Path, tmp_path: Path) -> None:
    files = []
    for tag in ("monday", "tuesday"):
        files.append(tmp_path / f"{tag}.jsonl")
        files[-1].write_bytes(run("export", filled, "--run", tag).stdout_bytes)

    assert run("import", *files, "--ledger", tmp_path / "b.ledger").exit_code == 0
    with Ledger.read(tmp_path / "b.ledger") as ledger:
        assert [one.text for one in ledger.results()] == ["rows of monday", "rows of tuesday"]


def test_a_recorded_request_becomes_an_exchange_without_its_secrets(
    place: Path, tmp_path: Path
) -> None:
    body = {"messages": [{"role": "user", "content": f"use {KEY}"}]}
    request = {
        "url": f"https://model.test/v1/chat/completions?key={KEY}",
        "headers": {"Authorization": f"Bearer {KEY}"},
        "body": body,
    }
    file = tmp_path / "request.json"
    file.write_text(json.dumps(request, indent=1), encoding="utf-8")  # over several lines

    run("import", file, "--ledger", place)

    ((upstream, path, sent, came),) = exchanges(place)
    assert (upstream, came) == ("https://model.test", b"")
    assert path.startswith("/v1/chat/completions?key=[secret:")
    assert json.loads(sent)["messages"][0]["content"].startswith("use [secret:")
    assert KEY.encode() not in place.read_bytes() + run("export", place).stdout_bytes


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"messages": []}, "/v1/chat/completions"),
        ({"system": "be kind", "messages": []}, "/v1/messages"),
        ({"model": "m", "input": "hello"}, "/v1/responses"),
        ({"contents": [], "model": "g"}, "/v1beta/models/g:generateContent"),
    ],
)
def test_a_request_body_goes_to_the_path_of_its_shape(
    body: dict[str, object], path: str, place: Path, tmp_path: Path
) -> None:
    file = write(tmp_path / "bodies.jsonl", body, {"id": "u1", "request": body})

    run("import", file, "--ledger", place)

    assert [one[1] for one in exchanges(place)] == [path, path]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"choices": []}, "/v1/chat/completions"),
        ({"type": "message", "content": [], "stop_reason": None}, "/v1/messages"),
        ({"object": "response", "output": []}, "/v1/responses"),
    ],
)
def test_a_reply_is_kept_as_the_reply_of_an_exchange(
    body: dict[str, object], path: str, place: Path, tmp_path: Path
) -> None:
    run("import", write(tmp_path / "replies.jsonl", body), "--ledger", place)

    ((_, where, sent, came),) = exchanges(place)
    assert (where, sent) == (path, b"")
    assert json.loads(came or b"") == body


def test_any_other_object_is_kept_as_data_as_it_stands(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text('{"turn": 1,  "event": "tool"}\n\n{"turn":2}\n', encoding="utf-8")

    run("import", file, "--ledger", place, "--run", "old")

    with Ledger.read(place) as ledger:
        assert [(one.run, one.kind, one.text) for one in ledger.results()] == [
            ("old", "data", '{"turn": 1,  "event": "tool"}'),
            ("old", "data", '{"turn":2}'),
        ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty: there is nothing to import"),
        (b"just words\n", "is not JSON: give one JSON object a line, one JSON document"),
        (b"\xff\xfe{}", "is not JSON: give one JSON object a line"),
        (b"[1, 2]", "item 1 is int, not an object"),
        (b'{"a": 1}\n[]\n', "line 2 is list, not a JSON object"),
        (b"SQLite format 3\x00", "is a SQLite file: ullage ledger merge takes ledgers"),
        (b"[" * 100_000, "is not JSON"),
        (b'data: {"a": 1}\n\n', "events of no provider that is known"),
    ],
)
def test_a_file_of_another_kind_is_refused_with_the_place(
    content: bytes, said: str, place: Path, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)

    done = run("import", file, "--ledger", place)

    assert isinstance(done.exception, LoadError)
    assert said in str(done.exception)


def test_of_a_torn_export_all_whole_lines_come_in_and_the_torn_one_is_named(
    filled: Path, tmp_path: Path
) -> None:
    lines = run("export", filled).stdout_bytes
    file = tmp_path / "torn.jsonl"
    file.write_bytes(lines[:-20])

    done = run("import", file, "--ledger", tmp_path / "b.ledger")

    assert f"{file}: line 2: ends early, 0 objects saved" in done.stderr
    assert str(done.exception).startswith("1 damaged line: not all of them is in ")
    with Ledger.read(tmp_path / "b.ledger") as ledger:
        assert [one.text for one in ledger.results()] == ["rows of monday"]


def test_a_fault_in_a_line_says_what_came_in_before_it(filled: Path, tmp_path: Path) -> None:
    first, second = run("export", filled).stdout_bytes.splitlines()
    file = tmp_path / "faulty.jsonl"
    file.write_bytes(first + b"\n" + second.replace(b'"at":1.0', b'"at":"one"') + b"\n")

    done = run("import", file, "--ledger", tmp_path / "b.ledger")

    assert f"{file}: line 2: result: at: " in str(done.exception)
    assert str(done.exception).endswith(f"; 1 records before it are in {tmp_path}/b.ledger")


def test_what_is_glued_to_a_torn_line_is_saved(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text('{"n": 1}\n{"n": 2, "text": "half of i{"n": 3}\n', encoding="utf-8")

    done = run("import", file, "--ledger", place)

    assert "line 2: more than one record, 1 object saved" in done.stderr
    with Ledger.read(place) as ledger:
        assert [one.text for one in ledger.results()] == ['{"n": 1}', '{"n":3}']


def test_a_request_and_its_reply_that_were_recorded_together_are_one_exchange(
    place: Path, tmp_path: Path
) -> None:
    request = {"messages": [{"role": "user", "content": "x"}]}
    reply: dict[str, list[str]] = {"choices": []}
    file = write(tmp_path / "pairs.jsonl", {"request": request, "response": reply})

    run("import", file, "--ledger", place)

    ((_, path, sent, came),) = exchanges(place)
    assert (path, json.loads(sent), json.loads(came or b"")) == (
        "/v1/chat/completions",
        request,
        reply,
    )


def test_the_events_of_a_stream_are_one_reply_byte_for_byte(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "reply.sse"
    file.write_bytes(b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n')

    run("import", file, "--ledger", place)

    ((_, path, sent, came),) = exchanges(place)
    assert (path, sent, came) == ("/v1/chat/completions", b"", file.read_bytes())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_with_a_byte_order_mark_is_imported_whole(
    place: Path, tmp_path: Path, encoding: str
) -> None:
    path = tmp_path / "marked.jsonl"
    path.write_text('{"a": 1}\n{"b": 2}\n', encoding=encoding)

    done = run("import", path, "--ledger", place)

    assert done.exit_code == 0
    with Ledger.read(place) as ledger:
        assert [one.text for one in ledger.results()] == ['{"a": 1}', '{"b": 2}']
