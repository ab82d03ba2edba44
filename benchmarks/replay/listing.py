"""A container listing of the published shape: two lists, the late one behind the early one.

118 early records of exactly 198 characters and 128 late ones of 76 (the first two 77) make 33,370
characters of compact JSON. The real records' fields are not known: only sizes and counts match.
"""

from collections.abc import Sequence

from benchmarks.replay.machine import Machine, Process

EARLY_CHARS, LATE_CHARS = 198, 76
LONGER = 2
"""So many of the first late records have a character more."""
BAR = ("|" * 40 + ":" * 40 + "." * 40) * 3
"""Fills a record up: a picture of its load. It has no word in it, so it tells of nothing."""
EARLY, LATE = "early_list", "late_list"


def listing(machine: Machine, *, turned: bool = False) -> str:
    """List a machine's processes; with `turned`, the late list comes first."""
    early = f'"{EARLY}":[{",".join(map(early_record, machine.spawned))}]'
    late = f'"{LATE}":[{",".join(late_records(machine.resident))}]'
    return f"{{{late},{early}}}" if turned else f"{{{early},{late}}}"


def early_record(process: Process) -> str:
    """Return a process that started while events were recorded."""
    return filled(
        f'{{"tid":{process.tid},"parent":{process.parent},"comm":"{process.command}",'
        f'"container":"{process.container}","wait_ms":{process.wait_ms},'
        f'"run_ms":{process.run_ms},"switches":{process.switches},"load":"',
        EARLY_CHARS,
    )


def late_records(processes: Sequence[Process]) -> list[str]:
    """Return the processes that were there before."""
    return [
        filled(
            f'{{"tid":{one.tid},"container":"{one.container}","wait_ms":{one.wait_ms},"load":"',
            LATE_CHARS + (at < LONGER),
        )
        for at, one in enumerate(processes)
    ]


def filled(begun: str, chars: int) -> str:
    """Fill a record up to its size."""
    missing = chars - len(begun) - len('"}')
    if missing < 0:
        raise ValueError(f"a record of {chars} characters has no room for {begun!r}")
    return f'{begun}{BAR[40 - missing % 40 :][:missing]}"}}'
