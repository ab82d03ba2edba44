"""Drafting the settings of a tool from its recorded results: the work on its shape, done once."""

import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ullage.arrivals.parts import Part, identifying_leaf, parts_of
from ullage.arrivals.values import decode
from ullage.ledger.records import StoredResult

# A list is short if the longest of its result has so many times as many records.
SHORT = 10
BUDGET = 6_000
"""A budget in characters that agents were reported to ship with (2026); change it to yours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What the results of one tool are like: sizes in characters, lists by path, a common key."""

    tool: str
    results: int
    median: int
    largest: int
    lists: Mapping[str, int]
    key: str | None

    @property
    def parts(self) -> Sequence[str]:
        """The lists that a cut should not thin out: the short ones, the shortest first.

        A long list says most of what it has to say in a sample; a short one beside it does not.
        None where there is one list only, or none is long.
        """
        longest = max(self.lists.values(), default=0)
        short = [path for path, count in self.lists.items() if count * SHORT <= longest]
        return sorted(short, key=lambda path: (self.lists[path], path))

    def to_toml(self) -> str:
        """Return the draft of `[tool.ullage.tools.NAME]`."""
        lists = ", ".join(f"{path} (up to {count})" for path, count in self.lists.items())
        lines = [
            f"[tool.ullage.tools.{json.dumps(self.tool)}]",
            f"# {self.results} results: median {self.median}, largest {self.largest} characters",
            f"# lists: {lists or 'none'}",
            f"budget = {BUDGET}",
        ]
        if len(self.parts) > 0:
            lines.append(f"parts = [{', '.join(json.dumps(one) for one in self.parts)}]")
        if self.key is not None:
            lines.append(f"key = {json.dumps(self.key)}")
        return "\n".join(lines) + "\n"


def suggestions(results: Iterable[StoredResult]) -> list[Suggestion]:
    """Return a draft for each tool, in the order of first appearance."""
    by_tool: dict[str, list[StoredResult]] = {}
    for one in results:
        by_tool.setdefault(one.tool, []).append(one)
    return [suggestion(tool, found) for tool, found in by_tool.items()]


def suggestion(tool: str, results: Sequence[StoredResult]) -> Suggestion:
    """Return the draft for one tool."""
    parts = [part for one in results for part in read_parts(one.text)]
    lists: dict[str, int] = {}
    for part in parts:
        lists[part.path] = max(lists.get(part.path, 0), len(part.records))
    sizes = [one.chars for one in results]
    return Suggestion(
        tool=tool,
        results=len(results),
        median=round(statistics.median(sizes)),
        largest=max(sizes),
        lists=lists,
        key=common_key(parts),
    )


def read_parts(text: str) -> Sequence[Part]:
    """Return the lists of a JSON result; a text of another kind has none."""
    try:
        return [part for part in parts_of(decode(text)) if len(part.records) > 1]
    except (ValueError, RecursionError):
        return []


def common_key(parts: Sequence[Part]) -> str | None:
    """Return the field that identifies the records of every list, if it is one and the same."""
    leaves = {identifying_leaf(part) for part in parts}
    if len(leaves) != 1:
        return None
    leaf = leaves.pop()
    return leaf[0] if leaf and len(leaf) == 1 else None
