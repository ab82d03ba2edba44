"""What arrived of one text in another: tables for a terminal, and the document of many pairs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullage.arrivals.arrival import Arrival
from ullage.arrivals.keys import KeyCount, KeyReport
from ullage.arrivals.kinds import KindArrival
from ullage.arrivals.rates import call_rates
from ullage.checks.crossing import Crossing
from ullage.cutter.excerpt import excerpt
from ullage.report.findings import SHOWN_ITEMS, print_findings, shown_evidence
from ullage.report.spelled import spelled
from ullage.transcript.finding import Finding
from ullage.transcript.words import Boundary

SHOWN_KEYS = 20
WIDEST = 80
UNITS = {"messages": " stayed as they were"}
REWORDED: tuple[Boundary, ...] = ("summarise", "handoff")
"""Where other words stand for a text, its syntax and a notice of a cut say nothing."""
VALIDITY = {
    True: "yes",
    False: "no: it does not decode as the produced JSON",
    None: "n/a: the produced text is not JSON",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One line of a pairs file, compared."""

    number: object
    crossing: Crossing


def print_crossing(out: Console, crossing: Crossing) -> None:
    """Print one comparison for people: figures, tables, then what is wrong and what to do."""
    one = crossing.arrival
    counts = f"{one.records.delivered} of {one.records.produced}"
    out.print(f"arrival  {percent(one.rate)}  ({verdict(crossing)})", style="bold")
    out.print(f"{crossing.unit:8} {counts}" + UNITS.get(crossing.unit, "") + in_part(one))
    out.print(f"text     {one.delivered_chars} of {one.produced_chars} characters, {one.form}")
    if one.stopped:
        out.print("         nested very deeply: read in slices, so records may be missing here")
    if one.boundary not in REWORDED:
        out.print(f"valid    {VALIDITY[one.valid]}")
        out.print(Text(f"notice   {one.notice.grade}" + indented(one.notice.text)))
    print_tables(out, one)
    for kind in crossing.kinds:
        if kind.missing:
            out.print(plain(missing_line(kind)))
    for check in dict.fromkeys(found.check for found in crossing.findings):
        together = [found for found in crossing.findings if found.check == check]
        out.print()
        print_findings(out, together)
        for found in together:
            for line in shown_evidence(found):
                out.print(plain(f"  {line}"))


def verdict(crossing: Crossing) -> str:
    """Return the label in words: less than all may well have arrived without a fault."""
    short = crossing.arrival.rate is not None and crossing.arrival.rate < 1
    return "no check failed" if short and crossing.label == "ok" else crossing.label


def print_tables(out: Console, one: Arrival) -> None:
    """Print what arrived of parts, fields and identifiers."""
    if one.parts:
        out.print()
        out.print(part_table(one))
    if one.fields:
        out.print()
        out.print(field_table(one))
    if one.keys is not None:
        out.print()
        print_keys(out, one.keys)


def missing_line(kind: KindArrival) -> str:
    """Name the items of a kind that did not arrive, the first few."""
    shown = [
        excerpt(text, WIDEST) for _, text in zip(range(SHOWN_ITEMS), kind.missing, strict=False)
    ]
    rest = len(kind.missing) - SHOWN_ITEMS
    return f"missing {kind.kind}: {', '.join(shown)}" + (f" and {rest} more" if rest > 0 else "")


def print_pairs(out: Console, compared: Sequence[Pair]) -> None:
    """Print one line a pair, then what is wrong."""
    table = Table("id", box=None, pad_edge=False)
    table.add_column("arrival", justify="right")
    table.add_column("label")
    for one in compared:
        crossing = one.crossing
        table.add_row(plain(str(one.number)), percent(crossing.arrival.rate), Text(crossing.label))
    out.print(table)
    findings = [found for one in compared for found in one.crossing.findings]
    if findings:
        out.print()
        print_findings(out, findings)


def crossing_members(one: Crossing) -> dict[str, object]:
    """Return the members of `ullage.arrival/1` for two texts, without its schema."""
    findings = [found.to_dict() for found in one.findings]
    return {**one.arrival.to_dict(), "label": one.label, "unit": one.unit, "findings": findings}


