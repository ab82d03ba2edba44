"""Pairs of calls and results made whole again, in histories that somebody else cut."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from ullage.history.calls import Call, assigned
from ullage.history.forms.form import Form
from ullage.history.gauge import Gauge
from ullage.history.piece import Piece
from ullage.history.units import is_reply

What = Literal["orphan-result", "double-result", "orphan-call", "late-result"]
STAND_IN = (
    "[ullage: the result of this call was not in the history; call the tool again to have it]"
)
WHY = {
    "orphan-result": "a result without its call is refused by providers; it was dropped",
    "double-result": "its call has been answered; the second result was dropped",
    "orphan-call": "a call without its result is refused by providers; a stated stand-in was put",
    "late-result": "a result must follow its call; it was moved there",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """One thing that was put right; `place` is the message's position in what was given."""

    what: What
    why: str
    place: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A history in which every call is followed by its results, and every result has its call."""

    pieces: tuple[Piece, ...]
    repairs: tuple[Repair, ...]


def repaired(pieces: Sequence[Piece], form: Form, gauge: Gauge) -> Repaired:
    """Return a history with its pairs intact, and all that was done for it.

    Calls of the last reply that nothing follows but results stay open: their results are to come.
    """
    owner = assigned(pieces)
    answers: dict[int, list[tuple[Call, int]]] = {}
    for index, call in owner.items():
        answers.setdefault(call[0], []).append((call, index))
    ends = last_of_replies(pieces) if form.replies_span else {}
    last = max((at for at, one in enumerate(pieces) if not one.is_result), default=-1)
    repairs: list[Repair] = []
    out: list[Piece] = []
    waiting: list[int] = []
    called: set[str] = set()
    for index, one in enumerate(pieces):
        if one.is_result:
            if index not in owner:
                repairs.append(without_call(one, called))
            continue
        out.append(one)
        called |= {call.call_id for call in one.message.calls if call.call_id is not None}
        if one.message.calls:
            waiting.append(index)
        if index == ends.get(index, index) and waiting:
            # A reply is over with its last piece: its results stand behind all of its calls.
            is_open = index == last
            for at in waiting:
                out += results_of(pieces, at, answers, repairs, form, gauge, is_open=is_open)
            waiting = []
    repairs += late(pieces, owner, ends)
    return Repaired(pieces=tuple(out), repairs=tuple(repairs))


def last_of_replies(pieces: Sequence[Piece]) -> dict[int, int]:
    """Return for each piece of a reply the last one of that reply."""
    ends: dict[int, int] = {}
    end = -1
    for index in range(len(pieces) - 1, -1, -1):
        if not is_reply(pieces[index]):
            end = -1
            continue
        end = index if end < 0 else end
        ends[index] = end
    return ends


def results_of(
    pieces: Sequence[Piece],
    at: int,
    answers: dict[int, list[tuple[Call, int]]],
    repairs: list[Repair],
    form: Form,
    gauge: Gauge,
    *,
    is_open: bool,
) -> list[Piece]:
    """Return the results of the calls of one piece, as they stood, stand-ins behind them."""
    given = answers.get(at, [])
    out = [pieces[index] for _, index in sorted(given, key=lambda one: one[1])]
    if is_open:
        return out
    answered = {call[1] for call, _ in given}
    for number, called in enumerate(pieces[at].message.calls):
        if number not in answered:
            out.append(form.answer(called.call_id, called.name, STAND_IN, gauge))
            repairs.append(
                Repair(what="orphan-call", why=WHY["orphan-call"], place=pieces[at].place)
            )
    return out


def without_call(piece: Piece, called: Set[str]) -> Repair:
    """Return what is said of a result that answers nothing: its call is gone, or was answered."""
    known = piece.message.answers is not None and piece.message.answers in called
    what: What = "double-result" if known else "orphan-result"
    return Repair(what=what, why=WHY[what], place=piece.place)


def late(
    pieces: Sequence[Piece], owner: Mapping[int, Call], ends: Mapping[int, int]
) -> Iterator[Repair]:
    """Yield the results that something else stood before."""
    # The number of pieces that are no result, up to each piece.
    others = [0, *accumulate(not one.is_result for one in pieces)]
    for index, call in owner.items():
        if others[index] != others[ends.get(call[0], call[0]) + 1]:
            yield Repair(what="late-result", why=WHY["late-result"], place=pieces[index].place)
