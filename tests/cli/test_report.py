"""`ullage report`, as a command of its own."""

import io
import json
import re
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from tests.checks.test_measure import TEXT
from tests.cli.test_scan import Done, scan

from ullage.cli.main import main
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger

ROOT = Path(__file__).parents[2]
CUT = TEXT.removesuffix(TEXT[900:])


def report(*words: str | Path, cwd: Path) -> Done:
    out, err = io.StringIO(), io.StringIO()
    here = chdir(cwd)
    with here, redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main(["report", *map(str, words)])
    code = ended.value.code
    assert code is None or isinstance(code, int)
    return Done(returncode=code or 0, stdout=out.getvalue(), stderr=err.getvalue())


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger of one run, whose result was cut."""
    path = tmp_path / "one.ledger"
    with Ledger(path) as opened:
        number = opened.add_produced(
            ProducedRecord(
                run="r", tool="orders", kind="tool", arguments="{}", text=TEXT, at=1.0, key=None
            )
        )
        opened.hand_on(number, CUT)
        messages = [{"role": "user", "content": "go"}, {"role": "tool", "content": CUT}]
        opened.add_exchange(
            ExchangeRecord(
                run="r",
                method="POST",
                path="/v1/chat/completions",
                upstream="http://model.test",
                request_headers=[],
                request_body=json.dumps({"messages": messages}).encode(),
                status=200,
                response_headers=[("content-type", "application/json")],
                response_body=b"{}",
                started=1.0,
                first_byte=1.1,
                ended=1.2,
                error=None,
            )
        )
    return path


def test_a_ledger_becomes_a_page(ledger: Path, tmp_path: Path) -> None:
    done = report(ledger, cwd=tmp_path)

    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert done.returncode == 0
    assert done.stdout == ""
    assert "with their texts: report.html (" in done.stderr
    assert "1 of 1 tool result (100 %) did not reach the model whole" in text
    assert f"{len(TEXT) - 900:,}".replace(",", "\u2009") + " characters lost here" in text


def test_texts_stay_out_where_that_is_asked(ledger: Path, tmp_path: Path) -> None:
    done = report(
        ledger, "--examples", "0", "--title", "Monday", "--output", "m.html", cwd=tmp_path
    )

    text = (tmp_path / "m.html").read_text(encoding="utf-8")
    assert "with their texts" not in done.stderr
    assert "order-0000" not in text
    assert "<title>Monday</title>" in text


def test_secrets_are_taken_out(tmp_path: Path) -> None:
    secret = "sk-" + "proj-" + "Ab3dEf6hIj9kLm2nOp5q"
    half = {
        "role": "tool",
        "tool_call_id": "c1",
        "content": f'[{{"key": "{secret}"}}, {{"i": 1}}, ',
    }
    call = {"id": "c1", "type": "function", "function": {"name": secret, "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        half,
    ]
    body = {"model": "gpt-4o", "messages": messages}
    (tmp_path / "body.json").write_text(json.dumps(body), encoding="utf-8")

    done = report("body.json", cwd=tmp_path)

    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert done.returncode == 0
    assert secret not in text
    assert "[secret:" in text


def test_a_file_that_is_not_read_is_named_on_the_page(ledger: Path, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    ledger.rename(folder / "one.ledger")
    (folder / "notes.txt").write_text("nothing of a model", encoding="utf-8")

    done = report("logs", cwd=tmp_path)

    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "passed over: logs/notes.txt" in done.stderr
    assert "1 file passed over" in text
    assert "logs/notes.txt" in text


def test_the_page_does_not_say_where_on_this_machine_files_lie(
    ledger: Path, tmp_path: Path
) -> None:
    (tmp_path / "else").mkdir()

    report(ledger.absolute(), cwd=tmp_path / "else")

    text = (tmp_path / "else" / "report.html").read_text(encoding="utf-8")
    assert "one.ledger" in text
    assert str(tmp_path) not in text


def test_a_scan_writes_the_same_page(ledger: Path, tmp_path: Path) -> None:
    report(ledger, cwd=tmp_path)

    done = scan(ledger, "--also", "html=scan.html", cwd=tmp_path)

    made, scanned = (
        re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "", (tmp_path / name).read_text(encoding="utf-8"))
        for name in ("report.html", "scan.html")
    )
    assert done.returncode == 0
    assert "characters lost here" in scanned
    assert scanned == made


def test_a_scan_of_stdin_becomes_a_page_too(tmp_path: Path) -> None:
    data = (ROOT / "examples" / "scan" / "exchanges.jsonl").read_bytes()
    words = [sys.executable, "-m", "ullage", "scan", "-", "--format", "html"]

    done = subprocess.run(words, input=data, capture_output=True, check=True)

    assert done.stdout.startswith(b"<!doctype html>")
    assert b"served-short" in done.stdout


def test_stdin_is_read_once_and_shown_with_its_texts(tmp_path: Path) -> None:
    data = (ROOT / "examples" / "scan" / "exchanges.jsonl").read_bytes()
    words = [sys.executable, "-m", "ullage", "report", "-", "--output", str(tmp_path / "a.html")]

    done = subprocess.run(words, input=data, capture_output=True, check=True)

    assert done.stdout == b""
    assert "served-short" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_nothing_that_could_be_read_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    done = report("empty", cwd=tmp_path)

    assert done.returncode == 3
    assert "nothing that could be read" in done.stderr
    assert not (tmp_path / "report.html").exists()


def test_a_place_that_cannot_be_written_is_named(ledger: Path, tmp_path: Path) -> None:
    done = report(ledger, "--output", "no/such/place.html", cwd=tmp_path)

    assert done.returncode == 3
    assert "cannot write no/such/place.html" in done.stderr
