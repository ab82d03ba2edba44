"""Files that are written apart and then given their name: what is there is whole, always."""

import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from ullage.errors import LoadError


@contextmanager
def apart(target: Path) -> Iterator[Path]:
    """Give a new folder beside `target` to write in, which goes away in the end. Raises LoadError.

    A killed process leaves it behind: `.NAME.….part`.
    """
    place = target.resolve()
    try:
        folder = Path(tempfile.mkdtemp(".part", f".{place.name}.", place.parent))
        try:
            yield folder
        finally:
            shutil.rmtree(folder)
    except OSError as error:
        raise LoadError(
            f"cannot write {target}: {error.strerror or error}: name another place with --output"
        ) from error


def put_file(new: Path, target: Path) -> None:
    """Give a file its name; what had the name before is gone."""
    new.replace(target.resolve())


def put_folder(new: Path, target: Path) -> None:
    """Give a folder its name; one that had the name is moved into the folder of `new` first."""
    place = target.resolve()
    before = new.with_name("before")
    if place.exists():
        place.rename(before)
    try:
        new.rename(place)
    except OSError:
        if before.exists():
            before.rename(place)
        raise


def others_in(folder: Path, ours: Collection[str]) -> list[str]:
    """Return the names in a folder that are none of ours, in order; none where it is not there."""
    if not folder.exists():
        return []
    return sorted(one.name for one in folder.iterdir() if one.name not in ours)
