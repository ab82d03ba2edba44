"""Findings in words, for a terminal: like ones together, each with what to do."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import get_args

from rich.console import Console
from rich.text import Text

from ullage.cutter.excerpt import excerpt
from ullage.report.spelled import spelled
from ullage.transcript.counted import many
from ullage.transcript.finding import Finding, Source
from ullage.transcript.words import Boundary, Severity

COLOURS = {"error": "red", "warning": "yellow", "note": "blue"}
SEVERITIES = get_args(Severity)
NOUNS = ("result", "exchange")
MOST_PLACES = 3
MOST_TEXTS = 3
LONGEST = 200
SHOWN_ITEMS = 5


def print_findings(console: Console, findings: Sequence[Finding], *, texts: bool = False) -> None:
    """Print findings, like ones together; with `texts`, what of the session they rest on."""
    for group, together in zip(grouped(findings), alike(findings), strict=True):
        console.print(
            Text.assemble((group.severity, COLOURS[group.severity]), " ", finding_line(group))
        )
        if group.places:
            console.print(Text(f"  {places_line(group)}"))
        for line in text_lines(together) if texts else ():
            console.print(Text(f"  {line}"))
        if group.advice:
            console.print(Text(f"  {group.advice}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Findings that differ in their figures only; `advice` is None where the next one says it."""

    check: str
    severity: Severity
    tool: str | None
    boundary: Boundary | None
    count: int
    noun: str
    places: Sequence[str]
    advice: str | None


def grouped(findings: Sequence[Finding]) -> list[Group]:
    """Group findings of one check, tool, boundary and place, in order of first appearance.

    Where their advice differs, in a size, the most frequent stands for all.
    """
    groups = []
    for together in alike(findings):
        first = together[0]
        ((advice, _),) = Counter(one.advice for one in together).most_common(1)
        groups.append(
            Group(
                check=first.check,
                severity=first.severity,
                tool=first.tool,
                boundary=first.boundary,
                count=len(together),
                noun=noun_of(first),
                places=[place for one in together if (place := place_of(one))],
                advice=advice,
            )
        )
    return [
        replace(one, advice=None) if after is not None and one.advice == after.advice else one
        for one, after in zip_longest(groups, groups[1:])
    ]


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings by their severity, errors first, else in their order."""
    return sorted(findings, key=lambda one: -SEVERITIES.index(one.severity))


def alike(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Return findings of one check, tool, boundary and place together."""
    found: dict[tuple[object, ...], list[Finding]] = {}
    for one in findings:
        key = (one.check, one.severity, one.tool, one.boundary, one.evidence.get("where"))
        found.setdefault(key, []).append(one)
    return list(found.values())


def text_lines(together: Sequence[Finding]) -> Iterator[str]:
    """Yield the texts that like findings rest on, the first few, each on a line."""
    found = dict.fromkeys(line for one in together for line in shown_evidence(one))
    for _, line in zip(range(MOST_TEXTS), found, strict=False):
        yield excerpt(spelled(line, keep=""), LONGEST)
    if len(found) > MOST_TEXTS:
        yield f"and {len(found) - MOST_TEXTS} more (all of them with --format json)"


def shown_evidence(finding: Finding) -> Iterator[str]:
    """Yield the texts on which a finding rests, each named."""
    for name in ("task", "instruction", "constraint", "done", "next"):
        said = finding.evidence.get(name)
        if isinstance(said, str):
            yield f"{name}: {' '.join(said.split())}"
    inverted = finding.evidence.get("inverted")
    if isinstance(inverted, dict):
        yield f"forbidden: {inverted['forbidden']}"
        yield f"now: {inverted['now']}"
    lost = finding.evidence.get("lost")
    if isinstance(lost, list):
        for _, text in zip(range(SHOWN_ITEMS), lost, strict=False):
            yield f"lost: {text}"
        if len(lost) > SHOWN_ITEMS:
            yield f"lost: {len(lost) - SHOWN_ITEMS} more (all of them with --format json)"


def noun_of(finding: Finding) -> str:
    """Return what a finding is about."""
    about = "result" if finding.source.line is None else "line"
    return next((noun for noun in NOUNS if noun in finding.evidence), about)


def place_of(finding: Finding) -> str | None:
    """Return where a finding is to be looked up: in a file, else as an exchange of its ledger."""
    path, line = finding.source.path, finding.source.line
    if path is None:
        return None
    number = finding.evidence.get("exchange")
    inside = f":{line}" if line is not None else f" exchange {number}" if number else ""
    call = f" ({finding.call_id})" if finding.call_id else ""
    return f"{path}{inside}{call}"


def named(findings: Sequence[Finding], name: Callable[[str], str]) -> list[Finding]:
    """Return findings in which a file is called as `name` calls it."""
    return [replace(one, source=source_named(one.source, name)) for one in findings]


def source_named(source: Source, name: Callable[[str], str]) -> Source:
    """Return a place in which the file is called as `name` calls it."""
    return source if source.path is None else replace(source, path=name(source.path))


def finding_line(group: Group) -> str:
    """Return a group's check, tool, boundary and number."""
    tool = f" · {group.tool}" if group.tool else ""
    times = f" · {many(group.count, group.noun)}" if group.count > 1 else ""
    return f"{group.check}{tool} · boundary {group.boundary or 'n/a'}{times}"


def places_line(group: Group) -> str:
    """Return the first few places of a group, and how many more there are."""
    shown = ", ".join(group.places[:MOST_PLACES])
    more = len(group.places) - MOST_PLACES
    return f"{shown}, and {more} more" if more > 0 else shown
