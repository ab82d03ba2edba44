"""What the page's script needs, as JSON that may stand inside HTML: each text once."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from ullage.checks.catalog import rule
from ullage.checks.exhibits import Exhibits
from ullage.checks.fills import Fill
from ullage.checks.sides import Piece, Sides
from ullage.cutter.excerpt import excerpt
from ullage.report.page.evidence import evidence_words
from ullage.report.page.fills import fullness, thinned, words
from ullage.report.page.markup import visible
from ullage.report.page.pieces import many, number
from ullage.transcript.finding import Finding
from ullage.transcript.words import Severity

SEVERITIES = get_args(Severity)
# What would end the script's element, or a line of it.
UNSAFE = {ord(one): f"\\u{ord(one):04x}" for one in "<>&\u2028\u2029"}

LONGEST = 1000
LONGEST_NAME = 200
"""Longer texts and names are shown as their beginning, with their length."""


@dataclass(slots=True)
class Strings:
    """Every text once, by its number."""

    by_text: dict[str, int] = field(default_factory=dict)

    def number(self, text: str | None) -> int:
        """Return the number of a text; -1 stands for none."""
        if text is None:
            return -1
        return self.by_text.setdefault(visible(excerpt(text, LONGEST)), len(self.by_text))


def payload(findings: Sequence[Finding], exhibits: Exhibits, sessions: Sequence[Fill]) -> str:
    """Return the data as JSON for a script element, secrets taken out."""
    strings = Strings()
    order = sorted(
        range(len(findings)), key=lambda at: (-SEVERITIES.index(findings[at].severity), at)
    )
    rows = [row(findings[at], exhibits.of.get(at, -1), strings) for at in order]
    drawn = sorted((one for one in sessions if one.peak is not None), key=fullness, reverse=True)
    data: Mapping[str, object] = {
        "findings": rows,
        "exhibits": [exhibit(one) for one in exhibits.shown],
        "sessions": [session(one) for one in drawn],
        "strings": list(strings.by_text),
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return exhibits.clean(text).translate(UNSAFE)


def row(one: Finding, exhibit_number: int, strings: Strings) -> list[object]:
    """Return one finding by the numbers of its texts."""
    path = one.source.path
    line = one.source.line
    place = None if path is None else f"{path}:{line}" if line is not None else path
    figures = [strings.number(word) for pair in evidence_words(one.evidence) for word in pair]
    return [
        SEVERITIES.index(one.severity),
        strings.number(one.check),
        strings.number(one.boundary or "n/a"),
        strings.number(one.tool),
        strings.number(one.session),
        strings.number(place),
        strings.number(one.call_id),
        strings.number(rule(one.check).what),
        strings.number(one.advice),
        exhibit_number,
        *figures,
    ]


def exhibit(one: Sides) -> dict[str, object]:
    """Return two sides of one result."""
    delivered = [piece(part) for part in one.delivered]
    if one.produced is None:
        delivered.append(["gap", "the delivered text ends here"])
    return {
        "produced": None if one.produced is None else [piece(part) for part in one.produced],
        "delivered": delivered,
        "sizes": [
            "not known" if one.produced_chars is None else many(one.produced_chars, "character"),
            many(one.delivered_chars, "character"),
        ],
    }


WORDS = {"same": "that arrived", "lost": "that were lost", "added": "that were put in", None: ""}


def piece(one: Piece) -> list[str]:
    """Return one stretch: its kind, and its text or what is left out."""
    if one.kind == "left out":
        of = WORDS.get(one.of, "") if one.of else ""
        return ["gap", f"… {number(one.chars)} characters {of or 'more'}, not shown …".strip()]
    if one.kind == "missing":
        return ["missing", f"✂ {many(one.chars, 'character')} lost here"]
    return [one.kind, visible(one.text)]


def session(one: Fill) -> dict[str, object]:
    """Return one session as it is drawn."""
    points, cuts, step = thinned(one)
    return {
        "name": visible(excerpt(one.session, LONGEST_NAME)),
        "model": None if one.model is None else visible(excerpt(one.model, LONGEST_NAME)),
        "window": one.window,
        "tokens": points,
        "cuts": cuts,
        "step": step,
        "turns": len(one.tokens),
        "words": words(one),
    }
