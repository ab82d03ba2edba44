"""`ullage cut` as a command."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROWS = [{"id": number, "name": f"row {number}"} for number in range(300)]


def ullage(*words: str, data: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-m", "ullage", *words], input=data, capture_output=True, timeout=60
    )


def test_the_text_goes_to_stdout_exactly_and_words_to_stderr() -> None:
    done = ullage("cut", "--budget", "900", data=json.dumps(ROWS).encode())

    text = done.stdout.decode()
    assert len(text) <= 900
    assert len(json.loads(text)) > 5
    assert re.match(rb"ullage cut: \d+ of 300 records", done.stderr)
    assert done.returncode == 0


def test_what_fits_comes_out_byte_for_byte() -> None:
    data = '{"a": "é\u2028",\r\n "b": [1.0, 2]}'.encode()

    done = ullage("cut", "--budget", "100", data=data)

    assert (done.stdout, done.stderr, done.returncode) == (data, b"", 0)


def test_an_empty_result_is_unchanged() -> None:
    done = ullage("cut", "--budget", "100")

    assert (done.stdout, done.returncode) == (b"", 0)


def test_the_document_has_the_agreed_members(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"rows": ROWS, "total": 300}), encoding="utf-8")

    done = ullage("cut", str(path), "--budget", "900", "--unit", "chars", "--format", "json")

    document = json.loads(done.stdout)
    assert list(document)[:2] == ["schema", "text"]
    assert document["schema"] == "ullage.cut/1"
    assert document["complete"] is False
    assert document["budget"] == {"limit": 900, "unit": "chars"}
    assert document["produced"]["records"] == 300
    (part,) = document["parts"]
    assert (part["path"], part["produced"]) == ("$.rows", 300)
    left_out = sum(last - first + 1 for first, last in document["left_out"][0]["records"])
    assert part["delivered"] + left_out == 300
    assert json.loads(document["text"])["total"] == 300


def test_keep_and_why_work_together() -> None:
    done = ullage(
        "cut", "--budget", "700", "--keep", "id=123", "--why", data=json.dumps(ROWS).encode()
    )

    assert b"$[123]: keep" in done.stderr
    assert b"$[0]: first" in done.stderr


def test_the_naive_policies_are_there_to_compare_with() -> None:
    done = ullage("cut", "--budget", "3", "--policy", "prefix", data=b"abcdef")

    assert done.stdout == b"abc"
    assert b"without a notice" in done.stderr


def test_what_is_not_json_falls_back_says_so_and_is_no_error() -> None:
    done = ullage("cut", "--budget", "30", "--as", "json", data=b"not json\n" * 20)

    assert done.returncode == 0
    assert b"not json, so cut as " in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cut", "--budget", "0"], "ullage cut: Invalid value for '--budget': 0"),
        (["cut"], "ullage cut: say how much to keep: --budget N"),
        (["cut", "no-such-file", "--budget", "9"], "'no-such-file': No such file or directory"),
        (["cut", "--budget", "9", "--keep", "id"], "keep='id': write a path such as"),
        (["cut", "--budget", "9", "--as", "doc"], "'doc' is not one of"),
        (["shorten"], "ullage: no such command 'shorten': choose"),
        (["cutt"], "ullage: no such command 'cutt': did you mean c"),
    ],
)
def test_wrong_usage_is_one_line_that_says_what_where_and_what_to_do(
    words: list[str], said: str
) -> None:
    done = ullage(*words, data=b"x" * 99)

    assert done.returncode == 2
    (line,) = done.stderr.decode().strip().split("\n")
    assert said in line
    assert "--help" in line


def test_help_and_version_end_with_success() -> None:
    assert ullage("--help").returncode == 0
    assert ullage("--version").stdout.startswith(b"ullage, version ")


def test_without_a_command_the_help_is_shown() -> None:
    assert b"Start here:" in ullage().stdout


def test_a_tools_settings_come_from_pyproject(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.ullage.tools.pods]\nbudget = 500\nkeep = ["id=211"]\n', encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-m", "ullage", "cut", "--tool", "pods"],
        input=json.dumps(ROWS).encode(),
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
    )

    assert ROWS[211] in json.loads(done.stdout)
    assert len(done.stdout) <= 500


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("$.nope", "$ has: rows, total"),
        ("$.rows[7].idd", "$.rows[7] has: id, name"),
        ("$.rows[700]", "$.rows is a list of 300: [0] to [299]"),
        ("$.total.x", "$.total is a number"),
        ("id=999", "'id=999'"),
    ],
)
def test_a_rule_that_nothing_fits_is_told_what_there_is(rule: str, said: str) -> None:
    data = json.dumps({"rows": ROWS, "total": 300})
    for text in (data, f"Observation: {data}", json.dumps(data)):
        done = ullage("cut", "--budget", "900", "--keep", rule, data=text.encode())
        (line,) = [one for one in done.stderr.decode().split("\n") if "nothing" in one]
        assert said in line


def test_one_shortened_record_reads_naturally() -> None:
    done = ullage("cut", "--budget", "100", data=b"x" * 4000)

    assert done.stderr.startswith(b"ullage cut: 1 of 1 record (shortened). (")


def test_only_a_terminal_gets_a_line_end_after_the_text() -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "wb") as terminal:
        subprocess.run(
            [sys.executable, "-m", "ullage", "cut", "--budget", "9"],
            input=b"abc",
            stdout=terminal,
            timeout=60,
            check=True,
        )
        shown = os.read(ours, 100)
    os.close(ours)

    assert shown == b"abc\r\n"
    assert ullage("cut", "--budget", "9", data=b"abc").stdout == b"abc"


def test_the_parts_of_a_tool_come_first(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.ullage.tools.pods]\nbudget = 900\nparts = ["$.errors"]\n', encoding="utf-8"
    )
    data = {"rows": ROWS, "errors": ROWS[:12], "more": ROWS}
    done = subprocess.run(
        [sys.executable, "-m", "ullage", "cut", "--tool", "pods"],
        input=json.dumps(data).encode(),
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
    )

    assert json.loads(done.stdout)["errors"] == ROWS[:12]
