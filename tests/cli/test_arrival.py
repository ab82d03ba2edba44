"""`ullage arrival`: parses, calls, prints."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ullage.cli.main import main

ROWS: dict[str, Any] = {
    "early_list": [{"id": n, "cpu": n / 4, "name": f"container-{n}"} for n in range(10)],
    "late_list": [{"id": 100 + n} for n in range(5)],
}


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    with pytest.raises(SystemExit) as ended:
        main(["arrival", *map(str, arguments)])
    shown = capsys.readouterr()
    code = ended.value.code
    assert code is None or isinstance(code, int)
    return code or 0, shown.out, shown.err


def document(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    code, out, err = run(capsys, *arguments, "--format", "json")
    assert (code, err) == (0, "")
    value: dict[str, Any] = json.loads(out)
    return value


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """A result, and what a cut at 190 characters left of it."""
    text = json.dumps(ROWS)
    produced, delivered = tmp_path / "tool.json", tmp_path / "message.txt"
    produced.write_text(text, encoding="utf-8")
    delivered.write_text(text[:190] + "\n[truncated]", encoding="utf-8")
    return produced, delivered


def pairs(folder: Path, *lines: object) -> Path:
    file = folder / "pairs.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return file


def test_two_files_give_a_document(
    two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    answer = document(capsys, "--produced", two[0], "--delivered", two[1], "--boundary", "retain")

    assert list(answer)[:2] == ["schema", "boundary"]
    assert list(answer)[-1] == "findings"
    assert (answer["schema"], answer["boundary"]) == ("ullage.arrival/1", "retain")
    assert answer["parts"] == [
        {"path": "$.early_list", "produced": 10, "delivered": 3, "partial": 1},
        {"path": "$.late_list", "produced": 5, "delivered": 0, "partial": 0},
    ]
    assert answer["valid"] is False
    assert answer["notice"] == {"grade": "cut", "text": "[truncated]"}
    (finding,) = answer["findings"]
    assert (finding["check"], finding["boundary"]) == ("invalid-syntax", "retain")
    assert finding["source"] == {"path": str(two[1]), "line": None}


def test_two_files_give_a_table(two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "--produced", two[0], "--delivered", two[1])

    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "arrival 20.0 % (invalid-syntax)" in lines
    assert "records 3 of 15, 1 more in part" in lines
    assert "valid no: it does not decode as the produced JSON" in lines
    assert "[truncated]" in lines
    assert "$.early_list 3 10 1" in lines
    assert "$.late_list 0 5 0" in lines
    assert "$.early_list cpu 4 10" in lines
    assert "\x1b" not in out


def test_key_lists_the_identifiers_and_says_how_many_it_does_not_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    produced, delivered = tmp_path / "a", tmp_path / "b"
    produced.write_text(json.dumps([{"id": n} for n in range(30)] * 2), encoding="utf-8")
    delivered.write_text('[{"id": 77}]', encoding="utf-8")

    _, out, _ = run(capsys, "--produced", produced, "--delivered", delivered, "--key", "id")

    assert "id: 1 delivered of 60 produced" in out
    assert "missing: 60 (0 x2, 1 x2," in out
    assert "and 10 more (all of them with --format json))" in out
    assert "unexpected: 1 (77)" in out


def test_a_key_that_no_record_has_is_said(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ["--produced", two[0], "--delivered", two[1]]
    text = json.dumps(ROWS)
    file = pairs(tmp_path, {"id": 1, "produced": text, "delivered": text})

    for words in (files, ["--pairs", file]):
        code, out, err = run(capsys, *words, "--key", "nokey", "--format", "json")

        assert code == 0
        assert json.loads(out)["keys"]["found"] is False
        assert err == ("ullage arrival: no produced record has the field 'nokey': check --key\n")
        assert document(capsys, *words, "--key", "id")["keys"]["found"] is True


def test_a_key_is_not_missed_where_nothing_was_produced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = pairs(tmp_path, {"id": 1, "produced": "[]", "delivered": "[]"})

    assert document(capsys, "--pairs", file, "--key", "id")["keys"]["found"] is False


def test_a_notice_cannot_write_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    produced, delivered = tmp_path / "a", tmp_path / "b"
    produced.write_text("line one\nline two\nline three\n", encoding="utf-8")
    delivered.write_text("line one\n\x1b[31m\x07truncated[bold]\x1b[0m\n", encoding="utf-8")

    _, out, _ = run(capsys, "--produced", produced, "--delivered", delivered)

    assert r"\x07truncated[bold]" in out
    assert "\x07" not in out
    assert "\x1b[31m" not in out


def test_pairs_give_a_rate_and_a_label_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = json.dumps(ROWS)
    file = pairs(
        tmp_path,
        {"id": 1, "produced": text, "delivered": text},
        {"id": "two", "produced": text, "delivered": ""},
        "",
        {"id": 3, "produced": "", "delivered": ""},
        {"id": 4, "produced": text, "delivered": json.dumps(ROWS | {"late_list": []})},
    )

    answer = document(capsys, "--pairs", file)

    assert answer["pairs"] == [
        {"id": 1, "rate": 1.0, "label": "ok"},
        {"id": "two", "rate": 0.0, "label": "cut-to-empty"},
        {"id": 3, "rate": None, "label": "nothing-produced"},
        {"id": 4, "rate": 10 / 15, "label": "silent-cut"},
    ]
    assert answer["records"] == {"produced": 45, "delivered": 25, "partial": 0}
    assert answer["parts"][1] == {"path": "$.late_list", "produced": 15, "delivered": 5}


def test_pairs_give_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = pairs(tmp_path, {"id": "a", "produced": "[1, 2]", "delivered": "[1]"})

    _, out, _ = run(capsys, "--pairs", file)

    assert [line.split() for line in out.splitlines()][:2] == [
        ["id", "arrival", "label"],
        ["a", "50.0", "%", "silent-cut"],
    ]
    assert "error silent-cut · boundary budget" in out
    assert f"{file}:1" in out


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "line 2 is not JSON"),
        ("[1]", "line 2 is list, not an object"),
        ({"id": 1, "produced": "x"}, "line 2 has no 'delivered'"),
        ({"id": 1, "produced": {"a": 1}, "delivered": ""}, "line 2: 'produced' is dict, not text"),
    ],
)
def test_a_bad_pair_is_named_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: object, fault: str
) -> None:
    file = pairs(tmp_path, {"id": 1, "produced": "x", "delivered": "x"}, line)

    code, out, err = run(capsys, "--pairs", file)

    assert (code, out) == (3, "")
    assert len(err.splitlines()) == 1
    assert fault in err
    assert 'expected {"id", "produced", "delivered"}' in err


def test_a_file_that_is_no_text_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "binary"
    file.write_bytes(b"ok \xff")

    code, _, err = run(capsys, "--produced", file, "--delivered", file)

    assert code == 3
    assert "binary: not UTF-8 text at byte 3" in err


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--produced", "a"),
        ("--produced", "no-such-file", "--delivered", "no-such-file"),
        ("--produced", "a", "--delivered", "a", "--pairs", "a"),
        ("--boundary", "elsewhere"),
    ],
)
def test_wrong_usage_is_exit_2(
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a").write_text("x", encoding="utf-8")

    code, out, err = run(capsys, *arguments)

    assert (code, out) == (2, "")
    assert err != ""


def test_only_one_text_can_come_from_stdin() -> None:
    words = [sys.executable, "-m", "ullage", "arrival", "--produced", "-", "--delivered", "-"]

    done = subprocess.run(words, input="x", capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert "Only one of --produced and --delivered can be stdin" in done.stderr


def test_help_shows_how_to_use_it(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--help")

    assert code == 0
    assert "ullage arrival --produced tool.json --delivered message.txt" in out
    assert "--pairs" in out


def two_files(folder: Path, produced: object, delivered: object) -> list[object]:
    """The arguments that name two files with these texts, or bodies."""
    paths = folder / "before", folder / "after"
    for path, value in zip(paths, (produced, delivered), strict=True):
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return ["--produced", paths[0], "--delivered", paths[1]]


TASK = "Find all customers in Lyon who bought 3 bicycles."
TABLES = "Summary: there is an orders table in db/orders.sql."
BODIES: dict[str, tuple[object, object]] = {
    "chat": (
        {"messages": [{"role": "user", "content": TASK}]},
        {"messages": [{"role": "user", "content": TABLES}]},
    ),
    "a list of messages": (
        [{"role": "user", "content": TASK}],
        [{"role": "user", "content": TABLES}],
    ),
    "responses": (
        {
            "model": "m",
            "input": [{"role": "user", "content": [{"type": "input_text", "text": TASK}]}],
        },
        {"model": "m", "input": TABLES},
    ),
    "anthropic": (
        {"max_tokens": 9, "system": "Help.", "messages": [{"role": "user", "content": TASK}]},
        {"max_tokens": 9, "system": "Help.", "messages": [{"role": "user", "content": TABLES}]},
    ),
    "gemini": (
        {"contents": [{"role": "user", "parts": [{"text": TASK}]}]},
        {"contents": [{"role": "user", "parts": [{"text": TABLES}]}]},
    ),
    "a plain text that says who speaks": (f"User: {TASK}\nAssistant: Querying.", TABLES),
}


@pytest.mark.parametrize("form", BODIES)
def test_a_compaction_is_judged_in_bodies_of_every_provider(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = two_files(tmp_path, *BODIES[form])

    answer = document(capsys, "--boundary", "summarise", *files)

    (finding,) = answer["findings"]
    assert (finding["check"], finding["boundary"]) == ("task-lost", "summarise")
    assert finding["evidence"]["task"] == TASK
    assert finding["source"]["path"] == str(tmp_path / "after")
    assert answer["label"] == "task-lost"


def test_a_compaction_counts_messages_that_stayed_and_kinds_in_their_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system = {"role": "system", "content": "Help."}
    before = [system, {"role": "user", "content": "Fix a/b.py and c/d.py: 12 ms is too slow."}]
    after = [system, {"role": "user", "content": "To fix: a/b.py and c/d.py, too slow."}]
    files = two_files(tmp_path, before, after)

    answer = document(capsys, "--boundary", "summarise", *files)

    assert answer["records"] == {"produced": 2, "delivered": 1, "partial": 0}
    assert (answer["unit"], answer["findings"]) == ("messages", [])
    assert [(one["path"], one["delivered"], one["produced"]) for one in answer["parts"]] == [
        ("paths", 2, 2),
        ("numbers", 0, 1),
    ]

    _, out, _ = run(capsys, "--boundary", "summarise", *files)

    assert "messages 1 of 2 stayed as they were" in out
    assert "arrival  50.0 %  (no check failed)" in out
    assert "missing numbers: 12 ms" in out
    assert "notice" not in out


def test_a_plain_text_in_which_nobody_speaks_is_nobody_s_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = two_files(tmp_path, "edited a/b.py\nNever touch c.", "Some files were edited.")

    answer = document(capsys, "--boundary", "summarise", *files)

    assert answer["findings"] == []


CHILD = "Finding 1: a/b.py line 3 leaks\nFinding 2: c/d.py line 9 loops"


def test_a_hand_off_names_the_findings_that_did_not_arrive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parent = {"role": "tool", "tool_call_id": "1", "content": "Done. a/b.py line 3 leaks."}
    files = two_files(tmp_path, CHILD, parent)

    answer = document(capsys, "--boundary", "handoff", *files)

    assert answer["parts"][0] == {"path": "findings", "produced": 2, "delivered": 1, "partial": 0}
    (finding,) = answer["findings"]
    assert (finding["check"], finding["severity"]) == ("handoff-lost", "error")
    assert finding["evidence"]["lost"] == ["c/d.py line 9 loops"]
    assert answer["unit"] == "findings"

    _, out, _ = run(capsys, "--boundary", "handoff", *files)

    assert "findings 1 of 2" in out
    assert "lost: c/d.py line 9 loops" in out


def test_a_hand_off_with_every_finding_or_an_index_of_them_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for said in (CHILD, "a/b.py leaks (line 3); c/d.py loops (line 9)", "Look at a/b.py, c/d.py."):
        files = two_files(tmp_path, CHILD, said)

        assert document(capsys, "--boundary", "handoff", *files)["findings"] == []


def test_a_child_that_failed_is_told_with_its_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = '{"finding": "a/b.py leaks"}\n{"error": "provider timeout"}\n'

    answer = document(capsys, "--boundary", "handoff", *two_files(tmp_path, lines, "(no summary)"))

    evidence = answer["findings"][0]["evidence"]
    assert (evidence["errors"], evidence["errors_told"]) == (["provider timeout"], False)


def test_the_kinds_of_free_text_are_parts_at_any_boundary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = two_files(tmp_path, "$ make\nbuilt a/b.o in 3 s\nok", "built a/b.o in 3 s [cut]")

    answer = document(capsys, *files)

    assert [(one["path"], one["delivered"]) for one in answer["parts"]] == [
        ("paths", 1),
        ("commands", 0),
        ("numbers", 1),
    ]


def test_each_finding_of_a_pair_names_its_pair_and_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    error = '{"rows":[],"error":"timeout"}'
    file = pairs(
        tmp_path,
        {"id": "x", "produced": "[1]", "delivered": "[1]"},
        {"id": "y", "produced": "[1, 2]", "delivered": "[1]"},
        {"id": "z", "produced": error, "delivered": error},
    )

    answer = document(capsys, "--pairs", file)

    assert [one["label"] for one in answer["pairs"]] == ["ok", "silent-cut", "error-in-body"]
    found = [(one["check"], one["evidence"]["pair"], one["source"]) for one in answer["findings"]]
    assert found == [
        ("silent-cut", "y", {"path": str(file), "line": 2}),
        ("error-in-body", "z", {"path": str(file), "line": 3}),
    ]


def test_pairs_may_be_compactions_and_hand_offs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = pairs(
        tmp_path,
        {"id": 1, "produced": CHILD, "delivered": "2 findings"},
        {"id": 2, "produced": CHILD, "delivered": CHILD},
    )

    answer = document(capsys, "--boundary", "handoff", "--pairs", file)

    assert answer["pairs"] == [
        {"id": 1, "rate": 0.0, "label": "handoff-lost"},
        {"id": 2, "rate": 1.0, "label": "ok"},
    ]
