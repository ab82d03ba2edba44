"""What several sections of the page draw and write alike."""

from collections.abc import Iterable, Sequence

from ullage.report.page.markup import Child, Safe, joined, tag
from ullage.stats.wilson import wilson

NA = "n/a"
SERIAL = "\u2009"
"""A thin space between thousands: no country reads it as a decimal point."""


def number(value: float | None) -> str:
    """Write a number; n/a where it is not known."""
    if value is None:
        return NA
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}".replace(",", SERIAL)
    return f"{value:,.1f}".replace(",", SERIAL)


def many(count: int, noun: str, plural: str | None = None) -> str:
    """Write a count with its noun."""
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"


def percent(part: float | None, whole: float | None = 1) -> str:
    """Write a share; n/a where there is nothing of which it could be one."""
    if part is None or not whole:
        return NA
    share = 100 * part / whole
    return f"{share:.0f} %" if share in (0, 100) else f"{share:.1f} %"


def section(name: str, title: str, *children: Child, level: str = "h2") -> Safe:
    """Return one section of the page."""
    head = tag(level, title, id=f"{name}-title")
    return tag("section", head, *children, id=name, aria_labelledby=f"{name}-title")


def lead(*words: Child) -> Safe:
    """Return the sentence or two that say what a section shows."""
    return tag("p", *words, class_="lead")


def table(
    caption: str, heads: Sequence[str], rows: Iterable[Iterable[Child]], *, sortable: bool = False
) -> Safe:
    """Return a table in a frame that scrolls by itself where the screen is narrow.

    The first column names the row. A cell that is a `cell` says by itself what it sorts by.
    """
    columns = [
        tag("th", tag("button", one, type="button") if sortable and one else one, scope="col")
        for one in heads
    ]
    body = [tag("tr", *(as_cell(one, at) for at, one in enumerate(row))) for row in rows]
    inside = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *columns)),
        tag("tbody", *body),
        class_="sortable" if sortable else None,
    )
    return tag("div", inside, class_="scroll", tabindex=0, role="region", aria_label=caption)


def as_cell(child: Child, at: int) -> Safe:
    """Return a child as a cell of its row."""
    if isinstance(child, Safe) and child.startswith("<td"):
        return child
    return tag("th", child, scope="row") if at == 0 else tag("td", child)


def cell(*children: Child, by: float | None = None) -> Safe:
    """Return a cell of figures; `by` is what it sorts by, -1 stands for n/a."""
    return tag("td", *children, class_="figure", data_by=-1 if by is None else round(by, 6))


def share_bar(successes: int, n: int) -> Safe:
    """Draw a share as a bar with Wilson's 95 % interval over it, and write both."""
    if not n:
        return tag("span", NA, class_="na")
    found = wilson(successes, n)
    return bar(found.estimate, (found.low, found.high))


def bar(share: float, bounds: tuple[float, float] | None) -> Safe:
    """Draw a share as a bar with its interval over it, if it has one, and write both."""
    low, high = (100 * bounds[0], 100 * bounds[1]) if bounds else (0.0, 0.0)
    across = f"M{low:.2f} 6H{high:.2f}M{low:.2f} 2V10M{high:.2f} 2V10"
    drawn = tag(
        "svg",
        tag("rect", class_="ground", width=100, height=12),
        tag("rect", class_="kept", width=round(100 * share, 2), height=12),
        tag("path", class_="whisker", d=across) if bounds else None,
        viewBox="0 0 100 12",
        preserveAspectRatio="none",
        class_="bar",
        aria_hidden="true",
        focusable="false",
    )
    words = f"{percent(share)}{f' ({low:.0f} to {high:.0f})' if bounds else ''}"
    return joined(drawn, tag("span", words, class_="nowrap"))


def details(title: str, *children: Child) -> Safe:
    """Return something that is there for those who open it."""
    return tag("details", tag("summary", title), *children)
