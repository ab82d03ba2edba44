"""Tokens for a terminal: a count, the budget table of a request, a forecast."""

from rich.console import Console
from rich.table import Table

from ullage.counting.count import Count
from ullage.counting.forecast import Forecast
from ullage.report.arrival import percent, plain
from ullage.wire.budget_table import BudgetTable

SHOWN_TOOLS = 10
WORDS = {
    "system": "system",
    "tools": "tools (definitions)",
    "data": "data (tool results)",
    "history": "history (other messages)",
    "images": "images",
    "reserve": "reserve (output limit)",
}


def print_count(out: Console, one: Count) -> None:
    """Print one count."""
    out.print(plain(f"tokens   {one.tokens}  ({how(one)})"))
    if one.low != one.high:
        out.print(f"range    {one.low} to {one.high}, not calibrated against the vendor's counts")
    if one.window is None:
        out.print("window   unknown")
    else:
        out.print(f"window   {one.window}, {share(one.tokens, one.window)} used")


def print_budget(out: Console, one: BudgetTable) -> None:
    """Print the budget table of a request, with each part's share."""
    print_count(out, one.count)
    total = one.count.tokens + one.reserve
    table = columns("part")
    for row in one.rows:
        table.add_row(WORDS[row.part], str(row.tokens), share(row.tokens, total))
    table.add_row("total", str(total), share(total, total), style="bold")
    out.print()
    out.print(table)
    if one.tools:
        out.print()
        out.print(tool_table(one))


def tool_table(one: BudgetTable) -> Table:
    """Return the dearest tool definitions, and how many are not shown."""
    total = one.count.tokens + one.reserve
    table = columns("tool definition")
    for tool in one.tools[:SHOWN_TOOLS]:
        table.add_row(plain(tool.name), str(tool.tokens), share(tool.tokens, total))
    rest = one.tools[SHOWN_TOOLS:]
    if rest:
        tokens = sum(tool.tokens for tool in rest)
        table.add_row(f"{len(rest)} more tools", str(tokens), share(tokens, total))
    return table


def print_forecast(out: Console, one: Forecast) -> None:
    """Print how the prompt grows, and when it no longer fits."""
    out.print(f"turns    {len(one.turns)}, the last {one.turns[-1]} tokens")
    growth = one.growth
    if growth is None:
        out.print("growth   n/a: one turn only")
    else:
        out.print(f"growth   {growth.median:g} a turn (median), {growth.low} to {growth.high}")
    if one.window is None:
        out.print("window   unknown: give --window to see when it is passed")
        return
    out.print(f"window   {one.window}, of which {one.reserve} are kept for the reply")
    out.print(f"passed   {when(one)}")


def when(one: Forecast) -> str:
    """Say when the window is passed."""
    if one.passed_at is None:
        soonest = "" if one.soonest is None else f"; at turn {one.soonest} at the most growth"
        return f"not at this growth{soonest}"
    if one.passed_at <= len(one.turns):
        return f"at turn {one.passed_at}, already"
    return f"at turn {one.passed_at} at the median growth, at turn {one.soonest} at the most"


def how(one: Count) -> str:
    """Say how a count was made."""
    model = f" for {one.model}" if one.model else ""
    if one.encoding is None:
        return f"estimate{model}, no public vocabulary known"
    return f"{one.method} by {one.encoding}{model}"


def columns(first: str) -> Table:
    """Return an empty table of tokens and shares."""
    table = Table(first, box=None, pad_edge=False)
    table.add_column("tokens", justify="right")
    table.add_column("share", justify="right")
    return table


def share(tokens: int, total: int) -> str:
    """Write a share in percent; n/a of nothing."""
    return percent(tokens / total if total else None)
