"""What a harness says of a loss, found by difference."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from ullage.arrivals.notice import FIGURE, Grade, Loss, grade
from ullage.arrivals.told import value_of
from ullage.checks.handles import HANDLE

NoticeGrade = Literal["none", "said", "counted", "way-back"]
"""The most that is said, weakest first: nothing; that something is missing; how much of it; how to
get the rest (a file, a handle, what to call)."""

GRADES: Mapping[Grade, NoticeGrade] = {
    "none": "none",
    "cut": "said",
    "counts": "counted",
    "parts": "counted",
    "way-back": "way-back",
}
RANK: Mapping[NoticeGrade, int] = {"none": 0, "said": 1, "counted": 2, "way-back": 3}
DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
TOKENS = re.compile(r"\W{0,3}(?:\w+\W+)?tokens?\b", re.IGNORECASE)
TOKENS_BEFORE = re.compile(r"tokens?\b\W+(?:\w+\W+)?$", re.IGNORECASE)
NEAR = 30
CHARS_A_TOKEN = 4
ROUGHLY = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A notice in the harness's own words, and its grade."""

    grade: NoticeGrade
    text: str


NOTHING = Said(grade="none", text="")


def judged(text: str, around: str | None, loss: Loss | None) -> Said:
    """Grade the words that stand around a payload; `around` are those when nothing is lost.

    A harness that always writes the command and the time before an output says nothing by that.
    Where `around` is known, all other words are a notice, in any language.
    """
    if loss is None:
        return NOTHING
    own = without(text, around or "").strip()
    found = max(graded(own, loss), by_difference(own, around), key=RANK.__getitem__)
    return Said(grade=found, text=own) if found != "none" else NOTHING


def graded(own: str, loss: Loss) -> NoticeGrade:
    """Grade words by what they say of a loss."""
    found = GRADES[grade(own, loss)]
    return "counted" if found == "said" and counts_tokens(own, loss.figures) else found


def by_difference(own: str, around: str | None) -> NoticeGrade:
    """Grade words that are there only where something is lost."""
    if around is None or not own:
        return "none"
    return "way-back" if HANDLE.search(own) else "said"


def without(text: str, around: str) -> str:
    """Return the lines of a text that do not stand in another one, whatever their figures."""
    usual = {shape(line) for line in around.split("\n")}
    return "\n".join(line for line in text.split("\n") if shape(line) not in usual)


def shape(line: str) -> str:
    """Return a line with its figures left open."""
    return DIGITS.sub("0", line.strip())


def counts_tokens(text: str, figures: Iterable[int]) -> bool:
    """Whether a text states a number of tokens that is about a quarter of the characters."""
    wanted = [figure / CHARS_A_TOKEN for figure in figures if figure >= CHARS_A_TOKEN]
    for found in FIGURE.finditer(text):
        value = value_of(found[1], found[2])
        before = text[max(0, found.start() - NEAR) : found.start()]
        of_tokens = TOKENS.match(text, found.end()) or TOKENS_BEFORE.search(before)
        if value is not None and of_tokens:
            return any(abs(value - one) <= ROUGHLY * one for one in wanted)
    return False
