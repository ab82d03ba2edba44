"""Compactions in words and as members of `ullage.scan/1`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from rich.console import Console
from rich.text import Text

from ullage.checks.compactions import Compared, Row
from ullage.checks.scan import Scan
from ullage.checks.steps import Again

MOST_ROWS = 20
HEADS = (
    "compaction",
    "tokens",
    "gone",
    "rules lost",
    "again: files",
    "commands",
    "errors",
    "where",
)
"""`gone` are messages; `again` counts what the calls before it and after it did once more."""


def compaction_members(rows: Sequence[Row], compared: Compared) -> Mapping[str, object]:
    """Return the member `compactions`: each row, and what they say together."""
    return {
        "observational": True,
        "verdict": compared.verdict,
        "sentence": compared.sentence if rows else None,
        "usable": compared.usable,
        "sessions": compared.sessions,
        "difference": None if compared.interval is None else asdict(compared.interval),
        "rows": [row_members(one) for one in rows],
    }


def row_members(one: Row) -> Mapping[str, object]:
    """Return one compaction."""
    return {
        "session": one.session,
        "source": {"path": one.source.path, "line": one.source.line},
        "agent": one.agent,
        "act": one.act,
        "recorded": one.recorded,
        "stated": one.stated,
        "tier": one.tier,
        "rules": list(one.rules),
        "trigger": one.trigger,
        "tokens_before": one.tokens_before,
        "tokens_after": one.tokens_after,
        "window": one.window,
        "messages_gone": one.gone,
        "characters_gone": one.gone_chars,
        "rules_lost": one.rules_lost,
        "repeated_before": None if one.before is None else asdict(one.before),
        "repeated_after": None if one.after is None else asdict(one.after),
        "expected_change": one.expected,
        "matched": one.matched,
    }


def print_compactions(console: Console, scan: Scan, name: Callable[[str], str]) -> None:
    """Print one row a compaction, and the sentence; nothing where there was none.

    `name` says how a file is called.
    """
    rows = scan.compactions
    if not rows:
        return
    console.print()
    for line in aligned([HEADS, *(cells(one, name) for one in rows[:MOST_ROWS])]):
        console.print(Text(line))
    if len(rows) > MOST_ROWS:
        console.print(Text(f"and {len(rows) - MOST_ROWS} more: see --format json"))
    console.print(Text(scan.compared.sentence))


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows as lines with their columns below each other.

    The last column may be of any length and is never folded, so that a path can be copied.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        *front, last = row
        padded = (text.ljust(width) for text, width in zip(front, widths, strict=False))
        yield "  ".join((*padded, last))


def cells(one: Row, name: Callable[[str], str]) -> Sequence[str]:
    """Return the cells of one row; n/a where it is not known."""
    line = f":{one.source.line}" if one.source.line is not None else ""
    where = one.session if one.source.path is None else f"{name(one.source.path)}{line}"
    return (
        act_words(one),
        f"{known(one.tokens_before)} → {known(one.tokens_after)}",
        str(one.gone),
        known(one.rules_lost),
        around(one.before, one.after, "files"),
        around(one.before, one.after, "commands"),
        around(one.before, one.after, "errors"),
        where,
    )


def act_words(one: Row) -> str:
    """Return what a compaction did, and where that is known its tier and its rules."""
    by = ": ".join(filter(None, (one.tier, ", ".join(one.rules))))
    return f"{one.act or 'unknown'} ({by})" if by else one.act or "unknown"


def known(figure: int | None) -> str:
    """Return a figure, or n/a."""
    return "n/a" if figure is None else str(figure)


def around(before: Again | None, after: Again | None, name: str) -> str:
    """Return one kind of repeats before and after a compaction."""
    if before is None or after is None:
        return "n/a"
    return f"{getattr(before, name)} → {getattr(after, name)}"
