"""Options of `ullage probe` that are lists, sizes, and a tool with arguments."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

import click

from ullage.cli.probe.writing import Form
from ullage.probe.case import Kind
from ullage.probe.observed import FETCH
from ullage.probe.scripts import Words

ALL = "all"


class Several(click.ParamType[tuple[str, ...]]):
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


class Numbers(click.ParamType[tuple[int, ...]]):
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


class DelegateType(click.ParamType[Delegate]):
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A kind of case, and its size in characters; None where the kind's own is meant."""

    kind: Kind
    size: int | None = None


class CaseType(click.ParamType[Asked]):
    """A kind of case, with a size or without: `result:33k`."""

    name = "case"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Asked:
        """Read the kind and the size."""
        if isinstance(value, Asked):
            return value
        word, _, size = str(value).partition(":")
        kind = next((one for one in get_args(Kind) if one == word), None)
        if kind is None:
            self.fail(f"{word!r} is none of {', '.join(get_args(Kind))}", param, ctx)
        return Asked(kind=kind, size=Numbers(1000).one(size, param, ctx) if size else None)


tool_option = click.option(
    "--tool",
    default=FETCH,
    show_default=True,
    metavar="WORD",
    help="What is in the name of the tool to call.",
)

delegate_option = click.option(
    "--delegate",
    type=DelegateType(),
    metavar="NAME[=JSON]",
    help="What is in the name of the tool that asks a helper, for a hand-off; with arguments of it "
    "that nobody can guess.",
)

model_option = click.option(
    "--model", default="gpt-4o", show_default=True, help="The model's name."
)

form_option = click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Form)),
    default="text",
    show_default=True,
    help="Words for people, one JSON document, or a table in Markdown.",
)


def words_of(tool: str, delegate: Delegate | None) -> Words:
    """Return what a harness calls its tools."""
    if delegate is None:
        return Words(fetch=tool)
    return Words(fetch=tool, delegate=delegate.name, arguments=delegate.arguments)
