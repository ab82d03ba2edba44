"""What a request's path says: whose protocol, what for, which run and, at some, which model. Pure.

A path is read by the tables that read a recorded exchange, so that whatever is answered here can be
read there. What stands before the provider's own part does not matter: clients differ in whether
their base URL holds `/v1`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from ullage.wire.readers import Kind, Provider, model_in, reader_of

DEFAULT_RUN = "default"
RUN = re.compile(r"/run/([^/]+)(/.*)")
COLON = re.compile("%3A", re.IGNORECASE)
MODELS = re.compile(r"/models(?:/([^:]+))?/?\Z")
STREAMED = ":streamGenerateContent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a request goes; `path` is without the run and without the query, which may hold a key.

    `kind` is None for a path that no protocol has. `stream` is None where the body says it.
    `listed` is Gemini's stream without `alt=sse`: one JSON list of documents, not events.
    """

    run: str = DEFAULT_RUN
    path: str = "/v1/chat/completions"
    protocol: Provider = "openai-chat"
    kind: Kind | None = "turn"
    model: str | None = None
    stream: bool | None = None
    listed: bool = False


def split_run(path: str) -> tuple[str, str]:
    """Return the run that a path names, else the default one, and the rest of the path."""
    path = COLON.sub(":", path)
    found = RUN.match(path)
    return (unquote(found[1]), found[2]) if found else (DEFAULT_RUN, path)


def target_of(path: str, query: Mapping[str, str], headers: Mapping[str, str]) -> Target:
    """Read where a request goes; a reply that was made before cannot be fetched."""
    run, rest = split_run(path)
    reader = reader_of(rest)
    if reader is None or reader.kind == "fetch":
        return Target(run=run, path=rest, protocol=guessed(rest, headers), kind=None)
    stream = rest.endswith(STREAMED) if reader.provider == "gemini" else None
    return Target(
        run=run,
        path=rest,
        protocol=reader.provider,
        kind=reader.kind,
        model=unquote(model_in(rest) or "") or None,
        stream=stream,
        listed=bool(stream) and query.get("alt") != "sse",
    )


def models_in(path: str) -> tuple[bool, str | None]:
    """Say whether a path asks for the models, and for which one if it names one."""
    found = MODELS.search(split_run(path)[1])
    return found is not None, unquote(found[1]) if found and found[1] else None


def guessed(path: str, headers: Mapping[str, str]) -> Provider:
    """Return whose client asks, where the path alone does not say it."""
    if "anthropic-version" in headers:
        return "anthropic"
    if "x-goog-api-key" in headers or "/v1beta" in path:
        return "gemini"
    return "openai-chat"
