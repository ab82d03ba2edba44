"""Who writes a summary: a model behind a URL, a command, or any callable. The rim of `history`.

    summariser_of("http://localhost:8080/v1?model=small", key=key)
    summariser_of("cmd llm -m small")
    summariser_of(my_function)

Each answers every request with an `Answer` or a `Failed`, and raises nothing for what a model, a
server or a user's callable does; an interrupt and a cancellation pass through. A key is passed in,
sent in one header, and stands in no message.
"""

import asyncio
import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, TypeAlias

from ullage.history.summariser_command import Command, command_of
from ullage.history.summariser_url import Endpoint, endpoint_of
from ullage.history.summary import Answer, Ask, Failed
from ullage.history.without_secrets import without_secrets

TIMEOUT = 120.0
"""Seconds for one request, the reply's last byte included. A long prompt on a local model takes
minutes: raise it there."""

Messages: TypeAlias = Sequence[Mapping[str, str]]
Writer: TypeAlias = Callable[[Messages], str | Awaitable[str]]
"""A user's own: given chat messages, it returns the summary, at once or awaited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summariser:
    """Asks for one summary at a time. `name` is for events and messages: it holds no key."""

    name: str
    ask: Callable[[Ask], Answer | Failed]
    ask_async: Callable[[Ask], Awaitable[Answer | Failed]]


Given: TypeAlias = "str | Writer | Summariser"


def summariser_of(
    given: Given,
    *,
    key: str | None = None,
    model: str | None = None,
    timeout: float = TIMEOUT,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Summariser:
    """Return the summariser that a text names, or that a callable is.

    `given` is the base URL of an OpenAI-compatible API (`/chat/completions` is put behind it), the
    model's name in `?model=` or in `model`; or `cmd` and a command, which gets the request as text
    on its input and prints the summary; or a callable from chat messages to a text, async or not.
    `timeout` is in seconds; a callable that is not async, asked without an event loop, has to keep
    its own. `sleep` waits before the one retry. ValueError for what is none of these.
    """
    if isinstance(given, Summariser):
        return given
    if timeout <= 0:
        raise ValueError(f"timeout={timeout!r}: seconds, more than 0")
    if not isinstance(given, str):
        return of_callable(given, key=key, timeout=timeout)
    text = given.strip()
    word, _, rest = text.partition(" ")
    if word == "cmd":
        return of_command(command_of(rest.strip(), timeout=timeout, key=key))
    if text.startswith(("http://", "https://")):
        return of_endpoint(
            endpoint_of(text, key=key, model=model, timeout=timeout, sleep=sleep, clock=clock)
        )
    raise ValueError(
        f"{without_secrets(text, key)!r} is no summariser: give http://HOST/v1?model=NAME, "
        "cmd COMMAND, or a function from chat messages to a text"
    )


def of_endpoint(endpoint: Endpoint) -> Summariser:
    """Return the summariser behind a URL."""

    async def ask_async(ask: Ask) -> Answer | Failed:
        return await asyncio.to_thread(endpoint.ask, ask)

    return Summariser(name=endpoint.name, ask=endpoint.ask, ask_async=ask_async)


def of_command(command: Command) -> Summariser:
    """Return the summariser that a command is."""

    async def ask_async(ask: Ask) -> Answer | Failed:
        return await asyncio.to_thread(command.ask, ask)

    return Summariser(name=command.name, ask=command.ask, ask_async=ask_async)


def of_callable(writer: Writer, *, key: str | None, timeout: float) -> Summariser:
    """Return the summariser that a user's callable is."""
    if not callable(writer):
        raise TypeError(
            f"a summariser is a URL, a command or a callable, not {type(writer).__name__}"
        )
    name = getattr(writer, "__name__", type(writer).__name__)

    def failed(error: Exception) -> Failed:
        said = without_secrets(f"{type(error).__name__}: {error}", key)
        wrong = isinstance(error, TimeoutError)
        return Failed(why=f"{name} raised {said}", wrong="timeout" if wrong else "error")

    def ask(one: Ask) -> Answer | Failed:
        try:
            value = writer(one.messages)
            if inspect.isawaitable(value):
                value = awaited(limited(value, timeout))
        except LateError:
            return late(name, timeout)
        except Exception as error:  # noqa: BLE001  # a user's callable may raise anything
            return failed(error)
        return answered(name, value)

    async def ask_async(one: Ask) -> Answer | Failed:
        try:
            value = await limited(called(writer, one.messages), timeout)
        except LateError:
            return late(name, timeout)
        except Exception as error:  # noqa: BLE001  # as above
            return failed(error)
        return answered(name, value)

    return Summariser(name=str(name), ask=ask, ask_async=ask_async)


class LateError(Exception):
    """A callable did not answer in time; its own TimeoutError is another thing."""


async def limited(work: Awaitable[Any], timeout: float) -> Any:
    """Wait for a callable, no longer than so many seconds."""
    task = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=timeout)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if not done:
        task.cancel()
        raise LateError
    return task.result()


async def called(writer: Writer, messages: Messages) -> object:
    """Call a callable without holding up the event loop, and await what it returns."""
    if inspect.iscoroutinefunction(writer):
        return await writer(messages)

    def call() -> object:
        try:
            return writer(messages)
        except StopIteration as error:  # which no future can hold
            raise RuntimeError("StopIteration") from error

    value = await asyncio.to_thread(call)
    return await value if inspect.isawaitable(value) else value


def awaited(work: Coroutine[Any, Any, Any]) -> Any:
    """Wait for a coroutine from code that is not async, also below a running event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    ends: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            ends.put((asyncio.run(work), None))
        except BaseException as error:  # noqa: BLE001  # raised again where it is waited for
            ends.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    value, error = ends.get()
    if error is not None:
        raise error
    return value


def answered(name: str, value: object) -> Answer | Failed:
    """Return what a callable returned as an answer."""
    if isinstance(value, str):
        return Answer(text=value)
    return Failed(
        why=f"{name} returned {type(value).__name__}, not a text: have it return the reply's text"
    )


def late(name: str, timeout: float) -> Failed:
    """Return that a callable did not answer in time."""
    return Failed(why=f"{name} did not answer in {timeout:g} seconds", wrong="timeout")
