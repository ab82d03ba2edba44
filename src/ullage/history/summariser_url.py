"""An OpenAI-compatible API as a summariser, asked with the standard library alone."""

import http.client
import json
import math
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from email.message import Message as Headers
from typing import IO, Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

from ullage.history.summary import Answer, Ask, Failed
from ullage.history.without_secrets import without_secrets

PATH = "/chat/completions"
LARGEST_REPLY = 16 << 20
"""In bytes: a summary is a few thousand; what sends more is no API of chat completions."""
CHUNK = 1 << 16
WAIT = 1.0
"""Seconds before the one retry, where the server names none."""
MOST_WAIT = 20.0
"""A server that asks for more seconds than this is not waited for."""
AGAIN = frozenset((408, 429, *range(500, 600)))
LIMITS = ("max_tokens", "max_completion_tokens")
"""How the reply's limit is spelled: in most servers, and in those that refuse the first."""
SECRET_NAMES = frozenset(("key", "api_key", "api-key", "apikey", "token", "access_token"))
CUT = (
    "the reply stopped at its limit of {limit} tokens: a cut summary is not taken; raise the limit "
    "of the summary, or have the model think less"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back: a status and a body; where nothing did, `failed` says why."""

    status: int = 0
    body: bytes = b""
    wait: float | None = None
    failed: Failed | None = None
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where chat completions are asked for, and as which model.

    `timeout` is for a whole request, in seconds. Redirects are not followed: they would take the
    key to another host. Proxies are those of the environment, but for this machine's own addresses.
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float
    sleep: Callable[[float], None]
    clock: Callable[[], float]

    @property
    def name(self) -> str:
        """The address without its query, and the model."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}{parts.path} ({self.model})"

    def ask(self, ask: Ask) -> Answer | Failed:
        """Ask once, and once more where the server is busy or broken, or not reached."""
        reply, tries = self.post(ask, LIMITS[0]), 1
        if reply.status == 400 and LIMITS[1].encode() in reply.body:
            reply, tries = self.post(ask, LIMITS[1]), 2
        elif reply.again or reply.status in AGAIN:
            wait = WAIT if reply.wait is None else reply.wait
            if wait <= MOST_WAIT:
                self.sleep(wait)
                reply, tries = self.post(ask, LIMITS[0]), 2
        return replace(self.read(reply, ask), tries=tries)

    def post(self, ask: Ask, limit: str) -> Reply:
        """Send a request, and read its reply whole or not at all."""
        body = {"model": self.model, "messages": list(ask.messages), limit: ask.max_tokens}
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        data = json.dumps(body).encode("ascii")
        request = urllib.request.Request(self.url, data, headers, method="POST")
        until = self.clock() + self.timeout
        try:
            with opener(self.url).open(request, timeout=self.timeout) as answer:
                return self.whole(answer, answer.status, answer.headers, until)
        except urllib.error.HTTPError as error:
            with error:
                return self.refused(error, until)
        except TimeoutError:
            return Reply(failed=self.late())
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                return Reply(failed=self.late())
            return self.unreached(error.reason)
        except (OSError, http.client.HTTPException) as error:
            return self.unreached(error)

    def refused(self, error: urllib.error.HTTPError, until: float) -> Reply:
        """Read the body of an error; one that cannot be read says less."""
        try:
            return self.whole(error, error.code, error.headers, until)
        except (OSError, http.client.HTTPException):
            return Reply(status=error.code, wait=wait_of(error.headers))

    def whole(self, answer: IO[bytes], status: int, headers: Headers, until: float) -> Reply:
        """Read a body, no longer than there is time for."""
        held = bytearray()
        read = getattr(answer, "read1", answer.read)
        while chunk := read(CHUNK):
            held += chunk
            if len(held) > LARGEST_REPLY:
                why = f"{self.name} sent more than {LARGEST_REPLY} bytes: that is no summary"
                return Reply(failed=Failed(why=why))
            if self.clock() > until:
                return Reply(failed=self.late())
        return Reply(status=status, body=bytes(held), wait=wait_of(headers))

    def late(self) -> Failed:
        """Return that nothing came in time."""
        why = f"{self.name} did not answer in {self.timeout:g} seconds"
        return Failed(why=why, wrong="timeout")

    def unreached(self, error: object) -> Reply:
        """Return that a server was not reached, or went away."""
        said = without_secrets(str(error) or type(error).__name__, self.key)
        why = f"{self.name} cannot be reached: {said}"
        return Reply(failed=Failed(why=why), again=True)

    def read(self, reply: Reply, ask: Ask) -> Answer | Failed:
        """Read the text of a reply, or say why it has none."""
        if reply.failed is not None:
            return reply.failed
        said = reply.body.decode("utf-8", "replace")
        if reply.status != 200:
            masked = without_secrets(said, self.key)
            return Failed(
                why=f"{self.name} answered {reply.status}{f': {masked}' if masked else ''}"
            )
        try:
            document = json.loads(reply.body)
        except (ValueError, RecursionError):
            masked = without_secrets(said, self.key)
            return Failed(why=f"{self.name} answered what is no JSON: {masked!r}")
        choice = first_choice(document)
        if choice is None:
            masked = without_secrets(said, self.key)
            return Failed(why=f"{self.name} answered JSON that is no chat completion: {masked!r}")
        return of_choice(choice, ask, self)


def of_choice(choice: Mapping[str, Any], ask: Ask, endpoint: Endpoint) -> Answer | Failed:
    """Return the text of a chat completion's first choice, or why it cannot be used."""
    reason = choice.get("finish_reason")
    if reason == "length":
        return Failed(why=f"{endpoint.name}: {CUT.format(limit=ask.max_tokens)}", wrong="cut")
    if reason == "content_filter":
        return Failed(why=f"{endpoint.name}: the reply was stopped by a content filter")
    message = choice["message"]
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        said = without_secrets(refusal, endpoint.key)
        return Failed(why=f"{endpoint.name}: the model refused: {said!r}")
    return Answer(text=text_of(message.get("content")))


def first_choice(document: object) -> Mapping[str, Any] | None:
    """Return the first choice of a chat completion, None where the document is none."""
    choices = document.get("choices") if isinstance(document, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or not isinstance(first.get("message"), dict):
        return None
    return first


def text_of(content: object) -> str:
    """Return the text of a message's content: a text, or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [one.get("text") for one in parts if isinstance(one, dict)]
    return "".join(one for one in texts if isinstance(one, str))


def wait_of(headers: Headers) -> float | None:
    """Return the seconds that a server asks to wait, None where it says none that can be read."""
    try:
        wait = float(headers.get("Retry-After", ""))
    except ValueError:
        return None
    return wait if math.isfinite(wait) and wait >= 0 else None


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Takes a redirect for the answer."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Follow nothing: the headers, the key among them, would go along."""


def opener(url: str) -> urllib.request.OpenerDirector:
    """Return what opens a URL: no redirects, and no proxy on the way to this machine."""
    host = urlsplit(url).hostname or ""
    own = host in ("localhost", "::1") or host.startswith("127.")
    direct = [urllib.request.ProxyHandler({})] if own else []
    return urllib.request.build_opener(NoRedirect, *direct)


def endpoint_of(
    text: str,
    *,
    key: str | None,
    model: str | None,
    timeout: float,
    sleep: Callable[[float], None],
    clock: Callable[[], float],
) -> Endpoint:
    """Read a base URL with its `?model=`; ValueError where it cannot be used. It holds no key."""
    parts = urlsplit(text)
    if not parts.hostname:
        raise ValueError("the summariser's URL has no host: give http://HOST:PORT/v1?model=NAME")
    if parts.username or parts.password:
        raise ValueError("the summariser's URL holds a login: give the key apart from it")
    query = parse_qsl(parts.query, keep_blank_values=True)
    secret = next((name for name, _ in query if name.casefold() in SECRET_NAMES), None)
    if secret is not None:
        raise ValueError(
            f"the summariser's URL holds a key ({secret}=): give it apart from the URL"
        )
    named = next((value for name, value in query if name == "model"), "") or model
    if not named:
        raise ValueError(
            "the summariser's URL names no model: put ?model=NAME behind it, or give model="
        )
    if key is not None and (not key.isascii() or not key.isprintable()):
        raise ValueError("the summariser's key holds characters that no header can carry")
    return Endpoint(
        url=asked_at(parts, [(name, value) for name, value in query if name != "model"]),
        model=named,
        key=key.strip() if key else None,
        timeout=timeout,
        sleep=sleep,
        clock=clock,
    )


def asked_at(parts: SplitResult, query: list[tuple[str, str]]) -> str:
    """Return the address of chat completions below a base URL."""
    path = parts.path.rstrip("/")
    path = path if path.endswith(PATH) else f"{path}{PATH}"
    return urlunsplit((parts.scheme, parts.netloc, path, urlencode(query), ""))
