"""A scan as it is judged: what every form of its report is made from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ullage.checks.catalog import rule
from ullage.checks.checklist import Item
from ullage.checks.gate import Gate, Judged
from ullage.checks.places import Places
from ullage.checks.scan import Scan
from ullage.transcript.finding import Finding


def at_least_warning(finding: Finding) -> bool:
    """Whether a finding fails a case where nothing says what is to fail."""
    return finding.severity != "note"


def no_page() -> str:
    """Refuse: nothing says how the texts are read again."""
    raise ValueError("this audit was made without what a page needs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What was scanned and how it was judged.

    `checks` are the names of all checks that ran; `fails` says which new findings fail the gate.
    `version` is our own. `page` makes the page for people, for which texts are read again.
    """

    scan: Scan
    gate: Gate
    items: Sequence[Item]
    places: Places
    checks: Sequence[str]
    version: str
    checklist: bool = False
    fails: Callable[[Finding], bool] = field(default=at_least_warning)
    page: Callable[[], str] = field(default=no_page)


def sentence(judged: Judged) -> str:
    """Return what was found and what to do, for a reader who sees nothing else of it."""
    found = judged.finding
    tool = f" Tool: {found.tool}." if found.tool else ""
    return f"{rule(found.check).what}{tool} {found.advice}".rstrip()


def standing(judged: Judged) -> str | None:
    """Return why a finding does not count, None for one that does."""
    if judged.state == "suppressed":
        return f"suppressed: {judged.reason}"
    return "known: it stands in the baseline" if judged.state == "known" else None
