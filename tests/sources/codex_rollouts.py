"""Rollouts of Codex, written by hand by the schema."""

import json
from dataclasses import dataclass, field
from typing import Any

HEADER = (
    "Chunk ID: 4f2a1c\nWall time: 0.0513 seconds\nProcess exited with code 0\n"
    "Original token count: 512\nOutput:\n"
)


def message(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def call(key: str, name: str = "exec_command", **arguments: Any) -> dict[str, Any]:
    return {
        "type": "function_call",
        "call_id": key,
        "name": name,
        "arguments": json.dumps(arguments),
    }


def output(key: str, text: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": key, "output": text}


@dataclass
class Codex:
    """Writes lines one after the other, each with its type and payload."""

    lines: list[dict[str, Any]] = field(default_factory=list)

    def add(self, kind: str, payload: dict[str, Any]) -> None:
        at = f"2026-08-03T10:{len(self.lines) // 60:02}:{len(self.lines) % 60:02}.000Z"
        self.lines.append({"timestamp": at, "type": kind, "payload": payload})

    def begin(self, **members: Any) -> None:
        self.add("session_meta", {"id": "ses-1", "cli_version": "0.171.0", **members})
        self.add("turn_context", {"model": "gpt-5.6-sol"})

    def items(self, *items: dict[str, Any]) -> None:
        for one in items:
            self.add("response_item", one)

    def event(self, kind: str, **members: Any) -> None:
        self.add("event_msg", {"type": kind, **members})

    def tokens(self, read: int, wrote: int) -> None:
        usage = {"input_tokens": read, "output_tokens": wrote, "total_tokens": read + wrote}
        self.event("token_count", info={"last_token_usage": usage, "model_context_window": 258_400})

    def data(self) -> bytes:
        return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in self.lines).encode()


def command(key: str, printed: str) -> dict[str, Any]:
    return {"type": "CommandExecution", "id": key, "aggregated_output": printed, "exit_code": 0}
