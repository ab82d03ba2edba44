"""Commands that serve until they are told to stop."""

import asyncio
import signal


def stop_on_signals() -> asyncio.Event:
    """Return an event of the running loop that SIGINT and SIGTERM set."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not loop.add_signal_handler, which Windows lacks.
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
    return stopped
