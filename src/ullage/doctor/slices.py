"""Results that a program cuts by position: `json.dumps(rows)[:6000]`, returned from a function."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ullage.cutter.excerpt import excerpt
from ullage.doctor.constants import Function, constant, names_of, statements
from ullage.doctor.diagnosis import Item, Value
from ullage.doctor.entry import Loss, severity

# Shorter ones are ids, dates and the heads of error messages.
LEAST = {"json.dumps": 200, "str": 1000, "text": 1000}
LONGEST = 60
SAYS_SO = re.compile(r"trunc|cut off|omit|shortened|left out|\.\.\.|…", re.IGNORECASE)
CARRY = ("content", "text", "output", "result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """A cut by position: the kind of what is cut, what it is made of, and the limit as written."""

    kind: str
    inner: str
    limit: ast.expr
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """A value that is handed on, and whether a text in it says that something is left out."""

    value: ast.expr
    loss: Loss


def slices_in(tree: ast.Module, path: str) -> Iterator[Item]:
    """Yield the cuts by position that the functions of a program return."""
    names = names_of(tree)
    # The content of a message that is returned is reached on both ways.
    seen: set[int] = set()
    functions = (one for one in ast.walk(tree) if isinstance(one, Function))
    for carrier in (one for function in functions for one in carriers(function)):
        for node in parts(carrier.value):
            one = slice_of(node)
            if one is not None and id(node) not in seen and is_large(one, names):
                seen.add(id(node))
                yield item(one, carrier.loss, names, path)


def carriers(function: Function) -> Iterator[Carrier]:
    """Yield what a function returns or puts into a message, and what the names in it are set to."""
    inside = outside_handlers(function)
    given = [one for node in inside for one in handed_on(node)]
    used: dict[str, Loss] = {}
    for value in given:
        yield Carrier(value=value, loss=told(value))
        for one in parts(value):
            if isinstance(one, ast.Name):
                used[one.id] = told(value)
    for node in inside:
        if isinstance(node, ast.Assign):
            names = [one.id for one in node.targets if isinstance(one, ast.Name) and one.id in used]
            if names:
                said = "said" in (told(node.value), *(used[one] for one in names))
                yield Carrier(value=node.value, loss="said" if said else "silent")


def outside_handlers(function: Function) -> list[ast.AST]:
    """Return what stands in a function, but not where an error is handled or raised."""
    inside = list(statements(function))
    apart = {
        id(inner)
        for one in inside
        if isinstance(one, ast.ExceptHandler | ast.Raise)
        for inner in ast.walk(one)
    }
    return [one for one in inside if id(one) not in apart]


def handed_on(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what a statement returns, and the content of a message that is made."""
    match node:
        case ast.Return(value=ast.expr() as value):
            yield value
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value in CARRY:
                    yield value
        case ast.Call(keywords=keywords):
            yield from (one.value for one in keywords if one.arg in CARRY)


def parts(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the expressions that stand whole in a value: in a text, a sum, a dict, a choice."""
    yield node
    for one in inner_parts(node):
        yield from parts(one)


def inner_parts(node: ast.expr) -> Sequence[ast.expr]:
    """Return the expressions directly in a value."""
    match node:
        case ast.JoinedStr(values=values):
            return [one.value for one in values if isinstance(one, ast.FormattedValue)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [left, right]
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.Dict(values=values):
            return values
        case ast.Call(keywords=keywords):
            return [one.value for one in keywords if one.arg in CARRY]
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            return elts
    return []


def slice_of(node: ast.expr) -> Slice | None:
    """Return a cut by position of a text that was just made; None for anything else."""
    match node:
        case ast.Subscript(value=value, slice=ast.Slice(lower=None, upper=ast.expr() as limit)):
            kind, inner = made(value)
            if kind and not isinstance(limit, ast.UnaryOp):
                return Slice(kind=kind, inner=inner, limit=limit, line=node.lineno)
    return None


def made(node: ast.expr) -> tuple[str, str]:
    """Return the kind of a text and what it is made of; nothing for kinds that are not known."""
    match node:
        case ast.Call(func=func, args=[first, *_]) if ast.unparse(func) in ("json.dumps", "str"):
            return ast.unparse(func), ast.unparse(first)
        case ast.Attribute(attr="text"):
            return "text", ast.unparse(node)
    return "", ""


def is_large(one: Slice, names: Mapping[str, ast.expr]) -> bool:
    """Whether a limit is that of a result, as far as it is known."""
    value = constant(one.limit, names)
    return value is None or not value.isdigit() or int(value) >= LEAST[one.kind]


def told(carrier: ast.expr) -> Loss:
    """Say whether a text beside the cut says that something is left out."""
    texts = [
        node.value
        for node in ast.walk(carrier)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return "said" if any(SAYS_SO.search(one) for one in texts) else "silent"


def item(one: Slice, loss: Loss, names: Mapping[str, ast.expr], path: str) -> Item:
    """Return a cut as an item."""
    limit = constant(one.limit, names) or ast.unparse(one.limit)
    inner = excerpt(one.inner, LONGEST)
    return Item(
        key="code.slice",
        of="text[:N]" if one.kind == "text" else f"{one.kind}(…)[:N]",
        version="",
        boundary="budget",
        loss=loss,
        standing="on",
        severity=severity(loss, "on"),
        what="A result is cut by position: whole records go, and JSON is broken.",
        remedy=f"ullage.cut({inner}, ullage.chars({limit})).text",
        values=[
            Value(
                name=ast.unparse(one.limit) if not isinstance(one.limit, ast.Constant) else "limit",
                value=limit,
                unit="characters",
                known="",
                known_in="",
                path=path,
                line=one.line,
                chosen=True,
            )
        ],
        path=path,
        line=one.line,
    )
