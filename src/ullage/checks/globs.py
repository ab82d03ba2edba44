"""Patterns of files, as `.gitignore` has them: for what is excluded and what is suppressed."""

import re
from collections.abc import Iterator

PIECES = re.compile(r"\*\*/|/\*\*\Z|\*\*|\*|\?|\[!?\]?[^\]/]*\]|[^*?\[]+|\[")
MEANS = {"**/": r"(?:[^/]+/)*", "/**": r"/.+", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}


def covers(pattern: str, path: str) -> bool:
    """Whether a pattern covers a path: the path itself, or a folder that it lies in.

    A path has `/` between its names, on every machine. `*`, `?` and `[a-z]` stay inside one name,
    `**` goes over several. A pattern without a `/` may stand at any depth.
    """
    wanted = pattern.removeprefix("./").removesuffix("/")
    if "/" not in wanted:
        wanted = f"**/{wanted}"
    compiled = re.compile(expression(wanted.removeprefix("/")), re.DOTALL)
    return any(compiled.fullmatch(one) for one in (path, *folders(path)))


def expression(pattern: str) -> str:
    """Return a pattern as a regular expression."""
    return "".join(map(piece, PIECES.findall(pattern)))


def piece(text: str) -> str:
    """Return one piece of a pattern as a regular expression."""
    if text in MEANS:
        return MEANS[text]
    if text.startswith("[") and text.endswith("]"):
        inside = text.removeprefix("[").removesuffix("]")
        no = "^/" if inside.startswith("!") else ""
        members = re.escape(inside.removeprefix("!")).replace(r"\-", "-")
        # An order that is the wrong way round, or nothing between the brackets, is plain text.
        return f"[{no}{members}]" if sound(members) else re.escape(text)
    return re.escape(text)


def sound(members: str) -> bool:
    """Whether this can stand between the brackets of a regular expression."""
    try:
        re.compile(f"[{members}]")
    except re.error:
        return False
    return True


def folders(path: str) -> Iterator[str]:
    """Yield the folders that a path lies in, the nearest first."""
    above, slash, _ = path.rpartition("/")
    while slash and above:
        yield above
        above, slash, _ = above.rpartition("/")
