"""Unified diffs, git's too: every changed file keeps its header and a fair share of its hunks.

A hunk that is too long is shortened line by line, changed lines first; a `#` line after it says
so. Nothing of ours stands inside a hunk.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ullage.cutter import notice, path
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.notice import Prior
from ullage.cutter.plain import shorten_line

# From this share of its lines on, a text is a diff.
ENOUGH = 0.6
HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@|@@@+ ")
FIRST = "dIOB-"
"""What the header of a file begins with."""

GIT_FILE = re.compile(r"diff --(?:git|cc|combined) ")
OTHER_FILE = re.compile(r"Index: \S|diff -\S+ |Only in .+: |Binary files .+ differ")
GIT_HEADER = re.compile(
    r"index [0-9a-f]+|(?:old|new|deleted file|new file) mode |(?:dis)?similarity index "
    r"|(?:rename|copy) (?:from|to) |Binary files |GIT binary patch|mode |--- |\+\+\+ |={60,}\r?$"
)
BINARY = re.compile(r"(?:literal|delta) \d+\r?$")
PREFIX = re.compile(r"^[abiwco]/")
MARK = re.compile(r"# … \[(\d+) of (\d+) lines of this hunk\]\r?")
# How many lines round a changed line are worth a line of another change.
CONTEXT = 3


def read(text: str) -> Layout | None:
    """Read a diff; None for text that is not mostly one."""
    lines, prior = without_notice(text)
    files = list(sections(lines))
    inside = sum(one.size for one in files if one.is_file)
    if not inside or inside < ENOUGH * sum(1 for line in lines if line.strip()):
        return None
    names = distinct([one.name for one in files])
    blocks = [
        Block(
            path=path.member("$", json.dumps(name, ensure_ascii=False)),
            unit="records" if one.is_file else "lines",
            head="\n".join(one.head) if one.head else None,
            records=["\n".join(hunk) for hunk in one.hunks],
            shorten=shorten if one.is_file else shorten_line,
        )
        for name, one in zip(names, files, strict=True)
    ]
    return Layout(
        format="diff",
        blocks=blocks,
        insert=commented,
        prior=prior,
        after="\n" if text.endswith("\n") else "",
    )


def without_notice(text: str) -> tuple[list[str], Prior]:
    """Return the lines of a text, and the totals of an earlier cut whose notice is taken off."""
    lines = text.removesuffix("\n").split("\n")
    first = lines[0]
    if first.startswith("# ") and notice.is_ours(first[2:]):
        return lines[1:], notice.read(first)
    return lines, Prior()


def commented(text: str, said: str) -> str:
    """Put the notice into a `#` line before the first file."""
    return f"# {said}\n{text}" if text.strip("\n") else f"# {said}{text}"


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names, those that come again (in another commit) with a number."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return found


@dataclass(slots=True, kw_only=True)
class Section:
    """What a diff says about one file, or the lines that stand before a file."""

    name: str
    is_file: bool
    head: list[str] = field(default_factory=list)
    hunks: list[list[str]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many lines it has."""
        return len(self.head) + sum(map(len, self.hunks))


def sections(lines: Sequence[str]) -> Iterator[Section]:
    """Yield the files of a diff, and what stands between them, every line in one of them."""
    at = 0
    while at < len(lines):
        if begins_file(lines, at):
            one, at = file_section(lines, at)
        else:
            start = at
            while at < len(lines) and not begins_file(lines, at):
                at += 1
            rows = [[line] for line in lines[start:at]]
            one = Section(name="between the files", is_file=False, hunks=rows)
        yield one


def begins_file(lines: Sequence[str], at: int) -> bool:
    """Whether the header of a file begins at `at`."""
    line = lines[at]
    if line[:1] not in FIRST:
        return False
    if GIT_FILE.match(line):
        return True
    if OTHER_FILE.match(line):
        return not line.startswith("Index: ") or "".join(lines[at + 1 : at + 2]).startswith("===")
    following = [*lines[at + 1 : at + 3], "", ""]
    return (
        line.startswith("--- ")
        and following[0].startswith("+++ ")
        and HUNK.match(following[1]) is not None
    )


