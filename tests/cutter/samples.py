"""Fixed inputs of every format, made by seed; run as a program it prints a digest of their cuts."""

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from ullage import chars, cut
from ullage.cutter.values import Format

WORDS = ["amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet"]
EACH = 50
BUDGET = 700


def records(rng: random.Random) -> list[dict[str, Any]]:
    return [
        {
            "id": n,
            "name": f"{rng.choice(WORDS)}-{n}",
            "cpu": round(rng.uniform(0, 9), 2),
            "ok": n % 19 > 0,
        }
        for n in range(rng.randrange(40, 90))
    ]


def as_csv(rows: list[dict[str, Any]]) -> str:
    return "id,name,cpu,ok\n" + "".join(
        f"{r['id']},{r['name']},{r['cpu']},{r['ok']}\n" for r in rows
    )


def as_table(rows: list[dict[str, Any]]) -> str:
    lines = [f"{'NAME':<16}{'CPU':<8}{'STATUS':<10}"]
    lines += [f"{r['name']:<16}{r['cpu']:<8}{'Running' if r['ok'] else 'Failed':<10}" for r in rows]
    return "\n".join(lines) + "\n"


def as_markdown(rows: list[dict[str, Any]]) -> str:
    head = "# Stock\n\n| id | name | cpu |\n|---|---|---:|\n"
    body = "".join(f"| {r['id']} | {r['name']} | {r['cpu']} |\n" for r in rows)
    return head + body + "\nFigures are provisional.\n"


def as_log(rows: list[dict[str, Any]]) -> str:
    return "".join(
        f"2026-03-01T10:{r['id'] % 60:02d}:00 {'INFO' if r['ok'] else 'ERROR'}"
        f" {r['name']} took {r['cpu']} s\n"
        for r in rows
    )


def as_diff(rows: list[dict[str, Any]]) -> str:
    files = []
    for r in rows[:12]:
        hunk = "".join(f" line {n}\n" for n in range(3)) + f"-old {r['name']}\n+new {r['name']}\n"
        files.append(
            f"diff --git a/{r['name']}.py b/{r['name']}.py\n"
            f"--- a/{r['name']}.py\n+++ b/{r['name']}.py\n"
            f"@@ -1,4 +1,4 @@\n{hunk}"
        )
    return "".join(files)


def as_tests(rows: list[dict[str, Any]]) -> str:
    lines = [
        f"tests/test_{r['name']}.py::test_{r['id']} {'PASSED' if r['ok'] else 'FAILED'}"
        for r in rows
    ]
    failed = sum(not r["ok"] for r in rows)
    end = f"=========== {failed} failed, {len(rows) - failed} passed in 1.20s ==========="
    return "\n".join([*lines, end]) + "\n"


def as_xml(rows: list[dict[str, Any]]) -> str:
    items = "".join(
        f'<pod id="{r["id"]}"><name>{r["name"]}</name><cpu>{r["cpu"]}</cpu></pod>' for r in rows
    )
    return f"<pods>{items}</pods>"


def as_html(rows: list[dict[str, Any]]) -> str:
    cells = "".join(f"<tr><td>{r['id']}</td><td>{r['name']}</td></tr>" for r in rows)
    table = f"<table><tr><th>id</th><th>name</th></tr>{cells}</table>"
    return f"<!doctype html><html><body><h1>Stock</h1>{table}</body></html>"


def as_yaml(rows: list[dict[str, Any]]) -> str:
    return "".join(f"- id: {r['id']}\n  name: {r['name']}\n  cpu: {r['cpu']}\n" for r in rows)


def as_prose(rows: list[dict[str, Any]]) -> str:
    return " ".join(f"The {r['name']} was measured and gave {r['cpu']} on that day." for r in rows)


WRITERS: dict[Format, Callable[[list[dict[str, Any]]], str]] = {
    "json": lambda rows: json.dumps({"rows": rows, "total": len(rows)}),
    "ndjson": lambda rows: "".join(json.dumps(r) + "\n" for r in rows),
    "csv": as_csv,
    "table": as_table,
    "markdown": as_markdown,
    "log": as_log,
    "diff": as_diff,
    "test-report": as_tests,
    "xml": as_xml,
    "html": as_html,
    "yaml": as_yaml,
    "repr": repr,
    "text": as_prose,
}


def samples(name: Format) -> Iterator[str]:
    for seed in range(EACH):
        yield WRITERS[name](records(random.Random(f"{name} {seed}")))


def digest() -> str:
    found = hashlib.sha256()
    for name in WRITERS:
        for text in samples(name):
            found.update(cut(text, chars(BUDGET)).text.encode())
    return found.hexdigest()


if __name__ == "__main__":
    print(digest())
