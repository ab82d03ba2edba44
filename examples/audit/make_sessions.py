"""Write two small sessions as Claude Code keeps them, for the README and docs/audit.md.

`python examples/audit/make_sessions.py FOLDER` writes the same bytes on every machine. In one
session a result is too long and the model is given its beginning; the other is compacted, and its
summary forgets a rule. Nothing in them was ever said by anybody.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

MODEL = "claude-sonnet-4-5"
BEGIN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PREVIEW = 2000
"""So many characters of a result that is too long are given to the model."""
SHOP_ORDERS = 640

Json = dict[str, object]


@dataclass
class Session:
    """One session, written record by record; `tokens` is what the provider counted last."""

    name: str
    folder: Path
    tokens: int = 9_000
    lines: list[Json] = field(default_factory=list)
    calls: int = 0

    def add(self, kind: str, **members: object) -> None:
        """Add one record, behind the last one."""
        number = len(self.lines) + 1
        self.lines.append(
            {
                "parentUuid": self.lines[-1]["uuid"] if self.lines else None,
                "isSidechain": False,
                "cwd": "/home/dev/shop",
                "sessionId": self.name,
                "version": "2.1.80",
                "type": kind,
                "uuid": f"{self.name[:8]}-0000-4000-8000-{number:012}",
                "timestamp": (BEGIN + timedelta(seconds=7 * number)).isoformat(),
                **members,
            }
        )

    def user(self, text: str, **members: object) -> None:
        """Add what the user says."""
        self.add("user", message={"role": "user", "content": text}, **members)

    def model(self, *blocks: Json, stop: str) -> None:
        """Add a reply."""
        usage = {"input_tokens": self.tokens, "output_tokens": 60}
        self.add(
            "assistant",
            message={
                "id": f"msg_{self.name[:4]}{len(self.lines):03}",
                "type": "message",
                "role": "assistant",
                "model": MODEL,
                "content": list(blocks),
                "stop_reason": stop,
                "usage": usage,
            },
        )

    def says(self, text: str) -> None:
        """Add an answer."""
        self.model({"type": "text", "text": text}, stop="end_turn")

    def call(
        self, tool: str, arguments: Json, given: str, held: object = None, *, failed: bool = False
    ) -> None:
        """Add a call and its result: `given` to the model; `held` is what the program keeps."""
        self.calls += 1
        key = f"toolu_{self.name[:4]}{self.calls:03}"
        self.model(
            {"type": "tool_use", "id": key, "name": tool, "input": arguments}, stop="tool_use"
        )
        block: Json = {"type": "tool_result", "tool_use_id": key, "content": given}
        if failed:
            block["is_error"] = True
        more = {} if held is None else {"toolUseResult": held}
        self.add("user", message={"role": "user", "content": [block]}, **more)

    def read(self, path: str, content: str) -> None:
        """Add the reading of a file."""
        lines = content.split("\n")
        given = "\n".join(f"{n:>6}→{line}" for n, line in enumerate(lines, start=1))
        held = {
            "type": "text",
            "file": {
                "filePath": path,
                "content": content,
                "numLines": len(lines),
                "startLine": 1,
                "totalLines": len(lines),
            },
        }
        self.call("Read", {"file_path": path}, given, held)

    def run(self, command: str, output: str, *, failed: bool = False) -> None:
        """Add a command."""
        held: object = f"Error: {output}" if failed else {"stdout": output, "stderr": ""}
        self.call("Bash", {"command": command}, output, held, failed=failed)

    def too_long(self, tool: str, result: str) -> None:
        """Add a result that the program saves to a file, and of which it gives the beginning."""
        saved = self.folder / self.name / "tool-results" / f"{tool}.txt"
        saved.parent.mkdir(parents=True, exist_ok=True)
        saved.write_text(result, encoding="utf-8")
        told = f"/home/dev/.claude/projects/shop/{self.name}/tool-results/{tool}.txt"
        self.call(
            tool,
            {},
            f"<persisted-output>\nOutput too large ({len(result) / 1024:.1f}KB). Full output saved "
            f"to: {told}\n\nPreview (first 2KB):\n{result[:PREVIEW]}\n...\n</persisted-output>",
        )

    def compact(self, summary: str) -> None:
        """Add a compaction and its summary."""
        self.add(
            "system",
            subtype="compact_boundary",
            content="Conversation compacted",
            compactMetadata={"trigger": "auto", "preTokens": self.tokens},
        )
        last = self.lines[-1]
        last["logicalParentUuid"], last["parentUuid"] = last["parentUuid"], None
        self.user(summary, isCompactSummary=True, isVisibleInTranscriptOnly=True)
        self.tokens = 14_000

    def write(self) -> None:
        """Write the file."""
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in self.lines)
        (self.folder / f"{self.name}.jsonl").write_text(text, encoding="utf-8")


def late_orders(folder: Path) -> None:
    """Write a session that asks for the late orders, and is given the first of 640."""
    one = Session("1f0a77c2-late-orders", folder)
    orders = [
        {"id": f"ORD-{n:04}", "status": "late" if n % 9 == 4 else "sent", "cents": 1900 + 37 * n}
        for n in range(SHOP_ORDERS)
    ]
    one.user("Which of our orders are late? List them by id.")
    result = json.dumps({"orders": orders})
    one.too_long("mcp__shop__list_orders", result)
    seen = result[:PREVIEW].count("ORD-")
    late = [str(order["id"]) for order in orders[:seen] if order["status"] == "late"]
    one.says(f"{seen} orders analysed. {len(late)} of them are late: {', '.join(late)}.")
    one.write()


def tax_tests(folder: Path) -> None:
    """Write a session that is compacted, and then reads what it had read before."""
    one = Session("8c41d9e5-tax-tests", folder)
    one.user(
        "Make the tests in tests/tax pass. Keep all amounts as integer cents. "
        "Never edit a file under migrations/."
    )
    names = ("rates", "rounding", "invoice", "discount", "refund", "totals", "country")
    files = {f"/home/dev/shop/tax/{name}.py": module(name) for name in names}
    for number, (path, content) in enumerate(files.items(), start=1):
        one.tokens = 14_000 + 20_000 * number
        one.read(path, content)
        one.run(f"pytest -q tests/tax/test_{names[number - 1]}.py", f"{number} passed in 0.4s")
    one.run(MIGRATE, NO_TABLE, failed=True)
    one.tokens = 168_000
    one.says("The rates table is read from a migration that is not applied in the tests.")
    one.compact(
        "This session is being continued from a previous conversation that ran out of context.\n"
        "Task: make the tests in tests/tax pass. All modules in tax/ were read, and most of their "
        "tests pass. The table of rates is missing in the tests.\nNext: find why."
    )
    again(one, list(files.items())[:5])
    one.run(MIGRATE, NO_TABLE, failed=True)
    one.run(MIGRATE, NO_TABLE, failed=True)
    one.call("Edit", {"file_path": "/home/dev/shop/migrations/0007_rates.py"}, "File updated.")
    one.says("The tests pass now: I changed the migration so that it writes the table itself.")
    one.write()


MIGRATE = "python manage.py migrate --check"
NO_TABLE = "Exit code 1\ndjango.db.utils.OperationalError: no such table: tax_rates"


def again(one: Session, files: Iterable[tuple[str, str]]) -> None:
    """Read files once more."""
    for path, content in files:
        one.read(path, content)


def module(name: str) -> str:
    """Return the text of a small module."""
    lines = [f'"""{name.title()} of the tax."""', ""]
    lines += [f"{name.upper()}_{n} = {1000 + 7 * n}" for n in range(24)]
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    """Write both sessions into a folder."""
    folder = Path(arguments[0]) / "shop"
    folder.mkdir(parents=True, exist_ok=True)
    late_orders(folder)
    tax_tests(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
