"""Paths, commits and ids: all of a few, of many those that failed or that later messages use."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ullage.arrivals.kinds import (
    SHORTEST_ID,
    commits_in,
    found_paths,
    has_path,
    ids_in,
    one_commit,
)
from ullage.cutter.signals import WORD, signal
from ullage.history.never.later import Later, tokens_in

FEW = 20
"""Up to so many distinct paths, and so many commits, all stay. See design/0017."""
_HASH = re.compile(r"(?<![\w-])[0-9a-f]{40}(?![\w-])")
# `git log --oneline`, `[main 1a2b3c4] words`, `1a2b3c4..5d6e7f8`.
_SHORT = re.compile(
    r"^\W{0,8}(?P<line>[0-9a-f]{7,12}) \S"
    r"|\[[\w./-]{1,200}(?: \([\w -]{1,60}\))? (?P<made>[0-9a-f]{7,12})\]"
    r"|\b(?P<from>[0-9a-f]{7,40})\.{2,3}(?P<to>[0-9a-f]{7,40})\b",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names to be kept, and how many others of their kind a text has."""

    kept: tuple[str, ...]
    others: int


def paths_to_keep(text: str, new: str, index: int, later: Later, *, again: bool) -> Names:
    """Return the paths of a text that are not in the new one and stay.

    `again` says that the same call brings them all back: then only those that are used stay.
    """
    paths = dict(found_paths(text))
    if not paths:
        return Names(kept=(), others=0)
    there = has_path(new)
    missing = {key: path for key, path in paths.items() if not there(key)}
    if len(paths) <= FEW and not again:
        return Names(kept=tuple(missing.values()), others=0)
    failing = in_failing_lines(text) if not again else frozenset()
    kept = tuple(
        path for key, path in missing.items() if key in failing or later.uses_path(key, index)
    )
    return Names(kept=kept, others=0 if again else len(missing) - len(kept))


def in_failing_lines(text: str) -> frozenset[str]:
    """Return the paths in lines that say that something failed."""
    return frozenset(
        key
        for line in text.split("\n")
        if ("/" in line or "\\" in line) and signal(line, near_end=False) >= WORD
        for key, _ in found_paths(line)
    )


def commits_to_keep(text: str, new: str, index: int, later: Later, *, again: bool) -> Names:
    """Return the commit hashes of a text that are not in the new one and stay."""
    commits = distinct(hashes_in(text))
    if not commits:
        return Names(kept=(), others=0)
    there = by_start(ids_in(new))
    missing = [one for one in commits if not is_among(one, there)]
    if len(commits) <= FEW and not again:
        return Names(kept=tuple(missing), others=0)
    used = by_start(one for one, last in later.ids.items() if last > index and is_hex(one))
    kept = tuple(one for one in missing if is_among(one, used))
    return Names(kept=kept, others=0 if again else len(missing) - len(kept))


def by_start(hashes: Iterable[str]) -> dict[str, list[str]]:
    """Return hashes by what the shortest form of a commit has of them."""
    found: dict[str, list[str]] = {}
    for one in hashes:
        found.setdefault(one[:SHORTEST_ID], []).append(one)
    return found


def is_among(one: str, others: Mapping[str, Sequence[str]]) -> bool:
    """Whether a commit is one of these, in full or shortened."""
    return any(one_commit(one, other) for other in others.get(one[:SHORTEST_ID], ()))


def hashes_in(text: str) -> Iterator[str]:
    """Yield the commit hashes of a text: behind the word, in full, or as git prints them short."""
    yield from commits_in(text).values()
    for match in _HASH.finditer(text):
        yield match[0]
    for match in _SHORT.finditer(text):
        yield from (one for one in match.groups() if one and is_hex(one))


def is_hex(text: str) -> bool:
    """Whether a text may be a commit: letters alone are a word, figures alone a number."""
    return (
        re.fullmatch(r"[0-9a-f]{7,64}", text) is not None
        and any(one.isdigit() for one in text)
        and any(one.isalpha() for one in text)
    )


def distinct(hashes: Iterable[str]) -> list[str]:
    """Return hashes, each once; the long form of one stands for its short ones."""
    found: dict[str, list[str]] = {}
    for one in hashes:
        same = found.setdefault(one[:SHORTEST_ID], [])
        at = next((at for at, other in enumerate(same) if one_commit(one, other)), None)
        if at is None:
            same.append(one)
        else:
            same[at] = max(same[at], one, key=len)
    return [one for same in found.values() for one in same]


def ids_to_keep(text: str, new: str, index: int, later: Later) -> tuple[str, ...]:
    """Return the tokens of a text that later calls use and the new one has not."""
    there = frozenset(tokens_in(new))
    found = dict.fromkeys(
        one for one in tokens_in(text) if one not in there and later.uses_id(one, index)
    )
    return tuple(found)
