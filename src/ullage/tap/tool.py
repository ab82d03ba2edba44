"""The tool tap: records what is produced, where it is made.

Where `ULLAGE_LEDGER` is unset all of this does nothing. Every function returns what it was given,
the same object. Nothing that goes wrong in here reaches the tool: it is a RecordingWarning.
"""

import functools
import inspect
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import ParamSpec, TypeVar, cast, overload

from ullage.cutter.decode import as_text
from ullage.ledger.records import (
    HandedOnRecord,
    LateRecord,
    ProducedKind,
    ProducedRecord,
    SettingsRecord,
    StepRecord,
)
from ullage.ledger.store import Ledger
from ullage.ledger.ticket import Ticket
from ullage.tap.arguments import Written, naming
from ullage.tap.calls import UNDER_WAY
from ullage.tap.environment import TapSettings, environment, tap_settings

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
Rows = TypeVar("Rows", bound=Sequence[object])


@dataclass(slots=True)
class Made:
    """A recorded result, and whether it was said what was handed on of it."""

    ticket: Ticket
    handed_on: bool = False


# The result that was recorded last in this thread or task: what `handed_on` is about.
LATEST: ContextVar[Made | None] = ContextVar("ullage_latest_result", default=None)
OPEN: dict[Path, Ledger] = {}
OPENING = threading.Lock()
# What went wrong in the background. It is said by the next call: a warning that is an error must
# end up in front of a person, not in the thread that writes.
FROM_BEHIND: deque[str] = deque(maxlen=100)
# How long a tool may be held, in seconds, by another process that has locked the ledger.
PATIENCE = 1.0


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
    if not callable(function):
        raise TypeError(
            f"record_tool: {type(function).__name__} is no function; put @record_tool closest to "
            "the function, below the decorator of your framework"
        )
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(
            f"record_tool: {tool} is a generator; decorate the function that returns the result"
        )
    if inspect.iscoroutinefunction(function):
        return cast("Callable[P, R]", recording_async(function, tool, key))

    named = naming(function)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        value = function(*args, **kwargs)
        record(value, tool, "tool", key, lambda: named(args, kwargs))
        return value

    return call


def recording_async(
    function: Callable[P, Awaitable[R]], tool: str, key: str | None
) -> Callable[P, Awaitable[R]]:
    """Return an async function, its awaited value recorded."""
    named = naming(function)

    @functools.wraps(function)
    async def call(*args: P.args, **kwargs: P.kwargs) -> R:
        value = await function(*args, **kwargs)
        record(value, tool, "tool", key, lambda: named(args, kwargs))
        return value

    return call


def handed_on(value: T) -> T:
    """Record what the tool gives to its framework, where that is not what was produced.

    Belongs to the result recorded last in this thread or task, once: a second one without a new
    result may be another tool's. That, or none at all, is not recorded but a RecordingWarning.
    """
    guarded(lambda settings: hand_on(settings, value))
    return value


def hand_on(settings: TapSettings, value: object) -> None:
    """Write what was handed on of the latest result."""
    made = LATEST.get()
    if made is None:
        warn("handed_on() has no recorded result before it in this thread or task")
    elif made.handed_on:
        warn(
            "not recorded: handed_on() a second time without a new result; put @record_tool on the "
            "function that made this one"
        )
    else:
        made.handed_on = True
        record = HandedOnRecord(run=settings.run, result=made.ticket, text=text_of(value))
        ledger_of(settings).record(record)


def hand_on_made(settings: TapSettings, made: Sequence[Made], value: object) -> None:
    """Write what a tool returned as handed on, where it recorded one result and did not say so."""
    if len(made) == 1 and not made[0].handed_on:
        latest = LATEST.set(made[0])
        hand_on(settings, value)
        LATEST.reset(latest)


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
    guarded(lambda settings: add_step(settings, before, after, key, reason, name))
    return after


def add_step(
    settings: TapSettings,
    before: Sequence[Mapping[str, object]],
    after: Sequence[object],
    key: str,
    reason: str,
    name: str,
) -> None:
    """Write one declared step."""
    # Counted first: what has no length, a generator, is refused before it is used up.
    taken_in, handed_out = len(before), len(after)
    dropped = Counter(ids(before, key)) - Counter(ids(after, key))
    step = StepRecord(
        run=settings.run,
        name=name,
        taken_in=taken_in,
        handed_out=handed_out,
        dropped=sorted(dropped.elements()),
        reason=reason,
        at=time.time(),
    )
    ledger_of(settings).record(step)


def ids(rows: Iterable[object], key: str) -> list[str]:
    """Return the key of each row as text; a row without one has none."""
    return [text_of(row[key]) for row in rows if isinstance(row, Mapping) and key in row]


def record(
    value: object,
    tool: str,
    kind: ProducedKind,
    key: str | None,
    arguments: Callable[[], Written],
) -> None:
    """Write one produced result, and remember it for `handed_on`.

    Where a framework's call is under way it is that call's result, under the model's name for it.
    """

    def add(settings: TapSettings) -> None:
        LATEST.set(None)
        call = UNDER_WAY.get() if kind == "tool" else None
        call_id = call.call_id if call else None
        run, written, text, at = settings.run, arguments(), text_of(value), time.time()

        def make() -> ProducedRecord:
            return ProducedRecord(
                run=run,
                tool=tool,
                kind=kind,
                arguments=written if isinstance(written, str) else written(),
                text=text,
                at=at,
                key=key,
                call_id=call_id,
            )

        late = LateRecord(run=run, make=make, size=len(text))
        made = Made(ledger_of(settings).record(late))
        LATEST.set(made)
        if call:
            call.made.append(made)

    guarded(add)


def guarded(act: Callable[[TapSettings], None]) -> None:
    """Record, if that is asked for; whatever goes wrong in it is said, and never breaks the tool.

    The one place here where every error is caught: a value's own code (`__repr__`, `__len__`,
    `items`) runs inside, and may raise anything.
    """
    try:
        settings = tap_settings()
        if settings is None:
            return
        act(settings)
    except Exception as error:  # noqa: BLE001  # see above: the tool's data, not our code, decides
        warn(f"not recorded: {type(error).__name__}: {error}")
    while FROM_BEHIND:
        warn(FROM_BEHIND.popleft())


def text_of(value: object) -> str:
    """Return a value as text: JSON where JSON can hold it, else what Python prints."""
    try:
        return as_text(value)
    except TypeError:
        return repr(value)


def ledger_of(settings: TapSettings) -> Ledger:
    """Return the ledger that is written to, opened once, whichever thread comes first."""
    found = OPEN.get(settings.ledger)
    if found is not None:
        return found
    with OPENING:
        return opened_once(settings)


def opened_once(settings: TapSettings) -> Ledger:
    """Open a ledger that nobody has opened; one at a time."""
    found = OPEN.get(settings.ledger)
    if found is None:
        found = Ledger(
            settings.ledger,
            durability=settings.durability,
            patience=PATIENCE,
            report=FROM_BEHIND.append,
        )
        FROM_BEHIND.extend(found.lost_before)
        found.record(SettingsRecord(run=settings.run, environment=environment()))
        OPEN[settings.ledger] = found
    return found


@contextmanager
def lent(ledger: Ledger) -> Iterator[None]:
    """Have what is recorded for a ledger's file written by that one, which somebody else closes."""
    OPEN[ledger.path] = ledger
    try:
        yield
    finally:
        OPEN.pop(ledger.path, None)


def warn(words: str) -> None:
    """Say that something was not recorded."""
    warnings.warn(words, RecordingWarning, stacklevel=5)
