"""`ullage run`: whole commands against a scripted model server."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from ullage.ledger import query
from ullage.ledger.store import Ledger

pytestmark = pytest.mark.slow

# A program that asks the model once, with whatever base URL its environment names.
ASK = """
    import json, os, sys, urllib.request
    from ullage import handed_on, record_tool
    @record_tool
    def fetch():
        return json.dumps([{"id": f"row-{n:04d}", "v": n} for n in range(400)])
    def ask(text, base=None):
        base = base or os.environ["OPENAI_BASE_URL"]
        body = {"messages": [{"role": "user", "content": "go"},
                             {"role": "tool", "tool_call_id": "c1", "content": text}]}
        request = urllib.request.Request(base + "/chat/completions", json.dumps(body).encode(),
                                         {"content-type": "application/json"})
        return urllib.request.urlopen(request).read()
"""
SLICED = ASK + "    ask(handed_on(fetch()[:2000]))\n"
WHOLE = ASK + "    ask(fetch())\n"


@pytest.fixture
def program(tmp_path: Path) -> Any:
    """Write a program and return the words that start it."""

    def write(code: str) -> list[str]:
        path = tmp_path / "program.py"
        path.write_text(textwrap.dedent(code), encoding="utf-8")
        return [sys.executable, str(path)]

    return write


def run(
    tmp_path: Path, *words: str, env: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    ours = ("OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.run(
        [sys.executable, "-m", "ullage", "run", *words],
        cwd=tmp_path,
        env={**clean, **(env or {})},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_report_says_what_was_lost_where_and_what_to_do(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    done = run(tmp_path, "--upstream", upstream, "--", *program(SLICED))

    assert done.returncode == 0
    assert "produced side is unknown for 0 of 1 tool results" in done.stderr
    assert "answered by: scripted" in done.stderr
    assert "of 400" in done.stderr
    assert "error invalid-syntax · fetch · boundary budget" in done.stderr
    assert "ullage.cut(result, ullage.chars(2000)).text" in done.stderr


def test_a_whole_result_is_no_finding(tmp_path: Path, upstream: str, program: Any) -> None:
    done = run(tmp_path, "--upstream", upstream, "--fail-on", "note", "--", *program(WHOLE))

    assert done.returncode == 0
    assert "Nothing lost: fetch (1 result)." in done.stderr


def test_the_child_keeps_its_stdin_stdout_and_exit_code(tmp_path: Path, program: Any) -> None:
    words = program(
        """
        import sys
        print(sys.stdin.read()[::-1], end="")
        sys.exit(7)
        """
    )
    done = subprocess.run(
        [sys.executable, "-m", "ullage", "run", "--upstream", "http://127.0.0.1:9", "--", *words],
        cwd=tmp_path,
        input="abc",
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (done.stdout, done.returncode) == ("cba", 7)


def test_a_child_that_bypasses_the_proxy_is_not_called_lossless(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = program(ASK + f'    ask(fetch(), base="{upstream}")\n')

    done = run(tmp_path, "--upstream", upstream, "--", *words)

    assert done.returncode == 3
    assert "no request came through the proxy" in done.stderr
    assert "asked no model, or ignored OPENAI_BASE_URL" in done.stderr
    assert 'base_url=os.environ["OPENAI_BASE_URL"]' in done.stderr
    assert "Nothing lost" not in done.stderr


def test_every_changed_variable_is_listed_with_where_its_requests_go(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    done = run(tmp_path, "--", *program(WHOLE), env={"OPENAI_BASE_URL": upstream})

    lines = [line for line in done.stderr.split("\n") if line.startswith("ullage run: ")]
    assert [line.split(": ", 1)[1].split("=")[0] for line in lines] == [
        "OPENAI_BASE_URL",
        "OPENAI_API_BASE",
        "ULLAGE_LEDGER",
        "ULLAGE_RUN",
        "PYTHONPATH",
    ]
    assert f"-> {upstream} (your OPENAI_BASE_URL)" in lines[0]
    assert "-> https://api.openai.com/v1 (the provider's public address)" in lines[1]


def test_a_child_of_two_providers_is_recorded_behind_one_proxy(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    code = (
        ASK
        + """
    ask(fetch())
    ask(fetch(), base=os.environ["ANTHROPIC_BASE_URL"] + "/v1")
    """
    )
    other = f"ANTHROPIC_BASE_URL={upstream.replace('127.0.0.1', 'localhost').removesuffix('/v1')}"
    output = tmp_path / "loss.json"
    words = ["--upstream", upstream, "--upstream", other, "--output", str(output)]

    done = run(tmp_path, *words, "--", *program(code))

    assert done.returncode == 0
    document = json.loads(output.read_text(encoding="utf-8"))
    assert document["child"]["requests"] == 2
    ports = {
        urlsplit(value).port
        for name, value in document["child"]["changed"].items()
        if name.endswith("_BASE_URL")
    }
    assert len(ports) == 1


def test_a_web_proxy_in_the_environment_is_kept_away_from_the_loopback(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    env = {"HTTP_PROXY": "http://127.0.0.1:9", "NO_PROXY": "a.test"}

    done = run(tmp_path, "--upstream", upstream, "--", *program(WHOLE), env=env)

    assert "ullage run: NO_PROXY=a.test,127.0.0.1" in done.stderr
    assert done.returncode == 0


def test_the_document_holds_the_run_the_child_and_every_rate_in_both_units(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    output = tmp_path / "loss.json"
    words = ["--upstream", upstream, "--run", "r1", "--output", str(output), "--format", "json"]

    done = run(tmp_path, *words, "--", *program(SLICED))

    document = json.loads(output.read_text(encoding="utf-8"))
    assert next(iter(document)) == "schema"
    assert (document["schema"], document["run"]) == ("ullage.run/1", "r1")
    assert document["child"]["exit"] == 0
    (tool,) = document["arrival"]["tools"]
    (part,) = tool["parts"]
    assert part["calls"] == {"n": 1, "whole": 0, "in_part": 1, "absent": 0, "rate": 0.0}
    assert part["records"]["n"] == 400
    assert 0 < part["records"]["delivered"] < 400
    assert document["summary"]["by_check"] == {"invalid-syntax": 1, "silent-cut": 1}
    assert "produced side" not in done.stderr


@pytest.mark.parametrize("word", ["error", "warning", "silent-cut"])
def test_fail_on_turns_a_finding_into_exit_code_1(
    tmp_path: Path, upstream: str, program: Any, word: str
) -> None:
    done = run(tmp_path, "--upstream", upstream, "--fail-on", word, "--", *program(SLICED))

    assert done.returncode == 1


FORGETS = """
    import json, os, urllib.request
    history = []
    for turn in range(6):
        history.append({"role": "user", "content": f"What about order {turn} of this week?"})
        body = {"messages": history[-5:]}
        request = urllib.request.Request(
            os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(body).encode(),
            {"content-type": "application/json"})
        said = json.loads(urllib.request.urlopen(request).read())["choices"][0]["message"]
        history.append(said)
