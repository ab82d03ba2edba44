"""Sending spans to a collector: OTLP over HTTP, set up as OpenTelemetry's own exporters are."""

import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from ullage.errors import UllageError

LOCAL = "http://localhost:4318"
SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Collector:
    """Where spans go: the whole address, and headers such as a key."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


def collector(environment: Mapping[str, str], endpoint: str | None = None) -> Collector:
    """Return the collector that an address, or else the OTEL_EXPORTER_OTLP_ variables, name."""
    traces = environment.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    base = endpoint or environment.get("OTEL_EXPORTER_OTLP_ENDPOINT") or LOCAL
    url = traces if traces and endpoint is None else base.rstrip("/") + "/v1/traces"
    if not url.startswith(("http://", "https://")):
        raise UllageError(f"collector {url!r}: write http:// or https:// in front of it")
    return Collector(
        url=url,
        headers={
            **headers_in(environment.get("OTEL_EXPORTER_OTLP_HEADERS", "")),
            **headers_in(environment.get("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "")),
        },
    )


def headers_in(text: str) -> dict[str, str]:
    """Read `name=value,name=value`, with percent escapes."""
    pairs = [pair.partition("=") for pair in text.split(",") if "=" in pair]
    return {unquote(name).strip(): unquote(value).strip() for name, _, value in pairs}


def send(body: bytes, to: Collector) -> None:
    """Send one payload. Raises UllageError where the collector cannot be reached or refuses it."""
    headers = {"Content-Type": "application/json", **to.headers}
    request = urllib.request.Request(to.url, body, headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            answer.read()
    except urllib.error.HTTPError as error:
        raise UllageError(
            f"collector {to.url} refused the spans: status {error.code} {error.reason}: check its "
            "address and OTEL_EXPORTER_OTLP_HEADERS"
        ) from error
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise UllageError(
            f"collector {to.url} cannot be reached ({reason}): start it, or name another with "
            "OTEL_EXPORTER_OTLP_ENDPOINT"
        ) from error
