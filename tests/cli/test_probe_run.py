"""`ullage probe run` as a whole command, against small harnesses that are real processes."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ullage.cli.main import main
from ullage.tap.environment import variables

ROOT = Path(__file__).parents[2]
HARNESSES = ROOT / "tests" / "probe" / "harnesses"
TOY = str(HARNESSES / "toy.py")
RECIPES = str(ROOT / "examples" / "probe")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="process groups of POSIX"),
]


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "ullage", "probe", "run", *words]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": RECIPES}


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


def run(options: Sequence[str], child: Sequence[str]) -> Done:
    """Run the command in this process: only what it starts is another one."""
    words = ["probe", "run", "--timeout", "20", "--cap", "12", *options, "--", *child]
    out, err = io.StringIO(), io.StringIO()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with (
            redirect_stdout(out),
            redirect_stderr(err),
            variables({"PYTHONPATH": RECIPES}),
            pytest.raises(SystemExit) as end,
        ):
            main(words)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    code = end.value.code
    assert isinstance(code, int)
    return Done(code, out.getvalue(), err.getvalue())


def toy(fault: str, *options: str) -> Any:
    done = run(["--format", "json", *options], [sys.executable, TOY, fault])
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def checks(document: Any) -> set[str]:
    return {one["check"] for case in document["cases"] for one in case["findings"]}


ALL = ("--what", "result,history,length,overflow", "--sizes", "8k", "--turns", "6")
# What stands beside the fault's own finding: what it cost, and what else it broke.
BESIDE = {
    "cut-with-room",
    "cut-no-way-back",
    "field-never-arrives",
    "prefix-broken",
    "effective-window",
    "compacted-with-room",
}


def test_a_harness_without_a_fault_has_no_finding() -> None:
    document = toy("none", *ALL)

    assert [case["outcome"]["kind"] for case in document["cases"]] == [
        "measured",
        "measured",
        "measured",
        "measured",
        "raised",
    ]
    assert checks(document) == set()
    result, small, large, length, overflow = document["cases"]
    assert (result["rows_produced"], result["rows_delivered"], result["syntax"]) == (
        60,
        60,
        "valid",
    )
    assert small["early_turns_kept"] == large["early_turns_kept"] == 3
    assert length["length"]["reaction"] == "went-on"
    assert overflow["overflow"]["reaction"] == "raised"


@pytest.mark.parametrize(
    ("fault", "options", "found"),
    [
        ("prefix", ("--what", "result", "--sizes", "8k"), {"invalid-syntax", "silent-cut"}),
        ("middle", ("--what", "result", "--sizes", "8k"), {"invalid-syntax"}),
        ("repr", ("--what", "result", "--sizes", "8k"), {"invalid-syntax", "python-repr"}),
        ("drop-oldest", ("--what", "history", "--turns", "8"), {"message-lost"}),
        (
            "starved",
            ("--what", "history", "--turns", "5", "--history-sizes", "33k"),
            {"summariser-starved", "message-lost"},
        ),
        ("stub-handoff", ("--what", "handoff", "--delegate", "ask_helper"), {"handoff-lost"}),
        ("ignored-length", ("--what", "length"), {"length-ignored"}),
        ("loops", ("--what", "result", "--sizes", "8k"), {"call-loop", "silent-cut"}),
    ],
)
def test_each_fault_is_caught_by_its_own_finding(
    fault: str, options: tuple[str, ...], found: set[str]
) -> None:
    document = toy(fault, *options)

    assert checks(document) - BESIDE == found


def test_a_whole_hand_off_has_no_finding() -> None:
    document = toy("none", "--what", "handoff", "--delegate", "ask_helper")

    (case,) = document["cases"]
    assert (case["handoff"]["planted"], case["handoff"]["arrived"]) == (20, 20)
    assert case["findings"] == []


def test_a_tool_is_known_by_a_word_in_its_name() -> None:
    options = ["--what", "handoff", "--delegate", "ask_helper", "--tool", "orders"]
    done = run([*options, "--format", "json"], [sys.executable, TOY, "stub-handoff", "Get_Orders"])

    (case,) = json.loads(done.stdout)["cases"]
    assert (case["handoff"]["planted"], case["handoff"]["arrived"]) == (20, 0)


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("never-calls", "never-called", ["offers no tool at all", "fetch_rows", "--tool"]),
        ("loops", "looped", ["the cap of 12 calls"]),
        ("crashes", "crashed", ["exit code 7", "toy: the disk is full"]),
        ("wrong-path", "asked-elsewhere", ["POST /v1/nowhere/at/all"]),
        ("no-request", "not-asked", ["OPENAI_BASE_URL", "toy: no key is set"]),
    ],
)
def test_what_cannot_be_measured_ends_with_a_clear_line(
    fault: str, kind: str, words: list[str]
) -> None:
    document = toy(fault, "--what", "result", "--sizes", "8k")

    (case,) = document["cases"]
    assert case["outcome"]["kind"] == kind
    assert [word for word in words if word not in case["outcome"]["line"]] == []


def test_one_that_hangs_is_ended_with_all_that_it_started() -> None:
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, file=sys.stderr, flush=True)\n"
        "time.sleep(600)\n"
    )
    options = ["--timeout", "1.5", "--what", "result,user", "--sizes", "8k", "--format", "json"]

    done = run(options, [sys.executable, "-c", code])

    (case,) = json.loads(done.stdout)["cases"]
    assert case["outcome"]["kind"] == "timed-out"
    assert "not done after 1.5 s" in case["outcome"]["line"]
    assert done.returncode == 3
    assert done.stderr == "ullage probe run: not tried, as it would end alike: 1 case\n"
    pid = int(case["outcome"]["line"].rpartition(" ")[2])
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    """Whether a process is there; one that has ended and waits for its parent is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_command_that_is_not_there_is_said() -> None:
    done = run([], ["no-such-harness"])

    assert done.returncode == 3
    assert "'no-such-harness' cannot be started: No such file or directory" in done.stdout


