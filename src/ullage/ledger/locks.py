"""A lock on an open file, let go by the system when its process ends, however it ends.

The number of a process says less: it is there until its parent has asked for its exit code, and in
a container that is started again the next process has the same one.
"""

import os

if os.name == "nt":
    import msvcrt
else:
    import fcntl


def lock(file: int) -> None:
    """Lock an open file. Raises OSError where it is locked already."""
    if os.name == "nt":
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # Windows only
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def try_lock(file: int) -> bool:
    """Lock an open file, and say whether that could be done."""
    try:
        lock(file)
    except OSError:
        return False
    return True
