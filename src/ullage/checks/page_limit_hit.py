"""`page-limit-hit`: several calls of a tool produced exactly their limit, or one round number."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ullage.arrivals.asked import arguments_of, members
from ullage.checks.records_in import listing_of
from ullage.checks.session import Session
from ullage.transcript.finding import Finding, Source

NAME = "page-limit-hit"

LIMITS = frozenset(
    [
        "limit",
        "page_size",
        "pagesize",
        "top_k",
        "topk",
        "max_results",
        "maxresults",
        "per_page",
        "perpage",
        "count",
        "first",
        "n",
        "num_results",
        "numresults",
        "max_items",
        "maxitems",
        "size",
        "rows",
        "k",
        "top",
        "max_count",
        "maxcount",
    ]
)
LEAST_LIMIT = 3
ROUND = (10, 20, 25, 30, 40, 50, 100, 200, 250, 300, 500, 1000, 2000, 5000, 10000)
LEAST_HITS = 2
LEAST_ROUND_HITS = 3
MOSTLY = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One call with a list: how many records, the limit that it named, and where it stands."""

    records: int
    limit: tuple[str, int] | None
    key: int
    told: bool
    session: str
    source: Source
    call_id: str | None


@dataclass(slots=True)
class Pages:
    """Remembers how many records each call of each tool produced."""

    tools: defaultdict[tuple[str, str | None, str], list[Page]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, session: Session) -> None:
        """Take in one session."""
        whole = session.transcript
        for one in session.results:
            if not one.counted:
                continue
            text = one.measured.produced if one.measured else one.text
            found = listing_of(text)
            if found is None:
                continue
            entry = session.entries[one.entry]
            page = Page(
                records=len(found.rows),
                limit=limit_of(arguments_of(one.call)),
                key=hash(text),
                told=found.says_more,
                session=whole.session,
                source=entry.source if entry.source.path is not None else whole.source,
                call_id=entry.message.answers,
            )
            self.tools[whole.form, whole.agent, one.tool].append(page)

    def findings(self) -> Iterator[Finding]:
        """Give one finding a tool, at the first call that hit the limit."""
        for (_, _, tool), pages in self.tools.items():
            hits = named_limit_hits(pages)
            if hits is not None:
                yield report(tool, hits, pages, by="argument")
            elif (hits := round_hits(pages)) is not None:
                yield report(tool, hits, pages, by="round-number")


def limit_of(arguments: Mapping[str, Any]) -> tuple[str, int] | None:
    """Return the limit that a call named, None where it named none or several."""
    found = {
        (name, value)
        for name, value in members(arguments)
        if name in LIMITS and isinstance(value, int) and value >= LEAST_LIMIT
    }
    return found.pop() if len(found) == 1 else None


def named_limit_hits(pages: list[Page]) -> list[Page] | None:
    """Return the calls that produced exactly the limit they named, if that is what limits do."""
    limited = [one for one in pages if one.limit is not None]
    hits = [one for one in limited if one.limit and one.records == one.limit[1] and not one.told]
    if len({one.key for one in hits}) < LEAST_HITS or len(hits) < MOSTLY * len(limited):
        return None
    # A limit that is passed by is none.
    return None if any(one.limit and one.records > one.limit[1] for one in limited) else hits


def round_hits(pages: list[Page]) -> list[Page] | None:
    """Return the calls that produced one round number, where none produced more."""
    top = max(one.records for one in pages)
    if top not in ROUND:
        return None
    hits = [one for one in pages if one.records == top and not one.told]
    return hits if len({one.key for one in hits}) >= LEAST_ROUND_HITS else None


def report(tool: str, hits: list[Page], pages: list[Page], *, by: str) -> Finding:
    """Return the finding about one tool."""
    first = hits[0]
    counts = Counter(one.records for one in pages)
    names = sorted({one.limit[0] for one in hits if one.limit})
    what = f"its limit ({', '.join(names)})" if by == "argument" else "one round number of records"
    return Finding(
        check=NAME,
        severity="warning",
        boundary="produce",
        evidence={
            "by": by,
            "records": first.records,
            "hits": len(hits),
            "distinct": len({one.key for one in hits}),
            "calls": len(pages),
            "limit": names,
            "records_of_calls": {str(size): number for size, number in sorted(counts.items())},
        },
        advice=(
            f"{len(hits)} calls of {tool} produced exactly {what}, and nothing says whether there "
            "are more. Fetch one more than the limit, or return the total, so that the model knows "
            "that a page is not all."
        ),
        session=first.session,
        source=first.source,
        tool=tool,
        call_id=first.call_id,
    )
