"""Options of `ullage probe` that are lists, sizes, and a tool with arguments."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import click

ALL = "all"


class Several(click.ParamType):
    """Words with commas between them, each of a few; `all` is each of them."""

    name = "word,…"

    def __init__(self, known: Sequence[str]) -> None:
        self.known = known

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split the words, and refuse one that is not known."""
        if isinstance(value, tuple):
            return value
        words = tuple(word.strip() for word in str(value).split(","))
        if words == (ALL,):
            return tuple(self.known)
        for word in words:
            if word not in self.known:
                self.fail(f"{word!r} is none of {', '.join([*self.known, ALL])}", param, ctx)
        return tuple(dict.fromkeys(words))


class Numbers(click.ParamType):
    """Whole numbers with commas between them, thousands also as 33k; none is below `least`."""

    name = "number,…"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read the numbers."""
        if isinstance(value, tuple):
            return value
        return tuple(dict.fromkeys(self.one(word, param, ctx) for word in str(value).split(",")))

    def one(self, word: str, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read one number."""
        written = word.strip().lower()
        digits = written.removesuffix("k")
        if not digits.isdecimal():
            self.fail(f"{word!r} is no number: write 8000, or 8k", param, ctx)
        number = int(digits) * (1000 if written.endswith("k") else 1)
        if number < self.least:
            self.fail(f"{word!r} is below {self.least}", param, ctx)
        return number


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegate:
    """A tool that delegates, and arguments for it on top of what its form asks for."""

    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)


class DelegateType(click.ParamType):
    """The name of a tool, or `NAME={"argument": "value"}`."""

    name = "name"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Delegate:
        """Read the name and the arguments."""
        if isinstance(value, Delegate):
            return value
        name, _, written = str(value).partition("=")
        try:
            arguments = json.loads(written) if written else {}
        except ValueError as error:
            self.fail(f"the arguments of {name!r} are not JSON: {error}", param, ctx)
        if not isinstance(arguments, dict):
            self.fail(f"the arguments of {name!r} are no JSON object", param, ctx)
        return Delegate(name=name, arguments=arguments)
