"""`ullage probe serve --case`, and what `ullage probe run` gives a program of its user's."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ullage.cli.probe.options import Asked
from ullage.cli.probe.serve import made
from ullage.probe.cases import Wanted

ROOT = Path(__file__).parents[2]
TOYS = [str(ROOT / "tests" / "probe" / "harnesses"), str(ROOT / "examples" / "probe")]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="signals and process groups of POSIX"),
]
EXPORT = re.compile(r"export (\w+)=(\S+)")
BY_HAND = """
import json, os, sys, urllib.request
sys.path[:0] = {toys!r}
sys.argv = ["toy", "prefix"]
import toy
from probing import Case
with urllib.request.urlopen(os.environ["ULLAGE_PROBE"]) as reply:
    toy.ask(Case(**json.load(reply)))
"""


def test_a_harness_that_is_started_by_hand_is_judged_at_ctrl_c() -> None:
    words = [sys.executable, "-m", "ullage", "probe", "serve", "--case", "result:8k"]
    with subprocess.Popen(
        [*words, "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        given: dict[str, str] = {}
        for line in process.stderr:
            given.update(EXPORT.findall(line))
            if line.startswith("Start the harness"):
                break
        code = BY_HAND.format(toys=TOYS)
        subprocess.run([sys.executable, "-c", code], env={**os.environ, **given}, check=True)
        process.send_signal(signal.SIGINT)
        document = json.loads(process.stdout.read())
        assert process.wait(20) == 0

    (case,) = document["cases"]
    assert (case["rows_produced"], case["rows_delivered"]) == (60, 45)
    assert {one["check"] for one in case["findings"]} >= {"silent-cut", "invalid-syntax"}
    assert given["ANTHROPIC_BASE_URL"] == given["OPENAI_BASE_URL"].removesuffix("/v1")


def test_a_case_in_another_size_is_named_by_it() -> None:
    wanted = Wanted(name="probe", seed="s")
    asked = [Asked(kind="result", size=8000), Asked(kind="history", size=8000)]

    tags = [case.tag for one in asked for case in made(wanted, one)]

    assert tags == ["probe-result-8k-json", "probe-history-12-8k"]


def test_a_case_of_no_kind_is_wrong_use() -> None:
    words = [sys.executable, "-m", "ullage", "probe", "serve", "--case", "results"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "'results' is none of result, user, history" in done.stderr


TELL = """
import json, os, sys
names = ("HOME", "XDG_CONFIG_HOME", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "PYTHONPATH",
         "VIRTUAL_ENV", "OPENAI_BASE_URL", "ULLAGE_PROBE_FILE")
told = {name: os.environ.get(name) for name in names}
json.dump({"words": sys.argv[1:], "folder": os.getcwd(), **told}, open(os.environ["TELL"], "w"))
"""


def told(tmp_path: Path, program: Path, *options: str, words: tuple[str, ...] = ()) -> Any:
    present = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = {
        **present,
        "TELL": str(tmp_path / "told.json"),
        "HOME": str(tmp_path),
        "OPENAI_API_KEY": "a-real-" + "key",
    }
    environment.pop("VIRTUAL_ENV", None)
    command = [sys.executable, "-m", "ullage", "probe", "run", "--what", "result", *options]
    subprocess.run(
        [*command, "--", str(program), *words],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        check=False,
        timeout=60,
    )
    return json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))


def a_program(tmp_path: Path, name: str) -> Path:
    program = tmp_path / name
    program.write_text(f"#!{sys.executable}\n{TELL}", encoding="utf-8")
    program.chmod(0o755)
    return program


def test_a_program_runs_in_its_users_environment_without_a_real_key(tmp_path: Path) -> None:
    found = told(tmp_path, a_program(tmp_path, "agent"), words=("{file}", "--say={prompt}"))

    assert found["HOME"] == str(tmp_path)
    assert found["folder"] == str(tmp_path)
    assert (found["PYTHONPATH"], found["VIRTUAL_ENV"]) == (None, None)
    assert (found["OPENAI_API_KEY"], found["ANTHROPIC_API_KEY"]) == ("none", "none")
    assert found["words"][0] == found["ULLAGE_PROBE_FILE"]
    assert found["words"][1].startswith("--say=Note turn-")


def test_a_known_coding_cli_gets_its_settings_and_a_home_that_goes_away(tmp_path: Path) -> None:
    found = told(tmp_path, a_program(tmp_path, "codex"), words=("exec", "{prompt}"))

    assert found["words"][0] == "-c"
    assert found["words"][1].startswith('openai_base_url="http://127.0.0.1:')
    assert found["words"][2] == "exec"
    assert found["HOME"] != str(tmp_path)
    assert found["XDG_CONFIG_HOME"].startswith(found["HOME"])
    assert not Path(found["HOME"]).exists()
    assert not Path(found["folder"]).exists()


def test_a_home_that_goes_away_is_for_any_program_that_wants_one(tmp_path: Path) -> None:
    found = told(tmp_path, a_program(tmp_path, "agent"), "--scratch")

    assert found["HOME"] != str(tmp_path)
