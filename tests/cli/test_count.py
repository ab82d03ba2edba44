"""`ullage count`: parses, counts, prints."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ullage.cli.main import main
from ullage.counting.exact import exact

BODY: dict[str, Any] = {
    "model": "gpt-4o",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "word " * 200},
        {"role": "tool", "tool_call_id": "a", "content": "row " * 700},
    ],
    "tools": [{"type": "function", "function": {"name": f"tool_{n}"}} for n in range(12)],
    "max_tokens": 100,
}


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    with pytest.raises(SystemExit) as ended:
        main(["count", *map(str, arguments)])
    shown = capsys.readouterr()
    code = ended.value.code
    assert code is None or isinstance(code, int)
    return code or 0, shown.out, shown.err


def document(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    code, out, _ = run(capsys, *arguments, "--format", "json")
    assert code == 0
    value: dict[str, Any] = json.loads(out)
    return value


def saved(folder: Path, value: object) -> Path:
    file = folder / "input"
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return file


def test_a_text_is_counted_exactly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = saved(tmp_path, "The quick brown fox jumps over the lazy dog.")

    assert document(capsys, file) == {
        "schema": "ullage.count/1",
        "tokens": 10,
        "method": "exact",
        "low": 10,
        "high": 10,
        "window": None,
        "calibrated": True,
        "encoding": "o200k_base",
        "model": None,
    }


def test_stdin_is_read_without_a_file() -> None:
    words = [sys.executable, "-m", "ullage", "count"]
    done = subprocess.run(words, input="hello world", capture_output=True, text=True, check=True)

    assert done.stdout.splitlines() == ["tokens   2  (exact by o200k_base)", "window   unknown"]
    assert done.stderr == ""


def test_an_estimate_says_so_with_its_range(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(tmp_path, " hello world" * 100)

    _, out, _ = run(capsys, file, "--model", "claude-opus-4-6")

    assert out.splitlines() == [
        "tokens   200  (estimate for claude-opus-4-6, no public vocabulary known)",
        "range    120 to 320, not calibrated against the vendor's counts",
        "window   1000000, 0.0 % used",
    ]


def test_a_window_that_is_given_comes_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(tmp_path, "hello world")

    assert document(capsys, file, "--model", "gpt-4o")["window"] == 128_000
    assert document(capsys, file, "--model", "gpt-4o", "--window", 50)["window"] == 50


@pytest.mark.parametrize("wrap", [lambda body: body, lambda body: {"id": 1, "request": body}])
def test_a_request_body_gives_the_table(
    wrap: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = document(capsys, saved(tmp_path, wrap(BODY)))

    table = {row["part"]: row["tokens"] for row in answer["table"]}
    assert list(table) == ["system", "tools", "data", "history", "images", "reserve"]
    assert sum(table.values()) == answer["tokens"] + 100
    assert (answer["model"], answer["window"]) == ("gpt-4o", 128_000)
    assert answer["findings"] == []


def test_people_see_the_parts_with_their_shares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, err = run(capsys, saved(tmp_path, BODY))

    lines = [line.split() for line in out.splitlines() if line.endswith("%")]
    shown = {words[0]: words[-3:] for words in lines}
    assert shown["reserve"] == ["100", "8.6", "%"]
    assert shown["data"] == ["701", "60.4", "%"]
    assert shown["total"] == ["1161", "100.0", "%"]
    assert "2 more tools" in out
    assert err == ""


def test_findings_are_said_on_stderr_and_stand_in_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(tmp_path, {name: BODY[name] for name in ("model", "messages")})

    code, _, err = run(capsys, file, "--window", 500)

    assert code == 0
    assert [line.split(": ")[1] for line in err.splitlines()] == ["no-reserve", "over-window"]
    found = document(capsys, file, "--window", 500)["findings"]
    assert [one["check"] for one in found] == ["no-reserve", "over-window"]


def test_a_name_cannot_write_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "\x1b[31m[bold]red"
    content = [{"type": evil, "data": 1}]
    body = {"messages": [{"role": "user", "content": content}], "tools": [{"name": evil}]}

    _, out, err = run(capsys, saved(tmp_path, body))

    assert "\x1b" not in out + err
    assert r"\x1b[31m[bold]red" in out
    assert r"\x1b[31m[bold]red" in err


def lines(folder: Path, *bodies: object) -> Path:
    file = folder / "requests.jsonl"
    file.write_text("\n".join(map(json.dumps, bodies)) + "\n\n", encoding="utf-8")
    return file


def turn(words: int, **more: object) -> dict[str, object]:
    messages = [{"role": "user", "content": " word" * words}]
    return {"model": "gpt-4o", "messages": messages, "max_tokens": 100, **more}


def test_a_forecast_says_when_the_window_is_passed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = lines(tmp_path, turn(100), {"request": turn(150)}, turn(200), turn(300))

    answer = document(capsys, file, "--forecast", "--window", 1000)

    assert answer["tokens"] == 300
    assert answer["forecast"] == {
        "turns": [100, 150, 200, 300],
        "growth": {"median": 50, "low": 50, "high": 100},
        "window": 1000,
        "reserve": 100,
        "passed_at": 17,
        "soonest": 11,
    }


def test_people_see_the_forecast_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = lines(tmp_path, turn(100), turn(150), turn(200))

    _, out, err = run(capsys, file, "--forecast", "--window", 1000)

    assert out.splitlines() == [
        "turns    3, the last 200 tokens",
        "growth   50 a turn (median), 50 to 50",
        "window   1000, of which 100 are kept for the reply",
        "passed   at turn 18 at the median growth, at turn 18 at the most",
    ]
    assert err == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((100, 950), "passed   at turn 2, already"),
        ((300, 200), "passed   not at this growth"),
        ((300, 200, 250, 150), "passed   not at this growth; at turn 20 at the most growth"),
    ],
)
def test_growth_that_ends_or_went_too_far_is_said(
    words: tuple[int, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = lines(tmp_path, *map(turn, words))

    _, out, _ = run(capsys, file, "--forecast", "--window", 1000)

    assert out.splitlines()[-1] == said


def test_a_forecast_without_a_window_says_what_it_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = lines(tmp_path, turn(100, model="demo"))

    code, out, err = run(capsys, file, "--forecast")

    assert code == 0
    assert "growth   n/a: one turn only" in out
    assert "window   unknown: give --window" in out
    assert "no window is known" in err


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"messages": []}\n\n{"rows": []}\n', "line 3 is no request body"),
        ('{"messages": []}\n{"messages"', "line 2 is no request body"),
        ("\n", "no request bodies"),
    ],
)
def test_a_line_that_is_no_request_is_named(
    text: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, saved(tmp_path, text), "--forecast")

    assert (code, out) == (3, "")
    assert fault in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [("no-such-file",), ("--window", "0"), ("--window", "many"), ("--format", "xml")]
)
def test_wrong_usage_is_exit_2(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *arguments)

    assert (code, out) == (2, "")
    assert "see ullage count --help" in err


@pytest.mark.parametrize(
    "text", ["", "[" * 100_000, '{"messages": 5}', '[{"messages": []}]', "\0\x1b[31m", '{"input":']
)
def test_what_is_no_request_is_text(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = document(capsys, saved(tmp_path, text))

    assert "table" not in answer
    assert answer["tokens"] <= len(text)


def test_bytes_that_are_no_text_are_counted_as_what_a_cut_would_deliver(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "binary"
    file.write_bytes(b"ok \xff\xfe")

    assert document(capsys, file)["tokens"] == exact(
        "ok [2 bytes that are not UTF-8]", "o200k_base"
    )


def test_help_teaches_by_example(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--help")

    assert code == 0
    assert "ullage count request.json --window 16000" in out
    assert "--forecast" in out
