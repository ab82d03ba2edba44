"""Python literals as spans of their own text: what `repr` prints, split without evaluating it.

The counterpart of `spans` for JSON: what is kept keeps its bytes, and nesting costs no stack.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["list", "tuple", "dict", "set", "call", "string", "scalar"]

WHITE = " \t\n\r"
QUOTED = (
    r"'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+'''"
    r'|"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"""'
    r"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
    r'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
)
STRING = rf"(?:[bB][rR]?|[rR][bB]?|[uUfF]|[fF][rR]|[rR][fF])?(?:{QUOTED})"
# What has no literal: `<class 'list'>`, `<Status.OK: 'ok'>`, `<Row object at 0x7f...>`.
ANGLE = r"<[A-Za-z_][^<>\n]{0,300}>"
NUMBER = (
    r"[-+]?(?:0[xX][0-9a-fA-F_]++|0[oO][0-7_]++|0[bB][01_]++"
    r"|(?:[0-9][0-9_]*+(?:\.[0-9_]*+)?|\.[0-9][0-9_]*+)(?:[eE][+-]?[0-9]++)?[jJ]?)"
)
NAME = r"[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)*+"
TOKEN = re.compile(
    rf"[ \t\n\r]*+(?:(?P<string>{STRING})|(?P<number>{NUMBER}(?![\w.]))|(?P<angle>{ANGLE})"
    rf"|(?P<dots>\.\.\.)|(?P<name>{NAME})|(?P<mark>[][(){{}},:=]))",
    re.DOTALL,
)
SKELETON = re.compile(rf"{QUOTED}|{ANGLE}|[][(){{}},:=]", re.DOTALL)
VALUES = {"None", "True", "False", "nan", "inf", "-inf", "NotImplemented", "Ellipsis"}
CLOSES = {"[": "]", "(": ")", "{": "}"}


@dataclass(slots=True)
class Frame:
    """A bracket that is open: what closes it, whether it is a call, and what it has held."""

    close: str
    is_call: bool = False
    has_key: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """One item of a container, white space around it included.

    `value` is where the value starts: after `key:` or `name=`.
    """

    start: int
    value: int
    end: int


def is_literal(text: str) -> bool:
    """Whether all of a text is one container as Python prints it: its brackets, its commas."""
    if text.rstrip(WHITE)[-1:] not in ("]", ")", "}"):
        return False
    checker = Checker()
    at, end = 0, len(text.rstrip(WHITE))
    while at < end:
        match = TOKEN.match(text, at)
        if match is None or not checker.follow(match):
            return False
        at = match.end()
    return not checker.open and checker.seen


@dataclass(slots=True)
class Checker:
    """Checks that tokens follow each other as they do in a literal; `last` is what came before."""

    open: list[Frame] = field(default_factory=list)
    last: str = "start"
    seen: bool = False

    def follow(self, match: "re.Match[str]") -> bool:
        """Take one token; say whether it may stand here."""
        token = match.lastgroup
        if not self.open and self.seen:
            return False
        if token == "mark":
            return self.mark(match["mark"])
        if self.last == token == "string":
            return True  # two literals in a row are one
        if self.last in ("value", "string", "name") or not (self.open or token == "name"):
            return False
        known = token == "name" and match["name"] in VALUES
        self.last = "value" if known or token not in ("name", "string") else str(token)
        return True

    def mark(self, mark: str) -> bool:
        """Take a bracket, a comma, a colon or an equals sign."""
        whole = self.last in ("value", "string")
        if mark in CLOSES:
            is_call = self.last == "name" and mark == "("
            if whole or (self.last == "name" and not is_call):
                return False
            self.open.append(Frame(CLOSES[mark], is_call))
            self.last = "open"
            return True
        if not self.open:
            return False
        frame = self.open[-1]
        if mark in "])}":
            if mark != frame.close or self.last in ("name", "colon", "start"):
                return False
            self.open.pop()
            self.seen, self.last = True, "value"
            return True
        return self.separator(mark, frame, whole=whole)

    def separator(self, mark: str, frame: Frame, *, whole: bool) -> bool:
        """Take a comma after a value, a colon after a key, an equals sign after a name."""
        if mark == ",":
            frame.has_key, self.last = False, "comma"
            return whole
        if mark == ":":
            fits = whole and frame.close == "}" and not frame.has_key
            frame.has_key, self.last = True, "colon"
            return fits
        fits = self.last == "name" and frame.is_call
        self.last = "colon"
        return fits


def kind(text: str) -> Kind:
    """Return the kind of a value; of `{}` that it is a dict."""
    first = text[:1]
    if first in ("[", "("):
        return "list" if first == "[" else "tuple"
    if first == "{":
        return "set" if is_set(text) else "dict"
    match = TOKEN.match(text)
    if match and match["string"]:
        return "string"
    return "call" if match and match["name"] and text.endswith(")") else "scalar"


def is_set(text: str) -> bool:
    """Whether braces hold items without keys; empty ones are a dict."""
    depth = 0
    for match in SKELETON.finditer(text):
        mark = match[0]
        if depth == 1 and mark in (":", ",", "}"):
            return mark != ":" and text[1 : match.start()].strip(WHITE) != ""
        depth += (mark in CLOSES) - (mark in ("]", ")", "}"))
    return False


def children(text: str, opening: int) -> Iterator[Child]:
    """Yield the items of the container whose bracket stands at `opening`."""
    depth, start = 0, opening + 1
    value = start
    for match in SKELETON.finditer(text, opening):
        mark = match[0]
        if mark in CLOSES:
            depth += 1
        elif depth == 1 and mark in (":", "=") and value == start:
            value = match.end()
        elif depth == 1 and mark in (",", "]", ")", "}"):
            if text[start : match.start()].strip(WHITE):
                yield Child(start=start, value=value, end=match.start())
            start = value = match.end()
        if mark in ("]", ")", "}"):
            depth -= 1
            if not depth:
                return
