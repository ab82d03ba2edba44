"""A scan in words: what a person reads first, and what can be copied from it."""

import io
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_scan import document, scan
from tests.sources.claude_sessions import Claude, call

from ullage.checks.places import Places
from ullage.report.compare import plainly
from ullage.report.loss import sizes

EXAMPLE = Path(__file__).parents[2] / "examples" / "audit" / "projects"
HOME = Places(root="/repo", folder="/repo/sub", home="/home/dev")


def compacted(talk: Claude) -> bytes:
    """A session whose one compaction forgets a rule."""
    talk.user("Fix the tests. Never edit a file under migrations/.")
    talk.says(call("c1", "Bash", command="pytest"))
    talk.result("c1", "1 failed", held={"stdout": "1 failed", "stderr": ""})
    talk.says("One test fails.")
    talk.boundary(trigger="auto", preTokens=150_000)
    talk.summary("The task is to fix the tests. One test fails.")
    talk.says("I go on.")
    return talk.data()


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("logs/a.jsonl", "logs/a.jsonl"),
        ("/repo/sub/logs/a.jsonl", "logs/a.jsonl"),
        ("/home/dev/.claude/a.jsonl", "~/.claude/a.jsonl"),
        ("/repo/other/a.jsonl", "/repo/other/a.jsonl"),
        ("<stdin>", "<stdin>"),
    ],
)
def test_a_file_is_called_as_somebody_in_the_folder_would(path: str, shown: str) -> None:
    assert HOME.shown(path) == shown


def test_the_place_of_a_compaction_is_never_folded(tmp_path: Path) -> None:
    name = "-home-dev-" + "long-" * 30 + "name.jsonl"
    (tmp_path / name).write_bytes(compacted(Claude()))

    lines = scan(tmp_path, cwd=tmp_path).stdout.splitlines()

    (row,) = [one for one in lines if one.startswith("summarise ")]
    (head,) = [one for one in lines if one.startswith("compaction ")]
    assert row.endswith(f"  {name}:5")
    assert row.index(name) == head.index("where")


def test_a_rule_that_was_lost_is_shown_in_its_words() -> None:
    assert "\n  constraint: Never edit a file under migrations/.\n" in scan(EXAMPLE).stdout


def test_the_tool_that_lost_most_comes_first_and_whole_ones_share_a_line() -> None:
    text = scan(EXAMPLE).stdout

    assert "\nNothing lost: Read (12 results), Bash (7 results).\n" in text
    assert text.index("mcp__shop__list_orders: 1 result") < text.index("Nothing lost")


def test_text_put_around_a_result_is_no_gain() -> None:
    assert sizes(9, 10) == "9 of 10 characters delivered"
    assert sizes(12, 10) == "10 characters produced, 12 delivered with what was put around them"


def test_a_wrong_form_is_no_all_clear() -> None:
    done = scan(EXAMPLE, "--from", "codex")

    assert "Nothing was judged" in done.stdout
    assert "No check found" not in done.stdout


def test_files_passed_over_for_one_reason_share_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(compacted(Claude()))
    for number in range(5):
        (tmp_path / f"notes-{number}.txt").write_text("nothing here", encoding="utf-8")

    done = scan(tmp_path, "--format", "json")

    assert done.stderr.count("passed over") == 1
    assert "and 2 more (ullage scan --format json names all)" in done.stderr
    assert len(document(done)["read"]["passed_over"]) == 5


def test_markdown_for_a_build_holds_no_absolute_path(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(compacted(Claude()))

    done = scan(tmp_path, "--format", "md")

    assert "a.jsonl:" in done.stdout
    assert str(tmp_path) not in done.stdout


@pytest.mark.parametrize(
    ("figure", "shown"), [(891_800.4, "891800"), (0.5, "0.5"), (12, "12"), (999.96, "1000")]
)
def test_a_figure_has_no_exponent(figure: float, shown: str) -> None:
    assert plainly(figure) == shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--from", "claude"), "did you mean claude-code?"),
        (("--fail-on", "eror"), "did you mean error?"),
        (("--compare", "x"), "see ullage scan --help"),
    ],
)
def test_a_slip_in_a_word_says_what_was_probably_meant(words: Any, said: str) -> None:
    done = scan(EXAMPLE, *words)

    assert done.returncode == 2
    assert said in done.stderr


def test_standard_input_lies_in_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(compacted(Claude()))))

    done = scan("-", "--format", "github")

    assert "file=<stdin>," in done.stdout
