"""A replay as a page: what each policy delivers, where in a part, by field, and what to open."""

from collections.abc import Iterator, Sequence

from ullage.policies.field_diff import Difference, field_diff
from ullage.policies.replayed import FieldRate, Outcome, PolicyOutcome, Rate, Replayed
from ullage.policies.tally import Counts
from ullage.report.page.document import document
from ullage.report.page.markup import Safe, joined, tag
from ullage.report.page.pieces import NA, bar, cell, details, lead, many, number, percent, section
from ullage.report.page.pieces import table as table_of
from ullage.report.page.tenths import pictures
from ullage.report.rates import points
from ullage.report.replay_blocks import KINDS, OTHERS, loud_lines, opening, outcome_of

PARTS = {
    "summary": "Summary",
    "position": "Position",
    "arrival": "Arrival",
    "difference": "Difference",
    "paths": "Second path",
    "examples": "Examples",
}
MOST = 300
"""So many rows of a table are written at most; the CSV form has all of them."""
LIMITS = (
    "An arrival rate is no accuracy: whether a model needed what did not arrive, a replay does "
    "not know. Intervals are 95 %, over sessions; where all sessions are alike they are narrow, "
    "and say nothing about other tools."
)


def replay_page(found: Replayed, *, title: str, made: str) -> str:
    """Return the page: one file, which loads nothing. `made` says when and by what."""
    sections = {
        "summary": summary(found, title),
        "position": pictures(found),
        "arrival": arrival(found),
        "difference": differences(found),
        "paths": paths(found),
        "examples": examples(found),
    }
    there = {name: one for name, one in sections.items() if one is not None}
    parts = {name: words for name, words in PARTS.items() if name in there}
    return document(title, parts, *there.values(), made=made, skip="arrival")


def kinds(found: Replayed) -> Iterator[tuple[str, bool]]:
    """Yield the kinds of results that were replayed, in words, and whether they are known."""
    for words, known in (("of what the tools produced", True), (OTHERS, False)):
        if outcome_of(found.policies[0], known=known).counts.results:
            yield words, known


def summary(found: Replayed, title: str) -> Safe:
    """Return the head of the page: a sentence a policy, and the figures of all."""
    sentences = [
        tag("p", sentence(one.name, outcome_of(one, known=known).counts), class_="sentence")
        for _, known in list(kinds(found))[:1]
        for one in found.policies
    ]
    return section(
        "summary",
        title,
        *sentences,
        *(policy_table(found, words, known=known) for words, known in kinds(found)),
        tag("ul", *(tag("li", one) for one in (*opening(found), LIMITS)), class_="read"),
        level="h1",
    )


def sentence(name: str, counts: Counts) -> str:
    """Say in a sentence what a policy does."""
    kept = counts.records - counts.lost_records - counts.partial_records
    broken = (
        f"breaks {number(counts.broken)} of the {many(counts.cut_json, 'JSON result')} that it cuts"
        if counts.cut_json
        else f"cuts {many(counts.cut, 'result')}, none of them JSON"
    )
    return (
        f"{name} {broken}, delivers {percent(kept, counts.records)} of the records whole, and "
        f"tells of the loss in {number(counts.notices)} of {many(counts.cut, 'cut result')}."
    )


def policy_table(found: Replayed, words: str, *, known: bool) -> Safe:
    """Return the figures of each policy."""
    heads = ["Policy", "Results", "Over budget", "Cut", "Broken, of JSON that was cut", "Told of"]
    heads += ["Records lost", "In part", "Characters", *(["Tokens"] if found.told.tokens else [])]
    rows = []
    for one in found.policies:
        counts = outcome_of(one, known=known).counts
        row: list[str | Safe] = [tag("span", one.name, class_="nowrap")]
        row += [cell(number(value), by=value) for value in (counts.results, counts.over_budget)]
        row += [
            cell(number(counts.cut), by=counts.cut),
            of(counts.broken, counts.cut_json),
            of(counts.notices, counts.cut),
            of(counts.lost_records, counts.records),
            cell(number(counts.partial_records), by=counts.partial_records),
            of(counts.delivered_chars, counts.produced_chars),
        ]
        row += [of(counts.delivered_tokens, counts.produced_tokens)] if found.told.tokens else []
        rows.append(row)
    return table_of(f"Policies, {words}.", heads, rows)


def of(part: int, whole: int) -> Safe:
    """Return so many of so many, with the share."""
    words = f"{number(part)} of {number(whole)}"
    return cell(words, tag("small", f" ({percent(part, whole)})"), by=part)


