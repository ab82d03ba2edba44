"""`handle-unused`, `handle-dead`: the ways back that a cut result offers, and what came of them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ullage.arrivals.notice import ACT
from ullage.arrivals.shortened import shortened
from ullage.checks.session import Result, Session, finding
from ullage.transcript.finding import Finding

UNUSED = "handle-unused"
DEAD = "handle-dead"
OFFER = re.compile(
    r"""(?:saved|written|persisted|stored|spilled|full\ (?:output|result|log|text|content|response)
    |complete\ (?:output|result)|handle|artifact|ledger\ get)\b[^\n]{0,80}?[\s:=`'"(<]
    (?P<handle>(?:~|\.{1,2})?/[\w.@~+-]+(?:/[\w.@~+-]+)*|[A-Za-z]:\\[\w.\\ -]+\w
    |[a-z][a-z0-9+.-]*://[^\s)\]>'"`]+|[a-z]+[_-](?=[0-9a-f-]*\d)[0-9A-Za-z-]{6,}|[0-9a-f]{12,64})
    """,
    re.VERBOSE | re.IGNORECASE,
)
HANDLE = re.compile(
    r"""(?<![\w/.~])(?P<handle>(?:~|\.{1,2})?/[\w.@~+-]*\w(?:/[\w.@~+-]*\w)+
    |[A-Za-z]:\\[\w.\\ -]+\w|[a-z][a-z0-9+.-]*://[^\s)\]>'"`]+)""",
    re.VERBOSE,
)
"""In the words of a notice a path or an address needs no word before it: what else would it be."""
REST = re.compile(r"\b(?:rest|remainder|remaining|whole|everything|complete)\b", re.IGNORECASE)
FAILS = re.compile(
    r"""no\ such\ file|not\ found|does\ not\ exist|doesn't\ exist|expired
    |unknown\ (?:handle|artifact|id)|cannot\ (?:open|read|access)|permission\ denied
    |outside\ (?:of\ )?(?:the\ )?(?:workspace|allowed)""",
    re.VERBOSE | re.IGNORECASE,
)
SHORT = 400
"""A longer result is a text that speaks of an error, and no error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A way back that a cut result offers, and the results of the calls that took it."""

    result: Result
    handle: str
    taken: Sequence[Result]


def offers(session: Session) -> Iterator[Offer]:
    """Give the handles of cut results, each with the later calls that name it."""
    for at, result in enumerate(session.results):
        if not result.counted or not is_cut(result):
            continue
        for handle in dict.fromkeys(offered(result)):
            later = [one for one in session.results[at + 1 :] if names(one, handle)]
            yield Offer(result=result, handle=handle, taken=later)


def offered(result: Result) -> Iterator[str]:
    """Give the handles that a cut result names: by the words before them, or in its notice."""
    yield from (found["handle"] for found in OFFER.finditer(result.text))
    notice = notice_of(result)
    if ACT.search(notice) or REST.search(notice):
        yield from (found["handle"] for found in HANDLE.finditer(notice))


def notice_of(result: Result) -> str:
    """Return the words that tell the model of the cut: what the tool did not say, or the mark."""
    if result.measured is not None and result.measured.arrival is not None:
        return result.measured.arrival.notice.text or ""
    mark = shortened(result.text) or ""
    return next((line for line in result.text.split("\n") if mark and mark in line), "")


def is_cut(result: Result) -> bool:
    """Whether a result is known to be cut: measured, or by its own words."""
    if result.measured is not None and result.measured.arrival is not None:
        return result.measured.arrival.lost
    return shortened(result.text) is not None


def names(result: Result, handle: str) -> bool:
    """Whether the call of a result names a handle, or the file at its end."""
    if result.call is None:
        return False
    # Windows paths are escaped in JSON.
    arguments = result.call.arguments.replace("\\\\", "\\")
    name = re.split(r"[/\\]", handle)[-1]
    return handle in arguments or (len(name) > len("a.txt") and name in arguments)


def failed(session: Session, result: Result) -> bool:
    """Whether a result says that there is nothing to be had."""
    short = len(result.text) <= SHORT and FAILS.search(result.text) is not None
    return session.entries[result.entry].failed or short


def check_unused(session: Session) -> Iterator[Finding]:
    """Report a way back that no later call took, though the model went on."""
    for one in offers(session):
        went_on = any(
            entry.message.role == "assistant" for entry in session.entries[one.result.entry + 1 :]
        )
        if one.taken or not went_on:
            continue
        advice = (
            "The rest was to be had, and nobody fetched it. If it mattered: give more of it at "
            "once, or say in the notice what is in the rest and how to get it."
        )
        yield finding(
            session, one.result.entry, UNUSED, "note", "retain", advice, {"handle": one.handle}
        )


def check_dead(session: Session) -> Iterator[Finding]:
    """Report a way back that was taken, and led nowhere."""
    for one in offers(session):
        if not one.taken or not all(failed(session, each) for each in one.taken):
            continue
        advice = (
            "The notice names a place that the agent's tools cannot read. Keep the whole where "
            "they can, as long as the session lasts, or hand on pages."
        )
        evidence = {"handle": one.handle, "tried": len(one.taken)}
        yield finding(session, one.taken[0].entry, DEAD, "error", "retain", advice, evidence)
