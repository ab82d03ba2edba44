"""`handle-unused`, `handle-dead`: the ways back that a cut result offers, and what came of them."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

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
WORDS = (
    *("saved", "written", "persisted", "stored", "spilled", "handle", "artifact", "ledger get"),
    *("full ", "complete "),
)
FAILS = re.compile(
    r"""no\ such\ file|not\ found|does\ not\ exist|doesn't\ exist|expired
    |unknown\ (?:handle|artifact|id)|cannot\ (?:open|read|access)|permission\ denied
    |outside\ (?:of\ )?(?:the\ )?(?:workspace|allowed)""",
    re.VERBOSE | re.IGNORECASE,
)
BORDER = "\n"
"""Stands between the arguments of calls; no handle has one in it."""
SHORT = 400
"""A longer result is a text that speaks of an error, and no error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A way back that a cut result offers, and the results of the calls that took it."""

    result: Result
    handle: str
    taken: Sequence[Result]


def offers(session: Session) -> Sequence[Offer]:
    """Return the handles of cut results, each with the later calls that name it."""
    return session.once(all_offers)


def all_offers(session: Session) -> list[Offer]:
    """Find the offers of a session."""
    return list(find_offers(session))


def find_offers(session: Session) -> Iterator[Offer]:
    """Give the offers of a session, result by result."""
    calls: Calls | None = None
    for at, result in enumerate(session.results):
        if not result.counted or not is_cut(session, result):
            continue
        for handle in dict.fromkeys(offered(session, result)):
            calls = calls or Calls(session.results)
            yield Offer(result=result, handle=handle, taken=list(calls.naming(handle, at + 1)))


def offered(session: Session, result: Result) -> Iterator[str]:
    """Give the handles that a cut result names: by the words before them, or in its notice."""
    if may_offer(result.text):
        named = (found["handle"] for found in OFFER.finditer(result.text))
        yield from (one for one in named if not is_data(one, result))
    notice = notice_of(session, result)
    if ACT.search(notice) or REST.search(notice):
        yield from (found["handle"] for found in HANDLE.finditer(notice))


def is_data(handle: str, result: Result) -> bool:
    """Whether a handle that is no path or address is an id in what the tool itself made."""
    made = result.measured.produced if result.measured else ""
    return HANDLE.fullmatch(handle) is None and handle in made


def notice_of(session: Session, result: Result) -> str:
    """Return the words that tell the model of the cut: what the tool did not say, or the mark."""
    if result.measured is not None and result.measured.arrival is not None:
        return result.measured.arrival.notice.text or ""
    shown = session.unknown.get(result.entry)
    mark = (shortened(result.text) if shown is None else shown.mark) or ""
    return next((line for line in result.text.split("\n") if mark and mark in line), "")


def may_offer(text: str) -> bool:
    """Whether any of the words stands in a text that an offer begins with: soon found."""
    folded = text.casefold()
    return any(word in folded for word in WORDS)


def is_cut(session: Session, result: Result) -> bool:
    """Whether a result is known to be cut: measured, or by its own words."""
    if result.measured is not None and result.measured.arrival is not None:
        return result.measured.arrival.lost
    shown = session.unknown.get(result.entry)
    return shortened(result.text) is not None if shown is None else shown.shortened


class Calls:
    """The arguments of the calls of all results as one text.

    Each of thousands of handles is looked for in all later calls: one search, and no loop.
    """

    def __init__(self, results: Sequence[Result]) -> None:
        # Windows paths are escaped in JSON.
        arguments = [
            one.call.arguments.replace("\\\\", "\\") if one.call else "" for one in results
        ]
        self.results = results
        self.begins = [0, *accumulate(len(one) + 1 for one in arguments)]
        self.text = BORDER.join([*arguments, ""])

    def naming(self, handle: str, first: int) -> Iterator[Result]:
        """Give the results from a place on whose call names a handle, or the file at its end."""
        name = re.split(r"[/\\]", handle)[-1]
        # What names the whole handle names the file at its end, too.
        word = name if len(name) > len("a.txt") else handle
        at = self.text.find(word, self.begins[first])
        while at >= 0:
            place = bisect_right(self.begins, at) - 1
            yield self.results[place]
            at = self.text.find(word, self.begins[place + 1])


def failed(session: Session, result: Result) -> bool:
    """Whether a result says that there is nothing to be had."""
    short = len(result.text) <= SHORT and FAILS.search(result.text) is not None
    return session.entries[result.entry].failed or short


def check_unused(session: Session) -> Iterator[Finding]:
    """Report a way back that no later call took, though the model went on."""
    wrote = (at for at, one in enumerate(session.entries) if one.message.role == "assistant")
    last = max(wrote, default=-1)
    for one in offers(session):
        if one.taken or last <= one.result.entry:
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
