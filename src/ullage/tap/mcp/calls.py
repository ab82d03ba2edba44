"""Which reply belongs to which call, over one conversation. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from ullage.tap.mcp.messages import Message
from ullage.tap.mcp.results import Produced, ToolCall, call_of, canonical, produced, task_of

MOST_OPEN = 10_000
"""Calls that are waited for at once; past that the oldest are given up, and counted."""


@dataclass(slots=True)
class Oddities:
    """What was seen and led to no record. `given_up` calls had too many open ones after them."""

    unreadable_calls: int = 0
    reused_ids: int = 0
    given_up: int = 0


class Calls:
    """The calls of one conversation that have no result yet.

    Each direction numbers its requests by itself: a server's own request may carry the id of an
    open call, and is told apart by its method.
    """

    def __init__(self) -> None:
        self.oddities = Oddities()
        self._open: dict[str, ToolCall] = {}
        self._tasks: dict[str, ToolCall] = {}

    def __len__(self) -> int:
        return len(self._open)

    def from_client(self, message: Message) -> None:
        """Take in what the client says."""
        params = message.get("params")
        match message.get("method"):
            case "tools/call":
                self._ask(message, call_of(params))
            case "tasks/result":
                task = params.get("taskId") if isinstance(params, Mapping) else None
                if isinstance(task, str) and task in self._tasks:
                    # Once: a client that asks again gets the same result again.
                    self._ask(message, self._tasks.pop(task))
            case "notifications/cancelled" if isinstance(params, Mapping):
                # The client throws a late reply away, so no model is given it.
                self._open.pop(key(params.get("requestId")), None)

    def from_server(self, message: Message) -> Produced | None:
        """Take in what the server says; return the result that it is, where it is one."""
        if "method" in message or "id" not in message:
            return None
        call = self._open.pop(key(message["id"]), None)
        if call is None:
            return None
        if (task := task_of(message)) is not None:
            self._tasks[task] = call
            forget_oldest(self._tasks, self.oddities)
        return produced(call, message)

    def _ask(self, message: Message, call: ToolCall | None) -> None:
        if call is None or "id" not in message:
            self.oddities.unreadable_calls += 1
            return
        number = key(message["id"])
        self.oddities.reused_ids += number in self._open
        self._open.pop(number, None)
        self._open[number] = call
        forget_oldest(self._open, self.oddities)


def key(number: object) -> str:
    """Tell ids apart as JSON does: 1 and "1" are two."""
    return canonical(number)


def forget_oldest(kept: dict[str, ToolCall], oddities: Oddities) -> None:
    """Keep what is waited for bounded."""
    if len(kept) > MOST_OPEN:
        del kept[next(iter(kept))]
        oddities.given_up += 1