def test_ctrl_c_ends_it_and_keeps_what_was_seen(tmp_path: Path) -> None:
    code = (
        "import os, sys, time, urllib.request\n"
        f"sys.path.insert(0, {RECIPES!r}); sys.argv = ['toy']\n"
        f"sys.path.insert(0, {str(HARNESSES)!r}); import toy\n"
        "first = True\n"
        "def ask(case):\n"
        "    global first\n"
        "    if not first:\n"
        f"        open({str(tmp_path / 'there')!r}, 'w').close(); time.sleep(600)\n"
        "    first = False\n"
        "    toy.ask(case)\n"
        "toy.probe(default=ask)\n"
    )
    options = ["--what", "result", "--sizes", "8k,9k,10k", "--format", "json", "--timeout", "60"]
    words = command(*options, "--", sys.executable, "-c", code)
    piped = subprocess.PIPE
    process = subprocess.Popen(words, stdout=piped, stderr=piped, text=True, env=environment())
    while not (tmp_path / "there").exists():
        assert process.poll() is None
        time.sleep(0.05)

    process.send_signal(signal.SIGINT)

    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err == "ullage probe run: not tried, as it was stopped: 1 case\n"
    kinds = [case["outcome"]["kind"] for case in json.loads(out)["cases"]]
    assert kinds == ["measured", "interrupted"]


def test_the_exact_size_and_unit_of_a_limit_are_found() -> None:
    document = toy("prefix", "--what", "result", "--sizes", "5k,9k", "--bisect")

    (threshold,) = document["thresholds"]
    assert (threshold["kept"], threshold["lost"]) == (6000, 6001)
    units = {one["unit"]: (one["low"], one["high"]) for one in threshold["limits"]}
    # A quarter of it, rounded up, has the same thresholds.
    assert units == {"characters": (6000, 6000), "quarter-tokens": (1500, 1500)}


def test_the_cap_of_a_history_is_found() -> None:
    document = toy("drop-oldest", "--what", "history", "--turns", "7", "--history-sizes", "0,2k")

    cap = document["history_cap"]
    assert cap["unit"] == "messages"
    assert cap["low"] <= 8 <= cap["high"]


