"""A replay for people: what each policy would have delivered, then what of it is rarest."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table

from ullage.policies.replayed import FieldRate, Outcome, PolicyOutcome, Rate, Replayed
from ullage.policies.tally import Counts, Example
from ullage.report.spelled import printable
from ullage.stats.interval import Interval
from ullage.transcript.counted import many

MOST_ROWS = 20
"""So many fields of each kind are shown in text; JSON and CSV have all of them."""
NOTHING = "n/a"
KINDS = {"broken": "one that is broken", "lost": "one that lost records"}


def print_replay(console: Console, found: Replayed) -> None:
    """Print the tables of a replay."""
    for line in opening(found):
        console.print(line, markup=False)
    for title, known in (("", True), ("of what was delivered, for lack of more", False)):
        if any(outcome_of(one, known=known).counts.results for one in found.policies):
            print_outcomes(console, found, title, known=known)
    for one in found.policies:
        print_examples(console, one)


def opening(found: Replayed) -> Iterator[str]:
    """Yield what was replayed, in words."""
    first = found.policies[0]
    known, others = first.produced.counts.results, first.delivered.counts.results
    yield (
        f"{many(known, 'result')} as the tool produced it, {others} only as it was delivered, in "
        f"{many(found.sessions, 'session')}."
    )
    for why, number in found.skipped.items():
        yield f"{many(number, 'result')} not replayed: {why}."
    if not known and others:
        yield (
            "What was lost before is not in these figures: record what tools produce to have it "
            "(ullage run, record_tool)."
        )


def outcome_of(one: PolicyOutcome, *, known: bool) -> Outcome:
    """Return a policy's figures of one kind of results."""
    return one.produced if known else one.delivered


def print_outcomes(console: Console, found: Replayed, title: str, *, known: bool) -> None:
    """Print the figures of one kind of results."""
    head = f"Policies {title}".strip()
    console.print(policy_table(found, head, known=known))
    outcomes = [outcome_of(one, known=known) for one in found.policies]
    if outcomes[0].parts:
        print_rates(console, found, "Parts", [one.parts for one in outcomes])
    # Most fields arrive as their part does: those that do not are what there is to see.
    telling = set().union(*map(otherwise, outcomes))
    if telling:
        rows = [
            [one for one in each.fields if (one.tool, one.path, one.field) in telling]
            for each in outcomes
        ]
        print_rates(console, found, "Fields that fare otherwise than their part", rows)
    if found.told.second_path:
        for line in loud_lines(found, known=known):
            console.print(line, markup=False)


def policy_table(found: Replayed, title: str, *, known: bool) -> Table:
    """Return a row for each policy."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("policy")
    for name in ("results", "over budget", "cut", "broken", "told of", "records lost", "in part"):
        table.add_column(name, justify="right")
    table.add_column("characters", justify="right")
    if found.told.tokens:
        table.add_column("tokens", justify="right")
    for one in found.policies:
        counts = outcome_of(one, known=known).counts
        table.add_row(one.name, *cells(counts, tokens=found.told.tokens))
    return table


def cells(counts: Counts, *, tokens: bool) -> Iterator[str]:
    """Yield the figures of a row."""
    yield f"{counts.results}"
    yield f"{counts.over_budget}"
    yield f"{counts.cut}"
    yield f"{counts.broken} of {counts.cut_json} JSON"
    yield f"{counts.notices} of {counts.cut}"
    yield f"{counts.lost_records} of {counts.records}"
    yield f"{counts.partial_records}"
    yield f"{counts.delivered_chars} of {counts.produced_chars}"
    if tokens:
        yield f"{counts.delivered_tokens} of {counts.produced_tokens}"


def print_rates(
    console: Console, found: Replayed, title: str, rows: Sequence[Sequence[FieldRate]]
) -> None:
    """Print the parts or fields, those first that arrive least under the first policy."""
    by_key = [{(one.tool, one.path, one.field): one for one in each} for each in rows]
    keys = sorted(by_key[0], key=lambda key: (by_key[0][key].by_record.share or 0.0, str(key)))
    table = Table(
        title=f"{title}: by records, and calls in which all arrived",
        title_justify="left",
        box=None,
        pad_edge=False,
    )
    table.add_column("tool")
    table.add_column("what")
    for one in found.policies:
        table.add_column(one.name, justify="right")
    if len(found.policies) > 1:
        table.add_column(f"{found.policies[-1].name} less {found.policies[0].name}")
    for key in keys[:MOST_ROWS]:
        tool, path, field = key
        name = path if field is None else f"{path} {field}"
        rates = [each[key] for each in by_key]
        last = [difference(rates[-1].difference)] if len(rates) > 1 else []
        table.add_row(printable(tool), printable(name), *map(arrived, rates), *last)
    console.print(table)
    if len(keys) > MOST_ROWS:
        console.print(f"{len(keys) - MOST_ROWS} more: --format json has all of them", markup=False)


def otherwise(outcome: Outcome) -> set[tuple[str, str, str | None]]:
    """Return the fields that arrive otherwise than their part does."""
    parts = {(part.tool, part.path): part.by_record for part in outcome.parts}
    return {
        (field.tool, field.path, field.field)
        for field in outcome.fields
        if field.by_record.share != parts[field.tool, field.path].share
    }


def arrived(one: FieldRate) -> str:
    """Return by how many records and calls something arrived."""
    return f"{percent(one.by_record)}, {one.by_call.part} of {one.by_call.of}"


def percent(rate: Rate) -> str:
    """Return a rate with its interval, where sessions differ."""
    if rate.share is None:
        return NOTHING
    return f"{100 * rate.share:.1f} %{between(rate.interval)}"


def between(interval: Interval | None, sign: str = "") -> str:
    """Return the bounds of an interval in percentage points; nothing where they are one."""
    if interval is None or interval.low == interval.high:
        return ""
    return f" ({100 * interval.low:{sign}.1f} to {100 * interval.high:{sign}.1f})"


def difference(interval: Interval | None) -> str:
    """Return a difference of two rates in percentage points."""
    if interval is None:
        return NOTHING
    return f"{100 * interval.estimate:+.1f}{between(interval, '+')}"


def loud_lines(found: Replayed, *, known: bool) -> Iterator[str]:
    """Say of each policy which losses have a second path: those alone show in accuracy."""
    for one in found.policies:
        counts = outcome_of(one, known=known).counts
        lost = counts.loud + counts.quiet + counts.untold
        if not lost:
            yield f"{one.name}: no record was lost."
            continue
        yield (
            f"{one.name}: of {many(lost, 'lost record')}, {counts.loud} loud (the evidence stands "
            f"elsewhere in its session), {counts.quiet} quiet (it does not), {counts.untold} with "
            "nothing to tell them by."
        )
        gone = counts.produced_chars - counts.delivered_chars
        yield (
            f"  Work falls by {gone} characters to read; where losses are loud, accuracy is not "
            f"expected to move. Quiet cases: {counts.quiet}."
        )


def print_examples(console: Console, one: PolicyOutcome) -> None:
    """Print where to look at what a policy did."""
    for kind, examples in one.examples.items():
        console.print(f"{one.name}: {KINDS[kind]}, {example(examples[0])}", markup=False)


def example(one: Example) -> str:
    """Return where one result stands, and how much of it there was."""
    return (
        f"{printable(one.place)}: {printable(one.tool)}, {one.delivered} of {one.produced} "
        "characters"
    )
