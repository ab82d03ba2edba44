"""A replay as a page: what each policy delivers, where in a part, by field, and what to open."""

from collections.abc import Iterator

from ullage.policies.rates import FieldRate
from ullage.policies.replayed import Outcome, Replayed
from ullage.policies.tally import Counts
from ullage.report.page.differences import MOST, differences, shown, what
from ullage.report.page.document import document
from ullage.report.page.markup import Safe, joined, tag
from ullage.report.page.pieces import NA, bar, cell, details, lead, many, number, percent, section
from ullage.report.page.pieces import table as table_of
from ullage.report.page.tenths import pictures
from ullage.report.replay_blocks import KINDS, OTHERS, loud_lines, opening, outcome_of

PARTS = {
    "summary": "Summary",
    "position": "Position",
    "arrival": "Arrival",
    "difference": "Difference",
    "paths": "Second path",
    "examples": "Examples",
}
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
    heads = ["Policy", "Results", "Over budget", "Cut", "Broken JSON", "Told of"]
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
    words = tag("span", f"{number(part)} of {number(whole)}", class_="nowrap")
    return cell(words, tag("small", percent(part, whole), class_="of"), by=part)


def arrival(found: Replayed) -> Safe:
    """Return what arrives of each part and field under each policy."""
    tables = []
    for words, known in kinds(found):
        each = [rates(outcome_of(one, known=known)) for one in found.policies]
        rows = sorted(zip(*each, strict=True), key=lambda row: row[0].by_record.share or 0.0)
        tables.append(
            table_of(
                f"Arrival {words}.{shown(len(rows))}",
                ("Part, or field", *(one.name for one in found.policies)),
                [[what(row[0]), *map(rate_cell, row)] for row in rows[:MOST]],
                sortable=True,
            )
        )
    return section(
        "arrival",
        "What arrives, by tool, part and field",
        lead(
            "A bar is the share of the records that have it in which it arrives, the line over it "
            "the 95 % interval over sessions; under it, in how many calls all of it arrives."
        ),
        *tables,
    )


def rates(outcome: Outcome) -> list[FieldRate]:
    """Return the parts, each with its fields behind it."""
    return sorted(
        [*outcome.parts, *outcome.fields],
        key=lambda one: (one.tool, one.path, one.field is not None, one.field or ""),
    )


def rate_cell(one: FieldRate) -> Safe:
    """Return a rate as a bar, with its interval where sessions differ, and the calls."""
    rate = one.by_record
    if rate.share is None:
        return cell(tag("span", NA, class_="na"))
    between = rate.interval
    bounds = (between.low, between.high) if between and between.low < between.high else None
    calls = f"{number(one.by_call.part)} of {many(one.by_call.of, 'call')}"
    return cell(bar(rate.share, bounds), tag("small", calls, class_="of"), by=rate.share)


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
