"""One turn of an agent: what it says, and the tools that it calls. And what an agent is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Body = Mapping[str, Any]  # a request as it is sent: any JSON
"""A request of OpenAI's chat completions, exactly as it goes over the wire."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a tool; `arguments` are JSON."""

    tool: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What an agent answers a request with. Without a call, its stage is over."""

    words: str = ""
    calls: tuple[Call, ...] = ()


Agent = Callable[[Body], Turn]
"""All that an agent knows is in the request. It keeps nothing from one to the next."""
