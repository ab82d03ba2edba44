"""`message-lost`: gone between two requests, and nothing stands in its place."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ullage.checks.history_limit import Kept, Sizes, begins_with_turn, limit_of, sizes
from ullage.checks.left import Left, chars, comes_back, compactions, messages
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding

NAME = "message-lost"
SETTINGS = {
    "turns": "a limit on turns (max_turns, max_history_turns, a window of k exchanges)",
    "messages": "a limit on messages (max_messages, a window of k messages)",
    "characters": "a limit on tokens or characters (max_tokens of a memory, trim_messages)",
    "unknown": "no one limit on turns, messages or characters; look for what takes messages out",
}


def check(session: Session) -> Iterator[Finding]:
    """Report each point of a session at which messages left the history without a word."""
    lost = [one for one in compactions(session) if is_lost(one) and not comes_back(session, one)]
    if not lost:
        return
    trigger = trigger_of(session, lost)
    for left in lost:
        gone = silently(left)
        roles = Counter(session.entries[at].message.role for at in gone)
        advice = (
            "Messages that the model was sent once are not sent any more, and it cannot know. "
            f"What fits: {SETTINGS[str(trigger['kind'])]}. Raise or remove it, put data into the "
            "current message, or leave a summary where messages are taken out."
        )
        evidence = {
            "messages": len(gone),
            "roles": dict(roles),
            "characters": chars(session, gone),
            "first": gone[0] + 1,
            "task": session.task in gone,
            "trigger": trigger,
        }
        found = finding(session, where(session, left), NAME, "error", "retain", advice, evidence)
        # What stands there now is none of what is gone.
        yield replace(found, tool=None, call_id=None)


def is_lost(left: Left) -> bool:
    """Whether no record tells of it, and nothing stands for what is gone."""
    told = left.one.recorded or left.one.stated
    return bool(silently(left)) and not told and left.one.act == "trim"


def silently(left: Left) -> Sequence[int]:
    """Return what is gone, and left nothing that stands for it."""
    cleared = set(left.one.cleared)
    return [at for at in left.gone if at not in cleared]


def where(session: Session, left: Left) -> int | None:
    """Return the first entry of the request that lacks them, else the last before it."""
    at = left.one.at
    return at if at < len(session.entries) else at - 1 if at else None


def trigger_of(session: Session, lost: Sequence[Left]) -> Mapping[str, object]:
    """Return the limit that explains what stayed each time; `sure` is False where several do."""
    found = limit_of([one for left in lost for one in kept_at(session, left)])
    if found is None:
        return {"kind": "unknown", "kept": None, "sure": False}
    return {"kind": found.unit, "kept": found.least, "sure": found.sure}


def kept_at(session: Session, left: Left) -> Iterator[Kept]:
    """Give what was there before a loss without one, and what the request held that lacks some."""
    asked = list(left.pre)
    while asked and session.entries[asked[-1]].message.role == "assistant":
        asked.pop()  # a reply, that no request held yet
    for gone, entries in ((), asked), (left.gone, [*(left.post or ()), *fresh(session, left)]):
        held = messages(session, entries)
        yield Kept(
            number=left.number,
            held=sizes(held),
            gone=sizes(messages(session, gone)) if gone else Sizes(),
            at_turn=begins_with_turn(held),
        )


def fresh(session: Session, left: Left) -> Iterator[int]:
    """Give the messages that the request which lacks the others was the first to carry."""
    number = session.entries[left.one.at].exchange if left.one.at < len(session.entries) else None
    for at in range(left.one.at, len(session.entries)):
        entry = session.entries[at]
        if entry.exchange != number or entry.label is not None:
            return
        if at not in (left.post or ()):
            yield at
