"""What a program asks for that loses context: layers of frameworks, by imported names."""

import ast
from collections.abc import Iterator, Mapping

from ullage.doctor.diagnosis import Item, Value
from ullage.doctor.entry import severity
from ullage.doctor.table.usages import USAGES
from ullage.doctor.usage import Argument, Usage, given

Defaults = Mapping[tuple[str, str], Value]


def usages_in(tree: ast.Module, path: str, defaults: Defaults) -> Iterator[Item]:
    """Yield what a program asks for that loses context."""
    imports = imported(tree)
    roots = {name.partition(".")[0] for name in imports.values()}
    known = [one for one in USAGES if one.root in roots]
    if not known:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = qualified(node.func, imports)
            for one in known:
                if is_call_of(one, called) and one.when(node):
                    yield item(one, node, path, defaults)


def imported(tree: ast.Module) -> dict[str, str]:
    """Return the names that a file imports, each with what it stands for."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                first = one.name.partition(".")[0]
                found[one.asname or first] = one.name if one.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for one in node.names:
                found[one.asname or one.name] = f"{node.module}.{one.name}"
    return found


def qualified(node: ast.expr, imports: Mapping[str, str]) -> str:
    """Return what a call calls: from the package where its name is imported, else as written.

    What is called on a value begins with a dot, as nothing is known of it.
    """
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.insert(0, node.attr)
        node = node.value
    first = imports.get(node.id) if isinstance(node, ast.Name) else None
    return ".".join([first or "", *words])


def is_call_of(one: Usage, called: str) -> bool:
    """Whether a call is one of a usage."""
    if one.method:
        return called.startswith(".") and called.endswith(f".{one.name}")
    return called.startswith(f"{one.root}.") and called.endswith(f".{one.name}")


def item(one: Usage, call: ast.Call, path: str, defaults: Defaults) -> Item:
    """Return a usage with the values that the call gives it."""
    return Item(
        key=one.key,
        of=one.name,
        version="",
        boundary=one.boundary,
        loss=one.loss,
        standing="on",
        severity=severity(one.loss, "on"),
        what=one.what,
        remedy=one.remedy,
        values=[
            value for show in one.shows if (value := shown(show, call, path, defaults)) is not None
        ],
        path=path,
        line=call.lineno,
    )


def shown(one: Argument, call: ast.Call, path: str, defaults: Defaults) -> Value | None:
    """Return an argument's value: as it is given, else the default of the installed version."""
    node = given(call, one.name, one.position)
    if node is not None:
        return chosen(one.name, node, path)
    return None if one.default is None else defaults.get(one.default)


def chosen(name: str, node: ast.expr, path: str) -> Value:
    """Return a value as a program writes it."""
    return Value(
        name=name,
        value=ast.unparse(node),
        unit="",
        known="",
        known_in="",
        path=path,
        line=node.lineno,
        chosen=True,
    )
