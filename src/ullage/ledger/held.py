"""A run of which not everything is kept: held beside its ledger until it was measured.

Tool and proxy are different processes, so neither can measure what arrived by itself. They record
into a ledger of the run's own, in a folder that only its owner can read; when the run has ended it
is measured, what is kept goes into the real ledger, and the folder is removed. One that was left
over (a machine that lost power) is found by its name.
"""

import glob
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ullage.errors import LedgerError
from ullage.ledger.keep import KeepPolicy, read_policy
from ullage.ledger.locks import lock, try_lock
from ullage.ledger.store import Ledger

ENDING = ".held"
FILE = "held.ledger"
POLICY = "keep.json"
BEGUN = "settling"
LOCK = "lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """One run held aside: its folder, the ledger in it, and what is to be kept.

    `lock` is the open file that says that its process lives.
    """

    folder: Path
    policy: KeepPolicy
    lock: int

    @property
    def path(self) -> Path:
        """The ledger that the run is recorded in."""
        return self.folder / FILE

    def begun(self) -> set[str]:
        """Return the runs, by their tags in the real ledger, whose settling was begun."""
        try:
            return set((self.folder / BEGUN).read_text(encoding="utf-8").split("\n")) - {""}
        except FileNotFoundError:
            return set()

    def begin(self, tag: str) -> None:
        """Note that a run is going to be written into the real ledger."""
        with (self.folder / BEGUN).open("a", encoding="utf-8") as file:
            file.write(f"{tag}\n")

    def remove(self) -> None:
        """Take it away, with all that was recorded in it."""
        os.close(self.lock)
        shutil.rmtree(self.folder)


def hold(ledger: Ledger, name: str, policy: KeepPolicy) -> Held:
    """Make a place to record a run in; its redaction and keyed hashes are the ledger's own."""
    folder = ledger.path.absolute().with_name(f".{ledger.path.name}.{name}.{os.getpid()}{ENDING}")
    try:
        folder.mkdir(mode=0o700)
        locked = open_lock(folder)
        lock(locked)
        (folder / POLICY).write_text(json.dumps(policy.to_dict()), encoding="utf-8")
    except OSError as error:
        raise LedgerError(
            f"cannot hold the run beside {ledger.path}: {error.strerror}: name a ledger in a "
            "folder that you can write to, or --keep full"
        ) from error
    held = Held(folder=folder, policy=policy, lock=locked)
    Ledger(held.path).close()
    with closing(sqlite3.connect(held.path)) as db:
        db.execute("UPDATE ledger SET key = ?", (ledger.session.key,))
        db.commit()
    return held


def left_over(path: Path) -> Iterator[Held]:
    """Take over what was held beside a ledger by processes that are gone, each by one process."""
    for folder in sorted(path.absolute().parent.glob(f".{glob.escape(path.name)}.*{ENDING}")):
        stem, _, process = folder.name.removesuffix(ENDING).rpartition(".")
        if not process.isdigit() or not (folder / FILE).exists():
            continue
        if not (folder / LOCK).exists() and is_running(int(process)):
            continue  # an older version, which made no lock
        taken = take_over(folder, folder.with_name(f"{stem}.{os.getpid()}{ENDING}"))
        if taken is not None:
            yield taken


def take_over(folder: Path, ours: Path) -> Held | None:
    """Make what is held ours; None where its process lives, or another one was first."""
    try:
        locked = open_lock(folder)
    except OSError:
        return None
    try:
        if not try_lock(locked):
            raise BlockingIOError(f"{folder} is held")
        folder.rename(ours)
    except OSError:
        os.close(locked)
        return None
    return Held(folder=ours, policy=policy_in(ours), lock=locked)


def open_lock(folder: Path) -> int:
    """Open the file of a folder whose lock says that its process lives."""
    return os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)


def policy_in(folder: Path) -> KeepPolicy:
    """Return what is to be kept; where that was not written whole, as little as there is."""
    try:
        return read_policy(json.loads((folder / POLICY).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return KeepPolicy(default="counts")


def is_running(process: int) -> bool:
    """Whether a process of this number is there; where asking would end it, it is taken to be."""
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
