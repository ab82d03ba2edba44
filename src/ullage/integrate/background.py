"""An event loop in a thread of its own, for servers inside a program that is not async."""

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from types import TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")


class Background:
    """Keeps what is entered open until the block is left; then closes it, last first."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._open = AsyncExitStack()
        # A daemon: a test that is killed inside must not keep its process.
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="ullage-background", daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self._wait(self._open.aclose())
            self._wait(self._loop.shutdown_asyncgens())
            self._wait(self._loop.shutdown_default_executor())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def enter(self, manager: AbstractAsyncContextManager[T]) -> T:
        """Open something on the loop, and wait until it is open."""
        return self._wait(self._open.enter_async_context(manager))

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
