"""A compaction for a terminal: what was done to a history, and what a budget would take of it."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from ullage.history.compacted import Compacted
from ullage.history.dry_run import DryRun
from ullage.history.told import told
from ullage.report.arrival import percent, plain
from ullage.transcript.counted import many


def print_compacted(out: Console, done: Compacted) -> None:
    """Print the events, those of one kind together, and the history before and after."""
    for words in told(done.events):
        out.print(plain(words))
    unit = "" if done.unit == "tokens" else f", {done.before.cost} to {done.after.cost} {done.unit}"
    out.print(
        plain(
            f"{done.before.tokens} to {done.after.tokens} tokens{unit}, "
            f"{done.before.messages} to {many(done.after.messages, 'message')}; budget "
            f"{done.budget} {done.unit}: {fit(done)}; reserve for the reply {done.reserve} "
            f"({done.reserve_from})"
        )
    )


def fit(done: Compacted) -> str:
    """Say whether it fits."""
    return "it fits" if done.fits else f"{done.over} over"


def print_dry_run(out: Console, one: DryRun) -> None:
    """Print the arithmetic of one history."""
    unit = one.unit
    lines = [
        f"history      {one.history} {unit} in {many(one.messages, 'message')}, "
        f"{many(one.replies, 'model reply').replace('replys', 'replies')}",
        f"fixed        {one.fixed} (what is no message: tool definitions and such)",
        f"reserve      {one.reserve} for the reply ({one.reserve_from})",
        f"budget       {one.budget}",
        f"must remove  {one.must_remove}",
        f"rules can    {one.rules_remove}, which leaves {one.after_rules}",
        f"model        {model_words(one)}",
        f"protected    {one.protected} alone (fixed, reserve, and what never leaves)"
        + ("" if one.possible else ": more than the budget"),
    ]
    for line in lines:
        out.print(plain(line))
    if one.rules:
        out.print()
        out.print(rules_table(one))
    if one.largest:
        out.print()
        out.print(largest_table(one))


def model_words(one: DryRun) -> str:
    """Say whether a model is needed."""
    if not one.must_remove:
        return "not needed: it fits"
    if one.model_needed:
        return "needed: the rules are not enough"
    if one.trim_needed:
        return "not asked: the oldest units leave"
    return "not needed: the rules are enough"


def rules_table(one: DryRun) -> Table:
    """Return what each rule would take, the rules before it having taken theirs."""
    table = Table("rule", box=None, pad_edge=False)
    for name in ("results", "tokens", *([] if one.unit == "tokens" else [one.unit]), "share"):
        table.add_column(name, justify="right")
    for rule in one.rules:
        cost = [] if one.unit == "tokens" else [str(rule.cost)]
        table.add_row(
            plain(rule.rule), str(rule.results), str(rule.tokens), *cost, percent(rule.share)
        )
    return table


def largest_table(one: DryRun) -> Table:
    """Return the largest messages and results."""
    table = Table("largest", box=None, pad_edge=False)
    table.add_column("message", justify="right")
    table.add_column("tokens", justify="right")
    for part in one.largest:
        place = "n/a" if part.place is None else str(part.place)
        table.add_row(plain(part.what), place, str(part.tokens))
    return table


def print_dry_runs(out: Console, runs: Sequence[DryRun]) -> None:
    """Print a line for each of several histories."""
    table = Table("session", box=None, pad_edge=False)
    for name in ("messages", "history", "must remove", "rules can", "model", "protected"):
        table.add_column(name, justify="right")
    for one in runs:
        needed = "needed" if one.model_needed else "no"
        table.add_row(
            plain(one.session or "n/a"),
            str(one.messages),
            str(one.history),
            str(one.must_remove),
            str(one.rules_remove),
            needed,
            str(one.protected) + ("" if one.possible else " (over)"),
        )
    out.print(table)
    out.print(plain(f"in {runs[0].unit}; budget {runs[0].budget}"))
