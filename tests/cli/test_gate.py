"""`ullage scan` as a gate: forms of its report, baseline, suppressions, settings, exit codes."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.checks.exchanges import asked, chat, user
from tests.cli.test_scan import Done, document, scan
from tests.report.test_sarif import faults
from tests.wire.bodies import body

from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger

ROOT = Path(__file__).parents[2]
EXAMPLE = "examples/scan/exchanges.jsonl"


def reply(name: str, finish: str = "stop") -> dict[str, Any]:
    return {"id": name, **chat(finish, content="a")}


def write_log(path: Path, *replies: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in replies), encoding="utf-8")
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a log of which one answer was cut."""
    (tmp_path / ".git").mkdir()
    write_log(tmp_path / "logs" / "a.jsonl", reply("r1"), reply("r2", "length"))
    return tmp_path


def settings(project: Path, text: str) -> None:
    (project / "pyproject.toml").write_text(text, encoding="utf-8")


def gate(done: Done) -> dict[str, Any]:
    found: dict[str, Any] = document(done)["gate"]
    return found


def test_sarif_of_a_real_scan_is_valid_and_names_file_and_line() -> None:
    log = document(scan(EXAMPLE, "--format", "sarif", cwd=ROOT))

    assert faults(log) == []
    found = [
        (
            one["ruleId"],
            one["level"],
            one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            one["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for one in log["runs"][0]["results"]
    ]
    assert found == [
        ("damaged-line", "warning", EXAMPLE, 4),
        ("served-short", "error", EXAMPLE, 1),
        ("output-cut", "error", EXAMPLE, 2),
    ]


def test_sarif_is_the_same_from_any_folder_of_the_repository(project: Path) -> None:
    above = scan("logs", "--format", "sarif", cwd=project)
    inside = scan(project / "logs" / "a.jsonl", "--format", "sarif", cwd=project / "logs")

    assert above.stdout == inside.stdout


def test_junit_of_a_real_scan_has_a_case_for_each_check() -> None:
    root = ElementTree.fromstring(scan(EXAMPLE, "--format", "junit", cwd=ROOT).stdout)

    (suite,) = root
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert (suite.get("name"), failed) == (EXAMPLE, ["damaged-line", "output-cut", "served-short"])


def test_junit_fails_what_the_gate_fails_and_passes_the_rest() -> None:
    done = scan(EXAMPLE, "--format", "junit", "--fail-on", "damaged-line", cwd=ROOT)

    failed = ElementTree.fromstring(done.stdout).findall("testsuite/testcase/failure/..")
    assert [case.get("name") for case in failed] == ["damaged-line"]


def test_a_clean_file_has_a_suite_of_cases_that_pass(project: Path) -> None:
    write_log(project / "logs" / "b.jsonl", reply("r1"))

    root = ElementTree.fromstring(scan("logs", "--format", "junit", cwd=project).stdout)

    assert {one.get("name"): one.get("failures") for one in root} == {
        "logs/a.jsonl": "1",
        "logs/b.jsonl": "0",
    }


def test_annotations_of_a_real_scan_stand_at_their_lines() -> None:
    lines = scan(EXAMPLE, "--format", "github", cwd=ROOT).stdout.splitlines()

    assert [line.partition(",title=")[0] for line in lines] == [
        f"::error file={EXAMPLE},line=1",
        f"::error file={EXAMPLE},line=2",
        f"::warning file={EXAMPLE},line=4",
        "ullage: new 3, known 0, suppressed 0",
    ]


def test_markdown_of_a_real_scan_has_a_table_and_folds() -> None:
    text = scan(EXAMPLE, "--format", "md", "--checklist", cwd=ROOT).stdout

    assert text.startswith("## Ullage: 3 findings\n\n- Read: 1 file, 3 records, 1 damaged line.\n")
    assert f"| error | served-short | serve |  | 1 | {EXAMPLE}:1 |\n" in text
    assert "| output-cut | fail | 2 answers | output-cut x 1 |" in text
    assert text.count("<details>") == 3


def test_several_forms_are_written_in_one_run(project: Path) -> None:
    words = ("--also", "sarif=out.sarif", "--also", "junit=out.xml", "--output", "out.txt")

    done = scan("logs", *words, cwd=project)

    assert done.stdout == ""
    assert "output-cut" in (project / "out.txt").read_text(encoding="utf-8")
    assert faults(json.loads((project / "out.sarif").read_bytes())) == []
    assert ElementTree.parse(project / "out.xml").getroot().tag == "testsuites"


@pytest.mark.parametrize("word", ["sarif", "sarif=", "xml=out.xml", "=out"])
def test_another_form_without_its_file_is_refused(project: Path, word: str) -> None:
    done = scan("logs", "--also", word, cwd=project)

    assert (done.returncode, "write FORM=FILE" in done.stderr) == (2, True)


def test_exit_zero_hides_findings_and_nothing_else(project: Path) -> None:
    write_log(project / "plain.jsonl", {"seq": 1})

    assert scan("logs", "--fail-on", "warning", cwd=project).returncode == 1
    assert scan("logs", "--fail-on", "warning", "--exit-zero", cwd=project).returncode == 0
    blank = scan("plain.jsonl", "--fail-on", "warning", "--exit-zero", cwd=project)
    assert blank.returncode == 3


def test_a_baseline_lets_known_findings_pass_and_new_ones_fail(project: Path) -> None:
    wrote = scan("logs", "--write-baseline", "known.json", "--fail-on", "note", cwd=project)
    words = ("logs", "--baseline", "known.json", "--fail-on", "warning")

    same = scan(*words, cwd=project)
    write_log(
        project / "logs" / "a.jsonl", reply("r0"), reply("r2", "length"), reply("r9", "length")
    )
    more = scan(*words, "--format", "json", cwd=project)

    assert (wrote.returncode, same.returncode, more.returncode) == (0, 0, 1)
    assert "No check found a new fault in what could be read." in same.stdout
    assert "known: 1 (in the baseline, not counted)" in same.stdout
    assert gate(more) | {"suppressions_idle": [], "suppressions_lapsed": []} == gate(more)
    assert (gate(more)["known"], gate(more)["new"], gate(more)["gone"]) == (1, 1, 0)
    states = {one["evidence"]["id"]: one["state"] for one in document(more)["findings"]}
    assert states == {"r2": "known", "r9": "new"}


def test_a_former_document_is_a_baseline_and_what_is_gone_is_said(project: Path) -> None:
    scan("logs", "--format", "json", "--output", "before.json", cwd=project)
    write_log(project / "logs" / "a.jsonl", reply("r1"))

    done = scan("logs", "--baseline", "before.json", "--fail-on", "note", cwd=project)

    assert done.returncode == 0
    assert "gone: 1 (in the baseline, not found again)" in done.stdout


def test_a_baseline_is_written_one_finding_a_line_in_one_order(project: Path) -> None:
    write_log(project / "logs" / "b.jsonl", reply("r2", "length"), reply("r3", "length"))

    scan("logs", "--write-baseline", "one.json", cwd=project)
    scan("logs/b.jsonl", "logs/a.jsonl", "--write-baseline", "two.json", cwd=project)

    text = (project / "one.json").read_text(encoding="utf-8")
    assert text == (project / "two.json").read_text(encoding="utf-8")
    first, *rows, last = text.splitlines()
    assert (first, last) == ('{"schema": "ullage.baseline/1", "findings": [', "]}")
    assert [json.loads(row.rstrip(","))["path"] for row in rows] == [
        "logs/a.jsonl",
        "logs/b.jsonl",
        "logs/b.jsonl",
    ]


def test_an_empty_baseline_is_read_again(project: Path) -> None:
    write_log(project / "logs" / "a.jsonl", reply("r1"))
    scan("logs", "--write-baseline", "known.json", cwd=project)

    assert scan("logs", "--baseline", "known.json", cwd=project).returncode == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "no such file: write it with ullage scan … --write-baseline"),
        ("{", "name a file of --write-baseline or of --format json"),
        ('{"schema": "ullage.cut/1"}', "its schema is 'ullage.cut/1'"),
    ],
)
def test_a_wrong_baseline_is_wrong_use(project: Path, text: str | None, said: str) -> None:
    if text is not None:
        (project / "known.json").write_text(text, encoding="utf-8")

    done = scan("logs", "--baseline", "known.json", cwd=project)

    assert done.returncode == 2
    assert "known.json" in done.stderr
    assert said in done.stderr


