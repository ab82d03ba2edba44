"""Making room for a notice whose length depends on what the cut leaves out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ullage.cutter.notice import SHARES
from ullage.cutter.values import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A fitted text without its notice, and what became of each part."""

    text: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """A finished text: what is delivered, the sentence in it, and its parts."""

    text: str
    said: str
    parts: tuple[Part, ...]


def with_notice(
    limit: int,
    *,
    fit: Callable[[int], Body | None],
    insert: Callable[[str, str], str],
    wordings: Callable[[Sequence[Part]], Iterable[str]],
) -> Worded | None:
    """Fit a body and its notice into `limit`, in the fullest wording that its share allows.

    `fit(room)` returns a body of at most `room` characters, or None where none is that small;
    `insert(body, sentence)` puts the notice where the syntax allows. None where nothing fits.
    """
    for rank, share in enumerate(SHARES):
        attempt = in_wording(limit, rank, fit=fit, insert=insert, wordings=wordings)
        if attempt and (len(attempt.said) <= share * limit or rank == len(SHARES) - 1):
            return attempt
    return None


def in_wording(
    limit: int,
    rank: int,
    *,
    fit: Callable[[int], Body | None],
    insert: Callable[[str, str], str],
    wordings: Callable[[Sequence[Part]], Iterable[str]],
) -> Worded | None:
    """Fit with the notice in one of its wordings; None where that leaves no room for a body."""
    reserve = 0
    while (body := fit(limit - reserve)) is not None:
        said = list(wordings(body.parts))
        sentence = said[min(rank, len(said) - 1)]
        text = insert(body.text, sentence)
        if len(text) <= limit:
            return Worded(text=text, said=sentence, parts=body.parts)
        # The notice only grows from here on, and its length is bounded: this ends.
        reserve = max(reserve + 1, len(text) - len(body.text))
    return None
