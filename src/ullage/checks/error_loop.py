"""`error-loop-after-elision`: an error left the context, and the same mistake is made again."""

from collections.abc import Iterator

from ullage.arrivals.same_call import same_call
from ullage.arrivals.says_error import says_error
from ullage.checks.left import compactions
from ullage.checks.session import Result, Session, finding
from ullage.transcript.finding import Finding

NAME = "error-loop-after-elision"
NEXT = 20
"""So many calls after it belong to a compaction."""
TWICE = 2


def check(session: Session) -> Iterator[Finding]:
    """Report a call that failed before its error left the context, and fails twice more after."""
    for left in compactions(session):
        away = {*left.gone, *left.one.cleared}
        failed = [one for one in session.results if one.entry in away and is_error(session, one)]
        later = [one for one in session.results if one.entry >= left.one.at][:NEXT]
        told: set[str] = set()
        for old in failed:
            again = [one for one in later if is_error(session, one) and repeats(old, one)]
            key = same_call(old.call) if old.call else None
            if len(again) < TWICE or key is None or key in told:
                continue
            told.add(key)
            advice = (
                f"{old.tool} failed in the same way {len(again)} times more after its error was "
                "taken out of the context. Keep errors, or one line of each, when results are "
                "cleared or summarised."
            )
            evidence = {
                "again": len(again),
                "first_entry": old.entry + 1,
                "act": left.one.act,
                "within_calls": NEXT,
            }
            place = again[0].entry
            yield finding(session, place, NAME, "warning", "retain", advice, evidence)


def is_error(session: Session, one: Result) -> bool:
    """Whether a result was marked as an error, or is short and says that it is one."""
    if session.entries[one.entry].failed:
        return True
    return says_error(one.text)


def repeats(old: Result, new: Result) -> bool:
    """Whether a call is made again, and says the same."""
    if old.call is None or new.call is None:
        return False
    return same_call(old.call) == same_call(new.call) and old.text.strip() == new.text.strip()
