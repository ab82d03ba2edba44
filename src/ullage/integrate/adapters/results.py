"""A tool's result on its way to a framework: recorded as produced, cut, recorded as handed on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ullage.counting.count import counter
from ullage.cutter.budget import Budget
from ullage.cutter.cut import cut
from ullage.cutter.decode import as_text
from ullage.cutter.keep import Rule
from ullage.cutter.share import level
from ullage.tap.arguments import canonical
from ullage.tap.calls import UNDER_WAY, Call
from ullage.tap.environment import TapSettings
from ullage.tap.tool import guarded, hand_on_made, record


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """What is handed on: `texts` as many as there were, `notices` of those that were cut.

    Where nothing is `cut`, the texts are those that were given, byte for byte.
    """

    texts: tuple[str, ...]
    notices: tuple[str, ...] = ()
    produced_chars: int = 0

    @property
    def text(self) -> str:
        """All of it, as the model gets it: nothing stands between two texts."""
        return "".join(self.texts)

    @property
    def cut(self) -> bool:
        """Whether anything was left out."""
        return bool(self.notices)


def keep_produced(call: Call, arguments: object, text: str) -> None:
    """Record what a tool produced, unless its own code or a choke point further in has."""
    if call.made:
        return
    token = UNDER_WAY.set(call)
    try:
        record(text, call.tool or "tool", "tool", None, lambda: canonical(arguments))
    finally:
        UNDER_WAY.reset(token)


def json_or_printed(value: object) -> str:
    """Return a value as text: objects and lists as JSON, where JSON can hold them.

    Frameworks that write all of them as Python prints them have no other text for the rest.
    """
    if isinstance(value, Mapping | list | tuple):
        try:
            return as_text(value)
        except TypeError:
            return str(value)
    return str(value)


def keep_handed_on(call: Call, text: str) -> None:
    """Record what is handed on of a result."""

    def act(settings: TapSettings) -> None:
        hand_on_made(settings, call.made, text)

    guarded(act)


def cut_texts(
    texts: Sequence[str],
    budget: Budget,
    keep: Sequence[Rule],
    handle: Callable[[str], str] | None,
) -> Handed:
    """Cut the texts of one result, which share its budget: who needs less gives the rest away."""
    done: list[str] = []
    notices: list[str] = []
    for text, within in zip(texts, shares(texts, budget), strict=True):
        made = cut(text, within, keep=keep, handle=handle) if within else None
        done.append(made.text if made else text)
        if made and not made.complete:
            notices.append(made.notice)
    return Handed(texts=tuple(done), notices=tuple(notices), produced_chars=sum(map(len, texts)))


def shares(texts: Sequence[str], budget: Budget) -> Sequence[Budget | None]:
    """Return what each text may take; None for one that is within its share."""
    if len(texts) == 1:
        return [budget]
    sizes = sizes_of(texts, budget)
    fair = level(sizes, budget.limit)
    return [replace(budget, limit=max(fair, 1)) if size > fair else None for size in sizes]


def sizes_of(texts: Sequence[str], budget: Budget) -> list[int]:
    """Return how large each text is in the unit of a budget.

    A text has no more tokens than UTF-8 bytes: one that is small enough need not be counted.
    """
    if budget.unit == "chars":
        return [len(text) for text in texts]
    if sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) <= budget.limit:
        return [0] * len(texts)
    count = counter(budget.model)
    return [count(text) for text in texts]
