"""What left the context of a session at one compaction, and how full the window was."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ullage.checks.session import Session
from ullage.transcript.message import Message
from ullage.transcript.transcript import Compaction
from ullage.wire.spelling import is_note

Words = tuple[str, str, tuple[tuple[str, str], ...]]
"""What a message says and calls, whatever its ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """One compaction of a session: `number` of it, what was there before, and what is gone.

    `pre` and `post` are entries; `gone` those of `pre` that are not in `post`, system texts
    and the notes of a harness aside.
    `post` is None where the transcript does not tell, `gone` is empty then.
    """

    number: int
    one: Compaction
    pre: Sequence[int]
    post: Sequence[int] | None
    gone: Sequence[int]


def compactions(session: Session) -> Sequence[Left]:
    """Return the compactions of a session that are its own, in order."""
    return session.once(lefts)


def lefts(session: Session) -> list[Left]:
    """Find what left at each compaction."""
    found = []
    whole = session.transcript
    for number, one in enumerate(whole.compactions):
        if one.at < whole.shared:
            continue
        pre, post = whole.pre(number), whole.post(number)
        there = set(post or ())
        gone = [at for at in pre if at not in there and is_said(session.entries[at].message)]
        found.append(
            Left(number=number, one=one, pre=pre, post=post, gone=gone if post is not None else [])
        )
    return found


def comes_back(session: Session, left: Left) -> bool:
    """Whether what is gone is there again later: the request was a side step with less history.

    The messages may be sent anew, or be in force again after a later compaction. Other ids of the
    same calls make no other message: a history that goes to another provider gets new ones.
    """
    last = session.once(last_in_force)
    if 2 * sum(last.get(at, -1) > left.number for at in left.gone) > len(left.gone):
        return True
    places = session.once(places_said)
    gone = Counter(said(session.entries[at].message) for at in left.gone)
    there = 0
    for words, times in gone.items():
        known = places[words]
        there += min(times, len(known) - bisect_left(known, left.one.at))
    return 2 * there > gone.total()


def last_in_force(session: Session) -> dict[int, int]:
    """Return of each entry that a compaction kept the last one that did, by its number."""
    compactions = session.transcript.compactions
    return {at: number for number, one in enumerate(compactions) for at in one.after or ()}


def places_said(session: Session) -> dict[Words, list[int]]:
    """Return at which entries the same is said, in order."""
    found: defaultdict[Words, list[int]] = defaultdict(list)
    for at, one in enumerate(session.entries):
        found[said(one.message)].append(at)
    return found


def said(message: Message) -> Words:
    """Return what a message says and calls, whatever its ids."""
    return message.role, message.text, tuple((one.name, one.arguments) for one in message.calls)


def is_said(message: Message) -> bool:
    """Whether a message is a part of what was said: no system text, and no note of a harness."""
    return message.role != "system" and not is_note(message)


def tokens_before(session: Session, left: Left) -> int | None:
    """Return the tokens of the context before: as written down, as the last reply reports, or None.

    The last reply's prompt and answer are both in the context then. Zero is not known: no context
    is empty.
    """
    if left.one.tokens_before:
        return left.one.tokens_before
    usage = next((found for at in reversed(left.pre) if (found := session.entries[at].usage)), None)
    if usage is None or not usage.input:
        return None
    return usage.input + (usage.output or 0)


def messages(session: Session, entries: Sequence[int]) -> list[Message]:
    """Return the messages of entries."""
    return [session.entries[at].message for at in entries]


def chars(session: Session, entries: Sequence[int]) -> int:
    """Return how many characters the messages of entries hold, arguments of calls included."""
    return sum(size(session.entries[at].message) for at in entries)


def size(message: Message) -> int:
    """Return the characters of a message and of its calls' arguments."""
    return len(message.text) + sum(len(one.arguments) for one in message.calls)
