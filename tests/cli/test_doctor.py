"""`ullage doctor`, as a command of its own."""

import json
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.doctor.site import SMOL, environment, install

from ullage.cli.doctor import command
from ullage.cli.main import main

AGNO = "class Agent:\n    add_history_to_context: bool = False\n"
ROOTS = ["agno", "smolagents", "langchain", "agents", "strands", "llama_index"]


@pytest.fixture
def python(tmp_path: Path) -> Path:
    made = environment(tmp_path / "env")
    install(made, "smolagents", "1.26.0", {"smolagents/utils.py": SMOL})
    install(made, "agno", "3.1.10", {"agno/agent/agent.py": AGNO})
    return made


@pytest.fixture(autouse=True)
def _no_cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing on the path, and nobody's settings."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))


def doctor(*words: str | Path) -> Result:
    done = CliRunner().invoke(command, [str(one) for one in words], standalone_mode=False)
    assert done.exception is None, done.exception
    return done


def document(*words: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(doctor(*words, "--format", "json").stdout)
    return found


def test_the_worst_comes_first_with_its_value_its_line_and_what_to_do(python: Path) -> None:
    lines = doctor("--python", python).stdout.splitlines()

    at = lines.index("error agno 3.1.10 · boundary retain · nothing is said")
    assert lines[at + 1 : at + 4] == [
        "  A run is shown nothing of the session's earlier runs, also where db and session_id "
        "are set.",
        "  add_history_to_context = False (agno/agent/agent.py:2)",
        "  do: Agent(…, add_history_to_context=True, num_history_runs=50)",
    ]
    later = lines.index("warning smolagents 1.26.0 · boundary budget · the model is told")
    assert at < later
    assert "  MAX_LENGTH_TRUNCATE_CONTENT = 20000 characters (smolagents/utils.py:1)" in lines


def test_a_value_that_is_no_longer_there_says_when_it_was_known(python: Path) -> None:
    text = doctor("--python", python).stdout

    line = "DEFAULT_MAX_LEN_OUTPUT: not found in 1.26.0; it was 50000 characters in 1.26.0, 2026-11"
    assert f"  {line}\n" in text
    assert "DEFAULT_MAX_LEN_OUTPUT = " not in text


def test_the_document_has_the_schema_and_every_member(python: Path) -> None:
    found = document("--python", python)

    assert list(found) == ["schema", "looked_in", "packages", "installed", "items", "code"]
    assert found["schema"] == "ullage.doctor/1"
    assert found["packages"] == 2
    assert {one["name"] for one in found["installed"]} == {"smolagents", "agno"}


def test_nothing_installed_is_one_line_and_no_failure(tmp_path: Path) -> None:
    empty = environment(tmp_path / "empty")

    done = doctor("--python", empty, "--fail-on", "note")

    assert done.return_value == 0
    assert done.stdout.splitlines()[1:] == [
        "No agent framework or coding CLI that is known here was found."
    ]


@pytest.mark.parametrize(
    ("word", "code"),
    [("error", 1), ("warning", 1), ("note", 1), ("retain", 1), ("budget", 1), ("handoff", 0)],
)
def test_it_fails_on_a_severity_or_a_boundary(word: str, code: int, python: Path) -> None:
    assert doctor("--python", python, "--fail-on", word).return_value == code


def test_it_does_not_fail_on_what_is_only_once_asked_for(tmp_path: Path) -> None:
    python = environment(tmp_path / "env")
    source = "class ClearToolUsesEdit:\n    trigger: int = 9\n    keep: int = 3\n"
    install(
        python, "langchain", "1.5.2", {"langchain/agents/middleware/context_editing.py": source}
    )

    assert doctor("--python", python, "--fail-on", "warning").return_value == 0
    assert doctor("--python", python, "--fail-on", "retain").return_value == 0


def test_code_is_read_where_a_folder_is_given(python: Path, tmp_path: Path) -> None:
    program = tmp_path / "src" / "tool.py"
    program.parent.mkdir()
    program.write_text("import json\n\ndef f(x):\n    return json.dumps(x)[:6000]\n")

    with chdir(tmp_path):
        text = doctor("src", "--python", python).stdout

    assert "Read: 1 Python file." in text
    at = text.index("error json.dumps(…)[:N] · boundary budget · nothing is said")
    assert text[at:].splitlines()[1] == "  src/tool.py:4"
    assert at < text.index("error agno")


def test_a_program_that_cannot_be_read_is_said(python: Path, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "old.py").write_text("print 1\n")

    text = doctor(tmp_path / "src", "--python", python).stdout

    assert f"Not read, no Python of this version: {tmp_path / 'src' / 'old.py'}" in text


def test_the_active_environment_is_looked_in(python: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(python.parent.parent))

    assert document()["packages"] == 2


def test_a_setting_of_yours_says_so(tmp_path: Path, python: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "codex").touch(mode=0o755)
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text("tool_output_token_limit = 50000\n")

    with chdir(tmp_path):
        text = doctor("--python", python).stdout

    place = tmp_path / ".codex" / "config.toml"
    assert f"tool_output_token_limit = 50000 ({place}, set by you)" in text
    published = "model_auto_compact_token_limit: by the model, published for 0.171.0, 2026-11 ("
    assert published in text


def test_settings_are_those_of_the_project_that_a_program_is_in(
    tmp_path: Path, python: Path
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "claude").touch(mode=0o755)
    for name in (".git", ".claude", "src"):
        (tmp_path / "project" / name).mkdir(parents=True)
    (tmp_path / "project" / ".claude" / "settings.json").write_text('{"autoCompactEnabled": false}')
    (tmp_path / "project" / "src" / "agent.py").touch()

    found = document(tmp_path / "project" / "src" / "agent.py", "--python", python)

    (one,) = [one for one in found["items"] if one["key"] == "claude.compaction"]
    assert (one["standing"], one["values"][0]["value"]) == ("off", "false")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--fail-on", "eror"), 2, "neither a severity nor a boundary: did you mean error?"),
        (("--python", "gone"), 3, "--python gone: no such file"),
        (("--node", "gone"), 3, "--node gone: no node_modules there"),
        (("gone",), 3, "gone: no such file or folder"),
    ],
)
def test_what_cannot_be_done_says_what_to_do(
    words: tuple[str, ...], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["doctor", *words])

    assert ended.value.code == code
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_no_framework_is_imported_and_none_of_its_code_runs(tmp_path: Path) -> None:
    python = environment(tmp_path / "env")
    bomb = "raise SystemExit('imported')\n"
    for name, package in (("agno", "agno"), ("smolagents", "smolagents")):
        files = {f"{package}/__init__.py": bomb, f"{package}/utils.py": bomb + SMOL}
        site = install(python, name, "1.0", files)
    (tmp_path / "agent.py").write_text(bomb + "from agno.agent import Agent\nAgent(db=1)\n")
    words = [str(tmp_path / "agent.py"), "--python", str(python), "--format", "json"]
    code = (
        "import sys\n"
        f"sys.path[:0] = [{str(site)!r}, {str(tmp_path)!r}]\n"
        "from ullage.cli.main import ullage\n"
        f"ullage.main(['doctor', *{words!r}], standalone_mode=False)\n"
        f"print([name for name in {ROOTS!r} + ['agent'] if name in sys.modules], file=sys.stderr)\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert (done.returncode, done.stderr.strip()) == (0, "[]")
    keys = [one["key"] for one in json.loads(done.stdout)["items"]]
    assert {"agno.history", "smolagents.code-output"} <= set(keys)
