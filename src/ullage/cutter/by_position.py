"""How other harnesses shorten a result: a head, a tail or both, by a unit, with their own words.

To compare with. What is kept is told by where it stands, never by what it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ullage.counting.count import counter
from ullage.cutter.budget import Budget

By = Literal["chars", "bytes", "lines"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """What a slice by position leaves: its text, and the words in it that tell of the loss."""

    text: str
    notice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A harness's cut: over `limit` units only so many of the `head` and of the `tail` stay.

    `notice` is what stands for the rest, with `{produced}`, `{left_out}`, `{head}` and `{tail}` in
    its units and `{chars}` in characters; "" where nothing is said. `place` is where it stands.
    """

    limit: int
    by: By
    head: int
    tail: int
    notice: str = ""
    place: Literal["first", "between", "last"] = "between"


def shaped(text: str, shape: Shape) -> Slice | None:
    """Shorten a text as a harness does; None where it leaves the text alone."""
    units = UNITS[shape.by]
    produced = units.size(text)
    if produced <= shape.limit:
        return None
    head, tail = units.head(text, shape.head), units.tail(text, shape.tail)
    said = shape.notice.format(
        produced=produced,
        left_out=produced - shape.head - shape.tail,
        head=shape.head,
        tail=shape.tail,
        chars=len(text),
    )
    order = {"first": (said, head, tail), "between": (head, said, tail), "last": (head, tail, said)}
    return Slice(text="".join(order[shape.place]), notice=said.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """How a unit is counted, and how so many are taken from either end."""

    size: Callable[[str], int]
    head: Callable[[str, int], str]
    tail: Callable[[str, int], str]


def byte_head(text: str, number: int) -> str:
    """Return the characters that are whole within so many first bytes."""
    return (
        text.encode("utf-8", "surrogatepass")[:number].decode("utf-8", "replace").rstrip("\ufffd")
    )


def byte_tail(text: str, number: int) -> str:
    """Return the characters that are whole within so many last bytes."""
    data = text.encode("utf-8", "surrogatepass")
    return data[len(data) - number :].decode("utf-8", "replace").lstrip("\ufffd") if number else ""


def line_head(text: str, number: int) -> str:
    """Return so many first lines, with the break behind each."""
    return "".join(f"{line}\n" for line in text.split("\n")[:number])


def line_tail(text: str, number: int) -> str:
    """Return so many last lines."""
    all_lines = text.split("\n")
    return "\n".join(all_lines[len(all_lines) - number :]) if number else ""


UNITS: Mapping[By, Units] = MappingProxyType(
    {
        "chars": Units(
            size=len,
            head=lambda text, number: text[:number],
            tail=lambda text, number: text[len(text) - number :],
        ),
        "bytes": Units(
            size=lambda text: len(text.encode("utf-8", "surrogatepass")),
            head=byte_head,
            tail=byte_tail,
        ),
        "lines": Units(
            size=lambda text: text.count("\n") + 1,
            head=line_head,
            tail=line_tail,
        ),
    }
)


def first_lines(text: str, budget: Budget) -> Slice:
    """Keep whole first lines as far as a budget goes, and say in a last line how many there are."""
    all_lines = text.split("\n")
    size = counter(budget.model) if budget.unit == "tokens" else len

    def kept(number: int) -> str:
        return "\n".join([*all_lines[:number], f"[{number} of {len(all_lines)} lines]"])

    low, high = 0, len(all_lines) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if size(kept(middle)) <= budget.limit else (low, middle - 1)
    return within(kept(low), budget)


def preview(text: str, budget: Budget) -> Slice:
    """Keep what of the first lines fits, and say that the whole is in a file: a spill.

    What stands in the file is not delivered: whether the model reads it, no policy knows.
    """
    said = f"[preview of a result of {len(text)} characters; the whole is in a file: read_result()]"
    size = counter(budget.model) if budget.unit == "tokens" else len
    low, high = 0, min(len(text), budget.limit * (1 if budget.unit == "chars" else 8))
    while low < high:
        middle = (low + high + 1) // 2
        fits = size(f"{text[:middle]}\n{said}") <= budget.limit
        low, high = (middle, high) if fits else (low, middle - 1)
    lines = text[:low].rpartition("\n")[0] or text[:low]
    return within(f"{lines}\n{said}", budget)


def within(text: str, budget: Budget) -> Slice:
    """Return a text whose last line is its notice; the empty one where not even that fits."""
    size = counter(budget.model) if budget.unit == "tokens" else len
    if size(text) > budget.limit:
        return Slice(text="", notice="")
    return Slice(text=text, notice=text.rpartition("\n")[2])