def file_section(lines: Sequence[str], at: int) -> tuple[Section, int]:
    """Return the section of the file that begins at `at`, and where it ends."""
    git = GIT_FILE.match(lines[at]) is not None
    head = [lines[at]]
    at += 1
    while at < len(lines) and GIT_HEADER.match(lines[at]):
        head.append(lines[at])
        at += 1
    hunks: list[list[str]] = []
    while at < len(lines):
        if HUNK.match(lines[at]):
            end = hunk_end(lines, at, git=git)
        elif BINARY.match(lines[at]):
            end = binary_end(lines, at)
        else:
            break
        hunks.append(list(lines[at:end]))
        at = end
    return Section(name=file_name(head), is_file=True, head=head, hunks=hunks), at


def file_name(head: Sequence[str]) -> str:
    """Return the name of the file that a header is about: the new one, of a deleted one the old."""
    for sign in ("+++ ", "--- ", "rename to ", "copy to "):
        for line in head:
            name = line.removeprefix(sign).split("\t")[0].strip().strip('"')
            if line.startswith(sign) and name != "/dev/null":
                return PREFIX.sub("", name, count=1) if sign.endswith(("+ ", "- ")) else name
    words = head[0].strip()
    return PREFIX.sub("", words.rpartition(" ")[2].strip('"'), count=1) or words


def hunk_end(lines: Sequence[str], at: int, *, git: bool) -> int:
    """Return where the hunk at `at` ends: by its own counts, and where these fail by its lines."""
    header = HUNK.match(lines[at])
    old, new = (int(count or 1) for count in header.groups()) if header else (1, 1)
    counted = header is not None and not lines[at].startswith("@@@")
    at += 1
    while at < len(lines):
        line = lines[at]
        sign = line[:1]
        if sign == "\\" or MARK.fullmatch(line):
            at += 1
            continue
        done = counted and old <= 0 and new <= 0
        if done or (sign not in ("+", "-", " ") and line.strip()):
            break
        if not git and begins_file(lines, at) and (old <= 0 or new <= 0 or "…" in lines[at - 1]):
            break
        old -= sign != "+"
        new -= sign != "-"
        at += 1
    return at


def binary_end(lines: Sequence[str], at: int) -> int:
    """Return where the data of a binary patch ends."""
    at += 1
    while at < len(lines) and lines[at].strip() and not GIT_FILE.match(lines[at]):
        at += 1
    return at + 1 if at < len(lines) and not lines[at].strip() else at


def shorten(hunk: str, room: int) -> str | None:
    """Return a hunk's header and as many of its lines as fit, changed ones first, and say so."""
    header, *lines = hunk.split("\n")
    if not HUNK.match(header):
        return None
    total = len(lines)
    if lines and (earlier := MARK.fullmatch(lines[-1])):
        lines.pop()
        total = int(earlier[2])
    left = room - len(header) - len(mark(total, total)) - 2
    kept = []
    for at in by_weight(lines):
        if len(lines[at]) + 1 > left:
            break
        kept.append(at)
        left -= len(lines[at]) + 1
    if not kept:
        return None
    return "\n".join([header, *(lines[at] for at in sorted(kept)), mark(len(kept), total)])


def mark(kept: int, total: int) -> str:
    """Return the line after a shortened hunk."""
    return f"# … [{kept} of {total} lines of this hunk]"


def by_weight(lines: Sequence[str]) -> list[int]:
    """Return the places of a hunk's lines: changed ones, then the context nearest to them."""
    changed = [at for at, line in enumerate(lines) if line[:1] in ("+", "-")]
    near = {
        at + step
        for at in changed
        for step in range(-CONTEXT, CONTEXT + 1)
        if 0 <= at + step < len(lines)
    }
    first = set(changed)
    return sorted(range(len(lines)), key=lambda at: (at not in first, at not in near, at))
