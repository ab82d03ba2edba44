"""Items of a Codex rollout: the messages of the model's history, and what commands returned."""

from collections.abc import Callable, Mapping

from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Usage
from ullage.transcript.transcript import Produced
from ullage.wire.contents import text_of
from ullage.wire.members import Object, compact, inside, number, objects, text, written
from ullage.wire.openai_responses import read_item

KEPT = 65_536
"""So many characters of a command's output are kept in a rollout (measured, 0.171.0)."""

RUNNING = "Process running with session ID"
"""A result that says so is the beginning of an output, of which later calls get the rest."""

SILENT = frozenset(
    {
        "compaction",
        "compaction_summary",
        "compaction_trigger",
        "context_compaction",
        "ghost_snapshot",
        "item_reference",
        "other",
        "reasoning",
    }
)
"""Items that are known and hold no text that the model reads as a message."""

OPAQUE = frozenset({"compaction", "compaction_summary", "context_compaction"})


def message_of(item: Object) -> Message | None:
    """Return the message, call or result that an item is; None for one that is none of them."""
    kind = text(item, "type")
    read = READERS.get(kind or "")
    if read is not None:
        return read(item)
    found = read_item(item) if kind is not None else None
    if found is None or found.role != "tool":
        return found
    output = item.get("output")
    if isinstance(output, dict):  # one part by itself, or a text with a flag
        return Message(role="tool", text=shown(output), answers=found.answers)
    return found


def shown(output: Object) -> str:
    """Return the text of a result that is an object."""
    return text(output, "text", "content") or text_of(output.get("content"))


def is_known(item: Object) -> bool:
    """Whether an item is of a kind that is known."""
    kind = text(item, "type") or ""
    return kind in SILENT or kind in READERS or message_of(item) is not None


def is_opaque(item: Object) -> bool:
    """Whether an item stands for history in a form that nobody but the server can read."""
    return text(item, "type") in OPAQUE and isinstance(item.get("encrypted_content"), str)


def shell_call(item: Object) -> Message:
    """Read a call of the shell that the model's own tool makes."""
    return called(item, "local_shell", item.get("action"))


def search_call(item: Object) -> Message:
    """Read a search on the web, which the server carries out."""
    return called(item, "web_search", item.get("action"))


def image_call(item: Object) -> Message:
    """Read that an image was made, by its prompt."""
    return called(item, "image_generation", {"prompt": item.get("revised_prompt")})


def tool_search_call(item: Object) -> Message:
    """Read a search among the tools."""
    return called(item, "tool_search", item.get("arguments"))


def called(item: Object, name: str, arguments: object) -> Message:
    """Return a call of a tool that has a kind of item of its own."""
    call = ToolCall(
        call_id=text(item, "call_id", "id"),
        name=name,
        arguments=written({} if arguments is None else arguments),
    )
    return Message(role="assistant", text="", calls=(call,))


def tools_found(item: Object) -> Message:
    """Read the tools that a search found."""
    return Message(
        role="tool", text=compact(item.get("tools") or []), answers=text(item, "call_id")
    )


def agent_message(item: Object) -> Message:
    """Read what another agent wrote."""
    return Message(role="user", text=text_of(item.get("content")))


READERS: Mapping[str, Callable[[Object], Message]] = {
    "local_shell_call": shell_call,
    "web_search_call": search_call,
    "image_generation_call": image_call,
    "tool_search_call": tool_search_call,
    "tool_search_output": tools_found,
    "agent_message": agent_message,
}


def produced_in(event: Object) -> tuple[str, Produced] | None:
    """Return what an event says was produced, with the call's id; None where it says nothing."""
    kind = text(event, "type")
    if kind == "item_completed":
        item = inside(event, "item")
        read, key = COMPLETED.get(text(item, "type") or ""), text(item, "id")
        found = read(item) if read else None
    else:
        read, key = ENDED.get(kind or ""), text(event, "call_id")
        found = read(event) if read else None
    return None if found is None or key is None else (key, found)


def printed(event: Object) -> Produced | None:
    """Read what a command printed; the log itself cuts it in the middle."""
    whole = text(event, "aggregated_output")
    if not whole:
        parts = (text(event, "stdout") or "", text(event, "stderr") or "")
        whole = "\n".join(one for one in parts if one)
    return Produced(text=whole, at_least=len(whole) >= KEPT) if whole else None


def answered(event: Object) -> Produced | None:
    """Read what an MCP server returned."""
    result = inside(event, "result")
    held = inside(result, "Ok") or result
    said = "".join(text(one, "text") or "" for one in objects(held.get("content")))
    whole = said or (compact(held["structuredContent"]) if held.get("structuredContent") else "")
    return Produced(text=whole) if whole else None


def returned(event: Object) -> Produced | None:
    """Read what a tool of the client's returned."""
    whole = "".join(text(one, "text") or "" for one in objects(event.get("content_items")))
    return Produced(text=whole) if whole else None


Reader = Callable[[Object], Produced | None]
COMPLETED: Mapping[str, Reader] = {"CommandExecution": printed, "McpToolCall": answered}
ENDED: Mapping[str, Reader] = {
    "exec_command_end": printed,
    "mcp_tool_call_end": answered,
    "dynamic_tool_call_response": returned,
}


def usage_of(raw: Object) -> Usage:
    """Return the tokens of one reply."""
    return Usage(
        input=number(raw, "input_tokens"),
        output=number(raw, "output_tokens"),
        reasoning=number(raw, "reasoning_output_tokens"),
        cached=number(raw, "cached_input_tokens"),
        cache_written=number(raw, "cache_write_input_tokens"),
    )
