"""The four silent failures: each passed, failed, or not observable, with its defence."""

from collections.abc import Mapping, Sequence

from ullage.checks.checklist import Failure, Item, Status
from ullage.report.page.markup import Safe, tag
from ullage.report.page.pieces import lead, many, section

NAMES: Mapping[Failure, str] = {
    "history-trimmed": "History trimmed",
    "history-summarised": "History summarised",
    "result-cut": "Tool result cut",
    "output-cut": "Output cut",
}
STATES: Mapping[Status, tuple[str, str]] = {
    "pass": ("pass", "✓ pass"),
    "fail": ("fail", "✗ fail"),
    "not observable": ("unseen", "? not observable"),
}


def checklist_section(items: Sequence[Item]) -> Safe:
    """Return the section."""
    return section(
        "checklist",
        "The four silent failures",
        lead("None of them raises an error. Not observable means: what was read cannot show it."),
        tag("ul", *(card(one) for one in items), class_="checklist"),
    )


def card(one: Item) -> Safe:
    """Return one failure."""
    kind, word = STATES[one.status]
    looked = f"{many(one.judged, one.unit)} looked at: " if one.judged else ""
    judged = f"{looked}{one.why}."
    return tag(
        "li",
        tag("b", NAMES[one.failure]),
        tag("strong", word),
        tag("small", judged),
        tag("small", f"Defence: {one.defence}."),
        class_=kind,
    )
