"""The way back: keeping what must be cut, and getting it again."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from ullage import Ledger, chars, cut, tokens
from ullage.checks.settle import settle
from ullage.cli.ledger import command
from ullage.cutter.page import page
from ullage.ledger.held import hold
from ullage.ledger.keep import read_policy
from ullage.ledger.records import ProducedRecord

ROWS = [{"id": number, "name": f"row {number}"} for number in range(300)]
TEXT = json.dumps({"rows": ROWS, "a b": {"n": [1, 2, 3]}})


def ullage(folder: Path, *words: str, data: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "ullage", *words],
        input=data,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=60,
    )


def test_the_notice_names_a_handle_that_gives_the_whole_back(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ullage.ledger") as ledger:
        done = cut(TEXT, chars(900), handle=ledger.handle())

    words = done.notice.split("get the rest with `")[1].split("`")[0].split()
    assert words[:3] == ["ullage", "ledger", "get"]
    assert words[4].endswith("ullage.ledger")
    assert ullage(tmp_path, *words[1:]).stdout == TEXT


def test_a_budget_in_tokens_keeps_the_whole_once(tmp_path: Path) -> None:
    with Ledger(tmp_path / "x.ledger") as ledger:
        cut(TEXT, tokens(300), handle=ledger.handle())
        cut("[1]", tokens(300), handle=ledger.handle())

        assert [one.text for one in ledger.results()] == [TEXT]


def test_one_part_and_some_records_of_it_can_be_had(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ullage.ledger") as ledger:
        cut(TEXT, chars(900), handle=ledger.handle())

    done = ullage(tmp_path, "ledger", "get", "1", "--part", "$.rows", "--records", "38-40")

    assert json.loads(done.stdout) == ROWS[38:41]


def test_the_command_keeps_what_it_cuts(tmp_path: Path) -> None:
    done = ullage(tmp_path, "cut", "--budget", "700", "--ledger", "my.ledger", data=TEXT)

    assert "get the rest with `ullage ledger get 1 my.ledger`" in done.stderr
    assert ullage(tmp_path, "ledger", "get", "1", "my.ledger").stdout == TEXT


def test_a_secret_in_a_kept_result_is_gone_and_that_is_said(tmp_path: Path) -> None:
    secret = "sk-" + "a1B2" * 8
    with Ledger(tmp_path / "ullage.ledger") as ledger:
        ledger.handle()(json.dumps({"token": secret}))

    done = ullage(tmp_path, "ledger", "get", "1")

    assert secret not in done.stdout
    assert "secrets in this result were taken out" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["9"], 3, "has no result 9: the last one is 1"),
        (["1", "--records", "0-1"], 2, "name one with --part $.rows"),
        (["1", "--part", "$.none"], 2, "$.none leads nowhere"),
        (["1", "--part", "$.rows", "--records", "9-2"], 2, "there are 300"),
        (["1", "--records", "x"], 2, "write two numbers"),
    ],
)
def test_what_is_not_there_is_one_clear_line(
    tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    with Ledger(tmp_path / "ullage.ledger") as ledger:
        ledger.handle()(TEXT)

    done = ullage(tmp_path, "ledger", "get", *words)

    assert done.returncode == code
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_page_keeps_the_bytes_of_its_records() -> None:
    text = '{ "a b": [ 1.0, 1E5 , {"x" : 1} ], "c": "d" }'

    assert page(text, '$["a b"]', (1, 2)) == '[1E5,{"x" : 1}]'
    assert page(text, "$.c") == '"d"'
    assert page("one\ntwo\nthree", None, (1, 1)) == "two"


def test_settings_are_drafted_from_recorded_results(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ullage.ledger") as ledger:
        for text in (TEXT, json.dumps({"rows": ROWS[:9], "errors": ROWS[:5], "all": [ROWS[:2]]})):
            ledger.add_produced(
                ProducedRecord(
                    run="r", tool="fetch", kind="tool", arguments="{}", text=text, at=1.0
                )
            )

    done = ullage(tmp_path, "ledger", "suggest", "--tool", "fetch")

    drafted = tomllib.loads(done.stdout)["tool"]["ullage"]["tools"]["fetch"]
    assert drafted["budget"] > 0
    assert drafted["parts"] == ['$["a b"].n', "$.errors"]
    assert "$.rows (up to 300)" in done.stdout
    (tmp_path / "pyproject.toml").write_text(done.stdout, encoding="utf-8")
    again = ullage(tmp_path, "cut", "--tool", "fetch", data=TEXT)
    assert len(again.stdout) <= drafted["budget"]


def test_records_of_other_formats_are_those_of_the_account() -> None:
    csv = "id,text\n" + "".join(f'{n},"two\nlines {n}"\n' for n in range(50))

    assert page(csv, None, (37, 38)) == '37,"two\nlines 37"\n38,"two\nlines 38"'


def test_a_second_cut_still_names_the_way_back() -> None:
    once = cut(TEXT, chars(900), handle=lambda _: "read_result(7)")

    assert "get the rest with `read_result(7)`" in cut(once.text, chars(450)).notice


def test_a_result_without_a_text_says_so(tmp_path: Path) -> None:
    place = tmp_path / "counts.ledger"
    with Ledger(place) as ledger:
        held = hold(ledger, "r", read_policy({"default": "counts"}))
        with Ledger(held.path) as aside:
            aside.add_produced(
                ProducedRecord(run="r", tool="t", kind="tool", arguments="{}", text="x", at=1.0)
            )
        settle(held, ledger, at=2.0)

    found = CliRunner().invoke(command, ["get", "1", str(place)])
    drafted = CliRunner().invoke(command, ["suggest", str(place)])

    assert str(found.exception) == (
        "result 1 was recorded with --keep counts: its text is not in the ledger"
    )
    assert "keeps no texts of its results (--keep)" in str(drafted.exception)
