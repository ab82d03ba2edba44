"""Whether what a user said is still there after a compaction, in these or other words.

The bounds are inferred, and set so that a check says "lost" only of what is hardly there at all: a
good summary of an instruction keeps most of its words, another text of the same project a few.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ullage.arrivals.user_turns import all_text, own
from ullage.arrivals.wording import (
    Wording,
    comparable,
    content_words,
    names,
    sentences,
    squeezed,
    stands_in,
    vocabulary,
    wording,
)
from ullage.transcript.message import Message

KEPT_SHARE = Fraction(1, 3)
KEPT_SHARE_OF_FEW = Fraction(1, 2)
FEW = 4
"""So much of an instruction's words in the whole of what is left: it is there in other words."""
SENTENCE_SHARE = Fraction(3, 5)
"""Or so much of one of its sentences in one sentence of what is left: the gist of a long one."""
LEAST_OF_SENTENCE = 3
# Acts that a summary calls by another name as often as not: "repair" for "fix".
_ACTS = vocabulary(
    "fix add use create write change update look show tell give put set run find check do build "
    "implement keep start stop help try see go take remove delete move"
)
LEAST_NAMES = 2
"""Across languages only names and figures can be compared; with fewer nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class After:
    """What is there after a compaction, ready to be asked for texts."""

    text: str
    squeezed: tuple[str, ...]
    words: Wording
    sentences: tuple[str, ...]
    by_sentence: tuple[Wording, ...]


def after(messages: Sequence[Message]) -> After:
    """Read what is there after a compaction."""
    texts = all_text(messages)
    each = tuple(one for text in texts for one in sentences(text))
    return After(
        text="\n".join(texts),
        squeezed=tuple(map(squeezed, texts)),
        words=wording(*texts),
        sentences=each,
        by_sentence=tuple(map(wording, each)),
    )


def is_kept(text: str, there: After) -> bool:
    """Whether a text is still there: as it was, in other words, or as far as can be told."""
    if stands_in(text, there.squeezed):
        return True
    if not comparable(own(text), there.text):
        return named(text, there)
    words = matter(text)
    enough = KEPT_SHARE_OF_FEW if len(words) <= FEW else KEPT_SHARE
    if not words or there.words.share(words) >= enough:
        return True
    return any(
        one.share(matter(sentence)) >= SENTENCE_SHARE
        for sentence in sentences(own(text))
        if len(matter(sentence)) >= LEAST_OF_SENTENCE
        for one in there.by_sentence
    )


def matter(text: str) -> list[str]:
    """Return the words that say what a text asks for, without those that others replace."""
    words = content_words(own(text))
    return [one for one in words if one not in _ACTS] or words


def named(text: str, there: After) -> bool:
    """Whether any name or figure of a text is there; True where it has too few to tell."""
    called = names(text)
    return len(called) < LEAST_NAMES or any(one in there.text.casefold() for one in called)
