"""`message-lost`: gone between two requests, and nothing stands in its place."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from ullage.checks.left import Left, chars, comes_back, compactions, turns
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding

NAME = "message-lost"
ALIKE = 0.1
"""Sizes within this share of each other show one limit."""
SETTINGS = {
    "turns": "a limit on turns (max_turns, max_history_turns, a window of k exchanges)",
    "messages": "a limit on messages (max_messages, a window of k messages)",
    "characters": "a limit on tokens or characters (max_tokens of a memory, trim_messages)",
}


def check(session: Session) -> Iterator[Finding]:
    """Report each point of a session at which messages left the history without a word."""
    lost = [one for one in compactions(session) if is_lost(one) and not comes_back(session, one)]
    if not lost:
        return
    trigger = trigger_of(session, lost)
    for left in lost:
        roles = Counter(session.entries[at].message.role for at in left.gone)
        advice = (
            "Messages that the model was sent once are not sent any more, and it cannot know. "
            f"What fits: {SETTINGS[str(trigger['kind'])]}. Raise or remove it, put data into the "
            "current message, or leave a summary where messages are taken out."
        )
        evidence = {
            "messages": len(left.gone),
            "roles": dict(roles),
            "characters": chars(session, left.gone),
            "first": left.gone[0] + 1,
            "task": session.task in left.gone,
            "trigger": trigger,
        }
        yield finding(session, where(session, left), NAME, "error", "retain", advice, evidence)


def is_lost(left: Left) -> bool:
    """Whether no record tells of it, and nothing stands for what is gone."""
    return bool(left.gone) and not left.one.recorded and left.one.act == "trim"


def where(session: Session, left: Left) -> int | None:
    """Return the first entry of the request that lacks them, else the last before it."""
    at = left.one.at
    return at if at < len(session.entries) else at - 1 if at else None


def trigger_of(session: Session, lost: Sequence[Left]) -> Mapping[str, object]:
    """Return the limit that fits best: the one whose size is the same after each loss.

    With one loss only several may fit: then whole turns that went are a limit on turns, and
    `sure` is False.
    """
    kept = [[*(one.post or ()), *fresh(session, one)] for one in lost]
    sizes: dict[str, list[int]] = {
        kind: [measure(session, entries) for entries in kept] for kind, measure in MEASURES.items()
    }
    several = len(lost) > 1
    # A limit on turns takes a user's turn each time, and leaves one at least.
    by_turns = min(sizes["turns"]) > 0 and all(turns(session, one.gone) for one in lost)
    kinds = ("turns", "messages") if by_turns else ("messages",)
    exact = [kind for kind in kinds if len(set(sizes[kind])) == 1]
    if several and exact:
        # A turn has several messages: where both are the same, each turn had as many.
        return {"kind": exact[0], "kept": sizes[exact[0]][0], "sure": len(exact) == 1}
    if several and max(sizes["characters"]) - min(sizes["characters"]) <= ALIKE * max(
        sizes["characters"]
    ):
        return {"kind": "characters", "kept": max(sizes["characters"]), "sure": True}
    kind = "turns" if by_turns and whole_turns(session, lost[0]) else "messages"
    return {"kind": kind, "kept": sizes[kind][0], "sure": False}


def fresh(session: Session, left: Left) -> Iterator[int]:
    """Give the messages that the request which lacks the others was the first to carry."""
    number = session.entries[left.one.at].exchange if left.one.at < len(session.entries) else None
    for at in range(left.one.at, len(session.entries)):
        entry = session.entries[at]
        if entry.exchange != number or entry.label is not None:
            return
        if at not in (left.post or ()):
            yield at


def whole_turns(session: Session, left: Left) -> bool:
    """Whether what stayed begins with a user's message, system texts aside."""
    stayed = [session.entries[at].message for at in left.post or ()]
    first = next((one for one in stayed if one.role != "system"), None)
    return first is None or first.role == "user"


MEASURES: Mapping[str, Callable[[Session, Sequence[int]], int]] = {
    "turns": turns,
    "messages": lambda _, entries: len(entries),
    "characters": chars,
}
