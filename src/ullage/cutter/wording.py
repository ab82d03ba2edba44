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
    guess: Sequence[Part] = (),
) -> Worded | None:
    """Fit a body and its notice into `limit`, in the fullest wording that its share allows.

    `fit(room)` returns a body of at most `room` characters, or None where none is that small;
    `insert(body, sentence)` puts the notice where the syntax allows. None where nothing fits.
    `guess` is what the parts may come to: with a notice of the right length one fit is enough.
    """
    guessed = list(wordings(guess)) if guess else []
    for rank, share in enumerate(SHARES):
        sentence = guessed[min(rank, len(guessed) - 1)] if guessed else ""
        reserve = len(insert("{}", sentence)) - 1 if sentence else 0
        if rank < len(SHARES) - 1 and len(sentence) > share * limit:
            continue
        attempt = in_wording(limit, rank, reserve, fit=fit, insert=insert, wordings=wordings)
        if attempt and (len(attempt.said) <= share * limit or rank == len(SHARES) - 1):
            return attempt
    return None


def in_wording(
    limit: int,
    rank: int,
    reserve: int,
    *,
    fit: Callable[[int], Body | None],
    insert: Callable[[str, str], str],
    wordings: Callable[[Sequence[Part]], Iterable[str]],
) -> Worded | None:
    """Fit with the notice in one of its wordings; None where that leaves no room for a body.

    `reserve` is a guess of what the notice takes: too small a one grows, too large a one is
    corrected once.
    """
    fitting: Worded | None = None
    while (body := fit(limit - reserve)) is not None:
        said = list(wordings(body.parts))
        sentence = said[min(rank, len(said) - 1)]
        text = insert(body.text, sentence)
        taken = len(text) - len(body.text)
        if len(text) <= limit:
            better = Worded(text=text, said=sentence, parts=body.parts)
            if fitting is not None or taken >= reserve:
                return better
            fitting, reserve = better, taken
            continue
        if fitting is not None:
            return fitting
        # The notice only grows from here on, and its length is bounded: this ends.
        reserve = max(reserve + 1, taken)
    return fitting
