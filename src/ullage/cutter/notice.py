"""The sentence that says what was left out, and reading it back.

    Cut to 6000 characters: $.early_list 14 of 118 records; $.late_list 37 of 128 records. Kept: …

The grammar is fixed, so that a second cut can carry on the first totals instead of nesting.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.cutter import path
from ullage.cutter.values import Counted, Part

# The share of the budget that a notice of each wording may take; the last one is always allowed.
SHARES = (0.1, 0.3, 0.7, 1.0)
MOST_PARTS = 8
# Why a record was kept, and how a notice says it; every other reason is that it stands out.
REASONS = {
    "keep": "what was asked for",
    "first": "first",
    "last": "last",
    "sample": "an even sample",
}
LONGEST_PATH = 80
UNITS: Mapping[str, Counted] = {
    "record": "records",
    "member": "members",
    "line": "lines",
    "character": "characters",
}

PLACE = r'\$(?:\|\$|#\d+|\.[A-Za-z_][A-Za-z0-9_-]*|\[\d+\]|\["(?:[^"\\]|\\.)*"\])*'
TOTALS = re.compile(
    rf"(?:({PLACE}) )?(\d+) of (\d+) (record|member|line|character)s?"
    r"(?: \((?:\d+ |all )?shortened\))?"
)
OURS = re.compile(rf"Cut(?: to [^:;]{{1,60}})?: (?:[^\n]*?; )?{TOTALS.pattern}")
WAY_BACK = re.compile(r"; get the rest with `(.+?)`")
STRING_MARK = re.compile(r"(?:… |\A)\[(\d+) of (\d+) characters\]\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """How much an earlier cut delivered, of how much."""

    delivered: int
    produced: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """What the notice of an earlier cut says: totals by path, and of all records together."""

    parts: Mapping[str, Total] = field(default_factory=dict)
    units: Mapping[str, Counted] = field(default_factory=dict)
    records: Total | None = None
    way_back: str = ""

    def first(self, path: str, count: int) -> int:
        """Return how many a part held before any cut, where `count` are in the text now."""
        known = self.parts.get(path)
        return known.produced if known and known.delivered == count else count


def is_ours(text: str) -> bool:
    """Whether a sentence is the notice of an earlier cut."""
    return OURS.match(text) is not None


def read(text: str) -> Prior:
    """Read the totals out of an earlier notice."""
    parts: dict[str, Total] = {}
    units: dict[str, Counted] = {}
    records = None
    for place, delivered, produced, noun in TOTALS.findall(text):
        unit = UNITS[noun]
        total = Total(delivered=int(delivered), produced=int(produced))
        if place:
            parts[place], units[place] = total, unit
        elif unit == "records":
            records = total
        else:
            parts["$"], units["$"] = total, unit
    back = WAY_BACK.search(text)
    return Prior(parts=parts, units=units, records=records, way_back=back[1] if back else "")


def string_mark(delivered: int, produced: int) -> str:
    """Return what ends a shortened string."""
    return f"{'… ' if delivered else ''}[{delivered} of {produced} characters]"


def wordings(
    parts: Sequence[Part],
    limit: str,
    prior: Prior,
    not_kept: Sequence[str],
    also: Sequence[str] = (),
    always: Sequence[str] = (),
    way_back: str = "",
) -> Iterator[str]:
    """Yield the notice from its fullest wording to its briefest.

    `also` are clauses that the two briefest leave out, `always` are in each; `way_back` is in all
    but the last: how to get the rest is worth more than a total for each part.
    """
    back = rest(way_back)
    # A shortened string states its own length where it stands.
    lost = [part for part in parts if not part.whole and not is_inner_string(part)]
    if not lost:
        yield f"Cut: {'; '.join(always) or 'white space only'}; {overall(parts, prior)}."
        return
    listed = [part for part in lost if len(part.path) <= LONGEST_PATH]
    named = listed[:MOST_PARTS]
    clauses = [clause(part) for part in named]
    if len(lost) > len(named):
        clauses.append(f"{len(lost) - len(named)} more parts")
    if prior.records:
        clauses.append("all together " + totals(parts, prior)[-1])
    clauses += [*also, *back]
    if not_kept:
        clauses.append("no room to keep " + ", ".join(not_kept))
    clauses += always
    said = "; ".join(clauses)
    yield f"Cut to {limit}: {said}. {kept_words(lost)}Asking again gives the same cut."
    yield f"Cut: {said}."
    # The first total is of all lists, whatever this cut took from which of them.
    short = [part for part in parts if is_list(part)] if prior.records else []
    short += [part for part in lost if not (prior.records and is_list(part))]
    yield f"Cut: {'; '.join([*totals(short, prior), *back, *always])}."
    yield f"Cut: {'; '.join([overall(short, prior), *always])}."


def rest(way_back: str) -> list[str]:
    """Return the clause that says how to get what was left out."""
    return [f"get the rest with `{way_back}`"] if way_back else []


def is_inner_string(part: Part) -> bool:
    """Whether a part is a string inside a record."""
    return part.unit == "characters" and path.in_a_list(part.path)


def clause(part: Part) -> str:
    """Return one part's totals."""
    place = "" if part.path == "$" else f"{part.path} "
    return place + total(part.delivered, part.produced, part.unit, part.shortened)


def total(delivered: int, produced: int, unit: Counted, shortened: int = 0) -> str:
    """Return `KEPT of TOTAL` with its unit, and how many of the kept ones are not whole."""
    words = f"{delivered} of {produced} {unit.removesuffix('s') if produced == 1 else unit}"
    if not shortened:
        return words
    if shortened < delivered:
        return f"{words} ({shortened} shortened)"
    return f"{words} (shortened)" if shortened == 1 else f"{words} (all shortened)"


def kept_words(lost: Sequence[Part]) -> str:
    """Return by which rules the kept records were chosen."""
    reasons = {why for part in lost for why in part.kept.values()}
    words = [words for why, words in REASONS.items() if why in reasons]
    if reasons - set(REASONS):
        words.insert(1 if "keep" in reasons else 0, "what stands out")
    return f"Kept: {', '.join(words)}. " if words else ""


def totals(parts: Sequence[Part], prior: Prior) -> list[str]:
    """Return one total for all `parts`, or two: of the members of a root, and of the records in it.

    Beside a member that is gone a list that was cut would else look whole.
    """
    members = [part for part in parts if is_root(part)]
    others = [part for part in parts if not is_root(part)]
    if not members or not any(is_list(part) for part in others):
        return [overall(parts, prior)]
    return [overall(members, prior), overall(others, prior)]


def is_root(part: Part) -> bool:
    """Whether a part is the members of a root."""
    return part.path == "$" and part.unit == "members"


def is_list(part: Part) -> bool:
    """Whether a part is a list that stands in no record of another."""
    return part.unit == "records" and not path.in_a_list(part.path)


def overall(parts: Sequence[Part], prior: Prior) -> str:
    """Return one total for all `parts`, in the unit that says most."""
    root = [part for part in parts if is_root(part)]
    records = [part for part in parts if is_list(part)]
    unit: Counted = "records"
    chosen = root or records or list(parts)
    if chosen:
        unit = chosen[0].unit
    delivered = sum(part.delivered for part in chosen if part.unit == unit)
    produced = sum(part.produced for part in chosen if part.unit == unit)
    if unit == "records" and prior.records:
        produced = prior.records.produced
    shortened = sum(part.shortened for part in chosen if part.unit == unit)
    return total(delivered, produced, unit, shortened)