def arrival(found: Replayed) -> Safe:
    """Return what arrives of each part and field under each policy."""
    heads = ["Tool", "Part", "Field"]
    for one in found.policies:
        heads += [f"{one.name}: records", "calls in which all arrived"]
    tables = []
    for words, known in kinds(found):
        each = [rates(outcome_of(one, known=known)) for one in found.policies]
        rows = sorted(zip(*each, strict=True), key=lambda row: row[0].by_record.share or 0.0)
        tables.append(
            table_of(
                f"Arrival {words}.{shown(len(rows))}",
                heads,
                [[*names(row[0]), *of_policies(row)] for row in rows[:MOST]],
                sortable=True,
            )
        )
    return section(
        "arrival",
        "What arrives, by tool, part and field",
        lead(
            "By record: in how many of the records that have it. By call: in how many calls all of "
            "it arrived. The line over a bar is the 95 % interval over sessions."
        ),
        *tables,
    )


def rates(outcome: Outcome) -> list[FieldRate]:
    """Return the parts, each with its fields behind it."""
    return sorted(
        [*outcome.parts, *outcome.fields],
        key=lambda one: (one.tool, one.path, one.field is not None, one.field or ""),
    )


def shown(rows: int) -> str:
    """Say how many rows of a table are written, where that is not all."""
    return f" Shown are the first {MOST} of {number(rows)}." if rows > MOST else ""


def names(one: FieldRate) -> list[str | Safe]:
    """Return the first cells of a row."""
    return [one.tool, tag("td", one.path), tag("td", one.field or "(all)")]


def of_policies(row: Sequence[FieldRate]) -> Iterator[Safe]:
    """Yield the cells of each policy."""
    for one in row:
        yield rate_cell(one.by_record)
        yield cell(f"{number(one.by_call.part)} of {number(one.by_call.of)}", by=one.by_call.share)


def rate_cell(rate: Rate) -> Safe:
    """Return a rate as a bar, with its interval where sessions differ."""
    if rate.share is None:
        return cell(tag("span", NA, class_="na"))
    between = rate.interval
    bounds = (between.low, between.high) if between and between.low < between.high else None
    return cell(bar(rate.share, bounds), by=rate.share)


def differences(found: Replayed) -> Safe | None:
    """Return what arrives otherwise than under the first policy, and a result to open."""
    first, *others = found.policies
    tables = [difference_table(first, other) for other in others]
    if not tables:
        return None
    return section(
        "difference",
        f"What arrives otherwise than under {first.name}",
        lead(
            "In percentage points of the records, furthest apart first. Both policies saw the same "
            "results, so the interval is that of the pairs. The result to open is the first one in "
            "which the policy that delivers less did not deliver all of it."
        ),
        *tables,
    )


def difference_table(first: PolicyOutcome, other: PolicyOutcome) -> Safe:
    """Return the parts and fields that differ under one policy."""
    rows = field_diff(first, other)
    if not rows:
        return tag("p", f"{other.name}: every part and field arrives alike.")
    return table_of(
        f"{other.name} less {first.name}.{shown(len(rows))}",
        ("Tool", "Part", "Field", first.name, other.name, "Points", "Open"),
        [
            [
                *names(one.first),
                cell(percent(one.first.by_record.share), by=one.first.by_record.share),
                cell(percent(one.other.by_record.share), by=one.other.by_record.share),
                cell(points(one.other.difference), by=one.points),
                opened(one),
            ]
            for one in rows[:MOST]
        ],
        sortable=True,
    )


def opened(one: Difference) -> str:
    """Return where a result stands that shows a difference."""
    less = one.first if one.points > 0 else one.other
    return less.example.place if less.example else NA


def paths(found: Replayed) -> Safe | None:
    """Return which losses have a second path, if that was asked."""
    if not found.told.second_path:
        return None
    words = [line for _, known in kinds(found) for line in loud_lines(found, known=known)]
    return section(
        "paths",
        "Loud and quiet losses",
        lead("Loud: what tells of a lost record stands elsewhere in its session. Quiet: nowhere."),
        tag("ul", *(tag("li", one.strip()) for one in words)),
    )


def examples(found: Replayed) -> Safe | None:
    """Return results to open, by what became of them."""
    lists = [
        details(
            f"{policy.name}: {KINDS[kind]}",
            tag(
                "ul",
                *(
                    tag(
                        "li",
                        f"{one.place}: {one.tool}, {number(one.delivered)} of "
                        f"{number(one.produced)} characters, session {one.session}",
                    )
                    for one in several
                ),
            ),
        )
        for policy in found.policies
        for kind, several in policy.examples.items()
    ]
    if not lists:
        return None
    return section("examples", "Results to open", joined(*lists))
