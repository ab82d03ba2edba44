"""A ledger's runs and requests in tables, for a terminal."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullage.checks.request_log import Carried, Logged
from ullage.checks.request_read import Read
from ullage.checks.trims import Trim
from ullage.cutter.excerpt import excerpt
from ullage.ledger.summary import RunSummary
from ullage.report.arrival import percent
from ullage.wire.body_parts import Part

WIDEST = 60
LONGEST_ERROR = 200
NARROW = 160
"""Columns under which a request is a sentence."""

NO_FIGURE = "n/a"


def print_runs(console: Console, runs: Sequence[RunSummary]) -> None:
    """Print each run with what arrived of its records, and its score."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    table.add_column("run")
    shortened = any(one.compactions or one.recall.offered for one in runs)
    more = ("compactions", "handles used") if shortened else ()
    for name in ("requests", "results", "measured", "records arrived", "score", *more):
        table.add_column(name, justify="right")
    for one in runs:
        arrived = f"{one.records_arrived} of {one.records} ({percent(one.rate)})"
        table.add_row(
            Text(excerpt(one.run, WIDEST)),
            str(one.exchanges),
            str(one.results),
            str(one.measured),
            arrived if one.records else NO_FIGURE,
            NO_FIGURE if one.score is None else f"{one.score:g}",
            *([str(one.compactions), used_of(one)] if shortened else []),
        )
    console.print(table)


def used_of(one: RunSummary) -> str:
    """Return how many of the handles that were offered were used."""
    found = one.recall
    return f"{found.used} of {found.offered}" if found.offered else NO_FIGURE


def print_requests(
    console: Console, requests: Sequence[Logged], scores: Mapping[str, float]
) -> None:
    """Print each run's requests, one on a line, and below what they no longer said."""
    by_run: dict[str, list[Logged]] = {}
    for one in requests:
        by_run.setdefault(one.run, []).append(one)
    for at, (run, found) in enumerate(by_run.items()):
        score = f", score {scores[run]:g}" if run in scores else ""
        console.print(Text(f"{LINE if at else ''}run {excerpt(run, WIDEST)}{score}", style="bold"))
        if console.width < NARROW:
            for one in found:
                console.print(Text(sentence(one)))
        else:
            console.print(requests_table(found))
        for one in found:
            if one.failure is not None:
                console.print(Text(f"request {one.number}: {said(one.failure)}"))
            for trim in one.read.trims or ():
                console.print(Text(trim_line(one, trim)))


def said(failure: str) -> str:
    """Return why a request failed, on one line."""
    return excerpt(" ".join(failure.split()), LONGEST_ERROR)


def sentence(one: Logged) -> str:
    """Return one request as a sentence, for terminals that a table does not fit."""
    names = [name for name, _ in COLUMNS]
    found = dict(zip(names, cells(one), strict=True))
    parts = ", ".join(f"{part} {found[part]}" for part in PARTS if found[part] not in ("", "0"))
    words = [
        f"#{found['#']} {found['time (UTC)']} {found['status']} {found['request']}: "
        f"{found['messages']} messages, {found['tokens']} tokens ({parts or NO_FIGURE})",
        *(f"{name} {found[name]}" for name in ("server read", "trims", "arrived", "reply")),
    ]
    return ", ".join(words)


def requests_table(requests: Sequence[Logged]) -> Table:
    """Return the requests of one run; cells are folded where they must be, never cropped."""
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    for name, right in COLUMNS:
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    for one in requests:
        table.add_row(*(Text(cell) for cell in cells(one)))
    return table


LINE = "\n"
COLUMNS = (
    ("#", True),
    ("time (UTC)", False),
    ("request", False),
    ("status", False),
    ("messages", False),
    ("tokens", True),
    ("system", True),
    ("tools", True),
    ("data", True),
    ("history", True),
    ("images", True),
    ("reserve", True),
    ("server read", True),
    ("trims", True),
    ("arrived", True),
    ("reply", False),
)
PARTS: tuple[Part, ...] = ("system", "tools", "data", "history", "images", "reserve")


def cells(one: Logged) -> list[str]:
    """Return one request's line."""
    at = datetime.fromtimestamp(one.started, UTC).strftime("%H:%M:%S")
    rows = {row.part: str(row.tokens) for row in one.read.table}
    usage = one.read.usage
    return [
        str(one.number),
        at,
        asked(one),
        "failed" if one.status is None else str(one.status),
        messages(one.read),
        tokens(one.read),
        *(rows.get(part, "") for part in PARTS),
        NO_FIGURE if usage is None or usage.input is None else str(usage.input),
        trimmed(one.read),
        arrived(one.carried),
        " / ".join(filter(None, (one.read.label, one.read.finish_reason))) or NO_FIGURE,
    ]


def asked(one: Logged) -> str:
    """Return whose request it is, for which model; the path of one that is not read."""
    words = [one.agent, one.read.model if one.read.kind else one.path.partition("?")[0]]
    return excerpt(" ".join(word for word in words if word), WIDEST)


def messages(read: Read) -> str:
    """Return how many messages there are, by role."""
    if not read.messages:
        return NO_FIGURE
    roles = ", ".join(f"{count} {role}" for role, count in read.roles.items())
    return f"{read.messages} ({roles})"


def tokens(read: Read) -> str:
    """Return the tokens; an estimate has a sign of its own."""
    if read.tokens is None:
        return NO_FIGURE
    sign = "" if read.tokens.method == "exact" else "~"
    return f"{sign}{read.tokens.tokens}"


def trimmed(read: Read) -> str:
    """Return how many messages are gone or changed, `?` where that cannot be known."""
    if read.trims is None:
        return NO_FIGURE if read.conversation is None else "?"
    return str(len(read.trims))


def arrived(carried: Sequence[Carried]) -> str:
    """Return the rates of the results that a request was the first to carry."""
    return ", ".join(percent(one.rate) for one in carried) or NO_FIGURE


def trim_line(one: Logged, trim: Trim) -> str:
    """Say what a request no longer said."""
    answers = f" (answer to {excerpt(trim.answers, WIDEST)})" if trim.answers else ""
    what = f"request {one.number}: message {trim.index}, {trim.role}{answers}"
    if trim.act == "changed":
        return f"{what}, was {trim.chars} characters and is {trim.chars_left} now"
    return f"{what}, {trim.chars} characters, is gone"
