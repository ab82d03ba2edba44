"""What a tool of Claude Code returned, as far as its record holds it apart from what was given on.

`toolUseResult` is the tool's own result, in a shape of its own for each tool; what was too long for
the model stands whole in a file below the session's folder, which the given text names.
"""

import re
from collections.abc import Callable, Mapping

from ullage.sources.opened import Opened
from ullage.transcript.finding import Source
from ullage.transcript.transcript import Produced
from ullage.wire.contents import text_of
from ullage.wire.members import Object, compact, inside, listed, number, objects, text

FOLDER, AGENTS = "tool-results", "subagents"
# The path is that of another machine: only the name of the file counts.
SAVED = re.compile(rf"saved to:? \S[^\n]*?[/\\]{FOLDER}[/\\](?P<name>[\w.-]*\w)")
CLIPPED = re.compile(r"\.\.\. \[\d+ (?:lines|characters) truncated\] \.\.\.")
NUMBERED = re.compile(r"(?P<pad> *)(?P<number>\d+)(?P<mark>→|\t)")


def produced_of(
    value: Object, given: str, asked: Object, opened: Opened, line: int
) -> Produced | None:
    """Return what was produced of one result; None where the record does not hold it as a text.

    `given` is the text that the model got, `asked` the arguments of the call.
    """
    whole = saved(given, opened)
    if whole is not None:
        return whole
    held = value.get("toolUseResult", value.get("tool_use_result"))
    place = Source(path=opened.name, line=line)
    found = plain(held) if isinstance(held, (str, list)) else None
    if isinstance(held, dict):
        read = next((reader for name, reader in SHAPES.items() if name in held), None)
        found = read(held, given, asked) if read else None
    if found is None or not found.text:
        return None
    clipped = found.at_least or CLIPPED.search(found.text) is not None
    return Produced(text=found.text, at_least=clipped, source=place)


def saved(given: str, opened: Opened) -> Produced | None:
    """Return the whole text out of the file that a given text names; None where it is not there."""
    named = SAVED.search(given)
    if named is None or opened.path is None:
        return None
    folder = opened.path.parent
    if folder.name == AGENTS:
        file = opened.beside(FOLDER, named["name"], up=1)
    else:
        file = opened.beside(opened.path.stem, FOLDER, named["name"])
    if file is None:
        return None
    return Produced(text=file.data.decode("utf-8", "replace"), source=Source(path=file.name))


def plain(held: str | list[object]) -> Produced | None:
    """Read a result that is a text, or blocks as an MCP server returns them."""
    if isinstance(held, str):
        return None if held.startswith("Error: ") else Produced(text=held)
    return Produced(text=text_of(held)) if objects(held) else None


def printed(held: Object, given: str, asked: Object) -> Produced | None:
    """Read what a command printed; one that runs on in the background has printed nothing yet."""
    if held.get("isImage") is True or held.get("backgroundTaskId"):
        return None
    stdout, stderr = (text(held, name) or "" for name in ("stdout", "stderr"))
    more = bool(held.get("persistedOutputPath") or held.get("rawOutputPath"))
    both = "\n".join(one for one in (stdout.rstrip("\n"), stderr.rstrip("\n")) if one)
    return Produced(text=both, at_least=more)


def file_read(held: Object, given: str, asked: Object) -> Produced | None:
    """Read a file that was read; it is numbered as the given text is.

    Where no part of it was asked for and it has more lines than the tool returned, it is more.
    """
    file = inside(held, "file")
    content = text(file, "content")
    if content is None:
        return None
    first = NUMBERED.match(given)
    begin = number(file, "startLine")
    lines, total = number(file, "numLines"), number(file, "totalLines")
    more = lines is not None and total is not None and lines < total and "limit" not in asked
    content = content.removesuffix("\n")
    if first is not None:
        content = numbered(content, int(first["number"]) if begin is None else begin, first)
    return Produced(text=content, at_least=more)


def numbered(content: str, begin: int, first: re.Match[str]) -> str:
    """Write the numbers before lines as a given text has them."""
    width = len(first["pad"]) + len(first["number"]) if first["pad"] else 0
    lines = content.split("\n")
    return "\n".join(
        f"{at:>{width}}{first['mark']}{line}" for at, line in enumerate(lines, start=begin)
    )


def found_files(held: Object, given: str, asked: Object) -> Produced | None:
    """Read the names of files, or the lines in them, that a search found.

    Names that are given in another spelling cannot be compared.
    """
    content = text(held, "content")
    names = [one for one in listed(held.get("filenames")) if isinstance(one, str)]
    if not content and not any(one in given for one in names):
        return None
    shown = content or "\n".join(names)
    more = held.get("truncated") is True or bool(number(held, "appliedLimit"))
    return Produced(text=shown, at_least=more)


def agent_said(held: Object, given: str, asked: Object) -> Produced | None:
    """Read what an agent answered."""
    return Produced(text=text_of(held.get("content")))


def fetched(held: Object, given: str, asked: Object) -> Produced | None:
    """Read what a tool made of a page; the page itself is not recorded."""
    return Produced(text=text(held, "result") or "")


def structured(held: Object, given: str, asked: Object) -> Produced | None:
    """Read the result of an MCP server: its text, else its structure."""
    said = text_of(held.get("content"))
    return Produced(text=said or compact(held.get("structuredContent")))


Shape = Callable[[Object, str, Object], Produced | None]
SHAPES: Mapping[str, Shape] = {
    "stdout": printed,
    "file": file_read,
    "filenames": found_files,
    "agentId": agent_said,
    "totalDurationMs": agent_said,
    "bytes": fetched,
    "structuredContent": structured,
}
"""By a member that only results of such a tool have."""
