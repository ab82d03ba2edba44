"""Which steps are still open at a place of a history, and which of them nobody has named since."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ullage.arrivals.done_and_next import Step, may_repeat, next_steps
from ullage.arrivals.repeated_steps import LEAST_WORDS, SAME_SHARE, Done, finished, reopened, same
from ullage.arrivals.user_turns import user_turns
from ullage.arrivals.wording import Wording, content_words, squeezed, wording
from ullage.transcript.message import Message

_OPEN = frozenset(("pending", "in_progress", "in-progress", "open", "todo", "not_started", "doing"))
_STATE = ("status", "state")
_TEXT = ("content", "step", "task", "title", "text", "description", "name")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStep:
    """A step that is to be done: its text, and the message that named it last."""

    index: int
    text: str


def open_steps(messages: Sequence[Message], replaced: frozenset[int]) -> tuple[OpenStep, ...]:
    """Return the open steps that stand in replaced messages only, in the order they were named.

    A step is no longer open where a later message says that it is done, or where a later call has
    most of its words. A list that calls keep is known by its newest state alone.
    """
    named: dict[str, OpenStep] = {}
    listed: dict[str, OpenStep] = {}
    for index, message in enumerate(messages):
        if message.role not in ("user", "assistant") or message.answers is not None:
            continue
        kept = [one for call in message.calls if (one := list_kept(call.arguments)) is not None]
        if kept:
            listed = {squeezed(text): OpenStep(index=index, text=text) for text in kept[-1] if text}
        for step in next_steps(message.text):
            if len(content_words(step.text)) >= LEAST_WORDS:
                named[squeezed(step.text)] = OpenStep(index=index, text=one_line(step.text))
    done = list(finished(messages))
    did = list(called(messages))
    still = [one for one in named.values() if not is_past(one, done, did)]
    return tuple(
        one
        for one in sorted([*listed.values(), *still], key=lambda step: step.index)
        if one.index in replaced
    )


def one_line(text: str) -> str:
    """Return a step on one line."""
    return " ".join(text.split())


def called(messages: Sequence[Message]) -> Iterator[tuple[int, Wording]]:
    """Yield the words of each call, with the place of its message."""
    for index, message in enumerate(messages):
        for call in message.calls:
            if list_kept(call.arguments) is None:
                yield index, wording(call.name, call.arguments)


def is_past(step: OpenStep, done: Iterable[Done], did: Iterable[tuple[int, Wording]]) -> bool:
    """Whether a step was done after it was named, by what was said or called."""
    words = tuple(content_words(step.text))
    meant = Step(text=step.text, about=words)
    # In the very message that names it as open, another sentence may say that it is done.
    if any(one.index >= step.index and same(meant, one) for one in done):
        return True
    return any(index >= step.index and said.share(words) >= SAME_SHARE for index, said in did)


def list_kept(arguments: str) -> tuple[str, ...] | None:
    """Return the open steps of a list that a call keeps, None where it keeps none."""
    if '"' not in arguments or not any(f'"{one}"' in arguments for one in _STATE):
        return None
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    rows = [row for each in lists_in(value) for row in each if isinstance(row, dict)]
    known = [(word_of(row, _STATE), word_of(row, _TEXT)) for row in rows]
    steps = [(state, text) for state, text in known if state is not None and text is not None]
    if not steps:
        return None
    return tuple(one_line(text) for state, text in steps if state.casefold() in _OPEN)


def lists_in(value: object) -> Iterator[Sequence[object]]:
    """Yield the lists of an argument: itself, or its members."""
    for one in (value, *(value.values() if isinstance(value, dict) else ())):
        if isinstance(one, list):
            yield one


def word_of(row: Mapping[str, object], names: Sequence[str]) -> str | None:
    """Return the first member of these names that is a text."""
    return next((one for name in names if isinstance(one := row.get(name), str) and one), None)


def as_next(text: str, messages: Sequence[Message]) -> tuple[str, ...]:
    """Return the steps that a summary lists as next and that were done, and not reopened since."""
    steps = {one.text: one for one in next_steps(text) if not may_repeat(one.text)}
    if not steps:
        return ()
    turns = user_turns(messages)
    done = list(finished(messages))
    return tuple(
        step.text
        for step in steps.values()
        if any(same(step, one) and not reopened(messages, turns, one) for one in done)
    )
