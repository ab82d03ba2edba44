"""The budget table of a request body: what its prompt is made of, in tokens, and what is kept free.

Only texts are counted, and nothing is added for a message's frame, so that the rows add up. Images
are counted by their pixels (`counting/images.py` cites the vendors' rules), never by their base64.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ullage.counting.count import Count, count
from ullage.counting.images import LEAST, MOST, UNREADABLE, Rule, image_tokens
from ullage.counting.models import window_of
from ullage.cutter.excerpt import excerpt
from ullage.transcript.words import Severity
from ullage.wire.body_parts import Image, Part, Text, Unread, pieces
from ullage.wire.members import Object
from ullage.wire.settings import output_limit, unseen_of

Check = Literal["no-reserve", "over-window", "tools-dominate", "not-counted", "prefix-unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table."""

    part: Part
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRow:
    """The definition of one tool."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Images:
    """What the images of a request cost together, and between what it lies."""

    number: int
    tokens: int
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something about a request that its sender should know."""

    check: Check
    severity: Severity
    evidence: Mapping[str, object]
    advice: str

    def to_dict(self) -> dict[str, object]:
        """Return the members of `findings[]` in `ullage.count/1`."""
        return {
            "check": self.check,
            "severity": self.severity,
            "evidence": dict(self.evidence),
            "advice": self.advice,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetTable:
    """A request in tokens: `count` is the prompt; the rows add up to it and the reserve."""

    count: Count
    rows: Sequence[Row]
    tools: Sequence[ToolRow]
    findings: Sequence[Remark]

    @property
    def reserve(self) -> int:
        """Tokens that the request keeps free for the reply, 0 where it sets no limit."""
        return next(row.tokens for row in self.rows if row.part == "reserve")

    def to_dict(self) -> dict[str, object]:
        """Return the members of `ullage.count/1`, in their order."""
        return {
            **self.count.to_dict(),
            "table": [{"part": row.part, "tokens": row.tokens} for row in self.rows],
            "tools": [{"name": one.name, "tokens": one.tokens} for one in self.tools],
            "findings": [one.to_dict() for one in self.findings],
        }


def is_body(value: object) -> bool:
    """Whether a value is a request body: an object with `messages`, `input` or `contents`."""
    if not isinstance(value, dict):
        return False
    return any(
        isinstance(value.get(name), kinds)
        for name, kinds in (
            ("messages", list),
            ("input", (str, list)),
            ("contents", (str, list, dict)),
        )
    )


def budget_table(
    body: Object, *, model: str | None = None, window: int | None = None
) -> BudgetTable:
    """Count a request body for `model`, else for the model that it names."""
    named = body.get("model")
    model = model or (named if isinstance(named, str) and named else None)
    if window is None and model is not None:
        window = window_of(model)
    found = list(pieces(body))
    texts = [(one, count(one.text, model=model)) for one in found if isinstance(one, Text)]
    images = images_of((one for one in found if isinstance(one, Image)), rule_of(body, model))
    total = added([one for _, one in texts], images, model, window)
    rows = rows_of(texts, images.tokens, reserve_of(body))
    return BudgetTable(
        count=total,
        rows=rows,
        tools=tool_rows(texts),
        findings=remarks(body, total, rows, [one for one in found if isinstance(one, Unread)]),
    )


def images_of(images: Iterable[Image], rule: Rule) -> Images:
    """Return what images cost together."""
    number = tokens = low = high = 0
    for one in images:
        cost = image_tokens(one.size, rule, detail=one.detail)
        guessed = one.size is None and cost == UNREADABLE
        number, tokens = number + 1, tokens + cost
        low, high = low + (LEAST if guessed else cost), high + (MOST if guessed else cost)
    return Images(number=number, tokens=tokens, low=low, high=high)


def rule_of(body: Object, model: str | None) -> Rule:
    """Return the rule for images that goes with a model, or with the shape of a body."""
    name = model or ""
    if "contents" in body or "gemini" in name:
        return "squares"
    return "area" if "system" in body or "claude" in name else "tiles"


def reserve_of(body: Object) -> int:
    """Return a request's output limit, 0 where it sets none."""
    return max(0, output_limit(body) or 0)


def added(counts: Sequence[Count], images: Images, model: str | None, window: int | None) -> Count:
    """Return the count of a prompt: its texts and images; a prompt with images is an estimate."""
    like = count("", model=model)
    return Count(
        tokens=images.tokens + sum(one.tokens for one in counts),
        method="estimate" if images.number else like.method,
        low=images.low + sum(one.low for one in counts),
        high=images.high + sum(one.high for one in counts),
        window=window,
        calibrated=like.calibrated and not images.number,
        encoding=like.encoding,
        model=model,
    )


def rows_of(texts: Iterable[tuple[Text, Count]], images: int, reserve: int) -> list[Row]:
    """Return the rows, in the order of the parts."""
    sums = Counter[str]({"images": images, "reserve": reserve})
    for one, counted in texts:
        sums[one.part] += counted.tokens
    return [Row(part=part, tokens=sums[part]) for part in get_args(Part)]


def tool_rows(texts: Iterable[tuple[Text, Count]]) -> list[ToolRow]:
    """Return what each tool's definition costs, the dearest first."""
    tools = [
        ToolRow(name=one.tool, tokens=counted.tokens)
        for one, counted in texts
        if one.tool is not None
    ]
    return sorted(tools, key=lambda one: -one.tokens)


def remarks(
    body: Object, total: Count, rows: Sequence[Row], unread: Sequence[Unread]
) -> list[Remark]:
    """Return what the sender of a request should know."""
    sums = {row.part: row.tokens for row in rows}
    found = []
    if sums["reserve"] == 0:
        found.append(NO_RESERVE)
    if total.window is not None and total.tokens + sums["reserve"] > total.window:
        found.append(over_window(total.tokens, sums["reserve"], total.window))
    if sums["tools"] * 2 > total.tokens:
        found.append(tools_dominate(sums["tools"], total.tokens))
    if unread:
        found.append(not_counted(unread))
    if unseen_of(body):
        found.append(PREFIX_UNKNOWN)
    return found


NO_RESERVE = Remark(
    check="no-reserve",
    severity="warning",
    evidence={"reserve": 0},
    advice="The request sets no output limit: nothing is kept free for the reply.",
)
PREFIX_UNKNOWN = Remark(
    check="prefix-unknown",
    severity="warning",
    evidence={},
    advice="The request continues one that the server keeps: what came before is not counted.",
)


def over_window(tokens: int, reserve: int, window: int) -> Remark:
    """Return the remark on a prompt that does not fit."""
    return Remark(
        check="over-window",
        severity="error",
        evidence={"tokens": tokens, "reserve": reserve, "window": window},
        advice=f"{tokens} tokens and a reserve of {reserve} do not fit a window of {window}.",
    )


def tools_dominate(tools: int, tokens: int) -> Remark:
    """Return the remark on tool definitions that are most of the prompt."""
    return Remark(
        check="tools-dominate",
        severity="warning",
        evidence={"tools": tools, "tokens": tokens},
        advice=f"Tool definitions are {tools} of {tokens} tokens: trimming messages frees none.",
    )


def not_counted(unread: Sequence[Unread]) -> Remark:
    """Return the remark on what is neither text nor image."""
    kinds = Counter(one.kind for one in unread)
    words = ", ".join(f"{times} {excerpt(kind, 40)}" for kind, times in sorted(kinds.items()))
    return Remark(
        check="not-counted",
        severity="warning",
        evidence=dict(kinds),
        advice=f"Not counted, neither text nor image: {words}.",
    )
