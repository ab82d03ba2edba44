"""The findings: a summary that needs no script, and the place of the list that the script fills."""

from collections import Counter
from collections.abc import Sequence
from typing import get_args

from ullage.checks.exhibits import Exhibits
from ullage.report.page.markup import Safe, joined, tag
from ullage.report.page.pieces import cell, lead, many, number, section, table
from ullage.transcript.finding import Finding
from ullage.transcript.words import Severity

FILTERS = ("severity", "check", "boundary", "tool", "session")
SEVERITIES = get_args(Severity)


def findings_section(findings: Sequence[Finding], exhibits: Exhibits) -> Safe:
    """Return the section."""
    if not findings:
        return section(
            "findings", "Findings", tag("p", "No check found a fault in what could be read.")
        )
    return section(
        "findings",
        "Findings",
        lead(
            f"{many(len(findings), 'finding')}. Each opens with its figures, what to do, and where "
            "it stands. ",
            texts_words(exhibits),
        ),
        by_check(findings),
        tag("form", *controls(), class_="filters needs-script", id="filters", role="search"),
        tag("p", id="count", role="status", aria_live="polite"),
        tag("ol", id="list", aria_label="Findings"),
        pager(),
        tag(
            "noscript", tag("p", "The list of findings needs JavaScript; the table above does not.")
        ),
    )


def texts_words(exhibits: Exhibits) -> str:
    """Say how many findings are shown with their texts."""
    if not exhibits.per_check:
        return "Texts were left out (--examples 0)."
    return (
        f"The first {number(exhibits.per_check)} of each check about one result are shown with its "
        "text, as excerpts; secrets of a known shape are taken out."
    )


def by_check(findings: Sequence[Finding]) -> Safe:
    """Return a table of the checks that found something."""
    counts = Counter((one.severity, one.check, one.boundary or "n/a") for one in findings)
    ordered = sorted(counts.items(), key=lambda one: (-SEVERITIES.index(one[0][0]), -one[1]))
    return table(
        "Findings by check",
        ("Check", "Severity", "Boundary", "Findings"),
        [
            (
                tag("a", check, href=f"#check={check}&boundary={boundary}"),
                tag("td", badge(severity)),
                tag("td", boundary),
                cell(number(count), by=count),
            )
            for (severity, check, boundary), count in ordered
        ],
        sortable=True,
    )


def badge(severity: str) -> Safe:
    """Return a severity as a word with its colour."""
    return tag("span", severity, class_=f"badge {severity}")


def controls() -> list[Safe]:
    """Return the filters; the script fills in what there is to choose."""
    picks = [
        tag("label", name.capitalize(), tag("select", id=f"filter-{name}", name=name))
        for name in FILTERS
    ]
    text = tag(
        "label", "Text", tag("input", type="search", id="filter-q", name="q", autocomplete="off")
    )
    return [*picks, text, tag("button", "Clear", type="reset", id="clear")]


def pager() -> Safe:
    """Return the buttons between pages of the list."""
    return tag(
        "nav",
        joined(
            tag("button", "Back", type="button", id="back"),
            tag("span", id="page-number"),
            tag("button", "Next", type="button", id="next"),
        ),
        class_="pager needs-script",
        aria_label="Pages of findings",
    )