def in_part(one: Arrival) -> str:
    """Return how many records arrived in part, if any did."""
    return f", {one.records.partial} more in part" if one.records.partial else ""


def percent(rate: float | None) -> str:
    """Write a rate; n/a where nothing was produced. Less than all is never shown as 100 %."""
    if rate is None:
        return "n/a"
    figure = f"{100 * rate:.1f}"
    return "99.9 %" if rate < 1 and figure == "100.0" else f"{figure} %"


def plain(text: str) -> Text:
    """Return a text that may hold anything, control characters and lone surrogates spelled out."""
    return Text(spelled(text), overflow="fold")


def indented(text: str) -> str:
    """Return a notice below its grade."""
    if not text:
        return ""
    return "".join(f"\n         {line}" for line in plain(text).plain.split("\n"))


def part_table(one: Arrival) -> Table:
    """Return the parts with what arrived of them."""
    table = Table("part", box=None, pad_edge=False)
    for word in ("delivered", "produced", "in part"):
        table.add_column(word, justify="right")
    for part in one.parts:
        table.add_row(plain(part.path), str(part.delivered), str(part.produced), str(part.partial))
    return table


def field_table(one: Arrival) -> Table:
    """Return the fields with the records in which they arrived."""
    table = Table("field", box=None, pad_edge=False)
    for word in ("delivered", "produced"):
        table.add_column(word, justify="right")
    for field in one.fields:
        table.add_row(
            plain(f"{field.path}  {field.field}"), str(field.delivered), str(field.produced)
        )
    return table


def print_keys(out: Console, keys: KeyReport) -> None:
    """Print which identifiers are missing, came too often, or are new."""
    out.print(plain(f"{keys.key}: {keys.delivered} delivered of {keys.produced} produced"))
    for word, counts in (
        ("missing", keys.missing),
        ("duplicated", keys.duplicated),
        ("unexpected", keys.unexpected),
    ):
        out.print(plain(f"  {word}: {sum(one.times for one in counts)}{listed(counts)}"))


def listed(counts: tuple[KeyCount, ...]) -> str:
    """List identifiers, and say how many are not listed."""
    if not counts:
        return ""
    shown = ", ".join(
        f"{one.value}" + (f" x{one.times}" if one.times > 1 else "")
        for _, one in zip(range(SHOWN_KEYS), counts, strict=False)
    )
    rest = len(counts) - SHOWN_KEYS
    more = f" and {rest} more (all of them with --format json)" if rest > 0 else ""
    return f" ({shown}{more})"


def pairs_members(compared: Sequence[Pair], boundary: Boundary) -> dict[str, object]:
    """Return the document of many pairs: sums over all, and one rate and label a pair."""
    rates = call_rates(one.crossing.arrival for one in compared)
    sums = Counter[str]()
    for one in compared:
        records = one.crossing.arrival.records
        sums.update(produced=records.produced, delivered=records.delivered, partial=records.partial)
    arrivals = [one.crossing.arrival for one in compared]
    keys = [one.keys for one in arrivals if one.keys is not None]
    followed = {"key": keys[0].key, "found": any(one.found for one in keys)} if keys else None
    return {
        "boundary": boundary,
        "valid": None,
        "notice": None,
        "records": {word: sums[word] for word in ("produced", "delivered", "partial")},
        "parts": [
            {"path": one.path, "produced": one.produced, "delivered": one.delivered}
            for one in rates.parts
        ],
        "fields": [
            {
                "path": one.path,
                "field": one.field,
                "produced": one.produced,
                "delivered": one.delivered,
            }
            for one in rates.fields
        ],
        **({"keys": followed} if followed else {}),
        "pairs": [
            {"id": one.number, "rate": one.crossing.arrival.rate, "label": one.crossing.label}
            for one in compared
        ],
        "findings": [
            pair_finding(one, found) for one in compared for found in one.crossing.findings
        ],
    }


def pair_finding(pair: Pair, found: Finding) -> dict[str, object]:
    """Return the members of a finding, with the id of its pair in the evidence."""
    members = found.to_dict()
    return {**members, "evidence": {"pair": pair.number, **found.evidence}}