"""


def test_messages_that_left_the_history_are_reported_first_and_can_be_failed_on(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = ["--upstream", upstream, "--fail-on", "message-lost", "--"]
    done = run(tmp_path, *words, *program(FORGETS))

    assert done.returncode == 1
    heads = [line for line in done.stderr.splitlines() if line.startswith(("error", "warning"))]
    assert heads[0] == "error message-lost · boundary retain · 3 exchanges"
    assert any(line.startswith("warning prefix-broken") for line in heads[1:])


def test_fail_on_another_check_leaves_the_childs_code(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    done = run(
        tmp_path, "--upstream", upstream, "--fail-on", "cut-to-empty", "--", *program(SLICED)
    )

    assert done.returncode == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--"], 2, "Missing argument"),
        (["--model", "gpt", "true"], 2, "ullage run -- python my_agent.py --its-option"),
        (["--output", "no/such/folder/x.json", "--", "true"], 2, "there is no folder"),
        (["--output", ".", "--", "true"], 2, "is a directory"),
        (["--format", "json", "--", "true"], 2, "needs --output"),
        (["--fail-on", "everything", "--", "true"], 2, "'everything' is neither"),
        (["--upstream", "localhost:1", "--", "true"], 2, "has no scheme"),
        (["--run", "a/b", "--", "true"], 2, "use letters"),
        (["--", "no-such-program-anywhere"], 3, "cannot start 'no-such-program-anywhere'"),
        (["--ledger", "no/such/folder/x", "--", "true"], 3, "no/such/folder"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    done = run(tmp_path, *words)

    assert done.returncode == code
    last = done.stderr.strip().split("\n")[-1]
    assert said in last
    assert "Traceback" not in done.stderr


def test_an_upstream_that_is_down_is_an_error_for_the_child_and_in_the_report(
    tmp_path: Path, program: Any
) -> None:
    words = program(
        ASK
        + """
    import urllib.error
    try:
        ask(fetch())
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode())
"""
    )

    done = run(tmp_path, "--upstream", "http://127.0.0.1:9/v1", "--", *words)

    assert done.stdout.startswith("502 ")
    assert "http://127.0.0.1:9" in done.stdout
    assert "Failed, or answered with an error: 1 request." in done.stderr
    assert "  1 x upstream http://127.0.0.1:9 cannot be reached" in done.stderr
    assert "answered by" not in done.stderr


def test_ctrl_c_loses_nothing_that_was_recorded(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = program(
        SLICED
        + """
    print("asked", flush=True)
    import time
    time.sleep(60)
