"""`ullage compact`: a body in, a shorter body out, words on stderr, exit codes."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.history.spelled import SPELLINGS, Call, Reply, Turn, User, chat, messages_of

from ullage.cli.main import main
from ullage.ledger.store import Ledger

PROGRESS = "\n".join(f"Downloading pack.whl ({n}%)" for n in range(100)) + "\nexit code: 0"


def turns(results: int = 9) -> list[Turn]:
    return [
        User("Install the packs. Never restart the broker."),
        *(
            Reply("", (Call("bash", {"command": f"pip install p{n}"}, f"{n}\n{PROGRESS}"),))
            for n in range(results)
        ),
    ]


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    with pytest.raises(SystemExit) as ended:
        main(["compact", *map(str, arguments)])
    shown = capsys.readouterr()
    code = ended.value.code
    assert code is None or isinstance(code, int)
    return code or 0, shown.out, shown.err


def saved(folder: Path, value: object, name: str = "request.json") -> Path:
    file = folder / name
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return file


@pytest.mark.parametrize("form", sorted(SPELLINGS))
def test_the_body_goes_to_stdout_in_its_own_form(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = SPELLINGS[form](turns())
    file = saved(tmp_path, body)

    code, out, err = run(capsys, file, "--budget", 4500, "--tier", "T1")

    shorter = json.loads(out)
    assert code == 0
    assert {**shorter, "messages": 0, "input": 0, "contents": 0} == {
        **body, "messages": 0, "input": 0, "contents": 0
    }  # fmt: skip
    assert len(messages_of(shorter)) == len(messages_of(body))
    assert "elide by progress" in err
    assert "budget 4500 tokens: it fits" in err


def test_a_recorded_request_and_stdin_are_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.dumps({"request": chat(turns())}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    code, out, _ = run(capsys, "-", "--budget", 3000, "--tier", "T1")

    assert code == 0
    assert json.loads(out)["messages"][1]["content"].startswith("Install the packs.")


def test_the_document_names_its_schema_and_holds_every_event(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(tmp_path, chat(turns()))

    code, out, _ = run(capsys, file, "--budget", 3000, "--tier", "T1", "--format", "json")

    document = json.loads(out)
    assert code == 0
    assert list(document)[0:3] == ["schema", "messages", "tier"]
    assert document["schema"] == "ullage.compact/1"
    assert {"boundary", "action", "what", "why", "tokens_before", "tokens_after"} <= set(
        document["events"][0]
    )


def test_what_must_stay_and_is_too_large_is_exit_code_3_with_by_how_much(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(tmp_path, chat(turns()))

    code, out, err = run(capsys, file, "--budget", 5, "--tier", "T1")

    assert (code, out) == (3, "")
    assert "over its budget" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--budget", 100, "--protect", "roles:user"], "none of role:user"),
        (["--budget", 100, "--rule", "thrift"], "no rule is called 'thrift'"),
        (["--budget", 100, "--soft", 0.9, "--hard", 0.8], "soft=0.9 is above hard=0.8"),
        (["--budget", 100, "--summariser", "ftp://x"], "is no summariser"),
        (["--budget", 100, "--from", "claude-code"], "--from belongs to --dry-run"),
        ([], "--budget"),
    ],
)
def test_wrong_use_is_exit_code_2(
    arguments: list[object], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(tmp_path, chat(turns()))

    code, out, err = run(capsys, file, *arguments)

    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize("text", ["no json", '{"a": 1}', "[1, 2]", "[" * 100_000, "3"])
def test_a_file_that_is_no_history_is_exit_code_3(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, saved(tmp_path, text), "--budget", 100)

    assert (code, out) == (3, "")
    assert "no history" in err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        ('{"messages": [\n{"role": "user"', "line 2, column 16: "),
        ("[" * 200_000 + "]" * 200_000, "nested too deeply"),
        ("9" * 5000, "limit"),
        ("42", "expected a JSON object with messages"),
    ],
)
def test_a_file_that_is_no_history_says_why(
    text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, saved(tmp_path, text), "--budget", 100)

    assert (code, out) == (3, "")
    assert why in err


def test_a_byte_order_mark_is_no_part_of_a_body(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "body.json"
    file.write_text(json.dumps(chat(turns(1))), encoding="utf-8-sig")

    code, out, _ = run(capsys, file, "--budget", 90_000)

    assert (code, json.loads(out)) == (0, chat(turns(1)))


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_bytes_that_are_not_utf_8_are_said(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "body.json"
    file.write_bytes(b'{"messages": [{"role": "user", "content": "caf\xe9, na\xef\xbfve"}]}')

    code, out, err = run(capsys, file, "--budget", 1000, *more)

    assert code == 0
    assert "3 bytes are not UTF-8" in err
    assert "not UTF-8" not in out or "[1 bytes that are not UTF-8]" in out


def test_a_command_may_write_the_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talk: list[Turn] = [User("Move the services. Never restart the broker.")]
    for n in range(40):
        talk += [
            Reply(f"Service s{n} goes to host h{n}, as it was said. " * 4),
            User("Go on, please."),
        ]
    script = tmp_path / "writer.py"
    script.write_text(
        "import sys; sys.stdin.read()\n"
        "print('All services were moved to their hosts, one after the other.')"
    )
    file = saved(tmp_path, chat(talk))

    code, out, err = run(
        capsys, file, "--budget", 1500, "--tier", "T3",
        "--summariser", f"cmd {sys.executable} {script}",
    )  # fmt: skip

    assert code == 0
    assert (
        "All services were moved to their hosts, one after the other."
        in json.loads(out)["messages"][2]["content"]
    )
    assert "summarise" in err


def test_what_rules_take_out_is_kept_in_a_ledger_and_the_events_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, store = saved(tmp_path, chat(turns())), tmp_path / "kept.ledger"

    code, out, _ = run(
        capsys, file, "--budget", 3000, "--tier", "T2", "--store", store, "--run", "monday"
    )

    assert code == 0
    assert "recall(" in out
    with Ledger.read(store) as ledger:
        assert [one.run for one in ledger.kept()] == ["monday"] * len(list(ledger.kept()))
        assert len(list(ledger.kept())) >= 1
        assert [one.tier for one in ledger.compactions("monday")] == ["T2"]


def test_the_output_goes_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, to = saved(tmp_path, chat(turns())), tmp_path / "shorter.json"

    code, out, _ = run(capsys, file, "--budget", 3000, "--output", to)

    assert (code, out) == (0, "")
    assert json.loads(to.read_text())["messages"]


def test_a_dry_run_says_what_it_would_take_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(tmp_path, chat(turns()))

    code, out, _ = run(capsys, file, "--budget", 3000, "--dry-run")

    assert code == 0
    assert "must remove" in out
    assert "not needed: the rules are enough" in out
    assert "progress" in out
    assert "result of bash" in out


def test_bodies_of_a_log_are_a_row_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "\n".join(json.dumps(chat(turns(n))) for n in (1, 5, 9))
    file = saved(tmp_path, lines, "log.jsonl")

    code, out, _ = run(capsys, file, "--budget", 3000, "--dry-run")
    document = documented(capsys, file, "--budget", 3000, "--dry-run")

    assert code == 0
    assert len([line for line in out.splitlines() if line.startswith("log.jsonl:")]) == 3
    assert document["schema"] == "ullage.compact-dry-run/1"
    assert [one["must_remove"] > 0 for one in document["sessions"]] == [False, True, True]


def documented(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    code, out, _ = run(capsys, *arguments, "--format", "json")
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_a_session_of_an_agent_is_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(__file__).parents[2] / "examples" / "audit" / "projects"

    document = documented(capsys, folder, "--budget", 8000, "--dry-run")

    assert len(document["sessions"]) == 2
    assert all(one["history"] > 0 and one["messages"] > 3 for one in document["sessions"])


def test_a_session_cannot_be_written_back(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(__file__).parents[2] / "examples" / "audit" / "projects"
    (file, *_) = sorted(folder.rglob("*.jsonl"))

    code, _, err = run(capsys, file, "--budget", 8000)

    assert code == 3
    assert "--dry-run looks at sessions too" in err
