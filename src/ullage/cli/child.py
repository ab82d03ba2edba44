"""The child of `ullage run`: what its environment gets, and waiting for it to end."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ullage.errors import UllageError
from ullage.tap.environment import LEDGER, RUN

# The variables that OpenAI's clients, and those who follow them, take their base URL from; and the
# provider's public address.
BASE_URLS = ("OPENAI_BASE_URL", "OPENAI_API_BASE")
PUBLIC = "https://api.openai.com/v1"
HTTP_PROXIES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The address that a variable's requests go on to, and where that was found."""

    url: str
    found_in: str


def origins(upstream: str | None, environment: Mapping[str, str]) -> dict[str, Origin]:
    """Return each variable's upstream: the option, else its present value, else the public one."""
    if upstream is not None:
        return dict.fromkeys(BASE_URLS, Origin(url=upstream, found_in="--upstream"))
    return {
        name: Origin(url=environment[name], found_in=f"your {name}")
        if environment.get(name)
        else Origin(url=PUBLIC, found_in="the provider's public address")
        for name in BASE_URLS
    }


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

    A terminal sends Ctrl-C to the child too: we only wait for it to end, so that what it does last
    is recorded. SIGTERM is passed on. Raises UllageError where the child cannot be started.
    """
    try:
        child = await asyncio.create_subprocess_exec(*command, env=dict(environment))
    except OSError as error:
        raise UllageError(
            f"run: cannot start {command[0]!r}: {error.strerror or error}; "
            "check the command after --"
        ) from error

    def pass_on(*_: object) -> None:
        if child.returncode is None:
            child.send_signal(signal.SIGTERM)

    before = {
        # Functions, not SIG_IGN, which the child's own children would inherit.
        signal.SIGINT: signal.signal(signal.SIGINT, lambda *_: None),
        signal.SIGTERM: signal.signal(signal.SIGTERM, pass_on),
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
