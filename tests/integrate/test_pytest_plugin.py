"""The pytest plugin in processes of its own: small projects with a real client."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

# A pipeline as people write it: data, then a conversation, then the question.
PIPELINE = """
import json
from openai import OpenAI


def pipeline(records, earlier_turns, tool_calls):
    messages = [{"role": "user", "content": shorten(records)}]
    for said in earlier_turns:
        messages += [{"role": "user", "content": said}, {"role": "assistant", "content": "yes"}]
    for number, result in enumerate(tool_calls):
        function = {"name": "f", "arguments": "{}"}
        call = {"id": f"c{number}", "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": result},
        ]
    messages.append({"role": "user", "content": "Analyse all orders."})
    with OpenAI() as client:
        reply = client.chat.completions.create(model="m", messages=trim(messages))
    return reply.choices[0].message.content


def shorten(records):
    return json.dumps(records)


def trim(messages):
    return messages


def test_orders(ullage_coverage):
    ullage_coverage(pipeline).assert_all_seen()
"""
TRIM = """
def trim(messages, max_history_turns=10):
    turns = [at for at, one in enumerate(messages) if one["role"] == "user"]
    return messages[turns[-max_history_turns] :] if len(turns) > max_history_turns else messages
"""
SLICE = """
def shorten(records):
    return json.dumps(records)[:9000]
"""
UNSTABLE = """
import itertools
calls = itertools.count()

def shorten(records):
    return json.dumps(records[: (20, 24, 50)[next(calls) % 3]])
"""


def run(folder: Path, test: str, *options: str, before: str = "") -> str:
    """What pytest prints in a project with one test file; its exit code comes first."""
    (folder / "test_it.py").write_text(test, encoding="utf-8")
    code = f"{before}\nimport sys, pytest\nsys.exit(pytest.main(sys.argv[1:]))"
    words = ["-q", "-p", "no:cacheprovider", "--rootdir", str(folder), *options]
    done = subprocess.run(
        [sys.executable, "-c", code, *words, "test_it.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return f"exit {done.returncode}\n{done.stdout}{done.stderr}"


def test_a_pipeline_that_keeps_everything_passes_on_the_whole_grid(tmp_path: Path) -> None:
    printed = run(tmp_path, PIPELINE)

    assert printed.startswith("exit 0")
    assert "recorded: 1 run, 54 requests, answered by: scripted, 0 results" in printed


def test_a_slice_passes_at_50_records_and_fails_at_500_for_its_size(tmp_path: Path) -> None:
    printed = run(tmp_path, PIPELINE + SLICE)

    assert printed.startswith("exit 1")
    assert "smallest that failed: 200 records, 0 earlier turns, 0 further tool calls" in printed
    assert "trigger: characters of the records: up to" in printed
    assert "boundary: budget" in printed
    assert "the model was not told how many it did not see" in printed
    assert "     50     12           3  50 of 50\n" in printed
    assert "coverage-short x 12 at budget: test_it.py::test_orders" in printed


def test_a_history_that_is_trimmed_fails_only_after_12_turns(tmp_path: Path) -> None:
    printed = run(tmp_path, PIPELINE + TRIM)

    assert printed.startswith("exit 1")
    assert "smallest that failed: 50 records, 12 earlier turns, 0 further tool calls" in printed
    assert "trigger: turns: up to 5 every case passed, from 12 on every case failed" in printed
    assert "boundary: retain" in printed
    assert "    500      5           3  500 of 500\n" in printed


def test_a_source_that_gives_another_number_each_time_is_unstable(tmp_path: Path) -> None:
    test = (PIPELINE + UNSTABLE).replace("(pipeline)", "(pipeline, records=[50], turns=[0])")

    printed = run(tmp_path, test)

    assert printed.startswith("exit 1")
    assert "20 of 50 in last request (repeats: 20, 24, 50)" in printed
    assert "coverage-unstable: 2 cells" in printed


def test_a_run_that_does_not_use_it_loads_nothing_of_it_and_says_nothing(tmp_path: Path) -> None:
    test = """
import sys

def test_it():
    loaded = sorted(name for name in sys.modules if name.startswith("ullage"))
    assert loaded == ["ullage", "ullage.integrate", "ullage.integrate.pytest_plugin"]
    assert not {"aiohttp", "sqlite3", "msgspec", "rich", "click"} & set(sys.modules)
"""
    printed = run(tmp_path, test)

    assert printed.startswith("exit 0")
    assert "ullage" not in printed


def test_importing_ullage_before_pytest_warns_nobody(tmp_path: Path) -> None:
    printed = run(tmp_path, "def test_it(): pass", "-W", "error", before="import ullage")

    assert printed.startswith("exit 0")


RECORDED = """
import json, os
from openai import OpenAI
from ullage import record_tool


