"""Where each payload of a case came first, and what of it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ullage.probe.canary import Payload, payload, prompt
from ullage.probe.observed import Seen
from ullage.probe.verdict.delivery import Delivery, delivery
from ullage.probe.verdict.requests import Story
from ullage.transcript.message import Message


def deliveries(story: Story, *, around: str | None = None) -> tuple[Delivery, ...]:
    """Judge every payload at its first arrival; one that came nowhere has lost all.

    `around` is what the harness writes around a payload when it loses nothing.
    """
    asking = story.asking
    return tuple(
        judged(story, made, asking[call] if call < len(asking) else None, around)
        for call, made in enumerate(produced(story))
    )


def produced(story: Story) -> Sequence[Payload]:
    """Return what the tool returned, or what the user sent."""
    if story.case.kind == "user":
        return [payload(story.case, turn) for turn in range(story.case.turns)]
    return story.observed.payloads


def judged(story: Story, made: Payload, asking: Seen | None, around: str | None) -> Delivery:
    """Judge one payload; `asking` is the request whose reply called for it, if that is known."""
    place = first_place(story, made) or answer_place(story, asking)
    after = next_after(story, asking)
    if place is None:
        sent = asking is None or after is not None
        return replace(delivery(made, "", around=around), sent=sent)
    one, message = place
    return replace(
        delivery(made, text_of(story, made, message), around=around),
        role=message.role,
        request=one.number,
        late=after is not None and after.number < one.number,
    )


def first_place(story: Story, made: Payload) -> tuple[Seen, Message] | None:
    """Return the first request with a record of a payload, and the message that has most."""
    for one in story.acting:
        there = carriers(story, made, one)
        if there:
            return one, max(there, key=lambda each: len(rows_in(story, made, each.text)))
    return None


def carriers(story: Story, made: Payload, one: Seen) -> Sequence[Message]:
    """Return the messages of a request with records of a payload, but the model's own."""
    return [
        each
        for each in one.messages
        if each.role != "assistant" and rows_in(story, made, each.text)
    ]


def rows_in(story: Story, made: Payload, text: str) -> frozenset[str]:
    """Return the ids of a payload's records in a text."""
    return story.ids(text) & made.places.keys()


def answer_place(story: Story, asking: Seen | None) -> tuple[Seen, Message] | None:
    """Return the message that answers a call of which nothing arrived."""
    one = next_after(story, asking)
    results = [] if one is None else [each for each in one.messages if story.is_result(each)]
    return (one, results[-1]) if one is not None and results else None


def next_after(story: Story, asking: Seen | None) -> Seen | None:
    """Return the acting model's next request."""
    if asking is None:
        return None
    return next((one for one in story.acting if one.number > asking.number), None)


def text_of(story: Story, made: Payload, message: Message) -> str:
    """Return a message's text without what the user says before the data."""
    if story.case.kind != "user":
        return message.text
    # Its line ends stay: what a harness writes before the prompt is no part of the first line.
    return message.text.replace(next(leads(story, made), "").rstrip("\n"), "", 1)


def leads(story: Story, made: Payload) -> Iterator[str]:
    """Yield what stands before a payload in the prompt that has it."""
    for turn in range(story.case.turns):
        said = prompt(story.case, turn)
        if said.endswith(made.text):
            yield said.removesuffix(made.text)
