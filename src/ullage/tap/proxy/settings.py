"""What the proxy needs to know, decided once before it starts."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from ullage.errors import ProxyError

LOOPBACK = "127.0.0.1"


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

    `drain_seconds` bounds how long requests in flight are waited for at the end. A stream that has
    sent `[DONE]` gets `done_seconds` to end, so that its record holds its last bytes too.
    """

    upstream: Upstream
    port: int = 0
    default_run: str = "default"
    drain_seconds: float = 8.0
    done_seconds: float = 0.25


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