def test_settings_of_a_gate_come_from_pyproject(project: Path) -> None:
    scan("logs", "--write-baseline", "known.json", cwd=project)
    write_log(project / "logs" / "old" / "b.jsonl", reply("r7", "length"))
    settings(
        project,
        '[tool.ullage]\nfail-on = ["warning"]\nbaseline = "known.json"\nexclude = ["old"]\n',
    )

    # From a folder below: the file's own folder is where its names begin.
    done = scan(project / "logs", "--format", "json", cwd=project / "logs")

    assert (done.returncode, gate(done)["known"], gate(done)["new"]) == (0, 1, 0)
    assert "ullage scan: excluded: 1 file" in done.stderr


def test_a_file_that_is_named_is_read_whatever_is_excluded(project: Path) -> None:
    settings(project, '[tool.ullage]\nexclude = ["*.jsonl"]\n')

    assert document(scan("logs/a.jsonl", "--format", "json", cwd=project))["exchanges"] == 2
    assert scan("logs", cwd=project).returncode == 3


def test_the_stronger_word_wins(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings(project, '[tool.ullage]\nfail-on = ["note"]\n')
    assert scan("logs", cwd=project).returncode == 1

    (project / "ullage.toml").write_text('fail-on = ["error"]\n', encoding="utf-8")
    assert scan("logs", cwd=project).returncode == 0

    monkeypatch.setenv("ULLAGE_FAIL_ON", "error output-cut")
    assert scan("logs", cwd=project).returncode == 1

    assert scan("logs", "--fail-on", "served-short", cwd=project).returncode == 0


SUPPRESS = """\
[[tool.ullage.suppress]]
check = "output-cut"
path = "logs/*.jsonl"
reason = "answers of one word are meant"
"""


def test_a_suppressed_finding_does_not_count_and_its_reason_is_shown(project: Path) -> None:
    settings(project, SUPPRESS)

    done = scan("logs", "--fail-on", "note", cwd=project)
    found = document(scan("logs", "--format", "json", cwd=project))["findings"]

    assert done.returncode == 0
    assert "suppressed: 1 (answers of one word are meant)" in done.stdout
    assert [(one["state"], one["reason"]) for one in found] == [
        ("suppressed", "answers of one word are meant")
    ]


def test_a_suppression_that_did_nothing_or_lapsed_is_said(project: Path) -> None:
    idle = SUPPRESS.replace("logs/*.jsonl", "other/*.jsonl")
    settings(project, idle + SUPPRESS + "until = 2020-01-31\n")

    done = scan("logs", "--fail-on", "warning", cwd=project)

    assert done.returncode == 1
    assert "a suppression covered nothing: output-cut path='other/*.jsonl'; take it out" in (
        done.stdout
    )
    assert "a suppression has lapsed: output-cut path='logs/*.jsonl', until 2020-01-31" in (
        done.stdout
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fail_on = ['error']", "fail_on: no such key: did you mean fail-on?"),
        ("fail-on = 'error'", "fail-on: 'error' is not a list of them: write fail-on ="),
        (
            "fail-on = ['fatal']",
            "fail-on: 'fatal' is neither a severity nor a check: choose note, warning, error",
        ),
        ("baseline = 3", "baseline: 3 is no file"),
        ("exclude = [1]", "exclude: [1] is not a list of them"),
        ("suppress = [1]", "write [[tool.ullage.suppress]] above the keys of each"),
        ("[[tool.ullage.suppress]]\ncheck = 'output-cut'", "no reason to accept output-cut"),
        ("x = ", "not TOML"),
    ],
)
def test_a_wrong_setting_is_wrong_use_and_says_where(project: Path, text: str, said: str) -> None:
    settings(project, f"[tool.ullage]\n{text}\n")

    done = scan("logs", cwd=project)

    assert done.returncode == 2
    assert "pyproject.toml" in done.stderr
    assert said in done.stderr


