"""What is wrong with one delivered text, in lines for a failed test. No line: nothing is."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ullage.arrivals.arrival import Arrival, arrival
from ullage.arrivals.claims import claims
from ullage.arrivals.keys import KeyReport
from ullage.arrivals.told import tells_missing
from ullage.checks.value import bordered, layers
from ullage.cutter.excerpt import excerpt

MOST_SHOWN = 5
LONGEST = 60
TELLING = ("counts", "parts", "way-back")
NOTHING = (
    "nothing was produced, so nothing can be shown to have arrived: ask the source alone, and list "
    "its ids"
)
CUT_BY_RECORDS = (
    "what to do: where it is shortened, cut by records, and the model is told what is missing: "
    "ullage.cut(result, ullage.chars({size})).text"
)
READ_ON = (
    "what to do: look at the request that was sent. If the data is whole in it, the reply was cut "
    "or the model left records out: send fewer at a time, and check finish_reason"
)


def faults_of_ids(
    ids: Sequence[str], delivered: str, *, least: float, what: str | None, or_told: bool
) -> list[str]:
    """Return what is wrong with a text in which every id is to stand."""
    texts = list(layers(delivered))
    missing = [one for one in ids if not stands(one, texts)]
    found = len(ids) - len(missing)
    noun = what or "ids"
    contradicted = wrong_claims(delivered, len(ids), what)
    short = found / len(ids) < least and not (or_told and tells_missing(delivered, len(ids), found))
    if not short and not contradicted:
        return []
    lines = [f"{found} of {len(ids)} {noun} arrived{share(found / len(ids), least)}"]
    if missing:
        lines.append(f"missing: {few(missing)}")
        contradicted = contradicted or other_claims(delivered, len(ids))
    lines += [f"the text claims: {one}; produced: {len(ids)}" for one in contradicted]
    return [*lines, READ_ON]


def stands(one: str, texts: Iterable[str]) -> bool:
    """Whether an id stands in one of the layers of a text."""
    pattern = bordered(one)
    return any(one in text and pattern.search(text) for text in texts)


def wrong_claims(delivered: str, produced: int, what: str | None) -> list[str]:
    """Return the words of a text that claim another number of records than were produced."""
    if what is None:
        return []
    return [
        repr(excerpt(one.text, LONGEST))
        for one in claims(delivered, what)
        if one.number != produced
    ]


def other_claims(delivered: str, produced: int) -> list[str]:
    """Return such claims about whatever was not named."""
    return [
        repr(excerpt(one.text, LONGEST))
        for one in claims(delivered, None)
        if one.number != produced
    ]


def faults_of_pair(
    produced: str,
    delivered: str,
    *,
    key: str | None,
    least: float,
    what: str | None,
    or_told: bool,
) -> list[str]:
    """Return what is wrong with a delivered text."""
    found = arrival(produced, delivered, key=key)
    if found.rate is None:
        return [NOTHING]
    if key is not None and found.keys is not None and not found.keys.found:
        raise ValueError(f"key={key!r}: no record that was produced has this field")
    contradicted = wrong_claims(delivered, found.records.produced, what)
    if not falls_short(found, least=least, or_told=or_told) and not contradicted:
        return []
    claimed = [
        f"the text claims: {one}; produced: {found.records.produced}" for one in contradicted
    ]
    return [*described(found, least, what), *claimed, *advice(found)]


def falls_short(found: Arrival, *, least: float, or_told: bool) -> bool:
    """Whether less arrived than is asked for, or nothing that can be read."""
    if found.valid is False and found.form == "broken":
        return True
    short = found.rate is not None and found.rate < least
    return short and not (or_told and found.notice.grade in TELLING)


def described(found: Arrival, least: float, what: str | None) -> list[str]:
    """Return what arrived and what did not: in all, by key, by part, by field."""
    return [
        f"{amount(found, what)} arrived{share(found.rate or 0.0, least)}",
        *missing_keys(found.keys),
        *lost_parts(found),
        *lost_fields(found),
        f"syntax: {validity(found)}; notice to the model: {found.notice.grade}",
    ]


def amount(found: Arrival, what: str | None) -> str:
    """Return how much arrived, in the unit that the rate is by."""
    records = found.records
    if records.produced > 1 or found.parts:
        noun = what or ("records" if found.parts else "lines")
        partly = f" (and {records.partial} in part)" if records.partial else ""
        return f"{records.delivered} of {records.produced} {noun}{partly}"
    return f"{found.chars} of {found.produced_chars} characters"


def share(rate: float, least: float) -> str:
    """Return a rate beside what was asked for, where it is lower."""
    return "" if rate >= least else f" ({rate:.2f}; asked for: {least:.2f})"


def missing_keys(keys: KeyReport | None) -> Iterator[str]:
    """Yield which ids are missing."""
    if keys is not None and keys.missing:
        yield f"missing: {keys.key} {few([str(one.shown) for one in keys.missing])}"


def lost_parts(found: Arrival) -> Iterator[str]:
    """Yield the parts that lost records, where there are several."""
    lost = [one for one in found.parts if one.delivered < one.produced]
    if lost and len(found.parts) > 1:
        words = [f"{one.path} {one.delivered} of {one.produced}" for one in lost]
        yield f"parts: {few(words, ';')}"


def lost_fields(found: Arrival) -> Iterator[str]:
    """Yield the fields that arrived least, where they differ."""
    rates = {(one.path, one.field): one for one in found.fields if one.produced}
    lost = sorted(
        (one for one in rates.values() if one.delivered < one.produced),
        key=lambda one: one.delivered / one.produced,
    )
    if lost and len({one.delivered / one.produced for one in rates.values()}) > 1:
        words = [f"{one.path} {one.field} {one.delivered} of {one.produced}" for one in lost]
        yield f"fields: {few(words, ';')}"


def validity(found: Arrival) -> str:
    """Return the syntax in a word."""
    return {True: "valid", False: "broken", None: "n/a"}[found.valid]


def advice(found: Arrival) -> Iterator[str]:
    """Yield what to do."""
    if found.form == "text" and found.parts:
        yield (
            "the delivered text holds no records in a form that is read (JSON, Python's repr); to "
            "look for their ids alone: assert_arrived([ids], delivered)"
        )
    elif found.lost or found.valid is False:
        yield CUT_BY_RECORDS.format(size=max(1, found.delivered_chars))
    else:
        yield READ_ON


def few(words: Sequence[str], comma: str = ",") -> str:
    """Return the first few, and how many more there are."""
    shown = f"{comma} ".join(excerpt(one, LONGEST) for one in islice(words, MOST_SHOWN))
    more = len(words) - MOST_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
