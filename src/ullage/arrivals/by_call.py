"""Join a produced text with the message that answers its call: by the call's id, before content."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ullage.arrivals.edges import with_space
from ullage.arrivals.sighting import Certainty, Sighting, Source, Target, as_value, verbatim

Find = Callable[[Sequence[str], Sequence[str]], list[Sighting | None]]
"""Joins produced texts with message texts by content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Which call a message answers, and in which conversation.

    `shared` tells that other messages of one request say that they answer the same call: then the
    id alone does not tell which one is meant.
    """

    call_id: str
    conversation: int
    shared: bool = False


@dataclass(slots=True)
class ByCall:
    """What the ids tell: the joins, and the messages that belong to calls which were recorded.

    `claimed` messages are no other text's. `works` tells that ids come through in this run: then a
    text with an id of its own is in no message that answers another call.
    """

    found: dict[int, Sighting] = field(default_factory=dict)
    claimed: set[int] = field(default_factory=set)

    @property
    def works(self) -> bool:
        """Whether any id of a recorded call was found in a request."""
        return bool(self.claimed)


def by_call(
    sources: Sequence[Source],
    targets: Sequence[Target],
    calls: Sequence[str | None],
    answers: Sequence[Answer | None],
    find: Find,
) -> ByCall:
    """Join what the ids tell for certain, and by content among the messages of one id the rest."""
    told = ByCall()
    answering = grouped([None if one is None else one.call_id for one in answers])
    for call_id, numbers in grouped(calls).items():
        places = answering.get(call_id)
        if places is None:
            continue
        told.claimed.update(places)
        told.found.update(joined(numbers, places, sources, targets, answers, find))
    return told


def joined(
    numbers: Sequence[int],
    places: Sequence[int],
    sources: Sequence[Source],
    targets: Sequence[Target],
    answers: Sequence[Answer | None],
    find: Find,
) -> dict[int, Sighting]:
    """Join the texts and the messages of one id."""
    only = the_one(places, targets, answers)
    alone = len({targets[place].text for place in places}) == 1
    if only is None or len(numbers) > 1 or not alone:
        found = by_content(numbers, places, sources, targets, find)
        if only is None or len(numbers) > 1 or found:
            return found
    return {numbers[0]: certain(sources[numbers[0]], targets[only], only)}


def grouped(calls: Sequence[str | None]) -> dict[str, list[int]]:
    """Return the numbers of the texts of each call; some tools make several."""
    groups: dict[str, list[int]] = {}
    for number, call_id in enumerate(calls):
        if call_id is not None:
            groups.setdefault(call_id, []).append(number)
    return groups


def the_one(
    places: Sequence[int], targets: Sequence[Target], answers: Sequence[Answer | None]
) -> int | None:
    """Return the first message that answers a call, where its id means that call alone.

    In one conversation a later message of the same id is the same answer, shortened or cleared. In
    another one it is the same history, or a server that counts its calls from the start again.
    """
    found = [(place, one) for place in places if (one := answers[place]) is not None]
    if any(one.shared for _, one in found):
        return None
    firsts: dict[int, int] = {}
    for place, one in found:
        firsts.setdefault(one.conversation, place)
    texts = {targets[place].text for place in firsts.values()}
    return places[0] if len(texts) == 1 else None


def certain(source: Source, target: Target, index: int) -> Sighting:
    """Return where a text stands in the message that answers its call: else that is the message."""
    one = next(verbatim(source, target), None) if source.bare else None
    if one is None:
        one = next(as_value(source, target), None)
    if one is None:
        end = len(target.text)
        return Sighting(index=index, start=0, end=end, matched=0, certainty="call-id")
    wide = with_space(one, source, target, 0, len(target.text))
    return replace(wide, index=index, certainty="call-id")


def by_content(
    numbers: Sequence[int],
    places: Sequence[int],
    sources: Sequence[Source],
    targets: Sequence[Target],
    find: Find,
) -> dict[int, Sighting]:
    """Join several texts, or messages, of one id by content."""
    seen = find([sources[n].text for n in numbers], [targets[n].text for n in places])
    return {
        number: replace(one, index=places[one.index], certainty=surer(one, len(numbers)))
        for number, one in zip(numbers, seen, strict=True)
        if one is not None
    }


def surer(one: Sighting, texts: int) -> Certainty:
    """Return a join's certainty: where one text was made for the id, the id has said the rest."""
    return "call-id" if texts == 1 else one.certainty
