"""The wire tap inside a program: it records what an SDK's HTTP client sends and gets.

For programs that are not started by `ullage run`: tests, notebooks. Bytes and errors pass through
as they are; an exchange is recorded after its reply's last byte.
"""

import functools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

from ullage.ledger.store import Ledger
from ullage.tap.environment import DEFAULT_RUN, TapSettings, environment, tap_settings
from ullage.tap.tape import Kept, Tape
from ullage.tap.tool import ledger_of

Client = TypeVar("Client")
RECORDED = "__ullage_recorded__"
"""Where a `send` that records keeps the client's own."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def record_client(
    client: Client, *, ledger: Ledger | Path | str | None = None, run: str | None = None
) -> Client:
    """Record what goes through an SDK's HTTP client, and return that client.

    `client` is what the OpenAI and Anthropic SDKs take as `http_client`: a `Client` or
    `AsyncClient` of httpx or httpx2, such as their own `DefaultHttpxClient()`. Without `ledger`,
    `ULLAGE_LEDGER` and `ULLAGE_RUN` say where; unset, nothing is recorded. Without `run` the run
    is `ULLAGE_RUN`, else "default". A second call for one client replaces the first. Raises
    TypeError for any other client. What cannot be recorded is a RecordingWarning.
    """
    package = package_of(client)
    if isinstance(ledger, Ledger):
        run = run or default_run()
        ledger.learn(run, environment())
    where = functools.partial(place, ledger, run)
    send = cast("Any", client).send
    send = getattr(send, RECORDED, send)  # a second time, as in a notebook: the last place counts
    listened = (sending_async if hasattr(client, "aclose") else sending)(send, where, package)
    setattr(listened, RECORDED, send)
    cast("Any", client).send = listened
    return client


def package_of(client: object) -> Any:
    """Return httpx, or the package that a client like its own comes from."""
    for one in type(client).__mro__:
        package = one.__module__.partition(".")[0]
        if package in ("httpx", "httpx2") and one.__name__ in ("Client", "AsyncClient"):
            # Not imported by name: it is there, and which of the two is the SDK's own affair.
            return __import__(package)
    raise TypeError(
        f"record_client: {type(client).__name__} is no client of httpx or httpx2; give it what "
        "your SDK takes as http_client, such as openai.DefaultHttpxClient()"
    )


def place(ledger: Ledger | Path | str | None, run: str | None, request: Any) -> Kept | None:
    """Return where a request is recorded; None where it is not, or already is by `ullage run`."""
    settings = tap_settings()
    name = run or default_run()
    if isinstance(ledger, Ledger):
        return Kept(ledger=lambda: ledger, run=name)
    if ledger is None and settings is None:
        return None
    if ledger is None and is_proxied(request.url, name):
        return None
    path = Path(ledger) if ledger is not None else cast("TapSettings", settings).ledger
    return Kept(ledger=lambda: ledger_of(TapSettings(ledger=path, run=name)), run=name)


def default_run() -> str:
    """Return the run that this program's environment names."""
    settings = tap_settings()
    return settings.run if settings else DEFAULT_RUN


def is_proxied(url: Any, run: str) -> bool:
    """Whether a request goes to the pass-through of this run, which records it."""
    return url.host in LOOPBACK and str(url.path).startswith(f"/run/{run}/")


def sending(
    send: Callable[..., Any], where: Callable[[Any], Kept | None], package: Any
) -> Callable[..., Any]:
    """Return a client's `send`, what goes through it recorded."""
    listen = type("RecordedStream", (Listening, package.SyncByteStream), {})

    @functools.wraps(send)
    def recorded(request: Any, *args: Any, stream: bool = False, **kwargs: Any) -> Any:
        kept = where(request)
        if kept is None:
            return send(request, *args, stream=stream, **kwargs)
        tape = Tape(kept, request)
        try:
            response = send(request, *args, stream=True, **kwargs)
        except BaseException as error:
            tape.end(error)
            raise
        if not tape.begin(response):
            response.stream = listen(response.stream, tape)
        if not stream:
            try:
                response.read()
            except BaseException:
                response.close()
                raise
        return response

    return recorded


def sending_async(
    send: Callable[..., Awaitable[Any]], where: Callable[[Any], Kept | None], package: Any
) -> Callable[..., Awaitable[Any]]:
    """Return an async client's `send`, what goes through it recorded."""
    listen = type("RecordedStream", (ListeningAsync, package.AsyncByteStream), {})

    @functools.wraps(send)
    async def recorded(request: Any, *args: Any, stream: bool = False, **kwargs: Any) -> Any:
        kept = where(request)
        if kept is None:
            return await send(request, *args, stream=stream, **kwargs)
        tape = Tape(kept, request)
        try:
            response = await send(request, *args, stream=True, **kwargs)
        except BaseException as error:
            tape.end(error)
            raise
        if not tape.begin(response):
            response.stream = listen(response.stream, tape)
        if not stream:
            try:
                await response.aread()
            except BaseException:
                await response.aclose()
                raise
        return response

    return recorded


class Listening:
    """A reply's stream of bytes, and a copy of it on tape."""

    def __init__(self, inner: Any, tape: Tape) -> None:
        self.inner, self.tape = inner, tape

    def __iter__(self) -> Iterator[bytes]:
        """Give the bytes on as they come."""
        try:
            for chunk in self.inner:
                self.tape.add(chunk)
                yield chunk
        except GeneratorExit:
            raise  # the client has enough: `close` tells whether that was all
        except BaseException as error:
            self.tape.end(error)
            raise
        self.tape.end()

    def close(self) -> None:
        """Close the reply; what has not come by now is not on the tape."""
        try:
            self.inner.close()
        finally:
            self.tape.end_early()


class ListeningAsync:
    """An async reply's stream of bytes, and a copy of it on tape."""

    def __init__(self, inner: Any, tape: Tape) -> None:
        self.inner, self.tape = inner, tape

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give the bytes on as they come."""
        try:
            async for chunk in self.inner:
                self.tape.add(chunk)
                yield chunk
        except GeneratorExit:
            raise  # the client has enough: `aclose` tells whether that was all
        except BaseException as error:
            self.tape.end(error)
            raise
        self.tape.end()

    async def aclose(self) -> None:
        """Close the reply; what has not come by now is not on the tape."""
        try:
            await self.inner.aclose()
        finally:
            self.tape.end_early()
