"""Files and folders to readings: the one place of the sources that opens anything."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ullage.errors import LoadError
from ullage.sources.forms import HEAD, FormName, form_of, is_ledger
from ullage.sources.record import Record

MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""How a file begins that a shell or an editor of Windows wrote: a byte order mark, its encoding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A file as it is read: its form and its records, which come one at a time.

    A ledger has none here: it is opened by its path.
    """

    path: str
    form: FormName
    records: Iterator[Record]


def read_file(path: Path, form: FormName | None = None) -> Reading:
    """Read a file, in its form or in the one that is named."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
            if form == "ledger" or (form is None and is_ledger(head)):
                return Reading(path=str(path), form="ledger", records=iter(()))
            data = head + file.read()
    except OSError as error:
        raise LoadError(f"{path}: {error.strerror or error}: cannot be read") from error
    return read_bytes(data, str(path), form)


def read_bytes(data: bytes, path: str, form: FormName | None = None) -> Reading:
    """Read what a file holds; `path` is the name that findings give it."""
    data = as_utf8(data)
    if not data.strip():
        raise LoadError(f"{path}: is empty")
    found = form_of(data, path, form)
    return Reading(path=path, form=found.name, records=found.records(data, path))


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
    """Return the files below a folder, in one order on every machine; hidden ones are left out."""
    found = sorted(folder.rglob("*"))
    inside = [
        path for path in found if not any(part.startswith(".") for part in names(path, folder))
    ]
    return [path for path in inside if path.is_file() and not path.name.endswith(("-wal", "-shm"))]


def names(path: Path, folder: Path) -> tuple[str, ...]:
    """Return the names on the way from a folder to a path."""
    return path.relative_to(folder).parts
