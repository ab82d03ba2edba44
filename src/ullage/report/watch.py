"""A ledger at one moment as one frame of a terminal, and as a document."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from rich.console import Group as Lines
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ullage.checks.live import View
from ullage.checks.live_figures import Fill, Noticed, ToolArrival
from ullage.cutter.excerpt import excerpt
from ullage.cutter.share import level
from ullage.ledger.history import Shortened
from ullage.report.arrival import percent
from ullage.report.findings import COLOURS, Group, finding_line, grouped, places_line
from ullage.report.spelled import printable
from ullage.transcript.counted import many
from ullage.transcript.words import Severity

WIDE = 90
"""Columns from which on a request has its model, its run and a bar."""
BAR = 20
FULL = 0.9
"""From so much of its window on a request is shown in red, from 0.7 on in yellow."""
NEARLY = 0.7
NARROWEST_NAME, WIDEST_NAME = 24, 40
LONGEST_REASON = 200
NO_FIGURE = "n/a"
SPACE = 2
"""Lines of a section that are no rows: its head, and the empty line before it."""
WORST_FIRST: Sequence[Severity] = ("error", "warning", "note")
KEYS = "q ends · ↑ ↓ another finding"


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """Where a frame goes: its size, None for a height without end, and which finding is chosen.

    `keys` says that keys are read, so that they are named.
    """

    width: int
    height: int | None = None
    chosen: int = 0
    keys: bool = False


Section = Callable[[View, Screen, int], RenderableType]


def frame(view: View, screen: Screen) -> RenderableType:
    """Return what is known as one frame; what has no room is counted in it."""
    head = [Text(line, style=style) for line, style in header(view, screen)]
    groups = grouped([one.finding for one in view.findings])
    wants = [len(view.newest), len(view.tools) + 1, sum(map(len, blocks(groups, screen)))]
    rows = shares(wants, screen, sum(lines_of(one, screen.width) for one in head))
    parts = [
        *head,
        Text(""),
        *fills(view, screen, rows[0]),
        Text(""),
        *arrivals(view, screen, rows[1]),
        Text(""),
        *noticed(view, groups, screen, rows[2]),
    ]
    if screen.keys:
        parts.append(Text(KEYS, style="dim"))
    return Lines(*parts)


def shares(wants: Sequence[int], screen: Screen, head: int) -> list[int]:
    """Return how many lines each section gets: fair shares of what the header leaves."""
    if screen.height is None:
        return list(wants)
    # Each section may need a line for what it has no room for.
    room = screen.height - head - (SPACE + 1) * len(wants) - screen.keys
    most = level(wants, max(room, len(wants)))
    return [min(one, most) for one in wants]


def lines_of(text: Text, width: int) -> int:
    """Return how many lines a text takes."""
    return max(1, -(-text.cell_len // max(width, 1)))


def header(view: View, screen: Screen) -> Iterator[tuple[str, str]]:
    """Yield the first lines: what is watched, the requests, and what is not in the ledger."""
    at = datetime.fromtimestamp(view.at, UTC).strftime("%H:%M:%S UTC")
    yield f"{shown(view.path, screen.width)} · {runs_of(view)} · {at}", "bold"
    if view.left:
        yield f"Reading what is there: {view.there - view.left} of {view.there} requests", "yellow"
    requests = view.requests
    words = [
        many(requests.all, "request"),
        f"{view.minute} in the last minute",
        f"{requests.failed} failed",
        many(requests.conversations, "conversation"),
    ]
    yield " · ".join(words), "red" if requests.failed else ""
    yield not_recorded(view)
    if view.shortened.compactions:
        yield shortened_words(view.shortened), ""
    if view.older:
        yield f"Not shown: {many(view.older, 'older run')} (--since all)", "dim"
    if view.gone:
        yield f"Taken out of the ledger meanwhile: {many(view.gone, 'run')}", "yellow"


def shortened_words(one: Shortened) -> str:
    """Say how often histories were shortened by Ullage, by what, and which handles were used."""
    by = f" by {', '.join(one.rules)}" if one.rules else ""
    use = one.recall
    asked = f" · {use.used} of {many(use.offered, 'handle')} used" if use.offered else ""
    return (
        f"Shortened by Ullage: {many(one.compactions, 'time')}, last {one.tier}: "
        f"{one.tokens_before} → {one.tokens_after} tokens{by}{asked}"
    )


def runs_of(view: View) -> str:
    """Name the run, or the newest of several."""
    if not view.runs:
        return "no run yet"
    newest = shown(view.runs[0], WIDEST_NAME)
    return f"run {newest}" if len(view.runs) == 1 else f"{len(view.runs)} runs, newest {newest}"


def not_recorded(view: View) -> tuple[str, str]:
    """Say what could not be kept, and why the last time."""
    if not view.not_recorded:
        return "Not recorded: nothing", ""
    why = shown(view.why_not or "", LONGEST_REASON)
    return f"Not recorded: {many(view.not_recorded, 'record')}" + (
        f" ({why})" if why else ""
    ), "red"


def fills(view: View, screen: Screen, rows: int) -> Iterator[RenderableType]:
    """Yield the newest requests with how full their windows were."""
    yield Text("Window fill of the newest requests", style="bold")
    if not view.newest:
        yield Text("  no request to a model yet", style="dim")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 1), show_header=False)
    anyone_failed = any(one.failed for one in view.newest[:rows])
    wide = screen.width >= WIDE
    several = len(view.runs) > 1
    for one in view.newest[:rows]:
        share = one.share
        style = "red" if (share or 0) >= FULL else "yellow" if (share or 0) >= NEARLY else ""
        at = datetime.fromtimestamp(one.ended, UTC).strftime("%H:%M:%S")
        cells = [f"  #{one.number}", at]
        if wide:
            cells += [shown(one.model or NO_FIGURE, NARROWEST_NAME)]
            cells += [shown(one.run, NARROWEST_NAME)] if several else []
        cells += [tokens(one), percent(share) if share is not None else NO_FIGURE]
        cells += [bar(share)] if wide else []
        cells += ["failed" if one.failed else ""] if anyone_failed else []
        table.add_row(*(Text(cell, style=style) for cell in cells))
    yield table
    yield from more(len(view.newest) - rows, "earlier request")


def tokens(one: Fill) -> str:
    """Return the prompt's tokens of its window; `~` marks an estimate."""
    if one.tokens is None:
        return NO_FIGURE
    mark = "~" if one.by == "estimate" else ""
    return f"{mark}{one.tokens} of {NO_FIGURE if one.window is None else one.window}"


