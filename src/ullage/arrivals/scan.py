"""Find JSON values and Python literals inside any text, also in one that was cut.

One pass, linear in the text, with a stack of its own. At a fault the reader gives up the
containers that are open, keeps what was whole in them, and starts afresh at the next opening
bracket: it never needs to know whether the rest of the text stands inside or outside a string,
which a cut in the middle makes unknowable.
"""

import json
import re
from dataclasses import dataclass
from typing import Literal

from ullage.arrivals.values import (
    CONTAINERS,
    DECODER,
    MAX_DEPTH,
    Json,
    has_leaf,
    integer,
    number,
    too_deep,
    unescape,
)

Style = Literal["json", "python"]

OPENER = re.compile(r"[\[{]|\((?=[\s]*[\[{('\"\d-])")
CLOSERS = {"[": "]", "{": "}", "(": ")"}
# Numbers must be followed by what may follow them: one that was cut looks like a shorter one.
TOKEN = re.compile(
    r"""[ \t\n\r]*+(?:
      (?P<string>"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+")
    | (?P<pystring>[bu]?'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'|b"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")
    | (?P<number>-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?)(?=[ \t\n\r]*+[,:\]})])
    | (?P<word>true|false|null|NaN|-?Infinity|True|False|None|nan|-?inf)\b
    | (?P<open>[\[{(])
    | (?P<close>[\]})])
    | (?P<comma>,)
    | (?P<colon>:)
    )""",
    re.VERBOSE | re.DOTALL,
)
WORDS: dict[str, Json] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
    "True": True,
    "False": False,
    "None": None,
    "nan": float("nan"),
    "inf": float("inf"),
    "-inf": float("-inf"),
}
PYTHON_WORDS = {"True", "False", "None", "nan", "inf", "-inf"}
# What stands around a value that was an element of something larger.
INSIDE_AFTER = re.compile(r"\s*(?:[\]}]|,\s*[\"'\[{])")
INSIDE_BEFORE = re.compile(r"(?:[\"']\s*:|[}\]]\s*,)\s*\Z")
LOOK_BACK = 40
FIRST_ALLOWANCE = 100_000
RECURSION_COST = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One outermost value in a text.

    `torn` holds the containers that were still open where reading had to stop, outermost first:
    they are not whole, everything else inside is. `loose` says that the value was an element of
    something larger whose start was lost. `whole` are the stretches that were read whole.
    """

    value: Json
    start: int
    end: int
    style: Style = "json"
    torn: tuple[Json, ...] = ()
    loose: bool = False
    whole: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """The outermost values of a text in order, and whether nesting made reading stop early."""

    pieces: tuple[Piece, ...]
    stopped: bool


def scan(text: str) -> Scan:
    """Find every outermost value in `text`, whole or torn."""
    return Reader(text).read()


class Open:
    """A container that is being read."""

    __slots__ = ("closer", "key", "start", "state", "value")

    def __init__(self, opener: str, start: int) -> None:
        self.value: dict[str, Json] | list[Json] = {} if opener == "{" else []
        self.closer = CLOSERS[opener]
        self.start = start
        self.key = ""
        # What may come: first (or a close), colon, value, next (comma or close), another.
        self.state = "first"

    def takes_value(self) -> bool:
        """Whether a value, or a key of an object, may come now."""
        return self.state in ("first", "value", "another")

    def takes_key(self) -> bool:
        """Whether what comes now is a key."""
        return isinstance(self.value, dict) and self.state != "value"

    def put(self, value: Json) -> bool:
        """Add a key or a value; False where none may come."""
        if not self.takes_value():
            return False
        if isinstance(self.value, list):
            self.value.append(value)
        elif self.state != "value":
            if isinstance(value, CONTAINERS):
                return False
            self.key = value if isinstance(value, str) else json.dumps(value)
            self.state = "colon"
            return True
        else:
            self.value[self.key] = value
        self.state = "next"
        return True

    def take_back(self) -> None:
        """Remove the string that was put last."""
        if isinstance(self.value, list):
            self.value.pop()
        elif self.state == "next":
            del self.value[self.key]

    def step(self, kind: str) -> bool:
        """Pass a comma or a colon; False where none may come."""
        if kind == "colon":
            allowed, self.state = self.state == "colon", "value"
        else:
            allowed, self.state = self.state == "next", "another"
        return allowed

    def closes(self, closer: str) -> bool:
        """Whether this bracket ends this container here; a tuple may end with a comma."""
        ended = self.state in ("first", "next") or (closer == ")" and self.state == "another")
        return closer == self.closer and ended


class Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[Piece] = []
        self.stopped = False
        # The fast decoder may be tried as long as its failures cost no more than a few readings.
        self.allowance = FIRST_ALLOWANCE + 4 * len(text)
        self.stack: list[Open] = []
        self.whole: list[Span] = []
        self.style: Style = "json"
        self.string_at = -1

    def read(self) -> Scan:
        """Read to the end."""
        position = 0
        while (found := OPENER.search(self.text, position)) is not None:
            position = self.segment(found.start())
        return Scan(pieces=tuple(self.pieces), stopped=self.stopped)

    def segment(self, start: int) -> int:
        """Read the value that opens at `start`; return where to go on."""
        self.stack, self.whole, self.style, self.string_at = [], [], "json", -1
        position = start
        while (match := TOKEN.match(self.text, position)) is not None:
            after = self.take(match)
            if after is None:
                break
            position = after
            if not self.stack:
                return position
        if self.swallowed(position):
            position = self.string_at + 1
            self.stack[-1].take_back()
        self.add_torn(position)
        return max(position, start + 1)

    def swallowed(self, position: int) -> bool:
        """Whether the string before a fault may hold an opening bracket that was none of its own.

        Its quotes may be the end of one string and the start of another.
        """
        if self.string_at < 0 or not self.text[position:].strip():
            return False
        return OPENER.search(self.text, self.string_at, position) is not None

    def take(self, match: re.Match[str]) -> int | None:
        """Take one token; return the position after it, or None where it cannot stand."""
        kind = match.lastgroup or ""
        token = match[kind]
        if kind == "open":
            return self.open(token, match.start(kind))
        if kind == "close":
            return self.close(token, match.end())
        if kind in ("comma", "colon"):
            stepped = self.stack[-1].step(kind)
            self.string_at = -1 if stepped else self.string_at
            return match.end() if stepped else None
        if not self.stack[-1].put(self.scalar(kind, token)):
            return None
        self.string_at = match.start(kind) if "string" in kind else -1
        return match.end()

    def scalar(self, kind: str, token: str) -> Json:
        """Return the value of a scalar token."""
        if kind == "number":
            return number(token) if set(token) & set(".eE") else integer(token)
        if kind == "word":
            self.style = "python" if token in PYTHON_WORDS else self.style
            return WORDS[token]
        if kind == "pystring":
            self.style = "python"
            return unescape(token.lstrip("bu")[1:-1])
        return self.string(token)

    def string(self, token: str) -> str:
        """Return the text of a double-quoted string, in JSON's spelling or in Python's."""
        if "\\" not in token:
            return token[1:-1]
        try:
            text: str = DECODER.decode(token)
        except ValueError:
            self.style = "python"
            return unescape(token[1:-1])
        return text

    def open(self, opener: str, start: int) -> int | None:
        """Begin a container, or take the whole of it at once."""
        if self.stack and (not self.stack[-1].takes_value() or self.stack[-1].takes_key()):
            return None
        if len(self.stack) >= MAX_DEPTH:
            self.stopped = True
            return None
        self.string_at = -1
        if opener != "(":
            end = self.at_once(start)
            if end is not None:
                return end
        else:
            self.style = "python"
        self.stack.append(Open(opener, start))
        return start + 1

    def at_once(self, start: int) -> int | None:
        """Take a whole JSON container with the fast decoder; None where that fails."""
        if self.allowance <= 0:
            return None
        try:
            value, end = DECODER.raw_decode(self.text, start)
        except json.JSONDecodeError as error:
            self.allowance -= error.pos - start + error.pos // 16 + 50
            return None
        except RecursionError:
            self.allowance -= RECURSION_COST
            return None
        except ValueError:  # an integer too long for Python
            self.allowance -= RECURSION_COST
            return None
        openers = self.text.count("[", start, end) + self.text.count("{", start, end)
        if too_deep(value, openers):
            self.allowance -= end - start
            return None
        self.end_of(value, Span(start=start, end=end))
        return end

    def close(self, closer: str, end: int) -> int | None:
        """End the innermost container."""
        innermost = self.stack[-1]
        if not innermost.closes(closer):
            return None
        self.string_at = -1
        self.stack.pop()
        self.end_of(innermost.value, Span(start=innermost.start, end=end))
        return end

    def end_of(self, value: Json, span: Span) -> None:
        """Hand a whole container to the one around it, or to the result."""
        while self.whole and self.whole[-1].start > span.start:
            self.whole.pop()
        self.whole.append(span)
        if self.stack:
            self.stack[-1].put(value)
        else:
            self.add(value, span)

    def add(self, value: Json, span: Span) -> None:
        """Add a whole outermost value."""
        before = self.text[max(0, span.start - LOOK_BACK) : span.start]
        loose = INSIDE_AFTER.match(self.text, span.end) or INSIDE_BEFORE.search(before)
        self.pieces.append(
            Piece(
                value=value,
                start=span.start,
                end=span.end,
                style=self.style,
                loose=loose is not None,
                whole=(span,),
            )
        )

    def add_torn(self, end: int) -> None:
        """Add the outermost container that was given up, if anything in it was whole."""
        for outer, inner in zip(self.stack, self.stack[1:], strict=False):
            outer.put(inner.value)
        root = self.stack[0]
        # A member of an object says something even where its value is empty: `"error": ""`.
        says = has_leaf(root.value) or (isinstance(root.value, dict) and bool(root.value))
        if len(self.stack) >= MAX_DEPTH or not (self.whole or says):
            return
        self.pieces.append(
            Piece(
                value=root.value,
                start=root.start,
                end=end,
                style=self.style,
                torn=tuple(one.value for one in self.stack),
                whole=tuple(self.whole),
            )
        )
