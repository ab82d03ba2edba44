"""`cut-with-room`: a result was cut although all of it would have fitted the window."""

from collections.abc import Iterator, Sequence

from ullage.checks.cut_sign import CutResult
from ullage.checks.room import Room
from ullage.transcript.finding import Finding

NAME = "cut-with-room"


def check(results: Sequence[CutResult]) -> Iterator[Finding]:
    """Report the first of a tool's results in a session that need not have been cut."""
    roomy = [one for one in results if one.seen.room is not None and one.seen.room.fits]
    if not roomy:
        return
    first = roomy[0]
    room = first.seen.room
    if room is None:
        return
    yield first.seen.finding(NAME, "warning", advice(first, room), evidence(roomy, room))


def advice(cut: CutResult, room: Room) -> str:
    """Return what to do."""
    fill = 100 * room.prompt / room.window
    rest = (
        "and all of it would have fitted"
        if room.whole is not None
        else "and so much more of it would have fitted"
    )
    return (
        f"The window was {fill:.1f} % full when a result of {cut.seen.tool} was cut, {rest}. Set "
        "the limit by the room that is left, not by a fixed number: ullage.cut(result, "
        f"ullage.tokens({max(1, room.window - room.reserve - room.prompt)})).text"
    )


def evidence(roomy: Sequence[CutResult], room: Room) -> dict[str, object]:
    """Return the fill in per cent and in tokens, and how often it was so."""
    fills = [100 * one.seen.room.prompt / one.seen.room.window for one in roomy if one.seen.room]
    return {
        "sign": roomy[0].sign,
        "delivered_chars": roomy[0].seen.chars,
        "fill_percent": round(100 * room.prompt / room.window, 2),
        "prompt_tokens": room.prompt,
        "prompt_by": room.method,
        "window": room.window,
        "reserve_tokens": room.reserve,
        "whole_tokens_at_most": room.whole,
        "delivered_tokens": room.delivered,
        "results": len(roomy),
        "fill_percent_lowest": round(min(fills), 2),
        "fill_percent_highest": round(max(fills), 2),
    }
