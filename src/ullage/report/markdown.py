"""A scan as Markdown, for the summary of a step: a table of the findings, details folded."""

import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence

from ullage.checks.checklist import Item
from ullage.checks.gate import Gate
from ullage.report.audit import Audit
from ullage.report.findings import Group, alike, grouped, named, worst_first
from ullage.report.gate import gate_lines
from ullage.report.scan import opening
from ullage.report.spelled import spelled
from ullage.transcript.counted import many
from ullage.transcript.finding import Finding

MOST_PLACES = 20
MARKS = re.compile(r"([\\`*_\[\]|~#])")


def markdown_text(audit: Audit) -> str:
    """Return the page: numbers, the checklist if it is wanted, a table, then what to do."""
    new = named(audit.gate.new, audit.places.name)
    found = worst_first(new)
    blocks = [
        f"## Ullage: {headline(audit.gate)}",
        "\n".join(f"- {cell(line.strip())}" for line in opening(audit.scan)),
        *(["### Silent failures", *checklist_blocks(audit.items)] if audit.checklist else []),
        *(["### Findings", finding_table(found), *all_details(found)] if found else []),
        *map(cell, gate_lines(audit.gate)),
    ]
    return "\n\n".join(blocks) + "\n"


def headline(gate: Gate) -> str:
    """Return how many findings there are, and how many of them count."""
    new = len(gate.new)
    rest = len(gate.judged) - new
    words = many(new, "finding") if new else "nothing found"
    return f"{words} (and {rest} known or suppressed)" if rest else words


def checklist_blocks(items: Sequence[Item]) -> Iterator[str]:
    """Yield the four silent failures as a table."""
    rows = [
        (one.failure, one.status, many(one.judged, one.unit), one.why, one.defence) for one in items
    ]
    yield table(("failure", "status", "judged", "why", "defence"), rows)


def finding_table(found: Sequence[Finding]) -> str:
    """Return the groups of like findings as a table."""
    rows = [
        (
            one.severity,
            one.check,
            one.boundary or "n/a",
            one.tool or "",
            str(one.count),
            places(one, 1),
        )
        for one in grouped(found)
    ]
    return table(("severity", "check", "boundary", "tool", "findings", "where"), rows)


def places(group: Group, most: int) -> str:
    """Return the first few places of a group, and how many more there are."""
    shown = ", ".join(group.places[:most])
    more = len(group.places) - most
    return f"{shown} and {more} more" if more > 0 else shown


def all_details(found: Sequence[Finding]) -> Iterator[str]:
    """Yield what to do about each group of like findings."""
    for group, together in zip(grouped(found), alike(found), strict=True):
        yield details(group, together[0])


def details(group: Group, first: Finding) -> str:
    """Return what to do about a group, its places and the figures of its first, folded."""
    title = f"{group.check}{f' · {group.tool}' if group.tool else ''}"
    evidence = json.dumps(dict(first.evidence), indent=2, ensure_ascii=True, default=str)
    fence = "`" * max(3, 1 + longest_run(evidence))
    where = places(group, MOST_PLACES)
    lines = [
        f"<details><summary>{label(title)}: what to do</summary>",
        cell(first.advice),
        *([f"Where: {cell(where)}"] if where else []),
        "Figures of the first:",
        f"{fence}json\n{evidence}\n{fence}",
        "</details>",
    ]
    return "\n\n".join(lines)


def longest_run(text: str) -> int:
    """Return how many backticks stand together at the most."""
    return max(map(len, re.findall("`+", text)), default=0)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; each row has as many cells as the head."""
    lines = [head, ["---"] * len(head), *([cell(text) for text in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(text: str) -> str:
    """Return a text on one line, with nothing in it that Markdown or HTML would take for a sign."""
    return MARKS.sub(r"\\\1", label(text))


def label(text: str) -> str:
    """Return a text on one line for the inside of an HTML tag, where Markdown's signs are none."""
    return html.escape(" ".join(spelled(text, keep="\n\r\t").split()), quote=False)