def test_it_works_in_an_environment_without_ullage(tmp_path: Path) -> None:
    venv.create(tmp_path / "other", with_pip=False)
    python = tmp_path / "other" / "bin" / "python"
    options = ["--what", "result", "--sizes", "8k", "--format", "json"]

    done = run(options, [str(python), TOY, "middle"])

    assert "invalid-syntax" in checks(json.loads(done.stdout))


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
def test_it_works_in_node_with_a_process_for_each_case() -> None:
    options = ["--what", "result,user", "--sizes", "5k,8k", "--format", "json"]

    done = run(options, ["node", str(HARNESSES / "plain.mjs"), "{prompt}"])

    rows = [
        (case["rows_delivered"], case["rows_produced"]) for case in json.loads(done.stdout)["cases"]
    ]
    assert rows == [(37, 37), (45, 60), (37, 37), (60, 60)]


def test_a_value_that_a_tool_returns_is_looked_at_as_such() -> None:
    document = toy("none", "--what", "result", "--sizes", "8k", "--returns", "all")

    assert [(case["returns"], case["syntax"]) for case in document["cases"]] == [
        ("text", "valid"),
        ("object", "valid"),
    ]


def test_the_ledger_is_kept_for_the_other_commands(tmp_path: Path) -> None:
    ledger = tmp_path / "probe.ledger"
    options = ["--what", "result", "--sizes", "8k", "--ledger", str(ledger)]

    done = run(options, [sys.executable, TOY, "prefix"])
    scanned = subprocess.run(
        [sys.executable, "-m", "ullage", "scan", str(ledger), "--format", "json"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert f"Recorded in {ledger}" in done.stdout
    found = json.loads(scanned.stdout)["findings"]
    assert {one["check"] for one in found} >= {"silent-cut", "invalid-syntax"}


def test_fail_on_takes_a_finding_of_the_probe() -> None:
    options = ["--what", "length", "--fail-on", "length-ignored"]

    assert run(options, [sys.executable, TOY, "ignored-length"]).returncode == 1
    assert run(options, [sys.executable, TOY, "none"]).returncode == 0


def test_the_same_seed_makes_the_same_records() -> None:
    def rows() -> list[str]:
        options = ["--what", "user", "--sizes", "1k", "--seed", "s", "--format", "json"]
        done = run(options, [sys.executable, "-c", TELL_PROMPT])
        (case,) = json.loads(done.stdout)["cases"]
        return re.findall(r"row-[0-9a-f]{12}", case["outcome"]["line"])

    first = rows()

    assert first
    assert first == rows()


TELL_PROMPT = """
import json, os, sys, urllib.request
with urllib.request.urlopen(os.environ["ULLAGE_PROBE"]) as reply:
    prompt = json.load(reply)["prompts"][0]
sys.exit(prompt[prompt.index("row-"):][:20])
"""


ONCE = """
import json, os, sys, urllib.request
def post(messages):
    tool = {"name": "fetch_rows", "parameters": {"type": "object", "properties": {}}}
    body = {"model": "gpt-4o", "messages": messages}
    body["tools"] = [{"type": "function", "function": tool}]
    to = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    with urllib.request.urlopen(urllib.request.Request(to, json.dumps(body).encode())) as reply:
        return json.load(reply)["choices"][0]["message"]
messages = [{"role": "user", "content": sys.argv[1]}]
while (said := post(messages)).get("tool_calls"):
    with urllib.request.urlopen(os.environ["ULLAGE_PROBE"] + "/payload") as reply:
        rows = reply.read().decode()
    if sys.argv[2:]:
        sys.exit(sys.argv[2])
    call = said["tool_calls"][0]["id"]
    messages += [said, {"role": "tool", "tool_call_id": call, "content": rows}]
print(said["content"])
"""


def once(options: Sequence[str], *words: str) -> tuple[Done, Any]:
    """Probe a program that says one thing, as most of them do."""
    child = [sys.executable, "-c", ONCE, "{prompt}", *words]
    done = run(["--format", "json", *options], child)
    assert done.stdout, done.stderr
    return done, json.loads(done.stdout)


def test_a_program_that_says_one_thing_has_not_held_a_conversation() -> None:
    done, document = once(["--what", "history"])

    (case,) = document["cases"]
    assert case["outcome"]["kind"] == "not-said"
    assert "said 1 of 12 things" in case["outcome"]["line"]
    assert done.returncode == 3
    assert done.stderr == "ullage probe run: not tried, as it would end alike: 3 cases\n"


def test_a_prompt_that_is_too_long_for_a_command_line_does_not_end_the_probe() -> None:
    done, document = once(["--what", "result,user,length", "--sizes", "8k,200k"])

    kinds = [(case["kind"], case["outcome"]["kind"]) for case in document["cases"]]
    assert kinds == [
        ("result", "measured"),
        ("result", "measured"),
        ("user", "measured"),
        ("user", "not-started"),
        ("length", "measured"),
    ]
    assert "does not fit into a command line" in document["cases"][3]["outcome"]["line"]
    assert done.returncode == 0


def test_a_variant_that_a_recipe_has_not_is_said_with_those_it_has() -> None:
    document = toy("none", "--what", "result", "--variant", "nothing")

    (case,) = document["cases"]
    assert "this recipe has no variant 'nothing', only default" in case["outcome"]["line"]
    assert "OPENAI_BASE_URL" not in case["outcome"]["line"]


def test_a_crash_before_the_result_was_sent_is_no_cut() -> None:
    done, document = once(["--what", "result", "--sizes", "8k", "--fail-on", "error"], "boom")

    (case,) = document["cases"]
    assert (case["outcome"]["kind"], case["findings"]) == ("crashed", [])
    assert done.returncode == 3


def test_a_hand_off_in_which_nobody_was_asked_is_said() -> None:
    options = ["--what", "handoff", "--delegate", "ask"]
    done, document = once(options)
    words = run(options, [sys.executable, "-c", ONCE, "{prompt}"])

    assert "handoff" not in document["cases"][0]
    assert "no helper was asked; --delegate NAME says" in words.stdout
    assert "Nothing lost" not in words.stdout
    assert done.returncode == 3


def test_all_leaves_out_the_hand_off_where_no_tool_for_it_is_named() -> None:
    done = run(["--what", "all", "--sizes", "8k"], ["no-such-harness"])

    assert done.returncode == 3
    assert done.stderr.startswith("ullage probe run: no hand-off is tried: --delegate NAME")


def test_a_report_that_cannot_be_written_is_refused_before_anything_starts(tmp_path: Path) -> None:
    mark = tmp_path / "started"
    to = tmp_path / "no" / "probe.json"

    done = run(["--output", str(to)], [sys.executable, "-c", f"open({str(mark)!r}, 'w')"])

    assert done.returncode == 2
    assert "there is no folder" in done.stderr
    assert not mark.exists()


def test_the_report_says_plainly_that_nothing_was_lost() -> None:
    done = run(["--what", "result", "--sizes", "8k"], [sys.executable, TOY, "none"])

    assert "60 of 60 records" in done.stdout
    assert "Nothing lost in 1 case." in done.stdout
    assert done.stderr == ""


def test_markdown_is_a_table(tmp_path: Path) -> None:
    to = tmp_path / "probe.md"
    options = ["--what", "result", "--sizes", "8k", "--format", "md", "--output", str(to)]

    run(options, [sys.executable, TOY, "prefix"])

    text = to.read_text(encoding="utf-8")
    assert "| case | what came of it | findings |" in text
    assert "invalid-syntax, silent-cut" in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--what", "results"], "'results' is none of result, user, history"),
        (["--sizes", "8x"], "'8x' is no number: write 8000, or 8k"),
        (["--sizes", "10"], "'10' is below 1000"),
        (["--what", "handoff"], "--what handoff needs --delegate NAME"),
        (["--delegate", "a={"], "the arguments of 'a' are not JSON"),
        (["--delegate", "a=[]"], "the arguments of 'a' are no JSON object"),
        (["--fail-on", "lenght-ignored"], "length-ignored"),
        (["--bisekt"], "ullage probe run -- python my_agent.py --its-option"),
    ],
)
def test_wrong_use_is_one_line_and_2(options: list[str], said: str) -> None:
    done = run(options, ["true"])

    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
