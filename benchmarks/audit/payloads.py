"""Results as tools return them: JSON, CSV, logs, text, code, listings, pages."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from words import LANGUAGES, PLACES, adjective, noun, sentence

Row = dict[str, Any]


KINDS_OF_ID: Sequence[Callable[[Random], str]] = (
    lambda draw: f"ORD-{draw.randrange(10**4, 10**6)}",
    lambda draw: f"INV-2025-{draw.randrange(10**4, 10**5)}",
    lambda draw: f"{draw.getrandbits(48):012x}",
    lambda draw: f"usr_{draw.getrandbits(40):010x}",
    lambda draw: str(draw.randrange(10**6, 10**9)),
    lambda draw: f"{draw.choice('ABCDEFGH')}{draw.randrange(10**5):05}",
)
"""How services name their records; one kind a list."""


def identifier(draw: Random) -> str:
    """Return an id as services give them."""
    return draw.choice(KINDS_OF_ID)(draw)


def rows(draw: Random, count: int, language: str = "en") -> list[Row]:
    """Return records of one shape, each with an id of its own."""
    extra = draw.sample(("amount", "city", "status", "weight_kg", "note", "late", "at"), 4)
    made = {
        "amount": lambda: round(draw.uniform(1, 9_000), 2),
        "city": lambda: draw.choice(PLACES),
        "status": lambda: adjective(draw, language),
        "weight_kg": lambda: round(draw.uniform(0.1, 80), 1),
        "note": lambda: sentence(draw, language),
        "late": lambda: draw.random() < 0.3,
        "at": lambda: f"2025-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}",
    }
    kind = draw.choice(KINDS_OF_ID)
    ids: set[str] = set()
    while len(ids) < count:
        ids.add(kind(draw))
    name = draw.choice(("id", "order_id", "key", "number"))
    return [{name: one, **{field: made[field]() for field in extra}} for one in sorted(ids)]


def as_json(draw: Random, records: Sequence[Row], **beside: Any) -> str:
    """Write records as JSON: a list, or an object around it."""
    indent = draw.choice((None, 2, 4))
    whole: Any = list(records)
    if beside or draw.random() < 0.6:
        whole = {**beside, draw.choice(("items", "results", "data", "rows")): whole}
    return json.dumps(whole, indent=indent, ensure_ascii=draw.random() < 0.3)


def as_csv(draw: Random, records: Sequence[Row]) -> str:
    """Write records as CSV."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(records[0]), delimiter=draw.choice(",;"), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue()


def json_result(draw: Random, size: int) -> str:
    """Return JSON of about a size."""
    language = draw.choice(LANGUAGES)
    records = rows(draw, 2, language)
    each = max(1, len(json.dumps(records)) // 2)
    return as_json(draw, rows(draw, max(2, size // each), language))


def csv_result(draw: Random, size: int) -> str:
    """Return CSV of about a size."""
    return as_csv(draw, rows(draw, max(2, size // 60), draw.choice(LANGUAGES)))


def log_result(draw: Random, size: int) -> str:
    """Return lines of a log."""
    lines: list[str] = []
    second = draw.randrange(40_000)
    while sum(map(len, lines)) < size:
        second += draw.randrange(1, 40)
        clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
        level = draw.choice(("INFO", "INFO", "DEBUG", "WARN"))
        lines.append(f"2025-03-0{draw.randrange(1, 10)} {clock} {level} {sentence(draw)}")
    return "\n".join(lines) + draw.choice(("", "\n"))


def prose_result(draw: Random, size: int) -> str:
    """Return a text in a language."""
    language = draw.choice(LANGUAGES)
    out: list[str] = []
    while sum(map(len, out)) < size:
        out.append(" ".join(sentence(draw, language) for _ in range(draw.randrange(2, 6))))
    return "\n\n".join(out)


def code_result(draw: Random, size: int) -> str:
    """Return a file of Python."""
    out = ["import json", "from pathlib import Path", ""]
    while sum(map(len, out)) < size:
        name = f"{adjective(draw)}_{noun(draw)}_{draw.randrange(999)}"
        out += [
            f"def {name}(value: int, path: Path) -> dict[str, int]:",
            f'    """{sentence(draw)}"""',
            f"    found = json.loads(path.read_text())  # {noun(draw)}",
            f"    return {{**found, {noun(draw)!r}: value * {draw.randrange(2, 99)}}}",
            "",
        ]
    return "\n".join(out)


def listing_result(draw: Random, size: int) -> str:
    """Return what a shell prints of a folder."""
    out: list[str] = []
    while sum(map(len, out)) < size:
        name = f"{noun(draw)}_{draw.randrange(999)}{draw.choice(('.py', '.csv', '.md', '.log'))}"
        out.append(
            f"-rw-r--r-- 1 dev dev {draw.randrange(10, 99_999):>6} Mar 3 09:1{len(out) % 10} {name}"
        )
    return "\n".join(out)


def markdown_result(draw: Random, size: int) -> str:
    """Return a page in Markdown with a table."""
    out = [f"# {noun(draw).title()} report", "", "| name | value |", "|---|---|"]
    while sum(map(len, out)) < size:
        out.append(f"| {noun(draw)} {draw.randrange(9_999)} | {draw.randrange(99_999)} |")
    return "\n".join([*out, "", sentence(draw)])


KINDS: Mapping[str, Callable[[Random, int], str]] = {
    "json": json_result,
    "csv": csv_result,
    "log": log_result,
    "prose": prose_result,
    "code": code_result,
    "listing": listing_result,
    "markdown": markdown_result,
}


def result(draw: Random, size: int | None = None, kinds: Sequence[str] = tuple(KINDS)) -> str:
    """Return a result of any kind; sizes spread as they do in real sessions, most are short."""
    size = size or int(80 * 10 ** draw.uniform(0, 2.1))
    return KINDS[draw.choice(kinds)](draw, size)
