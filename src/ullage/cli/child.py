"""The child of `ullage run`: what its environment gets, and waiting for it to end."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ullage.errors import UllageError
from ullage.tap.environment import LEDGER, RUN
from ullage.tap.proxy.settings import Upstream, parse_upstream

# The variables that OpenAI's clients, and those who follow them, take their base URL from; and the
# provider's public address.
BASE_URLS = ("OPENAI_BASE_URL", "OPENAI_API_BASE")
PUBLIC = "https://api.openai.com/v1"
MOMENT = 2.0
"""Seconds after which a child that has not ended gets the SIGINT that came to us."""

HTTP_PROXIES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The address that a variable's requests go on to, and where that was found."""

    url: str
    upstream: Upstream
    found_in: str


def origins(upstream: str | None, environment: Mapping[str, str]) -> dict[str, Origin]:
    """Return each variable's upstream: the option, else its present value, else the public one.

    Raises ProxyError for an address that cannot be used.
    """
    if upstream is not None:
        return dict.fromkeys(BASE_URLS, origin(upstream, "--upstream"))
    return {
        name: origin(environment[name], f"your {name}")
        if environment.get(name)
        else origin(PUBLIC, "the provider's public address")
        for name in BASE_URLS
    }


def origin(url: str, found_in: str) -> Origin:
    """Read one address."""
    return Origin(url=url, upstream=parse_upstream(url), found_in=found_in)


def changes(
    base_urls: Mapping[str, str], ledger: Path, run: str, environment: Mapping[str, str]
) -> dict[str, str]:
    """Return every variable that the child gets another value of."""
    changed = {**base_urls, LEDGER: str(ledger.absolute()), RUN: run}
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
