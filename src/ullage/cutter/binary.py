"""Binary in a text: readable lines stay, runs of bytes become a placeholder with their size."""

import re

from ullage.cutter.encoded import Replaced

# A line is bytes when it holds this many that no text has, and they are more than one in ten.
FEWEST = 4
SHARE = 0.1
# Between bytes, a shorter line is chance.
SHORTEST_LINE = 4

# `decode` has put a placeholder where bytes are not UTF-8.
UNREADABLE = re.compile(
    r"\[(\d{1,18}) bytes that are not UTF-8\]|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x84"
    r"\x86-\x9f\ufffd\ud800-\udfff]+"
)


def replace(text: str) -> Replaced:
    """Replace runs of binary lines by `[N bytes]`; a text without any is returned as it is.

    Single control characters and terminal escapes in readable lines are left alone.
    """
    if UNREADABLE.search(text) is None:
        return Replaced(text=text)
    lines = text.split("\n")
    binary = [is_binary(line) for line in lines]
    if not any(binary):
        return Replaced(text=text)
    out: list[str] = []
    run = total = count = 0
    for at, line in enumerate(lines):
        if binary[at] or (len(line.strip()) < SHORTEST_LINE and beside(binary, at)):
            run += size(line) + (at + 1 < len(lines))
            continue
        if run:
            out.append(f"[{run} bytes]")
            total, count, run = total + run, count + 1, 0
        out.append(line)
    if run:
        out.append(f"[{run} bytes]")
        total, count = total + run, count + 1
    also = (f"{total} bytes of binary taken out",)
    return Replaced(text="\n".join(out), also=also, count=count, gone=total)


def is_binary(line: str) -> bool:
    """Whether a line is bytes rather than text."""
    bad = used = 0
    for match in UNREADABLE.finditer(line):
        bad += int(match[1]) if match[1] else len(match[0])
        used += len(match[0])
    return bad >= FEWEST and bad > SHARE * (len(line) - used + bad)


def beside(binary: list[bool], at: int) -> bool:
    """Whether a line stands next to bytes on both sides, or at an end of the text."""
    before = at == 0 or binary[at - 1]
    behind = at + 1 == len(binary) or binary[at + 1]
    return before and behind and any(binary[max(at - 1, 0) : at + 2])


def size(line: str) -> int:
    """Return how many bytes a line was."""
    total = 0
    for match in UNREADABLE.finditer(line):
        if match[1]:
            total += int(match[1]) - len(match[0])
    return total + len(line.encode("utf-8", "surrogatepass"))
