"""Where the tool tap records. The one place of the library that knows the environment."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast, get_args

from ullage.ledger.records import Durability

LEDGER = "ULLAGE_LEDGER"
RUN = "ULLAGE_RUN"
DURABILITY = "ULLAGE_DURABILITY"
UPSTREAM = "ULLAGE_UPSTREAM"
PROBE = "ULLAGE_PROBE"
PROBE_FILE = "ULLAGE_PROBE_FILE"
WORKER = "ULLAGE_PROBE_WORKER"
DEFAULT_RUN = "default"
PROCESSES = Path("/proc")
DEFAULT_DURABILITY: Durability = "async"


@dataclass(frozen=True, slots=True, kw_only=True)
class TapSettings:
    """The ledger to write to, the run to write under, and when a record is committed."""

    ledger: Path
    run: str = DEFAULT_RUN
    durability: Durability = DEFAULT_DURABILITY


# What a program says itself goes before the environment, for the thread or task that says it.
SAID: ContextVar[TapSettings | None] = ContextVar("ullage_recording_to", default=None)


@contextmanager
def recording_to(settings: TapSettings | None) -> Iterator[None]:
    """Record to where a program says for the time of a block; None: where the environment says."""
    token = SAID.set(settings)
    try:
        yield
    finally:
        SAID.reset(token)


def environment() -> Mapping[str, str]:
    """Return this process's environment: the secrets in it are to be known before they are seen."""
    return dict(os.environ)


def probe_url() -> str | None:
    """Return where the case is found that this process is probed by; None where it is not."""
    return os.environ.get(PROBE) or None


@contextmanager
def variables(values: Mapping[str, str]) -> Iterator[None]:
    """Set variables of this process for the time of a block; then they are as they were."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def tap_settings() -> TapSettings | None:
    """Return where to record; None where `ULLAGE_LEDGER` is unset, and the tap does nothing.

    Raises ValueError where `ULLAGE_DURABILITY` names no mode.
    """
    if (said := SAID.get()) is not None:
        return said
    path = os.environ.get(LEDGER)
    if not path:
        return None
    return _settings(path, os.environ.get(RUN), os.environ.get(DURABILITY))


@lru_cache(maxsize=16)  # asked for at every call of a tool
def _settings(path: str, run: str | None, durability: str | None) -> TapSettings:
    mode = durability or DEFAULT_DURABILITY
    if mode not in get_args(Durability):
        raise ValueError(f"{DURABILITY} is {mode!r}: use {', '.join(get_args(Durability))}")
    return TapSettings(
        ledger=Path(path), run=run or DEFAULT_RUN, durability=cast("Durability", mode)
    )


def settings_of_ancestors(processes: Path = PROCESSES) -> TapSettings | None:
    """Return where the nearest process above us records; None where none does or can be asked.

    For programs that are started with a bare environment, as some clients start MCP servers. Of
    another process's environment only `ULLAGE_LEDGER` and `ULLAGE_RUN` are looked at, and its
    folder, where the ledger's path is relative.
    """
    for found, folder in ancestors(processes):
        if path := found.get(LEDGER.encode()):
            run = os.fsdecode(found.get(RUN.encode(), b"")) or DEFAULT_RUN
            return TapSettings(ledger=folder / os.fsdecode(path), run=run)
    return None


def probe_of_ancestors(processes: Path = PROCESSES) -> str | None:
    """Return where the case of the nearest process above us is found that is probed."""
    names = (found.get(PROBE.encode()) for found, _ in ancestors(processes))
    return next((os.fsdecode(name) for name in names if name), None)


def ancestors(processes: Path) -> Iterator[tuple[Mapping[bytes, bytes], Path]]:
    """Give the environment and the folder of each process above us, as far as they may be seen."""
    process = os.getppid()
    while process:
        try:
            found = (processes / str(process) / "environ").read_bytes()
            status = (processes / str(process) / "stat").read_bytes()
            folder = (processes / str(process) / "cwd").readlink()
        except OSError:
            return
        yield dict(one.partition(b"=")[::2] for one in found.split(b"\0")), folder
        # The name, in brackets, may hold anything; the parent is the second word after it.
        process = int(status.rpartition(b")")[2].split()[1])
