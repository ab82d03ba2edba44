"""The run's tag, taken off the path of a request."""

from dataclasses import dataclass
from urllib.parse import unquote

PREFIX = "/run/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Whose request it is, and the path and query that the upstream gets."""

    run: str
    path: str


def split_target(raw: str, default_run: str) -> Target:
    """Split `/run/<tag>/…` into its tag and the rest, of which no character is changed."""
    tag, rest = split_tag(raw.removeprefix(PREFIX)) if raw.startswith(PREFIX) else ("", raw)
    if not tag:
        return Target(run=default_run, path=raw)
    return Target(run=unquote(tag), path=rest if rest.startswith("/") else "/" + rest)


def split_tag(text: str) -> tuple[str, str]:
    """Split at the first slash or question mark, which stays with the rest."""
    end = min((at for at in map(text.find, "/?") if at >= 0), default=len(text))
    return text[:end], text[end:]
