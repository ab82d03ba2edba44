"""The messages of one request or reply, whatever the provider's spelling."""

from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call that the model asked for; `arguments` is the text as it came, parsed or not."""

    call_id: str | None
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message: its role, its text, its calls, and which call it answers if it is a result."""

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    answers: str | None = None
    name: str | None = None
