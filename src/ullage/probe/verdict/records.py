"""What became of each record of a payload in one delivered text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ullage.arrivals.lines import lines_of, texts_in
from ullage.arrivals.parts import parts_of
from ullage.arrivals.read import Reading, read
from ullage.arrivals.records import match
from ullage.arrivals.runs import Run, kept, runs
from ullage.arrivals.states import NAMES, State
from ullage.arrivals.values import unescape
from ullage.arrivals.wanted import AllWanted
from ullage.probe.canary import ID, Payload

ESCAPED_LINE = "\\n"
LEAST_TEXT = 40
"""A shorter string in an envelope is no output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The records of a payload in their order: whole, partial (the id is there) or absent.

    `cut` counts those that a cut went through: some of their text arrived, not all. `surface` is
    the text in which they were found: the delivered one, or what that holds in another spelling.
    `chars` counts the characters of the produced text in it, as they stood.
    """

    states: tuple[State, ...]
    cut: int
    surface: str
    chars: int

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
    wanted = AllWanted(parts_of(read(produced.text).value))
    matched = match(wanted, got, verbatim=produced.text)
    states = tuple(NAMES[state] for one in matched.parts for state in one.states)
    return compared(produced, states, got.surface, got)


def lines(produced: Payload, delivered: str, got: Reading) -> Records:
    """Find the records of a payload of lines, in the text or in what it holds encoded."""
    texts = [delivered, got.surface, joined(got)]
    if ESCAPED_LINE in delivered:
        texts.append(unescape(delivered))
    found = [(states_in(produced, text), text) for text in dict.fromkeys(texts)]
    states, surface = max(found, key=lambda one: (one[0].count("whole"), one[0].count("partial")))
    return compared(produced, states, surface, got)


def joined(got: Reading) -> str:
    """Return the strings that an envelope holds, one behind the other."""
    inside = (text for text in texts_in(got) if text is not got.surface)
    return "\n".join(text for text in inside if len(text) >= LEAST_TEXT)


def compared(produced: Payload, states: tuple[State, ...], surface: str, got: Reading) -> Records:
    """Add what the stretches say that arrived as they were, in the text or in its strings."""
    found = max((runs(produced.text, text) for text in (surface, joined(got))), key=kept)
    return Records(
        states=states,
        cut=cut_through(produced, found, states),
        surface=surface,
        chars=kept(found),
    )


def states_in(produced: Payload, text: str) -> tuple[State, ...]:
    """Say of each record whether its line stands in a text, or only its id."""
    there, ids = set(lines_of(text)), set(ID.findall(text))
    return tuple(
        state(record, identity, there, ids) for identity, record in texts_of(produced).items()
    )


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


def cut_through(produced: Payload, stretches: Sequence[Run], states: Sequence[State]) -> int:
    """Count the records that are not whole and of which a stretch arrived as it was."""
    found = sorted(stretches, key=lambda run: run.at)
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
