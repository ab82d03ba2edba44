"""What commands open that read everything people have: files, folders, ledgers, stdin."""

import sys
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ullage.checks.globs import covers
from ullage.checks.places import STDIN, Places
from ullage.checks.scan import Scan, Scanning, Watcher
from ullage.cli.output import say
from ullage.cli.progress import progress
from ullage.errors import LoadError
from ullage.sources.files import Reading, files_in, open_all, read_bytes
from ullage.transcript.counted import many

DASH = "-"
MOST_PATHS = 3


@dataclass(slots=True)
class Opening:
    """Opens what is named, as often as it is read, and counts what a pattern passes over.

    `name` is the command's. Stdin is kept, because it gives its bytes once. Of experimental checks
    those in `checks` run.
    """

    name: str
    places: Places
    form: str | None
    exclude: Sequence[str] = ()
    checks: Collection[str] = ()
    excluded: int = 0
    stdin: bytes | None = None

    def scanned(self, paths: Sequence[Path], watchers: Sequence[Watcher] = ()) -> Scan:
        """Scan each path; how far that has come is shown, and what is passed over is said."""
        scanning = Scanning(watchers=watchers, wanted=self.checks)
        with progress("Reading", sum(map(size_of, paths))) as step:
            for path in paths:
                for reading in self.readings(path, scanning.pass_over):
                    scanning.add(reading)
                    step(
                        size_of(Path(reading.path)), many(len(scanning.profile.sessions), "session")
                    )
        for line in passed_over_lines(scanning.passed_over):
            say(f"{self.name}: passed over: {line}")
        if self.excluded:
            say(f"{self.name}: excluded: {many(self.excluded, 'file')}")
        return scanning.done()

    def again(self, paths: Sequence[Path]) -> Generator[Reading]:
        """Open each path once more, after `scanned`; nothing is said or counted a second time."""
        counted = self.excluded
        with progress("Reading texts", unit="files") as step:
            for path in paths:
                for reading in self.readings(path, silent):
                    yield reading
                    step(1)
        self.excluded = counted

    def readings(self, path: Path, pass_over: Callable[[LoadError], object]) -> Iterator[Reading]:
        """Open a path; `pass_over` is told of what is not read in a folder."""
        if str(path) != DASH:
            yield from open_all(path, self.form, pass_over, self.wanted)
            return
        if self.stdin is None:
            self.stdin = sys.stdin.buffer.read()
        yield read_bytes(self.stdin, STDIN, self.form)

    def wanted(self, path: Path) -> bool:
        """Whether no pattern covers a file of a folder."""
        name = self.places.name(str(path))
        covered = any(covers(pattern, name) for pattern in self.exclude)
        self.excluded += covered
        return not covered


def passed_over_lines(reasons: Sequence[str]) -> Iterator[str]:
    """Yield why files were passed over, each `path: reason`; those of one reason in one line."""
    by_reason: dict[str, list[str]] = {}
    for one in reasons:
        path, _, reason = one.partition(": ")
        by_reason.setdefault(reason, []).append(path)
    for reason, paths in by_reason.items():
        shown = ", ".join(path for _, path in zip(range(MOST_PATHS), paths, strict=False))
        more = len(paths) - MOST_PATHS
        rest = f", and {more} more (ullage scan --format json names all)" if more > 0 else ""
        yield f"{shown}{rest}: {reason}"


def silent(error: LoadError) -> None:
    """Take no notice: it was said before."""


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of the files of a folder; 0 for stdin."""
    if path.is_dir():
        return sum(one.stat().st_size for one in files_in(path))
    return path.stat().st_size if path.is_file() else 0
