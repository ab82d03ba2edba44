"""Fitting one value of a Python literal into a room: long strings and lists, at any depth."""

from collections.abc import Sequence
from dataclasses import dataclass

from ullage.cutter import layers
from ullage.cutter.budget import Budget
from ullage.cutter.choose import capped, choose
from ullage.cutter.keep import Keep
from ullage.cutter.python_spans import WHITE, Child, children, kind
from ullage.cutter.python_values import (
    LEAST,
    OPENING,
    decoded,
    shorten_string,
    unquoted,
)
from ullage.cutter.share import level
from ullage.cutter.standout import standouts
from ullage.cutter.values import Cut

# So many levels of an item are opened; what is deeper is whole or absent.
LEVELS = 6
BRACKETS = {"list": "[]", "tuple": "()", "dict": "{}", "set": "set()"}
# Below this a document in a string is shortened as text.
LEAST_DOCUMENT = 80


def shorten_item(text: str, room: int) -> str | None:
    """Shorten an item of a literal, its key and its comma aside; None where that is not enough.

    Its long strings and lists are cut by their own rules, however deep they stand.
    """
    body = text.strip(WHITE + ",")
    before = text[: text.index(body)] if body else ""
    after = text[len(before) + len(body) :]
    found = list(children(f"[{body}]", 0))
    if len(found) != 1:
        return None
    head = body[: found[0].value - 1]
    space = body[len(head) :]
    space = space[: len(space) - len(space.lstrip(WHITE))]
    value = body[len(head) + len(space) :]
    around = len(text) - len(value)
    short = fit(value, room - around)
    if short is None or short in BRACKETS.values():
        return None
    return before + head + space + short + after


def fit(text: str, room: int, depth: int = 0) -> str | None:
    """Return a value within `room`, or None where it has no form that is so small."""
    if len(text) <= room:
        return text
    what = kind(text)
    if what == "string":
        return fit_string(text, room)
    if what == "scalar" or depth >= LEVELS or room < least(text):
        return None
    return Container.of(text, what).fit(room, depth)


def least(text: str) -> int:
    """Return how small a value can get."""
    what = kind(text)
    if what == "string":
        return min(len(text), LEAST) if is_plain(text) else len(text)
    if what == "scalar":
        return len(text)
    empty = text[: text.index("(")] + "()" if what == "call" else BRACKETS[what]
    return min(len(text), len(empty))


def is_plain(text: str) -> bool:
    """Whether a literal is a string whose inside may hold any character."""
    opening = OPENING.match(text)
    return opening is not None and not set(opening[1].lower()) & {"b", "r", "f"}


def fit_string(text: str, room: int) -> str | None:
    """Shorten a string literal: by the rules of its content, if that is a document."""
    if not is_plain(text):
        return None
    quote = text[-1]
    if room >= LEAST_DOCUMENT and text[0] == quote and text[1:3] != quote * 2:
        inner = unquoted(text)
        if layers.is_document(inner) and not inner.lstrip(WHITE).startswith('"'):
            return fit_document(text, inner, quote, room)
    return shorten_string(text, room)


def fit_document(text: str, inner: str, quote: str, room: int) -> str | None:
    """Cut a JSON document in a string literal, and quote it again."""
    from ullage.cutter.formats import in_format  # the readers of all formats, on use

    write = layers.python_writer(quote)
    layer = layers.Layer(before=quote, inner=inner, after=quote, write=write)

    def within(limit: Budget) -> Cut:
        return in_format(inner, limit, None, keep=Keep(), inside=True, nested=True)

    done = layers.cut_layer(layer, text, Budget(limit=room), within)
    return done.text or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """A list, tuple, dict, set or call: its items as they are written, what is before each value.

    `heads` are keys with the white space around them, `values` stripped; between items stands a
    comma.
    """

    before: str
    after: str
    is_tuple: bool
    is_keyed: bool
    empty: str
    heads: Sequence[str]
    values: Sequence[str]

    @classmethod
    def of(cls, text: str, what: str) -> "Container":
        """Read a container."""
        opening = text.index("(") if what == "call" else 0
        found = list(children(text, opening))
        values = [text[one.value : one.end] for one in found]
        bodies = [one.strip(WHITE) for one in values]
        heads = [head(text, one) for one in found]
        before = text[: opening + 1]
        # The place of an item of a tuple is its meaning, as a key is.
        is_keyed = what in ("dict", "tuple") or (
            what == "call" and all(one.value > one.start for one in found)
        )
        return cls(
            before=before,
            after=text[-1],
            is_tuple=what == "tuple",
            is_keyed=is_keyed,
            empty="set()" if what == "set" else before + text[-1],
            heads=heads,
            values=bodies,
        )

    def fit(self, room: int, depth: int) -> str | None:
        """Fit a container: keyed values at a fair share, else the best of the items."""
        # Its brackets, and a comma after each item: a tuple of one needs it.
        left = room - len(self.before) - len(self.after)
        heads = [len(one) + 1 for one in self.heads]
        if self.is_keyed:
            smallest = [least(one) for one in self.values]
            extra = left - sum(heads) - sum(smallest)
            if extra >= 0:
                share = self.shares(smallest, extra)
                texts = [
                    fit(one, size, depth + 1) for one, size in zip(self.values, share, strict=True)
                ]
                if None not in texts:
                    return self.written({at: one or "" for at, one in enumerate(texts)})
        return None if self.is_tuple else self.select(left, heads, depth)

    def shares(self, smallest: Sequence[int], extra: int) -> list[int]:
        """Return what each value may take: its least, and a max-min fair share of the rest."""
        wants = [len(one) - size for one, size in zip(self.values, smallest, strict=True)]
        share = level(wants, extra)
        return [size + min(want, share) for size, want in zip(smallest, wants, strict=True)]

    def select(self, left: int, heads: Sequence[int], depth: int) -> str | None:
        """Keep the items that say most, whole where they are not outsized."""
        full = [len(one) + head for one, head in zip(self.values, heads, strict=True)]
        costs = capped(full, left, lambda at: heads[at] + least(self.values[at]))
        unusual = standouts([decoded(one) for one in self.values])
        texts: dict[int, str] = {}
        for at in sorted(choose(costs, left, wanted=(), unusual=unusual)):
            short = fit(self.values[at], costs[at] - heads[at], depth + 1)
            if short is not None and (short == self.values[at] or short not in BRACKETS.values()):
                texts[at] = short
        return self.written(texts) if texts else self.empty

    def written(self, texts: dict[int, str]) -> str:
        """Return the container with these items."""
        body = ",".join(self.heads[at] + text for at, text in texts.items())
        comma = "," if self.is_tuple and len(texts) == 1 else ""
        return self.before + body.lstrip(WHITE) + comma + self.after


def head(text: str, one: Child) -> str:
    """Return what stands before the value of an item, white space included."""
    value = text[one.value : one.end]
    return text[one.start : one.value] + value[: len(value) - len(value.lstrip(WHITE))]
