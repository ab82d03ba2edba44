"""What others wrote does nothing to a terminal."""

import io
import json
from pathlib import Path

from tests.cli.test_scan import scan

from ullage.cli.printable import Printable

EVIL = "orders\x1b]0;owned\x07\x1b[2J\u202e"


def test_a_name_that_would_clear_the_screen_is_spelled_out(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": EVIL, "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "list"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": '[{"id": 1, "na'},
    ]
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"model": "m", "messages": messages}), encoding="utf-8")

    shown = scan(log).stdout

    assert "invalid-syntax" in shown
    assert r"orders\x1b]0;owned" in shown
    assert not set("\x1b\x07\u202e") & set(shown)


def test_colours_stay() -> None:
    file = io.StringIO()
    Printable(file).write("\x1b[31merror\x1b[0m \x1b[2Jx\n")

    assert file.getvalue() == "\x1b[31merror\x1b[0m \\x1b[2Jx\n"
