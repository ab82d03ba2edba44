"""Choke points: a framework's function that its tool calls go through, wrapped to be recorded.

The wrapper returns the same object and passes errors on unchanged. Nothing that goes wrong in the
recording reaches the program: it is a RecordingWarning.
"""

import functools
import importlib
import inspect
import sys
import warnings
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, cast

from ullage.tap.calls import UNDER_WAY, Call
from ullage.tap.environment import tap_settings

Arguments = Mapping[str, Any]  # a framework's own values: what they are is looked at when met
"""The arguments of a choke point by their names."""

NOTHING = object()
"""What a call made that is no result: nothing of it is recorded."""

MARK = "__ullage_wrapped__"


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What a framework says of a call: the tool, its arguments, and the model's name for it."""

    tool: str
    arguments: object
    call_id: str | None = None


def the_result(result: object, call: Call, given: Arguments) -> object:
    """Return what most choke points return: the tool's own value."""
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A choke point: `path` inside its module, and the parameters that it must have.

    `called` reads a call's arguments; None where it is not one to record. `value` tells the tool's
    own value from what the choke point returned. With `inner` it is no call of the model's, but
    one that a tool makes: its result is that of the call under way, and recorded in its name. With
    `names_inner` the tool is called by another choke point, which does not know the call's name.
    """

    path: str
    needs: tuple[str, ...]
    called: Callable[[Arguments], Called | None]
    value: Callable[[object, Call, Arguments], object] = the_result
    inner: bool = False
    names_inner: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """A function that is given a tool's own value on its way: `parameter` is noted, no more."""

    path: str
    parameter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Framework:
    """The choke points of one module, and functions that see a value on its way.

    `is_it` tells the module from another one of the same name. `also` is what is left to do with
    it.
    """

    points: Sequence[Point]
    glances: Sequence[Glance] = ()
    is_it: Callable[[ModuleType], bool] = lambda module: True
    also: Callable[[ModuleType], None] = lambda module: None


class UnexpectedError(LookupError):
    """A framework lacks the choke point that we know; the message says what is missing."""


def watch(module: ModuleType, name: str) -> None:
    """Wrap the choke points of a framework's module; all of them or, if one is strange, none."""
    file, _, attribute = name.partition(".")
    framework: Framework = getattr(importlib.import_module(f"ullage.tap.auto.{file}"), attribute)
    if not framework.is_it(module):
        return
    try:
        found = [(point, *lookup(module, point.path, point.needs)) for point in framework.points]
    except UnexpectedError as error:
        complain(
            f"the tools of {module.__name__.partition('.')[0]} are not recorded: {error}; put "
            "@ullage.record_tool on them"
        )
        return
    for point, owner, function in found:
        replace(owner, point.path, wrapped(point, function))
    for glance in framework.glances:
        look(module, glance)
    framework.also(module)


def look(module: ModuleType, glance: Glance) -> None:
    """Note what a function is given; one that is not there any more is done without."""
    try:
        owner, function = lookup(module, glance.path, (glance.parameter,))
    except UnexpectedError:
        return
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        under_way = UNDER_WAY.get()
        if under_way is not None:
            under_way.raw.append(signature.bind(*args, **kwargs).arguments[glance.parameter])
        return function(*args, **kwargs)

    replace(owner, glance.path, call)


def lookup(
    module: ModuleType, path: str, needs: Sequence[str]
) -> tuple[object, Callable[..., Any]]:
    """Return what holds a function, and the function; an UnexpectedError where it is another."""
    owner: object = module
    *holders, name = path.split(".")
    for holder in holders:
        owner = getattr(owner, holder, None)
    function = vars(owner).get(name) if hasattr(owner, "__dict__") else None
    if not inspect.isfunction(function):
        raise UnexpectedError(f"{module.__name__} has no function {path}")
    parameters = inspect.signature(function).parameters
    missing = [one for one in needs if one not in parameters]
    if missing:
        raise UnexpectedError(f"{module.__name__}.{path} takes no {', '.join(missing)}")
    return owner, function


def replace(owner: object, path: str, function: Callable[..., Any]) -> None:
    """Put a wrapped function in its place."""
    setattr(owner, path.rpartition(".")[2], function)


def wrapped(point: Point, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a choke point, what goes through it recorded."""
    if getattr(function, MARK, False):
        return function
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        opened = begin(point, signature, args, kwargs)
        if opened is None:
            return function(*args, **kwargs)
        with opened:
            result = function(*args, **kwargs)
        opened.end(result)
        return result

    @functools.wraps(function)
    async def call_async(*args: Any, **kwargs: Any) -> Any:
        opened = begin(point, signature, args, kwargs)
        if opened is None:
            return await function(*args, **kwargs)
        with opened:
            result = await cast("Awaitable[Any]", function(*args, **kwargs))
        opened.end(result)
        return result

    wrapper = call_async if inspect.iscoroutinefunction(function) else call
    setattr(wrapper, MARK, True)
    return wrapper


def begin(
    point: Point, signature: inspect.Signature, args: Sequence[Any], kwargs: Arguments
) -> "Opened | None":
    """Open a call; None where nothing is to be recorded, or what was called cannot be told."""
    if tap_settings() is None:
        return None
    try:
        given = signature.bind(*args, **kwargs).arguments
        called = point.called(given)
    except Exception as error:  # noqa: BLE001  # the framework's objects, not our code, decide
        complain(f"not recorded: {point.path}: {type(error).__name__}: {error}")
        return None
    return None if called is None else Opened(point, called, given)


class Opened:
    """A call under way; used once, around it, and told its result at the end."""

    def __init__(self, point: Point, called: Called, given: Arguments) -> None:
        self.point, self.called, self.given = point, called, given
        self.outer = UNDER_WAY.get()
        name = called.call_id
        if name is None and self.outer is not None and self.outer.gives_its_name(called.tool):
            name = self.outer.call_id
        self.call = Call(call_id=name, names_inner=point.names_inner)

    def __enter__(self) -> None:
        if not self.point.inner:
            self.token = UNDER_WAY.set(self.call)

    def __exit__(self, *_: object) -> None:
        if not self.point.inner:
            UNDER_WAY.reset(self.token)

    def end(self, result: object) -> None:
        """Record what the call made."""
        # Loaded with the first call: many programs import a framework and call nothing.
        from ullage.tap.auto.recording import keep

        keep(self, result)


def complain(words: str) -> None:
    """Say what is not recorded.

    On stderr where the program has warnings raised: it did not ask for this one.
    """
    from ullage.tap.tool import RecordingWarning

    try:
        warnings.warn(words, RecordingWarning, stacklevel=3)
    except RecordingWarning as warning:
        sys.stderr.write(f"RecordingWarning: {warning}\n")
