"""Which case comes next: a ladder, then a search for the exact place where a loss begins."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from ullage.probe.case import Case, Kind
from ullage.probe.cases import Wanted, ladder
from ullage.probe.limit import Limit, unit
from ullage.probe.runner import Cases
from ullage.probe.threshold import Search, Threshold, search
from ullage.probe.tried import Tried
from ullage.probe.verdict.cap import Cap, cap

LEAST = 1000
"""Characters: no smaller result is tried."""

MORE_HISTORIES = (2_000, 8_000)
"""Sizes of results in further conversations: their turns differ, so a cap's unit shows."""

LONG_LINES = 400
Step = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where the loss of one shape begins, and the unit of the limit; None without a threshold.

    `thresholds` are those of further shapes by which the unit was found.
    """

    case: Case
    threshold: Threshold
    limit: Limit | None
    thresholds: Sequence[tuple[Case, Threshold]] = ()


class Plan:
    """The cases that are wanted; with `bisect`, also those that find a threshold and a cap.

    After the last one `found` are the thresholds and `tried` is what came of each case, those of a
    search apart: `searched` counts them. `left` counts the cases that were not tried, because an
    earlier one showed that they would end alike.
    """

    def __init__(
        self, wanted: Wanted, *, bisect: bool, around: Callable[[Case], str], step: Step
    ) -> None:
        self.found: list[Found] = []
        self.tried: list[Tried] = []
        self.left = 0
        self.searched = 0
        self._wanted, self._bisect, self._around, self._step = wanted, bisect, around, step

    @property
    def cap(self) -> Cap | None:
        """The limit of the history, from all conversations that were tried."""
        return history_cap(self.tried)

    def cases(self) -> Cases[Tried]:
        """Give one case after the other."""
        listed = list(ladder(self._wanted))
        unsaid: set[Kind] = set()
        for number, case in enumerate(listed, 1):
            if case.kind in unsaid:
                self.left += 1
                continue
            came = yield from self._try(case)
            if came.outcome.kind == "not-said":
                unsaid.add(case.kind)
            # One that has asked in another case can: then it is this case that it cannot do.
            if came.outcome.is_hopeless and not any(one.requests for one in self.tried):
                self.left = len(listed) - number
                return
        if self._bisect:
            yield from self._thresholds()
            yield from self._histories()

    def _try(self, case: Case) -> Generator[Case, Tried, Tried]:
        came = yield from self._ask(case)
        self.tried.append(came)
        return came

    def _ask(self, case: Case) -> Generator[Case, Tried, Tried]:
        self._step(case.tag.removeprefix(f"{self._wanted.name}-"))
        return (yield case)

    def _thresholds(self) -> Cases[Tried]:
        """Search where each shape that lost something begins to."""
        for rungs in by_shape(self.tried):
            known = {one.case.size: one.lost for one in rungs}
            if not any(known.values()):
                continue
            first = rungs[0].case
            threshold = yield from self._search(self._named(first), known)
            others = []
            for shape in other_shapes(first, threshold):
                other = self._named(shape)
                others.append((other, (yield from self._elsewhere(other, threshold))))
            measured = [(self._named(first), threshold), *others]
            self.found.append(
                Found(
                    case=first,
                    threshold=threshold,
                    limit=self._limit(measured),
                    thresholds=others,
                )
            )

    def _named(self, shape: Case) -> Case:
        """Return a shape with records of its own, the same ones at each size."""
        return replace(shape, records=f"bisect-{mark(shape)}")

    def _elsewhere(self, shape: Case, threshold: Threshold) -> Generator[Case, Tried, Threshold]:
        """Search for the threshold of another shape; first where that of the first one lies."""
        known = {}
        for size in (threshold.kept, threshold.lost):
            if size is not None:
                known[size] = yield from self._loses(shape, size)
        return (yield from self._search(shape, known))

    def _search(self, shape: Case, known: dict[int, bool]) -> Generator[Case, Tried, Threshold]:
        """Search for a threshold in one shape."""
        least, most = LEAST, max(self._wanted.sizes)
        asking: Search = search(least, most, known=known)
        try:
            size = next(asking)
            while True:
                size = asking.send((yield from self._loses(shape, size)))
        except StopIteration as end:
            threshold: Threshold = end.value
            return threshold

    def _loses(self, shape: Case, size: int) -> Generator[Case, Tried, bool]:
        """Try a shape in a size; say whether it loses anything."""
        self.searched += 1
        tag = f"{self._wanted.name}-{shape.records}-{size}"
        came = yield from self._ask(replace(shape, tag=tag, size=size))
        return came.lost

    def _limit(self, measured: Sequence[tuple[Case, Threshold]]) -> Limit | None:
        """Find the unit, where a threshold lies between two sizes."""
        if all(None in (one.kept, one.lost) for _, one in measured):
            return None
        return unit(measured, extra=len(self._around(measured[0][0])))

    def _histories(self) -> Cases[Tried]:
        """Try conversations with turns of other sizes, where one lost something."""
        if not any(one.lost for one in self.tried if one.case.kind == "history"):
            return
        for case in ladder(replace(self._wanted, what=("history",), history_sizes=MORE_HISTORIES)):
            yield from self._try(case)


def by_shape(tried: Sequence[Tried]) -> Iterator[list[Tried]]:
    """Give the rungs of each ladder of results."""
    shapes: dict[tuple[object, ...], list[Tried]] = {}
    for one in tried:
        if one.case.kind in ("result", "user") and one.outcome.is_seen:
            shapes.setdefault((one.case.kind, one.case.format, one.case.returns), []).append(one)
    yield from shapes.values()


def other_shapes(case: Case, threshold: Threshold) -> Iterator[Case]:
    """Give shapes of which a limit in another unit has another threshold."""
    if threshold.kept is None or threshold.lost is None:
        return
    yield replace(case, wide=True)
    yield replace(case, lines=LONG_LINES)
    if case.returns == "text" and case.format == "json":
        yield replace(case, format="ndjson")


def mark(case: Case) -> str:
    """Tell a shape's tags from those of others."""
    words = [
        case.kind,
        case.format,
        case.returns,
        str(case.lines),
        *(["wide"] if case.wide else []),
    ]
    return "-".join(words)


def history_cap(tried: Sequence[Tried]) -> Cap | None:
    """Find the cap that explains the conversations that were tried."""
    conversations = [
        one.verdict.history.held
        for one in tried
        if one.case.kind == "history"
        and one.verdict is not None
        and one.verdict.history is not None
    ]
    return cap(conversations) if conversations else None
