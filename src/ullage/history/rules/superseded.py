"""`superseded`: a file as it was, where it was read or written again later."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

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
    """Propose reads of a file that a newer read, or a write of all of it, stands in for.

    After an edit what was read before is no longer so, but the model works on with it: it goes
    only where the file was looked at again behind the edit. The newest read of a file stays.
    """
    known = latest(pieces)
    for one in results_of(pieces, guard):
        file = touched(one) if len(one.text) >= LEAST else None
        if file is None or file.does != "read" or failed(one):
            continue
        later = known.stands_in(one, file)
        if later is not None:
            yield proposal(one, file, later)


Key = tuple[str, str] | tuple[str, str, str]
Later = Literal["read", "written", "edited"]


@dataclass(slots=True)
class Latest:
    """Where each file was last dealt with: read whole or by one call, written; all its edits."""

    last: dict[Key, int] = field(default_factory=dict)
    edits: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def hear(self, one: Result, file: Touched) -> None:
        """Take up one call that did what it was told to do."""
        self.last[file.does, file.path] = one.index
        if file.does == "edit":
            self.edits[file.path].append(one.index)
        elif file.does == "read":
            for key in given(one, file):
                self.last[key] = one.index

    def stands_in(self, one: Result, file: Touched) -> Later | None:
        """Return what came later and stands in for a read; None where nothing does."""
        if self.last.get(("write", file.path), -1) > one.index:
            return "written"
        if any(self.last.get(key, -1) > one.index for key in covering(one, file)):
            return "read"
        edits = self.edits[file.path]
        next_edit = bisect_right(edits, one.index)
        looked_at = self.last.get(("read", file.path), -1)
        return "edited" if next_edit < len(edits) and edits[next_edit] < looked_at else None


def latest(pieces: Sequence[Piece]) -> Latest:
    """Return where each file of a history was last dealt with."""
    known = Latest()
    for one in results_of(pieces):
        file = touched(one)
        # A read that a rule shortened gives nothing any more.
        if file is not None and not rules_on(pieces[one.index].message.text) and not failed(one):
            known.hear(one, file)
    return known


def given(one: Result, file: Touched) -> Iterator[Key]:
    """Yield what a read gives: the whole file, the part that its call asks for, or less of that."""
    if is_cut(one):
        yield ("cut", file.path, one.key or "")
        return
    if file.whole:
        yield ("whole", file.path)
    yield ("call", file.path, one.key or "")


def covering(one: Result, file: Touched) -> Iterator[Key]:
    """Yield what covers a read."""
    yield ("whole", file.path)
    yield ("call", file.path, one.key or "")
    if is_cut(one):
        yield ("cut", file.path, one.key or "")


def is_cut(one: Result) -> bool:
    """Whether a text says that somebody had shortened it before it came here."""
    return any(cuts_before(one.text, is_whole=spans.is_json(one.text)))


def proposal(one: Result, file: Touched, later: Later) -> Proposal:
    """Propose to leave out a file as it was before it was read, written or edited again."""
    lines = one.text.count("\n") + 1
    gone = (
        f"{many(lines, 'line')} ({many(len(one.text), 'character')}) of {file.path} as it was then"
    )
    back = {
        "read": "the newer read of it stands below",
        "written": "it was written anew below",
        "edited": "it was edited since, and read again below",
    }[later]
    text = Placeholder(gone=gone, rules=(NAME,), back=back).line()
    return Proposal(index=one.index, text=text, why=f"{file.path} was {later} again later")