"""
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "ullage", "run", "--upstream", upstream, "--", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "asked\n"
    os.killpg(process.pid, signal.SIGINT)  # what a terminal does
    _, said = process.communicate(timeout=30)

    assert process.returncode != 0
    assert "error invalid-syntax · fetch" in said


def test_sigterm_ends_the_child_and_the_report_still_comes(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = program(
        SLICED + '    print("asked", flush=True)\n    import time\n    time.sleep(60)\n'
    )
    # SIGTERM ends a Python program at once: in the default mode its last moment may be lost.
    options = ["--durability", "sync", "--upstream", upstream]
    process = subprocess.Popen(
        [sys.executable, "-m", "ullage", "run", *options, "--", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "asked\n"
    process.terminate()
    _, said = process.communicate(timeout=30)

    assert process.returncode == 128 + signal.SIGTERM
    assert "error invalid-syntax · fetch" in said


def test_options_behind_the_first_word_are_the_childs(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = program(WHOLE + "    print(sys.argv[1:])\n")

    done = run(tmp_path, "--upstream", upstream, *words, "--output", "x.json", "--run", "foo", "--")

    assert done.stdout == "['--output', 'x.json', '--run', 'foo', '--']\n"
    assert done.returncode == 0
    assert not (tmp_path / "x.json").exists()


def test_a_file_that_cannot_be_written_is_said_before_the_child_starts(
    tmp_path: Path, program: Any
) -> None:
    done = run(tmp_path, "--output", "missing/x.json", *program("print('started')"))

    assert (done.stdout, done.returncode) == ("", 2)


def test_a_file_that_cannot_be_written_any_more_leaves_the_report(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = program(SLICED + "    import shutil; shutil.rmtree('there')\n")
    (tmp_path / "there").mkdir()
    options = ["--output", "there/x.json", "--format", "json", "--upstream", upstream]

    done = run(tmp_path, *options, "--", *words)

    assert done.returncode == 3
    assert "ullage run: cannot write there/x.json: No such file" in done.stderr
    assert "error silent-cut · fetch" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("code", ["import sys; sys.exit(4)", "raise RuntimeError('no key')"])
def test_a_child_that_failed_before_it_sent_anything_is_not_told_about_variables(
    tmp_path: Path, program: Any, code: str
) -> None:
    done = run(tmp_path, "--", *program(code))

    assert done.returncode in (1, 4)
    assert f"ended with {done.returncode} before it sent a request" in done.stderr
    assert "OPENAI_BASE_URL (" not in done.stderr


def test_fail_on_is_no_success_where_every_request_failed(tmp_path: Path, program: Any) -> None:
    words = program(
        ASK
        + """
    import urllib.error
    for _ in range(3):
        try:
            ask(fetch())
        except urllib.error.HTTPError:
            pass
