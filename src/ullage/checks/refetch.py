"""`refetch`: a call is made again because its result was cut, or had left the context."""

from collections.abc import Iterator, Mapping

from ullage.arrivals.same_call import same_call
from ullage.checks.handles import is_cut
from ullage.checks.left import compactions
from ullage.checks.session import Result, Session, finding
from ullage.transcript.finding import Finding
from ullage.transcript.served import Usage

NAME = "refetch"
CACHE_READ = 0.1
CACHE_WRITE = 1.25
"""What a token read from the cache, and one written into it for five minutes, cost of a plain one:
Anthropic's rates, second-hand by the documentation of portkey.ai and of synaps 0.3.3, 2026-11."""
LEAST = 200
"""The result of a poll or a status is short, and is asked for again on purpose."""


def check(session: Session) -> Iterator[Finding]:
    """Report a call that is made again with the same result, after that was cut or was gone.

    Where another result came, something has changed, and asking again was no loss.
    """
    away = gone_at(session)
    before: dict[str, Result] = {}
    for one in session.results:
        if one.call is None or one.asked is None:
            continue
        key = same_call(one.call)
        old = before.get(key)
        before[key] = one
        if old is None or not one.counted or old.text != one.text or len(one.text) < LEAST:
            continue
        why = "left-context" if away.get(old.entry, one.asked + 1) <= one.asked else None
        why = why or ("cut" if is_cut(session, old) else None)
        if why is None:
            continue
        advice = (
            "The model asked again for what it had been given, because "
            + ("it was no longer there." if why == "left-context" else "it was cut.")
            + " Keep results that later calls need, and offer a cut result's rest by page: the "
            "same call gives the same cut again."
        )
        usage = session.entries[one.asked].usage
        evidence = {
            "why": why,
            "first_entry": old.entry + 1,
            "characters": len(one.text),
            "cost": cost(usage),
        }
        yield finding(session, one.entry, NAME, "warning", "retain", advice, evidence)


def gone_at(session: Session) -> Mapping[int, int]:
    """Return at which entry the text of each result left the context."""
    found: dict[int, int] = {}
    for left in compactions(session):
        for at in (*left.gone, *left.one.cleared):
            found.setdefault(at, left.one.at)
    return found


def cost(usage: Usage | None) -> Mapping[str, object] | None:
    """Return what one more request cost, in tokens and weighed by the prices of a cache."""
    if usage is None or usage.input is None:
        return None
    cached, written = usage.cached or 0, usage.cache_written or 0
    plain = usage.input - cached - written
    return {
        "input": usage.input,
        "cached": cached,
        "cache_written": written,
        "output": usage.output,
        "weighed_input": round(plain + CACHE_READ * cached + CACHE_WRITE * written),
        "rates": {"cache_read": CACHE_READ, "cache_write": CACHE_WRITE},
    }