@record_tool(key="id")
def fetch():
    return json.dumps([{"id": f"ORD-{n}", "total": n} for n in range(80)])


def ask(text):
    with OpenAI() as client:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])


def test_whole(ullage_run):
    ask(fetch())
    ullage_run.assert_arrived(tool="fetch")


def test_cut(ullage_run):
    ask(fetch()[:900])
    ullage_run.assert_arrived(tool="fetch", key="id")


def test_fails_elsewhere(ullage_run):
    ask(fetch())
    raise RuntimeError("a fault of its own")


def test_nothing_is_left():
    assert "ULLAGE_LEDGER" not in os.environ and "OPENAI_BASE_URL" not in os.environ
"""


def test_a_recorded_run_is_measured_reported_and_cleaned_up(tmp_path: Path) -> None:
    printed = run(tmp_path, RECORDED, "--ullage-report", "loss.json")

    assert printed.startswith("exit 1")
    assert "2 failed, 2 passed" in printed
    assert "run test_cut: 0 of 1 results arrived" in printed
    assert "recorded: 3 runs, 3 requests, answered by: scripted, 3 results as produced" in printed
    assert "invalid-syntax x 1 at budget: test_it.py::test_cut" in printed
    document = json.loads((tmp_path / "loss.json").read_text(encoding="utf-8"))
    assert document["schema"] == "ullage.pytest/1"
    assert [one["test"].partition("::")[2] for one in document["runs"]] == [
        "test_whole",
        "test_cut",
        "test_fails_elsewhere",
    ]
    (lost,) = document["runs"][1]["results"]
    assert (lost["tool"], lost["arrival"]["boundary"]) == ("fetch", "budget")
    assert not list(tmp_path.glob("*ledger*"))


def test_workers_of_xdist_report_together(tmp_path: Path) -> None:
    printed = run(tmp_path, RECORDED, "--ullage-report", "loss.json", "-n", "2")

    assert "recorded: 3 runs, 3 requests" in printed
    document = json.loads((tmp_path / "loss.json").read_text(encoding="utf-8"))
    assert len(document["runs"]) == 3


def test_a_run_without_xdist_is_no_error(tmp_path: Path) -> None:
    printed = run(tmp_path, RECORDED, "-p", "no:xdist", "-k", "whole or left")

    assert printed.startswith("exit 0")


def test_a_report_in_a_folder_that_is_not_there_is_refused_before_any_test(tmp_path: Path) -> None:
    printed = run(tmp_path, RECORDED, "--ullage-report", "absent/loss.json")

    assert printed.startswith("exit 4")
    assert "--ullage-report: there is no folder" in printed


def test_a_report_of_nothing_recorded_says_so(tmp_path: Path) -> None:
    run(tmp_path, "def test_it(): pass", "--ullage-report", "loss.json")

    document = json.loads((tmp_path / "loss.json").read_text(encoding="utf-8"))
    assert document == {"schema": "ullage.pytest/1", "runs": [], "coverage": []}


UPSTREAM = """
import pytest


def test_ini(ullage_run):
    assert ullage_run.base_url.endswith("/from-ini")


@pytest.mark.ullage(upstream="http://127.0.0.1:9/from-marker")
def test_marker(ullage_run):
    assert ullage_run.base_url.endswith("/from-marker")


def test_variable(monkeypatch, request):
    monkeypatch.setenv("ULLAGE_UPSTREAM", "http://127.0.0.1:9/from-variable")
    assert request.getfixturevalue("ullage_run").base_url.endswith("/from-variable")
"""


def test_the_upstream_comes_from_the_marker_then_the_variable_then_the_ini_file(
    tmp_path: Path,
) -> None:
    ini = "[pytest]\nullage_upstream = http://127.0.0.1:9/from-ini\n"
    (tmp_path / "pytest.ini").write_text(ini, encoding="utf-8")

    printed = run(tmp_path, UPSTREAM, "--strict-markers", "--strict-config")

    assert printed.startswith("exit 0")
    assert "recorded" not in printed


def test_a_marker_with_anything_else_is_refused(tmp_path: Path) -> None:
    test = UPSTREAM.replace("upstream=", "uptream=")

    printed = run(tmp_path, test, "-k", "marker")

    assert 'the marker is ullage(upstream="scripted")' in printed


def test_a_test_of_parameters_has_a_run_of_its_own_whatever_they_are(tmp_path: Path) -> None:
    test = """
import pytest
from openai import OpenAI

@pytest.mark.parametrize("text", ["a/b?c#d", "\\u00fcber", "x" * 300, "ORD 1/2"])
def test_it(ullage_run, text):
    with OpenAI() as client:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
    assert ullage_run.requests[0]["messages"][0]["content"] == text
"""
    printed = run(tmp_path, test)

    assert printed.startswith("exit 0")
    assert "recorded: 4 runs, 4 requests" in printed