"""
    )
    options = ["--upstream", "http://127.0.0.1:9/v1"]

    assert run(tmp_path, *options, "--", *words).returncode == 0
    done = run(tmp_path, *options, "--fail-on", "error", "--", *words)
    assert done.returncode == 3
    assert "  3 x upstream http://127.0.0.1:9" in done.stderr
    assert "nothing to judge: every request to the model failed" in done.stderr.splitlines()[-1]


def test_fail_on_is_no_success_where_no_request_could_be_read(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = program(
        """
        import os, urllib.request
        base = os.environ["OPENAI_BASE_URL"]
        for path in ("/models", "/models?page=2"):
            urllib.request.urlopen(base + path).read()
        """
    )

    done = run(tmp_path, "--upstream", upstream, "--fail-on", "note", "--", *words)

    assert done.returncode == 3
    assert "Recorded, but on paths that are not read: 2 requests." in done.stderr
    assert "  2 x GET /v1/models" in done.stderr
    assert "Read are OpenAI's chat completions and Responses," in done.stderr
    assert "no request with messages could be read" in done.stderr.splitlines()[-1]


def test_fail_on_is_no_success_where_nothing_was_recorded_as_produced(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = program(ASK + "    ask('[1, 2, 3]')\n")

    done = run(tmp_path, "--upstream", upstream, "--fail-on", "note", "--", *words)

    assert done.returncode == 3
    assert "unknown for 1 of 1 results that" in done.stderr.splitlines()[-1]


def test_a_decorator_on_something_else_than_what_is_sent_is_told_of(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = program(ASK + "    fetch()\n    ask('a text that no decorated function made')\n")

    done = run(tmp_path, "--upstream", upstream, "--", *words)

    assert "1 result of fetch recorded as produced, but none of them is what" in done.stderr
    assert "below your framework's decorator" in done.stderr


def test_findings_that_differ_in_nothing_are_one_line(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = program(
        ASK
        + """
    for number in range(12):
        text = fetch()
        ask(handed_on(text[:2000 + number % 2]) + " " * number)
"""
    )
    output = tmp_path / "x.json"

    done = run(tmp_path, "--upstream", upstream, "--output", str(output), "--", *words)

    lines = [line for line in done.stderr.splitlines() if line.startswith("error ")]
    assert lines == [
        "error invalid-syntax · fetch · boundary budget · 12 results",
        "error silent-cut · fetch · boundary budget · 12 results",
    ]
    assert done.stderr.count("ullage.cut(result") == 1
    assert len(json.loads(output.read_text(encoding="utf-8"))["findings"]) == 24


@pytest.fixture
def responses() -> Iterator[str]:
    """A server that answers every request as the Responses API would."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"id": "resp_1", "object": "response", "output": []}')

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_requests_of_the_responses_api_are_measured(
    tmp_path: Path, responses: str, program: Any
) -> None:
    words = program(
        ASK
        + """
    text = handed_on(fetch()[:2000])
    body = {"input": [{"role": "user", "content": "go"},
                      {"type": "function_call_output", "call_id": "c1", "output": text}]}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/responses",
                                     json.dumps(body).encode())
    urllib.request.urlopen(request).read()
"""
    )

    done = run(tmp_path, "--upstream", responses, "--fail-on", "error", "--", *words)

    assert done.returncode == 1
    assert "unknown for 0 of 1 tool results" in done.stderr
    assert "error silent-cut · fetch" in done.stderr


