"""A comparison of two sets of sessions in words and as `ullage.compare/1`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullage.checks.compare import Changed, Compared, Comparison

SHARES = frozenset({"arrival", "results cut", "broken, of the cut"})
MOST_NAMES = 6
WHOLE_FROM = 1000


def comparison_members(found: Comparison) -> dict[str, object]:
    """Return the members of `ullage.compare/1`, in their order."""
    return {
        "sessions": {"before": found.sessions_before, "after": found.sessions_after},
        "pairs": found.pairs,
        "figures": [figure_members(one) for one in found.figures],
        "changed": [asdict(one) for one in found.changed],
        "attributable": not found.changed and bool(found.pairs),
        "sentence": found.sentence,
    }


def figure_members(one: Compared) -> Mapping[str, object]:
    """Return one figure."""
    return {
        "name": one.name,
        "before": one.before,
        "after": one.after,
        "n": {"before": one.n_before, "after": one.n_after},
        "paired": one.paired,
        "difference": None if one.difference is None else asdict(one.difference),
    }


def print_comparison(console: Console, found: Comparison) -> None:
    """Print the figures, what else changed, and what may be concluded."""
    pairs = f", {found.pairs} pairs of the same task" if found.pairs else ""
    console.print(
        Text(f"Sessions: {found.sessions_before} before, {found.sessions_after} after{pairs}.")
    )
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("", "before", "after", "difference (95 %)", "n"):
        table.add_column(head, overflow="fold")
    for one in found.figures:
        table.add_row(
            one.name,
            shown(one, one.before),
            shown(one, one.after),
            difference(one),
            f"{one.n_before}, {one.n_after}",
        )
    console.print(table)
    console.print()
    for change in found.changed:
        console.print(Text(changed_line(change)))
    console.print(Text(found.sentence))


def shown(one: Compared, figure: float | None) -> str:
    """Return a figure: a share in per cent; n/a where it is not known."""
    if figure is None:
        return "n/a"
    return f"{figure:.1%}" if one.name in SHARES else plainly(figure)


def difference(one: Compared) -> str:
    """Return a difference with its interval; n/a where there are too few."""
    found = one.difference
    if found is None:
        return "n/a"
    if one.name in SHARES:
        low, high = f"{100 * found.low:+.1f}", f"{100 * found.high:+.1f}"
        return f"{100 * found.estimate:+.1f} points ({low} to {high})"
    low, high = plainly(found.low, "+"), plainly(found.high, "+")
    return f"{plainly(found.estimate, '+')} ({low} to {high})"


def plainly(figure: float, sign: str = "-") -> str:
    """Return a figure without an exponent: whole above a thousand, else with four digits."""
    return format(figure, f"{sign}.0f" if abs(figure) >= WHOLE_FROM else f"{sign}.4g")


def changed_line(change: Changed) -> str:
    """Return in a line what is not the same."""
    gone, new = names(change.before), names(change.after)
    return f"changed: {change.what}: only before {gone}; only after {new}"


def names(found: Sequence[str]) -> str:
    """Return the first few names, and how many more there are."""
    listed = [one or "unnamed" for one in found]
    more = len(listed) - MOST_NAMES
    head = ", ".join(listed[:MOST_NAMES]) or "none"
    return f"{head}, and {more} more" if more > 0 else head
