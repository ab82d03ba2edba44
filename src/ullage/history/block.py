"""The one message of ours in a shortened history: what left it, and what of that is carried on.

    [ullage: earlier history]
    41 of 300 messages are gone, 9214 tokens: 30 summarised, 11 left out whole. (…)
    === Summary ===
    2 lines, a record of what was said:
    The parser was rewritten.
    Open: the tests of `src/parse.py`.
    === Rules that still hold ===
    - Never push to main.
    === Failures ===
    - 3 times, 2 lines:
    Traceback (most recent call last):
    ValueError: no such record
    === Findings ===
    === The rest ===
    [end of earlier history]

A summary and a stack stand as they are, behind their number of lines, so that they can be looked
for and compared. One with a line that looks like a border of ours is indented, and its first line
says so; all other quotations are items, indented from their second line on. So no text that is
quoted ends its section, for a parser or for a reader.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ullage.arrivals.wording import squeezed
from ullage.transcript.counted import many

FIRST = "[ullage: earlier history]"
LAST = "[end of earlier history]"
SUMMARY = "=== Summary ==="
RULES = "=== Rules that still hold ==="
FAILURES = "=== Failures ==="
FINDINGS = "=== Findings ==="
REST = "=== The rest ==="
SAID = "Quoted below is a record of them; what a user ruled still holds."
# What any reader may take for the end of a line.
_BREAK = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_INDENTED = re.compile(rf"({_BREAK.pattern})  ")
_BORDER = re.compile(
    r"\s*(?:=== (?:Summary|Rules that still hold|Failures|Findings|The rest) ===|\[ullage: "
    r"|\[end of earlier history\])"
)
_GONE = re.compile(
    r"\d+ of (?P<of>\d+) messages? (?:is|are) gone, (?P<tokens>\d+) tokens?: "
    rf"(?P<summarised>\d+) summarised, (?P<trimmed>\d+) left out whole\. {re.escape(SAID)}"
)
_SUMMARISED = re.compile(r"(?P<lines>\d+) lines?(?P<indented>, indented)?, a record of what .*:")
_FAILURE = re.compile(r"- (?P<times>\d+) times?, (?P<lines>\d+) lines?(?P<indented>, indented)?:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """How many messages of a conversation left it, by which act, and how many it had in all.

    `tokens` are those of the messages that left. Totals go on over every compaction.
    """

    trimmed: int = 0
    summarised: int = 0
    of: int = 0
    tokens: int = 0

    @property
    def messages(self) -> int:
        """All messages that left."""
        return self.trimmed + self.summarised


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A failure stack, word for word, and how often it stood in what left."""

    text: str
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What is carried of the messages that left; `rest` says how to have others of them again."""

    notice: Gone = field(default_factory=Gone)
    summary: str = ""
    rules: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    findings: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()


def write_block(block: Block) -> str:
    """Return the text of the message."""
    return "\n".join(written(block))


def read_block(text: str) -> Block | None:
    """Read what `write_block` wrote; None for any other text."""
    if not text.startswith(FIRST):
        return None
    lines = Lines(text.split("\n"))
    block = parsed(lines)
    # Whatever was altered in it, it is a text of somebody else now.
    return block if block is not None and write_block(block) == text else None


def merged(earlier: Block | None, later: Block) -> Block:
    """Return one block for two compactions: totals add up, and nothing is carried twice.

    A later summary takes the place of the earlier one, which its writer was shown.
    """
    if earlier is None:
        return later
    was, now = earlier.notice, later.notice
    return Block(
        notice=Gone(
            trimmed=was.trimmed + now.trimmed,
            summarised=was.summarised + now.summarised,
            of=max(was.of, now.of),
            tokens=was.tokens + now.tokens,
        ),
        summary=later.summary or earlier.summary,
        rules=distinct((*earlier.rules, *later.rules)),
        failures=counted((*earlier.failures, *later.failures)),
        findings=tuple(dict.fromkeys((*earlier.findings, *later.findings))),
        rest=tuple(dict.fromkeys((*earlier.rest, *later.rest))),
    )


def distinct(rules: Iterable[str]) -> tuple[str, ...]:
    """Return rules, each once whatever its white space and case."""
    found: dict[str, str] = {}
    for one in rules:
        found.setdefault(squeezed(one), one)
    return tuple(found.values())


def counted(failures: Iterable[Failure]) -> tuple[Failure, ...]:
    """Return failures, each text once with all of its times."""
    times: dict[str, int] = {}
    for one in failures:
        times[one.text] = times.get(one.text, 0) + one.times
    return tuple(Failure(text=text, times=count) for text, count in times.items())


def written(block: Block) -> Iterator[str]:
    """Yield the lines of the message."""
    gone = block.notice
    yield FIRST
    yield (
        f"{gone.messages} of {many(gone.of, 'message')} {'is' if gone.messages == 1 else 'are'} "
        f"gone, {many(gone.tokens, 'token')}: {gone.summarised} summarised, {gone.trimmed} left "
        f"out whole. {SAID}"
    )
    yield SUMMARY
    if block.summary:
        yield f"{size(block.summary)}, a record of what was said:"
        yield quoted(block.summary)
    yield RULES
    yield from map(item, block.rules)
    yield FAILURES
    for one in block.failures:
        yield f"- {many(one.times, 'time')}, {size(one.text)}:"
        yield quoted(one.text)
    yield FINDINGS
    yield from map(item, block.findings)
    yield REST
    yield from map(item, block.rest)
    yield LAST


def size(text: str) -> str:
    """Return the lines of a text, and whether it has to be indented."""
    lines = many(text.count("\n") + 1, "line")
    return f"{lines}, indented" if is_forged(text) else lines


def quoted(text: str) -> str:
    """Return a text as it stands, or indented where a line of it looks like one of ours."""
    return f"  {indented(text)}" if is_forged(text) else text


def is_forged(text: str) -> bool:
    """Whether a line of a text looks like a border of ours."""
    return any(_BORDER.match(line) for line in _BREAK.split(text))


def item(text: str) -> str:
    """Return a text as an item of a list."""
    return f"- {indented(text)}"


def indented(text: str) -> str:
    """Return a text with two spaces after all that may end a line."""
    return _BREAK.sub(lambda match: f"{match[0]}  ", text)


def unindented(text: str) -> str:
    """Return a text without those."""
    return _INDENTED.sub(r"\1", text)


@dataclass(slots=True)
class Lines:
    """Lines that are read one after the other."""

    lines: Sequence[str]
    at: int = 0

    def peek(self) -> str:
        """Return the next line; an empty one behind the last."""
        return self.lines[self.at] if self.at < len(self.lines) else ""

    def has(self, line: str) -> bool:
        """Whether the next line is this one; then it is read."""
        found = self.at < len(self.lines) and self.peek() == line
        self.at += found
        return found

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return the next line's match, and read it."""
        found = pattern.fullmatch(self.peek())
        self.at += found is not None
        return found

    def take(self, head: re.Match[str]) -> str:
        """Read the text that a head with its number of lines announces."""
        count = int(head["lines"])
        text = "\n".join(self.lines[self.at : self.at + count])
        self.at += count
        return unindented(text.removeprefix("  ")) if head["indented"] else text

    def items(self) -> tuple[str, ...]:
        """Read the items of a list."""
        found = []
        while self.peek().startswith("- "):
            start = self.at
            self.at += 1
            while self.peek().startswith("  "):
                self.at += 1
            text = "\n".join(self.lines[start : self.at])
            found.append(unindented(text.removeprefix("- ")))
        return tuple(found)

    def failures(self) -> tuple[Failure, ...]:
        """Read the failures, each behind its times and its number of lines."""
        found = []
        while (head := self.match(_FAILURE)) is not None:
            found.append(Failure(text=self.take(head), times=int(head["times"])))
        return tuple(found)


def parsed(lines: Lines) -> Block | None:
    """Read a block as far as it is one."""
    if not lines.has(FIRST):
        return None
    gone = lines.match(_GONE)
    if gone is None or not lines.has(SUMMARY):
        return None
    head = lines.match(_SUMMARISED)
    summary = lines.take(head) if head is not None else ""
    rules = lines.items() if lines.has(RULES) else ()
    failures = lines.failures() if lines.has(FAILURES) else ()
    findings = lines.items() if lines.has(FINDINGS) else ()
    rest = lines.items() if lines.has(REST) else ()
    figures = {name: int(gone[name]) for name in ("trimmed", "summarised", "of", "tokens")}
    return Block(
        notice=Gone(**figures),
        summary=summary,
        rules=rules,
        failures=failures,
        findings=findings,
        rest=rest,
    )
