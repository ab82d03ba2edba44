"""When two calls are the same: tool and arguments, whatever the order and spacing of these."""

import json

from ullage.arrivals.values import canonical
from ullage.transcript.message import ToolCall


def same_call(call: ToolCall) -> str:
    """Return a mark that equal calls share."""
    try:
        arguments = canonical(json.loads(call.arguments))
    except (ValueError, RecursionError):
        arguments = call.arguments.strip()
    return f"{call.name} {arguments}"
