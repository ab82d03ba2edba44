"""Defaults that a program overrules wherever it could: they are no longer in force for it."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ullage.doctor.diagnosis import Item, Value
from ullage.doctor.entry import severity
from ullage.doctor.usage import given, opaque
from ullage.doctor.usages import chosen, imported, qualified


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The call that a setting is decided in, and the arguments of which one decides it.

    `name` is of package `root`; a method `name` is of any value in a file that imports `root`.
    """

    key: str
    root: str
    name: str
    arguments: Sequence[str]
    method: bool = False


ANSWERS = (
    Answer(key="agno.history", root="agno", name="Agent", arguments=("add_history_to_context",)),
    Answer(
        key="strands.window",
        root="strands",
        name="Agent",
        arguments=("conversation_manager", "context_manager"),
    ),
    Answer(
        key="llama-index.agent-memory",
        root="llama_index",
        name="run",
        arguments=("memory",),
        method=True,
    ),
    Answer(
        key="llama-index.context",
        root="llama_index",
        name="run",
        arguments=("memory",),
        method=True,
    ),
    Answer(
        key="smolagents.print-output",
        root="smolagents",
        name="CodeAgent",
        arguments=("max_print_outputs_length",),
    ),
    Answer(
        key="crewai.overflow",
        root="crewai",
        name="Agent",
        arguments=("respect_context_window",),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """One call that could overrule a default: the value that it gives, or None."""

    key: str
    value: Value | None


def decided_in(tree: ast.Module, path: str) -> Iterator[Decided]:
    """Yield the calls of a program that could overrule a default."""
    imports = imported(tree)
    roots = {name.partition(".")[0] for name in imports.values()}
    known = [one for one in ANSWERS if one.root in roots]
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call)) if known else ()
    for call in calls:
        called = qualified(call.func, imports)
        for one in known:
            start = "." if one.method else f"{one.root}."
            if called.startswith(start) and called.endswith(f".{one.name}"):
                yield Decided(key=one.key, value=value_in(call, one, path))


def value_in(call: ast.Call, one: Answer, path: str) -> Value | None:
    """Return what a call decides; None where it leaves the default, or hides its arguments."""
    for name in one.arguments:
        node = given(call, name)
        if node is not None and not opaque(call):
            return chosen(name, node, path)
    return None


def settled(items: Sequence[Item], decided: Sequence[Decided]) -> list[Item]:
    """Return items with those off that every call of the program decides for itself.

    What it decides is judged as a usage, where it loses something.
    """
    return [settle(item, [one.value for one in decided if one.key == item.key]) for item in items]


def settle(item: Item, values: Sequence[Value | None]) -> Item:
    """Return an item, off if there are calls and all of them decide."""
    chosen = [one for one in values if one is not None]
    if item.standing != "on" or not values or len(chosen) < len(values):
        return item
    return replace(item, standing="off", severity=severity(item.loss, "off"), values=chosen)
