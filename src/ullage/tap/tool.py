"""The tool tap: records what is produced, where it is made.

Where `ULLAGE_LEDGER` is unset all of this does nothing. Every function returns what it was given,
the same object; a ledger that cannot be written to is said once and never breaks the tool.
"""

import functools
import inspect
import json
import sqlite3
import time
import warnings
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import ParamSpec, TypeVar, cast, overload

from ullage.cutter.decode import as_text
from ullage.errors import UllageError
from ullage.ledger.records import ProducedKind, ProducedRecord, StepRecord
from ullage.ledger.store import Ledger
from ullage.tap.environment import TapSettings, tap_settings

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
Rows = TypeVar("Rows", bound=Sequence[object])

# The number of the result that was recorded last in this thread or task: what `handed_on` is about.
LATEST: ContextVar[int | None] = ContextVar("ullage_latest_result", default=None)
OPEN: dict[Path, Ledger] = {}


class RecordingWarning(UserWarning):
    """Something was not recorded; the message says what and why."""


@overload
def record_tool(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def record_tool(
    *, name: str | None = None, key: str | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def record_tool(
    function: Callable[P, R] | None = None, /, *, name: str | None = None, key: str | None = None
) -> Callable[P, R] | Callable[[Callable[P, R]], Callable[P, R]]:
    """Record what a function returns as produced: put it on the function that makes the result.

    Works bare (`@record_tool`) and with options: `name` of the tool (else the function's), `key`,
    the field that identifies a record. For plain and async functions. Raises TypeError for a
    generator: what it yields is not one result; decorate the function that collects it.
    """
    if function is not None:
        return recording(function, name or name_of(function), key)

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        return recording(function, name or name_of(function), key)

    return decorate


def name_of(function: Callable[..., object]) -> str:
    """Return a function's name, or the class of a callable that has none."""
    return str(getattr(function, "__name__", type(function).__name__))


def recording(function: Callable[P, R], tool: str, key: str | None) -> Callable[P, R]:
    """Return `function`, its return value recorded."""
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(
            f"record_tool: {tool} is a generator; decorate the function that returns the result"
        )
    if inspect.iscoroutinefunction(function):
        return cast("Callable[P, R]", recording_async(function, tool, key))

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        value = function(*args, **kwargs)
        record(value, tool, "tool", key, lambda: arguments_of(function, args, kwargs))
        return value

    return call


def recording_async(
    function: Callable[P, Awaitable[R]], tool: str, key: str | None
) -> Callable[P, Awaitable[R]]:
    """Return an async function, its awaited value recorded."""

    @functools.wraps(function)
    async def call(*args: P.args, **kwargs: P.kwargs) -> R:
        value = await function(*args, **kwargs)
        record(value, tool, "tool", key, lambda: arguments_of(function, args, kwargs))
        return value

    return call


def handed_on(value: T) -> T:
    """Record what the tool gives to its framework, where that is not what was produced.

    Belongs to the result recorded last in this thread or task. Without one nothing is recorded,
    and a RecordingWarning says so.
    """
    settings = tap_settings()
    if settings is None:
        return value
    number = LATEST.get()
    if number is None:
        warn("handed_on() has no recorded result before it in this thread or task")
        return value
    write(settings, lambda ledger: ledger.hand_on(number, as_text(value)))
    return value


def record_data(rows: T, *, key: str | None = None, name: str = "data") -> T:
    """Record data that the caller itself puts into a message; `key` identifies a row."""
    record(rows, name, "data", key, lambda: "{}")
    return rows


def record_step(
    before: Sequence[Mapping[str, object]],
    after: Rows,
    *,
    key: str,
    reason: str,
    name: str = "step",
) -> Rows:
    """Record a declared filter, de-duplication or normalising, and return `after`.

    Rows of `before` whose `key` is not in `after` (as a multiset) are declared as dropped, for
    `reason`: they are not counted as lost.
    """
    settings = tap_settings()
    if settings is not None:
        dropped = Counter(ids(before, key)) - Counter(ids(after, key))
        step = StepRecord(
            run=settings.run,
            name=name,
            taken_in=len(before),
            handed_out=len(after),
            dropped=sorted(dropped.elements()),
            reason=reason,
            at=time.time(),
        )
        write(settings, lambda ledger: ledger.add_step(step))
    return after


def ids(rows: Iterable[object], key: str) -> list[str]:
    """Return the key of each row as text; a row without one has none."""
    return [as_text(row[key]) for row in rows if isinstance(row, Mapping) and key in row]


def record(
    value: object,
    tool: str,
    kind: ProducedKind,
    key: str | None,
    arguments: Callable[[], str],
) -> None:
    """Write one produced result, and remember its number for `handed_on`."""
    settings = tap_settings()
    if settings is None:
        return
    produced = ProducedRecord(
        run=settings.run,
        tool=tool,
        kind=kind,
        arguments=arguments(),
        text=produced_text(value),
        at=time.time(),
        key=key,
    )
    LATEST.set(None)
    write(settings, lambda ledger: LATEST.set(ledger.add_produced(produced)))


def produced_text(value: object) -> str:
    """Return a result as text: JSON where JSON can hold it, else what Python prints."""
    try:
        return as_text(value)
    except TypeError:
        return repr(value)


def arguments_of(
    function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object]
) -> str:
    """Return the arguments of a call by name, as canonical JSON; `self` is left out."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        bound = {"args": list(args), **kwargs}
    named = {name: value for name, value in bound.items() if name not in ("self", "cls")}
    return json.dumps(named, sort_keys=True, ensure_ascii=False, default=repr)


def write(settings: TapSettings, action: Callable[[Ledger], object]) -> None:
    """Write to the ledger; what cannot be written is said, and never breaks the tool."""
    try:
        if settings.ledger not in OPEN:
            OPEN[settings.ledger] = Ledger(settings.ledger)
        action(OPEN[settings.ledger])
    except (UllageError, sqlite3.Error, OSError) as error:
        warn(f"not recorded: {error}")


def warn(words: str) -> None:
    """Say that something was not recorded."""
    warnings.warn(words, RecordingWarning, stacklevel=4)
