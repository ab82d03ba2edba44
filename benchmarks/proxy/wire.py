"""What the scripts of this folder share: a fast event loop where there is one, and HTTP heads."""

import asyncio
from collections.abc import Coroutine
from typing import Any

try:
    import uvloop
except ImportError:
    uvloop = None


def run(main: Coroutine[Any, Any, Any]) -> Any:
    """Run to the end, on uvloop where it is installed."""
    with asyncio.Runner(loop_factory=uvloop and uvloop.new_event_loop) as runner:
        return runner.run(main)


def content_length(head: bytes) -> int:
    """Return the length that a head announces, 0 where it announces none."""
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line[15:])
    return 0
