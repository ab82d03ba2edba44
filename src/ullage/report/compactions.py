"""Compactions in words and as members of `ullage.scan/1`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullage.checks.compactions import Compared, Row
from ullage.checks.scan import Scan
from ullage.checks.steps import Again

MOST_ROWS = 20


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


def print_compactions(console: Console, scan: Scan) -> None:
    """Print one row a compaction, and the sentence; nothing where there was none."""
    rows = scan.compactions
    if not rows:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    heads = ("compaction", "tokens", "messages gone", "rules lost", "files again")
    for head in (*heads, "commands again", "errors again"):
        table.add_column(head, overflow="fold")
    for one in rows[:MOST_ROWS]:
        table.add_row(*cells(one))
    console.print()
    console.print(table)
    if len(rows) > MOST_ROWS:
        console.print(Text(f"and {len(rows) - MOST_ROWS} more: see --format json"))
    console.print(Text(scan.compared.sentence))


def cells(one: Row) -> Sequence[str]:
    """Return the cells of one row; n/a where it is not known."""
    line = f":{one.source.line}" if one.source.line is not None else ""
    where = f"{one.source.path}{line}" if one.source.path is not None else one.session
    act = one.act or "unknown act"
    return (
        f"{act} {where}",
        f"{known(one.tokens_before)} → {known(one.tokens_after)}",
        str(one.gone),
        known(one.rules_lost),
        around(one.before, one.after, "files"),
        around(one.before, one.after, "commands"),
        around(one.before, one.after, "errors"),
    )


def known(figure: int | None) -> str:
    """Return a figure, or n/a."""
    return "n/a" if figure is None else str(figure)


def around(before: Again | None, after: Again | None, name: str) -> str:
    """Return one kind of repeats before and after a compaction."""
    if before is None or after is None:
        return "n/a"
    return f"{getattr(before, name)} → {getattr(after, name)}"
