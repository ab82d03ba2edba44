"""What the tool of a case returned, or what its user said, as a ledger has it."""

import time
from collections.abc import Sequence

from ullage.ledger.records import ProducedRecord
from ullage.ledger.store import Ledger
from ullage.probe.canary import Payload
from ullage.probe.observed import FETCH, Seen
from ullage.probe.verdict.arrived import first_place
from ullage.probe.verdict.requests import Story


def keep_produced(ledger: Ledger, story: Story) -> None:
    """Write down what a case produced, each with the id of the call that it answers.

    By that id the checks find the whole message, whatever else stands in it. What is printed to a
    file is made before its call has an id: so this comes after the last request.
    """
    observed = story.observed
    in_message = observed.case.kind == "user"
    calls = [None] * len(observed.payloads) if in_message else calls_of(story)
    for made, call_id in zip(observed.payloads, calls, strict=True):
        ledger.record(
            ProducedRecord(
                run=observed.case.tag,
                tool="data" if in_message else FETCH,
                kind="data" if in_message else "tool",
                arguments="{}",
                text=made.text,
                at=time.time(),
                key="id",
                call_id=call_id,
            )
        )


def calls_of(story: Story) -> Sequence[str | None]:
    """Return the id of the call that each payload answers; None where nobody can tell.

    The message with its records names the call. Where none arrived, it is by the order of the
    calls: not if a harness called the tool more or less often than the model did, nor where the
    model calls by code.
    """
    ours = {name for names in story.observed.call_ids.values() for name in names} - {None}
    made = story.observed.payloads
    answered = [call_answered(story, one) for one in made]
    in_order = [name for one in story.acting for name in ids_in(story, one)]
    if len(in_order) != len(made):
        in_order = [None] * len(made)
    return [
        told if told in ours else called for told, called in zip(answered, in_order, strict=True)
    ]


def call_answered(story: Story, made: Payload) -> str | None:
    """Return the id of the call that the message with most records of a payload answers."""
    place = first_place(story, made)
    return None if place is None else place[1].answers


def ids_in(story: Story, one: Seen) -> Sequence[str | None]:
    """Return the ids of the calls of the tool in a reply."""
    known = story.observed.call_ids.get(one.number, ())
    count = story.fetches(one)
    return known if len(known) == count else [None] * count
