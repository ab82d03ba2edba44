"""What the proxy needs to know, decided once before it starts."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from ullage.errors import ProxyError
from ullage.tap.proxy.target import RESERVED, is_below

LOOPBACK = "127.0.0.1"
LARGEST_BODY = 32 << 20
SHORTEST_TOKEN = 16
PREFIX = re.compile(r"(?:/[A-Za-z0-9._~:@-]+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """Where requests go: the server's address, and the path that a client puts before its own."""

    scheme: str
    authority: str
    path: str

    @property
    def origin(self) -> str:
        """The address without a path, as it is recorded."""
        return f"{self.scheme}://{self.authority}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxySettings:
    """What the proxy needs to know; port 0 takes a free one.

    `upstream` gets what no prefix of `mounts` is for; None refuses that. `token` is asked of every
    client; an address that other machines can reach needs one. `upstream_ca` is a file of further
    certificates to trust. Of a body over `largest_body` bytes no copy is kept, each way. Without
    `recording` the recorder starts switched off; with `full_queue` records waiting to be written
    the proxy is not ready. `drain_seconds` bounds how long requests in flight are waited for at the
    end. A stream that has sent `[DONE]` gets `done_seconds` to end, so that its record holds its
    last bytes too.
    """

    upstream: Upstream | None = None
    mounts: Mapping[str, Upstream] = field(default_factory=dict)
    host: str = LOOPBACK
    port: int = 0
    token: str | None = field(default=None, repr=False)
    upstream_ca: Path | None = None
    largest_body: int = LARGEST_BODY
    recording: bool = True
    full_queue: int = 256
    default_run: str = "default"
    drain_seconds: float = 8.0
    done_seconds: float = 0.25

    def __post_init__(self) -> None:
        if self.upstream is None and not self.mounts:
            raise ProxyError("there is no upstream: name one with --upstream URL")
        check_access(self.host, self.token)


def parse_upstream(url: str) -> Upstream:
    """Read an upstream's address; one that cannot be used is a ProxyError that says why."""
    if "://" not in url:
        raise ProxyError(
            f"upstream {url!r} has no scheme: write http:// or https:// in front of it"
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ProxyError(f"upstream {url!r} is not a URL: {error}") from error
    if parts.scheme not in ("http", "https"):
        raise ProxyError(f"upstream {url!r}: scheme {parts.scheme!r} is not http or https")
    if not parts.hostname or port == 0:
        raise ProxyError(f"upstream {url!r} names no server: write http://HOST:PORT")
    if "@" in parts.netloc:
        raise ProxyError(
            f"upstream {parts.scheme}://…@{parts.hostname} holds credentials: the client sends "
            "them in its own headers, leave them out of the URL"
        )
    if parts.query or parts.fragment:
        raise ProxyError(f"upstream {url!r} holds a query or a fragment: leave it out")
    path = "" if parts.path == "/" else parts.path
    return Upstream(scheme=parts.scheme, authority=parts.netloc, path=path)


def parse_mount(text: str) -> tuple[str, Upstream]:
    """Read `[/PREFIX=]URL` into its prefix, empty for the default upstream, and its upstream."""
    if not text.startswith("/"):
        return "", parse_upstream(text)
    prefix, _, url = text.partition("=")
    if not PREFIX.fullmatch(prefix):
        raise ProxyError(
            f"upstream prefix {prefix!r} is not a plain path: write /NAME=URL, such as "
            "/anthropic=https://api.anthropic.com"
        )
    if any(is_below(prefix, word) for word in RESERVED):
        raise ProxyError(f"upstream prefix {prefix!r} has a meaning of its own: choose another")
    return prefix, parse_upstream(url)


def check_access(host: str, token: str | None) -> None:
    """Refuse an address that others can reach without a token, and a token that can be guessed."""
    if token is None and not is_loopback(host):
        raise ProxyError(
            f"host {host!r} can be reached from other machines, and whoever reaches the proxy can "
            "use it: put a long random token into a variable, and name that with --token-env"
        )
    if token is not None and (len(token) < SHORTEST_TOKEN or not re.fullmatch(r"[\w.~-]+", token)):
        raise ProxyError(
            f"the token is too short or holds characters that a URL cannot: use {SHORTEST_TOKEN} "
            "or more letters, digits, - _ . ~ chosen at random"
        )


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
