"""Lost records of a session, and whether their evidence stands elsewhere in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ullage.arrivals.landed import Landed, Made
from ullage.arrivals.second_path import Given, Lost, second_paths
from ullage.arrivals.states import ABSENT
from ullage.arrivals.telling import telling
from ullage.arrivals.values import Json
from ullage.policies.tally import Counts, Group, Tally


@dataclass(slots=True)
class Loudness:
    """What one policy delivered of a session, and what it lost; judged when the session is whole.

    Lost are the records of which nothing arrived: one that arrived in part is no loss that has to
    be found elsewhere. What a session holds of both is in memory until then.
    """

    given: list[Given] = field(default_factory=list)
    lost: list[tuple[Group, Lost]] = field(default_factory=list)

    def add(self, group: Group, made: Made, text: str, found: Landed) -> None:
        """Take in one result, delivered as `text`."""
        number = len(self.given)
        self.given.append(Given(number=number, tool=group.tool, text=text))
        for at, part in enumerate(found.parts):
            if ABSENT not in part.states:
                continue
            records = made.records(at)
            self.lost += [
                (
                    group,
                    Lost(
                        result=number,
                        part=part.path,
                        index=index,
                        record=records[index],
                        telling=told,
                    ),
                )
                for index, told in absent(part.states, records)
            ]

    def judge(self, tally: Tally) -> None:
        """Add up which losses have a second path."""
        judged = second_paths([one for _, one in self.lost], self.given)
        for (group, _), one in zip(self.lost, judged, strict=True):
            counts = tally.counts.setdefault(group, Counts())
            setattr(counts, one.word, getattr(counts, one.word) + 1)


def absent(states: bytes, records: Sequence[Json]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the records of which nothing arrived, with what tells of each."""
    for index, told in enumerate(telling(records)):
        if states[index] == ABSENT:
            yield index, told
