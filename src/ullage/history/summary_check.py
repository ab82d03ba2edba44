"""Whether a summariser's reply may stand for what it was shown: the reasons to refuse it.

What is refused: nothing, what is no text of the subject, what is over its limit, what gives its
reader orders, what wants the opposite of what the user forbade. A finished step that is listed as
next is marked as done, and refused where it stands in a sentence. Every bound is inferred, and set
so that a plain summary passes; what passes may still be wrong in ways that no words tell.

An order to the reader ("ignore the rules above") that stands in what was shown came with the data:
the sentence is taken out, and a mark stands in its place, quoted or not. One that was not shown was
made by the summariser, which is not trusted then: refused.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ullage.arrivals.kept import after
from ullage.arrivals.negations import Forbidden, forbidden, inverted_in
from ullage.arrivals.user_turns import said_by_user
from ullage.arrivals.wording import (
    LONGEST_WORD,
    Wording,
    comparable,
    content_words,
    names,
    sentences,
    tokens,
    wording,
)
from ullage.cutter.excerpt import excerpt
from ullage.history.open_steps import as_next
from ullage.history.orders import orders_in, plainly
from ullage.history.summary import Reason
from ullage.transcript.message import Message

COMMON_SHARE = Fraction(1, 4)
"""Fewer of a reply's words in what was shown: it is about something else."""
DISTINCT_SHARE = Fraction(1, 10)
MANY_WORDS = 60
"""Of so many words and more, fewer different ones: the same over and over."""
LEAST_WORDS = 3
NO_TEXT_SHARE = Fraction(1, 50)
"""More control and replacement characters than so much: no text."""
SHOWN = 160
TAKEN_OUT = "(a sentence that tells its reader what to do was taken out here)"

