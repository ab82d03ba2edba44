"""What arrived of one text in another: tables for a terminal, and the document of many pairs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullage.arrivals.arrival import Arrival
from ullage.arrivals.keys import KeyCount, KeyReport
from ullage.arrivals.label import label
from ullage.arrivals.rates import call_rates
from ullage.report.spelled import spelled
from ullage.transcript.words import Boundary

SHOWN_KEYS = 20
VALIDITY = {
    True: "yes",
    False: "no: it does not decode as the produced JSON",
    None: "n/a: the produced text is not JSON",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One line of a pairs file, compared."""

    number: object
    arrival: Arrival


def print_arrival(out: Console, one: Arrival) -> None:
    """Print one comparison for people."""
    out.print(f"arrival  {percent(one.rate)}  ({label(one)})", style="bold")
    out.print(f"records  {one.records.delivered} of {one.records.produced}" + in_part(one))
    out.print(f"text     {one.delivered_chars} of {one.produced_chars} characters, {one.form}")
    if one.stopped:
        out.print("         nested very deeply: read in slices, so records may be missing here")
    out.print(f"valid    {VALIDITY[one.valid]}")
    out.print(Text(f"notice   {one.notice.grade}" + indented(one.notice.text)))
    if one.parts:
        out.print()
        out.print(part_table(one))
    if one.fields:
        out.print()
        out.print(field_table(one))
    if one.keys is not None:
        out.print()
        print_keys(out, one.keys)


def print_pairs(out: Console, compared: Iterable[Pair]) -> None:
    """Print one line a pair."""
    table = Table("id", box=None, pad_edge=False)
    table.add_column("arrival", justify="right")
    table.add_column("label")
    for one in compared:
        table.add_row(plain(str(one.number)), percent(one.arrival.rate), Text(label(one.arrival)))
    out.print(table)


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
    rates = call_rates(one.arrival for one in compared)
    sums = Counter[str]()
    for one in compared:
        records = one.arrival.records
        sums.update(produced=records.produced, delivered=records.delivered, partial=records.partial)
    keys = [one.arrival.keys for one in compared if one.arrival.keys is not None]
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
            {"id": one.number, "rate": one.arrival.rate, "label": label(one.arrival)}
            for one in compared
        ],
        "findings": [],
    }
