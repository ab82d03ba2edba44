"""Which call each result of a history answers."""

from collections.abc import Mapping, Sequence

from ullage.history.piece import Piece

Call = tuple[int, int]
"""The position of the piece that calls, and which of its calls it is."""


def assigned(pieces: Sequence[Piece]) -> Mapping[int, Call]:
    """Return for each result the call that it answers; a result without one is not in there.

    By id: the latest call of that id before it that nothing answers yet (ids occur again in long
    runs). A result without an id answers the first open call of the latest reply, of its own name
    where it has one. Linear but for ids that occur again.
    """
    open_by_id: dict[str, list[Call]] = {}
    latest: list[tuple[str, Call]] = []
    found: dict[int, Call] = {}
    for index, one in enumerate(pieces):
        if one.is_result:
            call = by_id(one, open_by_id) or by_name(one, latest)
            if call is not None:
                found[index] = call
                close(call, pieces, open_by_id, latest)
            continue
        calls = one.message.calls
        if calls:
            before = pieces[index - 1] if index else None
            if before is None or before.is_result or not before.message.calls:
                latest.clear()
            for at, called in enumerate(calls):
                latest.append((called.name, (index, at)))
                if called.call_id is not None:
                    open_by_id.setdefault(called.call_id, []).append((index, at))
    return found


def by_id(result: Piece, open_by_id: Mapping[str, list[Call]]) -> Call | None:
    """Return the open call of a result's id."""
    answers = result.message.answers
    held = open_by_id.get(answers) if answers is not None else None
    return held[-1] if held else None


def by_name(result: Piece, latest: Sequence[tuple[str, Call]]) -> Call | None:
    """Return the open call that a result without an id answers."""
    if result.message.answers is not None:
        return None
    name = result.message.name
    return next((call for called, call in latest if name is None or called == name), None)


def close(
    call: Call,
    pieces: Sequence[Piece],
    open_by_id: dict[str, list[Call]],
    latest: list[tuple[str, Call]],
) -> None:
    """Take an answered call out of those that are open."""
    call_id = pieces[call[0]].message.calls[call[1]].call_id
    if call_id is not None:
        open_by_id[call_id].remove(call)
    latest[:] = [one for one in latest if one[1] != call]
