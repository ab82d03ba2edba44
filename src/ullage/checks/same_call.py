"""When two calls are the same: tool and arguments, whatever the order and spacing of these."""

import json
from collections.abc import Mapping

from ullage.arrivals.values import canonical
from ullage.transcript.message import ToolCall


def same_call(call: ToolCall) -> str:
    """Return a mark that equal calls share."""
    try:
        arguments = canonical(json.loads(call.arguments))
    except (ValueError, RecursionError):
        arguments = call.arguments.strip()
    return f"{call.name} {arguments}"


def arguments_of(call: ToolCall | None) -> Mapping[str, object]:
    """Return the arguments of a call by name; nothing where they are no JSON object."""
    try:
        found = json.loads(call.arguments) if call is not None else None
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
