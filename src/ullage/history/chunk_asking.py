"""Asking: requests go to the caller's function, several at a time if that is wanted, with retries.

The one place of a chunked reading where something is called that is not ours.
"""

import inspect
from collections.abc import Awaitable, Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar, cast

from ullage.history.chunk_journal import Journal
from ullage.history.chunk_words import Text

Messages = list[dict[str, str]]
Ask = Callable[[Messages], str]
AskAsync = Callable[[Messages], Awaitable[str]]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What became of a request: its answer, or why there is none; and what was sent, how often."""

    answer: str | None
    why: str | None
    attempts: int
    resumed: bool = False


Steps = Generator[Sequence[Text], Sequence[Reply], Result]
"""A reading: it gives requests that do not wait for each other, and is sent their replies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How requests are asked: how often again, how many at a time, and what was asked before."""

    retries: int
    workers: int
    journal: Journal | None

    def before(self, text: Text) -> Reply | None:
        """Return the reply that is known already."""
        found = None if self.journal is None else self.journal.get(text.messages)
        return None if found is None else Reply(answer=found, why=None, attempts=0, resumed=True)

    def given(self, text: Text, answer: object, attempts: int) -> Reply:
        """Return the reply for what was returned, and write it down; empty is no answer."""
        if not isinstance(answer, str):
            kind = type(answer).__name__
            return Reply(answer=None, why=f"{kind} was returned, not a text", attempts=attempts)
        if not answer.strip():
            return Reply(answer=None, why="an empty answer", attempts=attempts)
        if self.journal is not None:
            self.journal.keep(text.messages, answer)
        return Reply(answer=answer, why=None, attempts=attempts)


def failed(error: Exception, attempts: int) -> Reply:
    """Return the reply for what was raised."""
    why = f"{type(error).__name__}: {error}".rstrip(": ")
    return Reply(answer=None, why=why, attempts=attempts)


def run(steps: Steps[Result], ask: Ask, asking: Asking) -> Result:
    """Go through a reading with a plain function."""

    def one(text: Text) -> Reply:
        reply = asking.before(text)
        attempts = 0
        while reply is None or (reply.answer is None and attempts <= asking.retries):
            attempts += 1
            try:
                reply = asking.given(text, ask(text.messages), attempts)
            except Exception as error:  # noqa: BLE001  # a model's client may raise anything
                reply = failed(error, attempts)
        return reply

    try:
        texts = next(steps)
        while True:
            texts = steps.send(at_once(one, texts, asking.workers))
    except StopIteration as done:
        return cast("Result", done.value)


def at_once(one: Callable[[Text], Reply], texts: Sequence[Text], workers: int) -> Sequence[Reply]:
    """Return the replies in the order of the requests, so many asked at a time."""
    if workers == 1 or len(texts) == 1:
        return [one(text) for text in texts]
    pool = ThreadPoolExecutor(workers)
    try:
        return list(pool.map(one, texts))
    finally:
        pool.shutdown(cancel_futures=True)


async def run_async(steps: Steps[Result], ask: AskAsync | Ask, asking: Asking) -> Result:
    """Go through a reading with an async function; a plain one is called in the loop."""
    import asyncio

    room = asyncio.Semaphore(asking.workers)

    async def one(text: Text) -> Reply:
        reply = asking.before(text)
        attempts = 0
        while reply is None or (reply.answer is None and attempts <= asking.retries):
            attempts += 1
            try:
                async with room:
                    given = ask(text.messages)
                    answer = await given if inspect.isawaitable(given) else given
                reply = asking.given(text, answer, attempts)
            except Exception as error:  # noqa: BLE001  # a model's client may raise anything
                reply = failed(error, attempts)
        return reply

    try:
        texts = next(steps)
        while True:
            texts = steps.send(await asyncio.gather(*map(one, texts)))
    except StopIteration as done:
        return cast("Result", done.value)
