"""The client side: requests to the upstreams, with the headers that came and no others."""

import ssl
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import aiohttp

from ullage.errors import ProxyError
from ullage.tap.proxy.headers import Headers

LONGEST_LINE = 1 << 20
AUTOMATIC = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
# As an argument of `request`, headers that differ in case only would become one.
EXACT: ContextVar[Headers] = ContextVar("EXACT")


class ExactRequest(aiohttp.ClientRequest):
    """A request that carries the headers in EXACT, and no others but those of its connection."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if not any(name.lower() == "content-length" for name, _ in EXACT.get()):
            self.headers.popall("Content-Length", None)

    def update_headers(self, headers: Any) -> None:
        """Take the headers as they came, in place of those that a session has made of them."""
        super().update_headers(EXACT.get())


def upstream_session(ca: Path | None = None) -> aiohttp.ClientSession:
    """Open the client side: no cookies, redirects, time limits or settings of the environment.

    `ca` is a file of certificates that are trusted besides the system's.
    """
    trust: dict[str, Any] = {} if ca is None else {"ssl": trusting(ca)}
    return aiohttp.ClientSession(
        # Idle connections are let go before common servers close them (5 s and more): a request
        # on a connection that is just being closed fails.
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=4, **trust),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=None, sock_read=None),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
        max_line_size=LONGEST_LINE,
        max_field_size=LONGEST_LINE,
        skip_auto_headers=AUTOMATIC,
        request_class=ExactRequest,
    )


def trusting(ca: Path) -> ssl.SSLContext:
    """Trust what the system trusts, and the certificates in a file."""
    context = ssl.create_default_context()
    try:
        context.load_verify_locations(ca)
    except (OSError, ssl.SSLError) as error:
        raise ProxyError(
            f"cannot read certificates from {ca}: {error}: name a PEM file with --upstream-ca"
        ) from error
    return context
