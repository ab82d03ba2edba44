"""A replay as rows, each a rate of one thing under one policy: for tables that other tools read."""

from collections.abc import Iterator
from typing import NamedTuple

from ullage.policies.rates import FieldRate, Rate
from ullage.policies.replayed import Outcome, PolicyOutcome, Replayed
from ullage.policies.tally import TENTHS, Counts


class Row(NamedTuple):
    """So much of so much.

    `of` says what was replayed: `produced` texts, or what was `delivered` where only that is known.
    `level` says of what a row is: `all` tools, one `tool`, a `part` of its results, a `field` of a
    part, or a `tenth` of a part's length; `tool`, `path`, `field` and `tenth_from` (0.0 to 0.9) are
    None where they are not of that level. `measure` is in `MEASURES`. `low` and `high` bound `rate`
    at 95 % over `sessions` sessions, None below two. `difference` is `rate` less that of the first
    policy, with bounds of its own. `example` is the first result in which not all of it arrived,
    `difference_example` the first one that differs as the rates do.
    """

    policy: str
    of: str
    level: str
    tool: str | None
    path: str | None
    field: str | None
    tenth_from: float | None
    measure: str
    numerator: int
    denominator: int
    rate: float | None
    low: float | None
    high: float | None
    sessions: int | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    example: str | None
    difference_example: str | None


MEASURES = {
    "over_budget": "results that the policy's budget does not hold",
    "cut": "results that it shortened",
    "broken": "results that are JSON no more, of those that were JSON and were cut",
    "told": "cut results whose text says so",
    "lost_records": "records (or lines) of which nothing arrived",
    "partial_records": "records of which a part arrived",
    "chars": "characters delivered, of those produced",
    "tokens": "tokens delivered, of those produced",
    "loud": "lost records whose evidence stands elsewhere in their session",
    "quiet": "lost records whose evidence stands nowhere else",
    "untold": "lost records that nothing tells from the others of their list",
    "arrived_by_call": "calls in which all of a part, field or tenth arrived",
    "absent_by_call": "calls in which none of it arrived",
    "arrived_by_record": "records in which it arrived",
}
"""What is measured, and of what: the numerator and the denominator of a row."""


def rows_of(found: Replayed) -> Iterator[Row]:
    """Yield all that a replay found, policy by policy: all tools, each tool, parts and fields."""
    for policy in found.policies:
        for of, outcome in (("produced", policy.produced), ("delivered", policy.delivered)):
            if outcome.counts.results:
                yield from outcome_rows(found, policy, of, outcome)


def outcome_rows(
    found: Replayed, policy: PolicyOutcome, of: str, outcome: Outcome
) -> Iterator[Row]:
    """Yield what one policy did to results of one kind."""
    for tool, counts in [(None, outcome.counts), *outcome.tools.items()]:
        for measure, rate in counted(found, counts):
            yield row(policy.name, of, measure, rate, tool=tool)
    for one in (*outcome.parts, *outcome.positions, *outcome.fields):
        absent = Rate(part=one.absent, of=one.by_call.of, interval=None)
        yield row(policy.name, of, "arrived_by_call", one.by_call, tool=one.tool, about=one)
        yield row(policy.name, of, "absent_by_call", absent, tool=one.tool, about=one)
        yield row(policy.name, of, "arrived_by_record", one.by_record, tool=one.tool, about=one)


def counted(found: Replayed, counts: Counts) -> Iterator[tuple[str, Rate]]:
    """Yield measures of results, each with its rate."""

    def rate(part: int, whole: int) -> Rate:
        return Rate(part=part, of=whole, interval=None)

    yield "over_budget", rate(counts.over_budget, counts.results)
    yield "cut", rate(counts.cut, counts.results)
    yield "broken", rate(counts.broken, counts.cut_json)
    yield "told", rate(counts.notices, counts.cut)
    yield "lost_records", rate(counts.lost_records, counts.records)
    yield "partial_records", rate(counts.partial_records, counts.records)
    yield "chars", rate(counts.delivered_chars, counts.produced_chars)
    if found.told.tokens:
        yield "tokens", rate(counts.delivered_tokens, counts.produced_tokens)
    if found.told.second_path:
        lost = counts.loud + counts.quiet + counts.untold
        yield "loud", rate(counts.loud, lost)
        yield "quiet", rate(counts.quiet, lost)
        yield "untold", rate(counts.untold, lost)


def row(
    policy: str,
    of: str,
    measure: str,
    rate: Rate,
    *,
    tool: str | None,
    about: FieldRate | None = None,
) -> Row:
    """Return a row: of all tools, of a tool, or of one part, field or tenth."""
    tenth = about.tenth if about else None
    by_record = about if measure == "arrived_by_record" else None
    difference = by_record.difference if by_record else None
    paired = difference.interval if difference else None
    return Row(
        policy=policy,
        of=of,
        level=level(tool, about),
        tool=tool,
        path=about.path if about else None,
        field=about.field if about else None,
        tenth_from=None if tenth is None else tenth / TENTHS,
        measure=measure,
        numerator=rate.part,
        denominator=rate.of,
        rate=rate.share,
        low=rate.interval.low if rate.interval else None,
        high=rate.interval.high if rate.interval else None,
        sessions=rate.interval.n if rate.interval else None,
        difference=difference.points if difference else None,
        difference_low=paired.low if paired else None,
        difference_high=paired.high if paired else None,
        example=about.example.place if about and about.example else None,
        difference_example=by_record.apart.example.place if by_record and by_record.apart else None,
    )


def level(tool: str | None, about: FieldRate | None) -> str:
    """Return of what a row is."""
    if about is None:
        return "all" if tool is None else "tool"
    if about.tenth is not None:
        return "tenth"
    return "part" if about.field is None else "field"
