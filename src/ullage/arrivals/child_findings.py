"""Findings that a sub-agent wrote down, and which of them stand in what its parent was given.

A finding arrived if the parent's text has it as it is, or in other words: all that identifies it
(paths, ids, figures that no other finding has) and half of its words. It arrived in part if what
identifies it stands there: a line of an index. A mere number of findings is none of them.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ullage.arrivals.lines import texts_in
from ullage.arrivals.read import read
from ullage.arrivals.wording import content_words, names, squeezed, wording

_LINE = re.compile(r"^\W{0,6}finding\s*#?\s*\d+\s*[:.)-]\s*(?P<text>.*)$", re.IGNORECASE)
HALF = Fraction(1, 2)
MOST_WORDS = Fraction(3, 4)
"""So many words of a finding that nothing identifies: it arrived in other words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """What a sub-agent wrote down: its findings and its errors, in their order."""

    findings: tuple[str, ...]
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingArrival:
    """Which findings arrived whole, and which of the others in part or not at all."""

    produced: int
    delivered: int
    partial: tuple[str, ...]
    missing: tuple[str, ...]


def child_of(text: str) -> Child | None:
    """Read what a sub-agent wrote; None where nothing in it is marked as a finding or an error.

    JSON lines with `finding` or `error` as a member; else lines that begin with `Finding N:`, each
    with the indented lines below it. Equal findings are one.
    """
    findings: list[str] = []
    errors: list[str] = []
    below = False
    for line in text.split("\n"):
        row = object_in(line)
        told = _LINE.match(line)
        if row is not None:
            findings += said(row, "finding")
            errors += said(row, "error")
        elif told is not None and told["text"].strip():
            findings.append(told["text"].strip("*_ \t\r"))
        elif below and line[:1] in (" ", "\t") and line.strip():
            findings[-1] += f" {line.strip()}"
            continue
        below = row is None and told is not None and bool(told["text"].strip())
    if not findings and not errors:
        return None
    return Child(findings=tuple(dict.fromkeys(findings)), errors=tuple(dict.fromkeys(errors)))


def object_in(line: str) -> dict[str, object] | None:
    """Return the JSON object that a line is; None where it is none."""
    if not line.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def said(row: dict[str, object], name: str) -> list[str]:
    """Return what a line says under a name, as text."""
    value = row.get(name)
    if value in (None, "", [], {}, False):
        return []
    return [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]


def finding_arrivals(findings: Sequence[str], delivered: str) -> FindingArrival:
    """Say which findings stand in a delivered text, or in a JSON string inside it."""
    texts = texts_in(read(delivered))
    there = [squeezed(one) for one in texts]
    words = wording(*texts)
    marks = identifying(findings)
    partial: list[str] = []
    missing: list[str] = []
    for text, known in zip(findings, marks, strict=True):
        if any(squeezed(text) in one for one in there):
            continue
        has_all = bool(known) and all(any(one in line for line in there) for one in known)
        share = words.share(content_words(text))
        if share >= (HALF if has_all else MOST_WORDS) and (has_all or not known):
            continue
        (partial if any(is_there(one, there) for one in known) else missing).append(text)
    return FindingArrival(
        produced=len(findings),
        delivered=len(findings) - len(partial) - len(missing),
        partial=tuple(partial),
        missing=tuple(missing),
    )


def is_there(mark: str, lines: Sequence[str]) -> bool:
    """Whether a mark that says something by itself, not a mere figure, stands in a text."""
    return not mark.isdigit() and any(mark in line for line in lines)


def identifying(findings: Sequence[str]) -> list[list[str]]:
    """Return for each finding the names and figures that no other finding has."""
    each = [names(one) for one in findings]
    times = Counter(one for found in each for one in found)
    return [[one for one in found if times[one] == 1] for found in each]
