"""The step in which a model's summary takes the place of the oldest units."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from ullage.counting.count import counter
from ullage.history.block import Block, merged
from ullage.history.carried import places_of, summarised_block, with_block
from ullage.history.course import Course, Step
from ullage.history.cut_down import carry
from ullage.history.guard import Guard
from ullage.history.piece import Piece
from ullage.history.settings import NEVER
from ullage.history.summarise import summarised
from ullage.history.summary import Answer, Ask, Failed, Refusal, Summary
from ullage.history.trim import may_leave
from ullage.history.units import units_of
from ullage.history.work import Work
from ullage.transcript.counted import many

LEAST = 64
"""Tokens: a summary that may take fewer is not worth a request."""
LONG_TOKEN = 5
"""Characters that a token of English takes at the most, on the average of a text."""


def ask_summary(course: Course, work: Work, limit: int) -> Generator[Ask, Answer | Failed, None]:
    """Put a summary in the place of the oldest units, if the history is still over `limit`.

    All units leave that hold nothing exempt and are not among the last turns. A summary that was
    not given, or not taken, changes nothing: an event says why.
    """
    if course.cost <= limit:
        return
    why = not_asked(course, work)
    if why is not None:
        course.rest(why)
        return
    pieces = course.pieces
    guard = work.guard(pieces)
    replaced = replaceable(pieces, guard)
    if not replaced:
        course.rest(
            "nothing is left to be summarised but the last "
            f"{many(work.settings.keep_turns, 'turn')} and what never leaves"
        )
        return
    found = room(course, work, guard, replaced)
    if found.won < LEAST:
        course.rest("what a summary could stand for is too little to be worth one")
        return
    if found.free < LEAST:
        course.rest("beside what stays as it is there is no room in the budget for a summary")
        return
    settings = replace(
        work.summary,
        max_tokens=min(work.summary.max_tokens, found.free),
        count=counter(work.gauge.model),
    )
    done = yield from summarised(pieces, replaced, guard, guard.carried, settings)
    if isinstance(done, Refusal):
        refuse(course, done.why, done)
    else:
        put_in(course, work, guard, replaced, done)


def not_asked(course: Course, work: Work) -> str | None:
    """Say why no summary is asked for; None where one is."""
    settings = work.settings
    if settings.summarise == NEVER:
        return "no summary is asked for: summarise='never'"
    if not work.asks:
        return "no summary is asked for: there is no summariser"
    if settings.gate is None:
        return None
    share = course.cost / settings.budget - 1
    if share >= settings.gate:
        return None
    return (
        f"no summary is asked for: the history is {share:.1%} over the budget, and the gate is at "
        f"{settings.gate:.1%}"
    )


def replaceable(pieces: Sequence[Piece], guard: Guard) -> list[int]:
    """Return the pieces that a summary may stand for: whole units that hold nothing untouched."""
    return [
        index
        for unit in units_of(pieces)
        if guard.untouched.isdisjoint(unit.members) and may_leave(pieces, guard, unit)
        for index in unit.members
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """In tokens: what leaves, the block paid without its summary; what a summary may then take."""

    won: int
    free: int


def room(course: Course, work: Work, guard: Guard, replaced: Sequence[int]) -> Room:
    """Return what there is to win, and what a summary may take so that the history fits."""
    pieces = course.pieces
    earlier = None if guard.carried is None else replace(guard.carried, summary="")
    bare = merged(earlier, summarised_block(pieces, replaced, guard, ""))
    after = with_block(pieces, replaced, guard, work.block(bare))
    won = sum(one.tokens for one in pieces) - sum(one.tokens for one in after)
    if work.settings.unit == "messages":
        return Room(won=won, free=work.summary.max_tokens)
    gone = sum(one.cost for one in pieces) - sum(one.cost for one in after)
    free = work.settings.budget - (course.cost - gone)
    tokens = free if work.settings.unit == "tokens" else free // LONG_TOKEN
    # What is added to a summary word for word comes on top of it.
    return Room(won=won, free=int(tokens / (1 + work.summary.share)))


def refuse(course: Course, why: str, done: Refusal | Summary) -> None:
    """Write down that a summary was not taken."""
    course.stand(
        Step(
            action="refused",
            boundary="summarise",
            what="a summary was not taken, and the history is as it was",
            why=why,
            shown=places_of(course.pieces, done.shown),
            requests=done.asked,
        )
    )


def put_in(
    course: Course, work: Work, guard: Guard, replaced: Sequence[int], done: Summary
) -> None:
    """Put the summary in the place of what it stands for, then what is carried beside it."""
    pieces = course.pieces
    block = summarised_block(pieces, replaced, guard, done.text)
    whole = merged(guard.carried, block)
    after = with_block(pieces, replaced, guard, work.block(whole))
    if sum(one.cost for one in after) >= sum(one.cost for one in pieces):
        refuse(course, "it would take no less than what it stands for", done)
        return
    told = merged(guard.carried, Block(notice=block.notice, summary=block.summary))
    course.take(
        with_block(pieces, replaced, guard, work.block(told)),
        Step(
            action="summarise",
            boundary="summarise",
            messages=places_of(pieces, replaced),
            what=f"{many(block.notice.summarised, 'message')} replaced by a summary of "
            f"{many(done.tokens, 'token')}{kept_words(done)}",
            why=f"{course.cost} of {work.settings.budget} {work.settings.unit} were taken",
            shown=places_of(pieces, done.shown),
            requests=done.asked,
        ),
    )
    if whole != told:
        carry(course, after, whole)


def kept_words(done: Summary) -> str:
    """Say what the summary kept of each kind, and what had to be added to it."""
    words = [
        f"{one.kind} {one.kept} of {one.shown}" + (f", {one.added} added" if one.added else "")
        for one in done.kept
        if one.shown
    ]
    return f" ({'; '.join(words)})" if words else ""