def bar(share: float | None) -> str:
    """Return a bar of a share; over a whole one it is full."""
    if share is None:
        return ""
    filled = min(BAR, round(share * BAR))
    return "█" * filled + "░" * (BAR - filled)


def arrivals(view: View, screen: Screen, rows: int) -> Iterator[RenderableType]:
    """Yield what arrived of each tool's results."""
    behind = f" (as of {view.behind:.0f} s ago)" if view.behind >= 1 else ""
    yield Text(f"Arrival by tool{behind}", style="bold")
    if not view.tools:
        yield Text(f"  {nothing_produced(view)}", style="dim")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim")
    table.add_column("  tool", overflow="fold")
    for name in ("calls", "cut", "broken", "records arrived"):
        table.add_column(name, justify="right")
    widest = WIDEST_NAME if screen.width >= WIDE else NARROWEST_NAME
    for one in view.tools[: max(rows - 1, 1)]:
        style = "red" if one.broken else "yellow" if one.cut else ""
        cells = [f"  {shown(one.tool, widest)}", *figures(one)]
        table.add_row(*(Text(cell, style=style) for cell in cells))
    yield table
    yield from more(len(view.tools) - max(rows - 1, 1), "other tool")
    if view.unknown:
        yield Text(
            f"  produced side unknown: {view.unknown} of {view.delivered_results} tool results"
        )


def figures(one: ToolArrival) -> list[str]:
    """Return the figures of one tool; n/a where no request carried a result of it."""
    if not one.seen:
        return [str(one.calls), NO_FIGURE, NO_FIGURE, NO_FIGURE]
    share = one.arrived / one.records if one.records else None
    arrived = f"{one.arrived} of {one.records} ({percent(share)})"
    cells = [str(one.calls), str(one.cut), str(one.broken)]
    return [*cells, arrived if one.records else NO_FIGURE]


