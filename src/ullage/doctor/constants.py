"""Values read from source text: a name, an attribute, a default, without running any of it."""

import ast
import operator
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

DEEPEST = 6
Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.Module | ast.ClassDef | Function
NUMBER = re.compile(r"-?\d[\d_]*(\.\d+)?([eE]\d+)?")
SUMS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A value as Python writes it, and its line."""

    value: str
    line: int


def by_symbol(tree: ast.Module, symbol: str) -> Found | None:
    """Return the value of `NAME`, `Class.NAME`, `function.local` or `Class.method(argument)`."""
    path, _, argument = symbol.rstrip(")").partition("(")
    *scopes, last = path.split(".")
    if argument:
        scopes.append(last)
    scope = inside(tree, scopes)
    if scope is None:
        return None
    node = default_of(scope, argument) if argument else assigned(scope, last)
    if node is None:
        return None
    return Found(value=written(node, names_of(tree)), line=node.lineno)


def by_pattern(text: str, pattern: str) -> Found | None:
    """Return the first match's group, a number as Python writes it."""
    found = re.search(pattern, text)
    if found is None:
        return None
    line = text.count("\n", 0, found.start(1)) + 1
    return Found(value=plain_number(found.group(1)), line=line)


def plain_number(word: str) -> str:
    """Return a number without `_` and exponent (`4e4` in packed JavaScript); else the word."""
    if not NUMBER.fullmatch(word):
        return word
    number = float(word.replace("_", ""))
    return str(int(number)) if number.is_integer() and "." not in word else str(number)


def inside(tree: ast.Module, names: Sequence[str]) -> Scope | None:
    """Return the class or function at a path of names, from the module inward."""
    scope: Scope = tree
    for name in names:
        found = next((one for one in scopes_in(scope) if one.name == name), None)
        if found is None:
            return None
        scope = found
    return scope


def scopes_in(scope: Scope) -> Iterator[ast.ClassDef | Function]:
    """Yield the classes and functions directly in a scope, below an `if` or `try` too."""
    for node in statements(scope):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def statements(scope: Scope) -> Iterator[ast.AST]:
    """Yield what stands in a scope and in no scope inside it."""
    waiting = deque(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.popleft()
        yield node
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def assigned(scope: Scope, name: str) -> ast.expr | None:
    """Return what a name is set to: a constant if one of its assignments is one, else the first."""
    found = [value for target, value in assignments(scope) if target == name]
    return next((one for one in found if constant(one, {}) is not None), next(iter(found), None))


def assignments(scope: Scope) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that are set in a scope with their values."""
    for node in statements(scope):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value


def default_of(scope: Scope, argument: str) -> ast.expr | None:
    """Return the default of an argument of a function."""
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    given = scope.args
    positional = [*given.posonlyargs, *given.args]
    behind = positional[len(positional) - len(given.defaults) :]
    pairs = [
        *zip(behind, given.defaults, strict=True),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    return next((default for one, default in pairs if one.arg == argument), None)


def names_of(tree: ast.Module) -> dict[str, ast.expr]:
    """Return what the names of a module are set to."""
    return dict(assignments(tree))


def written(node: ast.expr, names: Mapping[str, ast.expr]) -> str:
    """Return a value as Python writes it: names of the module and sums worked out."""
    node = field_default(node)
    value = constant(node, names)
    if value is not None:
        return value
    if isinstance(node, ast.Tuple):
        return f"({', '.join(written(one, names) for one in node.elts)})"
    return ast.unparse(node)


def field_default(node: ast.expr) -> ast.expr:
    """Return the default of a field (`Field(default=3)`, `field(default=3)`), else the value."""
    if (
        not isinstance(node, ast.Call)
        or ast.unparse(node.func).rpartition(".")[2].lower() != "field"
    ):
        return node
    named = {one.arg: one.value for one in node.keywords}
    return named.get("default") or (node.args[0] if node.args else node)


def constant(node: ast.expr, names: Mapping[str, ast.expr], depth: int = 0) -> str | None:
    """Return a constant as Python writes it; None where a value is not known before it runs."""
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.Name) and node.id in names and depth < DEEPEST:
        return constant(field_default(names[node.id]), names, depth + 1)
    worked_out = number(node, names, depth)
    if worked_out is None:
        return None
    return str(int(worked_out)) if float(worked_out).is_integer() else str(worked_out)


def number(node: ast.expr, names: Mapping[str, ast.expr], depth: int) -> float | None:
    """Return the number that a sum makes; None where it is none, or too deep."""
    if depth >= DEEPEST:
        return None
    if isinstance(node, ast.Constant):
        value = node.value
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number(node.operand, names, depth + 1)
        return None if inner is None else -inner
    if isinstance(node, ast.Name) and node.id in names:
        return number(names[node.id], names, depth + 1)
    return total(node, names, depth) if isinstance(node, ast.BinOp) else None


def total(node: ast.BinOp, names: Mapping[str, ast.expr], depth: int) -> float | None:
    """Return what a sum comes to."""
    work = SUMS.get(type(node.op))
    left = number(node.left, names, depth + 1)
    right = number(node.right, names, depth + 1)
    if work is None or left is None or right is None:
        return None
    return None if isinstance(node.op, ast.Div) and right == 0 else work(left, right)
