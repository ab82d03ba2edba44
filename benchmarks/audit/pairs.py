"""What an injector is: a maker of one loss, and a maker of what only looks like it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from clean import begin, end, work
from drafts import Draft, draft
from words import LANGUAGES

from ullage.transcript.transcript import Transcript

Files = Sequence[Transcript | bytes]
"""What one scan is given: transcripts, or files of exchanges as bytes."""
Maker = Callable[[Random], Files]
Put = Callable[[Draft], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A check, how its loss comes about, and what resembles it without being one.

    `kind` tells several losses of one check apart.
    """

    check: str
    loss: Maker
    alike: Maker
    kind: str = ""


def around(
    draw: Random, put: Put, *, tokens: int | None = None, ends: bool = True, **more: Any
) -> Transcript:
    """Return a session of some turns, with what `put` does at a place in the middle of it."""
    one = draft(draw, draw.choice(LANGUAGES), tokens=tokens)
    begin(one)
    work(one, draw.randrange(0, 7))
    put(one)
    work(one, draw.randrange(0, 4))
    if ends:
        end(one)
    return one.done(**more)


def inside(put: Put, *, tokens: int | None = None) -> Maker:
    """Return a maker that puts a loss into the middle of one session."""
    return lambda draw: [around(draw, put, tokens=tokens)]


def either(*makers: Put) -> Put:
    """Return what does one of several things."""
    return lambda one: one.draw.choice(makers)(one)
