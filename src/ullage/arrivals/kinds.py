"""Arrival of what free text is made of: paths, commands, numbers and commits, each by its kind.

Distinct items are counted, each once: a summary that names a path once has it, however often it
stood in the transcript. An item arrived if the delivered text has it as it is, wherever it stands
there (in a sentence, in a command, in backticks). What is only described did not arrive.

- A path has a slash (or a backslash behind a drive or a name) and a file extension, and does not
  stand inside a command. A position behind it (`:30`, `:30:5`, `(30,5)`, `#L30`) is no part of it.
- A command is a line after `$ `, its prompt in front or not.
- A number is a figure with its unit, whatever either's spelling: `1,204 rows` is `1204 rows` and
  `1.2 s` is `1200 ms`.
- A commit is a hexadecimal id after the word commit; its first seven digits stand for it.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ullage.arrivals.units import measures
from ullage.arrivals.wording import squeezed

Kind = Literal["paths", "commands", "numbers", "commits"]

_COMMAND = re.compile(
    r"^[ \t>`]*(?:[\w.@~:/\\()\[\]-]{1,80}|\[[^\]\n]{1,60}\] ?)?\$ (?P<command>\S.*?)`*[ \t\r]*$",
    re.M,
)
_URL = re.compile(r"(?<![\w+.-])[a-z][a-z0-9+.-]{0,30}://[^\s\"'<>)\]]+", re.IGNORECASE)
_QUOTED_PATH = re.compile(
    r"(?P<quote>[\"'`])(?P<path>(?:[A-Za-z]:|~|\.{1,2})?[^\"'`\n:*?<>|]*[/\\]"
    r"[^\"'`\n:*?<>|/\\]*\.[A-Za-z][A-Za-z0-9_]{0,9})"
    r"(?P<position>:\d+(?::\d+)?)?(?P=quote)"
)
_WORD = re.compile(r"[^\s\"'`<>|,;()\uff0c。\uff1b、\uff08\uff09《》「」\uff1a\uff01\uff1f]+")
# Words are looked at one by one, so that no text makes the search slow.
_AROUND = "*_[]{}:.!?="
_POSITION = re.compile(r"(?::\d+(?:[:-]\d+)*:?|#L?\d+(?:-L?\d+)?)$")
_SET_TO = re.compile(r"^[\w-]{1,40}[=:](?=[/~.\w]{2,})(?![/\\])")
_EXTENSION = re.compile(r"(?:^|[/\\]|[^/\\])\.[A-Za-z][A-Za-z0-9_]{0,9}$")
_WINDOWS = re.compile(r"(?:[A-Za-z]:|\\\\|\.{1,2}\\)?[^/:]*\\|[A-Za-z]:/")
_ESCAPED = re.compile(r"\\[nrt\"]")
"""A line break in JSON that stands in a text: `\nsrc/a.py` is no path of Windows."""
_DIFF_SIDE = re.compile(r"^(?:diff --git a/(\S+) b/|--- a/|\+\+\+ b/)", re.M)
_COMMIT = re.compile(
    r"\bcommits?\b[\s:=#`'\"(\[*]{0,4}(?P<ids>[0-9a-f]{7,64}\b"
    r"(?:[`'\")\]*]{0,2}(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+|"
    r"\.{2,3})[`'\"(\[*]{0,2}[0-9a-f]{7,64}\b)*)",
    re.IGNORECASE,
)
_ID = re.compile(r"(?<![\w-])[0-9a-f]{7,64}(?!\w)(?!-\w)", re.IGNORECASE)
SHORTEST_ID = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class KindArrival:
    """The distinct items of one kind: how many were produced and delivered, and which are gone."""

    kind: Kind
    produced: int
    delivered: int
    missing: tuple[str, ...]


def kind_arrivals(produced: str, delivered: str) -> tuple[KindArrival, ...]:
    """Return the arrival of each kind that the produced text has items of, in a fixed order."""
    found = []
    for kind, (items, arrived) in KINDS.items():
        wanted = items(produced)
        if wanted:
            has = arrived(delivered)
            missing = tuple(text for key, text in wanted.items() if not has(key))
            found.append(
                KindArrival(
                    kind=kind,
                    produced=len(wanted),
                    delivered=len(wanted) - len(missing),
                    missing=missing,
                )
            )
    return tuple(found)


def without_commands(text: str) -> str:
    """Return a text without its command lines."""
    return _COMMAND.sub("", text)


def commands_in(text: str) -> Mapping[Hashable, str]:
    """Return the commands of a text."""
    return {squeezed(match["command"]): match["command"] for match in _COMMAND.finditer(text)}


def has_command(delivered: str) -> Callable[[Hashable], bool]:
    """Return what tells whether a delivered text holds a command."""
    line = squeezed(delivered)
    return lambda key: re.search(rf"(?<![\w/-]){re.escape(str(key))}(?![\w/-])", line) is not None


def paths_in(text: str) -> Mapping[Hashable, str]:
    """Return the paths of a text outside its commands."""
    return dict(found_paths(without_commands(text)))


def found_paths(text: str) -> Iterator[tuple[str, str]]:
    """Yield each path of a text in the form in which it is compared, and as it stands there."""
    text = _DIFF_SIDE.sub(" ", _URL.sub(" ", text))
    for match in _QUOTED_PATH.finditer(text):
        # A quoted text with a space in it is a path only if it begins as one.
        if " " not in match["path"] or re.match(r"(?:[A-Za-z]:)?[/\\]|~|\.", match["path"]):
            yield compared(match["path"]), match["path"]
    text = _QUOTED_PATH.sub(spaced_out, text)
    for match in _WORD.finditer(text):
        word = match[0]
        if "/" in word or "\\" in word:
            for one in [word] if _WINDOWS.match(word) and "/" not in word[2:] else unescaped(word):
                path = path_of(one)
                if path is not None:
                    yield compared(path), path


def unescaped(word: str) -> list[str]:
    """Split a word at the line breaks in it that JSON has escaped."""
    return _ESCAPED.split(word)


def path_of(word: str) -> str | None:
    """Return the path that a word is, without what stands around it; None where it is none."""
    word = _POSITION.sub("", word.lstrip("*_:!?={").rstrip(_AROUND))
    word = _SET_TO.sub("", word.rstrip(_AROUND))
    if word.startswith("[") and "]" not in word:
        word = word[1:]
    slash = max(word.rfind("/"), word.rfind("\\"))
    regex = word.startswith("\\") and not word.startswith("\\\\")
    if slash < 0 or regex or "..." in word or not _EXTENSION.search(word[slash:]):
        return None
    return word


def spaced_out(match: re.Match[str]) -> str:
    """Take a quoted path that was read out of a text, and leave one that was not."""
    return " " if " " in match["path"] else match[0]


def compared(path: str) -> str:
    """Return a path as it is compared: one kind of slash, none doubled, no `./` in front."""
    plain = re.sub(r"(?<=.)/{2,}", "/", path.replace("\\", "/"))
    return re.sub(r"^(?:\./)+", "", plain)


def has_path(delivered: str) -> Callable[[Hashable], bool]:
    """Return what tells whether a delivered text holds a path, also below an absolute one."""
    there = {key for key, _ in found_paths(delivered)}
    rooted = [one for one in there if re.match(r"/|~|[A-Za-z]:", one)]
    return lambda key: key in there or any(one.endswith(f"/{key}") for one in rooted)


def numbers_in(text: str) -> Mapping[Hashable, str]:
    """Return the measured values of a text outside its commands."""
    return {one.key: one.text for one in measures(without_commands(text))}


def has_number(delivered: str) -> Callable[[Hashable], bool]:
    """Return what tells whether a delivered text holds a measured value."""
    there = {one.key for one in measures(delivered)}
    return lambda key: key in there


def commits_in(text: str) -> Mapping[Hashable, str]:
    """Return the commits of a text; a full id and its short form are one."""
    found: dict[Hashable, str] = {}
    for match in _COMMIT.finditer(text):
        for one in ids_in(match["ids"]):
            same = next((key for key in found if one_commit(str(key), one)), one)
            found.setdefault(same, one)
    return found


def has_commit(delivered: str) -> Callable[[Hashable], bool]:
    """Return what tells whether a delivered text holds a commit, in full or shortened."""
    there = list(ids_in(delivered))
    return lambda key: any(one_commit(str(key), one) for one in there)


def ids_in(text: str) -> Iterator[str]:
    """Yield hexadecimal ids; one without a digit is a word (`defaced`)."""
    for match in _ID.finditer(text):
        if any(one.isdigit() for one in match[0]):
            yield match[0].lower()


def one_commit(one: str, other: str) -> bool:
    """Whether two ids are one commit: the shorter begins the longer."""
    return one.startswith(other) or other.startswith(one)


Items = Callable[[str], Mapping[Hashable, str]]
Arrived = Callable[[str], Callable[[Hashable], bool]]
KINDS: Mapping[Kind, tuple[Items, Arrived]] = {
    "paths": (paths_in, has_path),
    "commands": (commands_in, has_command),
    "numbers": (numbers_in, has_number),
    "commits": (commits_in, has_commit),
}


def added(each: Iterable[KindArrival]) -> tuple[KindArrival, ...]:
    """Return the arrivals of several texts together, by kind."""
    together: dict[Kind, list[KindArrival]] = {kind: [] for kind in KINDS}
    for one in each:
        together[one.kind].append(one)
    return tuple(
        KindArrival(
            kind=kind,
            produced=sum(one.produced for one in found),
            delivered=sum(one.delivered for one in found),
            missing=tuple(text for one in found for text in one.missing),
        )
        for kind, found in together.items()
        if found
    )