def test_an_interrupt_of_our_own_process_reaches_the_child(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = program(
        SLICED + '    print("asked", flush=True)\n    import time\n    time.sleep(60)\n'
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "ullage", "run", "--upstream", upstream, "--", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "asked\n"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)

    assert process.returncode == 128 + signal.SIGINT
    assert "error invalid-syntax · fetch" in said


def test_an_interrupt_from_the_terminal_reaches_the_child_once(
    tmp_path: Path, program: Any
) -> None:
    words = program(
        """
        import signal, sys, time
        count = 0
        def note(*_):
            global count
            count += 1
        signal.signal(signal.SIGINT, note)
        print("ready", flush=True)
        while not count:
            time.sleep(0.05)
        time.sleep(0.7)
        sys.exit(40 + count)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "ullage", "run", "--", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=30)

    assert process.returncode == 41


def test_no_secret_of_the_command_line_stands_in_the_document(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    secret = "sk-proj-" + "Zx81" * 10
    output = tmp_path / "x.json"
    options = ["--upstream", upstream, "--output", str(output)]

    run(
        tmp_path, *options, "--", *program(WHOLE), "--api-key", secret, f"--token={secret}", "plain"
    )

    written = output.read_text(encoding="utf-8")
    assert secret not in written
    assert json.loads(written)["child"]["argv"][-1] == "plain"


def contents(folder: Path) -> set[bytes]:
    """Every content that the ledger holds."""
    with Ledger.read(folder / "ullage.ledger") as ledger, ledger.session.reading() as db:
        blobs = [row[0] for row in db.execute("SELECT id FROM blob")]
        return {query.content(db, blob) for blob in blobs}


def test_with_keep_counts_the_report_has_its_rates_and_the_ledger_no_text(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = ("--upstream", upstream, "--output", "loss.json", "--keep", "counts", "--run", "first")

    done = run(tmp_path, *words, "--", *program(SLICED))

    assert "fetch: 1 result · 2000 of 11890 characters delivered" in done.stderr
    assert "silent-cut · fetch · boundary budget" in done.stderr
    document = json.loads((tmp_path / "loss.json").read_text(encoding="utf-8"))
    assert document["arrival"]["results"][0]["delivered_chars"] == 2000
    assert {path.name for path in tmp_path.iterdir()} == {
        "ullage.ledger",
        "loss.json",
        "program.py",
    }
    assert contents(tmp_path) == {b""}
    assert "row-0" not in (tmp_path / "loss.json").read_text(encoding="utf-8")


def test_with_keep_a_name_that_is_taken_is_refused(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    words = ("--upstream", upstream, "--keep", "fetch=counts", "--run", "first", "--")
    run(tmp_path, *words, *program(SLICED))

    done = run(tmp_path, *words, *program(SLICED))

    assert done.returncode == 2
    assert "'first' is in ullage.ledger already" in done.stderr


def test_what_is_kept_stands_in_the_settings(tmp_path: Path, upstream: str, program: Any) -> None:
    (tmp_path / "ullage.toml").write_text('[keep]\ndefault = "hashes"\n', encoding="utf-8")

    run(tmp_path, "--upstream", upstream, "--", *program(SLICED))

    assert contents(tmp_path) == {b""}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--keep", "some"), "keep default = 'some': choose full, hashes, counts"),
        (("--max-size", "big"), "'big' is no size: write a number with B, KB, MB"),
    ],
)
def test_a_level_or_a_size_that_is_none_is_wrong_usage(
    words: tuple[str, str], said: str, tmp_path: Path, program: Any
) -> None:
    done = run(tmp_path, *words, "--", *program(SLICED))

    assert done.returncode == 2
    assert said in done.stderr


def test_the_oldest_runs_go_when_the_ledger_is_over_its_size(
    tmp_path: Path, upstream: str, program: Any
) -> None:
    command = program(SLICED)
    run(tmp_path, "--upstream", upstream, "--run", "old", "--", *command)

    done = run(
        tmp_path, "--upstream", upstream, "--run", "new", "--max-size", "1KB", "--", *command
    )

    assert "was larger than 1000 bytes: run old was taken out" in done.stderr
    assert done.stderr.rstrip().endswith("run new.")
