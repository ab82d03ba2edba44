"""Print the memory that one cut needs over its text: python -m benchmarks.memory "50 MB"."""

import json
import sys
from pathlib import Path

from benchmarks.documents import SIZES, one_list

from ullage import chars, cut

STATUS = Path("/proc/self/status")
CLEAR = Path("/proc/self/clear_refs")


def main(size: str) -> None:
    """Cut once, and say how far the peak of the process rose above what it held before."""
    text = one_list(SIZES[size])
    cut(text[:1] + text[1:20_000], chars(6_000))  # so that imports are no part of it
    CLEAR.write_text("5", encoding="utf-8")  # the peak starts again from here (Linux)
    before = kilobytes("VmRSS")
    cut(text, chars(6_000))
    extra = (kilobytes("VmHWM") - before) * 1024
    found = {"extra_mb": round(extra / 1e6, 1), "times_the_text": round(extra / len(text), 2)}
    print(json.dumps(found))


def kilobytes(name: str) -> int:
    """Return one line of the process's status."""
    for line in STATUS.read_text(encoding="utf-8").split("\n"):
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise ValueError(f"no {name} in {STATUS}")


if __name__ == "__main__":
    main(sys.argv[1])
