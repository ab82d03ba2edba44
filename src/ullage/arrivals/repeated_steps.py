"""Steps that the assistant said are done, and whether a step that is listed as next is one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ullage.arrivals.done_and_next import IRREGULAR, Step, done_steps, next_steps
from ullage.arrivals.user_turns import Said
from ullage.arrivals.wording import Wording, content_words, vocabulary, wording
from ullage.transcript.message import Message

LEAST_WORDS = 2
SAME_SHARE = Fraction(3, 4)
"""So much of a finished step's words stands in the next one. Inferred, set for certainty."""
# Words that tell no step from another.
_VAGUE = vocabulary(
    "change changes code file files work step steps task tasks thing things update updates issue "
    "project repo repository successfully completed complete done finished implemented implement"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One step that was done: the message that says so, its text, the words that tell it."""

    index: int
    text: str
    words: tuple[str, ...]
    told: Wording


def finished(messages: Sequence[Message]) -> Iterator[Done]:
    """Yield the steps that the assistant said are done."""
    for index, message in enumerate(messages):
        for text in done_steps(message.text) if message.role == "assistant" else ():
            words = telling(text)
            if len(words) >= LEAST_WORDS:
                told = wording(text, " ".join(words))
                yield Done(index=index, text=text, words=tuple(words), told=told)


def reopened(messages: Sequence[Message], turns: Sequence[Said], done: Done) -> bool:
    """Whether a step was asked for, or listed as next, again after it was done."""
    asked = (said.text for said in turns if said.index > done.index)
    return any(wording(text).share(done.words) > 1 / 2 for text in asked) or any(
        same(step, done)
        for message in messages[done.index + 1 :]
        if message.role != "tool"
        for step in next_steps(message.text)
    )


def telling(text: str) -> list[str]:
    """Return the words that tell a step from others, its verb as it is in the present."""
    return [IRREGULAR.get(one, one) for one in content_words(text) if one not in _VAGUE]


def same(step: Step, done: Done) -> bool:
    """Whether a step that is next is one that was done.

    All of its words are those of the done one: one other noun makes it another step. Or, where
    `it` stands for something, most of the words of the done one stand in what it says and means.
    """
    if len(done.told.common(one for one in step.about if one not in _VAGUE)) < LEAST_WORDS:
        return False
    if len(step.about) > len(content_words(step.text)):
        return wording(" ".join(step.about)).share(done.words) >= SAME_SHARE
    own = telling(step.text)
    return bool(own) and done.told.share(own) == 1
