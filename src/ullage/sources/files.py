"""Files and folders to readings: the one place of the sources that opens anything by itself."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ullage.errors import LoadError
from ullage.ledger.encodings import decoded
from ullage.sources.forms import FORMS, HEAD, LEDGER, SQLITE, form_of
from ullage.sources.opened import Opened
from ullage.sources.record import Damaged, Record

MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""How a file begins that a shell or an editor of Windows wrote: a byte order mark, its encoding."""
LARGEST = 1 << 31
"""No compressed file is unpacked to more bytes than this: a few can be made to give any number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A file as it is read: its form and its records, which come one at a time.

    A ledger has none here: it is opened by its path.
    """

    path: str
    form: str
    records: Iterator[Record]


def read_file(path: Path, form: str | None = None) -> Reading:
    """Read a file, in its form or in the one that is named."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
            # A database is read by its path, and not all of it.
            data = head if head.startswith(SQLITE) else head + file.read()
    except OSError as error:
        raise LoadError(f"{path}: {error.strerror or error}: cannot be read") from error
    return read(data, str(path), path, form)


def read_bytes(data: bytes, path: str, form: str | None = None) -> Reading:
    """Read what a file holds; `path` is the name that findings give it."""
    return read(data, path, None, form)


def read(data: bytes, name: str, path: Path | None, form: str | None) -> Reading:
    """Read the bytes of a file, which may be compressed by gzip or zstd."""
    plain = decoded(data, [], largest=LARGEST)
    if plain.fault is not None and not plain.content:
        raise LoadError(f"{name}: {plain.fault}")
    opened = Opened(name, as_utf8(plain.content), path)
    if not opened.data.strip():
        raise LoadError(f"{name}: is empty")
    found = form_of(opened, form)
    if found is LEDGER and path is not None:
        return Reading(path=name, form=found.name, records=iter(()))
    records = whole(found.records(opened), name)
    if plain.fault is not None:
        records = chain(records, [torn(opened, plain.fault)])
    return Reading(path=name, form=found.name, records=records)


def whole(records: Iterator[Record], name: str) -> Iterator[Record]:
    """Yield records; a file that is nested deeper than Python goes cannot be read."""
    try:
        yield from records
    except RecursionError as error:
        raise LoadError(f"{name}: nested too deeply to be read") from error


def torn(opened: Opened, fault: str) -> Damaged:
    """Return what is said of a compressed file that ends early: of its last line."""
    lines = opened.data.split(b"\n")
    return Damaged(line=len(lines), why=fault, chars=len(lines[-1]), saved=0)


def open_all(
    path: Path,
    form: str | None,
    passed_over: Callable[[LoadError], object],
    wanted: Callable[[Path], bool] = lambda _: True,
) -> Iterator[Reading]:
    """Open a file, or the files of a folder that have a form that is read.

    `passed_over` is told of each file of a folder that is not read, and why; `wanted` says which
    of them are to be read at all.
    """
    if not path.is_dir():
        yield read_file(path, form)
        return
    for one in filter(wanted, files_in(path)):
        try:
            found = read_file(one, form)
        except LoadError as error:
            passed_over(error)
        else:
            yield found


def as_utf8(data: bytes) -> bytes:
    """Return a file's text as UTF-8 without a mark; what has no mark, or is torn, as it is."""
    for mark, name in MARKS.items():
        if data.startswith(mark):
            try:
                return data.removeprefix(mark).decode(name).encode()
            except UnicodeError:
                return data
    return data


def files_in(folder: Path) -> list[Path]:
    """Return the files below a folder, in one order on every machine.

    Hidden ones are left out, and those that are read with another one.
    """
    found = sorted(folder.rglob("*"))
    inside = [
        path for path in found if not any(part.startswith(".") for part in names(path, folder))
    ]
    files = [path for path in inside if path.is_file()]
    return [
        path
        for path in files
        if not path.name.endswith(("-wal", "-shm")) and not any(one.aside(path) for one in FORMS)
    ]


def names(path: Path, folder: Path) -> tuple[str, ...]:
    """Return the names on the way from a folder to a path."""
    return path.relative_to(folder).parts
