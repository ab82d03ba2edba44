"""`superseded`: a file as it was, where it was read or written again later."""

from collections.abc import Iterator, Sequence

from ullage.cutter import spans
from ullage.cutter.upstream import cuts_before
from ullage.history.piece import Piece
from ullage.history.rules.failing import failed
from ullage.history.rules.files import Touched, touched
from ullage.history.rules.placeholder import Placeholder, rules_on
from ullage.history.rules.results import LEAST, Result, results_of
from ullage.history.rules.rule import Guard, Proposal
from ullage.transcript.counted import many

NAME = "superseded"


def superseded(pieces: Sequence[Piece], guard: Guard) -> Iterator[Proposal]:
    """Propose reads of a file that a newer read or write covers, then those older than an edit.

    What was read last is not covered by an edit's few lines, so it goes only after all others.
    """
    last = latest(pieces)
    reads = [
        (one, file)
        for one in results_of(pieces, guard)
        if len(one.text) >= LEAST
        and (file := touched(one)) is not None
        and file.does == "read"
        and not failed(one)
    ]
    edited = []
    for one, file in reads:
        newer = max((last.get(key, -1) for key in covering(one, file)), default=-1)
        written = last.get(("write", file.path), -1)
        if newer > one.index or written > one.index:
            yield proposal(one, file, "written" if written > newer else "read")
        elif last.get(("edit", file.path), -1) > one.index:
            edited.append((one, file))
    for one, file in edited:
        yield proposal(one, file, "edited")


Key = tuple[str, str] | tuple[str, str, str]


def latest(pieces: Sequence[Piece]) -> dict[Key, int]:
    """Return where each file was dealt with last: read whole, read by one call, written, edited."""
    last: dict[Key, int] = {}
    for one in results_of(pieces):
        file = touched(one)
        # A read that a rule shortened gives nothing any more.
        if file is None or failed(one) or rules_on(pieces[one.index].message.text):
            continue
        for key in covering(one, file) if file.does != "read" else given(one, file):
            last[key] = one.index
    return last


def given(one: Result, file: Touched) -> Iterator[Key]:
    """Yield what a read gives: the whole file, the part that its call asks for, or less of that."""
    if is_cut(one):
        yield ("cut", file.path, one.key or "")
        return
    if file.whole:
        yield ("whole", file.path)
    yield ("call", file.path, one.key or "")


def covering(one: Result, file: Touched) -> Iterator[Key]:
    """Yield what covers a read; of a write or an edit, what it is itself."""
    if file.does != "read":
        yield (file.does, file.path)
        return
    yield ("whole", file.path)
    yield ("call", file.path, one.key or "")
    if is_cut(one):
        yield ("cut", file.path, one.key or "")


def is_cut(one: Result) -> bool:
    """Whether a text says that somebody had shortened it before it came here."""
    return any(cuts_before(one.text, is_whole=spans.is_json(one.text)))


def proposal(one: Result, file: Touched, later: str) -> Proposal:
    """Propose to leave out a file as it was before it was read, written or edited again."""
    lines = one.text.count("\n") + 1
    gone = (
        f"{many(lines, 'line')} ({many(len(one.text), 'character')}) of {file.path} as it was then"
    )
    back = {
        "read": "the newer read of it stands below",
        "written": "it was written anew below, read it again for what it is now",
        "edited": "it was edited since, read it again for what it is now",
    }[later]
    text = Placeholder(gone=gone, rules=(NAME,), back=back).line()
    return Proposal(index=one.index, text=text, why=f"{file.path} was {later} again later")
