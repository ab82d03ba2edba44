"""What became of each record of a payload in one delivered text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ullage.arrivals.lines import lines_of, texts_in
from ullage.arrivals.parts import parts_of
from ullage.arrivals.read import Reading, read
from ullage.arrivals.records import State, match
from ullage.arrivals.runs import Run, runs
from ullage.arrivals.values import unescape
from ullage.probe.canary import ID, Payload

ESCAPED_LINE = "\\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The records of a payload in their order: whole, partial (the id is there) or absent.

    `cut` counts those that a cut went through: some of their text arrived, not all. `surface` is
    the text in which they were found: the delivered one, or what that holds in another spelling.
    """

    states: tuple[State, ...]
    cut: int
    surface: str

    @property
    def whole(self) -> int:
        """How many arrived whole."""
        return self.states.count("whole")

    @property
    def partial(self) -> int:
        """Of how many others the id arrived."""
        return self.states.count("partial")


def records(produced: Payload, delivered: str, got: Reading) -> Records:
    """Say what became of each record; `got` is the reading of the delivered text."""
    if produced.format == "json":
        return values(produced, got)
    return lines(produced, delivered, got)


def values(produced: Payload, got: Reading) -> Records:
    """Match the records of a JSON payload by value."""
    matched = match(parts_of(read(produced.text).value), got, verbatim=produced.text)
    states = tuple(fate.state for one in matched.parts for fate in one.fates)
    return Records(
        states=states, cut=cut_through(produced, got.surface, states), surface=got.surface
    )


def lines(produced: Payload, delivered: str, got: Reading) -> Records:
    """Find the records of a payload of lines, in the text or in what it holds encoded."""
    least = min(place.end - place.start for place in produced.places.values())
    found = [states_in(produced, text) for text in surfaces(delivered, got, least)]
    states, surface = max(found, key=lambda one: (one[0].count("whole"), one[0].count("partial")))
    return Records(states=states, cut=cut_through(produced, surface, states), surface=surface)


def surfaces(delivered: str, got: Reading, least: int) -> Sequence[str]:
    """Return the texts in which lines may stand: the text, long strings in it, what it escapes."""
    inside = (text for text in texts_in(got) if len(text) >= least and ID.search(text))
    texts = [delivered, *inside]
    if ESCAPED_LINE in delivered:
        texts.append(unescape(delivered))
    return list(dict.fromkeys(texts))


def states_in(produced: Payload, text: str) -> tuple[tuple[State, ...], str]:
    """Say of each record whether its line stands in a text, or only its id."""
    there, ids = set(lines_of(text)), set(ID.findall(text))
    states = tuple(
        state(record, identity, there, ids) for identity, record in texts_of(produced).items()
    )
    return states, text


def state(record: str, identity: str, there: set[str], ids: set[str]) -> State:
    """Say what became of one line."""
    if record in there:
        return "whole"
    return "partial" if identity in ids else "absent"


def texts_of(produced: Payload) -> Mapping[str, str]:
    """Return the text of each record by its id."""
    return {
        identity: produced.text[place.start : place.end]
        for identity, place in produced.places.items()
    }


def cut_through(produced: Payload, surface: str, states: Sequence[State]) -> int:
    """Count the records that are not whole and of which a stretch arrived as it was."""
    found = sorted(runs(produced.text, surface), key=lambda run: run.at)
    places = list(produced.places.values())
    touched, at = 0, 0
    for place, one in zip(places, states, strict=True):
        while at < len(found) and end_of(found[at]) <= place.start:
            at += 1
        reaches = at < len(found) and found[at].at < place.end
        touched += reaches and one != "whole"
    return touched


def end_of(run: Run) -> int:
    """Return where a stretch ends in the produced text."""
    return run.at + run.end - run.start
