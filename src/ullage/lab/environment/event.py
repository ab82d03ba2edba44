"""A kernel event, in the one form that every writer and reader of recordings shares."""

from collections.abc import Mapping

import msgspec

Value = int | str


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One kernel event: when, where, in which thread, what.

    `time` is in nanoseconds of the recording's own clock. `comm`, `tid` and `pid` are those of the
    thread that ran on `cpu`; `pid` is its process (thread group), None where the source does not
    say. `name` and the keys of `fields` are those of LTTng's kernel tracer, without a group
    (`sched:`): threads are `tid`, system calls `syscall_entry_read` and `syscall_exit_read`. A
    state (`prev_state`) is the kernel's letters (`S`, `R+`). A body that no rule reads is the one
    field `body`.
    """

    time: int
    cpu: int
    comm: str
    tid: int
    pid: int | None
    name: str
    fields: Mapping[str, Value]


BITS = "SDTtXZPI"
"""Letters of a sleeping state, from bit 0 up: `include/linux/sched.h`, TASK_REPORT."""
PREEMPTED = 1 << len(BITS)
"""The bit above them says that a runnable thread was preempted; the kernel prints a plus."""


def state_letters(number: int) -> str:
    """Return a state's number (`prev_state` of LTTng and of perf's CTF) as the kernel prints it.

    A number with bits that the kernel prints no letter for is given as it is, in hex.
    """
    if number < 0 or number >= 2 * PREEMPTED:
        return hex(number)
    letters = [letter for bit, letter in enumerate(BITS) if number >> bit & 1]
    return ("|".join(letters) or "R") + ("+" if number & PREEMPTED else "")


def state_number(letters: str) -> int:
    """Return the number of a state. Raises ValueError for letters that are none."""
    if "0x" in letters:
        return int(letters, 16)
    number = PREEMPTED if letters.endswith("+") else 0
    for letter in letters.removesuffix("+").split("|"):
        if letter == "R":
            continue
        if len(letter) != 1 or letter not in BITS:
            raise ValueError(f"{letters!r} is no thread state; known letters: R and {BITS}")
        number |= 1 << BITS.index(letter)
    return number
