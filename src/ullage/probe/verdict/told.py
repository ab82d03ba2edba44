"""Whether the model is told that parts of its history are gone: by what stands there anew."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ullage.arrivals.notice import ACT, FIGURE, LIMIT_BEFORE, points
from ullage.arrivals.runs import runs
from ullage.probe.verdict.notice import NOTHING, RANK, Said
from ullage.probe.verdict.requests import Story
from ullage.transcript.message import Message

LEAST = 3
"""Fewer characters say nothing."""

LOOKBACK = 40
LEAST_REPLY = 40
"""A shorter reply of the model's may be a word of the harness's own."""

UNIT = r"""(?:messages?|turns?|rounds?|exchanges?|events?|steps?|entries|results?|outputs?|records?
    |rows?|items?|lines?|char(?:acter)?s?|tokens?|words?|bytes?|[kKmM]i?B)"""
COUNTED_AFTER = re.compile(
    rf"""\s*%|\s*(?:of|/)\s*\d|[\s-]*(?:(?:of|the|more|earlier|previous|prior|older|oldest|old|last
    |first|recent|tool|user|assistant|conversation|history)\s+){{0,4}}{UNIT}\b""",
    re.VERBOSE | re.IGNORECASE,
)
COUNTED_BEFORE = re.compile(rf"""{UNIT}(?:[\s_]\w+)?\s*[:=]\s*\Z""", re.VERBOSE | re.IGNORECASE)
FACT = re.compile(r"Note turn-[0-9a-f]{12}: [^.\n]+\.?")
"""What the user told, as a summary may hold it."""


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
            best = max(best, graded(new.strip()), key=lambda said: RANK[said.grade])
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
        # A summary may be put in as the model's own words: it is there, whoever is said to speak.
        return FACT.sub("", message.text).strip() if message.text in story.summaries else ""
    known = [first[name] for name in sorted(story.ids(message.text)) if name.startswith("row-")]
    if known and message.text in known:
        return ""
    text = without_replies(story, message.text)
    if known:
        return without_known(known[0], text)
    return FACT.sub("", story.own_words(replace(message, text=text))).strip()


def without_replies(story: Story, text: str) -> str:
    """Return a text without what the model wrote, such as a summary."""
    for said in story.replies:
        if len(said) >= LEAST_REPLY:
            text = text.replace(said, "")
    return text


def without_known(old: str, new: str) -> str:
    """Return what a text says that another one did not."""
    texts, at = [], 0
    for run in runs(old, new):
        texts.append(new[at : run.start])
        at = run.end
    return "\n".join([*texts, new[at:]]).strip()


def graded(text: str) -> Said:
    """Grade new text where turns of the user, or results, are gone."""
    if len(text) < LEAST:
        return NOTHING
    if ACT.search(text) and points(text):
        return Said(grade="way-back", text=text)
    return Said(grade="counted" if counts(text) else "said", text=text)


def counts(text: str) -> bool:
    """Whether a text states a number of what histories are made of; a limit is no such number."""
    for found in FIGURE.finditer(text):
        before = text[max(0, found.start() - LOOKBACK) : found.start()]
        has_unit = (
            found[0].endswith(("B", "b"))
            or COUNTED_AFTER.match(text, found.end())
            or COUNTED_BEFORE.search(before)
        )
        if has_unit and not LIMIT_BEFORE.search(before):
            return True
    return False
