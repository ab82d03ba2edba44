"""Arrival per tool, part and field: bars with their intervals."""

from collections.abc import Iterator, Mapping

from ullage.arrivals.rates import CallRate
from ullage.checks.lengths import Lengths
from ullage.checks.scan import Scan
from ullage.report.page.markup import Safe, tag
from ullage.report.page.pieces import NA, cell, lead, many, number, section, share_bar, table

MOST = 300
"""So many rows are written at most, those that lost most first."""


def arrival_section(scan: Scan, tools: Mapping[str, Lengths]) -> Safe:
    """Return the section."""
    rows = sorted(all_rows(scan), key=lambda row: (row[1].by_call is None, row[1].by_call or 0.0))
    unknown = {tool: of for tool, of in tools.items() if of.known < of.all.total()}
    inside: list[Safe] = []
    if rows:
        left = len(rows) - MOST
        said = f" Shown are the {MOST} lowest of {number(len(rows))}." if left > 0 else ""
        inside.append(
            table(
                f"Arrival by tool, part and field.{said}",
                ("Tool", "Part", "Field", "Calls", "Arrived whole in", "Records", "Of all records"),
                [row_cells(tool, rate) for tool, rate in rows[:MOST]],
                sortable=True,
            )
        )
    if unknown:
        inside.append(unknown_words(unknown))
    if not inside:
        inside.append(tag("p", f"{NA}: no tool result was read.", class_="na"))
    return section(
        "arrival",
        "What arrived, by tool, part and field",
        lead(
            "A call counts when all records of the part, or all values of the field, arrived. The "
            "line over a bar is Wilson's 95 % interval; few calls make it long."
        ),
        *inside,
    )


def all_rows(scan: Scan) -> Iterator[tuple[str, CallRate]]:
    """Give the parts and the fields of every tool, those of which anything was produced."""
    for tool, rates in scan.measurement.by_tool.items():
        for one in (*rates.parts, *rates.fields):
            if one.calls:
                yield tool, one


def row_cells(tool: str, rate: CallRate) -> tuple[str | Safe, ...]:
    """Return the cells of one part or field."""
    return (
        tool,
        tag("td", rate.path),
        tag("td", rate.field or "(all)"),
        cell(number(rate.calls), by=rate.calls),
        cell(share_bar(rate.whole, rate.calls), by=rate.by_call),
        cell(f"{number(rate.delivered)} of {number(rate.produced)}", by=rate.delivered),
        cell(share_bar(rate.delivered, rate.produced), by=rate.by_record),
    )


def unknown_words(tools: Mapping[str, Lengths]) -> Safe:
    """Name the tools of which it is not known what they produced."""
    rows = sorted(tools.items(), key=lambda one: -(one[1].all.total() - one[1].known))
    left = len(rows) - MOST
    said = f" The {MOST} with most results of {number(len(rows))}." if left > 0 else ""
    return table(
        f"Produced side unknown, so arrival is n/a ({many(len(rows), 'tool')}).{said}",
        ("Tool", "Results", "Of them unknown", "Arrival"),
        [
            (
                tool,
                cell(number(of.all.total()), by=of.all.total()),
                cell(number(of.all.total() - of.known), by=of.all.total() - of.known),
                tag("td", NA, class_="na"),
            )
            for tool, of in rows[:MOST]
        ],
        sortable=True,
    )
