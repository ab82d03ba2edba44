"""What stands in front of a request's path for the proxy: token, run, agent, upstream."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

TOKEN = "/token/"
RUN = "/run/"
AGENT = "/agent/"
OWN = "/_ullage"
RESERVED = (OWN, "/run", "/token")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Whose request it is, which upstream it is for, and the path and query that this one gets.

    `prefix` is the empty text for the default upstream; `own` says that the path is none of an
    upstream's but the proxy's own.
    """

    run: str
    path: str
    agent: str | None = None
    prefix: str = ""
    token: str | None = None
    own: bool = False


def split_target(
    raw: str, default_run: str, *, prefixes: Iterable[str] = (), with_token: bool = False
) -> Target:
    """Split `[/token/T][/run/TAG[/agent/NAME]][PREFIX]/…`; of the rest no character is changed.

    `prefixes` come with the longest first. A token is looked for only `with_token`.
    """
    token, rest = split_word(raw, TOKEN) if with_token else (None, raw)
    if rest == OWN or rest.startswith((OWN + "/", OWN + "?")):
        return Target(run=default_run, path=rest, token=token, own=True)
    tag, rest = split_word(rest, RUN)
    agent = None
    if tag is not None:
        agent, rest = split_word(rest, AGENT)
    prefix = next((one for one in prefixes if is_below(rest, one)), "")
    return Target(
        run=default_run if tag is None else tag,
        agent=agent,
        prefix=prefix,
        path=rooted(rest.removeprefix(prefix)),
        token=token,
    )


def split_word(raw: str, before: str) -> tuple[str | None, str]:
    """Return the word behind `before`, read from its escapes, and what follows it, as a path."""
    word, rest = split_segment(raw.removeprefix(before)) if raw.startswith(before) else ("", raw)
    return (unquote(word), rooted(rest)) if word else (None, raw)


def split_segment(text: str) -> tuple[str, str]:
    """Split at the first slash or question mark, which stays with the rest."""
    end = min((at for at in map(text.find, "/?") if at >= 0), default=len(text))
    return text[:end], text[end:]


def is_below(path: str, prefix: str) -> bool:
    """Say whether a path is the prefix itself, or what stands below it."""
    return path.startswith(prefix) and path[len(prefix) : len(prefix) + 1] in ("", "/", "?")


def rooted(rest: str) -> str:
    """Return the rest of a path as a path."""
    return rest if rest.startswith("/") else "/" + rest
