"""A folder in which finished shards are kept, so that a replay that was stopped goes on.

`manifest.json` says what is replayed, by a digest over all that the figures depend on, and has the
checksum of each finished shard; a shard is written whole or not at all.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from ullage.errors import LoadError
from ullage.policies.job import Job
from ullage.policies.tally_form import VERSION

SCHEMA = "ullage.replay-work/1"
MANIFEST = "manifest.json"
LEDGERS = ("results", "requests")
"""Shards of a ledger, whose plan has the numbers of its results: those do not change, and the file
does by being looked at."""


class KeptShards:
    """The finished shards of one replay. Raises LoadError where the folder is another one's."""

    def __init__(self, folder: Path, jobs: Sequence[Job]) -> None:
        self.folder = folder
        self._fingerprint = fingerprint(jobs)
        folder.mkdir(parents=True, exist_ok=True)
        self._checksums = self._known()

    def of(self, number: int) -> bytes | None:
        """Return a finished shard; None where it is not there, or is not what was written."""
        path = self._path(number)
        if number not in self._checksums or not path.exists():
            return None
        data = path.read_bytes()
        return data if checksum(data) == self._checksums[number] else None

    def keep(self, number: int, data: bytes) -> None:
        """Keep a finished shard."""
        write(self._path(number), data)
        self._checksums[number] = checksum(data)
        self._write_manifest()

    def _path(self, number: int) -> Path:
        return self.folder / f"shard-{number:06}.json"

    def _known(self) -> dict[int, str]:
        path = self.folder / MANIFEST
        if not path.exists():
            return {}
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            other = found["fingerprint"] != self._fingerprint
            known = {int(number): str(one) for number, one in found["shards"].items()}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise LoadError(
                f"{path} is no manifest of a replay ({error}): name another folder with --work"
            ) from error
        if other:
            raise LoadError(
                f"{self.folder} holds another replay: other sources, policies or settings, or "
                "another version; name another folder with --work, or remove this one"
            )
        return known

    def _write_manifest(self) -> None:
        shards = {str(number): self._checksums[number] for number in sorted(self._checksums)}
        document = {"schema": SCHEMA, "fingerprint": self._fingerprint, "shards": shards}
        write(self.folder / MANIFEST, json.dumps(document, indent=1).encode())


def remove(folder: Path) -> None:
    """Remove what is kept in a folder, and the folder if nothing else is in it."""
    for path in [*folder.glob("shard-*.json"), folder / MANIFEST]:
        path.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.write_bytes(data)
    new.replace(path)


def checksum(data: bytes) -> str:
    """Return the digest of a shard."""
    return hashlib.sha256(data).hexdigest()


def fingerprint(jobs: Sequence[Job]) -> str:
    """Return a digest of all that the figures depend on: the plan, the files, the policies."""
    shards = [job.shard for job in jobs if job.shard.kind not in LEDGERS]
    files = sorted({path for shard in shards for path in shard.paths})
    own = sorted({name.partition(":")[0] for name in jobs[0].policies} if jobs else ())
    said = {
        "form": VERSION,
        "ullage": version("ullage"),
        "jobs": [asdict(job) for job in jobs],
        "files": [[path, *state_of(Path(path))] for path in files],
        "code": [[name, code_of(name)] for name in own],
    }
    return checksum(json.dumps(said, sort_keys=True).encode())


def state_of(path: Path) -> list[int]:
    """Return what changes when a file does: its size, and when it was written last."""
    found = path.stat()
    return [found.st_size, found.st_mtime_ns]


def code_of(module: str) -> str:
    """Return a digest of the file of a user's policy; "" for a policy of Ullage's own."""
    try:
        found = find_spec(module) if module.isidentifier() or "." in module else None
    except (ImportError, ValueError):
        return ""
    if found is None or found.origin is None or not Path(found.origin).is_file():
        return ""
    return checksum(Path(found.origin).read_bytes())
