"""The sources of a replay: what a path holds, how it is split into shards, how a shard is read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from ullage.errors import LoadError
from ullage.policies import from_ledger, from_lines, from_transcripts
from ullage.policies.shard import Items, Kind, Shard
from ullage.sources.files import files_in
from ullage.sources.forms import HEAD, is_ledger
from ullage.sources.opened import Opened

LINES = "results"
"""What the form of lines of recorded results is called, beside those of `ullage scan`."""

READERS: Mapping[Kind, Callable[[Shard], Items]] = MappingProxyType(
    {
        "results": from_ledger.results,
        "requests": from_ledger.requests,
        "lines": from_lines.read,
        "transcripts": from_transcripts.read,
    }
)


def items(shard: Shard) -> Items:
    """Give what a shard holds."""
    return READERS[shard.kind](shard)


def plan(
    paths: Sequence[Path],
    most: int,
    *,
    form: str | None = None,
    whole: bool = False,
    passed_over: Callable[[LoadError], object] = lambda _: None,
) -> list[Shard]:
    """Split sources into shards of about `most` results; `whole` never splits a session.

    `passed_over` is told of each file of a folder that is not read. Raises LoadError for a path
    that cannot be read, and where there is nothing at all.
    """
    found: list[Shard] = []
    for source, path in enumerate(paths):
        for one in of_path(path, source, most, form, whole=whole, passed_over=passed_over):
            found.append(replace(one, number=len(found)))
    if not found:
        raise LoadError(f"{', '.join(map(str, paths))}: no results are in there")
    return found


def of_path(
    path: Path,
    source: int,
    most: int,
    form: str | None,
    *,
    whole: bool,
    passed_over: Callable[[LoadError], object],
) -> Iterator[Shard]:
    """Yield the shards of one path."""
    if not path.exists():
        raise LoadError(f"{path}: no such file or folder")
    others = []
    for one in files_in(path) if path.is_dir() else [path]:
        if form in (None, "ledger") and a_ledger(one):
            yield from from_ledger.plan(one, source, most, whole=whole)
        elif form == LINES or (form is None and from_lines.fits(one)):
            yield from from_lines.plan(one, source, most, whole=whole)
        else:
            others.append(one)
    if path.is_dir():
        others = list(from_transcripts.readable(others, form, passed_over))
    yield from from_transcripts.plan(others, source, most, form)


def a_ledger(path: Path) -> bool:
    """Whether a file is a ledger."""
    with path.open("rb") as file:
        return is_ledger(Opened(str(path), file.read(HEAD)))
