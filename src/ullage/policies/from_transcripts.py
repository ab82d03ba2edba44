"""Results in the transcripts of agents, in any form that `ullage scan` reads."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from ullage.checks.audit import transcripts
from ullage.checks.session import results_of
from ullage.errors import LoadError
from ullage.policies.recorded import Recorded
from ullage.policies.shard import Items, Shard, packed
from ullage.sources.files import open_all, read_file
from ullage.transcript.transcript import Transcript

BYTES_A_RESULT = 2_000
"""About so many bytes of a transcript go with each result: to say how large a shard is."""


def plan(files: Sequence[Path], source: int, most: int, form: str | None) -> Iterator[Shard]:
    """Split transcripts by files."""
    sizes = [max(1, one.stat().st_size // BYTES_A_RESULT) for one in files]
    for begin, end in packed(sizes, most):
        yield Shard(
            number=0,
            source=source,
            kind="transcripts",
            paths=tuple(map(str, files[begin:end])),
            first=begin,
            size=sum(sizes[begin:end]),
            form=form,
        )


def readable(
    files: Iterable[Path], form: str | None, passed_over: Callable[[LoadError], object]
) -> Iterator[Path]:
    """Yield the files of a folder that have a form that is read."""
    for one in files:
        try:
            read_file(one, form)
        except LoadError as error:
            passed_over(error)
        else:
            yield one


def read(shard: Shard) -> Items:
    """Give the results of the files of a shard."""
    for at, path in enumerate(map(Path, shard.paths)):
        for reading in open_all(path, shard.form, never):
            for transcript in transcripts(reading):
                yield from recorded(transcript, path, shard.first + at)


def never(error: LoadError) -> None:
    """Raise: a file of a plan was read once already."""
    raise error


def recorded(transcript: Transcript, path: Path, file: int) -> Iterator[Recorded]:
    """Yield the results of a transcript that no other one counts."""
    for one in results_of(transcript, lambda _at, _tool: None):
        if not one.counted:
            continue
        entry = transcript.entries[one.entry]
        produced = entry.produced.text if entry.produced is not None else None
        line = entry.source.line
        yield Recorded(
            session=f"{path}#{transcript.session}",
            tool=one.tool,
            text=one.text if produced is None else produced,
            known=produced is not None,
            place=f"{path}" if line is None else f"{path}:{line}",
            number=file * 10**9 + one.entry,
            call_id=entry.message.answers,
        )
