"""Putting compactions into a list of messages that was written down without what they wrote."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ullage.transcript.finding import Source
from ullage.transcript.transcript import Act, Compaction, Entry


@dataclass(slots=True, kw_only=True)
class Found:
    """A compaction before message `at` of a list.

    `kept` is what the next request held: messages of the list by their numbers, and others
    (summaries, placeholders), which are to be put in; None where it is not known. `summary` are
    those of the others, `summaries` those of the list, that are a model's words; `cleared` are
    messages of the list that a placeholder stands for.
    """

    at: int
    act: Act | None = None
    kept: list[int | Entry] | None = None
    summary: list[Entry] = field(default_factory=list)
    summaries: list[int] = field(default_factory=list)
    cleared: list[int] = field(default_factory=list)
    trigger: str | None = None
    before: int | None = None
    after: int | None = None
    source: Source = field(default_factory=Source)


def woven(entries: Sequence[Entry], found: Sequence[Found]) -> tuple[list[Entry], list[Compaction]]:
    """Return the messages with those of the compactions put in, and the compactions."""
    whole: list[Entry] = []
    places: dict[int, int] = {}
    begins: list[int] = []
    put_in: dict[int, int] = {}
    order = sorted(found, key=lambda one: one.at)
    waiting = list(order)
    for at in range(len(entries) + 1):
        while waiting and waiting[0].at <= at:
            begins.append(len(whole))
            for one in waiting.pop(0).kept or ():
                if isinstance(one, Entry):
                    put_in[id(one)] = len(whole)
                    whole.append(one)
        if at < len(entries):
            places[at] = len(whole)
            whole.append(entries[at])
    compactions = [
        compaction(one, begin, places, put_in) for one, begin in zip(order, begins, strict=False)
    ]
    return whole, compactions


def compaction(
    one: Found, begin: int, places: dict[int, int], put_in: dict[int, int]
) -> Compaction:
    """Return a compaction by the new numbers of messages."""

    def place(kept: int | Entry) -> int:
        return places[kept] if isinstance(kept, int) else put_in[id(kept)]

    return Compaction(
        at=begin,
        act=one.act,
        after=None if one.kept is None else tuple(map(place, one.kept)),
        cleared=tuple(map(place, one.cleared)),
        summary=tuple(sorted([*map(place, one.summary), *map(place, one.summaries)])),
        trigger=one.trigger,
        tokens_before=one.before,
        tokens_after=one.after,
        source=one.source,
    )