def nothing_produced(view: View) -> str:
    """Say why there is nothing to measure."""
    if view.unknown:
        known = f"the produced side is unknown for {many(view.unknown, 'tool result')}"
        return f"{known}: record it with @ullage.record_tool"
    return "no tool result yet"


def noticed(
    view: View, groups: Sequence[Group], screen: Screen, rows: int
) -> Iterator[RenderableType]:
    """Yield the newest findings, the newest first, and what to do about the chosen one."""
    total = view.severities.total()
    kinds = ", ".join(
        many(view.severities[one], one) for one in WORST_FIRST if view.severities[one]
    )
    yield Text(f"Newest findings ({kinds})" if total else "Findings: none", style="bold")
    found = blocks(groups, screen)
    start = first_shown([len(one) for one in found], screen.chosen, rows)
    yield from more(start, "newer kind")
    left = rows
    for at in range(start, len(groups)):
        if len(found[at]) > left and at > start:
            yield from more(len(groups) - at, "other kind")
            return
        yield Text(found[at][0], style=COLOURS[groups[at].severity])
        yield from (Text(line) for line in found[at][1:])
        left -= len(found[at])
    shown_now = sum(one.count for one in groups)
    yield from more(total - shown_now, "earlier finding")


def first_shown(lengths: Sequence[int], chosen: int, rows: int) -> int:
    """Return which group is shown first, so that there is room for the chosen one."""
    last = min(chosen, len(lengths) - 1)
    start = 0
    while start < last and sum(lengths[start : last + 1]) > rows:
        start += 1
    return start


def blocks(groups: Sequence[Group], screen: Screen) -> list[list[str]]:
    """Return the lines of each group; the chosen one's are first in full."""
    chosen = min(screen.chosen, len(groups) - 1)
    found = []
    for at, one in enumerate(groups):
        mark = ">" if at == chosen else " "
        lines = wrapped(f"{mark} {one.severity} {finding_line(one)}", screen.width)
        if at == chosen:
            advice = next((later.advice for later in groups[at:] if later.advice), None)
            places = [places_line(one)] if one.places else []
            for words in [*places, *([advice] if advice else [])]:
                lines += wrapped(words, screen.width)
        found.append(lines)
    return found


def wrapped(words: str, width: int) -> list[str]:
    """Return a text in lines of at most `width` columns, all but a mark's two columns indented."""
    first = "" if words[:2] in ("> ", "  ") else "  "
    return textwrap.wrap(
        printable(words),
        max(width, 20),
        initial_indent=first,
        subsequent_indent="  ",
        drop_whitespace=True,
        break_on_hyphens=False,
    )


def more(count: int, noun: str) -> Iterator[Text]:
    """Say how many there was no room for."""
    if count > 0:
        yield Text(f"  and {many(count, noun)}", style="dim")


def shown(words: str, limit: int) -> str:
    """Return a name as it may stand in a terminal, its length stated where it is too long."""
    return excerpt(printable(words), limit)


def members(view: View) -> dict[str, object]:
    """Return the members of `ullage.watch/1`, in their order."""
    requests = view.requests
    return {
        "ledger": view.path,
        "at": view.at,
        "runs": list(view.runs),
        "older_runs": view.older,
        "requests": {
            "all": requests.all,
            "last_minute": view.minute,
            "failed": requests.failed,
            "to_model": requests.to_model,
            "conversations": requests.conversations,
        },
        "window": [{**asdict(one), "share": one.share} for one in view.newest],
        "tools": [asdict(one) for one in view.tools],
        "delivered_results": view.delivered_results,
        "produced_unknown": view.unknown,
        "not_recorded": view.not_recorded,
        "shortened": view.shortened.to_dict(),
        "summary": {"by_severity": dict(view.severities), "findings": view.severities.total()},
        "findings": [finding_members(one) for one in view.findings],
    }


def finding_members(one: Noticed) -> dict[str, object]:
    """Return one of the newest findings, with its time."""
    return {"at": one.at, **one.finding.to_dict()}
