"""The calls of a session as figures: what each did, whether it failed, how full the window was."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ullage.arrivals.asked import arguments_of
from ullage.arrivals.call_words import COMMANDS, PATHS, READS
from ullage.arrivals.same_call import same_call
from ullage.checks.session import Result, Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One call and its result as marks; None where it is no command, reads no file, did not fail.

    `entry` is that of the result, `tokens` those of the context at that time, None if unknown.
    """

    entry: int
    tokens: int | None
    file: int | None
    command: int | None
    error: int | None


def steps(session: Session) -> Iterator[Step]:
    """Give the calls of a session that have a result, in order."""
    tokens: int | None = None
    seen = 0
    for one in session.results:
        for entry in session.entries[seen : one.entry]:
            if entry.usage is not None and entry.usage.input is not None:
                tokens = entry.usage.input + (entry.usage.output or 0)
        seen = one.entry
        if one.counted:
            yield step(session, one, tokens)


def step(session: Session, one: Result, tokens: int | None) -> Step:
    """Return one call as figures."""
    given = arguments_of(one.call)
    file = next((found for name in PATHS if (found := given.get(name))), None)
    command = next((found for name in COMMANDS if (found := given.get(name))), None)
    reads = file is not None and any(word in one.tool.lower() for word in READS)
    failed = session.entries[one.entry].failed
    return Step(
        entry=one.entry,
        tokens=tokens,
        file=number_of(f"{one.tool} {file}") if reads else None,
        command=None if command is None or one.call is None else number_of(same_call(one.call)),
        error=number_of(f"{one.tool} {one.text.strip()}") if failed else None,
    )


def number_of(text: str) -> int:
    """Return a number that equal texts share, on every machine and in every process."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest())


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """How often a stretch of calls did again what had been done before it."""

    files: int
    commands: int
    errors: int

    @property
    def all(self) -> int:
        """All three together."""
        return self.files + self.commands + self.errors


def again(done: Sequence[Step], stretch: Sequence[Step]) -> Again:
    """Count the files read again, commands run again and errors met again of a stretch."""
    return Again(
        files=repeats({one.file for one in done}, [one.file for one in stretch]),
        commands=repeats({one.command for one in done}, [one.command for one in stretch]),
        errors=repeats({one.error for one in done}, [one.error for one in stretch]),
    )


def repeats(known: set[int | None], marks: Sequence[int | None]) -> int:
    """Count the marks that were known; what is None is none."""
    return sum(one is not None and one in known for one in marks)