_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"\A```[a-z]*\n(?P<inner>.*)\n```\Z", re.DOTALL)
_PAGE = re.compile(r"\A\s*(?:<!doctype html|<html\b|<\?xml\b)", re.IGNORECASE)
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd\ud800-\udfff]")
_ITEM = re.compile(r"^(?P<mark>[ \t]*(?:[-*+•]|\d+[.)])[ \t]+)(?:\[ ?\][ \t]*)?", re.MULTILINE)
_BOX = re.compile(r"^(?P<mark>[ \t]*)(?:\[ ?\]|[☐⬜])[ \t]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a reply is refused."""

    reason: Reason
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A reply as it may go into a history: its text, and the sentences that were taken out."""

    text: str
    withheld: tuple[str, ...] = ()


def bare(reply: str) -> str:
    """Return a reply without what a model puts around it: its thoughts, a fence, white space."""
    text = _THOUGHT.sub("", reply).strip()
    fenced = _FENCED.match(text)
    return fenced["inner"].strip() if fenced else text


def read_reply(reply: str, shown: Sequence[str]) -> Read | Fault:
    """Read a reply to texts that were shown; a Fault where it is none that may be used."""
    text = bare(reply)
    if not text:
        return Fault(reason="empty", why="the summariser returned nothing")
    why = no_text(text)
    if why is not None:
        return Fault(reason="junk", why=why)
    read = without_orders(text, shown)
    if isinstance(read, Fault):
        return read
    why = off_subject(read.text.replace(TAKEN_OUT, ""), shown)
    return read if why is None else Fault(reason="junk", why=why)


def no_text(text: str) -> str | None:
    """Say why a reply is no text of words; None where it is one."""
    if _PAGE.match(text):
        return "the summariser returned a web page, not a summary"
    if is_error(text):
        return f"the summariser returned an error, not a summary: {excerpt(text, SHOWN)!r}"
    if len(_NO_TEXT.findall(text)) > NO_TEXT_SHARE * len(text):
        return "the summariser returned characters that are no text"
    words = tokens(text)
    if not any(len(one) <= LONGEST_WORD for one in words):
        return f"the summariser returned no words: {excerpt(text, SHOWN)!r}"
    if len(words) >= MANY_WORDS and len(set(words)) < DISTINCT_SHARE * len(words):
        return f"the summariser repeated itself: {len(words)} words, {len(set(words))} different"
    return None


def is_error(text: str) -> bool:
    """Whether a reply is the JSON of an error."""
    if not text.startswith("{"):
        return False
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and bool(value.get("error"))


def off_subject(text: str, shown: Sequence[str]) -> str | None:
    """Say why a reply is not about what was shown; None where it is, or where nothing tells."""
    words = [one for one in content_words(text) if not one[0].isdigit()]
    if len(words) < LEAST_WORDS:
        return f"the summariser returned too few words to say anything: {excerpt(text, SHOWN)!r}"
    there = wording(*shown)
    if not comparable(text, "\n".join(shown)):
        return unnamed(text, there)
    share = there.share(words)
    if share < COMMON_SHARE:
        return (
            f"the summary is not about what was shown: {percent(share)} of its words stand there, "
            f"fewer than {percent(COMMON_SHARE)}"
        )
    return None


def unnamed(text: str, there: Wording) -> str | None:
    """Say that a reply in another language shares no name with what was shown."""
    called = [word for one in names(text) for word in content_words(one)]
    if not called or there.common(called):
        return None
    return "the summary is in another language and has no name or figure of what was shown"


def percent(share: Fraction) -> str:
    """Return a share as people read it."""
    return f"{float(share):.0%}"


def without_orders(text: str, shown: Sequence[str]) -> Read | Fault:
    """Take out the sentences that give orders; a Fault where what was shown does not hold them."""
    found = list(orders_in(text))
    if not found:
        return Read(text=text)
    material = [plainly(one).casefold() for one in shown]
    kept: list[str] = []
    at = 0
    for one in found:
        sentence = text[one.start : one.end]  # all of the text stays in `kept` or is withheld
        if not any(one.words.casefold() in plain for plain in material):
            return made_order(sentence)
        end = "\n" if sentence.endswith("\n") else " "
        kept += [text[at : one.start], TAKEN_OUT, end]
        at = one.end
    rest = "".join([*kept, text[at:]]).strip()
    left = next(orders_in(rest), None)
    if left is not None:
        return made_order(left.words)
    return Read(text=rest, withheld=tuple(text[one.start : one.end].strip() for one in found))


def made_order(sentence: str) -> Fault:
    """Return the fault of an order that a summariser gives its reader."""
    return Fault(
        reason="order",
        why=f"the summary gives its reader an order: {excerpt(sentence.strip(), SHOWN)!r}",
    )


def inverted(text: str, messages: Sequence[Message]) -> Fault | None:
    """Return the fault of a summary that wants what a user or a system text forbade."""
    there = after([Message(role="user", text=text)])
    for ban, later in bans(messages):
        against = inverted_in(ban, there)
        if against is not None and not is_lifted(ban, later):
            return Fault(
                reason="inverted",
                why=f"the summary wants what was forbidden: {excerpt(ban.text, SHOWN)!r} became "
                f"{excerpt(against, SHOWN)!r}",
            )
    return None


def bans(messages: Sequence[Message]) -> Iterator[tuple[Forbidden, Sequence[str]]]:
    """Yield what was forbidden, each with what the user said after it."""
    said = [(one.index, one.text) for one in said_by_user(messages)]
    rules = [
        (index, one.text)
        for index, one in enumerate(messages)
        if one.role == "system" and one.text.strip()
    ]
    for index, text in sorted([*rules, *said]):
        later = [after_it for place, after_it in said if place > index]
        for ban in forbidden(text):
            yield ban, later


def is_lifted(ban: Forbidden, later: Sequence[str]) -> bool:
    """Whether the user asked later for what was forbidden."""
    return any(
        words.has(ban.verb) and (not ban.about or words.share(ban.about) > 1 / 2)
        for text in later
        for sentence in sentences(text)
        if next(forbidden(sentence), None) is None
        for words in (wording(sentence),)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticked:
    """A summary whose finished steps are marked as done, and which these are."""

    text: str
    steps: tuple[str, ...] = ()


def ticked(text: str, messages: Sequence[Message]) -> Ticked | Fault:
    """Mark finished steps that a summary lists as open; a Fault where one stands in a sentence."""
    found = as_next(text, messages)
    if not found:
        return Ticked(text=text)
    lines = [tick(line, found) for line in text.split("\n")]
    marked = "\n".join(lines)
    left = as_next(marked, messages)
    if left:
        return Fault(
            reason="done-as-next",
            why=f"the summary lists as next what was done: {excerpt(left[0], SHOWN)!r}",
        )
    return Ticked(text=marked, steps=found)


def tick(line: str, steps: Sequence[str]) -> str:
    """Mark a line as done if it is the item of one of these steps."""
    if not any(one in line for one in steps):
        return line
    for pattern in (_BOX, _ITEM):
        match = pattern.match(line)
        if match is not None:
            return f"{match['mark']}[x] {line.removeprefix(match[0])}"
    return line
