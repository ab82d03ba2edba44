"""What a cut returns: the text, its notice, and the account of what was left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from ullage.cutter.budget import Budget

Format = Literal[
    "json",
    "ndjson",
    "csv",
    "table",
    "xml",
    "html",
    "yaml",
    "diff",
    "markdown",
    "test-report",
    "log",
    "repr",
    "text",
]
"""How a result is read; `text` is the last resort for everything unreadable."""

Counted = Literal["records", "members", "lines", "characters"]
"""What a part is made of: items of a list, keys of an object, lines, characters of a string."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One list, object or string of the result: how much of it there was, and how much is given.

    `delivered` counts what stands in the text, `shortened` how many of those are not whole.
    `produced` is the first total where the input had been cut before; `left_out` names the ranges
    (first, last) of this cut's input. `kept` says why each kept record stayed, where one did not:
    record to reason.
    """

    path: str
    unit: Counted
    produced: int
    delivered: int
    shortened: int = 0
    left_out: tuple[tuple[int, int], ...] = ()
    kept: Mapping[int, str] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether all of it is given."""
        return self.delivered == self.produced and not self.shortened


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """Something that the cut noticed in its input, such as a duplicate key."""

    check: str
    severity: str
    evidence: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """The size of a text: characters, and records over all its outermost parts."""

    chars: int
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What was produced, what is delivered, and what became of each part.

    `floor` is the size of the smallest text that keeps the root and the notice; below it the root
    is empty or, with `below_floor`, the text is. `fallback` says why a format that was asked for
    could not be read. `not_kept` names the `keep` rules that the budget did not allow, `not_found`
    those that nothing in the data fits.
    """

    format: Format
    budget: Budget
    floor: int
    produced: Size
    delivered: Size
    parts: tuple[Part, ...] = ()
    below_floor: bool = False
    fallback: str | None = None
    not_kept: tuple[str, ...] = ()
    not_found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The text to give to the model, notice included, and the account of what it leaves out."""

    text: str
    notice: str
    account: Account
    complete: bool
    findings: tuple[Noticed, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the members of `ullage.cut/1`, in their order."""
        account = self.account
        return {
            "text": self.text,
            "notice": self.notice,
            "complete": self.complete,
            "format": account.format,
            "budget": {"limit": account.budget.limit, "unit": account.budget.unit},
            "floor": account.floor,
            "below_floor": account.below_floor,
            "produced": {"chars": account.produced.chars, "records": account.produced.records},
            "delivered": {"chars": account.delivered.chars, "records": account.delivered.records},
            "parts": [
                {
                    "path": part.path,
                    "unit": part.unit,
                    "produced": part.produced,
                    "delivered": part.delivered,
                    "shortened": part.shortened,
                    "kept": [{"record": record, "why": why} for record, why in part.kept.items()],
                }
                for part in account.parts
            ],
            "left_out": [
                {
                    "path": part.path,
                    "unit": part.unit,
                    "records": [[first, last] for first, last in part.left_out],
                    "why": "budget",
                }
                for part in account.parts
                if part.left_out
            ],
            "not_kept": list(account.not_kept),
            "not_found": list(account.not_found),
            "fallback": account.fallback,
            "findings": [
                {"check": one.check, "severity": one.severity, "evidence": dict(one.evidence)}
                for one in self.findings
            ],
        }


def left_out(kept: Sequence[int], count: int) -> tuple[tuple[int, int], ...]:
    """Return the (first, last) runs of the indices below `count` that are not in `kept`."""
    edges = [-1, *kept, count]
    return tuple((before + 1, after - 1) for before, after in pairwise(edges) if after - before > 1)
