"""Whether the model is told that parts of its history are gone: by what stands there anew."""

from collections.abc import Mapping, Sequence

from ullage.arrivals.notice import ACT, FIGURE, POINTER
from ullage.arrivals.runs import runs
from ullage.arrivals.told import value_of
from ullage.probe.verdict.notice import NOTHING, RANK, Said
from ullage.probe.verdict.requests import Story
from ullage.transcript.message import Message

LEAST = 3
"""Fewer characters say nothing."""

COUNTED = ("message", "turn", "earlier", "previous", "older", "token", "event", "result", "char")


def told(story: Story, during: Sequence[int]) -> Said:
    """Return what the requests say in the place of what is gone, at its best.

    New text is what no request had while nothing was lost, and what neither the user nor a tool nor
    the model said. `during` is the user's turn of each acting request.
    """
    usual = set[str]()
    best = NOTHING
    first = first_texts(story)
    before = frozenset[str]()
    for one, turn in zip(story.acting, during, strict=True):
        missing = turn + 1 - len(story.said(one))
        words = [words_in(story, each, first) for each in one.messages]
        if missing or not before <= story.given(one):
            new = "\n".join(text for text in words if text not in usual)
            best = max(best, graded(new.strip(), missing), key=lambda said: RANK[said.grade])
        elif best is NOTHING:
            usual |= set(words)
        before = story.given(one)
    return best


def first_texts(story: Story) -> Mapping[str, str]:
    """Return the text in which each record's id came first."""
    found: dict[str, str] = {}
    for one in story.acting:
        for each in one.messages:
            for name in story.ids(each.text):
                found.setdefault(name, each.text)
    return found


def words_in(story: Story, message: Message, first: Mapping[str, str]) -> str:
    """Return what a message says that is the harness's own: a system text, a notice, a wrapper."""
    if message.role == "assistant" and message.text in story.replies:
        return ""
    known = [first[name] for name in sorted(story.ids(message.text)) if name.startswith("row-")]
    if known and message.text in known:
        return ""
    return without_known(known[0], message.text) if known else story.own_words(message).strip()


def without_known(old: str, new: str) -> str:
    """Return what a text says that another one did not."""
    texts, at = [], 0
    for run in runs(old, new):
        texts.append(new[at : run.start])
        at = run.end
    return "\n".join([*texts, new[at:]]).strip()


def graded(text: str, missing: int) -> Said:
    """Grade new text where `missing` turns of the user are gone."""
    if len(text) < LEAST:
        return NOTHING
    if ACT.search(text) and POINTER.search(text):
        return Said(grade="way-back", text=text)
    return Said(grade="counted" if counts(text, missing) else "said", text=text)


def counts(text: str, missing: int) -> bool:
    """Whether a text states how many turns are gone, or a number of what histories are made of."""
    return any(
        (missing and value_of(found[1], found[2]) == missing)
        or text[found.end() :].lstrip().casefold().startswith(COUNTED)
        for found in FIGURE.finditer(text)
    )
