"""Join what was produced with what was sent: by the calls' ids, else by content."""

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ullage.arrivals.by_call import Answer, ByCall, by_call
from ullage.arrivals.by_line import by_line, lines_left
from ullage.arrivals.edges import widened
from ullage.arrivals.runs import SEED
from ullage.arrivals.sighting import (
    AS_GOOD,
    OWN_LINE,
    Sighting,
    Source,
    Target,
    changed,
    judged,
    verbatim,
)

STRIDE = 64
"""Messages are searched for stretches in common at every so many characters."""

FEWER = 4
"""Stock phrases are in common with many messages; the right one has far more than those."""


def sightings(
    produced: Sequence[str],
    texts: Sequence[str],
    *,
    calls: Sequence[str | None] | None = None,
    answers: Sequence[Answer | None] | None = None,
) -> list[Sighting | None]:
    """Say for each produced text which message text carries it first, and where.

    Both are in order of time. `calls` holds the id of the call that made each produced text,
    `answers` which call each message text answers, as far as that is known: what the ids tell
    comes first. Each stretch of a message is given to one produced text only, so
    equal results are seen in different places, in order. First come the texts that stand
    somewhere as they were produced, the longest first; then cut and re-spelled copies, the best
    first. None where nothing is convincing: no join is better than a wrong one.
    """
    return Join(produced, texts, calls, answers).run()


class Join:
    """The stretches of the messages, each given away at most once."""

    def __init__(
        self,
        produced: Sequence[str],
        texts: Sequence[str],
        calls: Sequence[str | None] | None = None,
        answers: Sequence[Answer | None] | None = None,
    ) -> None:
        # Equal texts share what was read in them.
        made: dict[str, Source] = {text: Source(text) for text in produced}
        sent: dict[str, Target] = {text: Target(text) for text in texts}
        self.sources = [made[text] for text in produced]
        self.targets = [sent[text] for text in texts]
        self.found: list[Sighting | None] = [None] * len(produced)
        self.taken: list[list[Sighting]] = [[] for _ in texts]
        self.calls = [None] * len(produced) if calls is None else calls
        self.answers = [None] * len(texts) if answers is None else answers
        self.told = ByCall()

    def run(self) -> list[Sighting | None]:
        """Join all."""
        self.told = by_call(self.sources, self.targets, self.calls, self.answers, sightings)
        for number, one in self.told.found.items():
            self.give(number, one)
        by_length = sorted(range(len(self.sources)), key=lambda n: -len(self.sources[n].bare))
        for number in by_length:
            if self.sources[number].bare and self.found[number] is None:
                self.give_verbatim(number)
        self.give_changed([n for n, one in enumerate(self.found) if one is None])
        self.give_lines()
        return [self.with_edges(number) for number in range(len(self.found))]

    def give(self, number: int, one: Sighting) -> None:
        """Give a stretch of a message to a produced text."""
        self.found[number] = one
        self.taken[one.index].append(one)

    def is_free(self, one: Sighting) -> bool:
        """Whether no produced text has been given any of a stretch."""
        return all(
            one.end <= other.start or other.end <= one.start for other in self.taken[one.index]
        )

    def is_others(self, number: int, index: int) -> bool:
        """Whether the ids tell that a message is not the place of a produced text."""
        if index in self.told.claimed:
            return True
        return (
            self.told.works and self.calls[number] is not None and self.answers[index] is not None
        )

    def give_verbatim(self, number: int) -> None:
        """Give a produced text the first free place where it stands as it is."""
        for index, target in enumerate(self.targets):
            if self.is_others(number, index):
                continue
            for place in verbatim(self.sources[number], target):
                one = replace(place, index=index)
                if self.is_free(one):
                    self.give(number, one)
                    return

    def give_changed(self, waiting: list[int]) -> None:
        """Give cut and re-spelled copies away, the best match of all first."""
        alike = Alike(self.targets)
        options = {
            number: self.options(number, alike) for number in waiting if self.is_long(number)
        }
        queue = [(-self.best_of(places), number) for number, places in options.items()]
        heapq.heapify(queue)
        while queue:
            promised, number = heapq.heappop(queue)
            best = self.best_of(options[number])
            if best < -promised:
                heapq.heappush(queue, (-best, number))
            elif best > 0:
                self.give_best(number, best, options)

    def give_best(self, number: int, best: int, options: dict[int, list[Sighting]]) -> None:
        """Give a produced text the first free place that is about as good as its best one."""
        one = next(
            one for one in options[number] if one.matched >= AS_GOOD * best and self.is_free(one)
        )
        rivals = [
            other.matched
            for rival, others in options.items()
            if self.found[rival] is None and self.sources[rival] != self.sources[number]
            for other in others
            if other.index == one.index and other.start < one.end and one.start < other.end
        ]
        self.give(number, judged(one, self.sources[number], rivals))

    def give_lines(self) -> None:
        """Give away messages that are nothing but short results, a line each."""
        for index, target in enumerate(self.targets):
            lines = lines_left(target, self.taken[index])
            if not lines:
                continue
            waiting: dict[str, list[int]] = {}
            for number, one in enumerate(self.found):
                if one is None and not self.is_others(number, index):
                    waiting.setdefault(self.sources[number].bare, []).append(number)
            for number, one in by_line(lines, waiting) or ():
                self.give(number, replace(one, index=index))

    def is_long(self, number: int) -> bool:
        """Whether a produced text is a value, or long enough to be known by its stretches."""
        source = self.sources[number]
        return len(source.bare) >= OWN_LINE or source.root is not None

    def options(self, number: int, alike: "Alike") -> list[Sighting]:
        """Return where a produced text may stand."""
        found = []
        source = self.sources[number]
        long = alike.to(source.bare) if len(source.bare) >= OWN_LINE else set()
        for index, target in enumerate(self.targets):
            if self.is_others(number, index):
                continue
            places = changed(source, target, alike=index in long)
            found += [replace(one, index=index) for one in places]
        return found

    def best_of(self, options: list[Sighting]) -> int:
        """Return the most characters that any free place has in common."""
        return max((one.matched for one in options if self.is_free(one)), default=0)

    def with_edges(self, number: int) -> Sighting | None:
        """Widen what was found to all that belongs to it, up to its neighbours."""
        one = self.found[number]
        if one is None or number in self.told.found:
            return one
        target = self.targets[one.index]
        others = [other for other in self.taken[one.index] if other is not one]
        low = max((other.end for other in others if other.end <= one.start), default=0)
        high = min(
            (other.start for other in others if other.start >= one.end), default=len(target.text)
        )
        return widened(one, self.sources[number], target, low, high)


class Alike:
    """Which messages have a long stretch in common with a produced text."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self.blocks: dict[str, set[int]] = {}
        for index, target in enumerate(targets):
            for at in range(0, len(target.text) - SEED + 1, STRIDE):
                self.blocks.setdefault(target.text[at : at + SEED], set()).add(index)

    def to(self, text: str) -> set[int]:
        """Return the messages that share blocks with `text`, those with by far fewer left out."""
        blocks = {text[at : at + SEED] for at in range(len(text) - SEED + 1)}
        shared = Counter(index for one in blocks & self.blocks.keys() for index in self.blocks[one])
        most = max(shared.values(), default=0)
        return {index for index, times in shared.items() if FEWER * times >= most}
