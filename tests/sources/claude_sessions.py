"""Sessions of Claude Code, written by hand by the schema: each record as the program writes it."""

import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

VERSION = "2.1.80"


@dataclass
class Claude:
    """Writes records one after the other; each hangs on the last one, or on the one named."""

    session: str = "ses-1"
    agent: str | None = None
    model: str = "claude-opus-5"
    lines: list[dict[str, Any]] = field(default_factory=list)
    last: str | None = None
    numbers: Any = field(default_factory=lambda: count(1))

    def add(self, kind: str, /, parent: str | None = "last", **members: Any) -> str:
        number = next(self.numbers)
        key = members.pop("uuid", f"u{number}")
        record = {
            "parentUuid": self.last if parent == "last" else parent,
            "isSidechain": self.agent is not None,
            "sessionId": self.session,
            "version": VERSION,
            "type": kind,
            "uuid": key,
            "timestamp": f"2026-05-04T10:{number // 60:02}:{number % 60:02}.000Z",
            **members,
        }
        if self.agent is not None:
            record["agentId"] = self.agent
        self.lines.append(record)
        self.last = key
        return str(key)

    def user(self, text: str, **members: Any) -> str:
        return self.add("user", message={"role": "user", "content": text}, **members)

    def says(self, *blocks: Any, reply: str | None = None, **members: Any) -> str:
        """A reply as one record a block, as the program writes it; all repeat the usage."""
        reply = reply or f"msg-{len(self.lines)}"
        key = ""
        for one in blocks:
            block = {"type": "text", "text": one} if isinstance(one, str) else one
            key = self.add(
                "assistant",
                message={
                    "id": reply,
                    "type": "message",
                    "role": "assistant",
                    "model": self.model,
                    "content": [block],
                    "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
                    "usage": {"input_tokens": 100 + len(self.lines), "output_tokens": 5},
                },
                **members,
            )
            members = {}
        return key

    def result(self, call: str, content: Any, held: Any = None, **members: Any) -> str:
        failed = members.pop("is_error", False)
        block = {
            "type": "tool_result",
            "tool_use_id": call,
            "content": content,
            "is_error": failed,
        }
        more = {} if held is None else {"toolUseResult": held}
        return self.add("user", message={"role": "user", "content": [block]}, **more, **members)

    def boundary(self, **metadata: Any) -> str:
        return self.add(
            "system",
            parent=None,
            subtype="compact_boundary",
            content="Conversation compacted",
            logicalParentUuid=self.last,
            compactMetadata=metadata,
        )

    def summary(self, text: str, **members: Any) -> str:
        return self.user(text, isCompactSummary=True, isVisibleInTranscriptOnly=True, **members)

    def data(self) -> bytes:
        return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in self.lines).encode()


def call(key: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": key, "name": name, "input": arguments}
