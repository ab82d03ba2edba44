"""The arguments of a call as canonical JSON, by their names."""

import functools
import inspect
import json
from collections.abc import Callable, Mapping, Sequence

ITSELF = ("self", "cls")
# What cannot be changed by anybody while it waits to be written.
PLAIN = (str, int, float, bool, type(None))
Written = str | Callable[[], str]
"""Arguments as JSON, or what makes that of them in the background."""


def naming(
    function: Callable[..., object],
) -> Callable[[Sequence[object], Mapping[str, object]], Written]:
    """Return what takes the arguments of a call, and gives what writes them down.

    What nobody can change any more is written in the background, where it costs the tool nothing.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        signature = None
    first = next(iter(signature.parameters), None) if signature else None
    itself = 1 if first in ITSELF else 0

    def named(args: Sequence[object], kwargs: Mapping[str, object]) -> Written:
        given = (*args[itself:], *kwargs.values())
        if all(type(value) in PLAIN for value in given):
            return functools.partial(arguments_of, signature, args, kwargs)
        return arguments_of(signature, args, kwargs)

    return named


def arguments_of(
    signature: inspect.Signature | None, args: Sequence[object], kwargs: Mapping[str, object]
) -> str:
    """Return the arguments of a call by name, as canonical JSON; `self` is left out.

    What JSON cannot hold becomes the name of its type: a framework's context would print all of
    its dependencies, and the prompt.
    """
    try:
        bound = signature.bind(*args, **kwargs).arguments if signature else {"args": args, **kwargs}
    except TypeError:
        bound = {"args": list(args), **kwargs}
    named = {name: plain(value) for name, value in bound.items() if name not in ITSELF}
    return json.dumps(named, sort_keys=True, ensure_ascii=False)


def canonical(arguments: object) -> str:
    """Return a call's arguments as canonical JSON; those that come as JSON are read first."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            arguments = {"input": arguments}
    return json.dumps(plain(arguments), sort_keys=True, ensure_ascii=False)


def plain(value: object) -> object:
    """Return a value as JSON would give it back, with the type's name for what it cannot hold."""
    try:
        # Through JSON and back, so that keys of several types can be sorted.
        return json.loads(json.dumps(value, default=type_name))
    except (TypeError, ValueError, RecursionError):
        return type_name(value)


def type_name(value: object) -> str:
    """Return the name of a value's type, such as `<RunContext>`."""
    return f"<{type(value).__name__}>"
