"""`ullage hook`: whole commands on real files."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.sources.claude_sessions import Claude

from ullage.ledger.store import Ledger


def hook(
    folder: Path, *words: str, event: object = None, **env: str
) -> "subprocess.CompletedProcess[str]":
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ULLAGE_")}
    return subprocess.run(
        [sys.executable, "-m", "ullage", "hook", *words],
        cwd=folder,
        env={**clean, "HOME": str(folder / "home"), **env},
        input="" if event is None else json.dumps(event),
        capture_output=True,
        text=True,
        timeout=60,
    )


def settings(folder: Path) -> Any:
    return json.loads((folder / ".claude" / "settings.json").read_text(encoding="utf-8"))


def used(text: str, folder: Path) -> dict[str, object]:
    return {
        "session_id": "s1",
        "cwd": str(folder),
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_response": {"stdout": text, "stderr": ""},
    }


def test_installing_writes_both_hooks_and_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"model": "opus"}', encoding="utf-8")
    path.chmod(0o640)

    done = hook(tmp_path, "install", "claude-code")

    assert done.returncode == 0
    assert settings(tmp_path)["model"] == "opus"
    assert sorted(settings(tmp_path)["hooks"]) == ["PostToolUse", "PreCompact"]
    assert path.stat().st_mode & 0o777 == 0o640
    (backup,) = path.parent.glob("*.bak")
    assert backup.read_text(encoding="utf-8") == '{"model": "opus"}'
    assert str(backup) in done.stderr


def test_installing_twice_says_that_there_is_nothing_to_change(tmp_path: Path) -> None:
    hook(tmp_path, "install", "claude-code")
    done = hook(tmp_path, "install", "claude-code")

    assert "nothing to change" in done.stderr
    assert list((tmp_path / ".claude").glob("*.bak")) == []


def test_a_dry_run_prints_and_writes_nothing(tmp_path: Path) -> None:
    done = hook(tmp_path, "install", "claude-code", "--dry-run")

    assert sorted(json.loads(done.stdout)["hooks"]) == ["PostToolUse", "PreCompact"]
    assert not (tmp_path / ".claude").exists()


def test_uninstalling_takes_only_ours_out(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    mine = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}
    path.write_text(json.dumps(mine), encoding="utf-8")
    hook(tmp_path, "install", "claude-code")

    done = hook(tmp_path, "uninstall", "claude-code")

    assert done.returncode == 0
    assert settings(tmp_path) == mine


def test_user_settings_are_those_in_the_home_folder(tmp_path: Path) -> None:
    hook(tmp_path, "install", "claude-code", "--user")

    assert (tmp_path / "home" / ".claude" / "settings.json").exists()
    assert not (tmp_path / ".claude").exists()


def test_a_linked_settings_file_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", encoding="utf-8")
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").symlink_to(real)

    hook(tmp_path, "install", "claude-code")

    assert (tmp_path / ".claude" / "settings.json").is_symlink()
    assert "hooks" in json.loads(real.read_text(encoding="utf-8"))


def test_settings_that_are_no_json_are_said_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text("{oops", encoding="utf-8")

    done = hook(tmp_path, "install", "claude-code")

    assert done.returncode == 3
    assert "nothing was changed" in done.stderr
    assert path.read_text(encoding="utf-8") == "{oops"


def test_the_command_that_is_installed_records_what_a_tool_gave(tmp_path: Path) -> None:
    hook(tmp_path, "install", "claude-code", "--ledger", "mine.ledger")
    (group,) = settings(tmp_path)["hooks"]["PostToolUse"]
    command = group["hooks"][0]["command"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    done = subprocess.run(
        ["sh", "-c", command],
        input=json.dumps(used("12 rows", tmp_path)),
        capture_output=True,
        text=True,
        env={"PATH": path, "HOME": str(tmp_path)},
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with Ledger.read(tmp_path / "mine.ledger") as ledger:
        (one,) = ledger.results("claude-s1")
    assert (one.tool, one.text) == ("Bash", "12 rows")


def test_under_a_run_its_ledger_and_its_name_count(tmp_path: Path) -> None:
    ledger = tmp_path / "run.ledger"
    done = hook(
        tmp_path,
        "claude-code",
        "--default-ledger",
        str(tmp_path / "other"),
        event=used("x", tmp_path),
        ULLAGE_LEDGER=str(ledger),
        ULLAGE_RUN="r9",
    )

    assert done.returncode == 0
    with Ledger.read(ledger) as opened:
        assert [one.text for one in opened.results("r9")] == ["x"]
    assert not (tmp_path / "other").exists()


def test_without_a_setting_the_ledger_lies_in_the_project(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    hook(
        tmp_path, "claude-code", event=used("x", tmp_path / "sub"), CLAUDE_PROJECT_DIR=str(tmp_path)
    )

    assert (tmp_path / "ullage.ledger").exists()


@pytest.mark.parametrize("event", [None, {"hook_event_name": "Stop"}, used("x", Path("/no/such"))])
def test_a_fault_is_said_where_the_user_sees_it_and_the_session_goes_on(
    tmp_path: Path, event: object
) -> None:
    done = hook(tmp_path, "claude-code", event=event)

    assert done.returncode == 0
    assert json.loads(done.stdout)["systemMessage"] == done.stderr.strip()
    assert done.stderr.startswith("ullage hook: not recorded: ")


def test_a_fake_secret_in_a_result_is_not_kept(tmp_path: Path) -> None:
    secret = "sk-" + "ant-" + "q7" * 20
    hook(tmp_path, "claude-code", event=used(f"key is {secret}", tmp_path))

    files = [path.read_bytes() for path in tmp_path.glob("ullage.ledger*")]
    assert files
    assert not any(secret.encode() in content for content in files)
    with Ledger.read(tmp_path / "ullage.ledger") as ledger:
        (one,) = ledger.results()
    assert secret not in one.text


def goes_on(folder: Path, source: str = "compact") -> dict[str, object]:
    """The event behind a compaction, and the transcript that it names."""
    talk = Claude()
    talk.user("Fix the parser in src/parse.py. Never push to the main branch.")
    talk.says("I will.")
    talk.boundary(trigger="auto", preTokens=150000)
    talk.summary("This session is being continued.")
    (folder / "s1.jsonl").write_bytes(talk.data())
    return {
        "session_id": "s1",
        "transcript_path": str(folder / "s1.jsonl"),
        "cwd": str(folder),
        "hook_event_name": "SessionStart",
        "source": source,
        "model": "claude-opus-5",
    }


def given_to_model(done: "subprocess.CompletedProcess[str]") -> str:
    return str(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])


def test_behind_a_compaction_the_model_gets_file_pins_and_what_the_user_said(
    tmp_path: Path,
) -> None:
    (tmp_path / "rules.md").write_text("1. Ask before you delete.\n", encoding="utf-8")

    done = hook(
        tmp_path,
        "claude-code",
        *("--rules", "rules.md", "--pin", "Answer in English."),
        event=goes_on(tmp_path),
    )

    assert (done.returncode, done.stderr) == (0, "")
    text = given_to_model(done)
    assert "From rules.md:\n1. Ask before you delete." in text
    assert "- Answer in English." in text
    assert "- Never push to the main branch." in text
    assert not (tmp_path / "ullage.ledger").exists()


def test_a_session_that_only_starts_gets_nothing(tmp_path: Path) -> None:
    done = hook(
        tmp_path, "claude-code", "--pin", "Ask first.", event=goes_on(tmp_path, source="startup")
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_file_of_rules_that_is_gone_is_said_and_the_others_are_put_back(tmp_path: Path) -> None:
    done = hook(tmp_path, "claude-code", "--rules", "gone.md", event=goes_on(tmp_path))

    assert "Never push to the main branch." in given_to_model(done)
    message = json.loads(done.stdout)["systemMessage"]
    assert "gone.md are not put back: No such file" in message


def test_a_transcript_that_is_gone_is_said_and_the_pins_are_put_back(tmp_path: Path) -> None:
    event = {**goes_on(tmp_path), "transcript_path": str(tmp_path / "gone.jsonl")}

    done = hook(tmp_path, "claude-code", "--pin", "Ask first.", event=event)

    assert "- Ask first." in given_to_model(done)
    assert "what the user said is not put back" in json.loads(done.stdout)["systemMessage"]


def test_installing_with_rules_adds_the_hook_behind_a_compaction(tmp_path: Path) -> None:
    hook(
        tmp_path,
        "install",
        "claude-code",
        *("--rules", ".ullage/rules.md", "--pin", "Never push; not even once."),
    )

    hooks = settings(tmp_path)["hooks"]
    assert sorted(hooks) == ["PostToolUse", "PreCompact", "SessionStart"]
    (group,) = hooks["SessionStart"]
    assert group["matcher"] == "compact"
    assert group["hooks"][0]["command"].endswith(
        "hook claude-code --rules .ullage/rules.md --pin 'Never push; not even once.'"
    )


def test_the_installed_command_puts_the_rules_back(tmp_path: Path) -> None:
    hook(tmp_path, "install", "claude-code", "--restate")
    (group,) = settings(tmp_path)["hooks"]["SessionStart"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    done = subprocess.run(
        ["sh", "-c", group["hooks"][0]["command"]],
        input=json.dumps(goes_on(tmp_path)),
        capture_output=True,
        text=True,
        env={"PATH": path, "HOME": str(tmp_path)},
    )

    assert "Never push to the main branch." in given_to_model(done)


def test_installing_again_without_rules_takes_that_hook_out(tmp_path: Path) -> None:
    hook(tmp_path, "install", "claude-code", "--restate")
    hook(tmp_path, "install", "claude-code")

    assert sorted(settings(tmp_path)["hooks"]) == ["PostToolUse", "PreCompact"]


def test_uninstalling_leaves_the_other_hooks_of_a_session_start(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    entry = {"type": "command", "command": "say hello"}
    mine = {"hooks": {"SessionStart": [{"matcher": "compact", "hooks": [entry]}]}}
    path.write_text(json.dumps(mine), encoding="utf-8")
    hook(tmp_path, "install", "claude-code", "--pin", "Ask first.")

    hook(tmp_path, "uninstall", "claude-code")

    assert settings(tmp_path) == mine
