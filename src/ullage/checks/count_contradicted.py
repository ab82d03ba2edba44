"""`count-contradicted`: a count in the data does not fit the rows that were delivered."""

from collections.abc import Iterator

from ullage.arrivals.asked import arguments_of, members
from ullage.arrivals.values import Json
from ullage.checks.page_limit_hit import LIMITS
from ullage.checks.records_in import Listing, listing_of
from ullage.checks.session import Result, Session, finding
from ullage.transcript.finding import Finding

NAME = "count-contradicted"

COUNTS = frozenset(
    [
        "count",
        "returned",
        "num_results",
        "numresults",
        "n_results",
        "result_count",
        "resultcount",
        "rows",
        "row_count",
        "rowcount",
        "num_rows",
        "length",
        "number_of_results",
        "size",
        "shown",
        "displayed",
        "items_count",
    ]
)
TOTALS = frozenset(["total", "total_count", "totalcount", "total_results", "totalresults"])
PAGES = ("page", "limit", "offset", "cursor", "next", "more", "per", "truncated", "size", "pages")
MONEY = ("currency", "subtotal", "price", "amount", "tax", "vat", "discount", "shipping")
LEAST_ROWS = 2


def check(session: Session) -> Iterator[Finding]:
    """Report each result whose own count is larger than its list, if nothing says why.

    A total beside fewer rows counts only where neither the call nor the result speaks of pages.
    Where the produced text is known its count must have fitted the rows produced.
    """
    for one in session.results:
        if not one.counted:
            continue
        found = listing_of(one.text)
        if found is None or len(found.rows) < LEAST_ROWS:
            continue
        named = contradicted(found, paged=is_paged(one, found))
        if named is None or was_so(one, named) or is_said(session, one):
            continue
        name, count = named
        advice = (
            f"The result of {one.tool} says {name}: {count} and holds {len(found.rows)}: rows were "
            "left out and the count was not changed. A model repeats the count. Cut by records, "
            "which says so: ullage.cut(result, ullage.chars(6000)).text"
        )
        evidence = {"field": name, "count": count, "rows": len(found.rows)}
        yield finding(session, one.entry, NAME, "warning", "budget", advice, evidence)


def contradicted(found: Listing, *, paged: bool) -> tuple[str, int] | None:
    """Return the count beside a list that is larger than it."""
    for name, value in found.beside.items():
        known = name.lower()
        if not is_count(value) or (known in TOTALS and (paged or is_money(found))):
            continue
        if (known in COUNTS or known in TOTALS) and int(str(value)) > len(found.rows):
            return name, int(str(value))
    return None


def is_count(value: Json) -> bool:
    """Whether a value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_money(found: Listing) -> bool:
    """Whether a total is one of a price: what stands beside it speaks of money."""
    names = {name.lower() for name in found.beside}
    return any(word in name for name in names for word in MONEY)


def is_paged(one: Result, found: Listing) -> bool:
    """Whether the call or the result speaks of pages."""
    names = {name for name, _ in members(arguments_of(one.call))}
    beside = [name.lower() for name in found.beside]
    return (
        bool(names & LIMITS)
        or any(word in name for name in beside for word in PAGES)
        or any(word in name for name in names for word in PAGES)
    )


def was_so(one: Result, named: tuple[str, int]) -> bool:
    """Whether the produced text contradicted itself already, as far as it is known."""
    if one.measured is None or not one.measured.produced:
        return False
    made = listing_of(one.measured.produced)
    return made is None or len(made.rows) != named[1]


def is_said(session: Session, one: Result) -> bool:
    """Whether the model is told of a cut."""
    if one.measured is not None:
        found = one.measured.arrival
        return found is not None and found.notice.grade != "none"
    shown = session.unknown.get(one.entry)
    return shown is not None and shown.mark is not None
