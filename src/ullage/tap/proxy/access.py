"""Who may use the proxy: this machine, or whoever shows the token."""

import hmac

from aiohttp import web

from ullage.tap.proxy.headers import RawHeaders
from ullage.tap.proxy.target import OWN, Target

HEADER = "X-Ullage-Token"
LOWERED = HEADER.lower().encode()
# A load balancer asks for them and has no token; they tell nothing but that the service is up.
OPEN = (f"{OWN}/healthz", f"{OWN}/readyz")


class Access:
    """Compares what clients show with the token; without one, everybody who gets here is let in."""

    def __init__(self, token: str | None) -> None:
        self._token = None if token is None else token.encode()

    @property
    def wanted(self) -> bool:
        """Whether a token is asked of clients."""
        return self._token is not None

    def allows(self, request: web.BaseRequest, target: Target) -> bool:
        """Say whether a request may go on."""
        if self._token is None or (target.own and target.path in OPEN):
            return True
        shown = request.headers.get(HEADER) if target.token is None else target.token
        return shown is not None and hmac.compare_digest(encoded(shown), self._token)

    def without_token(self, headers: RawHeaders) -> RawHeaders:
        """Return the headers that are for the upstream; ours is so only where one is asked for."""
        if self._token is None:
            return headers
        return [pair for pair in headers if pair[0].lower() != LOWERED]

    def how(self) -> str:
        """Say what a client has to do."""
        return (
            "this proxy asks for its token, and it is missing or wrong: put /token/TOKEN in front "
            f"of the path of the base URL, or send it as the header {HEADER}"
        )


def encoded(shown: str) -> bytes:
    """Return a text's bytes, also where it held some that were not UTF-8."""
    return shown.encode("utf-8", "surrogatepass")
