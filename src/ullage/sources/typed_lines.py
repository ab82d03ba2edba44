"""Files of lines whose records name their kind and hang together: several make one transcript."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence

from ullage.sources.opened import Opened, is_object
from ullage.sources.record import Damaged, Numbered, Plain, Record
from ullage.transcript.transcript import Transcript
from ullage.wire.members import text

Transcripts = Callable[[Sequence[Numbered], Opened, Counter[str]], Iterator[Transcript]]


def typed_records(
    opened: Opened, kinds: Collection[str], transcripts: Transcripts
) -> Iterator[Record]:
    """Yield the transcripts of a file, and its damaged lines; plain records where it has none.

    Records whose `type` is not among `kinds` are counted by it, and handed on all the same.
    """
    found: list[Numbered] = []
    unread: Counter[str] = Counter()
    for line in opened.lines():
        if line.fault is not None:
            yield Damaged(
                line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
            )
        for value in line.values:
            kind = text(value, "type") if is_object(value) else None
            found.append(Numbered(line=line.number, value=value if is_object(value) else {}))
            if kind not in kinds:
                unread[kind or "without a type"] += 1
    plain = True
    for told in transcripts(found, opened, unread):
        plain = False
        yield told
    if plain:
        yield from (Plain(line=one.line) for one in found)