def test_keys_of_other_commands_are_let_be(project: Path) -> None:
    settings(project, '[tool.ullage]\nmax_size = "2GB"\n[tool.ullage.tools.a]\nbudget = 3\n')

    assert scan("logs", cwd=project).returncode == 0


def test_the_checklist_says_what_passed_failed_and_could_not_be_seen(project: Path) -> None:
    first = [user("list")]
    then = [*first, {"role": "assistant", "content": "a"}, user("more")]
    write_log(
        project / "b.jsonl",
        *({"request": asked(*turn), "response": chat(content="a")} for turn in (first, then)),
    )

    done = scan("b.jsonl", "logs", "--checklist", cwd=project)

    lines = done.stdout.splitlines()
    at = lines.index("Silent failures:")
    assert lines[at + 1 :] == [
        "  history-trimmed: pass, 1 follow-up request judged; each was held against the request "
        "before it in its conversation",
        "  history-summarised: pass, 1 follow-up request judged; no compaction is recorded, and "
        "each history only grew",
        "  result-cut: not observable; there is no tool result",
        "    defence: cut by records, or read in chunks",
        "  output-cut: fail, 4 answers judged; output-cut x 1",
        "    defence: look at finish_reason of every reply",
    ]
    assert "Silent failures" not in scan("logs", cwd=project).stdout


