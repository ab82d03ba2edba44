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
LEAST = {"json.dumps": 100, "str": 1000, "text": 1000}
LONGEST = 60
SAYS_SO = re.compile(r"trunc|cut|omit|shorten|more|left out|\.\.\.|…", re.IGNORECASE)
CARRY = ("content", "text", "output", "result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """A cut by position: the kind of what is cut, what it is made of, and the limit as written."""

    kind: str
    inner: str
    limit: ast.expr
    line: int


def slices_in(tree: ast.Module, path: str) -> Iterator[Item]:
    """Yield the cuts by position that the functions of a program return."""
    names = names_of(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for carrier in carriers(node):
                for one in map(slice_of, parts(carrier)):
                    if one is not None and is_large(one, names):
                        yield item(one, told(carrier), names, path)


def carriers(function: Function) -> Iterator[ast.expr]:
    """Yield what a function returns, and what the names that it returns are set to."""
    inside = [one for one in statements(function) if not isinstance(one, ast.ExceptHandler)]
    handled = {
        id(inner)
        for one in statements(function)
        if isinstance(one, ast.ExceptHandler)
        for inner in ast.walk(one)
    }
    inside = [one for one in inside if id(one) not in handled]
    returned = [one.value for one in inside if isinstance(one, ast.Return) and one.value]
    named = {one.id for value in returned for one in parts(value) if isinstance(one, ast.Name)}
    yield from returned
    for one in inside:
        if isinstance(one, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id in named for target in one.targets
        ):
            yield one.value


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
        remedy=f"return ullage.cut({inner}, ullage.chars({limit})).text",
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
