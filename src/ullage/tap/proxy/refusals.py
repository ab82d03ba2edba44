"""What the proxy says in its own name."""

import json
from collections.abc import Mapping
from typing import Any, Literal

import aiohttp
from aiohttp import web

from ullage.tap.proxy.meters import Refusal
from ullage.tap.proxy.settings import Upstream

Fault = Refusal | Literal["upstream-failed", "no-such-page", "bad-request"]


def refusal(status: int, code: Fault, message: str) -> web.Response:
    """Answer in the shape that clients of model APIs show to their users."""
    error = {"message": f"ullage proxy: {message}", "type": "ullage_proxy_error", "code": code}
    return document({"error": error}, status=status)


def document(value: Mapping[str, Any], *, status: int = 200) -> web.Response:
    """Answer with a JSON document."""
    return web.Response(
        text=json.dumps(value), status=status, content_type="application/json", charset="utf-8"
    )


def failure(error: Exception, upstream: Upstream) -> str:
    """Say which upstream, what happened, and what to do."""
    where = f"upstream {upstream.origin}"
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return (
            f"{where}: its certificate is not trusted ({error.certificate_error}): name the file "
            "of the one who signed it with --upstream-ca"
        )
    if isinstance(error, aiohttp.ClientConnectorError):
        reason = error.os_error.strerror or error.os_error
        return f"{where} cannot be reached ({reason}): start it, or correct --upstream"
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return f"{where} closed the connection before it answered: look into its log"
    if isinstance(error, aiohttp.ClientPayloadError):
        return f"{where} broke off in the middle of its reply: look into its log"
    return f"{where} failed: {error or type(error).__name__}"
