"""A replay for people as lines and tables: what each policy would have delivered, rarest first."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from ullage.policies.rates import FieldRate
from ullage.policies.replayed import Outcome, PolicyOutcome, Replayed
from ullage.policies.tally import TENTHS, Counts, Example
from ullage.report.field_diff import diff_blocks
from ullage.report.rates import NOTHING, arrived, named, points
from ullage.report.sheet import Block, Sheet
from ullage.report.spelled import printable
from ullage.transcript.counted import many

MOST_ROWS = 20
"""So many rows of a table are shown; the JSON and CSV forms have all of them."""
KINDS = {"broken": "one that is broken", "lost": "one that lost records"}
OTHERS = "of what was delivered, for lack of more"


def blocks(found: Replayed) -> Iterator[Block]:
    """Yield all that is told of a replay, in order."""
    yield from opening(found)
    for title, known in (("", True), (OTHERS, False)):
        if any(outcome_of(one, known=known).counts.results for one in found.policies):
            yield from outcomes(found, title, known=known)
    yield from diff_blocks(found)
    for one in found.policies:
        for kind, examples in one.examples.items():
            yield f"{one.name}: {KINDS[kind]}, {example(examples[0])}"


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


def outcomes(found: Replayed, title: str, *, known: bool) -> Iterator[Block]:
    """Yield the figures of one kind of results."""
    each = [outcome_of(one, known=known) for one in found.policies]
    yield policy_sheet(found, f"Policies {title}".strip(), known=known)
    if each[0].parts:
        yield from rate_sheet(found, "Parts", [one.parts for one in each])
    # Most fields arrive as their part does: those that do not are what there is to see.
    telling = set().union(*map(otherwise, each))
    if telling:
        rows = [[one for one in outcome.fields if identity(one) in telling] for outcome in each]
        yield from rate_sheet(found, "Fields that fare otherwise than their part", rows)
    yield from position_sheet(found, [one.positions for one in each])
    if found.told.second_path:
        yield from loud_lines(found, known=known)


def policy_sheet(found: Replayed, title: str, *, known: bool) -> Sheet:
    """Return a row for each policy."""
    names = ("results", "over budget", "cut", "broken", "told of", "records lost", "in part")
    tokens = ("tokens",) if found.told.tokens else ()
    return Sheet(
        title=title,
        head=("policy", *names, "characters", *tokens),
        rows=[
            (one.name, *cells(outcome_of(one, known=known).counts, tokens=found.told.tokens))
            for one in found.policies
        ],
        words=1,
    )


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


def rate_sheet(found: Replayed, title: str, rows: Sequence[Sequence[FieldRate]]) -> Iterator[Block]:
    """Yield the parts or fields, those first that arrive least under the first policy."""
    by_key = [{identity(one): one for one in each} for each in rows]
    keys = sorted(by_key[0], key=lambda key: (by_key[0][key].by_record.share or 0.0, str(key)))
    names = [one.name for one in found.policies]
    less = [f"{names[-1]} less {names[0]}"] if len(names) > 1 else []
    table = []
    for key in keys[:MOST_ROWS]:
        rates = [each[key] for each in by_key]
        last = [points(rates[-1].difference)] if less else []
        first = rates[0]
        table.append((printable(first.tool), printable(named(first)), *map(arrived, rates), *last))
    yield Sheet(
        title=f"{title}: by records, and calls in which all arrived",
        head=("tool", "what", *names, *less),
        rows=table,
        words=2,
    )
    yield from left_over(len(keys))


def left_over(rows: int) -> Iterator[str]:
    """Say how many rows a table has not."""
    if rows > MOST_ROWS:
        yield f"{rows - MOST_ROWS} more: --format csv has all of them"


def identity(one: FieldRate) -> tuple[str, str, str]:
    """Return what a rate is of, whatever the policy: a part stands before its fields."""
    return one.tool, one.path, "" if one.field is None else f".{one.field}"


def otherwise(outcome: Outcome) -> set[tuple[str, str, str]]:
    """Return the fields that arrive otherwise than their part does."""
    parts = {(part.tool, part.path): part.by_record for part in outcome.parts}
    return {
        identity(field)
        for field in outcome.fields
        if field.by_record.share != parts[field.tool, field.path].share
    }


def position_sheet(found: Replayed, positions: Sequence[Sequence[FieldRate]]) -> Iterator[Block]:
    """Yield what arrived of each tenth of the parts of which not all arrives under all policies."""
    rows = [
        (tool, path, policy.name, {one.tenth: one.by_record.share for one in tenths})
        for policy, rates in zip(found.policies, positions, strict=True)
        for (tool, path), tenths in groupby(rates, key=lambda one: (one.tool, one.path))
    ]
    lossy = {row[:2] for row in rows if set(row[3].values()) != {1.0}}
    rows = sorted((row for row in rows if row[:2] in lossy), key=lambda row: row[:2])
    if not rows:
        return
    yield Sheet(
        title="By position: % of the records that stand in each tenth of a part",
        head=("tool", "part", "policy", *(f"{10 * at}-{10 * at + 10}" for at in range(TENTHS))),
        rows=[
            (
                printable(tool),
                printable(path),
                name,
                *(whole(shares.get(at)) for at in range(TENTHS)),
            )
            for tool, path, name, shares in rows[:MOST_ROWS]
        ],
        words=3,
    )
    yield from left_over(len(rows))


def whole(share: float | None) -> str:
    """Return a share in percent, 0 and 100 only where it is just that."""
    if share is None:
        return NOTHING
    if 0 < share < 1:
        return f"{min(99.9, max(0.1, 100 * share)):.1f}"
    return f"{100 * share:.0f}"


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


def example(one: Example) -> str:
    """Return where one result stands, and how much of it there was."""
    return (
        f"{printable(one.place)}: {printable(one.tool)}, {one.delivered} of {one.produced} "
        "characters"
    )
