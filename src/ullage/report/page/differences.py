"""What arrives otherwise than under the first policy: bars from nought, and a result to open."""

from ullage.policies.field_diff import FieldDiff, field_diff
from ullage.policies.rates import Difference, FieldRate
from ullage.policies.replayed import PolicyOutcome, Replayed
from ullage.report.page.markup import Safe, joined, tag
from ullage.report.page.pieces import NA, cell, lead, number, percent, section, table
from ullage.report.rates import points

MOST = 300
"""So many rows of a table are written at most; the CSV form has all of them."""


def differences(found: Replayed) -> Safe | None:
    """Return the section; None where there is one policy."""
    first, *others = found.policies
    if not others:
        return None
    return section(
        "difference",
        f"What arrives otherwise than under {first.name}",
        lead(
            "In percentage points of the records, furthest apart first. Both policies saw the same "
            "results, so the interval, the line over a bar, is that of the pairs, by session. "
            "What to open is the first result in which that policy delivers more, or less."
        ),
        *(difference_table(first, other) for other in others),
    )


def difference_table(first: PolicyOutcome, other: PolicyOutcome) -> Safe:
    """Return the parts and fields that differ under one policy."""
    rows = field_diff(first, other)
    if not rows:
        return tag("p", f"{other.name}: every part and field arrives alike.")
    return table(
        f"{other.name} less {first.name}.{shown(len(rows))}",
        ("Part, or field", "Points", first.name, other.name, "Open"),
        [
            [
                what(one.first),
                cell(gap_bar(one.difference), by=one.points),
                cell(percent(one.first.by_record.share), by=one.first.by_record.share),
                cell(percent(one.other.by_record.share), by=one.other.by_record.share),
                opened(one),
            ]
            for one in rows[:MOST]
        ],
        sortable=True,
    )


def what(one: FieldRate) -> Safe:
    """Return the tool, and under it the part and its field."""
    field = None if one.field is None else joined(" ", tag("b", one.field))
    return joined(one.tool, tag("small", tag("span", one.path), field, class_="of"))


def gap_bar(one: Difference) -> Safe:
    """Draw a difference to the right or left of nought, its interval over it, and write both."""
    middle = 50 * (1 + one.points)
    left, right = min(50.0, middle), max(50.0, middle)
    drawn = tag(
        "svg",
        tag("rect", class_="ground", width=100, height=12),
        tag(
            "rect",
            class_="kept" if one.points > 0 else "lost",
            x=f"{left:.2f}",
            width=f"{right - left:.2f}",
            height=12,
        ),
        tag("path", class_="axis", d="M50 0V12"),
        whisker(one),
        viewBox="0 0 100 12",
        preserveAspectRatio="none",
        class_="bar",
        aria_hidden="true",
        focusable="false",
    )
    return joined(drawn, tag("span", points(one), class_="nowrap"))


def whisker(one: Difference) -> Safe | None:
    """Draw an interval, where sessions differ."""
    if one.interval is None or one.interval.low >= one.interval.high:
        return None
    low, high = 50 * (1 + one.interval.low), 50 * (1 + one.interval.high)
    return tag(
        "path", class_="whisker", d=f"M{low:.2f} 6H{high:.2f}M{low:.2f} 2V10M{high:.2f} 2V10"
    )


def opened(one: FieldDiff) -> Safe:
    """Return where a result stands that shows a difference, and its records under both."""
    apart = one.other.apart
    if apart is None:
        return tag("td", NA, class_="na")
    records = f"{number(apart.first)} against {number(apart.other)} of {number(apart.of)}"
    return tag("td", apart.example.place, tag("small", records, class_="of"), class_="place")


def shown(rows: int) -> str:
    """Say how many rows of a table are written, where that is not all."""
    return f" Shown are the first {MOST} of {number(rows)}." if rows > MOST else ""