def test_each_run_of_a_ledger_is_a_session_and_its_findings_name_the_ledger(project: Path) -> None:
    with Ledger(project / "my.ledger") as ledger:
        for run, finish in (("monday", "stop"), ("tuesday", "length")):
            ledger.add_exchange(
                ExchangeRecord(
                    run=run,
                    method="POST",
                    path="/v1/chat/completions",
                    upstream="http://model.test",
                    request_headers=[],
                    request_body=body(asked(user("list"))),
                    status=200,
                    response_headers=[("content-type", "application/json")],
                    response_body=body(chat(finish, content="half a")),
                    started=1.0,
                    first_byte=1.1,
                    ended=1.2,
                )
            )

    root = ElementTree.fromstring(scan("my.ledger", "--format", "junit", cwd=project).stdout)
    log = document(scan("my.ledger", "--format", "sarif", cwd=project))

    assert [(one.get("name"), one.get("failures")) for one in root] == [
        ("my.ledger · monday", "0"),
        ("my.ledger · tuesday", "1"),
    ]
    (result,) = log["runs"][0]["results"]
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "my.ledger", "uriBaseId": "%SRCROOT%"}
            },
            "logicalLocations": [{"fullyQualifiedName": "tuesday"}],
        }
    ]


def test_a_cut_result_of_a_ledger_stands_in_the_ledger(project: Path) -> None:
    rows = json.dumps([{"id": f"order-{number:04d}", "note": "n" * 20} for number in range(60)])
    function = {"name": "orders", "arguments": "{}"}
    tool_call = {"id": "c1", "type": "function", "function": function}
    called = {"role": "assistant", "content": None, "tool_calls": [tool_call]}
    answer = {"role": "tool", "tool_call_id": "c1", "content": rows[:900]}
    with Ledger(project / "my.ledger") as ledger:
        ledger.add_produced(
            ProducedRecord(run="r", tool="orders", kind="tool", arguments="{}", text=rows, at=1.0)
        )
        ledger.add_exchange(
            ExchangeRecord(
                run="r",
                method="POST",
                path="/v1/chat/completions",
                upstream="http://model.test",
                request_headers=[],
                request_body=body(asked(user("list"), called, answer)),
                status=200,
                response_headers=[("content-type", "application/json")],
                response_body=body(chat(content="done")),
                started=1.0,
                first_byte=1.1,
                ended=1.2,
            )
        )

    lines = scan("my.ledger", "--format", "github", cwd=project).stdout.splitlines()
    checked = document(scan("my.ledger", "--format", "json", cwd=project))["checklist"]

    assert [line.partition(",title")[0] for line in lines if "silent-cut" in line] == [
        "::error file=my.ledger"
    ]
    assert {one["failure"]: one["status"] for one in checked} == {
        "history-trimmed": "not observable",
        "history-summarised": "not observable",
        "result-cut": "fail",
        "output-cut": "pass",
    }
