"""What a user really said in a conversation, and what only stands in a user's message."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ullage.arrivals.added import without_added, without_handed
from ullage.arrivals.wording import content_words, vocabulary, without_code
from ullage.transcript.message import Message

_SUMMARY = re.compile(
    r"\W*(?:(?:conversation |context |history |session |previous |earlier |compaction )*summary\b|"
    r"this session is being continued|history_summary|summary of |another language model|"
    r"the conversation (?:so far|history) (?:was|has been)|context (?:was|has been) compacted|"
    r"caveat: the messages below|request interrupted by|ullage: earlier history\])",
    re.IGNORECASE,
)
# Approval, thanks, "go on": words that ask for nothing.
_PLEASANT = vocabulary(
    "ok okay yes yep yeah yup sure right correct exactly agreed fine good great nice cool perfect "
    "perfectly awesome excellent super wonderful lovely looks look works work working thanks thank "
    "thx lgtm continue proceed go ahead carry keep going done well much really danke prima weiter "
    "ja merci oui continuez parfait gracias sí vale sigue perfecto obrigado sim grazie bedankt "
    "no nope hello hi hey"
)
LEAST_WORDS = 2
"""A message with fewer words of its own ("ok", "continue") asks for nothing new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a user said in one message: its place (from 0), and its text without what was added."""

    index: int
    text: str


def user_turns(messages: Sequence[Message]) -> list[Said]:
    """Return the real instructions of a user, in order: no summaries, reminders, "go on"."""
    return [one for one in said_by_user(messages) if asks(one.text)]


def asks(text: str) -> bool:
    """Whether a message has enough words of its own to ask for something."""
    words = content_words(own(text))
    return len([one for one in words if one not in _PLEASANT]) >= LEAST_WORDS


def said_by_user(messages: Sequence[Message]) -> Iterator[Said]:
    """Yield what a user said: no summary of a history, no findings that were handed on."""
    for index, message in enumerate(messages):
        if message.role == "user" and message.answers is None:
            text = without_handed(without_added(message.text))
            if text and not is_summary(text):
                yield Said(index=index, text=text)


def is_summary(text: str) -> bool:
    """Whether a text gives itself out for the summary of a history, or a harness's own words."""
    return _SUMMARY.match(text) is not None


def own(text: str) -> str:
    """Return a text without the code and the quotes in it, or all of it where it is only these."""
    rest = without_code(text)
    return rest if rest.strip() else text


def all_text(messages: Sequence[Message]) -> list[str]:
    """Return what stands in messages but tool results: a result says nothing of what to do.

    The arguments of calls are included: lists of what is to be done are kept by calls.
    """
    texts = []
    for one in messages:
        if one.role == "tool" or one.answers is not None:
            continue
        texts += [one.text, *(call.arguments for call in one.calls)]
    return [one for one in texts if one.strip()]
