"""The child of `ullage run`: what its environment gets, and waiting for it to end."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from ullage.errors import UllageError
from ullage.ledger.records import Durability
from ullage.tap.auto import STARTUP
from ullage.tap.environment import DEFAULT_DURABILITY, DURABILITY, LEDGER, RUN

MOMENT = 2.0
"""Seconds after which a child that has not ended gets the SIGINT that came to us."""

Tap = Literal["auto", "off"]
"""Whether the child's Python is to record what the tools of known frameworks return."""

PYTHONPATH = "PYTHONPATH"
HTTP_PROXIES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")


def changes(
    base_urls: Mapping[str, str],
    ledger: Path,
    run: str,
    environment: Mapping[str, str],
    *,
    durability: Durability = DEFAULT_DURABILITY,
    tap: Tap = "off",
) -> dict[str, str]:
    """Return every variable that the child gets another value of."""
    changed = {**base_urls, LEDGER: str(ledger.absolute()), RUN: run}
    if durability != environment.get(DURABILITY, DEFAULT_DURABILITY):
        changed[DURABILITY] = durability
    if tap == "auto":
        present = environment.get(PYTHONPATH)
        changed[PYTHONPATH] = f"{STARTUP}{os.pathsep}{present}" if present else str(STARTUP)
    if any(environment.get(name) for name in HTTP_PROXIES):
        # Else the child would ask that proxy to reach our loopback address.
        for name in ("NO_PROXY", "no_proxy"):
            present = environment.get(name)
            changed[name] = f"{present},127.0.0.1" if present else "127.0.0.1"
    return changed


async def run_child(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run `command` with our stdin, stdout and stderr; return its exit code as a shell would.

    A terminal sends Ctrl-C to the child too, so SIGINT is passed on only if the child is still
    there a moment later; until it ends we wait, so that what it does last is recorded. SIGTERM is
    passed on at once. Raises UllageError where the child cannot be started.
    """
    try:
        child = await asyncio.create_subprocess_exec(*command, env=dict(environment))
    except OSError as error:
        raise UllageError(
            f"run: cannot start {command[0]!r}: {error.strerror or error}; "
            "check the command after --"
        ) from error
    loop = asyncio.get_running_loop()

    def pass_on(number: signal.Signals) -> None:
        if child.returncode is None:
            with suppress(ProcessLookupError):  # it has just ended
                child.send_signal(number)

    def interrupted(*_: object) -> None:
        loop.call_soon_threadsafe(loop.call_later, MOMENT, pass_on, signal.SIGINT)

    before = {
        # Functions, not SIG_IGN, which the child's own children would inherit.
        signal.SIGINT: signal.signal(signal.SIGINT, interrupted),
        signal.SIGTERM: signal.signal(signal.SIGTERM, lambda *_: pass_on(signal.SIGTERM)),
    }
    try:
        code = await child.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return code if code >= 0 else 128 - code


def present_environment() -> dict[str, str]:
    """Return this process's environment."""
    return dict(os.environ)
