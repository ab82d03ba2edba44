"""`ullage probe serve` as a whole command."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

LISTENING = re.compile(
    r"scripted model server listening on (http://127\.0\.0\.1:\d+/v1) "
    r"\(answers are scripted: no model\)"
)


@contextmanager
def serving(*options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    words = [sys.executable, "-m", "ullage", "probe", "serve", *options]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        found = LISTENING.search(process.stderr.readline())
        assert found is not None
        yield found[1], process
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()


def chat(url: str, body: Any) -> Any:
    request = urllib.request.Request(
        f"{url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)["choices"][0]["message"]


HELLO = {"messages": [{"role": "user", "content": "hello"}]}


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_0(number: signal.Signals) -> None:
    with serving() as (_, process):
        process.send_signal(number)
        assert process.wait(10) == 0


def test_without_a_plan_the_first_tool_offered_is_called() -> None:
    tools = [{"type": "function", "function": {"name": "search"}}]
    with serving() as (url, _):
        message = chat(url, HELLO | {"tools": tools})

    assert message["tool_calls"][0]["function"] == {"name": "search", "arguments": "{}"}


def test_a_plan_file_says_what_is_answered(tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text('{"turns": [{"text": "planned"}]}', encoding="utf-8")

    with serving("--plan", str(plan)) as (url, _):
        assert chat(url, HELLO)["content"] == "planned"


def test_a_plan_that_cannot_be_read_is_one_line_and_3(tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text('{"turns": [{"text": "a"}, {}]}', encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "ullage", "probe", "serve", "--plan", str(plan)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert done.returncode == 3
    assert done.stderr == (
        f"ullage: {plan}: plan: turn 2: expected either 'text' or 'calls', got []\n"
    )
