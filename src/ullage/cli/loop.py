"""The event loop of a long-running command: uvloop's where it is installed."""

import asyncio
import importlib
from collections.abc import Coroutine
from typing import Any


def run_fast(main: Coroutine[Any, Any, None]) -> None:
    """Run to the end; the extra `proxy` brings uvloop, which halves the cost of a request."""
    try:
        factory = importlib.import_module("uvloop").new_event_loop
    except ModuleNotFoundError:
        factory = None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(main)
