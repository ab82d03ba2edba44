"""The words of a usage: a call that loses context, and the arguments of it that are shown."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ullage.doctor.entry import Loss
from ullage.transcript.words import Boundary


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument whose value is shown: its name, its place, and where its default is read.

    `default` is a setting of the table and the name of a value in it.
    """

    name: str
    position: int | None = None
    default: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """A call that loses context.

    `name` is of package `root`; a method `name` is of any value in a file that imports `root`.
    """

    key: str
    root: str
    name: str
    boundary: Boundary
    loss: Loss
    what: str
    remedy: str
    shows: Sequence[Argument] = ()
    when: Callable[[ast.Call], bool] = lambda _: True
    method: bool = False


def given(call: ast.Call, name: str, position: int | None = None) -> ast.expr | None:
    """Return an argument of a call; None where it is not given."""
    for one in call.keywords:
        if one.arg == name:
            return one.value
    if position is not None and position < len(call.args):
        return call.args[position]
    return None


def is_constant(node: ast.expr | None, value: object) -> bool:
    """Whether an argument is written as this constant."""
    return isinstance(node, ast.Constant) and node.value is value


def opaque(call: ast.Call) -> bool:
    """Whether arguments are handed over that cannot be seen (`**settings`)."""
    return any(one.arg is None for one in call.keywords)
