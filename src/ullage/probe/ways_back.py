"""How the scripted model takes the way back that a cut result names. Pure.

A tool is chosen by the words of its name and by its schema: one that reads, and has a place for
what is named. So harnesses that nobody knows here work too.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence

from ullage.checks.handles import HANDLE, OFFER
from ullage.probe.canary import ID, found
from ullage.probe.request import Tool
from ullage.probe.schemas import Schema, filled, may_be, members, within
from ullage.probe.script import Call
from ullage.probe.shells import shell_call
from ullage.transcript.message import Message

READS = ("read", "retrieve", "view", "open", "get", "load", "show", "cat")
"""Words in the name of a tool that gives what a notice names, the likelier ones first."""

PLACES = frozenset(("path", "file", "filepath", "filename", "uri", "target"))
"""Words of a member that takes a path."""

NAMES = frozenset(("handle", "reference", "ref", "artifact", "key", "id"))
"""Words of a member that takes a name which is no path."""

STARTS = frozenset(("offset", "start", "from", "begin", "skip"))
ENDS = frozenset(("end", "to", "until"))
COUNTS = frozenset(("limit", "count", "length", "max"))

NAMED = re.compile(
    r"\b(?:handle|ref(?:erence)?s?|artifact|key|id)\b\W{1,8}(?P<handle>[\w./:@-]*\w)", re.IGNORECASE
)
RELATIVE = re.compile(r"(?<![\w/.~])(?P<handle>[\w.-]*\w/(?:[\w.-]+/)*[\w-]+\.\w+)")
"""A path that begins at a folder which only the harness knows."""

A_DIGIT = re.compile(r"\d")
SHORTEST = 6
MORE_LINES = 200
HEAD_AND_TAIL = 2
STRETCH = 8_000
"""Characters that a shell prints: no tool cuts as few."""


def ways_back(messages: Sequence[Message], tools: Sequence[Tool], size: int) -> Iterator[Call]:
    """Give the calls that lead to the rest of a cut result, the likelier ones first.

    `messages` end with the result, which had `size` characters; `tools` are those on offer without
    the one that fetches. A shell comes last: it prints a stretch of the middle, which is in no
    head and no tail.
    """
    if not messages or messages[-1].role == "assistant":
        return
    text, known = messages[-1].text, arguments_of(messages)
    for tool in readers(tools, text):
        member = place_of(tool.parameters)
        name = next(named(text, member, known), None)
        if name is not None:
            yield Call(name=tool.name, arguments=reading(tool.parameters, member, name, text))
            break
    path = next((one for one in named(text, "path", known) if is_path(one)), None)
    if path is not None:
        middle = f"tail -c +{size // 2} {shlex.quote(path)} | head -c {STRETCH}"
        printing = shell_call([(one.name, one.parameters) for one in tools], middle)
        yield from () if printing is None else (printing,)


def is_news(messages: Sequence[Message]) -> bool:
    """Whether the last message holds records that none before it has."""
    before = {identity for one in messages[:-1] for identity in found(one.text)}
    return bool(messages) and bool(set(found(messages[-1].text)) - before)


def arguments_of(messages: Sequence[Message]) -> str:
    """Return what the model gave as arguments: a path in there is no way back, but the way here."""
    return "\n".join(call.arguments for one in messages for call in one.calls)


def readers(tools: Sequence[Tool], text: str) -> list[Tool]:
    """Return the tools that read, first those that the result names, then by the word."""

    def rank(tool: Tool) -> tuple[bool, int]:
        words = words_of(tool.name)
        return tool.name not in text, min(READS.index(one) for one in READS if one in words)

    reading = [one for one in tools if words_of(one.name) & {*READS} and place_of(one.parameters)]
    return sorted(reading, key=rank)


def place_of(schema: Schema) -> str:
    """Return the member that takes what a notice names, empty where there is none."""
    takes_text = [one for one, form in members(schema).items() if may_be(form, "string")]
    return next((one for one in takes_text if words_of(one) & (PLACES | NAMES)), "")


def named(text: str, member: str, known: str) -> Iterator[str]:
    """Give what a result names that a member may take, the likelier first."""
    patterns = (OFFER, HANDLE, RELATIVE, NAMED)
    if not words_of(member) & PLACES:
        patterns = (NAMED, OFFER, HANDLE, RELATIVE)
    for pattern in patterns:
        for one in pattern.finditer(text):
            name = one["handle"].rstrip(".")
            if len(name) >= SHORTEST and is_a_name(name) and name not in known:
                yield name


def is_a_name(text: str) -> bool:
    """Whether a text may name something that was kept: a path, else with a digit, and no record."""
    return ID.search(text) is None and (is_path(text) or A_DIGIT.search(text) is not None)


def is_path(text: str) -> bool:
    """Whether a text is a path."""
    return "/" in text or "\\" in text


def reading(schema: Schema, member: str, name: str, text: str) -> dict[str, object]:
    """Return arguments with which a tool gives what is named: the lines behind those shown.

    Where records are not a line each, there are no lines to be skipped: a head and a tail of one
    long line are two lines.
    """
    given = {**filled(schema, name), member: name}
    in_lines = [count for line in text.split("\n") if (count := len(found(line)))]
    if len(in_lines) > HEAD_AND_TAIL and max(in_lines) == 1:
        given.update(page(schema, len(in_lines)))
    return given


def page(schema: Schema, shown: int) -> Iterator[tuple[str, object]]:
    """Give the arguments that begin behind the lines shown, also inside of an object."""
    for name, form in members(schema).items():
        inner = form if isinstance(form, dict) else {}
        if members(inner):
            if parts := dict(page(inner, shown)):
                yield name, parts
        elif may_be(form, "integer") or may_be(form, "number"):
            figure = next((each(shown) for words, each in PAGE if words_of(name) & words), None)
            if figure is not None:
                yield name, within(inner, figure)


PAGE: Sequence[tuple[frozenset[str], Callable[[int], int]]] = (
    (STARTS, lambda shown: shown + 1),
    (ENDS, lambda shown: shown + MORE_LINES),
    (COUNTS, lambda _: MORE_LINES),
)


def words_of(name: str) -> frozenset[str]:
    """Split a name into its words."""
    return frozenset(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()))
