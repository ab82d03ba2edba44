"""The head of the page: one plain sentence, the figures, and what was read and what was not."""

from collections import Counter
from dataclasses import dataclass

from ullage.checks.flow import Flow
from ullage.checks.scan import Scan
from ullage.cutter.excerpt import excerpt
from ullage.report.page.markup import Safe, joined, tag
from ullage.report.page.pieces import details, many, number, percent, section

MOST_NAMES = 40
LONGEST = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """How many results were cut or broken: `measured` ones against what was produced.

    `judged` ones are those of which only the delivered text is known and a check says so.
    """

    results: int
    measured: int
    cut: int
    broken: int
    judged_cut: int
    judged_broken: int


def lost_of(scan: Scan, flow: Flow) -> Lost:
    """Count what was lost."""
    found = [one for one in scan.measurement.results if one.arrival is not None]
    alone = [one for one in scan.profile.sessions if not one.measured]
    return Lost(
        results=scan.measurement.delivered_results or flow.given.results,
        measured=len(found),
        cut=sum(one.arrival.lost for one in found if one.arrival is not None),
        broken=sum(one.arrival.valid is False for one in found if one.arrival is not None),
        judged_cut=sum(one.cut for one in alone),
        judged_broken=sum(one.broken for one in alone),
    )


def sentence(scan: Scan, lost: Lost) -> str:
    """Say in one sentence what was lost, where, and how sure that is."""
    if not lost.results and not lost.measured:
        return "No tool result was found in what was read, so nothing can be said of its arrival."
    cut = lost.cut + lost.judged_cut
    where = place(scan)
    if lost.measured and lost.cut:
        words = (
            f"{number(lost.cut)} of {many(lost.measured, 'tool result')} "
            f"({percent(lost.cut, lost.measured)}) did not reach the model whole{where}"
        )
        more = f"; {number(lost.judged_cut)} more show by themselves that they were cut"
        return f"{words}{more if lost.judged_cut else ''}. {surety(scan, lost)}"
    if cut:
        words = f"{number(cut)} of {many(lost.results, 'tool result')} were cut{where}"
        return f"{words}. {surety(scan, lost)}"
    if lost.measured:
        return f"No loss was found in {many(lost.measured, 'tool result')}. {surety(scan, lost)}"
    return (
        f"No cut shows in {many(lost.results, 'tool result')}, but what the tools produced was "
        "not recorded: a cut that leaves no sign would not show."
    )


def place(scan: Scan) -> str:
    """Return the boundary at which most results lost something, in words."""
    losses = [one.boundary for one in scan.measurement.results if one.boundary is not None]
    losses = losses or [
        one.boundary
        for one in scan.findings
        if one.boundary and one.tool and one.severity != "note"
    ]
    found = Counter(losses).most_common(1)
    if not found:
        return ""
    ((boundary, count),) = found
    share = "" if len(losses) == 1 else "all " if count == len(losses) else "most of them "
    return f", {share}at the boundary “{boundary}”"


def surety(scan: Scan, lost: Lost) -> str:
    """Say what the sentence rests on."""
    unknown = scan.measurement.unknown
    if not lost.measured:
        return (
            "Judged from the delivered texts alone: what the tools produced was not recorded, so "
            "there may be more."
        )
    if unknown:
        return (
            f"Measured against what was produced; for {many(unknown, 'more result')} that is not "
            "known."
        )
    return "Measured: every one was held against what its tool produced."


def head(scan: Scan, flow: Flow, title: str) -> Safe:
    """Return the head of the page."""
    lost = lost_of(scan, flow)
    return section(
        "summary",
        title,
        tag("p", sentence(scan, lost), class_="sentence"),
        tag("dl", *figures(scan, lost), class_="figures"),
        read_words(scan),
        level="h1",
    )


def figures(scan: Scan, lost: Lost) -> list[Safe]:
    """Return the figures of the head."""
    found = Counter(one.severity for one in scan.findings)
    sessions = len(scan.profile.sessions) or scan.measurement.requests.conversations
    known = "measured" if lost.measured else "by the delivered text"
    results = lost.results or lost.measured
    return [
        figure("sessions", sessions, f"in {many(scan.read.files, 'file')}"),
        figure("tool results", results, f"{number(lost.measured)} measured"),
        figure("cut", lost.cut + lost.judged_cut, known, "bad"),
        figure("broken syntax", lost.broken + lost.judged_broken, known, "bad"),
        figure("errors", found["error"], "findings", "bad"),
        figure("warnings", found["warning"], "findings", "odd"),
        figure("notes", found["note"], "findings"),
    ]


def figure(name: str, value: int, more: str, kind: str | None = None) -> Safe:
    """Return one figure; only one that is not nothing has a colour."""
    words = tag("dd", tag("b", number(value)), tag("small", more))
    return tag("div", tag("dt", name), words, class_=kind if value else None)


def read_words(scan: Scan) -> Safe:
    """Say what was read, and what was not."""
    read, one = scan.read, scan.measurement
    items = [
        f"Read: {many(read.files, 'file')}, {many(read.records, 'record')}, "
        f"{many(one.requests.all, 'exchange')}."
    ]
    if one.unknown:
        items.append(
            f"The produced side is unknown for {number(one.unknown)} of "
            f"{many(one.delivered_results, 'tool result')} that the model was given."
        )
    if one.unseen:
        items.append(f"{many(len(one.unseen), 'recorded result')} stand in no recorded request.")
    if read.damaged:
        items.append(f"{many(read.damaged, 'damaged record')}: what was whole in them was read.")
    if one.requests.failed:
        items.append(f"{many(one.requests.failed, 'request')} failed and were given to no model.")
    if read.plain:
        items.append(f"{many(read.plain, 'record')} hold nothing of a model.")
    if read.unread:
        items.append(f"{many(sum(read.unread.values()), 'record')} of a kind that is not read.")
    if read.passed_over:
        items.append(f"{many(len(read.passed_over), 'file')} passed over.")
    if not (one.unknown or read.damaged or read.unread or read.passed_over):
        items.append("Nothing was passed over.")
    named = [f"{kind}: {number(count)}" for kind, count in Counter(read.unread).most_common()]
    return joined(
        tag("ul", *(tag("li", item) for item in items), class_="read"),
        listed("Kinds of records that are not read", named),
        listed(
            "Files that were passed over, and why",
            [excerpt(one, LONGEST) for one in read.passed_over],
        ),
    )


def listed(title: str, names: list[str]) -> Safe | None:
    """Return a list that opens; of very many the first, and how many more there are."""
    if not names:
        return None
    shown = [tag("li", one) for one in names[:MOST_NAMES]]
    more = len(names) - MOST_NAMES
    return details(title, tag("ul", *shown), f"And {number(more)} more." if more > 0 else None)
