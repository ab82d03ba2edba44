"""`plan-loop` fires on plans that go round, and leaves alone those that get somewhere."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ullage.checks.scan import scan
from ullage.sources.files import read_file
from ullage.transcript.finding import Finding

PLAN = "Plan: read config/app.toml, compare both schemas, then rewrite the loader."
READ: dict[str, object] = {
    "event": "tool",
    "name": "read_file",
    "args": {"path": "config/app.toml"},
}
WRITE: dict[str, object] = {"event": "tool", "name": "write_file", "args": {"path": "loader.py"}}
CUT: dict[str, object] = {"event": "compaction", "tokens_before": 9000, "tokens_after": 900}


def plan(text: str = PLAN) -> dict[str, object]:
    return {"event": "assistant", "text": text}


def found(folder: Path, events: Sequence[dict[str, object]]) -> list[Finding]:
    """The loops in event lines."""
    lines = [json.dumps({"turn": turn, **one}) for turn, one in enumerate(events)]
    file = folder / "events.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [one for one in scan([read_file(file)]).findings if one.check == "plan-loop"]


def test_the_same_plan_after_each_compaction_is_reported_once(tmp_path: Path) -> None:
    again = "Plan: first read config/app.toml, then compare both schemas and rewrite the loader."

    (loop,) = found(tmp_path, [plan(), READ, CUT, plan(again), READ, CUT, plan(), READ])

    assert {name: loop.evidence[name] for name in ("compactions", "writes", "refetches")} == {
        "compactions": 2,
        "writes": 0,
        "refetches": 2,
    }
    assert (loop.boundary, loop.source.line) == ("summarise", 7)


SHELL: dict[str, object] = {
    "event": "tool",
    "name": "bash",
    "args": {"command": "sed -i s/a/b/ loader.py"},
}


@pytest.mark.parametrize(
    "events",
    [
        [plan(), READ, CUT, plan(), WRITE, CUT, plan(), READ],
        [plan(), READ, CUT, plan(), SHELL, CUT, plan(), READ],
        [plan(), READ, CUT, plan("Now the tests of the exporter need new fixtures."), CUT, plan()],
        [plan(), READ, CUT, plan(), READ],
        [plan(), READ, plan(), READ, plan(), READ],
        [plan("Go on."), READ, CUT, plan("Go on."), READ, CUT, plan("Go on."), READ],
    ],
    ids=["a write", "a change by shell", "another plan", "twice", "no compaction", "no plan"],
)
def test_what_gets_somewhere_or_may_do_is_left_alone(
    tmp_path: Path, events: list[dict[str, object]]
) -> None:
    assert found(tmp_path, events) == []


def test_looking_by_shell_is_no_action(tmp_path: Path) -> None:
    look: dict[str, object] = {"event": "tool", "name": "bash", "args": {"command": "git status"}}

    assert len(found(tmp_path, [plan(), look, CUT, plan(), look, CUT, plan(), look])) == 1
